//! What stands before a name: titles ("Senator X"), head nouns ("the Kenyan runner X", "the city of X"), and phrases set off
//! by a comma ("the company's director, X, said").

use super::lexicon::{Noun, noun, title, use_of};
use super::phrases::{noun_phrase, phrase_start, starts_upper};
use super::words::Gap;
use super::{NamePlace, PageText, Rank, Remark};
use crate::mentions::MentionType;

/// Words that a phrase before a comma may have.
const MAX_PHRASE_WORDS: usize = 10;

pub(super) fn remark(page: &PageText<'_>, number: usize, out: &mut Vec<Remark>) {
    let place = page.places[number];
    out.extend(owner(page, &place));
    out.extend(compound(page, &place));
    match page.words.gap_before(place.from) {
        Gap::Space | Gap::Quote => out.extend(
            title_remark(page, &place)
                .or_else(|| kind_of(page, &place))
                .or_else(|| noun_of(page, &place))
                .or_else(|| naming_remark(page, &place)),
        ),
        Gap::Dot => out.extend(title_remark(page, &place)),
        Gap::Comma => out.extend(set_off_remark(page, &place)),
        _ => {}
    }
}

/// True when what stands right before the name belongs to it.
pub(super) fn has_description(page: &PageText<'_>, place: &NamePlace) -> bool {
    title_remark(page, place).or_else(|| kind_of(page, place)).is_some()
}

fn is_person(place: &NamePlace) -> bool {
    matches!(place.kind, MentionType::Person | MentionType::Other)
}

fn title_remark(page: &PageText<'_>, place: &NamePlace) -> Option<Remark> {
    let words = &page.words;
    let at = place.from.checked_sub(1)?;
    let word = words.get(at)?;
    let meaning = title(word)?;
    if !is_person(place)
        || page.place_of(at).is_some_and(|other| other.kind != MentionType::Person && other.to > at + 1)
    {
        return None;
    }
    if meaning != word {
        let address = matches!(word, "Mr" | "Mrs" | "Ms" | "Miss" | "Mx");
        let rank = if address { Rank::Address } else { Rank::Role };
        return Some(Remark { rank, text: meaning.to_owned() });
    }
    // A lone "Major" or "General" before a name may be part of another; a full stop never follows a whole title.
    if words.gap_before(place.from) != Gap::Space {
        return None;
    }
    let from = phrase_start(page, at);
    // "the chemist Sir William": the noun says it.
    let plain =
        at > from && words.get(at - 1).is_some_and(|word| !starts_upper(word) && noun(word).is_some());
    Some(Remark { rank: Rank::Role, text: words.phrase(from, if plain { at } else { at + 1 }) })
}

/// "the Kenyan runner X"
fn kind_of(page: &PageText<'_>, place: &NamePlace) -> Option<Remark> {
    let words = &page.words;
    let at = place.from.checked_sub(1)?;
    let word = words.get(at)?;
    let said = noun(word)?;
    let from = phrase_start(page, at);
    let alone = from == at;
    let preceded = from.checked_sub(1).and_then(|before| words.get(before)).unwrap_or_default();
    // "member states", "the states Alabama": a plural is said of a chain, not of one.
    let plural = word.ends_with('s') && !word.ends_with("ss");
    let determined =
        use_of(preceded).determiner && words.gap_before(from) == Gap::Space || said == Noun::Person;
    let fits = said.fits_closely(place.kind)
        && (said != Noun::Any || !alone || use_of(preceded).determiner && is_person(place))
        && !plural;
    let own_name = page.owner[at].is_some() || starts_upper(word) && said != Noun::Person;
    let opens = words.gap_before(from) == Gap::Break;
    let unknown = !preceded.is_empty()
        && !starts_upper(preceded)
        && !use_of(preceded).stop
        && !use_of(preceded).preposition;
    if !fits || own_name || (alone && !determined && !opens && !unknown) {
        return None;
    }
    // "At home Paris …", "on video Jane": a bare noun after a preposition is no kind.
    if alone && use_of(preceded).preposition && said != Noun::Person {
        return None;
    }
    Some(Remark { rank: Rank::Role, text: words.phrase(from, at + 1) })
}

/// "a booklet titled X", "the virus, dubbed X"
fn naming_remark(page: &PageText<'_>, place: &NamePlace) -> Option<Remark> {
    let words = &page.words;
    let at = place.from.checked_sub(1)?;
    let head = at.checked_sub(1)?;
    let word = words.get(head)?;
    let own = use_of(word);
    if !use_of(words.get(at)?).calls
        || !matches!(words.gap_before(at), Gap::Space | Gap::Comma)
        || page.owner[head].is_some()
        || own.stop
        || own.preposition
        || starts_upper(word)
    {
        return None;
    }
    let from = phrase_start(page, head);
    let preceded = from.checked_sub(1).and_then(|before| words.get(before)).unwrap_or_default();
    let determined = use_of(preceded).determiner && words.gap_before(from) == Gap::Space;
    let fits = match noun(word) {
        Some(Noun::Any) => determined,
        Some(said) => said.fits(place.kind),
        None => determined && place.kind != MentionType::Person && word.len() > 3 && !own.weak,
    };
    fits.then(|| Remark { rank: Rank::Role, text: words.phrase(from, head + 1) })
}

