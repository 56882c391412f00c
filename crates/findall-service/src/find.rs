//! A query to a document, as every face asks it: its limits, which matches are kept, and those that are there while the document
//! is still being read. Batches of it become ready, and each gives the matches that stand in it; what only the whole document
//! can tell comes with the search of the whole.

use findall::Engine;
use findall::document::Document;
use findall::find::{FindError, FindOptions, Findings, KeepRule, Speed};
use findall::index::Progress;

/// A limit that a query to a document does not keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FindLimit {
    /// The threshold is no probability.
    #[error("must lie between 0 and 1")]
    Threshold,
    /// Not even one match is wanted.
    #[error("must be at least 1")]
    Matches,
}

impl FindLimit {
    /// What goes over the limit, as requests and settings call it.
    pub fn field(self) -> &'static str {
        match self {
            Self::Threshold => "threshold",
            Self::Matches => "top",
        }
    }
}

/// What a document is searched with; without a word about either, all matches are given that findall decides on.
pub fn check_limits(threshold: Option<f32>, top: Option<usize>) -> Result<(), FindLimit> {
    match (threshold, top) {
        (Some(threshold), _) if !is_probability(threshold) => Err(FindLimit::Threshold),
        (_, Some(0)) => Err(FindLimit::Matches),
        _ => Ok(()),
    }
}

/// Whether a threshold is one of probabilities.
pub(crate) fn is_probability(threshold: f32) -> bool {
    (0.0..=1.0).contains(&threshold)
}

/// Which matches are kept: those of at least the probability that was named, or those that findall decides on, the likeliest
/// at least where something is known to answer.
pub fn choose_keep_rule(threshold: Option<f32>, guess: bool) -> KeepRule {
    match threshold {
        Some(least) => KeepRule::AtLeast(least),
        None if guess => KeepRule::Expected,
        None => KeepRule::Decided,
    }
}

/// One search over a document that becomes ready batch by batch.
pub struct FirstMatches<'a> {
    /// The engine that finds.
    pub engine: &'a Engine,
    /// The query as it was typed.
    pub query: &'a str,
    /// How every batch is searched.
    pub options: FindOptions,
    best_log_odds: Option<f32>,
    shown_bytes: usize,
}

impl<'a> FirstMatches<'a> {
    /// Nothing has been read yet.
    pub fn new(engine: &'a Engine, query: &'a str, options: FindOptions) -> Self {
        Self { engine, query, options, best_log_odds: None, shown_bytes: 0 }
    }

    /// For who replaces them at the end by what the whole document gives: no judge is waited for. What cannot be taken back,
    /// such as lines on a terminal, must be judged when it is shown.
    pub fn provisional(engine: &'a Engine, query: &'a str, options: FindOptions) -> Self {
        Self::new(engine, query, FindOptions { speed: Speed::Fast, ..options })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_threshold_comes_before_a_guess() {
        assert_eq!(choose_keep_rule(None, false), KeepRule::Decided);
        assert_eq!(choose_keep_rule(None, true), KeepRule::Expected);
        for guess in [false, true] {
            assert_eq!(choose_keep_rule(Some(0.25), guess), KeepRule::AtLeast(0.25));
        }
    }

    #[test]
    fn limits_are_kept_and_said() {
        assert_eq!(check_limits(None, None), Ok(()));
        assert_eq!(check_limits(Some(1.0), Some(1)), Ok(()));
        assert_eq!(check_limits(Some(f32::NAN), Some(1)), Err(FindLimit::Threshold));
        assert_eq!(check_limits(Some(0.5), Some(0)).unwrap_err().to_string(), "must be at least 1");
    }
}
