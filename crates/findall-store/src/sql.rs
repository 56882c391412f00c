//! The little SQL that both databases share: parameters in, rows out, the three things about vectors that each does its
//! own way, and counting, which a server does in one statement. Statements are written once, in [`crate::ops`], with `$1, $2…` in the order of first use.

use crate::error::StoreError;
use crate::model::Question;
use crate::ops::record::COUNT_ON_CONFLICT;

/// A value on its way into a statement.
#[derive(Clone, Copy, Debug)]
pub enum Param<'a> {
    /// Nothing.
    Null,
    /// A whole number.
    Int(i64),
    /// A number.
    Real(f64),
    /// Words.
    Text(&'a str),
}

impl From<i64> for Param<'_> {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<u64> for Param<'_> {
    fn from(value: u64) -> Self {
        Self::Int(i64::try_from(value).unwrap_or(i64::MAX))
    }
}

impl From<f32> for Param<'_> {
    fn from(value: f32) -> Self {
        Self::Real(value.into())
    }
}

impl<'a> From<&'a str> for Param<'a> {
    fn from(value: &'a str) -> Self {
        Self::Text(value)
    }
}

impl<'a> From<Option<&'a str>> for Param<'a> {
    fn from(value: Option<&'a str>) -> Self {
        value.map_or(Self::Null, Self::Text)
    }
}

/// The parameters of a statement, whatever their types.
macro_rules! params {
    ($($value:expr),* $(,)?) => { &[$($crate::sql::Param::from($value)),*] };
}
pub(crate) use params;

/// A value on its way out.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Nothing.
    Null,
    /// A whole number.
    Int(i64),
    /// A number.
    Real(f64),
    /// Words.
    Text(String),
    /// A vector of length 1.
    Vector(Vec<f32>),
}

/// One row. Asking for another type than the column has is a damaged store.
#[derive(Debug)]
pub struct Row(pub Vec<Cell>);

impl Row {
    pub(crate) fn int(&self, column: usize) -> Result<i64, StoreError> {
        match self.0.get(column) {
            Some(Cell::Int(value)) => Ok(*value),
            other => Err(describe_wrong_cell(column, other)),
        }
    }

    pub(crate) fn count(&self, column: usize) -> Result<u64, StoreError> {
        Ok(u64::try_from(self.int(column)?).unwrap_or(0))
    }

    pub(crate) fn real(&self, column: usize) -> Result<f32, StoreError> {
        match self.0.get(column) {
            Some(Cell::Real(value)) => Ok(*value as f32),
            other => Err(describe_wrong_cell(column, other)),
        }
    }

    pub(crate) fn text(&self, column: usize) -> Result<String, StoreError> {
        self.optional_text(column)?.ok_or_else(|| describe_wrong_cell(column, Some(&Cell::Null)))
    }

    pub(crate) fn optional_text(&self, column: usize) -> Result<Option<String>, StoreError> {
        match self.0.get(column) {
            Some(Cell::Text(text)) => Ok(Some(text.clone())),
            Some(Cell::Null) => Ok(None),
            other => Err(describe_wrong_cell(column, other)),
        }
    }

    pub(crate) fn is_text(&self, column: usize, text: &str) -> bool {
        matches!(self.0.get(column), Some(Cell::Text(found)) if found == text)
    }

    pub(crate) fn vector(&self, column: usize) -> Result<Vec<f32>, StoreError> {
        match self.0.get(column) {
            Some(Cell::Vector(values)) => Ok(values.clone()),
            other => Err(describe_wrong_cell(column, other)),
        }
    }
}

fn describe_wrong_cell(column: usize, cell: Option<&Cell>) -> StoreError {
    let what = match cell {
        None => "no value",
        Some(Cell::Null) => "nothing",
        Some(Cell::Int(_) | Cell::Real(_)) => "a number",
        Some(Cell::Text(_)) => "words",
        Some(Cell::Vector(_)) => "a vector",
    };
    StoreError::Damaged { place: "the store".into(), reason: format!("column {column} holds {what}") }
}

/// The nearest questions of all pages.
#[derive(Clone, Copy, Debug)]
pub struct VectorSearch<'a> {
    /// Which encoder's vectors.
    pub encoder: &'a str,
    /// A vector of length 1.
    pub direction: &'a [f32],
    /// At most so many.
    pub limit: usize,
    /// Lowest cosine.
    pub threshold: f32,
    /// Not of this page.
    pub except_page: Option<i64>,
    /// Only questions that have an answer.
    pub answered: bool,
}

/// A question and its cosine.
pub type QuestionLikeness = (i64, f32);

/// A question has an answer when a model gave one (a guess is none) or a person did; `q` is the question in the outer
/// statement. Written as scalar subqueries, which PostgreSQL runs for the few rows in question and never for all of them beforehand.
pub const ANSWER_CONDITION: &str = "COALESCE(
    (SELECT 1 FROM readings r JOIN answers a ON a.reading_id = r.id
        WHERE r.question_id = q.id AND r.guessed = 0 LIMIT 1),
    (SELECT 1 FROM feedback f WHERE f.question_id = q.id AND f.verdict = 'right' LIMIT 1)) IS NOT NULL";

/// A connection, in a transaction or not.
pub trait Sql {
    /// Rows of a statement.
    fn query(&mut self, sql: &str, params: &[Param<'_>]) -> Result<Vec<Row>, StoreError>;

    /// How many rows a statement changed.
    fn execute(&mut self, sql: &str, params: &[Param<'_>]) -> Result<u64, StoreError>;

    /// Keeps a question's vector, unless that encoder's is there already.
    fn put_vector(&mut self, question: i64, encoder: &str, direction: &[f32]) -> Result<(), StoreError>;

    /// Questions of one page at or above `threshold`, nearest first.
    fn find_nearest_on_page(
        &mut self,
        page: i64,
        encoder: &str,
        direction: &[f32],
        threshold: f32,
    ) -> Result<Vec<QuestionLikeness>, StoreError>;

    /// Questions of all pages, nearest first.
    fn find_nearest(&mut self, wanted: &VectorSearch<'_>) -> Result<Vec<QuestionLikeness>, StoreError>;

    /// Counts a question of a page once more, as it was worded this time; `None` when it is not there.
    fn count_question(
        &mut self,
        page: &str,
        question: Question<'_>,
        source: &str,
        at: i64,
    ) -> Result<Option<i64>, StoreError> {
        let worded = self.first(
            "UPDATE questions SET text = $1 WHERE normalised = $2 AND page_id = (SELECT id FROM pages WHERE key = $3)
             RETURNING id",
            params![question.text, question.normalised, page],
        )?;
        let Some(id) = worded.map(|row| row.int(0)).transpose()? else { return Ok(None) };
        let count = format!(
            "INSERT INTO asked (question_id, source, count, last_asked) VALUES ($1, $2, 1, $3) {COUNT_ON_CONFLICT}"
        );
        self.execute(&count, params![id, source, at])?;
        Ok(Some(id))
    }

    /// The one row of a statement that has at most one.
    fn first(&mut self, sql: &str, params: &[Param<'_>]) -> Result<Option<Row>, StoreError> {
        Ok(self.query(sql, params)?.into_iter().next())
    }

    /// The one number of a statement that always has one.
    fn number(&mut self, sql: &str, params: &[Param<'_>]) -> Result<i64, StoreError> {
        match self.first(sql, params)? {
            Some(row) => row.int(0),
            None => Err(describe_wrong_cell(0, None)),
        }
    }
}
