//! The learned weights of the linker: what each feature counts for.
//!
//! Made by `training/train_linker.py` from the features that `findall eval linking --features` computes on the list
//! queries, one document in ten held out. A sense's probability is the softmax of these sums over the senses of its
//! chain and none.

use super::features::{NONE_FEATURES, SENSE_FEATURES};

/// Weights of the senses' features, in the order of [`SENSE_FEATURES`].
pub(super) const SENSE: [f32; SENSE_FEATURES.len()] = [
    0.409, 0.577, 2.541, 0.437, -0.878, -0.038, -0.398, 0.270, -3.271, 1.954, 0.270, 1.438, 0.200, 1.381,
    0.251, -0.025, 0.752, -0.090, 0.723, 0.951, 2.420, -1.372, 0.062, 0.445, 0.096, 0.575,
];
/// Weights of the features of linking to nothing, in the order of [`NONE_FEATURES`].
pub(super) const NONE: [f32; NONE_FEATURES.len()] = [1.376, 0.762, -0.183, -0.570, 0.248, 0.301];
