//! `POST /v1/forget` and `/v1/settings`: what is remembered is the person's to delete and to forbid.

use axum::Json;
use axum::extract::State;
use findall::ask::question::normalise;
use findall_service::forget::{ForgetError, KeptPlaces, forget_everywhere};
use findall_store::{ForgetTarget, Pattern, PatternUse, Store, page_key};

use crate::app::App;
use crate::error::ApiError;
use crate::extract::JsonBody;
use crate::memory::{explain_store_failure, question_of};
use crate::workers::Lane;
use findall_wire::{ForgetRequest, ForgetResponse, SettingsBody};

/// Most patterns that are kept.
const MAX_PATTERNS: usize = 1000;

fn store(app: &App) -> Result<&dyn Store, ApiError> {
    let store = app.resources()?.store();
    store.ok_or_else(|| {
        ApiError::Unprocessable("this server remembers nothing; start it with a --store".into())
    })
}

/// Forgets a page, a question, or everything; from memory, from the cache of texts and from the library in it, too.
pub async fn forget(
    State(app): State<App>,
    JsonBody(request): JsonBody<ForgetRequest>,
) -> Result<Json<ForgetResponse>, ApiError> {
    let shared = app.clone();
    let work = move |_: &_| {
        let question = request.question_id.as_deref().map(question_of).transpose()?.map(|it| normalise(&it));
        let page = request.url.as_deref().map(page_key);
        let what = match (&page, &question, request.everything) {
            (Some(page), None, false) => ForgetTarget::Pages(page),
            (None, Some(normalised), false) => ForgetTarget::Question { normalised, page: None },
            (None, None, true) => ForgetTarget::Everything,
            _ => {
                return Err(ApiError::BadRequest(
                    "send one of \"url\", \"question_id\" and \"everything\": true".into(),
                ));
            }
        };
        if question.is_none() {
            shared.documents.forget(request.url.as_deref());
        }
        let loaded = shared.resources()?;
        let places = KeptPlaces {
            store: store(&shared)?,
            clear_cache: &|| loaded.engine(false).clear_cache(),
            library: loaded.cached_library(),
        };
        let gone = forget_everywhere(what, &places).map_err(explain_forget_error)?;
        if gone.documents > 0 {
            loaded.refresh_cached_library().map_err(|error| explain_forget_error(error.into()))?;
        }
        Ok(Json(ForgetResponse {
            forgotten: gone.store.pages + gone.store.questions,
            documents: gone.documents.try_into().unwrap_or(u64::MAX),
        }))
    };
    app.workers.run(Lane::Memory, app.deadline(), work).await
}

/// What was not forgotten: logged, and worded for the client.
fn explain_forget_error(error: ForgetError) -> ApiError {
    match error {
        ForgetError::Store(error) => explain_store_failure(error),
        ForgetError::Cache(error) => {
            tracing::error!(%error, "the cache cannot be deleted");
            ApiError::Internal(
                "forgotten, but the cache of texts cannot be deleted; the server's log says why".into(),
            )
        }
        error => {
            tracing::error!(%error, "the library cannot be changed");
            ApiError::Internal(
                "forgotten, but not in the library; the server's log says why. Ask again later".into(),
            )
        }
    }
}

/// What may be remembered.
pub async fn settings(State(app): State<App>) -> Result<Json<SettingsBody>, ApiError> {
    let shared = app.clone();
    app.workers.run(Lane::Memory, app.deadline(), move |_: &_| read(store(&shared)?).map(Json)).await
}

/// Changes what may be remembered.
pub async fn change_settings(
    State(app): State<App>,
    JsonBody(wanted): JsonBody<SettingsBody>,
) -> Result<Json<SettingsBody>, ApiError> {
    if wanted.deny.len() > MAX_PATTERNS {
        return Err(ApiError::BadRequest(format!("\"deny\" may hold {MAX_PATTERNS} patterns")));
    }
    let shared = app.clone();
    let work = move |_: &_| {
        let store = store(&shared)?;
        // All are read before any is changed.
        let patterns: Vec<Pattern> = wanted
            .deny
            .iter()
            .map(|text| Pattern::new(text))
            .collect::<Result<_, _>>()
            .map_err(explain_store_failure)?;
        let before = read(store)?;
        for pattern in &patterns {
            store.add_pattern(PatternUse::Deny, pattern).map_err(explain_store_failure)?;
        }
        for gone in before.deny.iter().filter(|old| !patterns.iter().any(|new| new.as_str() == old.as_str()))
        {
            store.remove_pattern(PatternUse::Deny, gone).map_err(explain_store_failure)?;
        }
        store.set_remember(wanted.remember).map_err(explain_store_failure)?;
        read(store).map(Json)
    };
    app.workers.run(Lane::Memory, app.deadline(), work).await
}

fn read(store: &dyn Store) -> Result<SettingsBody, ApiError> {
    let settings = store.settings().map_err(explain_store_failure)?;
    let deny = settings.patterns_for(PatternUse::Deny).map(|pattern| pattern.as_str().to_owned()).collect();
    Ok(SettingsBody { remember: settings.remember, deny })
}
