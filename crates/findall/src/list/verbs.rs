//! Ties that a verb states: "Anna married Tom", "he quarrelled with her". A read book enters, more ties leave.

use super::reading::BookReading;
use super::ties::{StatedTie, Tie};
use crate::names::CastKind;

/// Adds the ties of all verbs that tell of one.
pub(super) fn read_verb_ties(reading: &BookReading<'_>, out: &mut Vec<StatedTie>) {
    for (at, token) in reading.tokens.iter().enumerate() {
        let Some((tie, strength)) = token.word().and_then(verb) else { continue };
        let Some((owner, object)) = members_around(reading, at) else { continue };
        let gender = |member: usize| reading.cast.members[member].gender;
        if tie != Tie::Spouse || gender(owner) != gender(object) {
            out.push(StatedTie { tie, owner, object, strength, span: token.span });
        }
    }
}

/// What a verb tells, and how much it is believed.
fn verb(word: &str) -> Option<(Tie, f32)> {
    Some(match word {
        "married" | "marry" | "wed" => (Tie::Spouse, 0.7),
        "engaged" => (Tie::Spouse, 0.4),
        "hated" | "hates" | "hate" | "despised" | "despises" | "despise" | "detested" | "detest"
        | "detests" | "loathed" | "loathes" | "loathe" | "abhorred" | "abhors" | "abhor" => {
            (Tie::Opponent, 0.8)
        }
        "fought" | "quarrelled" | "quarreled" | "cursed" | "betrayed" | "attacked" | "persecuted"
        | "tormented" | "threatened" | "defied" | "cheated" | "insulted" | "struck" | "ruined" => {
            (Tie::Opponent, 0.5)
        }
        _ => return None,
    })
}

/// The people before and after a verb, named or by pronoun, where they are two.
fn members_around(reading: &BookReading<'_>, at: usize) -> Option<(usize, usize)> {
    let sentence = reading.tokens[at].sentence;
    let person = |at: usize| {
        let other = reading.tokens.get(at).filter(|other| other.sentence == sentence)?;
        let named = other.name().filter(|&member| reading.cast.members[member].kind == CastKind::Person);
        named.or_else(|| reading.referent(at))
    };
    let before = (1..=3).find_map(|step| at.checked_sub(step).and_then(person))?;
    let after = (1..=2).find_map(|step| person(at + step))?;
    (before != after).then_some((before, after))
}
