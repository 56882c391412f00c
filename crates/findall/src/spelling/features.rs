//! What speaks for a word being the one that was meant: a word with its neighbours in, numbers with names out. How much
//! each counts is fitted (`models/tuning.json`, `training/fit_spelling.py`).

use serde::Deserialize;

use super::asked_words::AskedWords;
use super::slip::Slip;
use super::speller::{Speller, TypedWord};
use super::vocabulary::Vocabulary;
use crate::tuning::{NamedWeights, named_features};

named_features! {
    /// The features of one choice.
    SpellingFeatures,
    /// Names of the features of a choice, in order; the training program reads them too.
    SPELLING_FEATURES,
    // Of what was typed.
    stay,
    stay_known,
    stay_form,
    stay_base,
    stay_capital,
    stay_letters,
    stay_short,
    // Of every choice.
    known,
    form,
    commonness,
    asked,
    asked_before,
    asked_after,
    // Of what it would be replaced by.
    in_document,
    document_count,
    document_before,
    document_after,
    two_edits,
    swapped,
    missing,
    extra,
    doubled,
    near_key,
    first_letter,
    last_letter,
    letters,
}

/// What the speller learned.
#[derive(Debug, Deserialize)]
#[serde(try_from = "SpellingFile")]
pub(crate) struct SpellingTuning {
    /// Weights of the features.
    pub weights: SpellingFeatures,
    /// How much likelier than what was typed another word must be to take its place, in log-odds.
    pub min_lead: f32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SpellingFile {
    weights: NamedWeights,
    min_lead: f32,
}

impl TryFrom<SpellingFile> for SpellingTuning {
    type Error = String;

    fn try_from(file: SpellingFile) -> Result<Self, String> {
        Ok(Self { weights: SpellingFeatures::from_named(&file.weights)?, min_lead: file.min_lead })
    }
}

/// A word where it stands, and all that may be known of it.
pub(super) struct SpellingContext<'c> {
    pub speller: &'c Speller<'c>,
    pub vocabulary: &'c Vocabulary,
    pub typed: &'c TypedWord,
    /// The words beside it, or what stands for the ends of the query.
    pub before: &'c str,
    pub after: &'c str,
}

impl SpellingContext<'_> {
    /// Features of a word in this place; without a slip it is what was typed.
    pub fn features_of(&self, word: &str, slip: Option<Slip>) -> SpellingFeatures {
        let flag = |yes: bool| f32::from(u8::from(yes));
        let typed = self.typed;
        let stay = flag(slip.is_none());
        let made = slip.unwrap_or_default();
        let known = self.vocabulary.has(word);
        let form = !known && self.vocabulary.has_stem(word);
        let asked = AskedWords::shared();
        let pair = |first: &str, second: &str| log_count(asked.count_pair(first, second));
        let tables = || self.speller.documents.iter().map(|document| document.word_table());
        let count: u32 = tables().map(|table| table.count(word)).sum();
        let beside = |first: &str, second: &str| flag(tables().any(|table| table.has_pair(first, second)));
        let letters = (typed.letters.len() as f32).ln();
        let in_base = slip.is_none() && self.speller.is_in_base(typed);
        SpellingFeatures {
            stay,
            stay_known: stay * flag(known),
            stay_form: stay * flag(form),
            stay_base: flag(in_base),
            stay_capital: stay * flag(typed.capital && self.before != super::asked_words::START),
            stay_letters: stay * letters,
            stay_short: stay * flag(typed.letters.len() < 4),
            known: flag(known),
            form: flag(form),
            commonness: self.vocabulary.commonness(word),
            asked: log_count(asked.count(word)),
            asked_before: pair(self.before, word),
            asked_after: pair(word, self.after),
            in_document: flag(count > 0),
            document_count: log_count(count),
            document_before: beside(self.before, word),
            document_after: beside(word, self.after),
            two_edits: flag(made.two_edits),
            swapped: flag(made.swapped),
            missing: flag(made.missing),
            extra: flag(made.extra),
            doubled: flag(made.doubled),
            near_key: flag(made.near_key),
            first_letter: flag(made.first_letter),
            last_letter: flag(made.last_letter),
            letters: (1.0 - stay) * flag(typed.letters.len() < 4),
        }
    }
}

fn log_count(count: u32) -> f32 {
    (1.0 + count as f32).ln()
}
