//! Walks the text beside the folded query, one way or the other. The text may hold more than the query: whitespace
//! runs for its spaces, invisible characters anywhere, and a hyphen with a line end inside its words.

use crate::lexical::fold::{fold, is_ignored, is_mark, is_space};

/// Longest run of whitespace or invisible characters that a phrase may hold, in bytes. Keeps the walk linear.
const MAX_GAP_BYTES: usize = 512;

/// Matches `pattern[index..]` from byte `at` on; gives the end of the match, with marks on its last character.
pub(super) fn match_forward(text: &str, mut at: usize, pattern: &[char], mut index: usize) -> Option<usize> {
    while let Some(&wanted) = pattern.get(index) {
        // A hyphen of the query may stand at a line end: the break after it is not a space.
        if wanted != ' ' && index > 0 && pattern[index - 1] == '-' {
            at = line_break_end(text, at).unwrap_or(at);
        }
        let c = text[at..].chars().next()?;
        if wanted == ' ' {
            at = gap_end(text, at)?;
            index += 1;
            continue;
        }
        if c == wanted && c.is_ascii() {
            at += 1;
            index += 1;
        } else if index > 0 && is_hyphen(c) && wanted != '-' {
            let broken = wanted.is_alphanumeric() && pattern[index - 1].is_alphanumeric();
            match line_break_end(text, at + c.len_utf8()).filter(|_| broken) {
                Some(end) => at = end,
                // A soft hyphen within a line shows nothing.
                None if c == '\u{ad}' => at = ignored_end(text, at)?,
                None => return None,
            }
            continue;
        } else if is_ignored(c) && c != wanted {
            at = ignored_end(text, at)?;
            continue;
        } else {
            let folded = fold(c);
            let parts = if c == wanted { &[c][..] } else { folded.as_slice() };
            if parts.is_empty() || pattern.get(index..index + parts.len()) != Some(parts) {
                return None;
            }
            at += c.len_utf8();
            index += parts.len();
        }
    }
    let marks: usize = text[at..].chars().take_while(|&c| is_mark(c)).map(char::len_utf8).sum();
    Some(at + marks)
}

/// Matches `pattern[..index]` ending at byte `at`; gives the start of the match.
pub(super) fn match_backward(text: &str, mut at: usize, pattern: &[char], mut index: usize) -> Option<usize> {
    while let Some(&wanted) = index.checked_sub(1).and_then(|last| pattern.get(last)) {
        let c = text[..at].chars().next_back()?;
        if wanted == ' ' {
            at = gap_start(text, at)?;
            index -= 1;
            continue;
        }
        if is_space(c) {
            // Only a line end after a hyphen can stand inside a word.
            at = line_break_start(text, at)?;
            let hyphen = text[..at].chars().next_back()?;
            if !is_hyphen(hyphen) {
                return None;
            }
            if wanted != '-' {
                if !wanted.is_alphanumeric() || !pattern.get(index).is_some_and(|next| next.is_alphanumeric())
                {
                    return None;
                }
                at -= hyphen.len_utf8();
            }
            continue;
        }
        if c == wanted && c.is_ascii() {
            at -= 1;
            index -= 1;
        } else if is_ignored(c) && c != wanted {
            at = ignored_start(text, at)?;
        } else {
            let folded = fold(c);
            let parts = if c == wanted { &[c][..] } else { folded.as_slice() };
            let first = index.checked_sub(parts.len())?;
            if parts.is_empty() || &pattern[first..index] != parts {
                return None;
            }
            at -= c.len_utf8();
            index = first;
        }
    }
    Some(at)
}

fn is_hyphen(c: char) -> bool {
    matches!(c, '-' | '\u{2010}' | '\u{2011}' | '\u{ad}')
}

/// End of a run that holds whitespace (at most one blank line's worth) and invisible characters.
fn gap_end(text: &str, at: usize) -> Option<usize> {
    gap(text[at..].chars()).map(|length| at + length)
}

fn gap_start(text: &str, at: usize) -> Option<usize> {
    gap(text[..at].chars().rev()).map(|length| at - length)
}

fn gap(chars: impl Iterator<Item = char>) -> Option<usize> {
    let (mut length, mut spaces, mut newlines) = (0, 0, 0);
    for c in chars {
        if is_space(c) {
            spaces += 1;
        } else if !is_ignored(c) {
            break;
        }
        // A blank line ends a paragraph, and no phrase runs over that.
        newlines += usize::from(c == '\n');
        length += c.len_utf8();
        if newlines > 1 || length > MAX_GAP_BYTES {
            return None;
        }
    }
    (spaces > 0).then_some(length)
}

fn ignored_end(text: &str, at: usize) -> Option<usize> {
    ignored_length(text[at..].chars()).map(|length| at + length)
}

fn ignored_start(text: &str, at: usize) -> Option<usize> {
    ignored_length(text[..at].chars().rev()).map(|length| at - length)
}

fn ignored_length(chars: impl Iterator<Item = char>) -> Option<usize> {
    let mut length = 0;
    for c in chars.take_while(|&c| is_ignored(c)) {
        length += c.len_utf8();
        if length > MAX_GAP_BYTES {
            return None;
        }
    }
    Some(length)
}

/// End of a line break at `at`: spaces, one line end, indentation.
fn line_break_end(text: &str, at: usize) -> Option<usize> {
    line_break(text.as_bytes()[at..].iter()).map(|length| at + length)
}

fn line_break_start(text: &str, at: usize) -> Option<usize> {
    line_break(text.as_bytes()[..at].iter().rev()).map(|length| at - length)
}

fn line_break<'b>(bytes: impl Iterator<Item = &'b u8>) -> Option<usize> {
    let (mut length, mut newlines) = (0, 0);
    for byte in bytes.take_while(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n')) {
        newlines += usize::from(*byte == b'\n');
        length += 1;
        if newlines > 1 || length > MAX_GAP_BYTES {
            return None;
        }
    }
    (newlines == 1).then_some(length)
}
