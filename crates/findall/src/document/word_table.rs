//! The words of a document, folded: how often each stands there, and which stand side by side. A text in, the table out;
//! gathered once, when it is first asked for.

use std::collections::{HashMap, HashSet};

use crate::lexical::distance::MAX_WORD_CHARS;
use crate::lexical::words::{self, Words};

/// Neighbours that are remembered; more stand in whole shelves only.
const MAX_PAIRS: usize = 1 << 20;

/// Every word of a text.
#[derive(Debug, Default)]
pub(crate) struct WordTable {
    entries: HashMap<Box<str>, WordEntry>,
    pairs: HashSet<(u32, u32)>,
}

/// What is known of one word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WordEntry {
    /// How often it stands in the text.
    pub count: u32,
    /// Which letters it has (`words::letters`).
    pub letters: u32,
    number: u32,
}

impl WordTable {
    pub fn of(text: &str) -> Self {
        let mut table = Self::default();
        let (mut folded, mut word) = (Vec::new(), String::new());
        let mut before = None;
        for span in Words::new(text) {
            let raw = span.slice(text).unwrap_or_default();
            before = match words::fold_word(raw, MAX_WORD_CHARS, &mut folded) {
                true => {
                    let stem = words::strip_possessive(&folded);
                    word.clear();
                    word.extend(stem);
                    let number = table.add(&word, stem);
                    if let Some(before) = before
                        && table.pairs.len() < MAX_PAIRS
                    {
                        table.pairs.insert((before, number));
                    }
                    Some(number)
                }
                false => None,
            };
        }
        table
    }

    fn add(&mut self, word: &str, chars: &[char]) -> u32 {
        if let Some(entry) = self.entries.get_mut(word) {
            entry.count += 1;
            return entry.number;
        }
        let number = self.entries.len() as u32;
        self.entries.insert(word.into(), WordEntry { count: 1, letters: words::letters(chars), number });
        number
    }

    /// Every word, in no order.
    pub fn words(&self) -> impl Iterator<Item = (&str, WordEntry)> {
        self.entries.iter().map(|(word, entry)| (&**word, *entry))
    }

    /// How often a folded word stands in the text.
    pub fn count(&self, word: &str) -> u32 {
        self.entries.get(word).map_or(0, |entry| entry.count)
    }

    /// Whether the second word stands right behind the first anywhere.
    pub fn has_pair(&self, first: &str, second: &str) -> bool {
        match (self.entries.get(first), self.entries.get(second)) {
            (Some(first), Some(second)) => self.pairs.contains(&(first.number, second.number)),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_counted_as_they_fold_and_know_their_neighbours() {
        let table = WordTable::of("The Café opened. The café’s owner left the CAFE.");
        assert_eq!((table.count("cafe"), table.count("the"), table.count("mill")), (3, 3, 0));
        assert!(table.has_pair("the", "cafe") && table.has_pair("cafe", "owner"));
        assert!(!table.has_pair("cafe", "the") && !table.has_pair("the", "mill"));
        assert_eq!(table.words().count(), 5);
    }
}
