//! The learned weights of the linker: what each feature counts for.
//!
//! Made by `training/train_linker.py` from the features that `findall eval linking --features` computes on the list
//! queries, one document in ten held out. A sense's probability is the softmax of these sums over the senses of its
//! chain and none.

use super::features::{NONE_FEATURES, SENSE_FEATURES};

/// Weights of the senses' features, in the order of [`SENSE_FEATURES`].
pub(super) const SENSE: [f32; SENSE_FEATURES.len()] = [
    0.410, 0.609, 2.762, 0.330, -0.848, -0.183, -0.408, 0.124, -2.921, 1.783, 0.202, 1.458, 0.184, 1.383,
    0.204, 0.435, 0.824, -0.377, 0.848, 0.906, 2.269, -1.442, 0.449, 0.000, 0.054, 0.811, 0.463,
];
/// Weights of the features of linking to nothing, in the order of [`NONE_FEATURES`].
pub(super) const NONE: [f32; NONE_FEATURES.len()] = [1.748, 0.499, -0.216, -0.237, 0.317, 0.304];
