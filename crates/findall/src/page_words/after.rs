//! What follows a name: definitions ("X is a …"), appositions ("X, director of …"), clauses ("X, who …"), and where it is
//! of ("X of Montana", "Lyon, France").

use super::lexicon::{Noun, is_region, noun, use_of};
use super::phrases::{End, NounPhrase, is_joint, noun_phrase, starts_upper};
use super::words::Gap;
use super::{NamePlace, PageText, Rank, Remark};
use crate::mentions::MentionType;

/// Words of a clause at most.
const MAX_CLAUSE_WORDS: usize = 16;

/// Words of what a name does at most.
const MAX_DEED_WORDS: usize = 11;

/// Words in parentheses at most that may stand between a name and what is said of it.
const MAX_ASIDE_WORDS: usize = 8;

/// Adverbs between "is" and its complement.
const ADVERBS: &[&str] =
    &["also", "already", "arguably", "currently", "now", "perhaps", "probably", "still", "thus"];

/// Verbs of speech: a clause with one of them says nothing of who speaks.
const SPEECH_VERBS: &[&str] =
    &["added", "asked", "claimed", "declined", "noted", "said", "says", "spoke", "told"];

pub(super) fn remark(page: &PageText<'_>, number: usize, out: &mut Vec<Remark>) {
    let place = page.places[number];
    let (at, gap) = skip_aside(page, place.to);
    match gap {
        Gap::Space => {
            out.extend(definition(page, &place, at));
            out.extend(origin(page, &place, at));
            out.extend(location(page, &place, at));
            out.extend(find_deed(page, &place, at));
            out.extend(kind_after(page, &place, at));
        }
        Gap::Comma | Gap::Dash => out.extend(apposition(page, &place, at, gap)),
        _ if at == place.to && is_past_quote(page, at) => out.extend(kind_after(page, &place, at)),
        _ => {}
    }
}

/// True when nothing but a closing quotation mark and a blank stands before a word.
fn is_past_quote(page: &PageText<'_>, at: usize) -> bool {
    let words = &page.words.words;
    let Some(word) = words.get(at) else { return false };
    let between =
        at.checked_sub(1).map_or("", |last| &page.words.text[words[last].span.end..word.span.start]);
    between.strip_suffix(' ').is_some_and(|mark| matches!(mark, "”" | "\"" | "’" | "'"))
}

/// The first word after a name and a parenthesis after it, and what stands before that word.
fn skip_aside(page: &PageText<'_>, at: usize) -> (usize, Gap) {
    let words = &page.words;
    if words.gap_before(at) != Gap::Open {
        return (at, words.gap_before(at));
    }
    let close = (at + 1..=at + MAX_ASIDE_WORDS).find(|&next| words.gap_before(next) == Gap::Close);
    let Some(close) = close else { return (at, Gap::Break) };
    let (end, start) = (words.words[close - 1].span.end, words.words[close].span.start);
    match words.text[end..start].trim_start_matches([')', '.']).trim() {
        "" if !words.text[end..start].contains('\n') => (close, Gap::Space),
        "," => (close, Gap::Comma),
        _ => (close, Gap::Break),
    }
}

fn definition(page: &PageText<'_>, place: &NamePlace, at: usize) -> Option<Remark> {
    let words = &page.words;
    if !use_of(words.get(at)?).link || !is_subject(page, place) {
        return None;
    }
    let mut begin = at + 1;
    while ADVERBS.contains(&words.get(begin)?) {
        begin += 1;
    }
    let phrase = noun_phrase(page, begin)?;
    if (at + 1..=begin).any(|word| words.gap_before(word) != Gap::Space) {
        return None;
    }
    let article = words.get(begin)?;
    let determined = use_of(article).determiner;
    let fits = match phrase.noun {
        Some(noun) => {
            noun.fits(place.kind) && (determined || noun != Noun::Any && words.get(at) == Some("became"))
        }
        None => matches!(article, "a" | "an") && can_define(page, &phrase),
    };
    fits.then(|| remark_of(page, Rank::Definition, &phrase))
}

