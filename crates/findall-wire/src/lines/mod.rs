//! What the command line prints with `--json`: one line of JSON an event, `{"type": …, "data": {…}}`, or the object alone
//! where a verb writes lines of one sort. Offsets are half-open; `bytes` and `chars` count into the document's text, `source`
//! into the file.

mod ask;
mod find;
mod index;
mod kb;
mod like;
mod list;
mod names;
mod store;

pub use ask::*;
pub use find::*;
pub use index::*;
pub use kb::*;
pub use like::*;
pub use list::*;
pub use names::*;
pub use store::*;

use findall::Span;
use findall::document::{Document, Positions, SourceRange};
use serde::Serialize;

use crate::WireSpan;

/// Where something stands.
#[derive(Debug, Serialize)]
pub struct PlaceLine<'e> {
    /// Bytes into the text.
    pub bytes: WireSpan,
    /// Characters into the text.
    pub chars: WireSpan,
    /// Line of the first character, from 1.
    pub line: usize,
    /// Its column in characters, from 1.
    pub column: usize,
    /// Only in formats that have pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<usize>,
    /// The cell, slide, message, file in an archive or time of a subtitle, in formats that have such.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Empty in formats whose bytes hold no readable text (PDF).
    pub source: Vec<SourceBytes<'e>>,
}

impl<'e> PlaceLine<'e> {
    /// The place of a span.
    pub fn of(document: &'e Document, positions: &Positions<'e>, span: Span) -> Self {
        let Span { start, end } = span;
        let place = positions.line_column(start);
        Self {
            bytes: WireSpan { start, end },
            chars: WireSpan {
                start: positions.char_of(start).unwrap_or_default(),
                end: positions.char_of(end).unwrap_or_default(),
            },
            line: place.map_or(1, |place| place.line),
            column: place.map_or(1, |place| place.column),
            page: positions.page_of(start),
            place: document.place_at(start).map(|place| place.to_string()),
            source: document.source_range(span).iter().map(SourceBytes::of).collect(),
        }
    }
}

/// Bytes of the file, or of one part of an archive.
#[derive(Debug, Serialize)]
pub struct SourceBytes<'e> {
    /// The part of the archive.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<&'e str>,
    /// Where they begin.
    pub start: usize,
    /// Where they have ended.
    pub end: usize,
}

impl<'e> SourceBytes<'e> {
    fn of(range: &SourceRange<'e>) -> Self {
        Self { part: range.part, start: range.bytes.start, end: range.bytes.end }
    }
}

/// A stretch of the text by its bytes, and what stands there.
#[derive(Debug, Serialize)]
pub struct TextLine<'e> {
    /// What.
    pub text: &'e str,
    /// Where it begins.
    pub start: usize,
    /// Where it has ended.
    pub end: usize,
}

impl<'e> TextLine<'e> {
    /// A span of a text.
    pub fn of(text: &'e str, span: Span) -> Self {
        Self { text: span.slice(text).unwrap_or_default(), start: span.start, end: span.end }
    }
}
