//! Hints: words for ties whose owner or object is not named beside them. "Her mother smiled" says that one of the women
//! about may be the mother; over a book the right one is hinted at again and again.

use std::collections::HashMap;

use super::reading::BookReading;
use super::ties::{Tie, tie_word};
use super::tokens::{Token, TokenKind};
use crate::names::{CastKind, Gender};

/// How often each tie of each pair is hinted at, and how often two stand in one list of names.
#[derive(Default)]
pub(crate) struct Hints {
    ties: HashMap<(Tie, usize, usize), f32>,
    listed: HashMap<(usize, usize), usize>,
}

impl Hints {
    pub fn of(reading: &BookReading<'_>) -> Hints {
        let mut hints = Hints::default();
        for (at, token) in reading.tokens.iter().enumerate() {
            if let Some((tie, gender)) = token.word().and_then(tie_word) {
                hints.add(reading, at, tie, gender);
            }
        }
        for number in 0..reading.sentences.len() - 1 {
            hints.add_lists(reading, reading.sentence(number));
        }
        hints
    }

    /// How much the book hints that `object` is this to `owner`.
    pub fn get(&self, tie: Tie, owner: usize, object: usize) -> f32 {
        let one_way = self.ties.get(&(tie, owner, object)).copied().unwrap_or(0.0);
        one_way + self.ties.get(&(tie.inverse(), object, owner)).copied().unwrap_or(0.0)
    }

    /// How often two stand in one list of names.
    pub fn count_shared_lists(&self, one: usize, other: usize) -> usize {
        self.listed.get(&(one.min(other), one.max(other))).copied().unwrap_or(0)
    }

    /// The owner is told by a pronoun or a name before the word; everybody else named around it, of the word's gender,
    /// shares the hint.
    fn add(&mut self, reading: &BookReading<'_>, at: usize, tie: Tie, gender: Gender) {
        let token = &reading.tokens[at];
        let before = at.checked_sub(1);
        let possessive = before.filter(|&b| reading.tokens[b].kind == TokenKind::Possessive);
        let named = possessive.and_then(|p| p.checked_sub(1)).and_then(|p| reading.tokens[p].name());
        let alone = token.spoken && is_name_like(reading, at);
        let owner = match (named, before.and_then(|b| reading.referent(b))) {
            (Some(owner), _) | (None, Some(owner)) => Some(owner),
            // "Mother," said to somebody: it is the speaker's.
            _ if alone => reading.speakers[token.paragraph],
            _ => None,
        };
        let Some(owner) = owner else { return };
        let first = token.sentence.saturating_sub(1);
        let last = (token.sentence + 1).min(reading.sentences.len() - 2);
        let fits = |member: usize| {
            let known = &reading.cast.members[member];
            let clash =
                gender != Gender::Unknown && known.gender != Gender::Unknown && known.gender != gender;
            known.kind == CastKind::Person && member != owner && !clash
        };
        let listener = reading.listeners[token.paragraph].filter(|_| alone);
        let around =
            (first..=last).flat_map(|sentence| reading.sentence(sentence).iter().filter_map(Token::name));
        let mut about: Vec<usize> = around.chain(listener).filter(|&member| fits(member)).collect();
        about.sort_unstable();
        about.dedup();
        for &object in &about {
            *self.ties.entry((tie, owner, object)).or_default() += 1.0 / about.len() as f32;
        }
    }

    /// "Meg, Jo, Beth and Amy".
    fn add_lists(&mut self, reading: &BookReading<'_>, tokens: &[Token]) {
        let mut list: Vec<usize> = Vec::new();
        let mut gap = 0;
        for token in tokens {
            let person = token.name().filter(|&member| reading.cast.members[member].kind == CastKind::Person);
            match (person, token.word()) {
                (Some(member), _) => {
                    for &other in list.iter().filter(|&&other| other != member) {
                        *self.listed.entry((other.min(member), other.max(member))).or_default() += 1;
                    }
                    list.push(member);
                    gap = 0;
                }
                (None, Some("and")) => gap += 1,
                (None, None) if token.is(',') => gap += 1,
                _ => list.clear(),
            }
            if gap > 2 || list.is_empty() {
                list.clear();
                gap = 0;
            }
        }
    }
}

/// "Mother" with a capital, as one is called.
fn is_name_like(reading: &BookReading<'_>, at: usize) -> bool {
    let text = reading.document.text();
    reading.tokens[at].span.slice(text).is_some_and(|word| word.starts_with(char::is_uppercase))
}
