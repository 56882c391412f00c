//! The routes: one file each, request in, work, answer out.

pub mod documents;
pub mod find;
mod pair;
mod status;
mod suggest;

use axum::Router;
use axum::routing::{get, post};

use crate::app::App;
use crate::error::ApiError;
use crate::mcp;

/// Every address. `openapi::OPERATIONS` lists the same, but for `/mcp`, which speaks a protocol of its own; a test
/// compares them.
pub fn all(app: &App) -> Router<App> {
    Router::new()
        .route_service("/mcp", mcp::over_http(app.clone()))
        .route("/health", get(status::health))
        .route("/ready", get(status::ready))
        .route("/metrics", get(status::metrics))
        .route("/openapi.json", get(status::openapi))
        .route("/v1/pair", post(pair::pair))
        .route("/v1/documents", post(documents::documents))
        .route("/v1/find", post(find::find))
        .route("/v1/suggest", post(suggest::suggest))
        .fallback(async || ApiError::NotFound)
        .method_not_allowed_fallback(async || ApiError::MethodNotAllowed)
}
