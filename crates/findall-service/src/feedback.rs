//! A person's word about answers: which words of a page answer a question, or do not. What they stand for is kept beside
//! what is remembered of the page, and holds from the next question on.

use findall::Span;
use findall::ask::question::normalise;
use findall::document::Document;
use findall_store::{
    Feedback, Page, Question, Refusal, Selector, Store, StoreError, Vector, Verdict, WriteOutcome, now,
};

/// What a person says about an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerVerdict {
    /// It answers the question.
    Right,
    /// It does not.
    Wrong,
}

/// Why a person's word was not kept.
#[derive(Debug, thiserror::Error)]
pub enum FeedbackError {
    /// The span holds no words, or the words stand nowhere.
    #[error("nothing readable stands there")]
    Unreadable,
    /// The settings forbid it.
    #[error("{0}")]
    Refused(Refusal),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A question to a page, about whose answers a person says something.
#[derive(Clone, Copy)]
pub struct AnsweredQuestion<'a> {
    /// Where it is kept.
    pub store: &'a dyn Store,
    /// The page's key there.
    pub key: &'a str,
    /// The page's title.
    pub title: Option<&'a str>,
    /// The page.
    pub document: &'a Document,
    /// As typed.
    pub question: &'a str,
    /// What it means; without it the word holds for this wording only.
    pub vector: Option<Vector<'a>>,
}

impl AnsweredQuestion<'_> {
    /// Where the words stand: nearest to a byte where one is named, else where they were given as an answer, else first.
    pub fn locate(&self, words: &str, near: Option<usize>) -> Result<Span, FeedbackError> {
        let words = words.trim();
        let known = if near.is_none() { self.find_known_answers()? } else { Vec::new() };
        let given = known.into_iter().find(|known| known.quote.trim() == words);
        let start = near.unwrap_or_default() as u64;
        let bare = || Selector { quote: words.to_owned(), start, ..Selector::default() };
        given.unwrap_or_else(bare).find(self.document.text()).ok_or(FeedbackError::Unreadable)
    }

    /// Where the answers stand that are remembered, whoever read for them.
    fn find_known_answers(&self) -> Result<Vec<Selector>, StoreError> {
        let known = self.store.recall_exact(&self.page(), &normalise(self.question), None)?;
        Ok(known.into_iter().flat_map(|known| known.answers).map(|answer| answer.selector).collect())
    }

    /// Keeps what a person says about the words at this place.
    pub fn record(&self, span: Span, verdict: AnswerVerdict) -> Result<(), FeedbackError> {
        let text = self.document.text();
        let selector = Selector::of(text, span).ok_or(FeedbackError::Unreadable)?;
        let sentence = self.document.sentence_at(span.start).and_then(|sentence| sentence.slice(text));
        let recorded = self.store.record_feedback(&Feedback {
            page: self.page(),
            question: Question { text: self.question, normalised: &normalise(self.question) },
            vector: self.vector,
            verdict: match verdict {
                AnswerVerdict::Right => Verdict::Right(selector),
                AnswerVerdict::Wrong => Verdict::Wrong(selector),
            },
            passage: sentence.unwrap_or_default(),
            at: now(),
        });
        match recorded? {
            WriteOutcome::Kept(_) => Ok(()),
            WriteOutcome::Refused(why) => Err(FeedbackError::Refused(why)),
        }
    }

    fn page(&self) -> Page<'_> {
        Page { key: self.key, title: self.title, content: self.document.content_hash() }
    }
}
