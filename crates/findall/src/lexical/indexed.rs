//! A text that is asked many queries: its words are gathered once, each distinct one folded once, so that a query is
//! compared with a few thousand spellings and not with a million words. Read piece by piece, for who must not be held up.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::distance::MAX_WORD_CHARS;
use super::fold::fold_str;
use super::words::{self, Words};
use crate::span::Span;

/// Bytes of the text whose words are gathered in one go.
const INDEXED_BYTES_A_PIECE: usize = 1 << 17;
/// Bytes of an apostrophe, which may stand between the letters of a word.
const MAX_APOSTROPHE_BYTES: usize = 3;
/// Longest heading that is suggested, in characters.
const MAX_SUGGESTED_HEADING_CHARS: usize = 80;
/// Fewest letters that something is suggested for.
const MIN_SUGGESTION_LETTERS: usize = 2;

/// A text with its words.
#[derive(Debug, Default)]
pub struct IndexedText {
    text: String,
    /// Where the words that are not gathered yet begin.
    at: usize,
    whole: bool,
    /// Whether what is not gathered yet begins inside a word.
    inside: bool,
    words: Vec<IndexedWord>,
    distinct: Lexicon,
}

/// The distinct words of a text, in the order of their first appearance.
#[derive(Debug, Default)]
struct Lexicon {
    words: Vec<DistinctWord>,
    /// Which distinct word a word is, as it is written and as it folds.
    written: HashMap<Box<str>, Option<u32>, RandomState>,
    folded: HashMap<Box<[char]>, u32, RandomState>,
}

impl Lexicon {
    /// Counts a word; gives which it is, or `None` when it is too long to be compared. `chars` is room to work in.
    fn add(&mut self, word: &str, chars: &mut Vec<char>) -> Option<u32> {
        let id = match self.written.get(word) {
            Some(id) => *id,
            None => {
                let id = words::fold_word(word, MAX_WORD_CHARS, chars).then(|| {
                    *self.folded.entry(chars.as_slice().into()).or_insert_with_key(|chars| {
                        self.words.push(DistinctWord { chars: chars.clone(), count: 0 });
                        self.words.len() as u32 - 1
                    })
                });
                self.written.insert(word.into(), id);
                id
            }
        };
        if let Some(id) = id {
            self.words[id as usize].count += 1;
        }
        id
    }

    /// No word will be added any more.
    fn close(&mut self) {
        self.written = HashMap::default();
        self.folded = HashMap::default();
    }
}

/// One word of the text, in few bytes: a book has a million.
#[derive(Clone, Copy, Debug)]
pub(super) struct IndexedWord {
    start: u32,
    end: u32,
    id: u32,
}

impl IndexedWord {
    pub fn span(&self) -> Span {
        Span::new(self.start as usize, self.end as usize)
    }

    /// Which distinct word it is; `None` when it is too long to be compared.
    pub fn id(&self) -> Option<usize> {
        (self.id != u32::MAX).then_some(self.id as usize)
    }
}

/// A word as it folds, and how often it stands in the text.
#[derive(Debug)]
pub(super) struct DistinctWord {
    pub chars: Box<[char]>,
    count: u32,
}

impl IndexedText {
    /// A text whose words are still to be gathered.
    pub fn new(text: impl Into<String>) -> IndexedText {
        IndexedText { text: text.into(), ..IndexedText::default() }
    }

    /// The text itself.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text itself, without its words.
    pub fn into_text(self) -> String {
        self.text
    }

