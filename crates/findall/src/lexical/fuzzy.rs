//! Fuzzy find: words that mean the query's words but are spelled otherwise: plurals, possessives, other inflections,
//! typing errors, words written together or apart. One pass over the text's words; most are dismissed by length and
//! letters alone.

use rust_stemmers::{Algorithm, Stemmer};

use super::distance::{self, MAX_WORD_CHARS};
use super::words::{self, Words};
use super::{LexicalKind, LexicalMatch, Reason};
use crate::span::Span;

/// Queries of more words than this are sought exactly only.
const MAX_FUZZY_QUERY_WORDS: usize = 16;

/// A query made ready.
#[derive(Debug)]
pub(super) struct FuzzyPattern {
    words: Vec<QueryWord>,
    /// All words written as one, when there are several.
    joined: Vec<char>,
}

#[derive(Debug)]
struct QueryWord {
    chars: Vec<char>,
    stem: Option<String>,
    letters: u32,
    edits: usize,
}

/// How a word of the text answers a word of the query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Likeness {
    reason: Option<Reason>,
    score: f32,
}

impl Likeness {
    const EXACT_MATCH: Likeness = Likeness { reason: None, score: 1.0 };

    fn from_reason(reason: Reason) -> Likeness {
        Likeness { reason: Some(reason), score: reason.score() }
    }

    /// Two words beside each other: the weaker likeness names the reason.
    fn combine(self, other: Likeness) -> Likeness {
        let reason = if other.score < self.score { other.reason } else { self.reason.or(other.reason) };
        Likeness { reason, score: self.score * other.score }
    }

    /// The match from `start` to `end`; none where every word is the query's own.
    pub fn into_match(self, start: usize, end: usize) -> Option<LexicalMatch> {
        self.reason.map(|reason| fuzzy_match(Span::new(start, end), reason, self.score))
    }
}

impl FuzzyPattern {
    /// `None` when the query has no words, or too many.
    pub fn new(query: &str) -> Option<FuzzyPattern> {
        let stemmer = Stemmer::create(Algorithm::English);
        let mut folded = Vec::new();
        let mut query_words = Vec::new();
        for span in Words::new(query) {
            if !words::fold_word(span.slice(query)?, MAX_WORD_CHARS, &mut folded) {
                return None;
            }
            query_words.push(QueryWord::new(words::strip_possessive(&folded), &stemmer));
        }
        if query_words.is_empty() || query_words.len() > MAX_FUZZY_QUERY_WORDS {
            return None;
        }
        let joined = if query_words.len() > 1 {
            query_words.iter().flat_map(|word| word.chars.iter().copied()).collect()
        } else {
            Vec::new()
        };
        Some(FuzzyPattern { words: query_words, joined })
    }

    /// Adds every match that is not exact.
    pub fn find(&self, text: &str, matches: &mut Vec<LexicalMatch>) {
        let stemmer = Stemmer::create(Algorithm::English);
        let mut folded: Vec<char> = Vec::with_capacity(MAX_WORD_CHARS + 1);
        let mut before: Vec<char> = Vec::with_capacity(MAX_WORD_CHARS + 1);
        let mut previous: Option<Span> = None;
        let mut scan = PhraseScan::new(self);
        for span in Words::new(text) {
            let Some(word) = span.slice(text) else { continue };
            let fits = words::fold_word(word, MAX_WORD_CHARS, &mut folded);
            if !fits {
                folded.clear();
            }
            let near = || previous.is_some_and(|previous| is_near(&text[previous.end..span.start]));
            let compare = |at: usize| if fits { self.words[at].compare(&folded, &stemmer) } else { None };
            if let Some((start, likeness)) = scan.step(span.start, near, compare) {
                matches.extend(likeness.into_match(start, possessive_end(&folded, word, span)));
            }
            matches.extend(self.match_spacing(text, previous, &before, span, &folded));
            previous = Some(span);
            std::mem::swap(&mut before, &mut folded);
        }
    }

