//! Texts to terms: folded, stemmed words without those that say nothing about a topic. Each distinct word is folded and
//! stemmed once.

use std::collections::HashMap;

use rust_stemmers::{Algorithm, Stemmer};

use crate::lexical::{distance, words};
use crate::span::Span;
use crate::word_list::WordList;

const TERM_WORD_LISTS: &str = include_str!("common_words.txt");

/// Numbers the terms of texts.
pub(super) struct Terms {
    numbers: HashMap<String, u32>,
}

/// Gives terms their numbers while texts of one lifetime are read.
pub(super) struct Numbering<'t> {
    terms: Terms,
    stemmer: Stemmer,
    seen: HashMap<&'t str, Option<u32>>,
}

impl<'t> Numbering<'t> {
    pub fn new() -> Self {
        let terms = Terms { numbers: HashMap::new() };
        Self { terms, stemmer: Stemmer::create(Algorithm::English), seen: HashMap::new() }
    }

    /// The terms of a text, in order.
    pub fn read(&mut self, text: &'t str, mut each: impl FnMut(u32)) {
        for word in words::Words::new(text).filter_map(|span| span.slice(text)) {
            let number = match self.seen.get(word) {
                Some(&number) => number,
                None => {
                    let number = term(word, &self.stemmer).map(|term| {
                        let next = self.terms.numbers.len() as u32;
                        *self.terms.numbers.entry(term).or_insert(next)
                    });
                    self.seen.insert(word, number);
                    number
                }
            };
            number.into_iter().for_each(&mut each);
        }
    }

    pub fn finish(self) -> Terms {
        self.terms
    }
}

impl Terms {
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// The distinct terms of a query in alphabetical order, each with its number, if it has one, and how often it
    /// stands there.
    pub fn of_query(&self, query: &str) -> Vec<QueryTerm> {
        let mut terms: Vec<String> = terms_of(query).collect();
        terms.sort_unstable();
        terms
            .chunk_by(|a, b| a == b)
            .map(|same| QueryTerm {
                number: self.numbers.get(&same[0]).copied(),
                times: same.len() as u32,
                term: same[0].clone(),
            })
            .collect()
    }
}

/// A term of a query.
pub(super) struct QueryTerm {
    pub term: String,
    pub number: Option<u32>,
    pub times: u32,
}

/// The terms of a short text, in order.
pub(crate) fn terms_of(text: &str) -> impl Iterator<Item = String> {
    let stemmer = Stemmer::create(Algorithm::English);
    words::Words::new(text).filter_map(move |span| term(span.slice(text)?, &stemmer))
}

/// The words of a short text, folded, each with its term, in order; common words left out.
pub(crate) fn terms_with_words(text: &str) -> impl Iterator<Item = (String, String)> {
    let stemmer = Stemmer::create(Algorithm::English);
    words::Words::new(text).filter_map(move |span| {
        let plain = simplify_word(span.slice(text)?)?;
        let term = stemmer.stem(&plain).into_owned();
        Some((plain, term))
    })
}

/// Texts to terms for who indexes many: every distinct word is folded and stemmed once.
pub struct TermReader {
    stemmer: Stemmer,
    /// Looked up for every word of every text, so by a faster hash than the standard one; seeded, too.
    seen: HashMap<Box<str>, Option<Box<str>>, foldhash::fast::RandomState>,
}

/// Distinct words that a [`TermReader`] remembers; then it begins anew, so that its memory is bounded.
const MAX_REMEMBERED_WORDS: usize = 200_000;

impl Default for TermReader {
    fn default() -> Self {
        Self { stemmer: Stemmer::create(Algorithm::English), seen: HashMap::default() }
    }
}

impl TermReader {
    /// Every term of a text with where it stands, in order.
    pub fn read(&mut self, text: &str, mut each: impl FnMut(Span, &str)) {
        for span in words::Words::new(text) {
            let Some(word) = span.slice(text) else { continue };
            if let Some(known) = self.seen.get(word) {
                if let Some(term) = known {
                    each(span, term);
                }
                continue;
            }
            if self.seen.len() >= MAX_REMEMBERED_WORDS {
                self.seen.clear();
            }
            let term = term(word, &self.stemmer).map(String::into_boxed_str);
            if let Some(term) = &term {
                each(span, term);
            }
            self.seen.insert(word.into(), term);
        }
    }
}

/// What a word counts as; nothing when it is common everywhere or no word at all.
fn term(word: &str, stemmer: &Stemmer) -> Option<String> {
    simplify_word(word).map(|plain| stemmer.stem(&plain).into_owned())
}

/// A word in lower case without accents or possessive; nothing when it is common everywhere or no word at all.
fn simplify_word(word: &str) -> Option<String> {
    let mut folded = Vec::new();
    if !words::fold_word(word, distance::MAX_WORD_CHARS, &mut folded) {
        return None;
    }
    let plain: String = words::strip_possessive(&folded).iter().collect();
    (!plain.is_empty() && !STOP_WORDS.contains(&plain)).then_some(plain)
}

/// Words that stand in every passage and every question.
static STOP_WORDS: WordList = WordList::new(TERM_WORD_LISTS, "common");
