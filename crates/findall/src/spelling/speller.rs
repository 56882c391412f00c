//! Decides for every word of a query that stands in no document whether it was meant so, and if not, what was meant.

use super::asked_words::{END, START};
use super::choices::near_words;
use super::features::{SpellingContext, SpellingFeatures};
use super::slip::Slip;
use super::vocabulary::Vocabulary;
use super::{QueryCorrection, apply_corrections};
use crate::document::Document;
use crate::encode::Encoder;
use crate::index::PreparedEntity;
use crate::knowledge::KnowledgeBase;
use crate::lexical::{distance, words};
use crate::span::Span;
use crate::tuning::tuning;

/// Words of a query that are looked at; longer ones are no queries but pasted text.
const MAX_CORRECTED_QUERY_WORDS: usize = 24;
/// Letters of a word that is a query by itself; shorter ones have too many neighbours to guess.
const MIN_LONE_WORD_CHARS: usize = 4;

/// What words may be known from.
#[derive(Clone, Copy)]
pub struct Speller<'k> {
    /// What is searched.
    pub documents: &'k [Document],
    /// What the documents name, as far as it was worked out.
    pub entities: &'k [PreparedEntity],
    /// Knowledge from outside.
    pub knowledge: &'k KnowledgeBase,
    /// The encoder, for its vocabulary.
    pub encoder: &'k dyn Encoder,
}

/// A word of a query that stands in no document.
#[derive(Clone, Debug)]
pub struct DoubtfulWord {
    /// Where it stands in the query, without a possessive ending.
    pub span: Span,
    /// What may have been meant; the first is what was typed.
    pub choices: Vec<SpellingChoice>,
}

/// What may have been meant by a word.
#[derive(Clone, Debug)]
pub struct SpellingChoice {
    /// Folded.
    pub word: String,
    /// What speaks for it.
    pub features: SpellingFeatures,
}

/// A word of a query.
#[derive(Clone, Debug)]
pub(super) struct TypedWord {
    /// Without a possessive ending.
    pub span: Span,
    pub folded: String,
    pub letters: Vec<char>,
    /// Whether it was typed with a capital.
    pub capital: bool,
    /// Whether it was typed with letters that no slip makes: accents, other alphabets.
    pub is_foreign: bool,
}

impl Speller<'_> {
    /// The query as it was meant, and what was corrected in it.
    pub fn correct(&self, query: &str) -> (String, Vec<QueryCorrection>) {
        let mut corrections = Vec::new();
        self.each_doubt(query, &mut |doubt| {
            let chosen = doubt.likeliest_word()?;
            let typed = doubt.span.slice(query)?;
            corrections.push(QueryCorrection {
                span: doubt.span,
                from: typed.to_owned(),
                to: copy_case(typed, chosen),
            });
            Some(chosen.to_owned())
        });
        (apply_corrections(query, &corrections), corrections)
    }

    /// The words of a query that stand in no document, with what may have been meant: what correcting is learned from.
    pub fn find_doubts(&self, query: &str) -> Vec<DoubtfulWord> {
        let mut doubts = Vec::new();
        self.each_doubt(query, &mut |doubt| {
            doubts.push(doubt);
            None
        });
        doubts
    }

    /// Shows every doubtful word in turn; what comes back stands in its place when the next one is looked at.
    fn each_doubt(&self, query: &str, decide: &mut dyn FnMut(DoubtfulWord) -> Option<String>) {
        let mut words = query_words(query);
        let lone = words.len() == 1;
        if !words.iter().any(|word| self.is_doubtful(word)) {
            return;
        }
        let vocabulary = Vocabulary::of(self.encoder);
        // An encoder without a vocabulary cannot tell a typing error from a rare word.
        if vocabulary.is_empty() {
            return;
        }
        for at in 0..words.len() {
            let word = &words[at];
            // A single word may be just what is looked for.
            let wanted = lone
                && (word.letters.len() < MIN_LONE_WORD_CHARS
                    || vocabulary.has_stem(&word.folded)
                    || self.is_in_base(word));
            if wanted || !self.is_doubtful(word) {
                continue;
            }
            let beside = |at: Option<usize>| at.and_then(|at| words.get(at)).map(|word| word.folded.as_str());
            let context = SpellingContext {
                speller: self,
                vocabulary: &vocabulary,
                typed: word,
                before: beside(at.checked_sub(1)).unwrap_or(START),
                after: beside(Some(at + 1)).unwrap_or(END),
            };
            if let Some(chosen) = context.find_choices().and_then(&mut *decide) {
                words[at].folded = chosen;
            }
        }
    }

    /// Whether a word may be a typing error: it is one, and stands in no document. A name that is written as one and that
    /// the base knows is meant.
    fn is_doubtful(&self, word: &TypedWord) -> bool {
        !word.is_foreign
            && word.letters.iter().all(|c| c.is_alphabetic())
            && self.documents.iter().all(|document| document.word_table().count(&word.folded) == 0)
            && !(word.capital && word.span.start > 0 && self.is_in_base(word))
    }

    pub(super) fn is_in_base(&self, word: &TypedWord) -> bool {
        !self.knowledge.candidates(&word.folded).is_empty()
    }
}

