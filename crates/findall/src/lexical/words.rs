//! Words of a text, one after the other, and of a query: what fuzzy matching compares.

use crate::lexical::fold::{fold, is_ignored};
use crate::span::Span;

/// Iterator over the words of a text: runs of letters and digits, with apostrophes inside.
#[derive(Debug)]
pub(crate) struct Words<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Words<'t> {
    pub fn new(text: &'t str) -> Self {
        Words { text, at: 0 }
    }
}

impl Iterator for Words<'_> {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        let bytes = self.text.as_bytes();
        let mut start = self.at;
        loop {
            match bytes.get(start)? {
                byte if byte.is_ascii_alphanumeric() => break,
                byte if byte.is_ascii() => start += 1,
                _ => {
                    let c = self.text[start..].chars().next()?;
                    if is_letter(c) {
                        break;
                    }
                    start += c.len_utf8();
                }
            }
        }
        let mut end = start;
        while let Some(&byte) = bytes.get(end) {
            if byte.is_ascii_alphanumeric() {
                end += 1;
                continue;
            }
            if byte.is_ascii() && byte != b'\'' {
                break;
            }
            let Some(c) = self.text[end..].chars().next() else { break };
            let next = end + c.len_utf8();
            let inner = is_apostrophe(c) && self.text[next..].chars().next().is_some_and(is_letter);
            if !(is_letter(c) || is_ignored(c) || inner) {
                break;
            }
            end = next;
        }
        self.at = end;
        Some(Span::new(start, end))
    }
}

/// Letters and digits; Unicode counts one of the apostrophes among the letters, but it makes no word.
fn is_letter(c: char) -> bool {
    c.is_alphanumeric() && !is_apostrophe(c)
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | 'ʼ')
}

/// Folds a word into `folded`, which is emptied first; false when it is longer than `longest`.
pub(crate) fn fold_word(word: &str, longest: usize, folded: &mut Vec<char>) -> bool {
    folded.clear();
    for c in word.chars() {
        if c.is_ascii() {
            folded.push(c.to_ascii_lowercase());
        } else {
            folded.extend_from_slice(fold(c).as_slice());
        }
        if folded.len() > longest {
            return false;
        }
    }
    true
}

/// The word without a possessive ending, where something stands before it.
pub(crate) fn strip_possessive(word: &[char]) -> &[char] {
    match word {
        [stem @ .., '\'', 's'] | [stem @ .., '\''] if !stem.is_empty() => stem,
        _ => word,
    }
}

/// Which letters a word has, one bit each: words that differ in many cannot be misspellings of each other.
pub(crate) fn letters(word: &[char]) -> u32 {
    word.iter().fold(0, |set, &c| {
        let bit = match c {
            'a'..='z' => c as u32 - 'a' as u32,
            _ => 26 + (c as u32 % 6),
        };
        set | 1 << bit
    })
}
