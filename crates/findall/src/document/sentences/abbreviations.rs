//! Which full stops belong to the word before them.

use crate::word_list::WordList;

const SENTENCE_WORD_LISTS: &str = include_str!("words.txt");

/// What a full stop after a word may mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Abbreviation {
    /// An ordinary word: the stop ends the sentence.
    None,
    /// A title or the like, always followed by more of its sentence.
    Never,
    /// Short for something only before a number: `No. 5`, `p. 12`.
    BeforeNumber,
    /// Ends the sentence only if a word that often starts one follows: `Inc.`, `U.S.`, an initial.
    Sometimes,
}

/// Longer than any abbreviation; looking further back would make long lines costly.
const MAX_ABBREVIATION_BYTES: usize = 16;

/// Judges the last word of `before`, the text up to the full stop.
pub(super) fn classify(before: &str) -> Abbreviation {
    let tail = &before[before.ceil_char_boundary(before.len().saturating_sub(MAX_ABBREVIATION_BYTES))..];
    let word_start =
        tail.rfind(|c: char| c.is_whitespace() || matches!(c, '(' | '[' | '"' | '“' | '‘' | '—' | '–' | '/'));
    let word = word_start.map_or(tail, |at| tail[at..].trim_start_matches(|c: char| !c.is_alphanumeric()));
    if word_start.is_none() && tail.len() < before.len() {
        return Abbreviation::None;
    }
    let alone = before.trim_start().len() == word.len();
    let mut chars = word.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) if c.is_uppercase() => return Abbreviation::Sometimes,
        (Some(c), None) if c.is_alphabetic() && alone => return Abbreviation::Never,
        _ => {}
    }
    // "1." or "12." opening a block numbers it.
    if alone && word.len() <= 3 && !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit()) {
        return Abbreviation::Never;
    }
    // U.S, e.g, a.m, Ph.D: letters with stops between.
    if word.contains('.') && word.split('.').all(|part| (1..=2).contains(&part.chars().count())) {
        return match word.to_ascii_lowercase().as_str() {
            "e.g" | "i.e" => Abbreviation::Never,
            _ if word.chars().any(char::is_alphabetic) => Abbreviation::Sometimes,
            _ => Abbreviation::None,
        };
    }
    let lower = word.to_lowercase();
    let has = |list: &WordList| list.contains(&lower);
    if has(&NONFINAL_ABBREVIATIONS) {
        Abbreviation::Never
    } else if has(&NUMBER_ABBREVIATIONS) {
        Abbreviation::BeforeNumber
    } else if has(&AMBIGUOUS_ABBREVIATIONS)
        && (word.chars().next().is_some_and(char::is_uppercase) || has(&LOWERCASE_AMBIGUOUS_ABBREVIATIONS))
    {
        Abbreviation::Sometimes
    } else {
        Abbreviation::None
    }
}

static NONFINAL_ABBREVIATIONS: WordList = WordList::new(SENTENCE_WORD_LISTS, "never");

static NUMBER_ABBREVIATIONS: WordList = WordList::new(SENTENCE_WORD_LISTS, "before-number");

static AMBIGUOUS_ABBREVIATIONS: WordList = WordList::new(SENTENCE_WORD_LISTS, "sometimes");

/// Those of [`AMBIGUOUS_ABBREVIATIONS`] that are abbreviations in lower case too.
static LOWERCASE_AMBIGUOUS_ABBREVIATIONS: WordList = WordList::new(SENTENCE_WORD_LISTS, "lower-sometimes");

/// True when the text starts with a word that opens sentences far more often than it follows an abbreviation.
pub(super) fn starts_sentence(text: &str) -> bool {
    let end = text.find(|c: char| !c.is_alphabetic() && c != '’' && c != '\'').unwrap_or(text.len());
    SENTENCE_OPENERS.contains(&text[..end])
}

static SENTENCE_OPENERS: WordList = WordList::new(SENTENCE_WORD_LISTS, "opener");
