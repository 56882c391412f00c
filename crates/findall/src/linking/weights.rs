//! The learned weights of the linker (`models/tuning.json`): what each feature counts for.
//!
//! Made by `training/train_linker.py` from the features that `findall-eval linking --features` computes, one document
//! in ten held out. A chain's senses are ranked against each other (`rank`), by what tells rivals apart; whether the best
//! of them is meant at all (`known` against `none`) is learned apart, because most names have one sense only and would
//! teach the ranking that nothing matters.

use serde::Deserialize;

use super::features::{NoneFeatures, SenseFeatures};
use crate::tuning::NamedWeights;

/// What the linker learned.
#[derive(Debug, Deserialize)]
#[serde(try_from = "LinkerFile")]
pub(crate) struct LinkerTuning {
    /// Weights of the senses' features against each other.
    pub rank: SenseFeatures,
    /// Weights of the best sense's features for its being meant at all.
    pub known: SenseFeatures,
    /// Weights of what speaks for linking to nothing.
    pub none: NoneFeatures,
    /// Less likely senses are not linked to.
    pub min_probability: f32,
    /// Likelier senses lend their names to what follows.
    pub min_sure_probability: f32,
    /// Prior of a sense that another mention lends.
    pub followed_prior: f32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LinkerFile {
    rank: NamedWeights,
    known: NamedWeights,
    none: NamedWeights,
    min_probability: f32,
    min_sure_probability: f32,
    followed_prior: f32,
}

impl TryFrom<LinkerFile> for LinkerTuning {
    type Error = String;

    fn try_from(file: LinkerFile) -> Result<Self, String> {
        Ok(Self {
            rank: SenseFeatures::from_named(&file.rank)?,
            known: SenseFeatures::from_named(&file.known)?,
            none: NoneFeatures::from_named(&file.none)?,
            min_probability: file.min_probability,
            min_sure_probability: file.min_sure_probability,
            followed_prior: file.followed_prior,
        })
    }
}
