//! Weights suggested for the words of a sentence: the paper's Sim(entity, token), and ours, which asks what the knowledge
//! base says the entity is.

use std::collections::HashMap;

use super::MOST_WEIGHT;
use crate::encode::{Encoder, ModelError, TextKind, cosine};
use crate::knowledge::Record;
use crate::retrieval::terms_with_words;

/// How weights come about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Suggestions {
    /// The five words nearest to the entity's name, each once: the paper's automatic baseline.
    Similarity,
    /// Words that say what the entity is, by what is known about it.
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

/// Most words that get a weight.
const MOST_WORDS: usize = 5;

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

/// How near each of the sentence's words is to a text.
fn near_to(text: &str, words: &[String], encoder: &dyn Encoder) -> Result<Vec<f32>, ModelError> {
    let mut texts = vec![text];
    texts.extend(words.iter().map(String::as_str));
    let vectors = encoder.encode(&texts, TextKind::Passage)?;
    let Some((first, others)) = vectors.split_first() else { return Ok(vec![0.0; words.len()]) };
    Ok(others.iter().map(|other| cosine(&first.pooled, &other.pooled)).collect())
}

/// The sentence's words by the cosine with the entity's name, nearest first: the paper's Sim(entity, token).
pub(super) fn by_name(
    entity: &str,
    sentence: &str,
    encoder: &dyn Encoder,
) -> Result<Vec<String>, ModelError> {
    let words = sentence_words(entity, sentence);
    let near = near_to(entity, &words, encoder)?;
    let mut scored: Vec<(String, f32)> = words.into_iter().zip(near).collect();
    scored.sort_by(|a, b| b.1.total_cmp(&a.1));
    Ok(scored.into_iter().map(|(word, _)| word).collect())
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
        Suggestions::Similarity => {
            by_name(entity, sentence, encoder)?.into_iter().take(MOST_WORDS).map(|word| (word, 1)).collect()
        }
        Suggestions::Knowledge => by_knowledge(entity, sentence, encoder, record)?,
    };
    let weight = |word: &String| weights.get(word).copied().unwrap_or(0).min(MOST_WEIGHT);
    let words = sentence_words(entity, sentence).into_iter();
    Ok(words.map(|word| Suggestion { weight: weight(&word), word }).collect())
}

/// 3 for a word of the entity's description, 2 for one of its other phrases; then the words nearest to the description (to
/// the predicate of the sentence, where nothing is known) by their vectors, 1 each.
fn by_knowledge(
    entity: &str,
    sentence: &str,
    encoder: &dyn Encoder,
    record: Option<&Record>,
) -> Result<HashMap<String, u8>, ModelError> {
    let terms = |text: &str| -> Vec<String> { terms_with_words(text).map(|(_, term)| term).collect() };
    let description = record.map(|record| terms(&record.description)).unwrap_or_default();
    let phrases: Vec<String> =
        record.iter().flat_map(|record| &record.phrases).flat_map(|phrase| terms(&phrase.text)).collect();
    let about = match record {
        Some(record) if !record.description.is_empty() => record.description.as_str(),
        _ => predicate(sentence),
    };
    let words = sentence_words(entity, sentence);
    let near = near_to(about, &words, encoder)?;
    let mut scored: Vec<(String, u8, f32)> = Vec::new();
    for (word, near) in words.into_iter().zip(near) {
        let term = terms(&word).pop().unwrap_or_default();
        let weight = match (description.contains(&term), phrases.contains(&term)) {
            (true, _) => 3,
            (false, true) => 2,
            (false, false) => 1,
        };
        scored.push((word, weight, near));
    }
    scored.sort_by(|a, b| b.1.cmp(&a.1).then(b.2.total_cmp(&a.2)));
    Ok(scored.into_iter().take(MOST_WORDS).map(|(word, weight, _)| (word, weight)).collect())
}

/// What a sentence says of its subject: from its first "is", "was", "are" or "were" on, else all of it.
fn predicate(sentence: &str) -> &str {
    let verbs = [" is ", " was ", " are ", " were "].iter().filter_map(|verb| sentence.find(verb));
    verbs.min().map_or(sentence, |at| &sentence[at..])
}
