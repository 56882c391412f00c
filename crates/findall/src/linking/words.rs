//! Words in bags: texts enter, sets of hashed stems with a rarity each leave. What word overlap is measured with.

use std::collections::HashMap;

use rust_stemmers::{Algorithm, Stemmer};
use xxhash_rust::xxh3::xxh3_64;

use super::LINKING_WORD_LISTS;
use crate::knowledge::{EntityId, FUNCTION_WORDS, KnowledgeBase, fold};
use crate::word_list::WordList;

/// Words that say nothing about a topic beside [`FUNCTION_WORDS`].
static TOPICLESS_WORDS: WordList = WordList::new(LINKING_WORD_LISTS, "topicless");

/// A hashed, stemmed word.
pub(super) type HashedWord = u64;

/// Entities read to learn which words are common in descriptions. They are read in runs, because neighbours share a
/// compressed block.
const MAX_SAMPLED_ENTITIES: usize = 2048;
const RUN_ENTITIES: usize = 32;

/// Cuts texts into stems.
pub(super) struct Stems {
    stemmer: Stemmer,
}

impl Stems {
    pub fn new() -> Self {
        Self { stemmer: Stemmer::create(Algorithm::English) }
    }

    /// The stems of a text, in order.
    pub fn of<'s>(&'s self, text: &'s str) -> impl Iterator<Item = HashedWord> + 's {
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(|word| {
            let word = if word.is_ascii() { word.to_ascii_lowercase() } else { fold(word) };
            xxh3_64(self.stemmer.stem(&word).as_bytes())
        })
    }

    /// The distinct stems of a text, sorted.
    pub fn set(&self, text: &str) -> Vec<HashedWord> {
        let mut words: Vec<HashedWord> = self.of(text).collect();
        words.sort_unstable();
        words.dedup();
        words
    }
}

/// How much a shared word says: the logarithm of how few descriptions have it.
pub(super) struct Rarity {
    weights: HashMap<HashedWord, f32>,
    unseen: f32,
}

impl Rarity {
    /// Counts words over an even sample of the base.
    pub fn sample(knowledge: &KnowledgeBase, stems: &Stems) -> Self {
        let total = knowledge.len();
        let runs = (MAX_SAMPLED_ENTITIES / RUN_ENTITIES).min(total.div_ceil(RUN_ENTITIES)).max(1);
        let stride = (total / runs).max(RUN_ENTITIES);
        let mut counts: HashMap<HashedWord, u32> = HashMap::new();
        let mut read = 0u32;
        for run in 0..runs {
            for number in
                (run * stride..(run * stride + RUN_ENTITIES).min(total)).filter_map(|n| u32::try_from(n).ok())
            {
                let Ok(record) = knowledge.record(EntityId(number)) else { continue };
                let mut words = stems.set(&record.description);
                for phrase in &record.phrases {
                    words.extend(stems.of(&phrase.text));
                }
                words.sort_unstable();
                words.dedup();
                read += 1;
                for word in words {
                    *counts.entry(word).or_default() += 1;
                }
            }
        }
        // In a base of a dozen things every word is in several of a hundred; it is rarer in the world.
        let more = (MAX_SAMPLED_ENTITIES as f64 / f64::from(read.max(1))).max(1.0);
        let weight = |count: u32| {
            let (all, with) = (f64::from(read) * more, f64::from(count) * more.sqrt());
            ((all + 2.0) / (with + 1.0)).ln() as f32
        };
        let mut weights: HashMap<HashedWord, f32> =
            counts.into_iter().map(|(word, count)| (word, weight(count))).collect();
        let topicless = FUNCTION_WORDS.entries().iter().chain(TOPICLESS_WORDS.entries());
        for word in topicless.flat_map(|word| stems.of(word)) {
            weights.insert(word, 0.0);
        }
        Self { weights, unseen: weight(0).max(1.0) }
    }

    /// The weight of a word.
    pub fn of(&self, word: HashedWord) -> f32 {
        self.weights.get(&word).copied().unwrap_or(self.unseen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inflections_meet_and_sets_are_sorted() {
        let stems = Stems::new();
        assert_eq!(stems.set("Footballers football"), stems.set("football footballer"));
        assert!(stems.set("b a c a").is_sorted());
        assert_eq!(stems.set("Zoë’s"), stems.set("zoe s"));
    }
}
