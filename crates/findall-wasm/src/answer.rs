//! What answers have in common. What travels is `findall_wire::browser::engine`; offsets count UTF-16 units.

use findall::{Document, Span};
use findall_wire::ErrorDetail;

/// Most matches, and entities, in one answer.
pub const MAX_MATCHES: usize = 10_000;

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
