//! Offsets at the edge: bytes into a document's text become what the client counts in, and come back checked.

use findall::Span;
use findall::document::Positions;

use crate::{Offsets, WireSpan};

/// A span that is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("span {start}..{end} is no stretch of the document's text; check it and the unit in \"offsets\"")]
pub struct SpanError {
    start: usize,
    end: usize,
}

/// Converts the spans of one document.
#[derive(Clone, Copy)]
pub struct Converter<'d> {
    positions: Positions<'d>,
    unit: Offsets,
}

impl<'d> Converter<'d> {
    /// A converter into `unit`.
    pub fn new(positions: Positions<'d>, unit: Offsets) -> Self {
        Self { positions, unit }
    }

    /// The span as the client counts. The engine only hands out spans that stand on characters of the text.
    pub fn to_wire_span(&self, span: Span) -> WireSpan {
        let convert = |byte: usize| {
            let converted = match self.unit {
                Offsets::Bytes => Some(byte),
                Offsets::Chars => self.positions.char_of(byte),
                Offsets::Utf16 => self.positions.utf16_of(byte),
            };
            debug_assert!(converted.is_some(), "{byte} is inside a character");
            converted.unwrap_or_default()
        };
        WireSpan { start: convert(span.start), end: convert(span.end) }
    }

    /// The client's span in bytes; refused when it is empty, backwards, out of range or inside a character.
    pub fn to_byte_span(&self, span: WireSpan, text: &str) -> Result<Span, SpanError> {
        let convert = |offset: usize| match self.unit {
            Offsets::Bytes => Some(offset),
            Offsets::Chars => self.positions.byte_of_char(offset),
            Offsets::Utf16 => self.positions.byte_of_utf16(offset),
        };
        match (convert(span.start), convert(span.end)) {
            (Some(start), Some(end)) if start < end && text.get(start..end).is_some() => {
                Ok(Span::new(start, end))
            }
            _ => Err(SpanError { start: span.start, end: span.end }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use findall::Document;

    #[test]
    fn every_unit_goes_out_and_comes_back() {
        let document = Document::from_text("é😀 WeChat");
        let text = document.text();
        let span = Span::new(text.find("WeChat").unwrap(), text.len());
        for (unit, start, end) in [(Offsets::Bytes, 7, 13), (Offsets::Chars, 3, 9), (Offsets::Utf16, 4, 10)] {
            let converter = Converter::new(document.positions(), unit);
            let wire = converter.to_wire_span(span);
            assert_eq!((wire.start, wire.end), (start, end), "{unit:?}");
            assert_eq!(converter.to_byte_span(wire, text), Ok(span), "{unit:?}");
        }
    }

    #[test]
    fn a_span_that_is_none_is_refused() {
        let document = Document::from_text("é😀");
        let back = |unit, start, end| {
            Converter::new(document.positions(), unit).to_byte_span(WireSpan { start, end }, document.text())
        };
        assert!(back(Offsets::Bytes, 1, 2).is_err(), "inside é");
        assert!(back(Offsets::Utf16, 1, 2).is_err(), "between surrogates");
        assert!(back(Offsets::Chars, 0, 3).is_err(), "past the end");
        assert!(back(Offsets::Chars, 1, 1).is_err(), "empty");
        assert!(back(Offsets::Chars, 2, 1).is_err(), "backwards");
        assert!(back(Offsets::Chars, 0, usize::MAX).is_err());
        assert!(back(Offsets::Utf16, 1, 3).is_ok());
    }
}
