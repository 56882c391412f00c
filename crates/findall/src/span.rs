//! The one coordinate: a byte range into `Document::text`, always on char boundaries.

/// A half-open byte range into a document's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// A span from `start` to `end`; the caller vouches that `start <= end`.
    pub fn new(start: usize, end: usize) -> Self {
        debug_assert!(start <= end);
        Self { start, end }
    }

    /// Length in bytes.
    pub fn len(&self) -> usize {
        self.end - self.start
    }

    /// True when nothing is covered.
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// The text covered, or `None` when the span is out of range or off a char boundary.
    pub fn slice<'t>(&self, text: &'t str) -> Option<&'t str> {
        text.get(self.start..self.end)
    }

    /// The same range `offset` bytes later.
    pub fn shifted(&self, offset: usize) -> Self {
        Self { start: self.start + offset, end: self.end + offset }
    }

    /// True when the two ranges share at least one byte.
    pub fn overlaps(&self, other: &Span) -> bool {
        self.start < other.end && other.start < self.end
    }
}
