//! Other ways to say where: characters, UTF-16 units, line and column, page. Exact both ways, from sparse checkpoints,
//! so that a 50 MB text costs kilobytes and no per-character table.

use crate::span::Span;

/// A place as people count: both from 1, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LineColumn {
    /// Line, from 1. A line ends with its `\n`.
    pub line: usize,
    /// Character in the line, from 1.
    pub column: usize,
}

/// Converts between byte offsets into a document's text and other units. Offsets that are out of range or inside a
/// character give `None`.
#[derive(Clone, Copy, Debug)]
pub struct Positions<'d> {
    text: &'d str,
    index: &'d PositionIndex,
    pages: &'d [u32],
}

/// Bytes between checkpoints.
const STRIDE_BYTES: usize = 1024;

/// What has been counted before each checkpoint.
#[derive(Clone, Debug, Default)]
pub(crate) struct PositionIndex {
    checkpoints: Vec<Checkpoint>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Checkpoint {
    byte: u32,
    chars: u32,
    utf16: u32,
    newlines: u32,
    line_start: u32,
}

impl PositionIndex {
    /// One pass over the text.
    pub fn new(text: &str) -> Self {
        let mut checkpoints = Vec::with_capacity(text.len() / STRIDE_BYTES + 1);
        let mut here = Checkpoint::default();
        checkpoints.push(here);
        while (here.byte as usize) + STRIDE_BYTES < text.len() {
            let start = here.byte as usize;
            let end = text.floor_char_boundary(start + STRIDE_BYTES);
            here = here.advance_past(&text[start..end]);
            checkpoints.push(here);
        }
        PositionIndex { checkpoints }
    }

    /// The last checkpoint whose `count` is not past `wanted`.
    fn checkpoint_before(&self, wanted: usize, count: impl Fn(&Checkpoint) -> u32) -> Checkpoint {
        let at = self.checkpoints.partition_point(|checkpoint| count(checkpoint) as usize <= wanted);
        self.checkpoints[at.saturating_sub(1)]
    }
}

impl Checkpoint {
    fn advance_past(self, piece: &str) -> Checkpoint {
        let bytes = piece.as_bytes();
        let chars = piece.chars().count() as u32;
        let wide = bytes.iter().filter(|&&b| b >= 0xF0).count() as u32;
        Checkpoint {
            byte: self.byte + bytes.len() as u32,
            chars: self.chars + chars,
            utf16: self.utf16 + chars + wide,
            newlines: self.newlines + memchr::memchr_iter(b'\n', bytes).count() as u32,
            line_start: memchr::memrchr(b'\n', bytes).map_or(self.line_start, |at| self.byte + at as u32 + 1),
        }
    }
}

impl<'d> Positions<'d> {
    pub(crate) fn new(text: &'d str, index: &'d PositionIndex, pages: &'d [u32]) -> Self {
        Positions { text, index, pages }
    }

    fn at(&self, byte: usize) -> Option<Checkpoint> {
        if !self.text.is_char_boundary(byte) {
            return None;
        }
        let before = self.index.checkpoint_before(byte, |checkpoint| checkpoint.byte);
        Some(before.advance_past(&self.text[before.byte as usize..byte]))
    }

    /// How many characters stand before this byte.
    pub fn char_of(&self, byte: usize) -> Option<usize> {
        Some(self.at(byte)?.chars as usize)
    }

    /// Where the character with this number starts; the number of all characters gives the end of the text.
    pub fn byte_of_char(&self, wanted: usize) -> Option<usize> {
        let before = self.index.checkpoint_before(wanted, |checkpoint| checkpoint.chars);
        let start = before.byte as usize;
        let rest = &self.text[start..];
        let skipped = wanted - before.chars as usize;
        let mut chars = rest.char_indices();
        match chars.nth(skipped) {
            Some((at, _)) => Some(start + at),
            None => (rest.chars().count() == skipped).then_some(self.text.len()),
        }
    }

