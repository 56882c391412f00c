//! Lexical find: a text and a query in; one ranked list of exact and fuzzy matches out, each labelled, each checked
//! against the text. This is the search that needs no model: Ctrl+F that forgives spelling.

pub(crate) mod distance;
mod exact;
mod fold;
mod fuzzy;
mod indexed;
mod search;
mod typos;
pub(crate) mod words;

use crate::error::QueryError;
use crate::span::Span;
use exact::Pattern;
use fuzzy::FuzzyPattern;

pub use exact::Matches as ExactMatches;
pub(crate) use fold::fold_str;
pub use indexed::{IndexedText, continues_heading};
pub use search::{LexicalOutcome, LexicalSearch};

/// How to match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LexicalOptions {
    /// Which spellings count besides the query's own.
    pub spelling: Spelling,
    /// Whether a match may lie inside a longer word.
    pub words: WordRule,
    /// Whether upper and lower case are told apart (accents then are, too).
    pub case: CaseRule,
}

impl Default for LexicalOptions {
    fn default() -> Self {
        LexicalOptions { spelling: Spelling::Fuzzy, words: WordRule::Anywhere, case: CaseRule::Folded }
    }
}

/// Which spellings count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// The query's, folded.
    Exact,
    /// Inflections too, but no typing errors.
    Inflected,
    /// Inflections and typing errors.
    Fuzzy,
}

/// Where in words a match may lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordRule {
    /// Anywhere, as Ctrl+F has it.
    Anywhere,
    /// From one word's start to a word's end.
    WholeWords,
}

/// Whether case and accents matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaseRule {
    /// They do not.
    Folded,
    /// The letters must be the query's; whitespace and line ends still may differ. Implies [`Spelling::Exact`].
    Exact,
}

/// One place in the text that answers the query by its letters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LexicalMatch {
    /// Where.
    pub span: Span,
    /// In what way.
    pub kind: LexicalKind,
    /// 1 for the query itself as a whole word, less the more it takes to see it.
    pub score: f32,
}

/// In what way a match answers the query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LexicalKind {
    /// The query, up to case, accents, whitespace and line-end hyphens.
    Exact,
    /// The query spelled otherwise.
    Fuzzy(Reason),
}

/// How the spelling of a fuzzy match differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// `company's` for `company`.
    Possessive,
    /// `companies` for `company`, or the other way.
    Plural,
    /// The same stem: `founded` for `founding`.
    Inflection,
    /// `e-mail` for `email`, or the other way.
    Spacing,
    /// So many letters missed, added, changed or swapped.
    Typo {
        /// How many.
        edits: u8,
    },
    /// What was typed stands nowhere; another word was searched for in its place.
    Corrected,
}

impl LexicalKind {
    /// Why such a place is a match, in words.
    pub fn explain(self) -> &'static str {
        match self {
            LexicalKind::Exact => "the words themselves",
            LexicalKind::Fuzzy(reason) => reason.explain(),
        }
    }
}

impl Reason {
    /// Why such a spelling is a match, in words.
    pub fn explain(self) -> &'static str {
        match self {
            Reason::Possessive => "possessive of the same word",
            Reason::Plural => "singular or plural of the same word",
            Reason::Inflection => "another form of the same word",
            Reason::Spacing => "written together or apart",
            Reason::Typo { edits: 0 | 1 } => "one letter differs",
            Reason::Typo { .. } => "a few letters differ",
            Reason::Corrected => "a typing error in the query was corrected",
        }
    }

    /// How far such a spelling still counts as the query.
    pub(crate) fn score(self) -> f32 {
        match self {
            Reason::Possessive => 0.95,
            Reason::Plural => 0.9,
            Reason::Spacing => 0.85,
            Reason::Inflection => 0.8,
            Reason::Typo { edits: 0 | 1 } | Reason::Corrected => 0.7,
            Reason::Typo { .. } => 0.55,
        }
    }
}

/// Exact matches above this are whole words.
const MIN_WHOLE_WORD_SCORE: f32 = 0.95;

/// A query made ready to be sought in any number of texts.
#[derive(Debug)]
pub struct Finder {
    query: String,
    options: LexicalOptions,
    exact: Pattern,
    fuzzy: Option<FuzzyPattern>,
}

