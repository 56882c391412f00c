//! Which full stops belong to the word before them.

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
    let has = |list: &[&str]| list.contains(&lower.as_str());
    if has(NEVER) {
        Abbreviation::Never
    } else if has(BEFORE_NUMBER) {
        Abbreviation::BeforeNumber
    } else if has(SOMETIMES) && (word.chars().next().is_some_and(char::is_uppercase) || has(LOWER_SOMETIMES))
    {
        Abbreviation::Sometimes
    } else {
        Abbreviation::None
    }
}

const NEVER: &[&str] = &[
    "mr", "mrs", "ms", "mx", "dr", "prof", "rev", "hon", "gen", "col", "maj", "capt", "lt", "sgt", "cmdr",
    "adm", "sen", "rep", "gov", "pres", "st", "ste", "mt", "ft", "messrs", "mme", "mlle", "fr", "sr.", "vs",
    "cf", "viz", "ca", "approx", "al.", "ed.", "eds", "hrsg", "bzw", "z.b", "sra", "srta", "ing", "dipl",
];

const BEFORE_NUMBER: &[&str] = &[
    "no", "nos", "nr", "p", "pp", "vol", "vols", "fig", "figs", "sec", "ch", "chap", "art", "ver", "eq",
    "pt", "op", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec",
];

const SOMETIMES: &[&str] = &[
    "inc", "ltd", "co", "corp", "jr", "sr", "bros", "etc", "al", "est", "dept", "univ", "assn", "ave",
    "blvd", "rd", "plc", "llc", "esq", "phd", "mass", "calif", "ed", "min", "max",
];

/// Those of [`SOMETIMES`] that are abbreviations in lower case too.
const LOWER_SOMETIMES: &[&str] = &["etc", "al", "inc", "ltd", "dept", "est"];

/// True when the text starts with a word that opens sentences far more often than it follows an abbreviation.
pub(super) fn starts_sentence(text: &str) -> bool {
    let end = text.find(|c: char| !c.is_alphabetic() && c != '’' && c != '\'').unwrap_or(text.len());
    OPENERS.contains(&&text[..end])
}

const OPENERS: &[&str] = &[
    "The",
    "A",
    "An",
    "This",
    "That",
    "These",
    "Those",
    "There",
    "Then",
    "They",
    "Their",
    "He",
    "She",
    "It",
    "Its",
    "His",
    "Her",
    "We",
    "Our",
    "You",
    "Your",
    "I",
    "My",
    "In",
    "On",
    "At",
    "By",
    "For",
    "From",
    "With",
    "After",
    "Before",
    "During",
    "When",
    "While",
    "Where",
    "Who",
    "What",
    "Why",
    "How",
    "If",
    "As",
    "Although",
    "Though",
    "But",
    "And",
    "Or",
    "So",
    "Yet",
    "However",
    "Since",
    "Because",
    "Until",
    "Under",
    "Over",
    "Some",
    "Many",
    "Most",
    "All",
    "Both",
    "Each",
    "Every",
    "Several",
    "Such",
    "One",
    "Two",
    "No",
    "Not",
    "Once",
    "Later",
    "Also",
    "Another",
    "Today",
    "Now",
    "Here",
    "Other",
    "Others",
    "Despite",
    "According",
];
