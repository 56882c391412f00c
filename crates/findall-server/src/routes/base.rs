//! `POST /v1/kb/find`: entities of the knowledge base that satisfy a query. `POST /v1/kb/report`: a person's word that
//! something in it is wrong.

use axum::Json;
use axum::extract::State;
use findall::knowledge::corrections::CorrectionError;
use findall_service::base::{BaseFault, correction_of};

use crate::app::App;
use crate::base::find_in_base;
use crate::error::ApiError;
use crate::extract::JsonBody;
use crate::workers::{Lane, Stop};
use findall_wire::{DoneResponse, KbFindRequest, KbFindResponse, KbReportKind, KbReportRequest};

/// Finds in the base.
pub async fn find(
    State(app): State<App>,
    JsonBody(request): JsonBody<KbFindRequest>,
) -> Result<Json<KbFindResponse>, ApiError> {
    find_in_base(&app, request).await.map(Json)
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
        file.append(&correction).map_err(explain_unkept)?;
        shared.refresh_corrections();
        Ok(Json(DoneResponse { ok: true }))
    };
    app.workers.run(Lane::Memory, app.deadline(), work).await
}

fn explain_unkept(error: CorrectionError) -> ApiError {
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
