//! What a request can be answered with when it cannot be done: the one place that maps to HTTP status. Every message is
//! one line and says what to do; none repeats what the request held.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use findall_wire::offsets::SpanError;
use findall_wire::{ErrorBody, ErrorDetail};

/// Why a request was not done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ApiError {
    /// The request makes no sense as it stands.
    #[error("{0}")]
    BadRequest(String),
    /// No token, or one that is not known.
    #[error("{0}")]
    NotPaired(String),
    /// A page or program that may not ask.
    #[error("{0}")]
    ForbiddenOrigin(String),
    /// Nothing is kept under this id.
    #[error("no such document is held; send its text to /v1/documents again")]
    UnknownDocument,
    /// No such address.
    #[error("there is nothing at this address; /openapi.json lists what there is")]
    NotFound,
    /// The address takes another method.
    #[error("this address takes another method; /openapi.json says which")]
    MethodNotAllowed,
    /// It took too long and was stopped.
    #[error("stopped after {0} seconds; send less text, or start the server with a longer --timeout")]
    Timeout(u64),
    /// More than may be sent or held.
    #[error("{0}")]
    TooLarge(String),
    /// Understood, but it cannot be done.
    #[error("{0}")]
    Unprocessable(String),
    /// One client asks for too much at once.
    #[error("too many requests at once from one client; wait for answers before asking more")]
    TooManyRequests,
    /// All clients together ask for too much.
    #[error("{0}")]
    Busy(String),
    /// Part of the contract that this server does not have.
    #[error("{0}")]
    NotBuilt(String),
    /// Our fault.
    #[error("{0}")]
    Internal(String),
}

impl From<SpanError> for ApiError {
    fn from(error: SpanError) -> Self {
        Self::BadRequest(error.to_string())
    }
}

impl ApiError {
    /// Status and code, side by side.
    pub fn status(&self) -> (StatusCode, &'static str) {
        match self {
            Self::BadRequest(_) => (StatusCode::BAD_REQUEST, "bad_request"),
            Self::NotPaired(_) => (StatusCode::UNAUTHORIZED, "not_paired"),
            Self::ForbiddenOrigin(_) => (StatusCode::FORBIDDEN, "forbidden_origin"),
            Self::UnknownDocument => (StatusCode::NOT_FOUND, "unknown_document"),
            Self::NotFound => (StatusCode::NOT_FOUND, "not_found"),
            Self::MethodNotAllowed => (StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed"),
            Self::Timeout(_) => (StatusCode::REQUEST_TIMEOUT, "timeout"),
            Self::TooLarge(_) => (StatusCode::PAYLOAD_TOO_LARGE, "too_large"),
            Self::Unprocessable(_) => (StatusCode::UNPROCESSABLE_ENTITY, "unprocessable"),
            Self::TooManyRequests => (StatusCode::TOO_MANY_REQUESTS, "too_many_requests"),
            Self::Busy(_) => (StatusCode::SERVICE_UNAVAILABLE, "busy"),
            Self::NotBuilt(_) => (StatusCode::NOT_IMPLEMENTED, "not_built"),
            Self::Internal(_) => (StatusCode::INTERNAL_SERVER_ERROR, "internal"),
        }
    }

    /// As it travels.
    pub fn body(&self) -> ErrorBody {
        ErrorBody { error: ErrorDetail { code: self.status().1.to_owned(), message: self.to_string() } }
    }

    /// A model failed at something: the log says why, the client only that it did.
    pub fn explain_model_failure(task: &str, error: &dyn std::fmt::Display) -> Self {
        tracing::error!(%error, "{task} failed");
        Self::Internal("a model failed; the server's log says which".into())
    }

    /// The models are still being read.
    pub fn loading() -> Self {
        Self::Busy("models and knowledge are still being loaded; ask /ready, then again".into())
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status().0, Json(self.body())).into_response();
        let header = match self {
            Self::NotPaired(_) => Some((header::WWW_AUTHENTICATE, "Bearer")),
            Self::TooManyRequests | Self::Busy(_) => Some((header::RETRY_AFTER, "1")),
            _ => None,
        };
        if let Some((name, value)) = header {
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        response
    }
}
