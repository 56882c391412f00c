//! From text back to the file: which source bytes each stretch of a document's text was made from.

use std::ops::Range;

use super::decode::ByteMap;
use crate::span::Span;

/// A stretch of the source: a byte range in the file, or in one part of it when the file is an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceRange<'d> {
    /// The archive's part, e.g. `OEBPS/chapter1.xhtml`; `None` when the file is not an archive.
    pub part: Option<&'d str>,
    /// Bytes of the file or part.
    pub bytes: Range<usize>,
}

/// A stretch of text and the decoded source that it was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SourceSegment {
    pub text: u32,
    pub text_len: u32,
    pub source: u32,
    pub source_len: u32,
    /// True when text and source agree byte for byte, so that parts of one map to parts of the other.
    pub verbatim: bool,
}

/// One source: the whole file, or an archive's part; its text starts at `text`.
#[derive(Clone, Debug)]
pub(crate) struct SourcePart {
    pub text: usize,
    pub name: Option<String>,
    pub bytes: ByteMap,
}

/// The whole map of a document.
#[derive(Clone, Debug)]
pub(crate) enum SourceMap {
    /// The text was made without a source that offsets make sense for (PDF content streams).
    None,
    /// The text is the decoded file.
    Whole(ByteMap),
    /// The text was picked from the decoded source piece by piece, in source order within each part.
    Pieces { parts: Vec<SourcePart>, segments: Vec<SourceSegment> },
}

impl SourceMap {
    /// Source ranges of a span, in text order, neighbours joined. Text that the reader put in (line breaks between
    /// blocks) has none.
    pub fn ranges(&self, span: Span) -> Vec<SourceRange<'_>> {
        match self {
            SourceMap::None => Vec::new(),
            SourceMap::Whole(bytes) => {
                vec![SourceRange { part: None, bytes: bytes.source(span.start..span.end) }]
            }
            SourceMap::Pieces { parts, segments } => pieces(parts, segments, span),
        }
    }
}

fn pieces<'d>(parts: &'d [SourcePart], segments: &[SourceSegment], span: Span) -> Vec<SourceRange<'d>> {
    let first = segments.partition_point(|segment| segment.text_end() <= span.start);
    let mut ranges: Vec<SourceRange<'d>> = Vec::new();
    let mut last_part = usize::MAX;
    for segment in segments[first..].iter().take_while(|segment| (segment.text as usize) < span.end) {
        let at = parts.partition_point(|part| part.text <= segment.text as usize).saturating_sub(1);
        let Some(part) = parts.get(at) else { continue };
        let bytes = part.bytes.source(segment.source_of(span));
        match ranges.last_mut() {
            Some(last) if last_part == at && last.bytes.end == bytes.start => last.bytes.end = bytes.end,
            _ => ranges.push(SourceRange { part: part.name.as_deref(), bytes }),
        }
        last_part = at;
    }
    ranges
}

impl SourceSegment {
    pub fn text_end(&self) -> usize {
        (self.text + self.text_len) as usize
    }

    pub fn source_end(&self) -> usize {
        (self.source + self.source_len) as usize
    }

    /// The part of the source that the part of the text inside `span` came from.
    fn source_of(&self, span: Span) -> Range<usize> {
        let (start, end) = (self.source as usize, self.source_end());
        if !self.verbatim {
            return start..end;
        }
        let cut_front = span.start.saturating_sub(self.text as usize);
        let cut_back = self.text_end().saturating_sub(span.end);
        start + cut_front..end - cut_back
    }
}
