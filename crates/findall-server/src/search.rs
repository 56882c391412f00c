//! A query to a document, by whatever route or tool: checked, searched for, and what was found as wire types.

use std::sync::Arc;

use findall::find::{FindError, FindOptions, Speed};
use findall::lexical::{Finder, LexicalOptions};
use findall_service::find::{check_limits, choose_keep_rule};
use tokio::time::Instant;

use crate::app::App;
use crate::documents::HeldDocument;
use crate::error::ApiError;
use crate::sources::DocumentEntry;
use crate::workers::Lane;
use findall_wire::convert;
use findall_wire::{FindRequest, FindResponse};

/// Refuses what cannot be asked.
pub fn check_request(request: &FindRequest) -> Result<(), ApiError> {
    check_limits(request.threshold, request.top)
        .map_err(|limit| ApiError::BadRequest(format!("\"{}\" {limit}", limit.field())))?;
    if request.guess && request.threshold.is_some() {
        return Err(ApiError::BadRequest("\"guess\" and \"threshold\" exclude each other".into()));
    }
    // Before a page is read for it.
    Finder::new(&request.query, LexicalOptions::default())
        .map(|_| ())
        .map_err(|error| ApiError::Unprocessable(error.to_string()))
}

/// The engine's options for a request.
pub fn find_options(request: &FindRequest) -> FindOptions {
    FindOptions {
        keep: choose_keep_rule(request.threshold, request.guess),
        speed: if request.fast { Speed::Fast } else { Speed::Judged },
        ..FindOptions::default()
    }
}

/// Everything in a document that is held.
pub fn search_document(
    app: &App,
    held: &Arc<HeldDocument>,
    request: &FindRequest,
    started: Instant,
) -> Result<FindResponse, ApiError> {
    let engine = app.resources()?.engine(held.private);
    let options = find_options(request);
    let found = engine.find(&held.document, &held.prepared, &request.query, &options);
    let found = found.map_err(|error| explain_search_failure("find", error))?;
    let most = app.config.limits.matches;
    let response = convert::findings(engine, &found, &held.document, &held.prepared, request, most);
    Ok(FindResponse { took_ms: started.elapsed().as_millis() as u64, ..response })
}

/// Everything at once, of a document that may have to be prepared first.
pub async fn answer_find(
    app: &App,
    entry: DocumentEntry,
    request: FindRequest,
) -> Result<FindResponse, ApiError> {
    check_request(&request)?;
    let (started, deadline) = (Instant::now(), app.deadline());
    let held = entry.into_prepared(deadline).await?;
    let shared = app.clone();
    app.workers.run(Lane::Short, deadline, move |_| search_document(&shared, &held, &request, started)).await
}

/// Why a search gave nothing: a query that cannot be searched for, or a failure that is logged.
pub fn explain_search_failure(task: &str, error: FindError) -> ApiError {
    match error {
        FindError::Query(error) => ApiError::Unprocessable(error.to_string()),
        error => {
            tracing::error!(%error, "{task} failed");
            ApiError::Internal("the search failed; the server's log says why".into())
        }
    }
}
