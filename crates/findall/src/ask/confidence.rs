//! How sure an answer is, with a whole document to choose from. A reader's own probability speaks of one passage that a
//! person picked; among fifty passages the best of fifty guesses looks sure, too. So what else is known of an answer
//! is weighed with it, by weights fitted on whole articles (`findall eval ask --features`, `training/fit_ask.py`).

use crate::encode::probability;

/// What is known of a possible answer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Signals {
    /// Log-odds of the reader that its span answers.
    pub reader: f32,
    /// Log-odds of the encoder that its sentence is what was asked for.
    pub sentence: f32,
    /// Share of the question's words, by weight, that its passage has.
    pub words: f32,
    /// The same for its sentence and the ones beside it.
    pub near_words: f32,
}

/// Weights of the signals, and from when on an answer is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Confidence {
    /// Of [`Signals::reader`].
    pub reader: f32,
    /// Of [`Signals::sentence`].
    pub sentence: f32,
    /// Of [`Signals::words`].
    pub words: f32,
    /// Of [`Signals::near_words`].
    pub near_words: f32,
    /// Log-odds when all signals are zero.
    pub bias: f32,
    /// Probability from which an answer is given.
    pub answered: f32,
    /// How far below the best, in log-odds, a further answer may lie.
    pub margin: f32,
}

impl Default for Confidence {
    /// Trusts the reader.
    fn default() -> Self {
        Self {
            reader: 1.0,
            sentence: 0.0,
            words: 0.0,
            near_words: 0.0,
            bias: 0.0,
            answered: 0.5,
            margin: 1.5,
        }
    }
}

/// No signal counts for more than this, either way.
const MOST: f32 = 8.0;

impl Confidence {
    /// Probability that the answer with these signals is right.
    pub fn of(&self, signals: &Signals) -> f32 {
        probability(
            self.reader * signals.reader.clamp(-MOST, MOST)
                + self.sentence * signals.sentence.clamp(-MOST, MOST)
                + self.words * signals.words
                + self.near_words * signals.near_words
                + self.bias,
        )
    }
}

/// Log-odds of a probability, kept finite.
pub(super) fn log_odds(probability: f32) -> f32 {
    let p = probability.clamp(1e-4, 1.0 - 1e-4);
    (p / (1.0 - p)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_the_readers_word() {
        for p in [0.01, 0.3, 0.5, 0.99] {
            let signals = Signals { reader: log_odds(p), sentence: 5.0, words: 1.0, near_words: 1.0 };
            assert!((Confidence::default().of(&signals) - p).abs() < 1e-4);
        }
        assert!(log_odds(0.0).is_finite() && log_odds(1.0).is_finite());
    }
}
