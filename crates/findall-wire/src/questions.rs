//! Suggestions, remembered questions, corrections and privacy on the wire.

use serde::{Deserialize, Serialize};

use crate::{Offsets, WireOrigin, WireSpan};

/// What has been typed so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 50)))]
    pub limit: Option<usize>,
}

/// What may be meant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SuggestResponse {
    /// Best first.
    pub suggestions: Vec<Suggestion>,
}

/// One thing that may be meant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Suggestion {
    /// What to put in place of what was typed.
    pub text: String,
    /// What it is.
    pub kind: SuggestionKind,
}

/// What a suggestion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

/// Which page's questions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TopQuestionsQuery {
    /// The page's address; or that of `document`.
    #[serde(default)]
    pub url: Option<String>,
    /// A document that is held: answers then say where they stand in it.
    #[serde(default)]
    pub document: Option<String>,
    /// At most so many.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 50)))]
    pub limit: Option<usize>,
    /// What offsets count.
    #[serde(default)]
    pub offsets: Offsets,
}

/// Questions that were put to a page, the most asked first.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TopQuestionsResponse {
    /// The questions.
    pub questions: Vec<TopQuestion>,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TopQuestion {
    /// Its id.
    pub question_id: String,
    /// As it was last asked.
    pub text: String,
    /// How often it was asked.
    pub count: u64,
    /// When last, in milliseconds since 1970.
    pub last_asked: i64,
    /// Its answers, best first.
    pub answers: Vec<KnownAnswer>,
}

/// An answer that is remembered.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KnownAnswer {
    /// What it says.
    pub text: String,
    /// How sure it is.
    pub confidence: f32,
    /// Where it comes from.
    pub origin: WireOrigin,
    /// Where it stands in the document that was named, if it still does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span: Option<WireSpan>,
}

/// A question, to find others like it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SimilarQuery {
    /// The question.
    pub q: String,
    /// At most so many.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 50)))]
    pub limit: Option<usize>,
    /// The document one is on: its own page's questions are left out.
    #[serde(default)]
    pub document: Option<String>,
}

/// Questions to other pages that ask something similar.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SimilarResponse {
    /// Nearest first.
    pub questions: Vec<SimilarQuestion>,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SimilarQuestion {
    /// Its id.
    pub question_id: String,
    /// As it was last asked.
    pub text: String,
    /// How alike they are, 1 for the same.
    pub similarity: f32,
    /// Where it was asked.
    pub page: PageName,
    /// Its answers, best first.
    pub answers: Vec<KnownAnswer>,
}

/// A page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PageName {
    /// Its address.
    pub url: String,
    /// What it is called.
    pub title: Option<String>,
}

/// A person's word about an answer. `span` or `text` says which; a correction needs the right one.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FeedbackRequest {
    /// The document, held.
    pub document: String,
    /// The question.
    pub question_id: String,
    /// What the person says.
    pub verdict: WireVerdict,
    /// Where the answer stands.
    #[serde(default)]
    pub span: Option<WireSpan>,
    /// Or what it says.
    #[serde(default)]
    pub text: Option<String>,
    /// What offsets count.
    #[serde(default)]
    pub offsets: Offsets,
}

/// What a person says about an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum WireVerdict {
    /// This is no answer.
    Wrong,
    /// This is.
    Right,
    /// This is, and was not given.
    Correction,
}

/// It is done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DoneResponse {
    /// Always true.
    pub ok: bool,
}

/// What to forget: exactly one of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ForgetRequest {
    /// A page.
    #[serde(default)]
    pub url: Option<String>,
    /// A question, on every page.
    #[serde(default)]
    pub question_id: Option<String>,
    /// All pages, questions, answers and corrections, and the library in the cache.
    #[serde(default)]
    pub everything: bool,
}

/// What was forgotten.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ForgetResponse {
    /// Pages and questions.
    pub forgotten: u64,
    /// Documents that were taken out of the library.
    pub documents: u64,
}

/// What may be remembered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SettingsBody {
    /// Whether anything new is.
    pub remember: bool,
    /// Pages that never are, as globs over hosts (`*.bank.example`) or addresses (`example.org/private/*`).
    pub deny: Vec<String>,
}
