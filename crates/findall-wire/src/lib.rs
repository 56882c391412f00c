//! What travels: every request, answer and event, once, for the server, MCP, the engine inside a browser and the lines of
//! JSON that the command line prints ([`lines`]). Engine types become these in [`convert`]; the server's `/openapi.json` and
//! the extension's types are made from them.

mod ask;
mod base;
pub mod browser;
pub mod convert;
mod documents;
mod find;
mod like;
pub mod lines;
pub mod offsets;
mod questions;
mod tools;

pub use ask::*;
pub use base::*;
pub use documents::*;
pub use find::*;
pub use like::*;
pub use questions::*;
pub use tools::*;

use serde::{Deserialize, Serialize};

/// What offsets count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WireSpan {
    /// Where it begins.
    pub start: usize,
    /// Where it has ended.
    pub end: usize,
}

/// What every refusal looks like.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ErrorBody {
    /// What happened.
    pub error: ErrorDetail,
}

/// What happened and what to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ErrorDetail {
    /// A word for programs.
    pub code: String,
    /// One line for people.
    pub message: String,
}

/// A page or program that wants a token.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PairResponse {
    /// For `Authorization: Bearer TOKEN`.
    pub token: String,
}

/// Whether the server lives, or can answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StateResponse {
    /// `alive`, `loading` or `ready`.
    pub state: String,
    /// Which findall this is.
    pub version: String,
}