    /// Gathers some more words; false when all are gathered.
    pub fn read_on(&mut self) -> bool {
        if self.whole {
            return false;
        }
        let window = self.text.floor_char_boundary((self.at + INDEXED_BYTES_A_PIECE).min(self.text.len()));
        // Offsets that do not fit are past what a page can hold; such words are left out.
        let last = window == self.text.len() || u32::try_from(window).is_err();
        let start = std::mem::replace(&mut self.at, window);
        let inside = std::mem::take(&mut self.inside);
        let mut chars = Vec::with_capacity(MAX_WORD_CHARS + 1);
        for span in Words::new(&self.text[start..window]) {
            let span = span.shifted(start);
            if !last && span.start > start && span.end + MAX_APOSTROPHE_BYTES >= window {
                // The window may cut this word: the next one begins with it.
                self.at = span.start;
                break;
            }
            // A word that fills a window is too long, and so is what the next one holds of it.
            let word = &self.text[span.start..span.end];
            self.inside = !last && span.end == window;
            let too_long = self.inside || inside && span.start == start;
            let id = if too_long { None } else { self.distinct.add(word, &mut chars) };
            let (start, end) = (span.start as u32, span.end as u32);
            self.words.push(IndexedWord { start, end, id: id.unwrap_or(u32::MAX) });
        }
        if last {
            self.whole = true;
            self.distinct.close();
        }
        !last
    }

    /// The words gathered so far, in text order.
    pub(super) fn words(&self) -> &[IndexedWord] {
        &self.words
    }

    /// The distinct ones of them, in the order of their first appearance.
    pub(super) fn distinct_words(&self) -> &[DistinctWord] {
        &self.distinct.words
    }

    /// What was typed so far with its last word completed: the words of the text that begin with it, the most frequent
    /// first.
    pub fn completions(&self, typed: &str, most: usize) -> Vec<String> {
        let typed = fold_str(typed);
        let begins = typed.iter().rposition(|&c| c == ' ').map_or(0, |space| space + 1);
        let (before, last) = typed.split_at(begins);
        if last.len() < MIN_SUGGESTION_LETTERS {
            return Vec::new();
        }
        let continues = |word: &&DistinctWord| word.chars.len() > last.len() && word.chars.starts_with(last);
        let mut words: Vec<&DistinctWord> = self.distinct_words().iter().filter(continues).collect();
        words.sort_by_key(|word| std::cmp::Reverse(word.count));
        words.iter().take(most).map(|word| before.iter().chain(&word.chars).collect()).collect()
    }
}

/// Whether a heading goes on from what was typed so far: from its beginning, or from one of its words.
pub fn continues_heading(heading: &str, typed: &str) -> bool {
    let (heading, typed) = (fold_str(heading), fold_str(typed));
    let begins = |at: usize| at == 0 || heading[at - 1] == ' ';
    typed.len() >= MIN_SUGGESTION_LETTERS
        && heading.len() <= MAX_SUGGESTED_HEADING_CHARS
        && heading != typed
        && heading.windows(typed.len()).enumerate().any(|(at, part)| part == typed && begins(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_cut_no_word() {
        // Every way in which the first window can end, and a word that is longer than two of them.
        let filling = "x ".repeat(INDEXED_BYTES_A_PIECE / 2 - 5);
        let endless = "é".repeat(INDEXED_BYTES_A_PIECE + 7);
        for shift in 0..12 {
            let text = format!("{filling}{}lamp don’t e-mail {endless} end", " ".repeat(shift));
            let mut indexed = IndexedText::new(text.as_str());
            while indexed.read_on() {}
            let tail = |word: &IndexedWord| {
                word.id().map(|id| indexed.distinct_words()[id].chars.iter().collect::<String>())
            };
            let words: Vec<String> =
                indexed.words().iter().filter_map(tail).filter(|word| word != "x").collect();
            assert_eq!(words, ["lamp", "don't", "e", "mail", "end"], "{shift}");
        }
    }

    #[test]
    fn continues_what_was_typed() {
        let mut text = IndexedText::new("Lights, a lighthouse, a Lighthouse and the lit lamp");
        while text.read_on() {}
        assert_eq!(text.completions("the LI", 2), ["the lighthouse", "the lights"]);
        assert!(text.completions("l", 6).is_empty());
        assert!(continues_heading("The Lighthouse", "ligh"));
        assert!(!continues_heading("The Lighthouse", "house"));
        assert!(!continues_heading("The Lighthouse", "the lighthouse"));
    }
}
