//! Noun phrases by their ends: forwards from where one begins, backwards from its head noun.

use super::PageText;
use super::lexicon::{Noun, noun, use_of};
use super::words::Gap;

/// Words of a phrase at most.
const MAX_NOUN_PHRASE_WORDS: usize = 15;

/// Words before a head noun at most.
const MAX_MODIFIERS: usize = 6;

/// Where a phrase ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// At punctuation or the end of the sentence.
    Mark(Gap),
    /// Before a relative clause.
    Clause,
    /// Before a verb, or it was too long.
    Open,
}

/// A noun phrase without its determiner.
#[derive(Clone, Copy, Debug)]
pub(super) struct NounPhrase {
    pub from: usize,
    pub to: usize,
    pub head: usize,
    /// What the head noun names, where the lexicon knows it.
    pub noun: Option<Noun>,
    pub end: End,
}

impl NounPhrase {
    /// True when the phrase is over where it ends: a comma, a clause, the end of the sentence.
    pub fn is_closed(&self) -> bool {
        !matches!(self.end, End::Open | End::Mark(Gap::Open | Gap::Colon | Gap::Quote))
    }
}

/// The noun phrase that begins at a word, its determiner included.
pub(super) fn noun_phrase(page: &PageText<'_>, begin: usize) -> Option<NounPhrase> {
    let words = &page.words;
    let mut from = begin;
    if words.get(from)?.eq_ignore_ascii_case("one") && words.get(from + 1) == Some("of") {
        from += 2;
    }
    while use_of(words.get(from)?).determiner && words.gap_before(from + 1) == Gap::Space {
        from += 1;
    }
    let (mut to, mut end) = (from, End::Open);
    while to < from + MAX_NOUN_PHRASE_WORDS {
        let gap = words.gap_before(to);
        if to > from && !matches!(gap, Gap::Space | Gap::Quote | Gap::Dot) {
            end = End::Mark(gap);
            break;
        }
        let Some(word) = words.get(to) else {
            end = End::Mark(Gap::Break);
            break;
        };
        // "a felon and possessed …": another verb of the sentence.
        let verb =
            to > from && words.get(to - 1) == Some("and") && word.ends_with("ed") && !starts_upper(word);
        if use_of(word).stop || verb {
            let clause = matches!(word, "who" | "which" | "that" | "whose" | "where" | "when" | "whom");
            end = if clause { End::Clause } else { End::Open };
            break;
        }
        to += 1;
    }
    if to == from {
        return None;
    }
    // A phrase does not end with what begins something else.
    let mut last = to;
    while last > from + 1 && is_joint(words.get(last - 1)?) {
        last -= 1;
    }
    let head = head(page, from, last)?;
    let joint = last < to && words.get(to - 1) != Some("and");
    Some(NounPhrase {
        from,
        to: last,
        head,
        noun: noun(words.get(head)?),
        end: if joint { End::Open } else { end },
    })
}

/// The word that the others belong to: the last one before what a preposition or a participle adds.
fn head(page: &PageText<'_>, from: usize, to: usize) -> Option<usize> {
    let words = &page.words;
    let mut head = from;
    while head + 1 < to {
        let next = words.get(head + 1)?;
        let own = use_of(next);
        let adds = is_joint(next) || own.participle && !starts_upper(next);
        let reduced = noun(words.get(head)?).is_some() && is_verbal(next) && page.owner[head + 1].is_none();
        if adds || reduced {
            break;
        }
        // "the singer Mary": the name is no head.
        if noun(words.get(head)?).is_some() && starts_upper(next) && !starts_upper(words.get(head)?) {
            break;
        }
        head += 1;
    }
    (!is_joint(words.get(head)?)).then_some(head)
}

/// Where a noun phrase begins that ends with this head noun.
pub(super) fn phrase_start(page: &PageText<'_>, head: usize) -> usize {
    let words = &page.words;
    let mut from = head;
    while from > 0 && head - from < MAX_MODIFIERS && words.gap_before(from) == Gap::Space {
        let Some(word) = words.get(from - 1) else { break };
        if !can_modify(page, from - 1, word) {
            break;
        }
        from -= 1;
    }
    from
}

fn can_modify(page: &PageText<'_>, at: usize, word: &str) -> bool {
    let own = use_of(word);
    if own.stop || own.determiner || own.preposition || is_joint(word) {
        return false;
    }
    let named = page.owner[at].is_some();
    let begins = page.words.gap_before(at) == Gap::Break;
    let possessive = word.ends_with("'s") || word.ends_with("’s");
    if own.modifier || named || possessive || !begins && starts_upper(word) {
        return true;
    }
    let lower = !starts_upper(word);
    let hyphened = word.contains('-') && !word.ends_with("ly");
    let adjective = ["al", "ic", "ary", "ian", "ish", "ese", "ean"]
        .iter()
        .any(|end| word.ends_with(end) && word.len() > end.len() + 2);
    lower && (hyphened || adjective || noun(word).is_some() && !word.ends_with('s')) || begins && adjective
}

/// Prepositions and conjunctions.
pub(super) fn is_joint(word: &str) -> bool {
    use_of(word).preposition || matches!(word, "and" | "or" | "but" | "nor" | "plus" | "&")
}

fn is_verbal(word: &str) -> bool {
    !starts_upper(word) && word.len() > 4 && (word.ends_with("ing") || word.ends_with("ed"))
}

pub(super) fn starts_upper(word: &str) -> bool {
    word.starts_with(char::is_uppercase)
}