impl SpellingContext<'_> {
    /// What may have been meant, where anything else may.
    fn find_choices(&self) -> Option<DoubtfulWord> {
        let near = near_words(self.speller, self.vocabulary, &self.typed.letters);
        if near.is_empty() {
            return None;
        }
        let typed = &self.typed.folded;
        let mut choices =
            vec![SpellingChoice { word: typed.clone(), features: self.features_of(typed, None) }];
        for near in near {
            let letters: Vec<char> = near.word.chars().collect();
            let slip = Slip::between(&self.typed.letters, &letters, near.edits);
            let features = self.features_of(&near.word, Some(slip));
            choices.push(SpellingChoice { word: near.word, features });
        }
        Some(DoubtfulWord { span: self.typed.span, choices })
    }
}

impl DoubtfulWord {
    /// What was meant, where that is not what was typed.
    pub fn likeliest_word(&self) -> Option<&str> {
        let learned = &tuning().spelling;
        let log_odds = |choice: &SpellingChoice| choice.features.weigh(&learned.weights);
        let (typed, others) = self.choices.split_first()?;
        let best = others.iter().max_by(|a, b| log_odds(a).total_cmp(&log_odds(b)))?;
        (log_odds(best) >= log_odds(typed) + learned.min_lead).then_some(best.word.as_str())
    }
}

fn query_words(query: &str) -> Vec<TypedWord> {
    let mut found = Vec::new();
    for span in words::Words::new(query).take(MAX_CORRECTED_QUERY_WORDS) {
        let Some(raw) = span.slice(query) else { continue };
        let mut folded = Vec::new();
        if !words::fold_word(raw, distance::MAX_WORD_CHARS, &mut folded) {
            continue;
        }
        let letters = words::strip_possessive(&folded).to_vec();
        let ending = match letters.len() < folded.len() {
            true => raw.rfind(['\'', '’', 'ʼ']).unwrap_or(raw.len()),
            false => raw.len(),
        };
        found.push(TypedWord {
            span: Span::new(span.start, span.start + ending),
            folded: letters.iter().collect(),
            capital: raw.starts_with(char::is_uppercase),
            is_foreign: raw.chars().any(|c| c.is_alphabetic() && !c.is_ascii()),
            letters,
        });
    }
    found
}

fn copy_case(typed: &str, word: &str) -> String {
    let mut chars = word.chars();
    match (typed.chars().next(), chars.next()) {
        (Some(first), Some(letter)) if first.is_uppercase() => letter.to_uppercase().chain(chars).collect(),
        _ => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{BagOfWords, small_knowledge};

    fn correct_query(query: &str, text: &str) -> String {
        let (documents, knowledge) = ([Document::from_text(text)], small_knowledge());
        let speller =
            Speller { documents: &documents, entities: &[], knowledge: &knowledge, encoder: &BagOfWords };
        speller.correct(query).0
    }

    #[test]
    fn words_are_corrected_from_document_and_questions() {
        let text = "A transformer changes voltage.";
        assert_eq!(correct_query("Wat is a transformer?", text), "What is a transformer?");
        assert_eq!(correct_query("What is a tranformer?", text), "What is a transformer?");
        assert_eq!(correct_query("waht is a Tranformer's voltage", text), "what is a Transformer's voltage");
        assert_eq!(correct_query("What is it?", text), "What is it?");
        assert_eq!(correct_query("What is a tränsfomer?", text), "What is a tränsfomer?");
    }

    #[test]
    fn what_stands_in_the_document_is_meant() {
        let text = "Wat is Thai for temple. The tranformer is misspelt here, a transformer is not.";
        assert_eq!(correct_query("Wat is Thai for temple?", text), "Wat is Thai for temple?");
        assert_eq!(correct_query("What is a tranformer?", text), "What is a tranformer?");
    }

    #[test]
    fn a_word_alone_is_doubted_only_where_nobody_knows_it() {
        assert_eq!(correct_query("citys", "A cite, two cites."), "citys", "a form of a word");
        assert_eq!(correct_query("compnaies", "Every company."), "companies");
        assert_eq!(correct_query("city", "A cite, a pity."), "city");
    }

    #[test]
    fn a_name_that_the_base_knows_is_left() {
        let known = |query: &str| correct_query(query, "Weibu is sold in the messaging app.");
        assert_eq!(known("is Weibo a messaging app"), "is Weibo a messaging app");
    }
}
