//! Weights suggested for the words of a sentence: the paper's Sim(entity, token), and ours, which also asks what the
//! knowledge base says of the entity.

use std::collections::HashMap;

use crate::encode::{Encoder, ModelError, TextKind, cosine};
use crate::knowledge::Record;
use crate::retrieval::terms_with_words;

/// How weights come about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Suggestions {
    /// The five words nearest to the entity's name, each once: the paper's automatic baseline.
    Similarity,
    /// The words nearest to the entity's name and to what is known about it together; the nearest weigh more.
    #[default]
    Knowledge,
}

/// A word of the sentence and the weight suggested for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Suggestion {
    /// The word as it stands in the sentence.
    pub word: String,
    /// 0 to 9.
    pub weight: u8,
}

/// Words that the paper's baseline weighs; the paper's number.
pub(super) const MAX_WORDS_BY_NAME: usize = 5;

/// Words that ours weighs, and how many of them twice; chosen on every second development query, from the first.
const MAX_WORDS_BY_KNOWLEDGE: usize = 7;
const MAX_DOUBLED_WORDS: usize = 3;

/// The words of a sentence that can be weighted, as they stand there, once each: neither common nor part of the name.
pub fn sentence_words(entity: &str, sentence: &str) -> Vec<String> {
    let named: Vec<String> = terms_with_words(entity).map(|(_, term)| term).collect();
    let mut seen: Vec<String> = Vec::new();
    let mut words = Vec::new();
    for (word, term) in terms_with_words(sentence) {
        if !named.contains(&term) && !seen.contains(&term) && word.chars().any(char::is_alphabetic) {
            seen.push(term);
            words.push(word);
        }
    }
    words
}

/// The sentence's words by their cosines with all of these texts, nearest first.
fn rank_by_cosine(
    texts: &[&str],
    entity: &str,
    sentence: &str,
    encoder: &dyn Encoder,
) -> Result<Vec<String>, ModelError> {
    let words = sentence_words(entity, sentence);
    let all: Vec<&str> = texts.iter().copied().chain(words.iter().map(String::as_str)).collect();
    let vectors = encoder.encode(&all, TextKind::Passage)?;
    let (texts, others) = vectors.split_at(texts.len().min(vectors.len()));
    let near =
        others.iter().map(|word| texts.iter().map(|text| cosine(&text.pooled, &word.pooled)).sum::<f32>());
    let mut scored: Vec<(f32, String)> = near.zip(words).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    Ok(scored.into_iter().map(|(_, word)| word).collect())
}

/// The sentence's words by the cosine with the entity's name, nearest first: the paper's Sim(entity, token).
pub(super) fn rank_by_name(
    entity: &str,
    sentence: &str,
    encoder: &dyn Encoder,
) -> Result<Vec<String>, ModelError> {
    rank_by_cosine(&[entity], entity, sentence, encoder)
}

/// One suggestion for every word of the sentence that can have one.
pub(crate) fn suggest(
    how: Suggestions,
    entity: &str,
    sentence: &str,
    encoder: &dyn Encoder,
    record: Option<&Record>,
) -> Result<Vec<Suggestion>, ModelError> {
    let weights: HashMap<String, u8> = match how {
        Suggestions::Similarity => rank_by_name(entity, sentence, encoder)?
            .into_iter()
            .take(MAX_WORDS_BY_NAME)
            .map(|word| (word, 1))
            .collect(),
        Suggestions::Knowledge => {
            let known = record.map(Record::knowledge_text);
            let texts: Vec<&str> = std::iter::once(entity).chain(known.as_deref()).collect();
            let nearest =
                rank_by_cosine(&texts, entity, sentence, encoder)?.into_iter().take(MAX_WORDS_BY_KNOWLEDGE);
            nearest
                .enumerate()
                .map(|(place, word)| (word, if place < MAX_DOUBLED_WORDS { 2 } else { 1 }))
                .collect()
        }
    };
    let weight = |word: &String| weights.get(word).copied().unwrap_or(0);
    let words = sentence_words(entity, sentence).into_iter();
    Ok(words.map(|word| Suggestion { weight: weight(&word), word }).collect())
}
