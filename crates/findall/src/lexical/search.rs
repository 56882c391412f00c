//! Lexical find piece by piece: the matches of [`Finder::find`] in a text that is asked many queries, without ever
//! working longer than a few milliseconds at a time. Whoever calls looks at the clock in between.

use std::collections::HashMap;

use rust_stemmers::{Algorithm, Stemmer};

use super::fuzzy::{self, FuzzyPattern, Likeness, PhraseScan};
use super::indexed::IndexedText;
use super::{Finder, LexicalKind, LexicalMatch, Reason, fold_str};

/// Bytes of the text searched for the query itself in one go, times the query's characters: where a text repeats itself
/// as the query does, each is compared with each.
const COMPARED_CHARS_A_PIECE: usize = 1 << 19;
/// Distinct words compared with one word of the query in one go.
const COMPARISONS_A_PIECE: usize = 4096;
/// Words of the text looked at in one go.
const WORDS_A_PIECE: usize = 1 << 17;

/// One query in one text, under way.
#[derive(Debug)]
pub struct LexicalSearch {
    finder: Finder,
    /// Where the part begins that was not searched for the query itself.
    at: usize,
    /// End of the last place of the query itself.
    after: usize,
    exact: Vec<LexicalMatch>,
    near: Option<IndexedScan>,
}

/// What was found in the end.
#[derive(Clone, Debug, PartialEq)]
pub struct LexicalOutcome {
    /// All matches in text order; no two overlap.
    pub matches: Vec<LexicalMatch>,
    /// What the text says in the place of a query that stands nowhere in it and was mistyped.
    pub correction: Option<String>,
}

impl LexicalSearch {
    /// A search that has not begun.
    pub fn new(finder: Finder) -> LexicalSearch {
        let near = finder.fuzzy.as_ref().map(IndexedScan::new);
        LexicalSearch { finder, at: 0, after: 0, exact: Vec::new(), near }
    }

    /// Works a little; false when nothing is left to do. The text is the same at each call.
    pub fn advance(&mut self, text: &mut IndexedText) -> bool {
        if self.at < text.text().len() {
            self.find_exact(text.text());
            return true;
        }
        match (&self.finder.fuzzy, &mut self.near) {
            (Some(pattern), Some(near)) => text.read_on() || near.advance(pattern, text),
            _ => false,
        }
    }

    fn find_exact(&mut self, text: &str) {
        let bytes = COMPARED_CHARS_A_PIECE / self.finder.exact.char_count();
        let end = text.ceil_char_boundary((self.at + bytes).min(text.len()));
        for span in self.finder.exact.matches_in(text, self.at..end, self.after) {
            self.after = span.end;
            self.exact.extend(self.finder.accept(text, span));
        }
        self.at = end;
    }

    /// What was found, once [`advance`](Self::advance) has nothing left to do.
    pub fn finish(self, text: &IndexedText) -> LexicalOutcome {
        let text = text.text();
        let LexicalSearch { finder, exact: mut matches, near, .. } = self;
        let found = finder.filter_fuzzy(text, &matches, near.map(|near| near.found).unwrap_or_default());
        let correction = if matches.is_empty() { choose_correction(text, &found) } else { None };
        matches.extend(found);
        matches.sort_by_key(|found| found.span);
        LexicalOutcome { matches, correction }
    }
}

/// What was meant, when nothing but near spellings of the query stand in the text: the most frequent.
fn choose_correction(text: &str, found: &[LexicalMatch]) -> Option<String> {
    let mut counts: HashMap<Vec<char>, (usize, std::cmp::Reverse<usize>)> = HashMap::new();
    for (place, each) in found.iter().enumerate() {
        let LexicalKind::Fuzzy(Reason::Typo { .. }) = each.kind else { return None };
        let spelling = each.span.slice(text).map(fold_str)?;
        counts.entry(spelling).or_insert((0, std::cmp::Reverse(place))).0 += 1;
    }
    let (spelling, _) = counts.into_iter().max_by_key(|(_, rank)| *rank)?;
    Some(spelling.into_iter().collect())
}

/// The fuzzy part of a search: first each distinct word is compared with the query's, then the text is gone through.
#[derive(Debug)]
struct IndexedScan {
    /// For each word of the query: which distinct words are like it, in their order.
    alike: Vec<Vec<(usize, Likeness)>>,
    /// For each distinct word: whether it has to be looked at where it stands.
    wanted: Vec<bool>,
    scan: PhraseScan,
    /// Words of the text gone through.
    at: usize,
    found: Vec<LexicalMatch>,
}

impl IndexedScan {
    fn new(pattern: &FuzzyPattern) -> IndexedScan {
        IndexedScan {
            alike: vec![Vec::new(); pattern.len()],
            wanted: Vec::new(),
            scan: PhraseScan::new(pattern),
            at: 0,
            found: Vec::new(),
        }
    }

    fn advance(&mut self, pattern: &FuzzyPattern, text: &IndexedText) -> bool {
        if self.wanted.len() < text.distinct_words().len() {
            self.compare(pattern, text);
            return true;
        }
        self.compare_words(pattern, text);
        self.at < text.words().len()
    }

