//! Lines of `findall store status`, `store top` and `store similar` with `--json`: one object a line, without a type, because
//! each verb writes one sort of line. What `store export` writes belongs to the store.

use serde::Serialize;

/// How much is remembered: `store status`.
#[derive(Debug, Serialize)]
pub struct StoreStatusLine<'e> {
    /// Answers there are.
    pub answers: u64,
    /// How often any question was asked.
    pub asked: u64,
    /// `sqlite` or `postgresql`.
    pub backend: &'static str,
    /// Its size.
    pub bytes: u64,
    /// Whether all of it was read and nothing is torn.
    pub checked: bool,
    /// A person's words about answers.
    pub corrections: u64,
    /// Version of the tables.
    pub layout: i64,
    /// Pages there are.
    pub pages: u64,
    /// File or server, without a password.
    pub place: &'e str,
    /// Questions there are.
    pub questions: u64,
    /// Whether more is remembered.
    pub remember: bool,
    /// Contents of the pages over time.
    pub versions: u64,
}

/// A question of a page: `store top`.
#[derive(Debug, Serialize)]
pub struct TopQuestionLine<'e> {
    /// Its answers as last known.
    pub answers: Vec<RememberedAnswerLine<'e>>,
    /// How often it was asked.
    pub count: u64,
    /// When last: milliseconds since 1970.
    pub last_asked: i64,
    /// As it was last asked.
    pub question: &'e str,
}

/// A question that asks something similar: `store similar`.
#[derive(Debug, Serialize)]
pub struct SimilarQuestionLine<'e> {
    /// Its answers as last known.
    pub answers: Vec<RememberedAnswerLine<'e>>,
    /// How often it was asked.
    pub count: u64,
    /// When last: milliseconds since 1970.
    pub last_asked: i64,
    /// How alike the two questions are, -1 to 1.
    pub likeness: f64,
    /// Where it was asked: an address, or the key of a file.
    pub page: &'e str,
    /// As it was last asked.
    pub question: &'e str,
    /// The title of the page, where it has one.
    pub title: Option<&'e str>,
}

/// An answer that is remembered: the words, and what stood around them.
#[derive(Debug, Serialize)]
pub struct RememberedAnswerLine<'e> {
    /// When it was said: milliseconds since 1970.
    pub at: i64,
    /// Probability that it is right.
    pub confidence: f64,
    /// As with the answers of `ask`: `remembered`, `person` or `llm`.
    pub origin: &'static str,
    /// What stands before it.
    pub prefix: &'e str,
    /// The words.
    pub quote: &'e str,
    /// Byte at which they stood.
    pub start: u64,
    /// What stands after it.
    pub suffix: &'e str,
}
