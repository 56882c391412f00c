//! What was asked before: how many such questions are given, and those of all pages that ask something similar.

use findall::encode::{Encoder, ModelError, TextKind};
use findall_store::{
    DEFAULT_SIMILAR_QUESTION_COSINE, SimilarQuestion, SimilarQuestionSearch, Store, StoreError, Vector,
};

/// Questions given when nobody says how many.
pub const DEFAULT_QUESTIONS: usize = 5;
/// The same where a person reads them on a screen.
pub const DEFAULT_SHOWN_QUESTIONS: usize = 10;
/// Most questions of one response.
pub const MAX_QUESTIONS: usize = 50;

/// A limit that a wish for questions does not keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be 1 to {MAX_QUESTIONS}")]
pub struct QuestionLimit;

/// How many questions a response gives; the default where nobody says.
pub fn check_question_limit(limit: Option<usize>) -> Result<usize, QuestionLimit> {
    match limit.unwrap_or(DEFAULT_QUESTIONS) {
        limit @ 1..=MAX_QUESTIONS => Ok(limit),
        _ => Err(QuestionLimit),
    }
}

/// What a question means to the encoder, for comparing it with others.
pub fn encode_question(encoder: &dyn Encoder, question: &str) -> Result<Vec<f32>, ModelError> {
    let encoded = encoder.encode(&[question], TextKind::Query)?;
    Ok(encoded.into_iter().next().map(|embedding| embedding.pooled).unwrap_or_default())
}

/// A question, and which others are wanted.
#[derive(Clone, Copy, Debug)]
pub struct SimilarQuestionsQuery<'a> {
    /// What is asked.
    pub vector: Vector<'a>,
    /// Lowest cosine of two questions that are similar, where somebody said so.
    pub threshold: Option<f32>,
    /// Questions given at most.
    pub limit: usize,
    /// The page one is on, whose questions are shown elsewhere.
    pub except_page: Option<&'a str>,
}

impl SimilarQuestionsQuery<'_> {
    /// Questions of all pages that have an answer there, the most similar first.
    pub fn find(&self, store: &dyn Store) -> Result<Vec<SimilarQuestion>, StoreError> {
        store.find_similar_questions(&SimilarQuestionSearch {
            vector: self.vector,
            threshold: self.threshold.unwrap_or(DEFAULT_SIMILAR_QUESTION_COSINE),
            limit: self.limit,
            except_page: self.except_page,
            answered: true,
        })
    }
}