    /// How many words the query has.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// How a folded word of the text answers the query's word with this number.
    pub fn compare(&self, at: usize, word: &[char], stemmer: &Stemmer) -> Option<Likeness> {
        self.words[at].compare(word, stemmer)
    }

    /// Whether a word of the text may end a match of [`spaced`](Self::spaced).
    pub fn may_be_spaced(&self, word: &[char]) -> bool {
        match self.joined.is_empty() {
            true => self.words[0].chars.ends_with(word),
            false => self.joined == *word,
        }
    }

    /// The query's words written as one (`e-mail`, `email`), or its one word written as two.
    pub fn match_spacing(
        &self,
        text: &str,
        previous: Option<Span>,
        before: &[char],
        span: Span,
        folded: &[char],
    ) -> Option<LexicalMatch> {
        let found = |span: Span| fuzzy_match(span, Reason::Spacing, Reason::Spacing.score());
        if !self.joined.is_empty() {
            return (self.joined.len() > 3 && self.joined == *folded).then(|| found(span));
        }
        let wanted = &self.words[0].chars;
        let previous = previous?;
        if wanted.len() < 4 || before.len() + folded.len() != wanted.len() {
            return None;
        }
        if before.is_empty() || folded.is_empty() {
            return None;
        }
        let parted = matches!(&text[previous.end..span.start], "-" | " " | "\u{2010}" | "\u{2011}");
        (parted && wanted.starts_with(before) && wanted.ends_with(folded))
            .then(|| found(Span::new(previous.start, span.end)))
    }
}

/// What the words of a text have answered so far, as they come one after the other.
#[derive(Debug)]
pub(super) struct PhraseScan {
    /// At n: where the words before this one began that answered the query's first n, and how well.
    answered: Vec<Option<(usize, Likeness)>>,
    pending: bool,
}

impl PhraseScan {
    pub fn new(pattern: &FuzzyPattern) -> PhraseScan {
        PhraseScan { answered: vec![None; pattern.len()], pending: false }
    }

    /// True when the words before this one have answered a part of the query.
    pub fn is_pending(&self) -> bool {
        self.pending
    }

    /// What came before leads to nothing.
    pub fn reset(&mut self) {
        self.answered.fill(None);
        self.pending = false;
    }

    /// Takes the next word, which begins at `start`: whether it is near the one before, and how it answers the query's
    /// word with a number. Gives where the phrase began that it completes.
    pub fn step(
        &mut self,
        start: usize,
        near: impl FnOnce() -> bool,
        compare: impl Fn(usize) -> Option<Likeness>,
    ) -> Option<(usize, Likeness)> {
        if self.pending && !near() {
            self.reset();
        }
        self.pending = false;
        let count = self.answered.len();
        let mut whole = None;
        for at in (0..count).rev() {
            let so_far =
                if at == 0 { Some((start, Likeness::EXACT_MATCH)) } else { self.answered[at].take() };
            let answered =
                so_far.and_then(|(start, likeness)| compare(at).map(|this| (start, likeness.combine(this))));
            match self.answered.get_mut(at + 1) {
                Some(next) => {
                    self.pending |= answered.is_some();
                    *next = answered;
                }
                None => whole = answered,
            }
        }
        whole
    }
}

fn fuzzy_match(span: Span, reason: Reason, score: f32) -> LexicalMatch {
    LexicalMatch { span, kind: LexicalKind::Fuzzy(reason), score }
}

/// The match stops before a possessive ending, as mentions do.
pub(super) fn possessive_end(folded: &[char], word: &str, span: Span) -> usize {
    let ending = folded.len() - words::strip_possessive(folded).len();
    let bytes: usize = word.chars().rev().take(ending).map(char::len_utf8).sum();
    span.end - bytes
}

