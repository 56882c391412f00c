//! `POST /v1/suggest`: what may be meant by what has been typed so far.

use axum::Json;
use axum::extract::State;
use findall_store::page_key;

use crate::app::App;
use crate::error::ApiError;
use crate::extract::JsonBody;
use crate::memory::explain_store_failure;
use crate::suggest;
use crate::workers::Lane;
use findall_wire::{SuggestRequest, SuggestResponse};

/// Suggestions when the request does not say how many.
const DEFAULT_SUGGESTIONS: usize = 8;

/// Most suggestions that are given.
const MAX_SUGGESTIONS: usize = 50;

/// Questions of a page that are looked through.
const MAX_KNOWN_QUESTIONS: usize = 50;

/// Suggests.
pub async fn suggest(
    State(app): State<App>,
    JsonBody(request): JsonBody<SuggestRequest>,
) -> Result<Json<SuggestResponse>, ApiError> {
    let limit = request.limit.unwrap_or(DEFAULT_SUGGESTIONS);
    if !(1..=MAX_SUGGESTIONS).contains(&limit) {
        return Err(ApiError::BadRequest(format!("\"limit\" must be 1 to {MAX_SUGGESTIONS}")));
    }
    app.resources()?;
    let held = match &request.document {
        Some(id) => Some(app.documents.get(id).ok_or(ApiError::UnknownDocument)?),
        None => None,
    };
    let own = held.as_ref().filter(|held| !held.private).and_then(|held| held.page().url);
    let questions = match request.url.or(own) {
        Some(url) => find_asked_questions(&app, url).await,
        None => Vec::new(),
    };
    let shared = app.clone();
    let work = move |_: &_| {
        let questions = questions.iter().map(String::as_str);
        let mut suggestions = suggest::from_questions(questions, &request.prefix, limit.div_ceil(2));
        if let Some(held) = held {
            let limit = limit - suggestions.len();
            suggestions.extend(suggest::from_document(
                &held.document,
                &held.prepared,
                &request.prefix,
                limit,
            ));
            if suggestions.is_empty() {
                let engine = shared.resources()?.engine(held.private);
                suggestions.extend(suggest::correct_typing(
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

/// Questions that were put to a page before. Where the store does not answer, what the page itself suggests comes without.
async fn find_asked_questions(app: &App, url: String) -> Vec<String> {
    let shared = app.clone();
    let look_up = move |_: &_| {
        let Some(store) = shared.resources()?.store() else { return Ok(Vec::new()) };
        let questions =
            store.top_questions(&page_key(&url), MAX_KNOWN_QUESTIONS).map_err(explain_store_failure)?;
        Ok(questions.into_iter().map(|question| question.text).collect())
    };
    app.workers.run(Lane::Memory, app.deadline(), look_up).await.unwrap_or_default()
}
