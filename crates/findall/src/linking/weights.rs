//! The learned weights of the linker: what each feature counts for.
//!
//! Made by `training/train_linker.py` from the features that `findall-eval linking --features` computes, one document
//! in ten held out. A chain's senses are ranked against each other (`RANK`), by what tells rivals apart; whether the best
//! of them is meant at all (`KNOWN` against `NONE`) is learned apart, because most names have one sense only and would
//! teach the ranking that nothing matters.

use super::features::{NONE_FEATURES, SENSE_FEATURES};

/// Weights of the senses' features against each other, in the order of [`SENSE_FEATURES`].
pub(super) const RANK: [f32; SENSE_FEATURES.len()] = [
    0.307, 0.000, 2.526, 0.126, -1.023, 0.517, 0.001, 0.000, 0.000, 2.937, 0.000, 1.130, 0.000, 1.399, 0.240,
    0.648, 0.697, -1.125, 0.478, 0.776, 0.394, 0.000, 1.044, 0.000, 2.000, 1.684, 0.090, 0.000, -2.390,
    -0.018, -0.858, 0.184, 0.000, 0.668,
];
/// Weights of the best sense's features for its being meant at all, in the same order.
pub(super) const KNOWN: [f32; SENSE_FEATURES.len()] = [
    0.251, 0.000, 2.145, 0.045, -0.542, 0.195, -0.054, 0.060, -2.057, 1.146, -0.408, 0.818, 0.216, 0.467,
    0.121, 0.000, 0.557, -0.189, 0.801, 0.424, 0.326, 0.000, -0.030, 0.000, 2.000, 0.615, 0.656, -0.774,
    3.090, -0.617, -0.543, 0.055, -1.303, 0.000,
];
/// Weights of what speaks for linking to nothing, in the order of [`NONE_FEATURES`].
pub(super) const NONE: [f32; NONE_FEATURES.len()] = [0.594, -0.110, -0.246, 0.084, 0.857, 0.122, 0.764];