/// True when two words belong to one phrase: a space, a line end, a hyphen or a comma between them, no more.
pub(super) fn is_near(between: &str) -> bool {
    between.len() <= 32
        && memchr::memchr_iter(b'\n', between.as_bytes()).count() <= 1
        && between
            .chars()
            .all(|c| c.is_whitespace() || matches!(c, '-' | '‐' | '‑' | '–' | ',' | '\'' | '’' | '.'))
}

impl QueryWord {
    fn new(chars: &[char], stemmer: &Stemmer) -> QueryWord {
        let digits = chars.iter().any(char::is_ascii_digit);
        QueryWord {
            stem: stem(chars, stemmer),
            letters: words::letters(chars),
            // One slip in a word of four letters, two in a long one, where other words seldom lie so near
            // ("sanctions" is no slip of "sections"); a changed digit is another number.
            edits: match chars.len() {
                _ if digits => 0,
                0..=3 => 0,
                4..=9 => 1,
                _ => 2,
            },
            chars: chars.to_vec(),
        }
    }

    fn compare(&self, word: &[char], stemmer: &Stemmer) -> Option<Likeness> {
        if word == self.chars {
            return Some(Likeness::EXACT_MATCH);
        }
        let bare = words::strip_possessive(word);
        if bare == self.chars {
            return Some(Likeness::from_reason(Reason::Possessive));
        }
        // Inflections differ by a few letters at the end, slips by a few anywhere.
        if bare.len().abs_diff(self.chars.len()) > 5 || bare.len() < 3 || self.chars.len() < 3 {
            return None;
        }
        if is_plural(bare, &self.chars) || is_plural(&self.chars, bare) {
            return Some(Likeness::from_reason(Reason::Plural));
        }
        if bare[..2] == self.chars[..2] && self.stem.is_some() && self.stem == stem(bare, stemmer) {
            return Some(Likeness::from_reason(Reason::Inflection));
        }
        self.typo(bare)
    }

    fn typo(&self, word: &[char]) -> Option<Likeness> {
        if self.edits == 0 || word.len() < 4 || word.len().abs_diff(self.chars.len()) > self.edits {
            return None;
        }
        let different = (words::letters(word) ^ self.letters).count_ones() as usize;
        if different > self.edits * 2 || word.iter().any(char::is_ascii_digit) {
            return None;
        }
        // People seldom miss the first letter of a short word; other words differ there often.
        if self.chars.len() < 6 && word[0] != self.chars[0] && word[0] != self.chars[1] {
            return None;
        }
        // "Daten" is no slip of "dates": where short words differ at the end, they are other words or other forms.
        let (start, wanted) = (&word[..word.len() - 1], &self.chars[..self.chars.len() - 1]);
        if self.chars.len() < 6 && start == wanted {
            return None;
        }
        let edits = distance::bounded_distance(&self.chars, word, self.edits)?;
        if edits > 1 && word[0] != self.chars[0] {
            return None;
        }
        Some(Likeness::from_reason(Reason::Typo { edits: edits as u8 }))
    }
}

/// English stems, of words long enough to have an ending.
fn stem(word: &[char], stemmer: &Stemmer) -> Option<String> {
    if word.len() < 4 || !word.iter().all(char::is_ascii_lowercase) {
        return None;
    }
    let word: String = word.iter().collect();
    Some(stemmer.stem(&word).into_owned())
}

/// True when `many` is the regular plural of `one`.
fn is_plural(many: &[char], one: &[char]) -> bool {
    let ends_with = |word: &[char], ending: &str| {
        word.len() >= ending.len() && word.iter().rev().zip(ending.chars().rev()).all(|(a, b)| *a == b)
    };
    if many.len() == one.len() + 1 {
        return many.starts_with(one) && ends_with(many, "s") && !ends_with(one, "s");
    }
    if many.len() != one.len() + 2 {
        return false;
    }
    let hissing = ["s", "x", "z", "ch", "sh", "o"].iter().any(|ending| ends_with(one, ending));
    hissing && many.starts_with(one) && ends_with(many, "es")
        || ends_with(one, "y") && many.starts_with(&one[..one.len() - 1]) && ends_with(many, "ies")
}
