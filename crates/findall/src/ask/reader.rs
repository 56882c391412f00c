//! What the engine asks of a reader: a question and passages in, answer spans out, and how far they can be trusted.

use super::confidence::Confidence;
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

    /// As [`read`](Self::read), but every passage gives its best span, however unlikely: what choosing among many
    /// passages needs.
    fn read_all(&self, question: &str, passages: &[&str]) -> Result<Vec<Reading>, ModelError> {
        self.read(question, passages)
    }

    /// How what is known of an answer becomes the probability that it answers the document's reader; fitted when the
    /// reader was trained.
    fn confidence(&self) -> Confidence {
        Confidence::default()
    }
}
