//! Fitted numbers: weights and thresholds that training made, as data. `models/tuning.json` is part of the program; training
//! writes it (`training/tuning.py`). `built_in` names it in the keys of what is kept.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::ask::AskTuning;
use crate::find::{BaseEffort, Mix};
use crate::like::LikeWeights;
use crate::linking::LinkerTuning;
use crate::list::ListTuning;
use crate::spelling::SpellingTuning;

pub(crate) const TUNING_FILE: &str = include_str!("../../../models/tuning.json");

/// All of them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tuning {
    /// Which entity a name means.
    pub(crate) linker: LinkerTuning,
    /// How the evidence for an entity is weighed.
    pub(crate) find: Mix,
    /// How the knowledge base itself is searched.
    pub(crate) base: BaseEffort,
    /// Which entities are alike.
    pub(crate) like: LikeWeights,
    /// Long lists from books.
    pub(crate) list: ListTuning,
    /// Answers to questions, beside what the reader's own `model.json` has.
    pub(crate) ask: AskTuning,
    /// Typing errors in questions and queries.
    pub(crate) spelling: SpellingTuning,
}

/// The numbers.
pub fn tuning() -> &'static Tuning {
    static BUILT_IN_TUNING: LazyLock<Tuning> = LazyLock::new(|| match serde_json::from_str(TUNING_FILE) {
        Ok(tuning) => tuning,
        Err(error) => panic!("models/tuning.json: {error}"),
    });
    &BUILT_IN_TUNING
}

/// Weights by the names of their features; a feature that is not named weighs nothing.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(crate) struct NamedWeights(BTreeMap<String, f32>);

impl NamedWeights {
    /// In the order of the features, or the name that is none of theirs.
    pub fn values_in_order<const N: usize>(&self, features: &[&str; N]) -> Result<[f32; N], String> {
        if let Some(unknown) = self.0.keys().find(|name| !features.contains(&name.as_str())) {
            return Err(format!("no feature is called {unknown}"));
        }
        Ok(features.map(|name| self.0.get(name).copied().unwrap_or(0.0)))
    }
}

/// A struct of numbers that weights are learned for, each field a feature, and the names of its fields in order.
macro_rules! named_features {
    ($(#[$about:meta])* $name:ident, $(#[$about_names:meta])* $names:ident, $($field:ident),+ $(,)?) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        #[allow(missing_docs, reason = "a feature is called what it says")]
        pub struct $name {
            $(pub $field: f32,)+
        }

        $(#[$about_names])*
        pub const $names: [&str; [$(stringify!($field)),+].len()] = [$(stringify!($field)),+];

        impl $name {
            /// In the order of their names.
            pub fn values(&self) -> [f32; $names.len()] {
                [$(self.$field),+]
            }

            /// From values in the order of their names.
            pub fn from_values([$($field),+]: [f32; $names.len()]) -> Self {
                Self { $($field),+ }
            }

            /// The weights of a file, or the name that is none of theirs.
            pub(crate) fn from_named(weights: &$crate::tuning::NamedWeights) -> Result<Self, String> {
                weights.values_in_order(&$names).map(Self::from_values)
            }

            /// What they come to, each by its weight.
            pub fn weigh(&self, weights: &Self) -> f32 {
                self.values().iter().zip(weights.values()).map(|(feature, weight)| feature * weight).sum()
            }
        }
    };
}
pub(crate) use named_features;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_whole_and_names_features_that_there_are() {
        let tuning = tuning();
        assert!(tuning.linker.rank.values().iter().any(|weight| *weight != 0.0));
        let wrong: NamedWeights = serde_json::from_str("{\"prior\": 1, \"praior\": 2}").unwrap();
        assert_eq!(wrong.values_in_order(&["prior"]), Err("no feature is called praior".into()));
        let right: NamedWeights = serde_json::from_str("{\"b\": 2}").unwrap();
        assert_eq!(right.values_in_order(&["a", "b"]), Ok([0.0, 2.0]));
    }
}
