//! Lines of `findall ask --json`: `begin`, `reading` after each batch with the surest answer so far, then `answer` and
//! `evidence`, best first, and `end` with the outcome.

use std::borrow::Cow;

use serde::Serialize;

use super::{PlaceLine, TextLine};
use crate::WireCorrection;

/// One line.
#[derive(Debug, Serialize)]
#[serde(tag = "type", content = "data", rename_all = "lowercase")]
pub enum AskLine<'e> {
    /// The first.
    Begin {
        /// As it was asked.
        question: &'e str,
        /// How many documents are read.
        documents: usize,
    },
    /// After a batch.
    Reading {
        /// Passages that were read.
        read: usize,
        /// Passages there are.
        passages: usize,
        /// The surest answer so far.
        best: Option<SurestLine<'e>>,
    },
    /// An answer, best first.
    Answer(Box<AnswerLine<'e>>),
    /// A sentence that is near to the question, best first.
    Evidence(Box<EvidenceLine<'e>>),
    /// The last.
    End(AskEndLine<'e>),
}

/// The surest answer so far.
#[derive(Debug, Serialize)]
pub struct SurestLine<'e> {
    /// What it is.
    pub text: &'e str,
    /// Probability that it is right.
    pub confidence: f32,
}

/// An answer.
#[derive(Debug, Serialize)]
pub struct AnswerLine<'e> {
    /// The file.
    pub path: Cow<'e, str>,
    /// What it is.
    pub text: &'e str,
    /// Probability that it is right.
    pub confidence: f32,
    /// `reader`, `remembered`, `similar`, `person` or `llm`.
    pub origin: &'static str,
    /// Where it stands.
    #[serde(flatten)]
    pub place: PlaceLine<'e>,
    /// The sentence that says so.
    pub sentence: TextLine<'e>,
    /// The passage that was read.
    pub passage: TextLine<'e>,
    /// What the confidence was made from; where it was read now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signals: Option<SignalsLine>,
    /// The items, where the answer enumerates several things.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<TextLine<'e>>,
    /// Other places with the same words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<AlsoLine<'e>>,
}

/// A sentence near to the question.
#[derive(Debug, Serialize)]
pub struct EvidenceLine<'e> {
    /// The file.
    pub path: Cow<'e, str>,
    /// What it says.
    pub text: &'e str,
    /// How near it is.
    pub score: f32,
    /// Where it stands.
    #[serde(flatten)]
    pub place: PlaceLine<'e>,
}

/// Another place with the same words.
#[derive(Debug, Serialize)]
pub struct AlsoLine<'e> {
    /// The file.
    pub path: Cow<'e, str>,
    /// Where it stands.
    #[serde(flatten)]
    pub place: PlaceLine<'e>,
}

/// What a confidence was made from.
#[derive(Debug, Serialize)]
pub struct SignalsLine {
    /// Log-odds of the reader.
    pub reader: f32,
    /// The same, when only the sentences around it were read.
    pub again: f32,
    /// Share of the question's words that the passage has.
    pub words: f32,
    /// The same for the sentences around it.
    pub near_words: f32,
}

/// How asking ended.
#[derive(Debug, Serialize)]
pub struct AskEndLine<'e> {
    /// `answered`, `guessed`, `not-answered-here`, `yes-or-no` or `counted`.
    pub outcome: &'static str,
    /// The question that was read for, after corrections.
    pub question: &'e str,
    /// What sort of question it is.
    pub kind: &'static str,
    /// Words that were read as others.
    pub corrections: Vec<WireCorrection>,
    /// How many answers there are.
    pub answers: usize,
    /// Where all of it came from, as with answers.
    pub origin: &'static str,
    /// The other wording under which it was remembered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub similar_question: Option<&'e str>,
    /// How much was read.
    pub coverage: ReachLine,
    /// Files that could not be read.
    pub failed: u64,
    /// Files that were not read.
    pub left_out: u64,
    /// When the first answer was there.
    pub first_answer_ms: Option<u64>,
    /// How long it took.
    pub elapsed_ms: u64,
}

/// How much was read for a question.
#[derive(Debug, Serialize)]
pub struct ReachLine {
    /// Passages there are.
    pub passages: usize,
    /// Passages that were read.
    pub read: usize,
    /// Bytes there are.
    pub bytes: usize,
    /// Bytes that were read.
    pub bytes_read: usize,
    /// Whether somebody stopped it.
    pub stopped: bool,
}
