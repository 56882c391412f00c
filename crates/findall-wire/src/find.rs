//! Find on the wire.

use serde::{Deserialize, Serialize};

use crate::{ErrorDetail, Offsets, WireCoverage, WireSpan};

/// What to look for. Exactly one of `document` and `text`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FindRequest {
    /// A document that is held.
    #[serde(default)]
    pub document: Option<String>,
    /// Or the text itself.
    #[serde(default)]
    pub text: Option<String>,
    /// What is looked for.
    pub query: String,
    /// What offsets count.
    #[serde(default)]
    pub offsets: Offsets,
    /// Lowest probability that counts, 0 to 1; without it the engine decides.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 1)))]
    pub threshold: Option<f32>,
    /// Only the so many best matches.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub top: Option<usize>,
    /// Whether every entity is to be listed with its score.
    #[serde(default)]
    pub all: bool,
    /// Only matches of these kinds.
    #[serde(default)]
    pub kinds: Option<Vec<WireKind>>,
    /// In which order matches come.
    #[serde(default)]
    pub order: WireOrder,
    /// Whether the encoder's first answer will do: at once, and more often wrong.
    #[serde(default)]
    pub fast: bool,
    /// Whether something is known to answer, so that the likeliest comes where nothing is sure; not with `threshold`.
    #[serde(default)]
    pub guess: bool,
}

/// How a match came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum WireKind {
    /// What stands there satisfies the query.
    Meaning,
    /// The query's own words.
    Exact,
    /// The query's words spelled otherwise.
    Fuzzy,
    /// A number or date of the kind asked for.
    Value,
}

/// The order of matches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum WireOrder {
    /// As they stand in the document.
    #[default]
    Document,
    /// Likeliest first.
    Score,
}

/// Everything that was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FindResponse {
    /// Every match.
    pub matches: Vec<WireMatch>,
    /// Matches beyond what one answer may hold.
    pub left_out: usize,
    /// Every entity with its score, likeliest first, when `all` was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entities: Option<Vec<WireEntityScore>>,
    /// What was searched for instead of what was typed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correction: Option<WireCorrection>,
    /// How complete the search was.
    pub coverage: WireCoverage,
    /// True when nothing here is meant.
    pub nothing: bool,
    /// False when this is a first answer that a judge may correct: ask again without `fast`.
    pub judged: bool,
    /// How long it took.
    pub took_ms: u64,
}

/// One place that the query means.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WireMatch {
    /// Where.
    pub span: WireSpan,
    /// What stands there.
    pub text: String,
    /// How it came about.
    pub kind: WireKind,
    /// How likely it is meant, 0 to 1.
    pub score: f32,
    /// What it names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entity: Option<WireEntity>,
    /// Why it is a match.
    pub why: String,
}

/// What a match names.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WireEntity {
    /// Its name.
    pub name: String,
    /// Its number in the knowledge base, if it is there.
    pub id: Option<String>,
    /// What is known about it; empty when nothing is.
    pub description: String,
    /// What the document itself says that it is; left out when it does not say.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub page: String,
}

/// An entity and its score.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WireEntityScore {
    /// Its name.
    pub name: String,
    /// Its number in the knowledge base, if it is there.
    pub id: Option<String>,
    /// Probability that it is meant.
    pub score: f32,
    /// Whether it is among the matches.
    pub accepted: bool,
    /// Where it is named.
    pub mentions: Vec<WireSpan>,
    /// What is known about it.
    pub fact: String,
}

/// A query that was taken otherwise than typed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WireCorrection {
    /// What was typed.
    pub from: String,
    /// What was searched for.
    pub to: String,
}

/// One line of a streamed search.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum FindEvent {
    /// A match in what has been read so far.
    Match(WireMatch),
    /// The last line when all went well: all matches of the whole document.
    End(FindResponse),
    /// The last line when it did not.
    Error {
        /// What happened.
        error: ErrorDetail,
    },
}
