//! Puts a document's text together piece by piece, keeping where each piece came from, where blocks end, and which
//! stretches are page furniture. Every structured format writes through this.

use std::ops::Range;

use super::decode::ByteMap;
use super::gaps::TextGaps;
use super::limits::Limits;
use super::places::{PlaceMark, Places};
use super::source::{SourceMap, SourcePart, SourceSegment};
use crate::error::DocumentError;
use crate::span::Span;

/// What a reader of a structured format has gathered.
#[derive(Debug, Default)]
pub(crate) struct TextBuilder {
    text: String,
    segments: Vec<SourceSegment>,
    parts: Vec<SourcePart>,
    breaks: Vec<u32>,
    secondary: Vec<Span>,
    pages: Vec<u32>,
    /// Line ends owed before the next piece of text.
    owed_newlines: usize,
    owed_tab: bool,
    /// Whitespace seen after the last piece, and where; becomes one space if text follows on the same line.
    owed_space: Option<Range<usize>>,
    pub title: Option<String>,
    /// What could not be read.
    pub gaps: TextGaps,
    places: Places,
    /// Waits for the text that stands at it.
    owed_place: Option<PlaceMark>,
    /// Where the parts lie, when they are parts of a file in an archive.
    pub part_prefix: String,
    /// Descriptions of pictures and values of inputs are wanted.
    pub alt_texts: bool,
}

/// What the builder leaves.
#[derive(Debug)]
pub(crate) struct BuiltText {
    pub text: String,
    pub title: Option<String>,
    pub source: SourceMap,
    pub breaks: Vec<u32>,
    pub secondary: Vec<Span>,
    pub pages: Vec<u32>,
    pub gaps: TextGaps,
    pub places: Places,
}

impl TextBuilder {
    /// Starts a part of an archive, or the one file: pieces that follow come from it.
    pub fn start_part(&mut self, name: Option<String>, bytes: ByteMap) {
        let name = match (self.part_prefix.as_str(), name) {
            ("", name) => name,
            (prefix, None) => Some(prefix.to_owned()),
            (prefix, Some(name)) => Some(format!("{prefix}/{name}")),
        };
        // A part that goes on is still the same, so that its map goes forward.
        let goes_on = self.parts.last().is_some_and(|last| {
            let skipped =
                |map: &ByteMap| if let ByteMap::Same { skipped } = map { Some(*skipped) } else { None };
            last.name == name && skipped(&last.bytes).is_some() && skipped(&last.bytes) == skipped(&bytes)
        });
        if !goes_on {
            self.parts.push(SourcePart { text: self.text.len(), name, bytes });
        }
    }

    /// Starts a place at the next piece of text.
    pub fn start_place(&mut self, place: PlaceMark) {
        self.owed_place = Some(place);
    }

    /// Keeps the name of a sheet or of a file in an archive, for the places there.
    pub fn add_place_name(&mut self, name: &str) -> u32 {
        self.places.add_name(name)
    }

    /// Starts a page at the next piece of text.
    #[cfg(any(feature = "pdf", feature = "archives"))]
    pub fn start_page(&mut self) {
        self.end_block(2);
        self.settle();
        self.pages.push(self.text.len() as u32);
    }

    /// Length of the text so far; the limit is checked here because every reader's loop passes by.
    pub fn check(&self, limits: &Limits) -> Result<(), DocumentError> {
        limits.check_text(self.text.len())
    }

