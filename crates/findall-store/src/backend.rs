//! What a database does for the store: run work in a transaction, and look after itself. Everything else is written
//! once, in [`crate::ops`]; every backend is a [`Store`] by this file.

use crate::error::StoreError;
use crate::exchange::{ImportCounts, ImportOptions, Line, Scope};
use crate::model::*;
use crate::ops::{exchange, forget, look, record, settings};
use crate::page::Page;
use crate::settings::{Pattern, PatternUse, Reach, Settings};
use crate::sql::Sql;
use crate::store::Store;

/// How long a write must last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// Once acknowledged, it is there after the power fails.
    Acknowledged,
    /// Never torn, but the last few may be missing after the power fails: how often a question was asked.
    Eventual,
}

/// A database.
pub trait Backend: Send + Sync {
    /// Who can read it.
    fn reach(&self) -> Reach;

    /// Runs `work` on a connection; it may be run a second time when the first came to nothing.
    fn read<T>(&self, work: impl FnMut(&mut dyn Sql) -> Result<T, StoreError>) -> Result<T, StoreError>;

    /// The same on one unchanging state of the store, however long it takes.
    fn snapshot<T>(&self, work: impl FnMut(&mut dyn Sql) -> Result<T, StoreError>) -> Result<T, StoreError>;

    /// Runs `work` in a transaction, wholly or not at all.
    fn write<T>(
        &self,
        durability: Durability,
        work: impl FnMut(&mut dyn Sql) -> Result<T, StoreError>,
    ) -> Result<T, StoreError>;

    /// As [`read`](Self::read), for what may go through all of the store and take its time.
    fn read_bulk<T>(&self, work: impl FnMut(&mut dyn Sql) -> Result<T, StoreError>) -> Result<T, StoreError> {
        self.read(work)
    }

    /// As [`write`](Self::write) with every word acknowledged, for what may change all of the store and take its time.
    fn write_bulk<T>(
        &self,
        work: impl FnMut(&mut dyn Sql) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.write(Durability::Acknowledged, work)
    }

    /// Runs `work`, which writes one statement and nothing that must last.
    fn count<T>(&self, work: impl FnMut(&mut dyn Sql) -> Result<T, StoreError>) -> Result<T, StoreError> {
        self.write(Durability::Eventual, work)
    }

    /// Overwrites what was deleted; false when that must wait.
    fn wipe(&self) -> Result<bool, StoreError>;

    /// Backend, place, layout and size, filled in; the rest zero.
    fn describe(&self) -> Result<Statistics, StoreError>;

    /// Fails when something is torn.
    fn verify(&self) -> Result<(), StoreError>;
}

impl<B: Backend> Store for B {
    fn record(&self, asked: &QuestionRecord<'_>) -> Result<WriteOutcome, StoreError> {
        record::check_question(asked)?;
        if asked.reading.is_none()
            && asked.vector.is_none()
            && let Some(counted) = self.count(|sql| record::record_asked_again(sql, asked, self.reach()))?
        {
            return Ok(counted);
        }
        let durability =
            if asked.reading.is_some() { Durability::Acknowledged } else { Durability::Eventual };
        self.write(durability, |sql| record::record_question(sql, asked, self.reach()))
    }

    fn recall_exact(
        &self,
        page: &Page<'_>,
        normalised: &str,
        model: Option<&str>,
    ) -> Result<Option<RememberedAnswers>, StoreError> {
        self.read(|sql| look::recall_exact(sql, page, normalised, model))
    }

    fn recall_same_question(
        &self,
        page: &Page<'_>,
        vector: Vector<'_>,
        threshold: f32,
        model: Option<&str>,
    ) -> Result<Vec<NearQuestion>, StoreError> {
        let direction = vector.direction()?;
        self.read(|sql| look::recall_same_question(sql, page, vector.encoder, &direction, threshold, model))
    }

    fn corrections(&self, page: &str, normalised: &str) -> Result<Corrections, StoreError> {
        self.read(|sql| look::corrections_of(sql, page, normalised))
    }

    fn top_questions(&self, page: &str, limit: usize) -> Result<Vec<TopQuestion>, StoreError> {
        self.read(|sql| look::top_questions(sql, page, limit))
    }

    fn find_similar_questions(
        &self,
        wanted: &SimilarQuestionSearch<'_>,
    ) -> Result<Vec<SimilarQuestion>, StoreError> {
        let direction = wanted.vector.direction()?;
        self.read(|sql| look::find_similar_questions(sql, wanted, &direction))
    }

    fn record_feedback(&self, feedback: &Feedback<'_>) -> Result<WriteOutcome, StoreError> {
        record::check_feedback(feedback)?;
        let mark = record::random_name()?;
        self.write(Durability::Acknowledged, |sql| {
            record::record_feedback(sql, feedback, &mark, self.reach())
        })
    }

    fn settings(&self) -> Result<Settings, StoreError> {
        self.read(|sql| settings::read(sql))
    }

    fn set_remember(&self, on: bool) -> Result<(), StoreError> {
        self.write(Durability::Acknowledged, |sql| settings::set_remember(sql, on))
    }

    fn add_pattern(&self, purpose: PatternUse, pattern: &Pattern) -> Result<bool, StoreError> {
        self.write(Durability::Acknowledged, |sql| settings::add(sql, purpose, pattern.as_str()))
    }

    fn remove_pattern(&self, purpose: PatternUse, pattern: &str) -> Result<bool, StoreError> {
        self.write(Durability::Acknowledged, |sql| settings::remove(sql, purpose, pattern.trim()))
    }

    fn forget(&self, what: ForgetTarget<'_>) -> Result<ForgetReport, StoreError> {
        let mut gone = self.write_bulk(|sql| forget::forget(sql, what))?;
        gone.wiped = self.wipe()?;
        Ok(gone)
    }

    fn statistics(&self) -> Result<Statistics, StoreError> {
        let described = self.describe()?;
        self.read_bulk(|sql| forget::count(sql, described.clone()))
    }

    fn verify(&self) -> Result<(), StoreError> {
        Backend::verify(self)
    }

    fn export(
        &self,
        scope: Scope,
        sink: &mut dyn FnMut(Line) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.snapshot(|sql| exchange::export(sql, scope, sink))
    }

    fn import(&self, lines: &[Line], options: ImportOptions) -> Result<ImportCounts, StoreError> {
        self.write_bulk(|sql| exchange::import(sql, lines, options, self.reach()))
    }
}
