//! Who is met with whom, and where: counts over sentences and paragraphs for pairs of the cast.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::RELATION_WORD_LISTS;
use super::reading::BookReading;
use super::tokens::Token;
use crate::names::{CastKind, Gender};
use crate::word_list::WordList;

/// What a pair shares.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Pair {
    /// Sentences that name both.
    pub sentences: usize,
    /// Paragraphs that name both, or where one speaks of or to the other.
    pub paragraphs: usize,
    /// Paragraphs in which one speaks to the other.
    pub talks: usize,
    /// Sentences with both and a word of enmity.
    pub hostile: usize,
    /// Sentences with both and a word of liking.
    pub friendly: usize,
    /// Sentences with both and a word of going, staying or living.
    pub going: usize,
    /// Where the second is named: the share of the first among all who are about, summed over those places.
    pub presence: f32,
}

static HOSTILE_WORDS: WordList = WordList::new(RELATION_WORD_LISTS, "hostile");

static FRIENDLY_WORDS: WordList = WordList::new(RELATION_WORD_LISTS, "friendly");

static MOTION_VERBS: WordList = WordList::new(RELATION_WORD_LISTS, "going");

/// Bytes around a place's name within which people count as being about.
const MAX_BYTES_ABOUT: usize = 3000;

/// All pairs that share anything; the first is the lower number of the two.
pub(crate) struct Pairs {
    pairs: HashMap<(usize, usize), Pair>,
}

impl Pairs {
    pub fn of(reading: &BookReading<'_>) -> Pairs {
        let mut pairs: HashMap<(usize, usize), Pair> = HashMap::new();
        for number in 0..reading.sentences.len() - 1 {
            let tokens = reading.sentence(number);
            let has =
                |list: &WordList| tokens.iter().any(|t| t.word().is_some_and(|word| list.contains(word)));
            let named = sort_distinct(tokens.iter().filter_map(Token::name));
            if named.len() < 2 {
                continue;
            }
            let (hostile, friendly, going) = (has(&HOSTILE_WORDS), has(&FRIENDLY_WORDS), has(&MOTION_VERBS));
            each_pair(&named, |a, b| {
                let pair = pairs.entry((a, b)).or_default();
                pair.sentences += 1;
                pair.hostile += usize::from(hostile);
                pair.friendly += usize::from(friendly);
                pair.going += usize::from(going);
            });
        }
        for number in 0..reading.paragraphs.len() - 1 {
            let tokens = reading.paragraph(number);
            let (speaker, listener) = (reading.speakers[number], reading.listeners[number]);
            let writer = reading.writers[number];
            let about = tokens.iter().filter_map(Token::name).chain(speaker).chain(listener).chain(writer);
            each_pair(&sort_distinct(about), |a, b| pairs.entry((a, b)).or_default().paragraphs += 1);
            if let (Some(speaker), Some(listener)) = (speaker, listener) {
                pairs.entry(order_pair(speaker, listener)).or_default().talks += 1;
            }
        }
        let mut pairs = Pairs { pairs };
        pairs.add_presence(reading);
        pairs
    }

    /// What two members share.
    pub fn get(&self, one: usize, other: usize) -> Pair {
        self.pairs.get(&order_pair(one, other)).copied().unwrap_or_default()
    }

    /// For every place where a place or group is named: who is about, by name, pronoun or as the writer of a letter.
    fn add_presence(&mut self, reading: &BookReading<'_>) {
        let mut people: Vec<(usize, usize)> = Vec::new();
        for (at, token) in reading.tokens.iter().enumerate() {
            let named = token.name().filter(|&member| reading.cast.members[member].kind == CastKind::Person);
            let pronoun = match token.word() {
                Some("he") if !token.spoken => reading.pronoun(at, Gender::Male),
                Some("she") if !token.spoken => reading.pronoun(at, Gender::Female),
                Some("i" | "my" | "me" | "we") if !token.spoken => reading.writers[token.paragraph],
                Some("i" | "my" | "me") => reading.speakers[token.paragraph],
                _ => None,
            };
            if let Some(member) = named.or(pronoun) {
                people.push((token.span.start, member));
            }
        }
        for (number, member) in reading.cast.members.iter().enumerate() {
            if member.kind == CastKind::Person {
                continue;
            }
            for span in &member.spans {
                let from = people.partition_point(|(at, _)| *at + MAX_BYTES_ABOUT < span.start);
                let until = people.partition_point(|(at, _)| *at < span.end + MAX_BYTES_ABOUT);
                let about = &people[from..until];
                // In the order of the cast: sums of fractions depend on their order.
                let mut counts: BTreeMap<usize, f32> = BTreeMap::new();
                for (at, person) in about {
                    let near = 1.0 - at.abs_diff(span.start) as f32 / (MAX_BYTES_ABOUT + 1) as f32;
                    *counts.entry(*person).or_default() += near;
                }
                let total: f32 = counts.values().sum::<f32>() + 1.0;
                for (person, near) in counts {
                    self.pairs.entry(order_pair(person, number)).or_default().presence += near / total;
                }
            }
        }
    }
}

fn order_pair(one: usize, other: usize) -> (usize, usize) {
    (one.min(other), one.max(other))
}

fn sort_distinct(members: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut members: Vec<usize> = members.collect::<HashSet<_>>().into_iter().collect();
    members.sort_unstable();
    members
}

fn each_pair(members: &[usize], mut each: impl FnMut(usize, usize)) {
    for (at, &a) in members.iter().enumerate() {
        for &b in &members[at + 1..] {
            each(a, b);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;
    use crate::mentions::{Mention, MentionType};
    use crate::names::Cast;
    use crate::span::Span;

    const PEOPLE: [&str; 8] =
        ["Anna", "Bruno", "Clara", "Dietrich", "Edith", "Ferdinand", "Greta", "Henriette"];

    /// Everyone goes to one place, again and again, each time in another order.
    fn journeys() -> (Document, Vec<Mention>) {
        let mut text = String::new();
        let mut mentions = Vec::new();
        let mut add = |text: &mut String, name: &str, kind: MentionType| {
            mentions.push(Mention {
                span: Span::new(text.len(), text.len() + name.len()),
                kind,
                confidence: 0.9,
            });
            text.push_str(name);
        };
        for journey in 0..12 {
            for step in 0..PEOPLE.len() {
                add(&mut text, PEOPLE[(journey * 3 + step * 5) % PEOPLE.len()], MentionType::Person);
                text.push_str(" came by, and ");
            }
            text.push_str("all of them went to ");
            add(&mut text, "Holt", MentionType::Place);
            text.push_str(".\n\n");
        }
        (Document::from_text(text), mentions)
    }

    #[test]
    fn presence_has_the_same_bits_at_every_reading() {
        let (document, mentions) = journeys();
        let cast = Cast::of(&document, &mentions);
        let holt = cast.find("Holt").unwrap();
        let read = || {
            let pairs = Pairs::of(&BookReading::of(&document, &cast));
            PEOPLE.map(|name| pairs.get(cast.find(name).unwrap(), holt).presence.to_bits())
        };
        let first = read();
        assert!(first.iter().all(|&bits| f32::from_bits(bits) > 0.0), "{first:?}");
        for _ in 0..20 {
            assert_eq!(read(), first);
        }
    }
}
