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
    /// 1 where it is the number, time or name that the question asks for, -1 where it is not, 0 where none is asked for.
    pub kind: f32,
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
    /// Of [`Signals::kind`].
    pub kind: f32,
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
    /// The reader's look from which nothing is looked at again where nothing else needs to be read: who is so sure at once
    /// is as right as who looks twice.
    pub sure_look: f32,
    /// The reader's looks at an answer in a passage that was not read, at most: what such a passage can bring.
    pub reach: f32,
    /// What it brings more, in the order, the more of the question's words it has: all that any passage has count 1.
    /// Without, those words count as in the order.
    pub reach_words: Option<f32>,
}

impl Default for Confidence {
    /// Trusts the reader.
    fn default() -> Self {
        Self {
            reader: 1.0,
            words: 0.0,
            near_words: 0.0,
            kind: 0.0,
            sure: 1.0,
            bias: 0.0,
            answered: 0.5,
            guessed: 0.25,
            margin: DEFAULT_MARGIN_LOG_ODDS,
            sure_look: f32::INFINITY,
            reach: MAX_SIGNAL_LOG_ODDS,
            reach_words: None,
        }
    }
}

/// How far below the best a further answer may lie where the model does not say.
const DEFAULT_MARGIN_LOG_ODDS: f32 = 1.5;
/// No signal counts for more than this, either way.
const MAX_SIGNAL_LOG_ODDS: f32 = 8.0;

impl Confidence {
    /// Puts the answers of a document in order: of two, the one with more is likelier to be meant.
    pub fn order(&self, signals: &Signals) -> f32 {
        self.reader * signals.mean_reader_log_odds()
            + self.words * signals.words
            + self.near_words * signals.near_words
            + self.kind * signals.kind
    }

    /// The order that an answer of an unread passage can have, at most: with its share of the question's words, and the
    /// largest share that any passage has. `wants_kind` where the question asks for a number, a time or a name.
    pub fn highest_order(&self, word_share: f32, largest_share: f32, wants_kind: bool) -> f32 {
        let words = match self.reach_words {
            Some(weight) if largest_share > 0.0 => weight * word_share / largest_share,
            // Nothing tells the passages apart.
            Some(weight) => weight,
            None => (self.words + self.near_words) * word_share,
        };
        self.reader * self.reach + words + if wants_kind { self.kind } else { 0.0 }
    }

    /// The order from which an answer is worth a second look beside the best: further behind, whatever either look says, it
    /// comes neither before the best nor beside it.
    pub fn least_doubted_order(&self, best: f32) -> f32 {
        best - 2.0 * self.margin
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
            let signals = Signals { reader, again: reader, words: 1.0, near_words: 1.0, kind: 1.0 };
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

    #[test]
    fn the_kind_that_was_asked_for_comes_first_and_is_no_surer() {
        let confidence = Confidence { kind: 0.5, ..Confidence::default() };
        let (right, wrong) =
            (Signals { kind: 1.0, ..Signals::default() }, Signals { kind: -1.0, ..Signals::default() });
        assert!(confidence.order(&right) > confidence.order(&wrong));
        assert_eq!(confidence.of(&right), confidence.of(&wrong));
    }

    #[test]
    fn a_passage_brings_less_the_fewer_words_it_has() {
        let plain = Confidence { reach: 1.0, words: 0.5, kind: 0.25, ..Confidence::default() };
        assert_eq!(plain.highest_order(0.5, 0.5, false), 1.25);
        assert_eq!(plain.highest_order(0.5, 0.5, true), 1.5);
        let weighed = Confidence { reach_words: Some(2.0), ..plain };
        assert_eq!(weighed.highest_order(0.25, 0.5, false), 2.0);
        assert_eq!(weighed.highest_order(0.0, 0.0, false), 3.0, "no passage has any");
    }
}
