//! What travels: the bodies of requests and answers, and nothing else. Engine types become these at the edge;
//! `/openapi.json` is made from them.

mod ask;
mod base;
mod documents;
mod find;
mod like;
mod questions;

pub use ask::*;
pub use base::*;
pub use documents::*;
pub use find::*;
pub use like::*;
pub use questions::*;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What offsets count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Offsets {
    /// Unicode characters.
    #[default]
    Chars,
    /// UTF-16 units, as JavaScript counts.
    Utf16,
    /// Bytes of UTF-8.
    Bytes,
}

/// A stretch of a document's text: from `start` up to but not including `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WireSpan {
    /// Where it begins.
    pub start: usize,
    /// Where it has ended.
    pub end: usize,
}

/// What every refusal looks like.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorBody {
    /// What happened.
    pub error: ErrorDetail,
}

/// What happened and what to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorDetail {
    /// A word for programs.
    pub code: String,
    /// One line for people.
    pub message: String,
}

/// A page or program that wants a token.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct PairRequest {
    /// The one-time code that `findall serve` printed.
    pub code: String,
    /// The extension's origin; left out by programs that are no browser.
    #[serde(default)]
    pub origin: Option<String>,
    /// What to call it in the list of what is paired.
    #[serde(default)]
    pub name: Option<String>,
}

/// The token, shown this once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PairResponse {
    /// For `Authorization: Bearer TOKEN`.
    pub token: String,
}

/// Whether the server lives, or can answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StateResponse {
    /// `alive`, `loading` or `ready`.
    pub state: String,
    /// Which findall this is.
    pub version: String,
}
