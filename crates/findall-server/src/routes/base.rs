//! `POST /v1/kb/find`: entities of the knowledge base that satisfy a query. `POST /v1/kb/report`: a person's word that
//! something in it is wrong.

use axum::Json;
use axum::extract::State;
use findall::find::FindError;
use findall::knowledge::corrections::CorrectionError;
use findall::knowledge::words::WordIndexError;
use findall_service::base::{BaseFault, BaseLimit, BaseQuery, correction_of};
use tokio::time::Instant;

use crate::app::App;
use crate::error::ApiError;
use crate::extract::JsonBody;
use crate::workers::{Lane, Stop};
use findall_wire::{DoneResponse, KbFindRequest, KbFindResponse, KbReportKind, KbReportRequest, convert};

/// Finds in the base.
pub async fn find(
    State(app): State<App>,
    JsonBody(request): JsonBody<KbFindRequest>,
) -> Result<Json<KbFindResponse>, ApiError> {
    find_in_base(&app, request).await.map(Json)
}

/// The same for who has no HTTP request.
pub async fn find_in_base(app: &App, request: KbFindRequest) -> Result<KbFindResponse, ApiError> {
    let started = Instant::now();
    let KbFindRequest { query, top, threshold, fast } = request;
    let query = BaseQuery { query, most: top, threshold, fast };
    let options = query.options().map_err(refused_limit)?;
    if app.config.log_content {
        tracing::info!(query = query.query, "kb find");
    }
    let shared = app.clone();
    let work = move |stop: &Stop| {
        let loaded = shared.resources()?;
        // What a base holds is no secret of a page, so what is worked out about it may be kept.
        let engine = loaded.engine(false);
        let words = loaded.base().words(engine.knowledge(), &|| stop.is_set()).map_err(failed_indexing)?;
        let found = query.find(engine, words, &options).map_err(failed_search)?;
        let entities = found.into_iter().map(convert::base_entity).collect();
        let took_ms = started.elapsed().as_millis() as u64;
        Ok(KbFindResponse { entities, judged: convert::is_final(engine, fast), took_ms })
    };
    app.workers.run(Lane::Long, app.deadline(), work).await
}

/// Keeps a report.
pub async fn report(
    State(app): State<App>,
    JsonBody(request): JsonBody<KbReportRequest>,
) -> Result<Json<DoneResponse>, ApiError> {
    let shared = app.clone();
    let work = move |_: &Stop| {
        let loaded = shared.resources()?;
        let KbReportRequest { title, about, name, words } = request;
        let fault = match about {
            KbReportKind::Text => BaseFault::Text,
            KbReportKind::Link => BaseFault::Link { name },
        };
        let correction = correction_of(loaded.engine(true).knowledge(), &title, fault, words)
            .map_err(|error| ApiError::Unprocessable(error.to_string()))?;
        let nowhere = "this server keeps no corrections; use findall kb report on its machine";
        let file = loaded.base().corrections().ok_or_else(|| ApiError::NotBuilt(nowhere.into()))?;
        file.append(&correction).map_err(not_kept)?;
        shared.refresh_corrections();
        Ok(Json(DoneResponse { ok: true }))
    };
    app.workers.run(Lane::Memory, app.deadline(), work).await
}

fn refused_limit(limit: BaseLimit) -> ApiError {
    let field = match limit {
        BaseLimit::Most => "top",
        BaseLimit::Threshold => "threshold",
    };
    ApiError::BadRequest(format!("\"{field}\" {limit}"))
}

fn failed_search(error: FindError) -> ApiError {
    match error {
        FindError::Query(error) => ApiError::Unprocessable(error.to_string()),
        error => {
            tracing::error!(%error, "kb find failed");
            ApiError::Internal("the search failed; the server's log says why".into())
        }
    }
}

fn failed_indexing(error: WordIndexError) -> ApiError {
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

fn not_kept(error: CorrectionError) -> ApiError {
    match error {
        CorrectionError::Refused(refusal) => ApiError::Unprocessable(refusal.to_string()),
        CorrectionError::ReadOnly { .. } => ApiError::Unprocessable(
            "the server's file of corrections is read-only; nothing was changed".into(),
        ),
        error => {
            tracing::error!(%error, "keeping a correction failed");
            ApiError::Internal("the correction could not be kept; the server's log says why".into())
        }
    }
}
