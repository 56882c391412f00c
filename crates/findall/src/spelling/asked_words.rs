//! Which words people ask with: how often each stood in training questions and list queries, and which stood beside which.
//! `asked_words.txt` is written by `training/fit_spelling.py`: a word and its count, then the words behind it with theirs;
//! `^` stands before every question and `$` behind it.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::lexical::words;

const ASKED_WORDS_FILE: &str = include_str!("asked_words.txt");

/// What stands before the first word of a question.
pub(super) const START: &str = "^";
/// What stands behind its last.
pub(super) const END: &str = "$";

/// Words and pairs with their counts.
#[derive(Debug, Default)]
pub(super) struct AskedWords {
    /// Each with its count and its letters (`words::letters`).
    words: HashMap<&'static str, (u32, u32)>,
    pairs: HashMap<(&'static str, &'static str), u32>,
}

impl AskedWords {
    /// Those of the file.
    pub fn shared() -> &'static Self {
        static ASKED_WORDS: LazyLock<AskedWords> = LazyLock::new(|| AskedWords::read(ASKED_WORDS_FILE));
        &ASKED_WORDS
    }

    fn read(lines: &'static str) -> Self {
        let mut asked = Self::default();
        for line in lines.lines() {
            let mut fields = line.split(' ');
            let Some((word, count)) = fields.next().and_then(parse_count) else { continue };
            let chars: Vec<char> = word.chars().collect();
            asked.words.insert(word, (count, words::letters(&chars)));
            asked.pairs.extend(fields.filter_map(parse_count).map(|(behind, count)| ((word, behind), count)));
        }
        asked
    }

    /// Every word with its letters, in no order.
    pub fn words(&self) -> impl Iterator<Item = (&'static str, u32)> {
        self.words.iter().map(|(word, (_, letters))| (*word, *letters))
    }

    /// How often a word was asked with.
    pub fn count(&self, word: &str) -> u32 {
        self.words.get(word).map_or(0, |(count, _)| *count)
    }

    /// How often the second word stood right behind the first.
    pub fn count_pair(&self, first: &str, second: &str) -> u32 {
        self.pairs.get(&(first, second)).copied().unwrap_or(0)
    }
}

fn parse_count(field: &'static str) -> Option<(&'static str, u32)> {
    let (word, count) = field.split_once(':')?;
    Some((word, count.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_whole() {
        let asked = AskedWords::shared();
        assert!(asked.count_pair(START, "what") > asked.count_pair(START, "wat"));
        assert!(asked.count("who") > 100 && asked.count_pair("who", "was") > 10);
        let lines = ASKED_WORDS_FILE.lines().count();
        assert_eq!(asked.words.len(), lines, "every line is a word of its own");
    }
}
