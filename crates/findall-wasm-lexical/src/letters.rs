//! One page and what is sought in it, piece by piece.

use findall::lexical::{
    CaseRule, Finder, IndexedText, LexicalKind, LexicalMatch, LexicalOptions, LexicalOutcome, LexicalSearch,
    Reason, Spelling, WordRule, continues_heading,
};
use findall_wire::WireCorrection;
use findall_wire::browser::letters::{LettersAnswer, LettersKind, LettersRequest, SuggestedLetters};

use crate::units::{UnitCounter, UnitIndex};

/// Suggestions of one sort, at most.
const MAX_SUGGESTIONS: usize = 6;

/// Matches written as places in one go.
const MATCHES_A_PIECE: usize = 1 << 14;

/// Numbers that one match travels as: start, end, kind, score in millionths.
const NUMBERS_A_MATCH: usize = 4;

/// Every kind; its number is its place.
const KINDS: [LexicalKind; 7] = [
    LexicalKind::Exact,
    LexicalKind::Fuzzy(Reason::Possessive),
    LexicalKind::Fuzzy(Reason::Plural),
    LexicalKind::Fuzzy(Reason::Inflection),
    LexicalKind::Fuzzy(Reason::Spacing),
    LexicalKind::Fuzzy(Reason::Typo { edits: 1 }),
    LexicalKind::Fuzzy(Reason::Typo { edits: 2 }),
];

/// A page, its words, and the search under way.
#[derive(Default)]
pub struct Letters {
    page: IndexedText,
    units: UnitIndex,
    search: Option<SearchState>,
    correction: Option<WireCorrection>,
    places: Vec<u32>,
}

/// A search: first under way, then with matches that are still to be written as places.
enum SearchState {
    UnderWay { query: String, search: Box<LexicalSearch> },
    Found { matches: std::vec::IntoIter<LexicalMatch>, counter: UnitCounter },
}

impl Letters {
    /// Takes a piece of a page's text; the first one lets the page before go.
    pub fn add_text(&mut self, piece: &str, first: bool) {
        let mut text = if first { String::new() } else { std::mem::take(&mut self.page).into_text() };
        if first {
            self.units = UnitIndex::default();
        }
        text.push_str(piece);
        self.units.extend(&text);
        self.page = IndexedText::new(text);
        self.search = None;
    }

    /// Answers a JSON request with JSON; a failure is an answer, too.
    pub fn call(&mut self, request: &[u8]) -> String {
        let answer = match serde_json::from_slice(request) {
            Ok(request) => self.answer(request),
            Err(error) => LettersAnswer::Failed { error: error.to_string() },
        };
        // Nothing that an answer holds can fail to be written.
        serde_json::to_string(&answer).unwrap_or_default()
    }

    /// Works a little at the search under way; false when nothing is left to do.
    pub fn advance(&mut self) -> bool {
        self.search = match self.search.take() {
            Some(SearchState::UnderWay { query, mut search }) => {
                if search.advance(&mut self.page) {
                    Some(SearchState::UnderWay { query, search })
                } else {
                    Some(self.finish_search(&query, *search))
                }
            }
            Some(SearchState::Found { matches, counter }) => self.write(matches, counter),
            None => None,
        };
        self.search.is_some()
    }

    /// Gathers some of the page's words before they are asked for; false when all are there.
    pub fn read_on(&mut self) -> bool {
        self.page.read_on()
    }

    /// The places that the last search has found, four numbers each: start, end, kind, score in millionths.
    pub fn places(&self) -> &[u32] {
        &self.places
    }

    fn answer(&mut self, request: LettersRequest) -> LettersAnswer {
        match request {
            LettersRequest::Kinds => LettersAnswer::Kinds { kinds: KINDS.map(describe_kind).into() },
            LettersRequest::Seek { query, literal, case, words } => {
                let options = LexicalOptions {
                    spelling: if literal { Spelling::Exact } else { Spelling::Fuzzy },
                    words: if words { WordRule::WholeWords } else { WordRule::Anywhere },
                    case: if case { CaseRule::Exact } else { CaseRule::Folded },
                };
                self.seek(query, options)
            }
            LettersRequest::Finish => LettersAnswer::Found { correction: self.correction.take() },
            LettersRequest::Suggest { typed, headings } => {
                let continued =
                    headings.iter().enumerate().filter(|(_, heading)| continues_heading(heading, &typed));
                let headings = continued.map(|(at, _)| at).take(MAX_SUGGESTIONS).collect();
                let words = self.page.completions(&typed, MAX_SUGGESTIONS);
                LettersAnswer::Suggested(SuggestedLetters { headings, words })
            }
        }
    }

