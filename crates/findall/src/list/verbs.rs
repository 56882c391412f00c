//! Ties that a verb states: "Anna married Tom", "he quarrelled with her". A read book enters, more ties leave.

use super::RELATION_WORD_LISTS;
use super::reading::BookReading;
use super::ties::{StatedTie, Tie};
use crate::names::CastKind;
use crate::tuning::tuning;
use crate::word_list::LabelledWords;

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
    let strengths = &tuning().list.statements;
    Some(match TIE_VERBS.get(word)? {
        TieVerb::Marriage => (Tie::Spouse, strengths.marriage),
        TieVerb::Engagement => (Tie::Spouse, strengths.engagement),
        TieVerb::Hatred => (Tie::Opponent, strengths.hatred),
        TieVerb::Quarrel => (Tie::Opponent, strengths.quarrel),
    })
}

/// What a verb tells of.
#[derive(Clone, Copy, Debug)]
enum TieVerb {
    Marriage,
    Engagement,
    Hatred,
    Quarrel,
}

static TIE_VERBS: LabelledWords<TieVerb> = LabelledWords::new(
    RELATION_WORD_LISTS,
    &[
        ("marriage", TieVerb::Marriage),
        ("engagement", TieVerb::Engagement),
        ("hatred", TieVerb::Hatred),
        ("quarrel", TieVerb::Quarrel),
    ],
);

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
