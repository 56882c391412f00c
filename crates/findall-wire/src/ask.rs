//! Ask on the wire.

use serde::{Deserialize, Serialize};

use crate::{ErrorDetail, Offsets, WireCorrection, WireSpan};

/// A question to a document. Exactly one of `document` and `text`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AskRequest {
    /// A document that is held.
    #[serde(default)]
    pub document: Option<String>,
    /// Or the text itself.
    #[serde(default)]
    pub text: Option<String>,
    /// What is asked.
    pub question: String,
    /// Where the page is from, when it is not what `/v1/documents` was told.
    #[serde(default)]
    pub url: Option<String>,
    /// What offsets count.
    #[serde(default)]
    pub offsets: Offsets,
    /// Least confidence of an answer, 0 to 1; without it the reader decides.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 1)))]
    pub threshold: Option<f32>,
    /// At most so many answers; without it five, and a list whole.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 100)))]
    pub top: Option<usize>,
    /// Whether to read again what is remembered.
    #[serde(default)]
    pub fresh: bool,
    /// Whether the question and the likeliest passages may be sent to the larger model that the server was started with,
    /// when the reader is not sure; a server without one reads alone.
    #[serde(default)]
    pub allow_llm: bool,
}

/// What came of a question.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AskResponse {
    /// How it ended.
    pub outcome: WireOutcome,
    /// What a person should know about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Best first.
    pub answers: Vec<WireAnswer>,
    /// Sentences nearest to the question, best first: for questions that no span can answer.
    pub evidence: Vec<WireQuote>,
    /// Under which the question is remembered; absent when it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question_id: Option<String>,
    /// The remembered question whose answers these are, when it was put in other words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub similar_question: Option<String>,
    /// What was read for instead of what was typed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correction: Option<WireCorrection>,
    /// How much was read; absent when the answers were remembered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read: Option<WireReach>,
    /// What of the document could not be read, so that an answer may stand there: scanned pages, fonts without a text map.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unread: Option<String>,
    /// How long it took.
    pub took_ms: u64,
}

/// How asking ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WireOutcome {
    /// There are answers.
    Answered,
    /// Nothing is sure enough to be called an answer; the one in `answers` is a guess.
    Guessed,
    /// The page does not answer.
    NotHere,
    /// A question of yes or no, or of a number that the page does not state: `message` and `evidence` say more.
    Cannot,
}

/// Where an answer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum WireOrigin {
    /// The same question was asked of this page before.
    Remembered,
    /// The same question in other words was.
    Similar,
    /// The reader, now.
    Reader,
    /// A person said so.
    Person,
    /// A larger model.
    Llm,
}

/// One answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WireAnswer {
    /// Where it stands.
    pub span: WireSpan,
    /// What stands there.
    pub text: String,
    /// Probability that it is right.
    pub confidence: f32,
    /// Where it comes from.
    pub origin: WireOrigin,
    /// The sentence that says so.
    pub sentence: WireQuote,
    /// The items, where the answer enumerates several things.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<WireQuote>,
    /// Other places with the same answer: all of them where a list was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<WireSpan>,
}

/// A stretch of the text, and what stands there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WireQuote {
    /// Where.
    pub span: WireSpan,
    /// What.
    pub text: String,
}

/// How much was read for a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WireReach {
    /// Passages there are; all were weighed by their words.
    pub passages: usize,
    /// Passages that the reader read.
    pub read: usize,
    /// Share of the text that they are, in percent.
    pub percent: u8,
}

/// One line of a streamed answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum AskEvent {
    /// The surest answer so far, when it has changed.
    Answer {
        /// The answer.
        answer: WireAnswer,
        /// Since the question came.
        took_ms: u64,
    },
    /// The last line when all went well.
    End(AskResponse),
    /// The last line when it did not.
    Error {
        /// What happened.
        error: ErrorDetail,
    },
}
