//! Suggestions on the wire.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What has been typed so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct SuggestRequest {
    /// A document that is held.
    #[serde(default)]
    pub document: Option<String>,
    /// The page whose questions are suggested.
    #[serde(default)]
    pub url: Option<String>,
    /// What has been typed.
    pub prefix: String,
    /// At most so many.
    #[serde(default)]
    #[schemars(range(min = 1, max = 50))]
    pub limit: Option<usize>,
}

/// What may be meant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SuggestResponse {
    /// Best first.
    pub suggestions: Vec<Suggestion>,
}

/// One thing that may be meant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Suggestion {
    /// What to put in place of what was typed.
    pub text: String,
    /// What it is.
    pub kind: SuggestionKind,
}

/// What a suggestion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SuggestionKind {
    /// A question that was put to this page before.
    Question,
    /// Something that the page names.
    Entity,
    /// A heading of the page.
    Heading,
    /// What was typed, with a typing error mended.
    Correction,
}
