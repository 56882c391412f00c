//! `POST /v1/kb/find`: entities of the knowledge base that satisfy a query. `POST /v1/kb/report`: a person's word that
//! something in it is wrong.

use axum::Json;
use axum::extract::State;
use findall::find::{BaseOptions, FindError, Keep, Speed};
use findall::knowledge::corrections::Correction;
use tokio::time::Instant;

use crate::app::App;
use crate::error::ApiError;
use crate::extract::JsonBody;
use crate::workers::Lane;
use findall_wire::{DoneResponse, KbFindRequest, KbFindResponse, KbReportKind, KbReportRequest, convert};

/// Entities given when the request does not say how many.
const DEFAULT_ENTITIES: usize = 20;
/// Most entities that are given.
const MAX_ENTITIES: usize = 200;

/// Finds in the base.
pub async fn find(
    State(app): State<App>,
    JsonBody(request): JsonBody<KbFindRequest>,
) -> Result<Json<KbFindResponse>, ApiError> {
    once(&app, request).await.map(Json)
}

/// The same for who has no HTTP request.
pub async fn once(app: &App, request: KbFindRequest) -> Result<KbFindResponse, ApiError> {
    let started = Instant::now();
    let most = request.top.unwrap_or(DEFAULT_ENTITIES);
    if !(1..=MAX_ENTITIES).contains(&most) {
        return Err(ApiError::BadRequest(format!("\"top\" must be 1 to {MAX_ENTITIES}")));
    }
    if request.threshold.is_some_and(|threshold| !(0.0..=1.0).contains(&threshold)) {
        return Err(ApiError::BadRequest("\"threshold\" must lie between 0 and 1".into()));
    }
    if app.config.log_content {
        tracing::info!(query = request.query, "kb find");
    }
    let shared = app.clone();
    let work = move |stop: &_| {
        let loaded = shared.ready()?;
        // What a base holds is no secret of a page, so what is worked out about it may be kept.
        let engine = loaded.engine(false);
        let words = loaded.base().words(engine.knowledge(), stop)?;
        let options = BaseOptions {
            keep: request.threshold.map_or(Keep::Decided, Keep::AtLeast),
            most,
            speed: if request.fast { Speed::Fast } else { Speed::Judged },
        };
        let findings = engine.find_in_base(words, &request.query, &options).map_err(|error| match error {
            FindError::Query(error) => ApiError::Unprocessable(error.to_string()),
            error => {
                tracing::error!(%error, "kb find failed");
                ApiError::Internal("the search failed; the server's log says why".into())
            }
        })?;
        let judged = findings.judged || !engine.has_judge();
        let entities = findings.found.into_iter().map(convert::base_entity).collect();
        Ok(KbFindResponse { entities, judged, took_ms: started.elapsed().as_millis() as u64 })
    };
    app.workers.run(Lane::Long, app.deadline(), work).await
}

/// Keeps a report.
pub async fn report(
    State(app): State<App>,
    JsonBody(request): JsonBody<KbReportRequest>,
) -> Result<Json<DoneResponse>, ApiError> {
    let shared = app.clone();
    let work = move |_: &_| {
        let loaded = shared.ready()?;
        let knowledge = loaded.engine(true).knowledge();
        let unclear = |error: &dyn std::fmt::Display| ApiError::Unprocessable(error.to_string());
        let id = knowledge.entity_meant(&request.title).map_err(|error| unclear(&error))?;
        let title = knowledge.record(id).map_err(|error| unclear(&error))?.title;
        let words = request.words;
        let correction = match request.about {
            KbReportKind::Text => Correction::WrongText { title, words },
            KbReportKind::Link => Correction::WrongLink { title, name: request.name, words },
        };
        loaded.base().keep(&correction)?;
        shared.refresh_corrections();
        Ok(Json(DoneResponse { ok: true }))
    };
    app.workers.run(Lane::Memory, app.deadline(), work).await
}
