//! Bodies and parameters on the way in: size and type are checked before anything is parsed, and what is wrong is said
//! without repeating what was sent.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::extract::{FromRequest, FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use axum::middleware::Next;
use axum::response::Response;
use serde::de::DeserializeOwned;
use serde_json::error::Category;
use tokio_stream::StreamExt;

use crate::app::App;
use crate::error::ApiError;

/// What to do about a body that is too long.
const MAX_BODY_ADVICE: &str = "send less, or raise the server's --max-body";

/// A JSON body.
pub struct JsonBody<T>(pub T);

impl<T: DeserializeOwned> FromRequest<App> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Self, ApiError> {
        let limit = app.config.limits.body_bytes;
        read_json(request, app, limit, MAX_BODY_ADVICE).await.map(JsonBody)
    }
}

/// Longest body of someone who has no token yet, and how long it may take to come.
const MAX_STRANGER_BODY_BYTES: usize = 4096;
const MAX_STRANGER_BODY_TIME: Duration = Duration::from_secs(5);

/// A JSON body of someone who has no token yet: short, and soon.
pub struct StrangerBody<T>(pub T);

impl<T: DeserializeOwned> FromRequest<App> for StrangerBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Self, ApiError> {
        let read = read_json(request, app, MAX_STRANGER_BODY_BYTES, "send the code and a name");
        let late = |_| ApiError::Timeout(MAX_STRANGER_BODY_TIME.as_secs());
        tokio::time::timeout(MAX_STRANGER_BODY_TIME, read).await.map_err(late)?.map(StrangerBody)
    }
}

/// Memory for all bodies that are being received.
#[derive(Debug)]
pub struct BodyBudget {
    used: AtomicUsize,
    most: usize,
}

/// A part of it, given back when dropped.
struct ReservedBytes<'b> {
    budget: &'b BodyBudget,
    bytes: usize,
}

impl BodyBudget {
    /// So many bytes.
    pub fn new(most: usize) -> Self {
        Self { used: AtomicUsize::new(0), most }
    }
}

impl ReservedBytes<'_> {
    /// Takes so much more, if it is there.
    fn grow(&mut self, bytes: usize) -> Result<(), ApiError> {
        let fits = |used: usize| used.checked_add(bytes).filter(|used| *used <= self.budget.most);
        let taken = self.budget.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits);
        taken.map_err(|_| {
            ApiError::Busy("too much is being sent at once; send it again in a second".into())
        })?;
        self.bytes += bytes;
        Ok(())
    }
}

impl Drop for ReservedBytes<'_> {
    fn drop(&mut self) {
        self.budget.used.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// Reads a body as it comes: only what has come takes memory, whatever was announced.
async fn read_bytes<'a>(
    request: Request,
    app: &'a App,
    limit: usize,
    advice: &str,
) -> Result<(Parts, Vec<u8>, ReservedBytes<'a>), ApiError> {
    let too_large = || ApiError::TooLarge(format!("the body is over {limit} bytes; {advice}"));
    let announced = header_text(request.headers(), header::CONTENT_LENGTH).parse::<usize>();
    if announced.is_ok_and(|length| length > limit) {
        return Err(too_large());
    }
    let mut reserved = ReservedBytes { budget: &app.bodies, bytes: 0 };
    let mut bytes = Vec::new();
    let (parts, body) = request.into_parts();
    let mut pieces = body.into_data_stream();
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(|_| ApiError::BadRequest("the body ended early; send it again".into()))?;
        if bytes.len() + piece.len() > limit {
            return Err(too_large());
        }
        reserved.grow(piece.len())?;
        bytes.extend_from_slice(&piece);
    }
    Ok((parts, bytes, reserved))
}

/// Reads the body for a service that reads it by itself, so that it counts with all others while it is there.
pub async fn count_body(State(app): State<App>, request: Request, next: Next) -> Result<Response, ApiError> {
    let limit = app.config.limits.body_bytes;
    let (parts, bytes, _reserved) = read_bytes(request, &app, limit, MAX_BODY_ADVICE).await?;
    Ok(next.run(Request::from_parts(parts, bytes.into())).await)
}

/// Reads a body that must be JSON.
async fn read_json<T: DeserializeOwned>(
    request: Request,
    app: &App,
    limit: usize,
    advice: &str,
) -> Result<T, ApiError> {
    let content_type = header_text(request.headers(), header::CONTENT_TYPE);
    let is_json = content_type
        .split(';')
        .next()
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"));
    if !is_json {
        return Err(ApiError::BadRequest("send JSON, with Content-Type: application/json".into()));
    }
    let (_, bytes, _reserved) = read_bytes(request, app, limit, advice).await?;
    serde_json::from_slice(&bytes).map_err(|error| {
        let place = format!("line {} column {}", error.line(), error.column());
        ApiError::BadRequest(match error.classify() {
            Category::Data => {
                format!("the body is not what /openapi.json describes: {}", describe_shape(&error))
            }
            _ => format!("the body is no JSON at {place}"),
        })
    })
}

/// What serde says about a wrong shape, without the value that was wrong: it may be part of a page.
fn describe_shape(error: &serde_json::Error) -> String {
    let said = error.to_string();
    match said.starts_with("missing field") || said.starts_with("duplicate field") {
        true => said,
        false => format!("a value of the wrong kind at line {} column {}", error.line(), error.column()),
    }
}

fn header_text(headers: &HeaderMap, name: header::HeaderName) -> &str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// Parameters after the question mark.
pub struct Parameters<T>(pub T);

impl<T: DeserializeOwned> FromRequestParts<App> for Parameters<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        match axum::extract::Query::<T>::from_request_parts(parts, app).await {
            Ok(query) => Ok(Self(query.0)),
            Err(error) => {
                // A missing name is told; a wrong value may be part of a page.
                let said = error.body_text();
                let missing = said.find("missing field").map(|at| &said[at..]);
                let what = missing.unwrap_or("check their names and values");
                Err(ApiError::BadRequest(format!(
                    "the parameters are not what /openapi.json describes: {what}"
                )))
            }
        }
    }
}

/// Whether the client wants lines as they come.
pub struct StreamPreference(pub bool);

impl FromRequestParts<App> for StreamPreference {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, ApiError> {
        let accepted = header_text(&parts.headers, header::ACCEPT);
        Ok(Self(accepted.split(',').any(|kind| {
            kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case(crate::stream::NDJSON))
        })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_back_can_be_taken_again() {
        let budget = BodyBudget::new(10);
        let mut first = ReservedBytes { budget: &budget, bytes: 0 };
        first.grow(6).unwrap();
        let mut second = ReservedBytes { budget: &budget, bytes: 0 };
        second.grow(4).unwrap();
        assert_eq!(second.grow(1).unwrap_err().status().1, "busy");
        drop(first);
        second.grow(6).unwrap();
        drop(second);
        assert_eq!(budget.used.load(Ordering::Relaxed), 0);
    }
}
