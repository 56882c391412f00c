//! Clauses cut into short typed phrases, and the choice of those worth their words.

use super::EXTRACT_WORD_LISTS;
use super::SubjectNames;
use super::tokens::Word;
use findall::knowledge::word_roles::role;
use findall::knowledge::{EntityKind, Phrase, PhraseKind};
use findall::word_list::WordList;

/// A candidate phrase.
#[derive(Clone, Debug)]
pub(super) struct PhraseSegment {
    pub kind: PhraseKind,
    pub text: String,
    pub words: usize,
    /// How much it tells; phrases compete for the word budget by this.
    pub worth: f32,
}

/// A phrase longer than this is cut at a preposition.
const MAX_PHRASE_WORDS: usize = 7;

/// Words ending like a participle that are none.
static NOT_PARTICIPLES: WordList = WordList::new(EXTRACT_WORD_LISTS, "no-participle");

/// Whether a lower-case word looks like a participle.
pub(super) fn is_participle(lower: &str) -> bool {
    lower.len() > 4 && (lower.ends_with("ed") || lower.ends_with("ing")) && !NOT_PARTICIPLES.contains(lower)
}

/// Words as a phrase: articles and hedges dropped, ends trimmed, commas kept between names.
pub(super) fn join_phrase(words: &[Word<'_>], trim: bool) -> String {
    let mut kept: Vec<&Word<'_>> = Vec::with_capacity(words.len());
    for (at, word) in words.iter().enumerate() {
        let lower = word.text.to_lowercase();
        if trim && role(&lower).weak && (!word.is_name() || at == 0) {
            continue;
        }
        kept.push(word);
    }
    if trim {
        while kept.last().is_some_and(|w| ends_badly(w)) {
            kept.pop();
        }
        let lead = kept.iter().take_while(|w| begins_badly(w)).count();
        kept.drain(..lead);
    }
    let mut text = String::new();
    for (at, word) in kept.iter().enumerate() {
        // In a list the comma says "and" already.
        if word.text == "and" && at > 0 && at + 1 < kept.len() && kept[..at].iter().any(|w| w.pause) {
            if !text.ends_with(',') {
                text.push(',');
            }
            continue;
        }
        if at > 0 {
            text.push(' ');
        }
        text.push_str(word.text);
        if word.pause && at + 1 < kept.len() {
            text.push(',');
        }
    }
    text
}

fn ends_badly(word: &Word<'_>) -> bool {
    let lower = word.text.to_lowercase();
    role(&lower).function && !word.text.chars().all(char::is_uppercase)
        || matches!(lower.as_str(), "'s" | "&")
}

fn begins_badly(word: &Word<'_>) -> bool {
    let lower = word.text.to_lowercase();
    // Capitalised they may begin a name: "New York", "First Lady", "IT services".
    let may_name = word.is_name()
        && (matches!(
            lower.as_str(),
            "new" | "first" | "best" | "one" | "two" | "own" | "main" | "near" | "all"
        ) || word.text.len() > 1 && word.text.chars().all(char::is_uppercase));
    (role(&lower).function || role(&lower).weak || matches!(lower.as_str(), "&" | "'s")) && !may_name
}

/// The end of a company's full name, which its title may lack.
fn is_legal_form(word: &str) -> bool {
    static FORMS: WordList = WordList::new(EXTRACT_WORD_LISTS, "legal-form");
    let plain: String = word.chars().filter(|c| *c != '.').flat_map(char::to_lowercase).collect();
    word.chars().next().is_some_and(char::is_uppercase) && FORMS.contains(&plain)
}

/// Cuts a sentence into candidate phrases.
pub(super) fn cut(
    words: &[Word<'_>],
    subject: &SubjectNames,
    sentence: usize,
    found: &mut Vec<PhraseSegment>,
) {
    let mut start = 0;
    let mut at = 0;
    while at < words.len() {
        let lower = words[at].text.to_lowercase();
        let word_role = role(&lower);
        let lower_case = !words[at].is_name() || at == 0;
        // "served as president": the verb alone would tell nothing.
        let served_as = lower == "as" && at == start + 1 && role(&words[start].text.to_lowercase()).cue;
        let broken = word_role.breaks && lower_case && !served_as;
        let begins =
            lower_case && at > start && (word_role.cue || lower == "and" && starts_phrase(words, at + 1));
        if broken || begins {
            push(&words[start..at], subject, sentence, found);
            start = if broken || lower == "and" { at + 1 } else { at };
        }
        let pause = words[at].pause;
        at += 1;
        if pause && at < words.len() && !continues_phrase(words, start, at) {
            push(&words[start..at], subject, sentence, found);
            start = at;
        }
    }
    push(&words[start.min(words.len())..], subject, sentence, found);
}

fn starts_phrase(words: &[Word<'_>], at: usize) -> bool {
    words.get(at).is_some_and(|word| {
        let lower = word.text.to_lowercase();
        let word_role = role(&lower);
        word_role.cue
            || word_role.breaks
            || word_role.pronoun
            || is_participle(&lower)
            || lower == "the"
            || lower == "a"
    })
}

/// After a comma a phrase goes on when both sides are names: "Denver, Colorado", "starring Tom Hay, Joan Lee".
fn continues_phrase(words: &[Word<'_>], start: usize, at: usize) -> bool {
    if at - start > MAX_PHRASE_WORDS + 2 || !words[at - 1].is_name() && !words[at - 1].is_year() {
        return false;
    }
    let mut seen = 0;
    for word in &words[at..] {
        let lower = word.text.to_lowercase();
        if !(word.is_name() || matches!(lower.as_str(), "and" | "of" | "the" | "de" | "van" | "von")) {
            return false;
        }
        seen += 1;
        if word.pause || seen == 5 {
            return true;
        }
    }
    true
}

fn push(words: &[Word<'_>], subject: &SubjectNames, sentence: usize, found: &mut Vec<PhraseSegment>) {
    let lead = words
        .iter()
        .take_while(|w| subject.names(w.text) || begins_badly(w) || is_legal_form(w.text))
        .count();
    let words = &words[lead..];
    let heavy = words.iter().filter(|w| !role(&w.text.to_lowercase()).weak).count();
    if heavy > MAX_PHRASE_WORDS && !is_list_of_names(words) {
        let floor = words.len().min(3);
        let cut_at = (floor..words.len().min(MAX_PHRASE_WORDS + 2)).rev().find(|&at| {
            let lower = words[at].text.to_lowercase();
            (role(&lower).preposition || lower == "and") && !words[at].is_name()
        });
        let cut_at = cut_at.or_else(|| (floor..words.len()).find(|&at| words[at - 1].pause)).or_else(|| {
            (MAX_PHRASE_WORDS..words.len()).find(|&at| role(&words[at].text.to_lowercase()).preposition)
        });
        if let Some(at) = cut_at {
            push(&words[..at], subject, sentence, found);
            push(&words[at..], subject, sentence, found);
            return;
        }
    }
    let words = if words.len() > MAX_PHRASE_WORDS + 5 { &words[..MAX_PHRASE_WORDS + 5] } else { words };
    let text = join_phrase(words, true);
    let count = text.split_whitespace().count();
    if count == 0 || text.len() < 3 || text.len() > 120 {
        return;
    }
    let Some((kind, worth)) = weigh(words, &text, subject) else {
        return;
    };
    let worth = worth * 0.85f32.powi(sentence.min(8) as i32);
    found.push(PhraseSegment { kind, text, words: count, worth });
}

/// "starring Tom Hay, Joan Lee and Peter Moss": long, but one fact.
fn is_list_of_names(words: &[Word<'_>]) -> bool {
    words.len() <= MAX_PHRASE_WORDS + 5
        && words.iter().any(|w| w.pause)
        && words[2.min(words.len())..]
            .iter()
            .all(|w| w.is_name() || matches!(w.text, "and" | "de" | "van" | "von"))
}

/// Words that say where something is.
static WHERE_CUES: WordList = WordList::new(EXTRACT_WORD_LISTS, "where");

/// Words that say what something belongs to.
static PART_OF_CUES: WordList = WordList::new(EXTRACT_WORD_LISTS, "part-of");

/// Words that say what something is known for.
static KNOWN_FOR_CUES: WordList = WordList::new(EXTRACT_WORD_LISTS, "known-for");

/// Words that, with a year, say when.
static WHEN_CUES: WordList = WordList::new(EXTRACT_WORD_LISTS, "when");

/// Words that say what somebody works at.
static FIELD_CUES: WordList = WordList::new(EXTRACT_WORD_LISTS, "field");

/// What a phrase tells.
fn kind_of(lower: &str, years: usize, content: usize) -> PhraseKind {
    let has = |cues: &WordList| cues.entries().iter().any(|cue| lower.contains(cue));
    if has(&WHERE_CUES) {
        PhraseKind::Where
    } else if has(&PART_OF_CUES) {
        PhraseKind::PartOf
    } else if has(&KNOWN_FOR_CUES) {
        PhraseKind::KnownFor
    } else if years > 0 && (has(&WHEN_CUES) || content <= years + 1) {
        PhraseKind::When
    } else if has(&FIELD_CUES) {
        PhraseKind::Field
    } else {
        PhraseKind::Fact
    }
}

/// The type and worth of a phrase; none for one that tells nothing.
fn weigh(words: &[Word<'_>], text: &str, subject: &SubjectNames) -> Option<(PhraseKind, f32)> {
    let lower = text.to_lowercase();
    let first = lower.split(' ').next().unwrap_or("");
    let names = words.iter().filter(|w| w.is_name() && !subject.names(w.text)).count();
    let content =
        words.iter().filter(|w| !role(&w.text.to_lowercase()).function && !subject.names(w.text)).count();
    let numbers = words.iter().filter(|w| w.is_number() && !w.is_year()).count();
    let years = words.iter().filter(|w| w.is_year()).count();
    let single = !text.contains(' ');
    if single && names == 0 && role(&lower).kind != Some(EntityKind::Person) {
        return None;
    }
    if content == 0 || (names == 0 && numbers + years >= content && years == 0) || is_measure(&lower) {
        return None;
    }
    let kind = kind_of(&lower, years, content);
    let cue = f32::from(u8::from(kind != PhraseKind::Fact)) * 1.0 + if role(first).cue { 0.5 } else { 0.0 };
    let named = (names.min(3) as f32) * 0.5;
    let dated = if years > 0 { 0.2 } else { 0.0 };
    let noun = if role(lower.rsplit(' ').next().unwrap_or("")).kind.is_some() { 0.4 } else { 0.0 };
    let numeric = numbers as f32 * -0.4;
    let worth = 0.4 + cue + named + dated + noun + numeric + (content.min(4) as f32) * 0.1;
    (worth > 0.0).then_some((kind, worth))
}

fn is_measure(lower: &str) -> bool {
    const UNITS: &[&str] = &[
        "square mile",
        "square km",
        "kilometre",
        "kilometer",
        " km",
        " feet",
        " metres",
        " meters",
        " acres",
        "hectares",
        "population",
        "census",
        "pronounced",
        "pronunciation",
        "listen",
        "per cent",
        "percent",
        "inhabitants",
        "households",
        "same name",
    ];
    UNITS.iter().any(|unit| lower.contains(unit))
}

/// The phrases that fit the word budget, dearest first, in the order of the text.
pub(super) fn choose(
    found: Vec<PhraseSegment>,
    description: &str,
    _subject: &SubjectNames,
    budget: usize,
) -> Vec<Phrase> {
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by(|&a, &b| found[b].worth.total_cmp(&found[a].worth).then(a.cmp(&b)));
    let mut known = description.to_lowercase();
    let mut left = budget;
    let mut chosen = Vec::new();
    for at in order {
        let segment = &found[at];
        let lower = segment.text.to_lowercase();
        if segment.words > left || known.contains(&lower) {
            continue;
        }
        left -= segment.words;
        known.push(';');
        known.push_str(&lower);
        chosen.push(at);
    }
    chosen.sort_unstable();
    chosen.into_iter().map(|at| Phrase { kind: found[at].kind, text: found[at].text.clone() }).collect()
}
