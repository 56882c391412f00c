//! Exact find: every place where the text reads like the query once folded, across line breaks, soft hyphens and words
//! broken at line ends. Works on the text as it stands, without a folded copy: one rare character of the query is the
//! anchor, found at memchr speed, and the rest is walked forwards and backwards from there.

mod anchor;
mod plain;
mod walk;

use std::ops::Range;

use crate::error::QueryError;
use crate::lexical::fold;
use crate::span::Span;
use anchor::{Anchor, Candidates};
use plain::{ByteVerdict, PlainPattern};

/// Longest query, in folded characters.
pub(super) const MAX_QUERY_CHARS: usize = 1024;

/// A query made ready.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    chars: Vec<char>,
    anchor: Anchor,
    /// The same in bytes, when it is ASCII.
    plain: Option<PlainPattern>,
}

impl Pattern {
    pub fn new(query: &str) -> Result<Pattern, QueryError> {
        let mut chars = fold::fold_str(query);
        if chars.is_empty() {
            // Nothing but marks or invisible characters: then those are what is sought, as they stand.
            chars = query.chars().filter(|c| !c.is_whitespace()).collect();
        }
        if chars.is_empty() {
            return Err(QueryError::Empty);
        }
        if chars.len() > MAX_QUERY_CHARS {
            return Err(QueryError::TooLong { chars: chars.len(), limit: MAX_QUERY_CHARS });
        }
        let anchor = Anchor::choose(&chars);
        let plain = PlainPattern::new(&chars, anchor.index());
        Ok(Pattern { chars, anchor, plain })
    }

    /// How many characters the folded query has; at least one.
    pub fn char_count(&self) -> usize {
        self.chars.len()
    }

    /// All matches, leftmost first, not overlapping.
    pub fn matches<'p, 't>(&'p self, text: &'t str) -> Matches<'p, 't> {
        self.matches_in(text, 0..text.len(), 0)
    }

    /// Matches whose anchor stands in a window of the text, after the end of the match before.
    pub fn matches_in<'p, 't>(
        &'p self,
        text: &'t str,
        window: Range<usize>,
        after: usize,
    ) -> Matches<'p, 't> {
        Matches { pattern: self, text, candidates: Candidates::new(&self.anchor, text, window), after }
    }

    /// The second look: the slice, folded on its own by plain means, must be the query but for spaces and hyphens.
    fn verify(&self, text: &str, span: Span) -> bool {
        let Some(slice) = span.slice(text) else { return false };
        let solid = |c: &char| *c != ' ' && *c != '-';
        let mut wanted = self.chars.iter().copied().filter(solid);
        for c in slice.chars() {
            let folded = fold::fold(c);
            let parts = folded.as_slice();
            // A query of invisible characters is compared as it stands.
            let parts = if parts.is_empty() && fold::is_ignored(self.chars[0]) { &[c][..] } else { parts };
            if parts.iter().copied().filter(solid).any(|part| wanted.next() != Some(part)) {
                return false;
            }
        }
        wanted.next().is_none()
    }
}

/// Iterator over exact matches.
#[derive(Debug)]
pub struct Matches<'p, 't> {
    pattern: &'p Pattern,
    text: &'t str,
    candidates: Candidates<'p, 't>,
    /// End of the match before.
    after: usize,
}

impl Iterator for Matches<'_, '_> {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        while let Some(at) = self.candidates.next() {
            if at < self.after {
                continue;
            }
            if let Some(span) = self.try_at(at) {
                self.after = span.end;
                return Some(span);
            }
        }
        None
    }
}

impl Matches<'_, '_> {
    /// Tries to lay the query over the text with its anchor on the character at `at`.
    fn try_at(&self, at: usize) -> Option<Span> {
        match self.pattern.plain.as_ref().map(|plain| plain.compare_at(self.text, at)) {
            Some(ByteVerdict::Fits(span)) => return (span.start >= self.after).then_some(span),
            Some(ByteVerdict::Never) => return None,
            Some(ByteVerdict::Unsure) | None => {}
        }
        let chars = &self.pattern.chars;
        let c = self.text[at..].chars().next()?;
        let folded = fold::fold(c);
        let parts = if folded.as_slice().is_empty() { &[c][..] } else { folded.as_slice() };
        for (inside, _) in parts.iter().enumerate().filter(|(_, part)| **part == self.pattern.anchor.char()) {
            // The character may fold to several, the anchor being any of them; all must fit.
            let Some(first) = self.pattern.anchor.index().checked_sub(inside) else { continue };
            let next = first + parts.len();
            if chars.get(first..next) != Some(parts) {
                continue;
            }
            let Some(end) = walk::match_forward(self.text, at + c.len_utf8(), chars, next) else { continue };
            let Some(start) = walk::match_backward(self.text, at, chars, first) else { continue };
            let span = Span::new(start, end);
            if start >= self.after && self.pattern.verify(self.text, span) {
                return Some(span);
            }
        }
        None
    }
}
