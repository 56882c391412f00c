//! What goes into a store and what comes out of it. All borrowed on the way in, all owned on the way out.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use findall::Span;
use findall::quote::Quote;

use crate::error::StoreError;
use crate::page::{Page, file_key};
use crate::settings::Pattern;

/// Length of every vector in a store: that of the shipped encoder.
pub const DIMENSIONS: usize = 384;

/// A question as asked and in the form by which it is recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question<'a> {
    /// As a person typed it.
    pub text: &'a str,
    /// Without case, punctuation and spaces that do not matter.
    pub normalised: &'a str,
}

/// What a question means, as one encoder sees it. Vectors of different encoders are never compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vector<'a> {
    /// The exact weights that made it.
    pub encoder: &'a str,
    /// [`DIMENSIONS`] values; the store keeps their direction.
    pub values: &'a [f32],
}

impl Vector<'_> {
    /// The direction: the same vector with length 1.
    pub(crate) fn direction(&self) -> Result<Vec<f32>, StoreError> {
        let length = self.values.iter().map(|value| value * value).sum::<f32>().sqrt();
        let usable = self.values.len() == DIMENSIONS && length.is_finite() && length > 0.0;
        if !usable {
            return Err(StoreError::Vector { expected: DIMENSIONS, found: self.values.len() });
        }
        Ok(self.values.iter().map(|value| value / length).collect())
    }
}

/// Where a piece of text stands, told by its words and those around it, so that it is found again after an edit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Selector {
    /// The words themselves.
    pub quote: String,
    /// What stands before them.
    pub prefix: String,
    /// What stands after them.
    pub suffix: String,
    /// Byte at which they stood in the text they were taken from.
    pub start: u64,
}

impl Selector {
    /// The selector of a place; `None` when nothing readable stands there.
    pub fn of(text: &str, span: Span) -> Option<Self> {
        let Quote { exact: quote, prefix, suffix } = Quote::of(text, span)?;
        Some(Self { quote, prefix, suffix, start: span.start as u64 })
    }

    /// Where it stands now, in a text that may have been edited.
    pub fn find(&self, text: &str) -> Option<Span> {
        let Self { quote, prefix, suffix, start } = self.clone();
        let found = Quote { exact: quote, prefix, suffix }.find(text, usize::try_from(start).ok())?;
        Some(found.span)
    }

    /// True when both mean the same place: the same words, with the same words on at least one side.
    pub fn same_place(&self, other: &Self) -> bool {
        let near = |a: &str, b: &str| a.trim() == b.trim();
        self.quote == other.quote && (near(&self.prefix, &other.prefix) || near(&self.suffix, &other.suffix))
    }
}

/// Who says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The reader.
    Reader,
    /// A person, by correcting.
    Person,
    /// A larger model that the person allowed.
    Larger,
}

impl Origin {
    /// As stores and exports spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reader => "reader",
            Self::Person => "person",
            Self::Larger => "larger model",
        }
    }

    /// The other way.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Reader, Self::Person, Self::Larger].into_iter().find(|origin| origin.name() == name)
    }
}

/// One answer and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Where.
    pub selector: Selector,
    /// Probability that it answers the question.
    pub confidence: f32,
    /// Who says so.
    pub origin: Origin,
    /// When it was said: milliseconds since 1970.
    pub at: i64,
}

/// What a model made of one question on one content: its answers, or that there is none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// Best first; empty when the page does not answer.
    pub answers: Vec<(Selector, f32)>,
    /// Probability that the page does not answer.
    pub no_answer: f32,
    /// The exact weights that read; another model's reading is not this one's.
    pub model: String,
    /// True when it was a larger model and not the reader.
    pub larger: bool,
    /// True when nothing was sure enough, and the answer is a guess.
    pub guessed: bool,
}

/// A question that was asked, and what came of it.
#[derive(Clone, Debug)]
pub struct QuestionRecord<'a> {
    /// Of which page.
    pub page: Page<'a>,
    /// What.
    pub question: Question<'a>,
    /// What it means; without it the question is not found by meaning.
    pub vector: Option<Vector<'a>>,
    /// What was read; `None` when the answer came from the store and only the asking counts.
    pub reading: Option<Reading>,
    /// When: milliseconds since 1970.
    pub at: i64,
}

/// What became of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteOutcome {
    /// It will be there after a crash; the number names the question in this store.
    Kept(i64),
    /// Nothing was written.
    Refused(Refusal),
}

/// Why nothing was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Remembering is off.
    Off,
    /// The page matches a pattern that forbids it.
    Denied,
    /// The store is shared, and the page matches no pattern that allows sharing.
    NotShared,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Off => "remembering is off",
            Self::Denied => "the settings say that this page is never remembered",
            Self::NotShared => "the store is shared, and the settings do not say that this page may be",
        })
    }
}

/// What a store knows about a question on a page.
#[derive(Clone, Debug, PartialEq)]
pub struct RememberedAnswers {
    /// The question in this store.
    pub question: i64,
    /// As it was last asked.
    pub text: String,
    /// What to show: what persons said, else what was read, less what persons rejected. Empty: the page does not answer.
    pub answers: Vec<Answer>,
    /// Probability that the page does not answer, as the reading gave it.
    pub no_answer: f32,
    /// True when the answers are a guess.
    pub guessed: bool,
}

/// A remembered question and how close it is to the one asked.
#[derive(Clone, Debug, PartialEq)]
pub struct NearQuestion {
    /// Cosine, 1 for the same direction.
    pub likeness: f32,
    /// What is known.
    pub remembered: RememberedAnswers,
}

