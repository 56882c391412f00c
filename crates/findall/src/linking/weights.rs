//! The learned weights of the linker: what each feature counts for.
//!
//! Made by `training/train_linker.py` from the features that `findall eval linking --features` computes, one document
//! in ten held out. A chain's senses are ranked against each other (`RANK`), by what tells rivals apart; whether the best
//! of them is meant at all (`KNOWN` against `NONE`) is learned apart, because most names have one sense only and would
//! teach the ranking that nothing matters.

use super::features::{NONE_FEATURES, SENSE_FEATURES};

/// Weights of the senses' features against each other, in the order of [`SENSE_FEATURES`].
pub(super) const RANK: [f32; SENSE_FEATURES.len()] = [
    0.308, 0.000, 2.700, 0.198, -0.978, 0.511, -0.041, 0.000, -0.896, 2.961, 0.000, 1.016, 0.000, 0.995,
    0.260, 0.641, 0.894, -1.189, 0.979, 0.852, 1.009, 0.000, 0.867, 0.000, 0.000, 1.846, 0.291, 0.000,
    -2.693, 0.232, -0.720, 0.219, 0.000, 1.000,
];
/// Weights of the best sense's features for its being meant at all, in the same order.
pub(super) const KNOWN: [f32; SENSE_FEATURES.len()] = [
    0.176, 0.056, 2.248, 0.113, -0.457, 0.127, -0.291, 0.017, -2.313, 1.022, -0.013, 0.853, 0.224, 0.635,
    0.149, 0.043, 0.422, -0.221, 0.773, 0.451, 0.477, 0.000, -0.043, 0.000, 2.136, 0.749, 0.669, 0.000,
    -0.685, -0.367, -0.325, 0.039, 0.000, 0.300,
];
/// Weights of what speaks for linking to nothing, in the order of [`NONE_FEATURES`].
pub(super) const NONE: [f32; NONE_FEATURES.len()] = [0.624, -0.002, -0.237, 0.228, 0.660, 0.151, 0.861];
