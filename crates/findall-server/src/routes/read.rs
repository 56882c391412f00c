//! `POST /v1/read`: a file of any format that the engine reads becomes its text, page by page. Nothing is prepared and
//! nothing is kept.

use std::path::PathBuf;

use axum::Json;
use axum::extract::State;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use findall::Document;
use tokio::time::Instant;

use crate::app::App;
use crate::error::ApiError;
use crate::extract::JsonBody;
use crate::sources::{Source, parse_source};
use findall_wire::{ReadRequest, ReadResponse};

/// Reads a file.
pub async fn read(
    State(app): State<App>,
    JsonBody(request): JsonBody<ReadRequest>,
) -> Result<Json<ReadResponse>, ApiError> {
    let started = Instant::now();
    let bytes = STANDARD
        .decode(request.file)
        .map_err(|_| ApiError::BadRequest("\"file\" must be the file's bytes in Base64".into()))?;
    let document = parse_source(&app, Source::file(bytes, PathBuf::from(request.name))).await?.document;
    let gaps = document.gaps();
    Ok(Json(ReadResponse {
        title: document.title().unwrap_or_default().to_owned(),
        format: document.format().name().to_owned(),
        pages: pages_of(&document),
        missing: if gaps.is_empty() { String::new() } else { gaps.to_string() },
        took_ms: started.elapsed().as_millis() as u64,
    }))
}

/// The text of every page; of a document without pages all of it is one.
fn pages_of(document: &Document) -> Vec<String> {
    let positions = document.positions();
    let spans = (1..=positions.page_count()).filter_map(|page| positions.page_span(page));
    let pages: Vec<String> =
        spans.map(|span| span.slice(document.text()).unwrap_or_default().trim().to_owned()).collect();
    if pages.is_empty() { vec![document.text().to_owned()] } else { pages }
}
