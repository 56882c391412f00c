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
use axum::routing::{MethodRouter, any_service, get, post};

use crate::app::App;
use crate::error::ApiError;
use crate::extract::count_body;
use crate::mcp;

/// Where assistants are served; it speaks a protocol of its own, which describes itself.
pub const MCP: &str = "/mcp";

/// Every address and what answers there. `openapi::OPERATIONS` describes the same, but for [`MCP`]; a test compares them.
fn table(app: &App) -> Vec<(&'static str, MethodRouter<App>)> {
    let tools =
        any_service(mcp::http_service(app.clone())).layer(from_fn_with_state(app.clone(), count_body));
    vec![
        (MCP, tools),
        ("/health", get(status::health)),
        ("/ready", get(status::ready)),
        ("/metrics", get(status::metrics)),
        ("/openapi.json", get(status::openapi)),
        ("/v1/pair", post(pair::pair)),
        ("/v1/documents", post(documents::documents)),
        ("/v1/read", post(read::read)),
        ("/v1/find", post(find::find)),
        ("/v1/ask", post(ask::ask)),
        ("/v1/like", post(like::like)),
        ("/v1/kb/find", post(base::find)),
        ("/v1/kb/report", post(base::report)),
        ("/v1/pages/top-questions", get(questions::top)),
        ("/v1/questions/similar", get(questions::similar)),
        ("/v1/feedback", post(feedback::feedback)),
        ("/v1/suggest", post(suggest::suggest)),
        ("/v1/forget", post(privacy::forget)),
        ("/v1/settings", get(privacy::settings).put(privacy::change_settings)),
    ]
}

/// The service's addresses, for whoever compares them with what is documented.
pub fn addresses(app: &App) -> Vec<&'static str> {
    table(app).into_iter().map(|(address, _)| address).collect()
}

/// All routes.
pub fn all(app: &App) -> Router<App> {
    table(app)
        .into_iter()
        .fold(Router::new(), |router, (address, methods)| router.route(address, methods))
        .fallback(async || ApiError::NotFound)
        .method_not_allowed_fallback(async || ApiError::MethodNotAllowed)
}
