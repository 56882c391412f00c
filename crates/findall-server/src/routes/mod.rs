//! The routes: one file each, request in, work, answer out.

pub mod ask;
pub mod base;
pub mod documents;
mod feedback;
pub mod find;
mod like;
mod pair;
mod privacy;
mod questions;
mod read;
mod status;
mod suggest;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::{any_service, get, post};

use crate::app::App;
use crate::error::ApiError;
use crate::extract::count_body;
use crate::mcp;

/// Every address. `openapi::OPERATIONS` lists the same, but for `/mcp`, which speaks a protocol of its own; a test
/// compares them.
pub fn all(app: &App) -> Router<App> {
    Router::new()
        .route(
            "/mcp",
            any_service(mcp::over_http(app.clone())).layer(from_fn_with_state(app.clone(), count_body)),
        )
        .route("/health", get(status::health))
        .route("/ready", get(status::ready))
        .route("/metrics", get(status::metrics))
        .route("/openapi.json", get(status::openapi))
        .route("/v1/pair", post(pair::pair))
        .route("/v1/documents", post(documents::documents))
        .route("/v1/read", post(read::read))
        .route("/v1/find", post(find::find))
        .route("/v1/ask", post(ask::ask))
        .route("/v1/like", post(like::like))
        .route("/v1/kb/find", post(base::find))
        .route("/v1/kb/report", post(base::report))
        .route("/v1/pages/top-questions", get(questions::top))
        .route("/v1/questions/similar", get(questions::similar))
        .route("/v1/feedback", post(feedback::feedback))
        .route("/v1/suggest", post(suggest::suggest))
        .route("/v1/forget", post(privacy::forget))
        .route("/v1/settings", get(privacy::settings).put(privacy::change_settings))
        .fallback(async || ApiError::NotFound)
        .method_not_allowed_fallback(async || ApiError::MethodNotAllowed)
}