    /// True when there is no text but white space.
    #[cfg(feature = "pdf")]
    pub fn is_blank(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// Where the next piece of text would stand at the earliest.
    pub fn position(&self) -> usize {
        self.text.len()
    }

    /// The text from a position on.
    pub fn text_from(&self, start: usize) -> &str {
        self.text.get(start..).unwrap_or_default()
    }

    /// Adds text that stands in the source byte for byte, at `source`.
    pub fn push_verbatim(&mut self, piece: &str, source: usize) {
        self.piece(piece, source..source + piece.len(), true);
    }

    /// Adds text of several lines that stands in the source at `source`.
    pub fn lines(&mut self, piece: &str, source: usize) {
        let mut at = source;
        for line in piece.split_inclusive('\n') {
            let bare = line.trim_end_matches(['\n', '\r']);
            self.push_verbatim(bare, at);
            if bare.len() < line.len() {
                self.line_break(at + bare.len()..at + line.len());
            }
            at += line.len();
        }
    }

    /// Adds text that stands in the source at `source`; runs of white space become one space, as in HTML.
    pub fn push_collapsed(&mut self, piece: &str, source: usize) {
        let mut at = source;
        for word in piece.split_inclusive(|c: char| c.is_ascii_whitespace()) {
            let bare = word.trim_end_matches(|c: char| c.is_ascii_whitespace());
            self.push_verbatim(bare, at);
            if bare.len() < word.len() {
                self.space(at + bare.len()..at + word.len());
            }
            at += word.len();
        }
    }

    /// Adds text that the source spells differently (an entity, an escape).
    pub fn push_replaced(&mut self, piece: &str, source: Range<usize>) {
        self.piece(piece, source, false);
    }

    /// Adds text whose place in the source says nothing to a reader.
    #[cfg(feature = "pdf")]
    pub fn push_inserted(&mut self, piece: &str) {
        self.settle();
        self.text.push_str(piece);
    }

    fn piece(&mut self, piece: &str, source: Range<usize>, verbatim: bool) {
        if piece.is_empty() {
            return;
        }
        self.settle();
        let text = self.text.len() as u32;
        self.text.push_str(piece);
        self.segment(text, piece.len() as u32, source, verbatim);
    }

    fn segment(&mut self, text: u32, text_len: u32, source: Range<usize>, verbatim: bool) {
        let part_start = self.parts.last().map_or(0, |part| part.text);
        let before = self.segments.last().filter(|last| last.text as usize >= part_start);
        // The map must go forward; a parser that reports a place it has passed gives the nearest one after.
        let earliest = before.map_or(0, SourceSegment::source_end);
        let verbatim = verbatim && source.start >= earliest;
        let source = source.start.max(earliest)..source.end.max(earliest);
        let joins = |last: &&mut SourceSegment| {
            verbatim
                && last.verbatim
                && last.text as usize >= part_start
                && last.text_end() == text as usize
                && last.source_end() == source.start
        };
        if let Some(last) = self.segments.last_mut().filter(joins) {
            last.text_len += text_len;
            last.source_len += text_len;
            return;
        }
        self.segments.push(SourceSegment {
            text,
            text_len,
            source: source.start as u32,
            source_len: (source.end - source.start) as u32,
            verbatim,
        });
    }

    /// Notes whitespace of the source that collapses into one space if more text follows in this block.
    pub fn space(&mut self, source: Range<usize>) {
        if self.owed_newlines > 0 || self.owed_tab || self.owed_space.is_some() {
            return;
        }
        if self.text.is_empty() || self.text.ends_with([' ', '\n', '\t']) {
            return;
        }
        self.owed_space = Some(source);
    }

    /// Separates table cells.
    pub fn end_cell(&mut self) {
        self.owed_tab = true;
        self.owed_space = None;
    }

    /// Ends a block: at least this many line ends before the next text, and no sentence runs over.
    pub fn end_block(&mut self, newlines: usize) {
        self.owed_newlines = self.owed_newlines.max(newlines);
        self.owed_tab = false;
        self.owed_space = None;
        let at = self.text.len() as u32;
        if self.breaks.last() != Some(&at) {
            self.breaks.push(at);
        }
    }

    /// Ends a line, but no sentence: the next text stands on a line of its own.
    pub fn end_line(&mut self) {
        self.owed_newlines = self.owed_newlines.max(1);
        self.owed_tab = false;
        self.owed_space = None;
    }

    /// A line end inside a block, as `<br>` gives.
    pub fn line_break(&mut self, source: Range<usize>) {
        self.owed_space = None;
        if self.owed_newlines > 0 || self.text.is_empty() {
            return;
        }
        let text = self.text.len() as u32;
        self.text.push('\n');
        self.segment(text, 1, source, false);
    }

    /// Marks text from `start` to here as page furniture (navigation, footers), not the main text.
    pub fn mark_secondary(&mut self, start: usize) {
        let end = self.text.len();
        if start >= end {
            return;
        }
        match self.secondary.last_mut() {
            // An outer element ends after its inner ones and takes them in.
            Some(last) if last.start >= start => {
                while self.secondary.last().is_some_and(|last| last.start >= start) {
                    self.secondary.pop();
                }
                self.secondary.push(Span::new(start, end));
            }
            Some(last) if last.end >= start => last.end = end,
            _ => self.secondary.push(Span::new(start, end)),
        }
    }

    /// Takes in a text that was put together elsewhere and has no source: all of it when this is the first, else its text
    /// as a block.
    #[cfg(feature = "pdf")]
    pub fn take_in(&mut self, other: TextBuilder) {
        if self.text.is_empty() && self.parts.is_empty() && self.owed_place.is_none() {
            let part_prefix = std::mem::take(&mut self.part_prefix);
            *self = TextBuilder { part_prefix, alt_texts: self.alt_texts, ..other };
            return;
        }
        self.end_block(2);
        self.settle();
        let start = self.text.len() as u32;
        self.text.push_str(&other.text);
        self.breaks.extend(other.breaks.into_iter().map(|at| start + at));
        self.gaps = self.gaps.join(other.gaps);
        self.end_block(2);
    }

    /// Pays what is owed, now that text follows.
    fn settle(&mut self) {
        if self.owed_newlines > 0 {
            if !self.text.is_empty() {
                let standing = self.text.bytes().rev().take_while(|&b| b == b'\n').count();
                for _ in standing..self.owed_newlines {
                    self.text.push('\n');
                }
            }
        } else if self.owed_tab {
            if !self.text.is_empty() && !self.text.ends_with(['\n', '\t']) {
                self.text.push('\t');
            }
        } else if let Some(source) = self.owed_space.take() {
            let text = self.text.len() as u32;
            self.text.push(' ');
            // A lone space is itself; a run of them became one.
            let verbatim = source.len() == 1;
            self.segment(text, 1, source, verbatim);
        }
        self.owed_newlines = 0;
        self.owed_tab = false;
        self.owed_space = None;
        if let Some(place) = self.owed_place.take() {
            self.places.mark(self.text.len(), place);
        }
    }

    /// Closes the text.
    pub fn finish(mut self) -> BuiltText {
        // What stands before the first page belongs to it.
        if let Some(first) = self.pages.first_mut() {
            *first = 0;
        }
        let source = if self.parts.is_empty() {
            SourceMap::None
        } else {
            SourceMap::Pieces { parts: self.parts, segments: self.segments }
        };
        let end = self.text.len() as u32;
        let breaks = self.breaks.into_iter().filter(|&at| at > 0 && at < end).collect();
        let title = self.title.map(|title| title.trim().to_owned()).filter(|title| !title.is_empty());
        BuiltText {
            text: self.text,
            title,
            source,
            breaks,
            secondary: self.secondary,
            pages: self.pages,
            gaps: self.gaps,
            places: self.places,
        }
    }
}
