//! Names that stand in a row share what is said of the row: "companies such as X and Y", "X, Y and other companies",
//! "directed by X and Y", "starring X", "Label: X, Y".

use super::LINES;
use super::lexicon::{Noun, noun, singular, use_of};
use super::phrases::{noun_phrase, phrase_start, starts_upper};
use super::words::Gap;
use super::{NamePlace, PageText, Rank, Remark};
use crate::mentions::MentionType;
use crate::word_list::WordList;

/// Words of a label at most.
const MAX_LABEL_WORDS: usize = 4;

/// Words of a line that is a byline at most.
const MAX_BYLINE_WORDS: usize = 14;

/// Labels that say nothing of what they stand before.
static EMPTY_LABELS: WordList = WordList::new(LINES, "empty-label");

pub(super) fn remark(page: &PageText<'_>, out: &mut [Vec<Remark>]) {
    for place in &page.places {
        if let Some((holder, remark)) = remark_maker(page, place) {
            out[holder].push(remark);
        }
    }
    let mut first = 0;
    while first < page.places.len() {
        let mut last = first;
        while last + 1 < page.places.len() && are_joined(page, last) {
            last += 1;
        }
        // "services such as X, Y has …": the last one begins another clause.
        let ends = page.words.gap_before(page.places[last].to) == Gap::Space && !ends_row(page, last);
        let members = first..=if last > first && ends { last - 1 } else { last };
        let shared = [
            remark_by_maker(page, first),
            remark_by_cast(page, first),
            remark_by_example(page, first),
            remark_by_label(page, first),
            remark_by_others(page, last),
            remark_by_line(page, first),
        ];
        for (remark, noun) in shared.into_iter().flatten() {
            for place in &page.places[members.clone()] {
                if noun.is_none_or(|noun| noun.fits(place.kind)) {
                    out[place.thing].push(remark.clone());
                }
            }
        }
        first = last + 1;
    }
}

/// True when "and" or "or" stands before a name, or before what follows it.
fn ends_row(page: &PageText<'_>, number: usize) -> bool {
    let place = &page.places[number];
    let joins = |word: Option<&str>| matches!(word, Some("and" | "or" | "&"));
    let before = place.from.checked_sub(1).and_then(|at| page.words.get(at));
    let earlier = place.from.checked_sub(2).and_then(|at| page.words.get(at));
    joins(before) || before == Some("the") && joins(earlier) || joins(page.words.get(place.to))
}

/// "Sony's PlayStation" says something of Sony, too.
fn remark_maker(page: &PageText<'_>, place: &NamePlace) -> Option<(usize, Remark)> {
    let holder = super::before::find_holder(page, place)?;
    let makes = matches!(holder.kind, MentionType::Organization | MentionType::Other)
        && place.kind == MentionType::Product
        || holder.kind == MentionType::Person && place.kind == MentionType::Work;
    let text = format!("maker of {}", page.words.phrase(place.from, place.to));
    makes.then_some((holder.thing, Remark { rank: Rank::Deed, text }))
}

type SharedRemark = Option<(Remark, Option<Noun>)>;

/// Whether a name and the next one are members of one row.
fn are_joined(page: &PageText<'_>, number: usize) -> bool {
    let (own, next) = (&page.places[number], &page.places[number + 1]);
    let words = &page.words;
    let mut at = own.to;
    let mut separated = false;
    while at < next.from {
        let word = words.get(at).unwrap_or_default();
        let known = matches!(word, "and" | "or" | "&" | "the");
        if !known || !matches!(words.gap_before(at), Gap::Space | Gap::Comma) {
            return false;
        }
        separated |= word != "the" || words.gap_before(at) == Gap::Comma;
        at += 1;
    }
    match words.gap_before(next.from) {
        Gap::Comma => true,
        Gap::Space | Gap::Quote => separated,
        _ => false,
    }
}

/// "directed by X"
fn remark_by_maker(page: &PageText<'_>, first: usize) -> SharedRemark {
    let words = &page.words;
    let at = page.places[first].from.checked_sub(1)?;
    let at = if words.get(at)? == "the" { at.checked_sub(1)? } else { at };
    if !words.get(at)?.eq_ignore_ascii_case("by") || words.gap_before(at + 1) != Gap::Space {
        return None;
    }
    let verb = at.checked_sub(1)?;
    let kind = page.places[first].kind;
    let can_make = matches!(kind, MentionType::Person | MentionType::Organization | MentionType::Other);
    // "the story X by Y"
    if let Some(made) = page.place_of(verb).filter(|made| made.to == at) {
        let fits =
            matches!(made.kind, MentionType::Work | MentionType::Product) && kind == MentionType::Person;
        let text = format!("maker of {}", words.phrase(made.from, made.to));
        return fits.then_some((Remark { rank: Rank::Clause, text }, Some(Noun::Person)));
    }
    let maker = maker_at(page, verb)?;
    (can_make && words.gap_before(at) == Gap::Space)
        .then(|| (Remark { rank: Rank::Role, text: maker.replace('-', " ") }, None))
}

