//! How far a search of the base goes and how its evidence is weighed: the numbers of `base` in `models/tuning.json`, fitted
//! by `training/fit_base.py` on queries over neighbourhoods of the base.

use serde::Deserialize;

use crate::tuning::tuning;

/// How much is looked at, and what it weighs.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaseEffort {
    /// Entities that the words of the query bring.
    pub first_candidates: usize,
    /// Entities that the words of the likeliest of them bring beside those.
    pub further_candidates: usize,
    /// The likeliest entities whose words are looked at.
    pub feedback_entities: usize,
    /// How many of their words are added to the query.
    pub feedback_terms: usize,
    /// Weight of such a word beside one of the query.
    pub feedback_weight: f32,
    /// Entities that the judge reads.
    pub max_judged: usize,
    /// Weights where no judge read an entity.
    pub unread: BaseMix,
    /// Weights where it did.
    pub read: BaseMix,
}

impl Default for BaseEffort {
    fn default() -> Self {
        tuning().base
    }
}

/// How meaning and words become one log-odds.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaseMix {
    /// Weight of the judge's calibrated log-odds.
    pub judge: f32,
    /// Weight of the encoder's log-odds.
    pub encoder: f32,
    /// Weight of the words that an entity shares with the query, as a share of the most that any shares.
    pub words: f32,
    /// Added to all.
    pub bias: f32,
}

impl BaseMix {
    /// All evidence together; `judge` is nothing where no judge read the entity.
    pub fn log_odds(&self, judge: f32, encoder: f32, words: f32) -> f32 {
        self.judge * judge + self.encoder * encoder + self.words * words + self.bias
    }
}