/// False for a name inside another phrase: "the director of X is a …", "Y and X are …".
fn is_subject(page: &PageText<'_>, place: &NamePlace) -> bool {
    let words = &page.words;
    let Some(mut before) = place.from.checked_sub(1) else { return true };
    if words.gap_before(place.from) != Gap::Space {
        return matches!(
            words.gap_before(place.from),
            Gap::Break | Gap::Comma | Gap::Quote | Gap::Colon | Gap::Dash
        );
    }
    if words.get(before).is_some_and(|word| word.eq_ignore_ascii_case("the")) {
        if words.gap_before(before) != Gap::Space {
            return true;
        }
        before = before.saturating_sub(1);
    }
    let word = words.get(before).unwrap_or_default();
    matches!(
        word,
        "that"
            | "because"
            | "since"
            | "but"
            | "while"
            | "if"
            | "as"
            | "whether"
            | "when"
            | "where"
            | "though"
            | "although"
    ) || super::before::has_description(page, place)
}

/// Whether an unknown noun can tell what something is.
fn can_define(page: &PageText<'_>, phrase: &NounPhrase) -> bool {
    let head = page.words.get(phrase.head).unwrap_or_default();
    let verbal =
        ["ed", "ing", "ly", "ble", "ful", "ous", "ive", "est", "er"].iter().any(|end| head.ends_with(end));
    let own = use_of(head);
    let infinitive = page.words.get(phrase.head + 1) == Some("to");
    head.len() >= 4
        && !infinitive
        && !verbal
        && !own.weak
        && !own.modifier
        && phrase.is_closed()
        && !head.contains(|c: char| c.is_ascii_digit())
}

fn apposition(page: &PageText<'_>, place: &NamePlace, at: usize, gap: Gap) -> Option<Remark> {
    let words = &page.words;
    let mut begin = at;
    let first = words.get(begin)?;
    // "Jane Roe, 45, a teacher"
    if gap == Gap::Comma
        && first.len() <= 3
        && first.bytes().all(|b| b.is_ascii_digit())
        && words.gap_before(begin + 1) == Gap::Comma
    {
        begin += 1;
    }
    let first = words.get(begin)?;
    if begin > at && matches!(first, "of" | "from") {
        return home(page, place, begin);
    }
    if matches!(first, "who" | "whose" | "which") {
        return (gap == Gap::Comma).then(|| clause(page, place, begin)).flatten();
    }
    if place.kind != MentionType::Person && is_region(first) && begin == at {
        return region(page, place, begin);
    }
    let own = use_of(first);
    if own.participle && gap == Gap::Comma && !starts_upper(first) {
        return find_participle(page, place, begin);
    }
    let phrase = noun_phrase(page, begin)?;
    let closed = phrase.is_closed() && (gap == Gap::Comma || is_dashed(page, &phrase));
    // "Tron, the board game Simon": the phrase has a name of its own.
    let named = phrase.head + 1 < phrase.to && page.place_of(phrase.head + 1).is_some();
    if !closed
        || named
        || is_name(page, &phrase)
        || phrase.end != End::Clause && !words.is_clause_end_before(phrase.to)
    {
        return None;
    }
    // "Face ID, a camera, and a battery" is a list of things.
    if phrase.end == End::Mark(Gap::Comma) && matches!(words.get(phrase.to), Some("and" | "or")) {
        return None;
    }
    let noun = phrase.noun?;
    let fits = match own.determiner {
        true if opens_sentence(page, place) => noun.fits_closely(place.kind),
        true => noun.fits(place.kind),
        // Without an article only what a person or thing is to another: "director of the Centre", "capital of France".
        false => {
            let related = words
                .get(phrase.head + 1)
                .is_some_and(|next| matches!(next, "of" | "at" | "for" | "in" | "with" | "from"));
            noun.fits(place.kind)
                && page.owner[begin].is_none_or(|_| related)
                && (noun == Noun::Person || related)
                && phrase.head < phrase.to
                && !is_plural(page, phrase.head)
        }
    };
    fits.then(|| remark_of(page, Rank::Definition, &phrase))
}

fn is_plural(page: &PageText<'_>, at: usize) -> bool {
    page.words
        .get(at)
        .is_some_and(|word| word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("boss"))
}

/// A phrase between dashes, or from a dash to the end of the sentence.
fn is_dashed(page: &PageText<'_>, phrase: &NounPhrase) -> bool {
    matches!(page.words.gap_before(phrase.to), Gap::Dash | Gap::Break)
}

