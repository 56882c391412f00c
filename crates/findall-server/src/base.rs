//! The knowledge base of a server: searched by whatever route or tool, and corrected from one request to the next.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use findall::knowledge::words::WordIndexError;
use findall_service::base::{BaseLimit, BaseQuery};
use tokio::time::Instant;

use crate::app::App;
use crate::error::ApiError;
use crate::search::explain_search_failure;
use crate::workers::{Lane, Stop};
use findall_wire::{KbFindRequest, KbFindResponse, convert};

/// A layer that looks at the file of corrections before a request is answered, and applies what is new. Documents that were
/// made ready with what was known before are let go: who asks about one is told that it is not held, and sends it again.
pub(crate) async fn refresh(State(app): State<App>, request: Request, next: Next) -> Response {
    app.refresh_corrections();
    next.run(request).await
}

/// Finds in the base, by whatever route or tool.
pub(crate) async fn find_in_base(app: &App, request: KbFindRequest) -> Result<KbFindResponse, ApiError> {
    let started = Instant::now();
    let KbFindRequest { query, top, threshold, fast } = request;
    let query = BaseQuery { query, most: top, threshold, fast };
    let options = query.options().map_err(refuse_limit)?;
    if app.config.log_content {
        tracing::info!(query = query.query, "kb find");
    }
    let shared = app.clone();
    let work = move |stop: &Stop| {
        let loaded = shared.resources()?;
        // What a base holds is no secret of a page, so what is worked out about it may be kept.
        let engine = loaded.engine(false);
        let words =
            loaded.base().words(engine.knowledge(), &|| stop.is_set()).map_err(explain_index_failure)?;
        let found = query.find(engine, words, &options);
        let found = found.map_err(|error| explain_search_failure("kb find", error))?;
        let entities = found.into_iter().map(convert::base_entity).collect();
        let took_ms = started.elapsed().as_millis() as u64;
        Ok(KbFindResponse { entities, judged: convert::is_final(engine, fast), took_ms })
    };
    app.workers.run(Lane::Long, app.deadline(), work).await
}

fn refuse_limit(limit: BaseLimit) -> ApiError {
    let field = match limit {
        BaseLimit::Most => "top",
        BaseLimit::Threshold => "threshold",
    };
    ApiError::BadRequest(format!("\"{field}\" {limit}"))
}

fn explain_index_failure(error: WordIndexError) -> ApiError {
    match error {
        WordIndexError::Stopped => {
            ApiError::Busy("the base is still being indexed; try again in a few seconds".into())
        }
        error => {
            tracing::error!(%error, "indexing the base failed");
            ApiError::Internal("the base could not be indexed; the server's log says why".into())
        }
    }
}
