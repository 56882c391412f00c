//! What asking gives: answers with their places, how sure they are, and how much was read.

use super::confidence::Signals;
use super::kind::QuestionKind;
use crate::find::QueryCorrection;
use crate::span::Span;

/// A stretch of one of the documents that were asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// Which document, by its number; 0 where one was asked.
    pub document: usize,
    /// Where in its text.
    pub span: Span,
}

/// What asking gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Answers {
    /// The question that was read for, after corrections.
    pub question: String,
    /// Words of it that were taken for typing errors.
    pub corrections: Vec<QueryCorrection>,
    /// What kind of answer it wants.
    pub kind: QuestionKind,
    /// How it ended.
    pub outcome: Outcome,
    /// Answers, likeliest first, no two in the same place or with the same words. With [`Outcome::Counted`] the things
    /// that were to be counted, with [`Outcome::Guessed`] the one guess.
    pub answers: Vec<FoundAnswer>,
    /// The sentences nearest to the question, best first.
    pub evidence: Vec<Evidence>,
    /// Everything that the reader proposed, likeliest first, whether or not it is sure enough.
    pub ranking: Vec<FoundAnswer>,
    /// The passages that were read, in that order.
    pub read: Vec<Place>,
    /// How much was read.
    pub coverage: Reach,
}

/// How asking ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// There are answers.
    Answered,
    /// Nothing is sure enough to be called an answer; the likeliest is given as a guess.
    Guessed,
    /// The text does not answer.
    NotAnsweredHere,
    /// A question of yes or no: the evidence speaks, a reader that marks words cannot.
    YesOrNo,
    /// A number was asked for that the text does not state; the answers are the things found to count, if any.
    Counted,
}

impl Outcome {
    /// The word that programs see.
    pub fn name(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::Guessed => "guessed",
            Self::NotAnsweredHere => "not-answered-here",
            Self::YesOrNo => "yes-or-no",
            Self::Counted => "counted",
        }
    }
}

/// One answer.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundAnswer {
    /// Where it stands.
    pub place: Place,
    /// The sentence that says so.
    pub sentence: Span,
    /// The passage that was read.
    pub passage: Span,
    /// Probability that it is right; never more than that of an answer before it.
    pub confidence: f32,
    /// What put it before or behind the others; good for comparing only.
    pub order: f32,
    /// What that probability was made from.
    pub signals: Signals,
    /// Other places where the reader found the same words.
    pub also: Vec<Place>,
}

impl FoundAnswer {
    /// The same answer with these words; its sentence holds them.
    pub(super) fn widen(&mut self, span: Span) {
        self.place.span = span;
        self.sentence = Span::new(self.sentence.start.min(span.start), self.sentence.end.max(span.end));
    }
}

/// A sentence that bears on the question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evidence {
    /// Where it stands.
    pub place: Place,
    /// The passage around it.
    pub passage: Span,
    /// Probability, as the encoder sees it, that it is what was asked for; the share of the question's words that it has
    /// where the encoder did not look, because all was read.
    pub score: f32,
}

/// How much of the documents was read for a question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// Passages there are. All were weighed by their words.
    pub passages: usize,
    /// Passages that the reader read.
    pub read: usize,
    /// Bytes of text there are.
    pub bytes: usize,
    /// Bytes that the reader read.
    pub bytes_read: usize,
    /// True when it was stopped before the end.
    pub stopped: bool,
}

impl std::fmt::Display for Reach {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let share = match self.bytes {
            0 => 100,
            bytes => 100 * self.bytes_read as u64 / bytes as u64,
        };
        match (self.read, self.passages) {
            (_, 0) => f.write_str("there is nothing to read")?,
            (1, 1) => f.write_str("read it all")?,
            (read, all) if read == all => write!(f, "read all {all} passages")?,
            (read, all) => write!(
                f,
                "read the {read} likeliest of {all} passages, {share} % of the text; all were weighed by their words"
            )?,
        }
        if self.stopped {
            f.write_str("; stopped before the end")?;
        }
        Ok(())
    }
}