    fn seek(&mut self, query: String, options: LexicalOptions) -> LettersAnswer {
        // A query with nothing in it, or far too much, finds nothing.
        let finder = Finder::new(&query, options).ok();
        self.correction = None;
        self.places.clear();
        self.search = finder.map(|finder| {
            let search = Box::new(LexicalSearch::new(finder));
            SearchState::UnderWay { query, search }
        });
        LettersAnswer::Sought { sought: self.search.is_some() }
    }

    fn finish_search(&mut self, query: &str, search: LexicalSearch) -> SearchState {
        let LexicalOutcome { matches, correction } = search.finish(&self.page);
        let from = || query.split_whitespace().collect::<Vec<_>>().join(" ");
        self.correction = correction.map(|to| WireCorrection { from: from(), to });
        self.places.reserve(matches.len() * NUMBERS_A_MATCH);
        SearchState::Found { matches: matches.into_iter(), counter: UnitCounter::default() }
    }

    /// Writes some of the matches as places; what is left is to be written later.
    fn write(
        &mut self,
        mut matches: std::vec::IntoIter<LexicalMatch>,
        mut counter: UnitCounter,
    ) -> Option<SearchState> {
        for LexicalMatch { span, kind, score } in matches.by_ref().take(MATCHES_A_PIECE) {
            let mut units = |byte| counter.units_before(byte, self.page.text(), &self.units) as u32;
            let (start, end) = (units(span.start), units(span.end));
            let score = (f64::from(score) * 1e6).round();
            self.places.extend([start, end, number(kind), score as u32]);
        }
        (matches.len() > 0).then_some(SearchState::Found { matches, counter })
    }
}

fn describe_kind(kind: LexicalKind) -> LettersKind {
    LettersKind { exact: kind == LexicalKind::Exact, why: kind.explain() }
}

/// The number of a kind; typing errors are one or more letters.
fn number(kind: LexicalKind) -> u32 {
    let kind = match kind {
        LexicalKind::Fuzzy(Reason::Typo { edits }) => {
            LexicalKind::Fuzzy(Reason::Typo { edits: edits.clamp(1, 2) })
        }
        other => other,
    };
    KINDS.iter().position(|&known| known == kind).unwrap_or(KINDS.len() - 1) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find_in(letters: &mut Letters, request: &str) -> (Vec<u32>, String) {
        assert_eq!(letters.call(request.as_bytes()), r#"{"sought":true}"#);
        while letters.advance() {}
        let answer = letters.call(br#"{"call":"finish"}"#);
        (letters.places().to_vec(), answer)
    }

    #[test]
    fn finds_in_units_of_browsers() {
        let mut letters = Letters::default();
        letters.add_text("😀 a l", true);
        letters.add_text("amp, Lamps", false);
        let (places, answer) = find_in(&mut letters, r#"{"call":"seek","query":"lamp"}"#);
        assert_eq!(places, [5, 9, 0, 1_000_000, 11, 15, 0, 900_000]);
        assert_eq!(answer, r#"{"correction":null}"#);
        let (places, _) =
            find_in(&mut letters, r#"{"call":"seek","query":"Lamp","literal":true,"case":true}"#);
        assert_eq!(places, [11, 15, 0, 920_000]);
        let (places, answer) = find_in(&mut letters, r#"{"call":"seek","query":"tower"}"#);
        assert_eq!((places.len(), answer.as_str()), (0, r#"{"correction":null}"#));
    }

    #[test]
    fn corrects_and_suggests() {
        let mut letters = Letters::default();
        letters.add_text("The museum opens. A Museum.", true);
        let (places, answer) = find_in(&mut letters, r#"{"call":"seek","query":" musuem "}"#);
        assert_eq!(places[..4], [4, 10, 5, 700_000]);
        assert_eq!(answer, r#"{"correction":{"from":"musuem","to":"museum"}}"#);
        let request = br#"{"call":"suggest","typed":"the mu","headings":["The Museum","Mugs"]}"#;
        assert_eq!(letters.call(request), r#"{"headings":[0],"words":["the museum"]}"#);
    }

    #[test]
    fn a_bad_request_is_refused() {
        let mut letters = Letters::default();
        assert!(letters.call(b"{").starts_with(r#"{"error":"#));
        assert_eq!(letters.call(br#"{"call":"seek","query":" "}"#), r#"{"sought":false}"#);
        assert!(!letters.advance());
        assert_eq!(letters.call(br#"{"call":"finish"}"#), r#"{"correction":null}"#);
    }
}
