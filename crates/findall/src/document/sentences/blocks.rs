//! Text to blocks: stretches that no sentence leaves. A block ends at a blank line, a form feed, before a list item,
//! and wherever the document's markup says.

use crate::span::Span;

/// Blocks of a text, in order.
pub(super) struct Blocks<'t> {
    text: &'t str,
    breaks: &'t [u32],
    start: usize,
}

impl<'t> Blocks<'t> {
    pub fn new(text: &'t str, breaks: &'t [u32]) -> Self {
        Blocks { text, breaks, start: 0 }
    }
}

impl Iterator for Blocks<'_> {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        let start = self.start;
        if start >= self.text.len() {
            return None;
        }
        while self.breaks.first().is_some_and(|&at| at as usize <= start) {
            self.breaks = &self.breaks[1..];
        }
        let limit =
            self.breaks.first().map_or(self.text.len(), |&at| self.text.floor_char_boundary(at as usize));
        let end = block_end(&self.text.as_bytes()[start..limit]) + start;
        self.start = end;
        Some(Span::new(start, end))
    }
}

/// Length of the first block: up to a line end that is followed by a blank line or a list item.
fn block_end(bytes: &[u8]) -> usize {
    for at in memchr::memchr2_iter(b'\n', b'\x0c', bytes) {
        let rest = &bytes[at + 1..];
        if bytes[at] == b'\x0c' || starts_blank(rest) || starts_item(rest) {
            return at + 1;
        }
    }
    bytes.len()
}

fn starts_blank(rest: &[u8]) -> bool {
    // Only so far: a line of many spaces is blank enough, and the scan stays linear.
    let spaces = rest.iter().take(64).take_while(|b| matches!(b, b' ' | b'\t' | b'\r')).count();
    spaces == 64 || matches!(rest.get(spaces), None | Some(b'\n'))
}

/// `- item`, `* item`, `• item`, `1. item`, `2) item`, `a) item`.
fn starts_item(rest: &[u8]) -> bool {
    let indent = rest.iter().take(32).take_while(|b| matches!(b, b' ' | b'\t')).count();
    let line = &rest[indent..];
    let spaced = |at: usize| matches!(line.get(at), Some(b' ' | b'\t'));
    match line.first() {
        Some(b'-' | b'*' | b'+') => spaced(1),
        Some(0xE2) => line.starts_with("•".as_bytes()) || line.starts_with("‣".as_bytes()),
        Some(b'0'..=b'9') => {
            let digits = line.iter().take(4).take_while(|b| b.is_ascii_digit()).count();
            // A line that wrapped before "1984." is prose; lists seldom count past 99.
            digits <= 2 && matches!(line.get(digits), Some(b'.' | b')')) && spaced(digits + 1)
        }
        Some(b'a'..=b'z' | b'A'..=b'Z') => line.get(1) == Some(&b')') && spaced(2),
        _ => false,
    }
}
