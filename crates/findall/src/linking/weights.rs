//! The learned weights of the linker: what each feature counts for.

use super::features::{NONE_FEATURES, SENSE_FEATURES};

/// Weights of the senses' features, in the order of [`SENSE_FEATURES`].
pub(super) const SENSE: [f32; SENSE_FEATURES.len()] = [
    0.5, 0.3, 0.5, 0.8, 0.5, 0.5, -1.0, 0.3, -0.5, 1.0, -1.5, 0.0, 0.6, 2.0, 0.4, 1.0, 0.5, 1.5, 2.0, 1.5,
    3.0, 1.0, 0.0, -0.5,
];
/// Weights of the features of linking to nothing, in the order of [`NONE_FEATURES`].
pub(super) const NONE: [f32; NONE_FEATURES.len()] = [-0.5, 0.3, 0.5, 0.5, 0.5];