impl Finder {
    /// Makes a query ready; an empty or endless one is an error.
    pub fn new(query: &str, options: LexicalOptions) -> Result<Finder, QueryError> {
        let exact = Pattern::new(query)?;
        let wants_fuzzy = options.spelling != Spelling::Exact && options.case == CaseRule::Folded;
        let fuzzy = if wants_fuzzy { FuzzyPattern::new(query) } else { None };
        let query = query.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(Finder { query, options, exact, fuzzy })
    }

    /// Exact matches in text order, one at a time: what counting needs, in constant memory.
    pub fn exact<'f, 't>(&'f self, text: &'t str) -> impl Iterator<Item = LexicalMatch> + use<'f, 't> {
        self.exact.matches(text).filter_map(move |span| self.accept(text, span))
    }

    /// Applies the word and case rules to an exact match and scores it.
    fn accept(&self, text: &str, span: Span) -> Option<LexicalMatch> {
        let slice = span.slice(text)?;
        let whole = is_whole_word(text, span);
        if self.options.words == WordRule::WholeWords && !whole {
            return None;
        }
        let verbatim = slice == self.query;
        if self.options.case == CaseRule::Exact && !verbatim && !same_letters(slice, &self.query) {
            return None;
        }
        let score = match (whole, verbatim) {
            (true, true) => 1.0,
            (true, false) => 0.98,
            (false, true) => 0.92,
            (false, false) => 0.9,
        };
        Some(LexicalMatch { span, kind: LexicalKind::Exact, score })
    }

    /// All matches, best first, then in text order; no two overlap.
    pub fn find(&self, text: &str) -> Vec<LexicalMatch> {
        let mut matches: Vec<LexicalMatch> = self.exact(text).collect();
        if let Some(fuzzy) = &self.fuzzy {
            let mut found = Vec::new();
            fuzzy.find(text, &mut found);
            let found = self.filter_fuzzy(text, &matches, found);
            matches.extend(found);
        }
        matches.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.span.cmp(&b.span)));
        matches
    }

    /// Which of the fuzzy matches stay beside the exact ones, in text order.
    fn filter_fuzzy(
        &self,
        text: &str,
        exact: &[LexicalMatch],
        mut found: Vec<LexicalMatch>,
    ) -> Vec<LexicalMatch> {
        found.retain(|found| self.keeps_kind(found.kind));
        let whole = exact.iter().filter(|found| found.score > MIN_WHOLE_WORD_SCORE).count();
        drop_overlaps(exact, typos::keep_plausible(text, whole, found))
    }

    fn keeps_kind(&self, kind: LexicalKind) -> bool {
        self.options.spelling == Spelling::Fuzzy || !matches!(kind, LexicalKind::Fuzzy(Reason::Typo { .. }))
    }
}

/// Finds a query in a text. To search several texts, make a [`Finder`] once.
pub fn find(text: &str, query: &str, options: LexicalOptions) -> Result<Vec<LexicalMatch>, QueryError> {
    Ok(Finder::new(query, options)?.find(text))
}

/// Fuzzy matches that share no byte with an exact one (in text order) or a better fuzzy one.
fn drop_overlaps(exact: &[LexicalMatch], mut found: Vec<LexicalMatch>) -> Vec<LexicalMatch> {
    found.sort_by_key(|candidate| candidate.span);
    let mut kept: Vec<LexicalMatch> = Vec::new();
    let mut next_exact = 0;
    for candidate in found {
        while exact.get(next_exact).is_some_and(|exact| exact.span.end <= candidate.span.start) {
            next_exact += 1;
        }
        if exact.get(next_exact).is_some_and(|exact| exact.span.overlaps(&candidate.span)) {
            continue;
        }
        match kept.last_mut() {
            Some(last) if last.span.overlaps(&candidate.span) => {
                if candidate.score > last.score {
                    *last = candidate;
                }
            }
            _ => kept.push(candidate),
        }
    }
    kept
}

/// True when no letter or digit continues the span on either side.
fn is_whole_word(text: &str, span: Span) -> bool {
    let (Some(before), Some(after)) = (text.get(..span.start), text.get(span.end..)) else { return false };
    let joins = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    !joins(before.chars().next_back()) && !joins(after.chars().next())
}

/// Compares letters as they stand, whitespace and invisible characters aside.
fn same_letters(slice: &str, query: &str) -> bool {
    let letters = |text: &'_ str| {
        text.chars()
            .filter(|&c| !fold::is_space(c) && (!fold::is_ignored(c) || fold::is_mark(c)) && c != '-')
            .collect::<Vec<_>>()
    };
    letters(slice) == letters(query)
}
