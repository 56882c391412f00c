//! What the engine asks of a judge: a query and what is known and said of each candidate in, the log-odds that the
//! candidate satisfies the query out. Implemented in `findall-models`, faked in tests.
//!
//! The encoder compares two texts that it read apart, at once; the judge reads both together, which is slower and
//! righter. So the encoder answers first, and the judge's verdict replaces its answer.

use crate::encode::{ModelError, counted_words};

/// Reads a query and a candidate's text together.
pub trait Judge: Send + Sync {
    /// Names the exact weights; part of every cache key.
    fn id(&self) -> &str;

    /// Log-odds that each candidate satisfies the query, in the order given. A text is what
    /// [`CandidateText`](crate::find::CandidateText) writes; texts longer than the model reads are cut.
    fn judge(&self, query: &str, texts: &[&str]) -> Result<Vec<f32>, ModelError>;

    /// How verdicts become decisions.
    fn verdict(&self) -> VerdictRule;
}

/// How a judge's log-odds and an encoder's become one calibrated log-odds, and which candidates are kept; fitted on
/// training data across folds when the judge was trained (`training/fit_judge.py`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VerdictRule {
    /// Weight of the judge's log-odds.
    pub judge: f32,
    /// Weight of the encoder's log-odds.
    pub encoder: f32,
    /// Added to both.
    pub bias: f32,
    /// Calibrated log-odds from which a candidate is kept.
    pub keep: f32,
    /// Encoder log-odds below which a candidate is not read by the judge.
    pub hopeless: f32,
    /// Log-odds that the best candidate must reach for its likes to be kept, for a query of no length.
    pub possible: f32,
    /// How much each word of the query, up to twelve, takes off that: a long query asks for more than any text says.
    pub per_word: f32,
    /// How far below the best a candidate may lie that is not kept for itself, once the best is possible.
    pub margin: f32,
    /// Calibrated log-odds from which a candidate is kept where it is known that something answers.
    pub expected_keep: f32,
    /// How far below the best a candidate may lie there; the best itself is kept whatever its log-odds.
    pub expected_margin: f32,
}

impl Default for VerdictRule {
    fn default() -> Self {
        Self {
            judge: 1.0,
            encoder: 0.0,
            bias: 0.0,
            keep: 0.0,
            hopeless: f32::NEG_INFINITY,
            possible: 0.0,
            per_word: 0.0,
            margin: 0.0,
            expected_keep: 0.0,
            expected_margin: 0.0,
        }
    }
}

impl VerdictRule {
    /// One calibrated log-odds of both opinions.
    pub fn calibrate(&self, judge: f32, encoder: f32) -> f32 {
        self.judge * judge + self.encoder * encoder + self.bias
    }

    /// Which of one document's candidates are kept, by their calibrated log-odds.
    pub fn decide(&self, query: &str, log_odds: &[f32]) -> Vec<bool> {
        let best = max_log_odds(log_odds);
        let possible = self.possible - self.per_word * counted_words(query);
        let near = |value: f32| best >= possible && value >= best - self.margin;
        log_odds.iter().map(|&value| value >= self.keep || near(value)).collect()
    }

    /// The same where it is known that something in the document answers: at least the best is kept.
    pub fn decide_expected(&self, log_odds: &[f32]) -> Vec<bool> {
        let level = self.expected_keep.min(max_log_odds(log_odds) - self.expected_margin);
        log_odds.iter().map(|&value| value >= level).collect()
    }
}

fn max_log_odds(log_odds: &[f32]) -> f32 {
    log_odds.iter().copied().fold(f32::NEG_INFINITY, f32::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opinions_are_joined_and_the_likely_are_kept() {
        let rule = VerdictRule {
            judge: 2.0,
            encoder: 0.5,
            bias: -1.0,
            keep: 1.0,
            possible: -0.5,
            per_word: 0.1,
            margin: 0.25,
            ..VerdictRule::default()
        };
        assert_eq!(rule.calibrate(1.0, 2.0), 2.0);
        assert_eq!(rule.decide("cities", &[3.0, 1.0, 0.9]), [true, true, false]);
        assert_eq!(
            rule.decide("cities", &[0.0, -0.2, -0.4]),
            [true, true, false],
            "near the best, which is possible"
        );
        assert_eq!(rule.decide("cities", &[-0.7]), [false], "nothing here");
        assert_eq!(
            rule.decide("cities that were never besieged", &[-0.7]),
            [true],
            "a longer query scores lower"
        );
    }

    #[test]
    fn something_is_kept_where_something_is_expected() {
        let rule = VerdictRule {
            keep: 1.5,
            possible: 0.0,
            margin: 3.0,
            expected_keep: 1.0,
            expected_margin: 0.5,
            ..VerdictRule::default()
        };
        assert_eq!(rule.decide("cities", &[-2.0, -2.3, -2.7]), [false, false, false]);
        assert_eq!(rule.decide_expected(&[-2.0, -2.3, -2.7]), [true, true, false]);
        assert_eq!(
            rule.decide_expected(&[4.0, 1.0, 0.9]),
            [true, true, false],
            "the likely are kept as ever"
        );
        assert_eq!(rule.decide_expected(&[]), Vec::<bool>::new());
    }
}
