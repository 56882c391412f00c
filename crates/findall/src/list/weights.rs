//! The judge's weights, one row a relation, in the order of `Relation::KNOWN` and of `judge::features`. Fitted on one
//! novel with signs held to sense; large ones are cut, so that a rare sign cannot decide alone in another book.

/// Features of a subject and a candidate.
pub(super) const FEATURES: usize = 18;

/// Weights of the known relations.
#[rustfmt::skip]
pub(super) const WEIGHTS: [[f32; FEATURES]; 8] = [
    // parent
    [-5.82, 4.00, 8.00, 0.0, 2.90, 0.0, 0.0, 0.22, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    // child
    [-5.30, 4.00, 8.00, 0.0, 0.62, 0.0, 0.06, 0.56, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    // sibling
    [-5.14, 1.31, 8.00, 0.0, 0.84, 0.0, 0.0, 0.0, 0.0, 2.80, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    // family
    [-5.07, 1.51, 0.0, 6.00, 0.0, 0.46, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.57, 0.0, 0.0, 0.0, 0.0, 0.0],
    // friend
    [-4.88, 1.93, 0.0, -5.96, 0.0, 1.58, 1.28, 0.0, 0.0, 0.0, 0.0, 4.85, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    // opponent
    [-5.27, 2.00, 0.0, 0.0, 0.0, 0.48, 0.45, 0.0, 0.0, 0.0, 8.00, -2.00, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    // hasPlace
    [-2.97, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.63, 0.0, 0.0, 0.0, 0.0, 0.0, 0.88, 0.46, 0.0, 1.08],
    // hasMember
    [-5.16, 0.0, 1.88, 0.59, 4.00, 0.69, 0.0, 0.0, 0.55, 0.0, 0.0, 0.0, 0.0, 0.0, 1.28, 0.0, 8.00, 0.0],
];

/// Weights of relations in free words: what passages and the reader say.
pub(super) const FREE: [f32; FEATURES] =
    [-3.0, 0.0, 0.0, 0.0, 0.0, 0.3, 0.3, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 4.0, 0.5, 0.0, 0.5, 0.0];
