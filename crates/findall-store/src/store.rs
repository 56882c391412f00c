//! The store as the rest of findall sees it.

use std::path::Path;

use crate::error::StoreError;
use crate::exchange::{ImportCounts, ImportOptions, Line, Scope};
use crate::model::*;
use crate::page::Page;
use crate::settings::{Pattern, PatternUse, Settings};
use crate::sqlite::SqliteStore;

/// What is remembered. Calls block; a server runs them on threads made for that.
pub trait Store: Send + Sync {
    /// Keeps a question and what came of it; a question asked again counts once more.
    fn record(&self, asked: &QuestionRecord<'_>) -> Result<WriteOutcome, StoreError>;

    /// What is known about exactly this question on exactly this content. What persons said about the page counts for
    /// every content of it, so a caller must find the quote in the text before showing it. `model` names the reader
    /// whose readings count; `None` takes any.
    fn recall_exact(
        &self,
        page: &Page<'_>,
        normalised: &str,
        model: Option<&str>,
    ) -> Result<Option<RememberedAnswers>, StoreError>;

    /// The same question in other words on the same content: at or above `threshold`, nearest first.
    fn recall_same_question(
        &self,
        page: &Page<'_>,
        vector: Vector<'_>,
        threshold: f32,
        model: Option<&str>,
    ) -> Result<Vec<NearQuestion>, StoreError>;

    /// What persons said about a question on a page.
    fn corrections(&self, page: &str, normalised: &str) -> Result<Corrections, StoreError>;

    /// The questions of a page, the most asked first.
    fn top_questions(&self, page: &str, limit: usize) -> Result<Vec<TopQuestion>, StoreError>;

    /// Questions of all pages, nearest first, with their answers.
    fn find_similar_questions(
        &self,
        wanted: &SimilarQuestionSearch<'_>,
    ) -> Result<Vec<SimilarQuestion>, StoreError>;

    /// Keeps a person's word; it holds from the next call on.
    fn record_feedback(&self, feedback: &Feedback<'_>) -> Result<WriteOutcome, StoreError>;

    /// The privacy settings of this store.
    fn settings(&self) -> Result<Settings, StoreError>;

    /// Turns remembering on or off. What is there stays.
    fn set_remember(&self, on: bool) -> Result<(), StoreError>;

    /// Adds a pattern; false when it was there.
    fn add_pattern(&self, purpose: PatternUse, pattern: &Pattern) -> Result<bool, StoreError>;

    /// Takes a pattern away; false when it was not there.
    fn remove_pattern(&self, purpose: PatternUse, pattern: &str) -> Result<bool, StoreError>;

    /// Deletes, and overwrites what was deleted.
    fn forget(&self, what: ForgetTarget<'_>) -> Result<ForgetReport, StoreError>;

    /// How much there is.
    fn statistics(&self) -> Result<Statistics, StoreError>;

    /// Fails when something in the store is torn.
    fn verify(&self) -> Result<(), StoreError>;

    /// Hands out what belongs to the scope, a line at a time and as of one moment.
    /// [`crate::exchange`] writes it as JSON Lines.
    fn export(
        &self,
        scope: Scope,
        sink: &mut dyn FnMut(Line) -> Result<(), StoreError>,
    ) -> Result<(), StoreError>;

    /// Takes some lines of an export, all or none; those already known change nothing. [`crate::exchange`] reads them.
    fn import(&self, lines: &[Line], options: ImportOptions) -> Result<ImportCounts, StoreError>;
}

/// Opens the store at a place: `postgres://…` or the path of a file, which is made when it is not there.
pub fn open(place: &str) -> Result<Box<dyn Store>, StoreError> {
    if is_server(place) {
        return open_server(place);
    }
    Ok(Box::new(SqliteStore::open(Path::new(place))?))
}

#[cfg(feature = "postgres")]
fn open_server(url: &str) -> Result<Box<dyn Store>, StoreError> {
    Ok(Box::new(crate::postgres::PostgresStore::open(url)?))
}

#[cfg(not(feature = "postgres"))]
fn open_server(_: &str) -> Result<Box<dyn Store>, StoreError> {
    Err(StoreError::NotBuilt)
}

/// True when a place names a server and not a file.
pub fn is_server(place: &str) -> bool {
    ["postgres://", "postgresql://"].iter().any(|scheme| place.starts_with(scheme))
}