/// What a verb before "by" makes of who is named there: "translated by", "translated into English by".
fn maker_at(page: &PageText<'_>, verb: usize) -> Option<&'static str> {
    let words = &page.words;
    let own = use_of(words.get(verb)?).maker;
    own.or_else(|| {
        let preposition = verb.checked_sub(1)?;
        let joined = words.gap_before(verb) == Gap::Space && words.gap_before(preposition) == Gap::Space;
        let added = use_of(words.get(preposition)?).preposition;
        (joined && added).then(|| use_of(words.get(preposition.checked_sub(1)?)?).maker).flatten()
    })
}

/// "starring X and Y"
fn remark_by_cast(page: &PageText<'_>, first: usize) -> SharedRemark {
    let words = &page.words;
    let place = &page.places[first];
    let at = place.from.checked_sub(1)?;
    (use_of(words.get(at)?).cast
        && words.gap_before(at + 1) == Gap::Space
        && place.kind == MentionType::Person)
        .then(|| (Remark { rank: Rank::Role, text: "actor, star of it".to_owned() }, Some(Noun::Person)))
}

/// "companies such as X", "cities like X", "three cities: X and Y"
fn remark_by_example(page: &PageText<'_>, first: usize) -> SharedRemark {
    let words = &page.words;
    let from = page.places[first].from;
    let mut at = from.checked_sub(1)?;
    if words.get(at)? == "the" {
        at = at.checked_sub(1)?;
    }
    let head = if words.gap_before(from) == Gap::Colon {
        from - 1
    } else if words.get(at)? == "as" && at > 0 && words.get(at - 1)? == "such" {
        at.checked_sub(2)?
    } else if use_of(words.get(at)?).example && words.gap_before(at + 1) == Gap::Space {
        at.checked_sub(1)?
    } else {
        return None;
    };
    if head + 1 < from && !matches!(words.gap_before(head + 1), Gap::Space | Gap::Comma) {
        return None;
    }
    plural(page, head)
}

/// "X, Y and other companies"
fn remark_by_others(page: &PageText<'_>, last: usize) -> SharedRemark {
    let words = &page.words;
    let at = page.places[last].to;
    if !matches!(words.get(at)?, "and" | "or")
        || words.get(at + 1)? != "other"
        || words.gap_before(at) == Gap::Break
    {
        return None;
    }
    let phrase = noun_phrase(page, at + 2)?;
    // The first plural is the head: a verb may follow ("other airlines fell").
    let head =
        (phrase.from..phrase.to.min(phrase.from + 4)).find(|&at| words.get(at).is_some_and(is_plural))?;
    let said = noun(words.get(head)?)?;
    Some((Remark { rank: Rank::Example, text: words.phrase(phrase.from, head + 1) }, Some(said)))
}

/// A plural head noun with its modifiers.
fn plural(page: &PageText<'_>, head: usize) -> SharedRemark {
    let words = &page.words;
    let word = words.get(head)?;
    let said = noun(word)?;
    if !is_plural(word)
        || page.owner[head].is_some()
        || starts_upper(word) && words.gap_before(head) != Gap::Break
    {
        return None;
    }
    let text = words.phrase(phrase_start(page, head), head + 1);
    Some((Remark { rank: Rank::Example, text }, Some(said)))
}

fn is_plural(word: &str) -> bool {
    let lower = word.to_lowercase();
    singular(&lower).is_some_and(|one| noun(&one).is_some())
}

/// "Director: X"
fn remark_by_label(page: &PageText<'_>, first: usize) -> SharedRemark {
    let words = &page.words;
    let from = page.places[first].from;
    if words.gap_before(from) != Gap::Colon {
        return None;
    }
    let mut start = from - 1;
    while start > 0 && words.gap_before(start) == Gap::Space && from - start <= MAX_LABEL_WORDS {
        start -= 1;
    }
    let label = words.phrase(start, from);
    let begins = words.gap_before(start) == Gap::Break && is_line_start(page, start);
    let own: Vec<_> = (start..from).filter_map(|at| words.get(at)).map(use_of).collect();
    let clause = own.iter().any(|word| word.stop || word.determiner);
    let speaker = (start..from).any(|at| page.owner[at].is_some());
    let empty = EMPTY_LABELS.contains(&label.to_lowercase());
    let fits =
        begins && from - start <= MAX_LABEL_WORDS && starts_upper(&label) && !clause && !speaker && !empty;
    (fits && !label.contains(|c: char| c.is_ascii_digit()))
        .then_some((Remark { rank: Rank::Role, text: label }, None))
}

/// "By X" on a line of its own, or at the end of a short one: "15 October 2019 by X".
fn remark_by_line(page: &PageText<'_>, first: usize) -> SharedRemark {
    let words = &page.words;
    let place = &page.places[first];
    let at = place.from.checked_sub(1)?;
    let opens = is_line_start(page, at) && matches!(words.get(at)?, "By" | "BY");
    if !words.get(at)?.eq_ignore_ascii_case("by")
        || !(opens || ends_dated_line(page, place))
        || place.kind != MentionType::Person
    {
        return None;
    }
    let line = words.text[words.words[at].span.start..].lines().next().unwrap_or_default();
    (line.split_whitespace().count() <= MAX_BYLINE_WORDS)
        .then(|| (Remark { rank: Rank::Role, text: "author of this page".to_owned() }, Some(Noun::Person)))
}

/// True for a name that ends its line, where "by" follows a date.
fn ends_dated_line(page: &PageText<'_>, place: &NamePlace) -> bool {
    let words = &page.words;
    let end = words.words[place.to - 1].span.end;
    let dated = place.from.checked_sub(2).and_then(|at| words.get(at));
    let is_year = dated.is_some_and(|word| word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit()));
    is_year && words.text[end..].trim_start_matches([' ', '\t']).chars().next().is_none_or(|c| c == '\n')
}

fn is_line_start(page: &PageText<'_>, at: usize) -> bool {
    let before = &page.words.text[..page.words.words[at].span.start];
    before
        .trim_end_matches([' ', '-', '•', '*', '·', '–', '(', '[', '|', '\t'])
        .chars()
        .next_back()
        .is_none_or(|c| c == '\n')
}