    fn compare(&mut self, pattern: &FuzzyPattern, text: &IndexedText) {
        let stemmer = Stemmer::create(Algorithm::English);
        let start = self.wanted.len();
        let piece = text.distinct_words()[start..].iter().take((COMPARISONS_A_PIECE / pattern.len()).max(1));
        for (id, word) in (start..).zip(piece) {
            let mut wanted = pattern.may_be_spaced(&word.chars);
            for (at, alike) in self.alike.iter_mut().enumerate() {
                if let Some(likeness) = pattern.compare(at, &word.chars, &stemmer) {
                    alike.push((id, likeness));
                    wanted = true;
                }
            }
            self.wanted.push(wanted);
        }
    }

    fn compare_words(&mut self, pattern: &FuzzyPattern, text: &IndexedText) {
        let (words, distinct) = (text.words(), text.distinct_words());
        let chars = |id: Option<usize>| id.map_or(&[][..], |id| &distinct[id].chars);
        let end = (self.at + WORDS_A_PIECE).min(words.len());
        for at in self.at..end {
            let word = words[at];
            let Some(id) = word.id().filter(|&id| self.wanted[id]) else {
                if self.scan.is_pending() {
                    self.scan.reset();
                }
                continue;
            };
            let previous = at.checked_sub(1).map(|before| words[before]);
            let (span, before) = (word.span(), previous.map(|previous| previous.span()));
            let near = || before.is_some_and(|before| fuzzy::is_near(&text.text()[before.end..span.start]));
            let alike = &self.alike;
            let compare = |word: usize| {
                let place = alike[word].binary_search_by_key(&id, |(id, _)| *id).ok()?;
                Some(alike[word][place].1)
            };
            let folded = chars(Some(id));
            if let Some((start, likeness)) = self.scan.step(span.start, near, compare) {
                let end = fuzzy::possessive_end(folded, &text.text()[span.start..span.end], span);
                self.found.extend(likeness.into_match(start, end));
            }
            let halves = chars(previous.and_then(|previous| previous.id()));
            self.found.extend(pattern.match_spacing(text.text(), before, halves, span, folded));
        }
        self.at = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexical::{CaseRule, LexicalOptions, Spelling, WordRule};

    fn search_text(text: &mut IndexedText, query: &str, options: LexicalOptions) -> LexicalOutcome {
        let mut search = LexicalSearch::new(Finder::new(query, options).unwrap());
        while search.advance(text) {}
        search.finish(text)
    }

    /// Longer than any piece, with matches across the ends of pieces, and one endless word.
    fn long_text() -> String {
        let mut text = "Café lamps, a paper\nlamp, e-mail or email; the compnay's companies. ".repeat(9_000);
        text.push_str(&"東京".repeat(30_000));
        text.push_str(" lamp lampe\u{301} lamp-\nroom İstanbul. ");
        text
    }

    #[test]
    fn pieces_find_what_the_whole_finds() {
        let mut text = IndexedText::new(long_text());
        let whole = LexicalOptions { words: WordRule::WholeWords, ..LexicalOptions::default() };
        let case = LexicalOptions { case: CaseRule::Exact, ..LexicalOptions::default() };
        let inflected = LexicalOptions { spelling: Spelling::Inflected, ..LexicalOptions::default() };
        let queries =
            ["lamp", "paper lamp", "email", "e mail", "company", "cafe lamp", "e", "istanbul", "lamproom"];
        for query in queries.into_iter().chain(["東京", "companys company", "or the", "lapm"]) {
            for options in [LexicalOptions::default(), whole, case, inflected] {
                let mut expected = Finder::new(query, options).unwrap().find(text.text());
                expected.sort_by_key(|found| found.span);
                let outcome = search_text(&mut text, query, options);
                assert!(outcome.matches == expected, "{query} {options:?}");
            }
        }
    }

    #[test]
    fn a_mistyped_query_is_corrected() {
        let mut text = IndexedText::new("A museum, two Museums, the museum; a tower.");
        let correction = |query: &str, text: &mut IndexedText| {
            search_text(text, query, LexicalOptions::default()).correction
        };
        assert_eq!(correction("musuem", &mut text).as_deref(), Some("museum"));
        assert_eq!(correction("museum", &mut text), None);
        assert_eq!(correction("towers", &mut text), None, "an inflection is no mistake");
        assert_eq!(correction("bridge", &mut text), None);
    }

    #[test]
    fn long_queries_are_sought_in_short_pieces() {
        let pieces = |chars: usize| {
            let mut text = IndexedText::new("e".repeat(1 << 18));
            let finder = Finder::new(&"e".repeat(chars), LexicalOptions::default()).unwrap();
            let mut search = LexicalSearch::new(finder);
            let mut count = 0;
            while search.at < text.text().len() {
                assert!(search.advance(&mut text));
                count += 1;
            }
            (count, search.finish(&text).matches.len())
        };
        assert_eq!(pieces(1), (1, 1 << 18));
        assert_eq!(pieces(1 << 10), (1 << 9, 1 << 8));
    }
}
