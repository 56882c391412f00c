//! Bodies and parameters on the way in: size and type are checked before anything is parsed, and what is wrong is said
//! without repeating what was sent.

use axum::body::to_bytes;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use serde::de::DeserializeOwned;
use serde_json::error::Category;

use crate::app::App;
use crate::error::ApiError;

/// A JSON body.
pub struct JsonBody<T>(pub T);

impl<T: DeserializeOwned> FromRequest<App> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Self, ApiError> {
        let limit = app.config.limits.body_bytes;
        let too_large = || {
            ApiError::TooLarge(format!(
                "the body is over {limit} bytes; send less, or raise the server's --max-body"
            ))
        };
        let content_type = header_text(request.headers(), header::CONTENT_TYPE);
        let is_json = content_type
            .split(';')
            .next()
            .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"));
        if !is_json {
            return Err(ApiError::BadRequest("send JSON, with Content-Type: application/json".into()));
        }
        let announced = header_text(request.headers(), header::CONTENT_LENGTH).parse::<usize>();
        if announced.is_ok_and(|length| length > limit) {
            return Err(too_large());
        }
        let bytes = to_bytes(request.into_body(), limit).await.map_err(|error| {
            // A body that ends early reads the same as one that is too long; the limit tells them apart.
            match std::error::Error::source(&error)
                .is_some_and(|source| source.to_string().contains("length limit"))
            {
                true => too_large(),
                false => ApiError::BadRequest("the body ended early; send it again".into()),
            }
        })?;
        serde_json::from_slice(&bytes).map(JsonBody).map_err(|error| {
            let place = format!("line {} column {}", error.line(), error.column());
            ApiError::BadRequest(match error.classify() {
                Category::Data => {
                    format!("the body is not what /openapi.json describes: {}", shape_only(&error))
                }
                _ => format!("the body is no JSON at {place}"),
            })
        })
    }
}

/// What serde says about a wrong shape, without the value that was wrong: it may be part of a page.
fn shape_only(error: &serde_json::Error) -> String {
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
pub struct WantsLines(pub bool);

impl FromRequestParts<App> for WantsLines {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, ApiError> {
        let accepted = header_text(&parts.headers, header::ACCEPT);
        Ok(Self(accepted.split(',').any(|kind| {
            kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case(crate::stream::NDJSON))
        })))
    }
}