/// True when the head noun is part of another name: "Google, the FBI".
fn is_name(page: &PageText<'_>, phrase: &NounPhrase) -> bool {
    let head = page.words.get(phrase.head).unwrap_or_default();
    page.owner[phrase.head].is_some() && starts_upper(head)
}

/// "In Paris, the …": what follows need not belong to the name.
fn opens_sentence(page: &PageText<'_>, place: &NamePlace) -> bool {
    let words = &page.words;
    let mut start = place.from;
    while start > 0 && words.gap_before(start) == Gap::Space {
        start -= 1;
    }
    let opens = start < place.from && words.gap_before(start) == Gap::Break;
    opens
        && words
            .get(start)
            .is_some_and(|word| use_of(word).preposition || word.eq_ignore_ascii_case("according"))
}

fn clause(page: &PageText<'_>, place: &NamePlace, at: usize) -> Option<Remark> {
    let words = &page.words;
    let of_people = words.get(at)? != "which";
    let person = place.kind == MentionType::Person;
    if of_people != person && (of_people || person) && place.kind != MentionType::Other {
        return None;
    }
    let mut to = at + 1;
    while to < at + MAX_CLAUSE_WORDS
        && words.get(to).is_some()
        && matches!(words.gap_before(to), Gap::Space | Gap::Quote | Gap::Dot)
    {
        to += 1;
    }
    let spoken = (at + 1..(at + 4).min(to))
        .any(|word| words.get(word).is_some_and(|word| SPEECH_VERBS.contains(&word)));
    let whole = to < at + MAX_CLAUSE_WORDS;
    // "the sale of X, which …": the clause need not be about X.
    let inner = place.from > 0 && words.gap_before(place.from) == Gap::Space && {
        let before = words.get(place.from - 1).unwrap_or_default();
        matches!(before, "of" | "with" | "by" | "between" | "for" | "from" | "to" | "and" | "the")
            && !(person && before != "of" && before != "and")
    };
    (to > at + 2 && whole && !spoken && !inner && words.is_clause_end_before(to))
        .then(|| Remark { rank: Rank::Clause, text: words.phrase(at, to) })
}

fn find_participle(page: &PageText<'_>, place: &NamePlace, at: usize) -> Option<Remark> {
    let words = &page.words;
    let next = words.get(at + 1)?;
    let added = use_of(next).preposition || matches!(words.get(at), Some("formerly" | "originally" | "aged"));
    if !added || words.gap_before(at + 1) != Gap::Space || opens_sentence(page, place) {
        return None;
    }
    let mut to = at + 2;
    while to < at + 12
        && matches!(words.gap_before(to), Gap::Space | Gap::Quote | Gap::Dot)
        && !words.get(to).is_none_or(|word| use_of(word).stop)
    {
        to += 1;
    }
    let closed = !matches!(words.gap_before(to), Gap::Space | Gap::Quote | Gap::Open);
    (closed && to > at + 2 && words.is_clause_end_before(to))
        .then(|| Remark { rank: Rank::Clause, text: words.phrase(at, to) })
}

/// "Ann Roe, 38, of Springfield"
fn home(page: &PageText<'_>, place: &NamePlace, at: usize) -> Option<Remark> {
    let words = &page.words;
    let mut to = at + 1;
    while to < at + 5 && words.gap_before(to) == Gap::Space && words.get(to).is_some_and(starts_upper) {
        to += 1;
    }
    (to > at + 1 && place.kind == MentionType::Person && words.is_clause_end_before(to))
        .then(|| Remark { rank: Rank::Clause, text: words.phrase(at, to) })
}

/// "Lyon, France".
fn region(page: &PageText<'_>, place: &NamePlace, at: usize) -> Option<Remark> {
    let words = &page.words;
    let own = words.get(place.to - 1)?;
    let listed = place.kind != MentionType::Place || is_region(own);
    // In a list of places each stands for itself.
    let goes_on = words.gap_before(at + 1) == Gap::Space && matches!(words.get(at + 1), Some("and" | "or"));
    let apart = !matches!(words.gap_before(at + 1), Gap::Open);
    (!listed && !goes_on && apart)
        .then(|| Remark { rank: Rank::Clause, text: format!("in {}", words.get(at).unwrap_or_default()) })
}

