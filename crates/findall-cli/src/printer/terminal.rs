//! Text from strangers on a terminal: control characters are shown instead of obeyed, and lines longer than a
//! person reads are cut to what surrounds the matches.

use findall::Span;

/// Longest line shown whole, in bytes.
const MAX_SHOWN_LINE_BYTES: usize = 240;
/// What is kept on each side of a match in a longer one, in bytes.
const MAX_BYTES_AROUND_MATCH: usize = 80;

/// Appends `text`; with `shield`, escape sequences and other controls become visible signs.
pub fn push(out: &mut Vec<u8>, text: &str, shield: bool) {
    if !shield || !text.chars().any(is_driving) {
        out.extend_from_slice(text.as_bytes());
        return;
    }
    let mut buffer = [0; 4];
    for c in text.chars().map(make_visible) {
        out.extend_from_slice(c.encode_utf8(&mut buffer).as_bytes());
    }
}

/// `text` on one line that cannot drive a terminal.
pub fn to_safe_line(text: &str) -> String {
    text.chars().map(|c| if c.is_whitespace() { ' ' } else { make_visible(c) }).collect()
}

/// Controls except the tab, and the marks that reorder what follows them on the screen.
fn is_driving(c: char) -> bool {
    (c.is_control() && c != '\t') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn make_visible(c: char) -> char {
    match c {
        c if !is_driving(c) => c,
        '\0'..='\x1f' => char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}'),
        _ => '\u{fffd}',
    }
}

/// The pieces of `line` worth showing: all of it, or when it is long what surrounds `spans` (in text order).
pub fn excerpt(text: &str, line: Span, spans: impl Iterator<Item = Span>) -> Vec<Span> {
    if line.len() <= MAX_SHOWN_LINE_BYTES {
        return vec![line];
    }
    let mut pieces: Vec<Span> = Vec::new();
    for span in spans {
        let (first, last) = (span.start.max(line.start), span.end.min(line.end));
        let start = text.floor_char_boundary(first.saturating_sub(MAX_BYTES_AROUND_MATCH)).max(line.start);
        let end = text.ceil_char_boundary((last + MAX_BYTES_AROUND_MATCH).min(line.end));
        // Whole words, where there are any: text without spaces is cut where it must be.
        let start = match text.get(start..first).unwrap_or_default().find(' ') {
            Some(space) if start > line.start => start + space + 1,
            _ => start,
        };
        let end = match text.get(last..end).unwrap_or_default().rfind(' ') {
            Some(space) if end < line.end => last + space,
            _ => end,
        };
        match pieces.last_mut() {
            Some(last) if start <= last.end => last.end = last.end.max(end),
            _ => pieces.push(Span::new(start, end)),
        }
    }
    if pieces.is_empty() {
        pieces.push(Span::new(line.start, text.floor_char_boundary(line.start + MAX_SHOWN_LINE_BYTES / 2)));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_shown_not_obeyed() {
        let mut out = Vec::new();
        push(&mut out, "a\x1b[2Jb\tc\u{202e}d", true);
        assert_eq!(String::from_utf8(out).unwrap(), "a␛[2Jb\tc\u{fffd}d");
    }

    #[test]
    fn without_a_terminal_bytes_pass_unchanged() {
        let mut out = Vec::new();
        push(&mut out, "a\x1bb", false);
        assert_eq!(out, b"a\x1bb");
    }

    #[test]
    fn long_lines_are_cut_around_the_matches_on_char_boundaries() {
        let text = "é".repeat(1000);
        let line = Span::new(0, text.len());
        let spans = [Span::new(500, 502), Span::new(520, 522), Span::new(1800, 1802)];
        let pieces = excerpt(&text, line, spans.into_iter());
        assert_eq!(pieces, [Span::new(420, 602), Span::new(1720, 1882)]);
        assert_eq!(excerpt(&text, line, std::iter::empty()), [Span::new(0, 120)]);
        let words = "word ".repeat(100);
        let piece = excerpt(&words, Span::new(0, words.len()), [Span::new(250, 254)].into_iter())[0];
        assert_eq!((piece.start % 5, piece.end % 5), (0, 4), "whole words");
        assert!(excerpt(&text, line, [Span::new(1, 3)].into_iter()).iter().all(|p| p.slice(&text).is_some()));
    }
}