/// "Lyon-based X", "state-owned X"
fn compound(page: &PageText<'_>, place: &NamePlace) -> Option<Remark> {
    let words = &page.words;
    let at = place.from.checked_sub(1)?;
    let joined = ["-based", "-owned", "-backed", "-born"]
        .iter()
        .any(|end| words.get(at).is_some_and(|word| word.ends_with(end)));
    let fits = !matches!(place.kind, MentionType::Place | MentionType::Group);
    if !joined || !fits || words.gap_before(place.from) != Gap::Space {
        return None;
    }
    // "San Francisco-based": the words before with a capital belong to it, but for the first of a sentence.
    let mut from = at;
    while from > 0 && words.gap_before(from) == Gap::Space && starts_upper(words.get(at)?) {
        let before = words.get(from - 1)?;
        if !starts_upper(before) || use_of(before).determiner || use_of(before).preposition {
            break;
        }
        from -= 1;
    }
    Some(Remark { rank: Rank::Clause, text: words.phrase(from, at + 1) })
}

/// "Apple's X": whose it is.
pub(super) fn find_holder<'p>(page: &'p PageText<'_>, place: &NamePlace) -> Option<&'p NamePlace> {
    let at = place.from.checked_sub(1)?;
    let word = page.words.get(at)?;
    let holder = page.place_of(at)?;
    let holds = (word.ends_with("'s") || word.ends_with("’s"))
        && holder.thing != place.thing
        && page.words.gap_before(place.from) == Gap::Space;
    holds.then_some(holder)
}

/// "Apple's X"
fn owner(page: &PageText<'_>, place: &NamePlace) -> Option<Remark> {
    let words = &page.words;
    let at = place.from.checked_sub(1)?;
    let word = words.get(at)?;
    let bare = word.strip_suffix("'s").or_else(|| word.strip_suffix("’s"))?;
    let holder = find_holder(page, place)?;
    if matches!(place.kind, MentionType::Person | MentionType::Group) {
        return None;
    }
    // "Russia's United Nations ambassador": what is owned comes after.
    let next = words.get(place.to).filter(|_| words.gap_before(place.to) == Gap::Space);
    if next.is_some_and(|word| !starts_upper(word) && noun(word).is_some()) {
        return None;
    }
    let first = words.phrase(holder.from, at);
    let text = if first.is_empty() { format!("of {bare}") } else { format!("of {first} {bare}") };
    Some(Remark { rank: Rank::Clause, text })
}

/// "the city of X"
fn noun_of(page: &PageText<'_>, place: &NamePlace) -> Option<Remark> {
    let words = &page.words;
    let at = place.from.checked_sub(2)?;
    if words.get(at + 1)? != "of"
        || words.gap_before(at + 1) != Gap::Space
        || place.kind != MentionType::Place
    {
        return None;
    }
    let word = words.get(at)?;
    let named = matches!(
        word,
        "city"
            | "town"
            | "village"
            | "island"
            | "province"
            | "state"
            | "republic"
            | "kingdom"
            | "county"
            | "port"
            | "suburb"
            | "district"
            | "neighborhood"
            | "neighbourhood"
            | "municipality"
            | "region"
            | "borough"
            | "hamlet"
            | "territory"
    );
    let from = phrase_start(page, at);
    named.then(|| Remark { rank: Rank::Role, text: words.phrase(from, at + 1) })
}

/// "the president of the company, X, said"
fn set_off_remark(page: &PageText<'_>, place: &NamePlace) -> Option<Remark> {
    let words = &page.words;
    if !matches!(words.gap_before(place.to), Gap::Comma | Gap::Break | Gap::Close | Gap::Dash)
        || is_listed(page, place)
    {
        return None;
    }
    let mut begin = place.from;
    for _ in 0..MAX_PHRASE_WORDS {
        begin = begin.checked_sub(1)?;
        let word = words.get(begin)?;
        if use_of(word).determiner || word.ends_with("'s") || word.ends_with("’s") {
            let phrase = noun_phrase(page, begin)?;
            let fits = phrase.noun.is_some_and(|noun| match noun {
                Noun::Any => false,
                noun => noun.fits_closely(place.kind),
            });
            let plain = page.owner[phrase.head].is_none() && !starts_upper(words.get(phrase.head)?);
            let singular = !words.get(phrase.head)?.ends_with('s');
            // "In a city, Paris, …" but not "after the company, Google, …": a preposition before is fine, a comma before is
            // a list.
            let apart = words.gap_before(begin) != Gap::Comma
                || page.place_of(begin - 1).is_none_or(|other| other.kind != place.kind);
            if phrase.to == place.from && fits && plain && singular && apart && !matches!(word, "a" | "an") {
                return Some(Remark { rank: Rank::Role, text: words.phrase(phrase.from, phrase.to) });
            }
        }
        if !matches!(words.gap_before(begin), Gap::Space | Gap::Dot) {
            return None;
        }
    }
    None
}

/// True when another name follows the comma after this one.
fn is_listed(page: &PageText<'_>, place: &NamePlace) -> bool {
    let mut next = place.to;
    if matches!(page.words.get(next), Some("and" | "or" | "the")) {
        next += 1;
    }
    page.words.gap_before(place.to) == Gap::Comma && page.place_of(next).is_some()
}
