//! `POST /v1/pair`: a one-time code becomes a token.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, header};

use crate::app::App;
use crate::error::ApiError;
use crate::extract::StrangerBody;
use crate::guard::is_extension;
use crate::workers::Lane;
use findall_wire::{PairRequest, PairResponse};

/// Pairs.
pub async fn pair(
    State(app): State<App>,
    headers: HeaderMap,
    StrangerBody(request): StrangerBody<PairRequest>,
) -> Result<Json<PairResponse>, ApiError> {
    let sent = headers.get(header::ORIGIN).and_then(|origin| origin.to_str().ok());
    let origin = request.origin.as_deref().or(sent).map(str::to_owned);
    if origin.as_deref().is_some_and(|origin| !is_extension(origin)) {
        return Err(ApiError::ForbiddenOrigin(
            "only a browser extension has an origin to pair; programs leave it out".into(),
        ));
    }
    if sent.is_some() && sent != origin.as_deref() {
        return Err(ApiError::ForbiddenOrigin("the origin is not the one that asks; send your own".into()));
    }
    let shared = app.clone();
    let work = move |_: &_| {
        let paired = shared.access.redeem(&request.code, origin.as_deref(), request.name.as_deref());
        paired.map_err(|error| {
            tracing::error!(%error, "pairing failed");
            ApiError::Internal("the token could not be stored; the server's log says why".into())
        })
    };
    let token = app.workers.run(Lane::Short, app.deadline(), work).await?;
    let refused = "the code is wrong, used or too old; get a new one with `findall serve --pair`";
    token.map(|token| Json(PairResponse { token })).ok_or_else(|| ApiError::NotPaired(refused.into()))
}
