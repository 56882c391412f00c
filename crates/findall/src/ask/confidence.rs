//! Which answer comes first and how sure it is, with a whole document to choose from. Two questions, two scores: shared
//! words tell which of a document's passages is meant, but hardly whether it answers (near misses share all words). So
//! everything known of an answer puts it in order, and the reader alone, having looked twice, says how sure it is. The
//! weights are fitted on whole articles (`findall-eval ask --features`, `training/fit_ask.py`).

use crate::encode::probability;

/// What is known of a possible answer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Signals {
    /// Log-odds of the reader that its span answers.
    pub reader: f32,
    /// The same when only its sentence and the ones beside it are read; as before where nobody looked again.
    pub again: f32,
    /// Share of the question's words, by weight, that its passage has.
    pub words: f32,
    /// The same for its sentence and the ones beside it.
    pub near_words: f32,
}

impl Signals {
    /// The reader's two looks as one.
    fn mean_reader_log_odds(&self) -> f32 {
        f32::midpoint(
            self.reader.clamp(-MAX_SIGNAL_LOG_ODDS, MAX_SIGNAL_LOG_ODDS),
            self.again.clamp(-MAX_SIGNAL_LOG_ODDS, MAX_SIGNAL_LOG_ODDS),
        )
    }
}

/// Weights of the signals, and from when on an answer is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Confidence {
    /// For the order: of the reader's two looks.
    pub reader: f32,
    /// Of [`Signals::words`].
    pub words: f32,
    /// Of [`Signals::near_words`].
    pub near_words: f32,
    /// For how sure an answer is: of the reader's two looks.
    pub sure: f32,
    /// Log-odds that an answer is right at which the reader is undecided.
    pub bias: f32,
    /// Probability from which an answer is given.
    pub answered: f32,
    /// Probability from which a guess is worth showing where nothing is sure.
    pub guessed: f32,
    /// How far below the best, in log-odds, a further answer may lie.
    pub margin: f32,
    /// The reader's looks at an answer in a passage that was not read, at most: what such a passage can bring.
    pub reach: f32,
}

impl Default for Confidence {
    /// Trusts the reader.
    fn default() -> Self {
        Self {
            reader: 1.0,
            words: 0.0,
            near_words: 0.0,
            sure: 1.0,
            bias: 0.0,
            answered: 0.5,
            guessed: 0.25,
            margin: 1.5,
            reach: MAX_SIGNAL_LOG_ODDS,
        }
    }
}

/// No signal counts for more than this, either way.
const MAX_SIGNAL_LOG_ODDS: f32 = 8.0;

impl Confidence {
    /// Puts the answers of a document in order: of two, the one with more is likelier to be meant.
    pub fn order(&self, signals: &Signals) -> f32 {
        self.reader * signals.mean_reader_log_odds()
            + self.words * signals.words
            + self.near_words * signals.near_words
    }

    /// The order that an answer of an unread passage with this share of the question's words can have, at most.
    pub fn highest_order(&self, word_share: f32) -> f32 {
        self.reader * self.reach + (self.words + self.near_words) * word_share
    }

    /// Probability that the answer with these signals is right.
    pub fn of(&self, signals: &Signals) -> f32 {
        probability(self.sure * signals.mean_reader_log_odds() + self.bias)
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
            let reader = log_odds(p);
            let signals = Signals { reader, again: reader, words: 1.0, near_words: 1.0 };
            assert!((Confidence::default().of(&signals) - p).abs() < 1e-4);
        }
        assert!(log_odds(0.0).is_finite() && log_odds(1.0).is_finite());
    }

    #[test]
    fn shared_words_put_in_order_but_make_nothing_surer() {
        let confidence = Confidence { near_words: 2.0, ..Confidence::default() };
        let (few, many) = (Signals::default(), Signals { near_words: 1.0, ..Signals::default() });
        assert!(confidence.order(&many) > confidence.order(&few));
        assert_eq!(confidence.of(&many), confidence.of(&few));
        let doubted = Signals { again: -2.0, ..many };
        assert!(confidence.of(&doubted) < confidence.of(&many));
    }
}
