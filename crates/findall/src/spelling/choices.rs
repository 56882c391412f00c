//! What may have been meant by a word: the words of documents, names, vocabulary and questions that are a letter or two
//! away from it, the likeliest kept.

use std::collections::HashMap;

use super::asked_words::AskedWords;
use super::speller::Speller;
use super::vocabulary::Vocabulary;
use crate::lexical::{distance, words};

/// Words that are weighed against what was typed, at most.
const MAX_CHOICES: usize = 24;
/// Words of at least so many letters may have two of them wrong.
const MIN_CHARS_FOR_TWO_EDITS: usize = 8;

/// A word near to what was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NearWord {
    pub word: String,
    /// Letters that differ.
    pub edits: usize,
}

/// The words near to one, in the order of the alphabet.
pub(super) fn near_words(speller: &Speller<'_>, vocabulary: &Vocabulary, typed: &[char]) -> Vec<NearWord> {
    let budget = if typed.len() < MIN_CHARS_FOR_TWO_EDITS { 1 } else { 2 };
    let mut near = Neighbourhood { typed, letters: words::letters(typed), budget, found: HashMap::new() };
    for document in speller.documents {
        document.word_table().words().for_each(|(word, entry)| near.add(word, entry.letters));
    }
    for name in speller.entities.iter().flat_map(|entity| entity.name.split(' ')) {
        let folded: Vec<char> = name.to_lowercase().chars().collect();
        near.add(&folded.iter().collect::<String>(), words::letters(&folded));
    }
    vocabulary.words().for_each(|(word, letters)| near.add(word, letters));
    let asked = AskedWords::shared();
    asked.words().for_each(|(word, letters)| near.add(word, letters));
    let stands = |word: &str| speller.documents.iter().any(|document| document.word_table().count(word) > 0);
    let mut found: Vec<NearWord> =
        near.found.into_iter().map(|(word, edits)| NearWord { word, edits }).collect();
    // The features decide; this only keeps the many neighbours of short words from costing time.
    found.sort_by_cached_key(|near| {
        let commonness = (1e4 * vocabulary.commonness(&near.word)) as u32 + 10 * asked.count(&near.word);
        (near.edits, !stands(&near.word), std::cmp::Reverse(commonness), near.word.clone())
    });
    found.truncate(MAX_CHOICES);
    found.sort_by(|a, b| a.word.cmp(&b.word));
    found
}

/// What has been found near a word so far.
struct Neighbourhood<'t> {
    typed: &'t [char],
    letters: u32,
    budget: usize,
    found: HashMap<String, usize>,
}

impl Neighbourhood<'_> {
    fn add(&mut self, word: &str, letters: u32) {
        // One edit changes at most two of the letters that two words have or lack.
        if (letters ^ self.letters).count_ones() as usize > 2 * self.budget
            || word.len().abs_diff(self.typed.len()) > self.budget + 2
            || self.found.contains_key(word)
        {
            return;
        }
        let chars: Vec<char> = word.chars().collect();
        let is_word = !chars.is_empty() && chars.iter().all(|c| c.is_alphabetic());
        if let Some(edits) =
            distance::bounded_distance(self.typed, &chars, self.budget).filter(|&edits| edits > 0)
            && is_word
        {
            self.found.insert(word.to_owned(), edits);
        }
    }
}