/// What persons said about a question on a page, the latest word for each place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Corrections {
    /// The right spans, and when it was said.
    pub right: Vec<(Selector, i64)>,
    /// Spans that are no answer.
    pub wrong: Vec<Selector>,
}

impl Corrections {
    /// One more word, later than all before: it replaces what was said about the same place.
    pub(crate) fn take(&mut self, verdict: Verdict, at: i64) {
        let (Verdict::Right(place) | Verdict::Wrong(place)) = &verdict;
        self.wrong.retain(|wrong| !wrong.same_place(place));
        self.right.retain(|(right, _)| !right.same_place(place));
        match verdict {
            Verdict::Right(place) => self.right.push((place, at)),
            Verdict::Wrong(place) => self.wrong.push(place),
        }
    }

    /// True when a person said that this place is no answer.
    pub fn rejects(&self, selector: &Selector) -> bool {
        self.wrong.iter().any(|wrong| wrong.same_place(selector))
    }

    /// The same of a place in a text.
    pub fn rejects_at(&self, text: &str, span: Span) -> bool {
        !self.wrong.is_empty() && Selector::of(text, span).is_some_and(|selector| self.rejects(&selector))
    }
}

/// A person's word about an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// This is no answer.
    Wrong(Selector),
    /// This is.
    Right(Selector),
}

/// A correction.
#[derive(Clone, Debug)]
pub struct Feedback<'a> {
    /// Of which page, as it was when the person looked.
    pub page: Page<'a>,
    /// To which question.
    pub question: Question<'a>,
    /// What it means, when known.
    pub vector: Option<Vector<'a>>,
    /// The person's word.
    pub verdict: Verdict,
    /// Text around the span, to learn from; empty when only the selector may be kept.
    pub passage: &'a str,
    /// When: milliseconds since 1970.
    pub at: i64,
}

/// A question of a page and how often it was asked.
#[derive(Clone, Debug, PartialEq)]
pub struct TopQuestion {
    /// The question in this store.
    pub id: i64,
    /// As it was last asked.
    pub text: String,
    /// How often, over all sources.
    pub count: u64,
    /// When last.
    pub last_asked: i64,
    /// Its answers as last known.
    pub answers: Vec<Answer>,
}

/// Cosine from which two questions are about the same, where nobody says otherwise: they are shown beside one another, and
/// neither answers for the other.
pub const DEFAULT_SIMILAR_QUESTION_COSINE: f32 = 0.7;

/// What to look for across pages.
#[derive(Clone, Copy, Debug)]
pub struct SimilarQuestionSearch<'a> {
    /// What is asked.
    pub vector: Vector<'a>,
    /// Lowest cosine that still counts.
    pub threshold: f32,
    /// At most so many.
    pub limit: usize,
    /// The page one is on, whose questions are shown elsewhere.
    pub except_page: Option<&'a str>,
    /// Only questions that have an answer.
    pub answered: bool,
}

/// A similar question, its page and its answers.
#[derive(Clone, Debug, PartialEq)]
pub struct SimilarQuestion {
    /// Cosine.
    pub likeness: f32,
    /// The question.
    pub question: TopQuestion,
    /// Where it was asked.
    pub page_key: String,
    /// The page's title, when it has one.
    pub page_title: Option<String>,
}

/// What to forget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForgetTarget<'a> {
    /// Pages: a key, or a glob over keys.
    Pages(&'a str),
    /// A question in normalised form, on one page or on all.
    Question {
        /// Normalised.
        normalised: &'a str,
        /// On this page only.
        page: Option<&'a str>,
    },
    /// All pages, questions, answers and corrections; settings stay.
    Everything,
}

impl ForgetTarget<'_> {
    /// Which of these files it concerns, by their places in the list: the file of that name, or every file that the glob
    /// matches.
    pub fn files(&self, paths: &[&str]) -> Vec<usize> {
        let page = match self {
            Self::Everything => return (0..paths.len()).collect(),
            Self::Question { .. } => return Vec::new(),
            Self::Pages(page) => *page,
        };
        let is_named = |path: &Path| {
            let whole = path.canonicalize();
            file_key(path) == page || whole.is_ok_and(|whole| file_key(&whole) == page)
        };
        let places = |fits: &dyn Fn(&Path) -> bool| -> Vec<usize> {
            (0..paths.len()).filter(|&at| fits(Path::new(paths[at]))).collect()
        };
        match (places(&is_named), Pattern::new(page)) {
            (named, Ok(pattern)) if named.is_empty() => places(&|path| pattern.matches(&file_key(path))),
            (named, _) => named,
        }
    }
}

/// What was forgotten.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ForgetReport {
    /// Pages gone.
    pub pages: u64,
    /// Questions gone.
    pub questions: u64,
    /// False when another process still holds the old pages of the file; they are overwritten when it ends.
    pub wiped: bool,
}

/// How much is remembered, and where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// `sqlite` or `postgresql`.
    pub backend: &'static str,
    /// File or server, without a password.
    pub place: String,
    /// Layout.
    pub layout: i64,
    /// Pages.
    pub pages: u64,
    /// Contents of those pages over time.
    pub versions: u64,
    /// Questions.
    pub questions: u64,
    /// How often any was asked.
    pub asked: u64,
    /// Answers.
    pub answers: u64,
    /// Corrections.
    pub corrections: u64,
    /// Size in bytes.
    pub bytes: u64,
}

/// Milliseconds since 1970, now.
pub fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
