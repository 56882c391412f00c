//! Ask: documents and a question enter; the spans that answer it leave, with their sentences and how sure they are, or the
//! statement that the text does not answer.
//!
//! ```text
//! question ─▶ spelling ─▶ passages by words and meaning ─▶ reader, batch by batch ─▶ merged, weighed ─▶ Answers
//!                         (passages, retrieval)           (reader)                  (choose, confidence, whole)
//! ```
//!
//! A question that wants a list (`listing`) is a query: find answers it, and its matches are the answers (`listed`).

mod answers;
mod asker;
mod choose;
mod confidence;
pub mod enumeration;
mod function_words;
mod kind;
mod larger;
mod listed;
mod listing;
mod name_bounds;
mod passages;
pub mod question;
mod reader;
mod wanted;
mod whole;

use serde::Deserialize;

use crate::encode::ModelError;
use crate::error::QueryError;

pub use answers::{Answers, Evidence, FoundAnswer, Outcome, Place, Reach};
pub use asker::check_question;
pub(crate) use asker::{AskWatcher, Asker};
pub use confidence::{Confidence, Signals};
pub use kind::QuestionKind;
pub use larger::{ask_larger, min_sure_confidence};
pub(crate) use listed::ListAnswers;
pub(crate) use listing::query_of as list_query_of;
pub use reader::{Answer, Reader, Reading};

const ASK_WORD_LISTS: &str = include_str!("words.txt");

/// Numbers of ask that were chosen on training questions (`models/tuning.json`).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AskTuning {
    /// A name beside an answer is one of several when the reader finds it nearly as likely, in log-odds.
    pub sibling_margin: f32,
    /// The reader's answers below this confidence are worth a second opinion.
    pub min_sure_confidence: f32,
    /// How sure an answer is when the endpoint does not say how likely its words were.
    pub unsaid_likelihood: f32,
    /// Cosine of two questions' embeddings from which they may ask the same.
    pub min_same_question_cosine: f32,
}

/// How to ask.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AskOptions {
    /// Most answers given.
    pub top: usize,
    /// Least confidence of an answer; the reader's own rule where none is given.
    pub threshold: Option<f32>,
    /// Most passages read. Texts with fewer are read whole.
    pub passages: usize,
    /// Sentences given as evidence.
    pub evidence: usize,
    /// Whether typing errors in the question are corrected.
    pub correct_typos: bool,
}

impl Default for AskOptions {
    fn default() -> Self {
        Self { top: 5, threshold: None, passages: 32, evidence: 3, correct_typos: true }
    }
}

/// How far a question has come.
#[derive(Clone, Copy, Debug)]
pub struct AskProgress<'a> {
    /// Passages read.
    pub read: usize,
    /// Passages there are.
    pub passages: usize,
    /// The surest answer so far, if it is sure enough to be given.
    pub best: Option<&'a FoundAnswer>,
}

/// Why a question could not be asked.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// The question cannot be read for.
    #[error(transparent)]
    Question(#[from] QueryError),
    /// A model failed.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The engine was made without a reader.
    #[error("no reader is loaded; install the models folder (findall doctor says where)")]
    NoReader,
}
