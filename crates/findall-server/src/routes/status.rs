//! Whether the server lives, can answer, what it counts, and what it understands.

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::app::App;
use crate::openapi;
use findall_wire::StateResponse;

fn state(word: &str) -> Json<StateResponse> {
    Json(StateResponse { state: word.to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() })
}

/// `GET /health`: the process answers.
pub async fn health() -> Json<StateResponse> {
    state("alive")
}

/// `GET /ready`: models and knowledge are there.
pub async fn ready(State(app): State<App>) -> Response {
    match app.resources() {
        Ok(_) => state("ready").into_response(),
        Err(_) => {
            (StatusCode::SERVICE_UNAVAILABLE, [(header::RETRY_AFTER, "1")], state("loading")).into_response()
        }
    }
}

/// `GET /metrics`: for Prometheus.
pub async fn metrics(State(app): State<App>) -> Response {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], app.metrics.text(&app)).into_response()
}

/// `GET /openapi.json`: the contract.
pub async fn openapi() -> Json<serde_json::Value> {
    Json(openapi::document())
}
