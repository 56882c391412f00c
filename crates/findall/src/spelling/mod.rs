//! Typing errors in the query: a word that neither the document, the knowledge base nor the vocabulary knows is
//! replaced by the nearest that one of them does. A word that occurs anywhere is never touched.

mod question;

use std::collections::HashMap;

use crate::document::Document;
use crate::encode::Encoder;
use crate::index::PreparedEntity;
use crate::knowledge::KnowledgeBase;
use crate::lexical::{LexicalKind, LexicalMatch, Reason, distance, words};
use crate::span::Span;

pub(crate) use question::correct_question;

/// A word that was taken for a typing error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryCorrection {
    /// Where it stands in the query.
    pub span: Span,
    /// What was typed.
    pub from: String,
    /// What was searched for.
    pub to: String,
}

/// Shorter words have too many neighbours to guess.
const MIN_WORD_CHARS: usize = 4;

/// Words of a query that are looked at; longer ones are no list queries but pasted text.
const MAX_QUERY_WORDS: usize = 24;

/// What a word may be known from.
pub(crate) struct WordSource<'k> {
    /// What is searched.
    pub documents: &'k [Document],
    /// What the documents name, as far as it was worked out.
    pub entities: &'k [PreparedEntity],
    /// Knowledge from outside.
    pub knowledge: &'k KnowledgeBase,
    /// The encoder, for its vocabulary.
    pub encoder: &'k dyn Encoder,
}

/// The corrections that a query needs.
pub(crate) fn correct(query: &str, known: &WordSource<'_>) -> Vec<QueryCorrection> {
    let WordSource { documents, entities, knowledge, encoder } = *known;
    let mut unknown: Vec<(Span, String)> = Vec::new();
    for span in words::Words::new(query).take(MAX_QUERY_WORDS) {
        let Some(word) = span.slice(query) else { continue };
        let plain = word.to_lowercase();
        let plain = plain.strip_suffix("'s").or(plain.strip_suffix("’s")).unwrap_or(&plain);
        if plain.chars().count() >= MIN_WORD_CHARS
            && plain.chars().all(char::is_alphabetic)
            && !is_known(plain, encoder)
            && knowledge.candidates(word).is_empty()
        {
            unknown.push((span, plain.to_owned()));
        }
    }
    // An encoder without a vocabulary cannot tell a typing error from a rare word.
    if unknown.is_empty() || encoder.words().is_empty() {
        return Vec::new();
    }
    // Only now is the document worth reading for its words.
    let counts = word_counts(documents);
    unknown.retain(|(_, word)| !counts.contains_key(word.as_str()));
    let named = entities.iter().flat_map(|entity| entity.name.split(' ')).map(str::to_lowercase);
    let named: Vec<String> = named.collect();
    let mut corrections = Vec::new();
    for (span, word) in unknown {
        let here = counts.iter().map(|(word, count)| (word.as_str(), *count + 1_000_000));
        let names = named.iter().map(|word| (word.as_str(), 1_000_000));
        let general = encoder.words().into_iter().zip((0..1_000_000usize).rev());
        if let Some(best) = nearest(&word, here.chain(names).chain(general)) {
            let typed = span.slice(query).unwrap_or_default();
            corrections.push(QueryCorrection { span, from: typed.to_owned(), to: with_case_of(typed, best) });
        }
    }
    corrections
}

/// The query with its corrections.
pub(crate) fn apply(query: &str, corrections: &[QueryCorrection]) -> String {
    let mut out = String::with_capacity(query.len());
    let mut at = 0;
    for correction in corrections {
        out.push_str(&query[at..correction.span.start]);
        out.push_str(&correction.to);
        at = correction.span.end;
    }
    out.push_str(&query[at..]);
    out
}

/// Where a typing error was corrected, what was typed stands nowhere: the words found are another spelling of it.
pub(crate) fn label(found: Vec<LexicalMatch>, corrections: &[QueryCorrection]) -> Vec<LexicalMatch> {
    let corrected = |one: LexicalMatch| match one.kind {
        LexicalKind::Exact if !corrections.is_empty() => LexicalMatch {
            kind: LexicalKind::Fuzzy(Reason::Corrected),
            score: Reason::Corrected.score(),
            ..one
        },
        _ => one,
    };
    found.into_iter().map(corrected).collect()
}

/// True when the vocabulary has the word or what it is an ordinary form of.
fn is_known(word: &str, encoder: &dyn Encoder) -> bool {
    const ENDINGS: &[(&str, &str)] = &[
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
    const BEGINNINGS: &[&str] =
        &["", "non", "un", "re", "anti", "pre", "co", "sub", "inter", "over", "under"];
    BEGINNINGS.iter().filter_map(|beginning| word.strip_prefix(beginning)).any(|rest| {
        ENDINGS.iter().any(|(ending, instead)| {
            rest.strip_suffix(ending)
                .is_some_and(|stem| stem.len() > 2 && encoder.knows_word(&format!("{stem}{instead}")))
        })
    })
}

fn word_counts(documents: &[Document]) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for text in documents.iter().map(Document::text) {
        for word in words::Words::new(text).filter_map(|span| span.slice(text)) {
            if word.len() <= distance::MAX_WORD_CHARS {
                *counts.entry(word.to_lowercase()).or_insert(0) += 1;
            }
        }
    }
    counts
}

/// The candidate nearest to a word; among equally near ones that with the same first letter, then the most common.
fn nearest<'c>(word: &str, candidates: impl Iterator<Item = (&'c str, usize)>) -> Option<&'c str> {
    let typed: Vec<char> = word.chars().collect();
    let letters = words::letters(&typed);
    let budget = if typed.len() < 8 { 1 } else { 2 };
    type Rank = (usize, bool, std::cmp::Reverse<usize>);
    let mut best: Option<(Rank, &str)> = None;
    let mut chars: Vec<char> = Vec::new();
    for (candidate, weight) in candidates {
        if candidate.len().abs_diff(word.len()) > budget + 2 {
            continue;
        }
        chars.clear();
        chars.extend(candidate.chars());
        // One edit changes at most two of the letters that two words have or lack.
        if chars.len() < MIN_WORD_CHARS
            || (words::letters(&chars) ^ letters).count_ones() as usize > 2 * budget
        {
            continue;
        }
        let Some(edits) = distance::within(&typed, &chars, budget) else { continue };
        let rank = (edits, chars[0] != typed[0], std::cmp::Reverse(weight));
        if best.as_ref().is_none_or(|(other, _)| rank < *other) {
            best = Some((rank, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

pub(crate) fn with_case_of(typed: &str, word: &str) -> String {
    let mut chars = word.chars();
    match (typed.chars().next(), chars.next()) {
        (Some(first), Some(letter)) if first.is_uppercase() => letter.to_uppercase().chain(chars).collect(),
        _ => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_then_the_most_common_wins() {
        let words = [("companies", 9), ("company", 8), ("complies", 7), ("compares", 10)];
        assert_eq!(nearest("compnaies", words.into_iter()), Some("companies"));
        assert_eq!(nearest("xyzzyx", words.into_iter()), None);
    }

    #[test]
    fn corrections_keep_the_rest_of_the_query() {
        let span = Span::new(7, 16);
        let corrections = [QueryCorrection { span, from: "compnaies".into(), to: "companies".into() }];
        assert_eq!(apply("German compnaies, all", &corrections), "German companies, all");
        assert_eq!(with_case_of("Compnaies", "companies"), "Companies");
    }
}
