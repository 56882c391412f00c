//! Matches while a document is still being read: batches of it become ready, and each gives the matches that stand in it.
//! What only the whole document can tell comes with the search of the whole.

use findall::Engine;
use findall::document::Document;
use findall::find::{FindError, FindOptions, Findings};
use findall::index::Progress;

/// One search over a document that becomes ready batch by batch.
pub struct FirstMatches<'a> {
    /// Finds.
    pub engine: &'a Engine,
    /// What is looked for.
    pub query: &'a str,
    /// How.
    pub options: FindOptions,
    best_log_odds: Option<f32>,
    shown_bytes: usize,
}

impl<'a> FirstMatches<'a> {
    /// Nothing has been read yet.
    pub fn new(engine: &'a Engine, query: &'a str, options: FindOptions) -> Self {
        Self { engine, query, options, best_log_odds: None, shown_bytes: 0 }
    }

    /// What was found in all that is ready, its matches only those that stand in the newest batch.
    pub fn next(&mut self, document: &Document, progress: &Progress<'_>) -> Result<Findings, FindError> {
        // The decision rule looks at the best, which may have stood in an earlier batch.
        let options = FindOptions { best_elsewhere: self.best_log_odds, ..self.options };
        let mut findings = self.engine.find(document, progress.ready, self.query, &options)?;
        let best_here = findings.ranking.first().map(|score| score.log_odds);
        self.best_log_odds = self.best_log_odds.into_iter().chain(best_here).max_by(f32::total_cmp);
        let newest = self.shown_bytes..progress.bytes;
        findings.matches.retain(|one| newest.contains(&one.span.start));
        self.shown_bytes = progress.bytes;
        Ok(findings)
    }
}
