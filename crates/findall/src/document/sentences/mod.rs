//! Text to sentences: blocks first (blank lines, list items, the breaks that markup gives), then terminators within
//! each block, with abbreviations, initials, quotes and ellipses minded. Linear in the text.

mod abbreviations;
mod blocks;

use crate::span::Span;
use abbreviations::Abbreviation;

/// No sentence is longer than this, in characters; tables and code without a full stop are cut at a space.
pub(crate) const MAX_SENTENCE_CHARS: usize = 1000;

/// Splits a text; `breaks` are offsets that no sentence runs over. Sentences are trimmed, in order, not overlapping,
/// and cover everything but whitespace.
pub(crate) fn split(text: &str, breaks: &[u32]) -> Vec<Span> {
    let mut sentences = Vec::with_capacity(text.len() / 100);
    for block in blocks::Blocks::new(text, breaks) {
        split_block(text, block, &mut sentences);
    }
    sentences
}

fn split_block(text: &str, block: Span, sentences: &mut Vec<Span>) {
    let content = &text[block.start..block.end];
    let bytes = content.as_bytes();
    let mut start = 0;
    let mut at = 0;
    while let Some(found) = next_terminator(bytes, at) {
        let terminators =
            content[found..].chars().take_while(|&c| is_terminator(c)).map(char::len_utf8).sum::<usize>();
        if terminators == 0 {
            // A byte that only looked like the lead of a terminator.
            at = content.ceil_char_boundary(found + 1);
            continue;
        }
        let mut end = found + terminators;
        end += closers(&content[end..]);
        if ends_sentence(content, start, found, terminators, end) {
            push(text, Span::new(block.start + start, block.start + end), sentences);
            start = end;
        }
        at = end;
    }
    push(text, Span::new(block.start + start, block.end), sentences);
}

/// Candidate bytes: `.`, `!`, `?`, or the first byte of `…` `。` `！` `？` `؟` `।`.
fn next_terminator(bytes: &[u8], from: usize) -> Option<usize> {
    bytes[from..]
        .iter()
        .position(|b| matches!(b, b'.' | b'!' | b'?' | 0xE2 | 0xE3 | 0xEF | 0xD8 | 0xE0))
        .map(|at| from + at)
}

fn is_terminator(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…' | '‼' | '⁇' | '⁈' | '⁉' | '؟' | '।') || is_wide_terminator(c)
}

/// East Asian full stops end a sentence without a space after them.
fn is_wide_terminator(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '｡')
}

/// Length of what belongs to the sentence after its terminator: closing quotes and brackets, reference marks `[12]`.
fn closers(rest: &str) -> usize {
    let mut length = 0;
    loop {
        let here = &rest[length..];
        let Some(c) = here.chars().next() else { return length };
        if matches!(c, '"' | '\'' | '”' | '’' | '»' | ')' | ']' | '}' | '」' | '』' | '›' | '）' | '*' | '_')
        {
            length += c.len_utf8();
        } else if let Some(mark) = reference_mark(here) {
            length += mark;
        } else {
            return length;
        }
    }
}

/// Length of `[12]` or `[a]` at the start.
fn reference_mark(rest: &str) -> Option<usize> {
    let inside = rest.strip_prefix('[')?;
    let close = inside.bytes().take(5).position(|b| b == b']')?;
    inside[..close].bytes().all(|b| b.is_ascii_alphanumeric()).then_some(close + 2)
}

/// Judges the terminators at `found` in a sentence that began at `start`; `end` is after its closers.
fn ends_sentence(content: &str, start: usize, found: usize, terminators: usize, end: usize) -> bool {
    let marks = &content[found..found + terminators];
    if marks.chars().any(is_wide_terminator) {
        return true;
    }
    let after = &content[end..];
    let Some(next) = after.chars().next() else { return true };
    if !next.is_whitespace() {
        return false;
    }
    let following = after.trim_start();
    let opening =
        following.trim_start_matches(['"', '\'', '“', '‘', '«', '(', '[', '¿', '¡', '*', '_', '—', '-', '–']);
    let Some(first) = opening.chars().next() else { return true };
    // "Stop!" he said. And … so on.
    if first.is_lowercase() {
        return false;
    }
    if marks != "." {
        return true;
    }
    let before = &content[start..found];
    match abbreviations::classify(before) {
        Abbreviation::None => true,
        Abbreviation::Never => false,
        Abbreviation::BeforeNumber => !first.is_ascii_digit(),
        Abbreviation::Sometimes => end > found + 1 || abbreviations::starts_sentence(opening),
    }
}

/// Adds a span without its outer whitespace, cut when too long.
fn push(text: &str, span: Span, sentences: &mut Vec<Span>) {
    for piece in pieces(text, span, MAX_SENTENCE_CHARS) {
        sentences.push(piece);
    }
}

/// Cuts a span into trimmed pieces of at most `longest` characters, at spaces where there are any.
pub(crate) fn pieces(text: &str, span: Span, longest: usize) -> Pieces<'_> {
    Pieces { text, rest: span, longest: longest.max(1) }
}

/// See [`pieces`].
pub(crate) struct Pieces<'t> {
    text: &'t str,
    rest: Span,
    longest: usize,
}

impl Iterator for Pieces<'_> {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        let rest = trim(self.text, self.rest);
        if rest.is_empty() {
            return None;
        }
        let content = &self.text[rest.start..rest.end];
        let cut = match content.char_indices().nth(self.longest) {
            None => content.len(),
            Some((limit, _)) => {
                content[..limit].rfind(char::is_whitespace).filter(|&at| at > 0).unwrap_or(limit)
            }
        };
        self.rest = Span::new(rest.start + cut, rest.end);
        Some(trim(self.text, Span::new(rest.start, rest.start + cut)))
    }
}

/// The span without whitespace at its ends.
pub(crate) fn trim(text: &str, span: Span) -> Span {
    let content = &text[span.start..span.end];
    let front = content.len() - content.trim_start().len();
    let trimmed = content.trim();
    Span::new(span.start + front, span.start + front + trimmed.len())
}
