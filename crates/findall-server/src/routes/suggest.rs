//! `POST /v1/suggest`: what may be meant by what has been typed so far.

use axum::Json;
use axum::extract::State;
use findall_store::page_key;

use crate::app::App;
use crate::error::ApiError;
use crate::extract::JsonBody;
use crate::memory::failed;
use crate::suggest;
use crate::workers::Lane;
use findall_wire::{SuggestRequest, SuggestResponse};

/// Suggestions when the request does not say how many.
const USUAL: usize = 8;

/// Most suggestions that are given.
const MOST: usize = 50;

/// Questions of a page that are looked through.
const QUESTIONS: usize = 50;

/// Suggests.
pub async fn suggest(
    State(app): State<App>,
    JsonBody(request): JsonBody<SuggestRequest>,
) -> Result<Json<SuggestResponse>, ApiError> {
    let limit = request.limit.unwrap_or(USUAL);
    if !(1..=MOST).contains(&limit) {
        return Err(ApiError::BadRequest(format!("\"limit\" must be 1 to {MOST}")));
    }
    let held = match &request.document {
        Some(id) => Some(app.documents.get(id).ok_or(ApiError::UnknownDocument)?),
        None => None,
    };
    let shared = app.clone();
    let work = move |_: &_| {
        let mut suggestions = Vec::new();
        let own = held.as_ref().filter(|held| !held.private).and_then(|held| held.page().url);
        if let (Some(url), Some(store)) = (request.url.or(own), shared.ready()?.store()) {
            let questions = store.top_questions(&page_key(&url), QUESTIONS).map_err(failed)?;
            let questions = questions.iter().map(|question| question.text.as_str());
            suggestions.extend(suggest::from_questions(questions, &request.prefix, limit.div_ceil(2)));
        }
        if let Some(held) = held {
            let limit = limit - suggestions.len();
            suggestions.extend(suggest::from_document(
                &held.document,
                &held.prepared,
                &request.prefix,
                limit,
            ));
            if suggestions.is_empty() {
                let engine = shared.ready()?.engine(held.private);
                suggestions.extend(suggest::corrected(
                    engine,
                    &held.document,
                    &held.prepared,
                    &request.prefix,
                ));
            }
        }
        Ok(Json(SuggestResponse { suggestions }))
    };
    app.workers.run(Lane::Short, app.deadline(), work).await
}
