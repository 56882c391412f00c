//! The search by letters. Places found are too many for JSON: they lie in memory as numbers.

use serde::{Deserialize, Serialize};

use crate::WireCorrection;

/// A request to the search by letters.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "call", rename_all = "lowercase")]
pub enum LettersRequest {
    /// What the numbers of kinds mean.
    Kinds,
    /// Begins a search; the one before is given up.
    Seek {
        /// What is looked for.
        query: String,
        /// Nothing but the query itself: no other spelling.
        #[serde(default)]
        literal: bool,
        /// Capital letters count.
        #[serde(default)]
        case: bool,
        /// Whole words only.
        #[serde(default)]
        words: bool,
    },
    /// What came of a search that has nothing left to do, beside its places.
    Finish,
    /// Words of the page and headings that continue what was typed.
    Suggest {
        /// What was typed.
        typed: String,
        /// The page's headings.
        headings: Vec<String>,
    },
}

/// An answer of the search by letters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum LettersAnswer {
    /// To `kinds`.
    Kinds {
        /// Every kind; its number is its place.
        kinds: Vec<LettersKind>,
    },
    /// To `seek`.
    Sought {
        /// False when there is nothing to look for, or far too much.
        sought: bool,
    },
    /// To `finish`.
    Found {
        /// What was searched for instead of what was typed.
        correction: Option<WireCorrection>,
    },
    /// To `suggest`.
    Suggested(SuggestedLetters),
    /// To what cannot be answered.
    Failed {
        /// What happened.
        error: String,
    },
}

/// A kind of place in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LettersKind {
    /// True for the query's own words.
    pub exact: bool,
    /// Why such a place is found.
    pub why: &'static str,
}

/// What continues what was typed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SuggestedLetters {
    /// Which of the headings.
    pub headings: Vec<usize>,
    /// Words of the page.
    pub words: Vec<String>,
}