/// "Ryan Zinke of Montana".
fn origin(page: &PageText<'_>, place: &NamePlace, at: usize) -> Option<Remark> {
    let words = &page.words;
    if place.kind != MentionType::Person || !matches!(words.get(at)?, "of" | "from") {
        return None;
    }
    let mut named = at + 1;
    if words.get(named)? == "the" {
        named += 1;
    }
    let of = page.place_of(named)?;
    let fits = matches!(of.kind, MentionType::Organization | MentionType::Place | MentionType::Group);
    let joined = (at + 1..=named).all(|word| words.gap_before(word) == Gap::Space);
    (fits && joined && of.from == named).then(|| Remark { rank: Rank::Clause, text: words.phrase(at, of.to) })
}

/// "Ryman Auditorium in Nashville"
fn location(page: &PageText<'_>, place: &NamePlace, at: usize) -> Option<Remark> {
    let words = &page.words;
    let built = || noun(words.get(place.to - 1)?).filter(|noun| matches!(noun, Noun::Thing(_)));
    let stands =
        place.kind == MentionType::Place || place.kind == MentionType::Organization && built().is_some();
    if !stands
        || words.get(at)? != "in"
        || words.gap_before(at + 1) != Gap::Space
        || is_region(words.get(place.to - 1)?)
    {
        return None;
    }
    let around = page.place_of(at + 1)?;
    (around.kind == MentionType::Place && around.from == at + 1 && around.thing != place.thing)
        .then(|| Remark { rank: Rank::Clause, text: words.phrase(at, around.to) })
}

/// "X makes chips", "X was founded in 1990": what the name, as the subject, is or does for long.
fn find_deed(page: &PageText<'_>, place: &NamePlace, at: usize) -> Option<Remark> {
    let words = &page.words;
    let verb =
        if use_of(words.get(at)?).link && words.gap_before(at + 1) == Gap::Space { at + 1 } else { at };
    let does = use_of(words.get(verb)?).does || verb > at && use_of(words.get(verb)?).participle;
    if !does || starts_upper(words.get(verb)?) || !is_subject(page, place) {
        return None;
    }
    let mut to = verb + 1;
    while to < at + MAX_DEED_WORDS
        && matches!(words.gap_before(to), Gap::Space | Gap::Quote | Gap::Dot)
        && !words.get(to).is_none_or(|word| use_of(word).stop && word != "with")
    {
        to += 1;
    }
    while to > verb && is_joint(words.get(to - 1)?)
        || words.get(to - 1).is_some_and(|word| use_of(word).determiner)
    {
        to -= 1;
    }
    (to > verb + 1).then(|| Remark { rank: Rank::Deed, text: words.phrase(verb, to) })
}

/// "the Fossil Hybrid HR smartwatch", "the STOXX 600 index"
fn kind_after(page: &PageText<'_>, place: &NamePlace, at: usize) -> Option<Remark> {
    use crate::knowledge::EntityKind as Is;
    let words = &page.words;
    let word = words.get(at)?;
    let classes = use_of(word).class
        && matches!(place.kind, MentionType::Event | MentionType::Work | MentionType::Other);
    let said = match noun(word) {
        Some(Noun::Thing(said)) => said,
        _ if classes => Is::Other,
        _ => return None,
    };
    // "a Windows machine" is none of them.
    if matches!(word, "device" | "machine" | "system") {
        return None;
    }
    let same = matches!(
        (place.kind, said),
        (MentionType::Product, Is::Product) | (MentionType::Event, Is::Event) | (MentionType::Work, Is::Work)
    );
    let over = words.gap_before(at + 1) != Gap::Space
        || words.get(at + 1).is_some_and(|next| use_of(next).stop || is_joint(next));
    ((same || classes) && over && !starts_upper(word) && page.owner[at].is_none() && !is_plural(page, at))
        .then(|| Remark { rank: Rank::Role, text: word.to_owned() })
}

fn remark_of(page: &PageText<'_>, rank: Rank, phrase: &NounPhrase) -> Remark {
    Remark { rank, text: page.words.phrase(phrase.from, phrase.to) }
}
