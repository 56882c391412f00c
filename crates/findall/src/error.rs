//! What can go wrong while reading documents and queries. Each message says what to do; the caller adds the file's name.

use std::time::Duration;

use crate::document::{Format, TextGaps};

/// Why bytes could not become a [`Document`](crate::Document).
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
pub enum DocumentError {
    /// Nothing that reads as text; not a format this engine knows.
    #[error("binary file, not searched; pass the text format explicitly to search it anyway")]
    Binary,
    /// A format that is known but not read.
    #[error("{name}, which is not read; {instead} and search that")]
    Legacy {
        /// What it is.
        name: &'static str,
        /// What to do.
        instead: &'static str,
    },
    /// This build reads no such files.
    #[error("this findall was built without {format} support; use one built with the default features")]
    NotBuilt {
        /// The format asked for.
        format: Format,
    },
    /// A guard on size stopped the work.
    #[error("{what} is {size}, over the limit of {limit}; raise the limit or split the file")]
    TooLarge {
        /// What was measured, e.g. `file size`.
        what: &'static str,
        /// How much there is (or at least is).
        size: u64,
        /// How much is allowed.
        limit: u64,
    },
    /// An archive that unpacks to far more than it weighs.
    #[error("looks like a zip bomb ({detail}); refused, unpack it yourself if you trust it")]
    ZipBomb {
        /// Which guard tripped.
        detail: String,
    },
    /// The file asks for a password.
    #[error("this {format} file is password-protected; save a copy without the password and search that")]
    Encrypted {
        /// The format read.
        format: Format,
    },
    /// The file breaks the rules of its format beyond repair.
    #[error("damaged or truncated {format} file ({detail}); fetch or export it again")]
    Damaged {
        /// The format read.
        format: Format,
        /// What was wrong.
        detail: String,
    },
    /// The file is sound, but nothing in it can be read as text.
    #[error("no text in this file can be read: {gaps}")]
    NoText {
        /// Why, and how many pages.
        gaps: TextGaps,
    },
    /// Parsing took longer than allowed.
    #[error("reading this {format} file took over {}s; raise the time limit or split the file", limit.as_secs())]
    TimedOut {
        /// The format read.
        format: Format,
        /// The limit.
        limit: Duration,
    },
}

/// Why a query cannot be searched for.
#[derive(Debug, thiserror::Error, Clone, Copy, PartialEq, Eq)]
pub enum QueryError {
    /// Nothing but whitespace.
    #[error("the query is empty; give at least one letter, digit or sign")]
    Empty,
    /// Longer than any phrase a person would look for.
    #[error("the query has {chars} characters, more than {limit}; search for a shorter part of it")]
    TooLong {
        /// Length in characters.
        chars: usize,
        /// Longest allowed.
        limit: usize,
    },
}
