//! How a document is read, beyond its format.

use super::limits::Limits;

/// Limits, and what is read beside the text that is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// How much a document may cost.
    pub limits: Limits,
    /// Read the descriptions of pictures and the values of inputs, too, which HTML holds and does not show as text.
    pub alt_texts: bool,
}
