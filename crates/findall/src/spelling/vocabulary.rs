//! The encoder's words, in the order of how common they are: an encoder in, its words with what comparing them needs out.
//! Gathered once for an encoder.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use crate::encode::Encoder;
use crate::lexical::words;

/// Words that an encoder knows whole.
#[derive(Debug)]
pub(super) struct Vocabulary {
    /// Each with its letters (`words::letters`), the most common first.
    words: Vec<(Box<str>, u32)>,
    ranks: HashMap<Box<str>, u32>,
}

impl Vocabulary {
    /// Those of an encoder; worked out when first asked for.
    pub fn of(encoder: &dyn Encoder) -> Arc<Self> {
        type VocabularyByEncoder = HashMap<String, Arc<Vocabulary>>;
        static VOCABULARIES: LazyLock<Mutex<VocabularyByEncoder>> = LazyLock::new(Mutex::default);
        let mut known = VOCABULARIES.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(vocabulary) = known.get(encoder.id()) {
            return vocabulary.clone();
        }
        let vocabulary = Arc::new(Self::read(encoder));
        known.insert(encoder.id().to_owned(), vocabulary.clone());
        vocabulary
    }

    fn read(encoder: &dyn Encoder) -> Self {
        let mut chars: Vec<char> = Vec::new();
        let with_letters = |word: &str| {
            chars.clear();
            chars.extend(word.chars());
            (word.into(), words::letters(&chars))
        };
        let words: Vec<(Box<str>, u32)> = encoder.words().into_iter().map(with_letters).collect();
        let ranks = words.iter().zip(0..).map(|((word, _), rank)| (word.clone(), rank)).collect();
        Self { words, ranks }
    }

    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Every word with its letters, the most common first.
    pub fn words(&self) -> impl Iterator<Item = (&str, u32)> {
        self.words.iter().map(|(word, letters)| (&**word, *letters))
    }

    pub fn has(&self, word: &str) -> bool {
        self.ranks.contains_key(word)
    }

    /// How common a word is: 1 the most common, 0 the rarest or unknown; by the logarithm of its rank.
    pub fn commonness(&self, word: &str) -> f32 {
        let all = (1.0 + self.words.len() as f32).ln();
        self.ranks.get(word).map_or(0.0, |&rank| 1.0 - (1.0 + rank as f32).ln() / all)
    }

    /// Whether it has a word that this one is an ordinary form of.
    pub fn has_stem(&self, word: &str) -> bool {
        const INFLECTIONS: &[(&str, &str)] = &[
            ("", ""),
            ("s", ""),
            ("es", ""),
            ("ies", "y"),
            ("ed", ""),
            ("ed", "e"),
            ("ing", ""),
            ("ing", "e"),
            ("er", ""),
            ("er", "e"),
            ("ers", ""),
            ("ers", "e"),
            ("ly", ""),
            ("ness", ""),
            ("ist", ""),
            ("ists", ""),
            ("al", ""),
            ("ish", ""),
        ];
        const DERIVING_PREFIXES: &[&str] =
            &["", "non", "un", "re", "anti", "pre", "co", "sub", "inter", "over", "under"];
        let mut whole = String::with_capacity(word.len() + 1);
        DERIVING_PREFIXES.iter().filter_map(|beginning| word.strip_prefix(beginning)).any(|rest| {
            INFLECTIONS.iter().any(|(ending, instead)| {
                let Some(stem) = rest.strip_suffix(ending).filter(|stem| stem.len() > 2) else {
                    return false;
                };
                whole.clear();
                whole.push_str(stem);
                whole.push_str(instead);
                self.has(&whole)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::BagOfWords;

    #[test]
    fn common_words_come_first_and_forms_are_known() {
        let vocabulary = Vocabulary::of(&BagOfWords);
        assert!(vocabulary.has("city") && !vocabulary.has("citys"));
        assert!(
            vocabulary.has_stem("citys") && vocabulary.has_stem("searching") && !vocabulary.has_stem("xyzzy")
        );
        assert!(vocabulary.commonness("the") > vocabulary.commonness("city"));
        assert_eq!(vocabulary.commonness("xyzzy"), 0.0);
    }
}
