//! Questions to a text, and what the engine asks of a reader.

pub mod question;

use crate::encode::ModelError;
use crate::span::Span;

/// One possible answer in the passage that was read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// Where it stands, relative to the passage.
    pub span: Span,
    /// Probability that this span answers the question.
    pub confidence: f32,
}

/// What reading one passage gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// Answers, best first, not overlapping; empty when the passage does not answer.
    pub answers: Vec<Answer>,
    /// Probability that the passage holds no answer.
    pub no_answer: f32,
}

/// Reads passages for the answer to a question. Implemented in `findall-models`, faked in tests.
pub trait Reader: Send + Sync {
    /// Names the exact weights; part of every cache key.
    fn id(&self) -> &str;

    /// One reading a passage, in order. A passage may be of any length; the reader windows it.
    fn read(&self, question: &str, passages: &[&str]) -> Result<Vec<Reading>, ModelError>;
}
