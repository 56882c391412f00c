//! What leaves: the same JSON as the server's (`findall-wire`), and what threads tell each other. Offsets count UTF-16 units.

use findall::{Document, Span};
use findall_wire::{ErrorDetail, FindResponse};
use serde::Serialize;

use crate::shared::{Outcome, Task};

/// Most matches, and entities, in one answer.
pub const MAX_MATCHES: usize = 10_000;

/// An answer to a request.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Answer {
    Opened { ready: bool },
    Read { document: String, read: usize, total: usize, whole: bool, wanted: Vec<Task> },
    Wanted { wanted: Vec<Task> },
    Done { done: Vec<(Task, Outcome)> },
    Learned { learned: bool },
    Found(FindResponse),
    Failed { error: ErrorDetail },
}

/// What happened and what to do.
pub fn failure(code: &str, message: impl Into<String>) -> ErrorDetail {
    ErrorDetail { code: code.to_owned(), message: message.into() }
}

/// The span of UTF-16 units; what lies outside of the text is cut off.
pub fn span(document: &Document, (start, end): (usize, usize)) -> Span {
    let positions = document.positions();
    let byte = |unit| positions.byte_of_utf16(unit).unwrap_or(document.text().len());
    let start = byte(start);
    Span::new(start, byte(end).max(start))
}