    /// How many UTF-16 units stand before this byte.
    pub fn utf16_of(&self, byte: usize) -> Option<usize> {
        Some(self.at(byte)?.utf16 as usize)
    }

    /// The byte at this UTF-16 offset; `None` between two surrogates.
    pub fn byte_of_utf16(&self, wanted: usize) -> Option<usize> {
        let before = self.index.checkpoint_before(wanted, |checkpoint| checkpoint.utf16);
        let mut utf16 = before.utf16 as usize;
        let start = before.byte as usize;
        for (at, c) in self.text[start..].char_indices() {
            if utf16 >= wanted {
                return (utf16 == wanted).then_some(start + at);
            }
            utf16 += c.len_utf16();
        }
        (utf16 == wanted).then_some(self.text.len())
    }

    /// The line of this byte, from 1. Cheaper than [`line_column`](Self::line_column).
    pub fn line_of(&self, byte: usize) -> Option<usize> {
        if !self.text.is_char_boundary(byte) {
            return None;
        }
        let before = self.index.checkpoint_before(byte, |checkpoint| checkpoint.byte);
        let since = &self.text.as_bytes()[before.byte as usize..byte];
        Some((before.newlines as usize) + memchr::memchr_iter(b'\n', since).count() + 1)
    }

    /// Line and column of this byte.
    pub fn line_column(&self, byte: usize) -> Option<LineColumn> {
        let here = self.at(byte)?;
        let line_start = self.at(here.line_start as usize)?;
        let column = (here.chars - line_start.chars) as usize + 1;
        Some(LineColumn { line: here.newlines as usize + 1, column })
    }

    /// The byte at this line and column; `None` past the end of the line.
    pub fn byte_of(&self, place: LineColumn) -> Option<usize> {
        let line = self.line_span(place.line)?;
        let first = self.char_of(line.start)?;
        let byte = self.byte_of_char(first.checked_add(place.column.checked_sub(1)?)?)?;
        let is_last = line.end == self.text.len() && !line.slice(self.text)?.ends_with('\n');
        (byte < line.end || is_last && byte == line.end).then_some(byte)
    }

    /// Number of lines; an empty text has one.
    pub fn line_count(&self) -> usize {
        self.at(self.text.len()).map_or(1, |end| end.newlines as usize + 1)
    }

    /// The line with this number, from 1, its `\n` included.
    pub fn line_span(&self, line: usize) -> Option<Span> {
        let ends_before = line.checked_sub(1)?;
        let start = if ends_before == 0 { 0 } else { self.after_newline(ends_before)? };
        let end = self.after_newline(line).unwrap_or(self.text.len());
        Some(Span::new(start, end))
    }

    /// The byte after the newline with this number, from 1; only one stride of text is looked at.
    fn after_newline(&self, number: usize) -> Option<usize> {
        let checkpoints = &self.index.checkpoints;
        let at = checkpoints.partition_point(|checkpoint| (checkpoint.newlines as usize) < number);
        let before = checkpoints[at.checked_sub(1)?];
        let start = before.byte as usize;
        let skipped = number - before.newlines as usize - 1;
        Some(start + memchr::memchr_iter(b'\n', &self.text.as_bytes()[start..]).nth(skipped)? + 1)
    }

    /// The page that holds this byte, from 1; `None` for formats without pages.
    pub fn page_of(&self, byte: usize) -> Option<usize> {
        if self.pages.is_empty() || !self.text.is_char_boundary(byte) {
            return None;
        }
        Some(self.pages.partition_point(|&start| start as usize <= byte).max(1))
    }

    /// Number of pages; zero for formats without pages.
    pub fn page_count(&self) -> usize {
        self.pages.len()
    }

    /// The text of the page with this number, from 1.
    pub fn page_span(&self, page: usize) -> Option<Span> {
        let at = page.checked_sub(1)?;
        let start = *self.pages.get(at)? as usize;
        let end = self.pages.get(at + 1).map_or(self.text.len(), |&next| next as usize);
        Some(Span::new(start, end))
    }
}
