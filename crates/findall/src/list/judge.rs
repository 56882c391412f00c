//! The judge: what is known of a subject and a candidate enters as a few features, a probability leaves. One small
//! logistic model a relation; weights were fitted on one novel and kept where their sign makes sense.

use super::Relation;
use super::book::{Book, Question};
use super::generate::ListCandidate;
use super::ties::Tie;
use super::weights::ObjectFeatures;
use crate::encode;
use crate::tuning::tuning;

/// The probability that a candidate with these features is an object.
pub(super) fn probability(relation: &Relation, features: &ObjectFeatures) -> f32 {
    encode::probability(features.weigh(tuning().list.of(relation)))
}

/// Whether a tie speaks of a relation.
pub(super) fn is_about(relation: &Relation, tie: Tie) -> bool {
    match relation {
        Relation::Parent => tie == Tie::Parent || tie == Tie::Child,
        Relation::Child => tie == Tie::Child || tie == Tie::Parent,
        Relation::Sibling => tie == Tie::Sibling,
        Relation::Family => !matches!(tie, Tie::Friend | Tie::Opponent),
        Relation::Friend => tie == Tie::Friend,
        Relation::Opponent => tie == Tie::Opponent,
        Relation::Place | Relation::Member | Relation::Free(_) => false,
    }
}

/// The ties that make a relation, from subject to object.
fn ties_of(relation: &Relation) -> &'static [Tie] {
    match relation {
        Relation::Parent => &[Tie::Parent],
        Relation::Child => &[Tie::Child],
        Relation::Sibling => &[Tie::Sibling],
        Relation::Family => &[Tie::Parent, Tie::Child, Tie::Sibling, Tie::Spouse, Tie::Kin],
        Relation::Friend => &[Tie::Friend],
        Relation::Opponent => &[Tie::Opponent],
        _ => &[],
    }
}

/// What the judge weighs. Every feature is 0 or more, most at most about 3.
pub(super) fn features(
    book: &Book<'_>,
    question: &Question<'_>,
    candidate: &ListCandidate,
) -> ObjectFeatures {
    let (subject, object, relation) = (question.subject, candidate.member, question.relation);
    let pair = book.pairs.get(subject, object);
    let (one, other) = (&book.cast.members[subject], &book.cast.members[object]);
    let places = (book.graph.place(subject), book.graph.place(object));
    let namesakes = one.surname.is_some() && one.surname == other.surname;
    let (mut stated, mut table, mut family) = (0.0, 0.0, 0.0);
    if let (Some(s), Some(o)) = places {
        stated = ties_of(relation).iter().map(|&tie| book.graph.stated_strength(tie, s, o)).sum();
        family = book.graph.family.get(s, o);
        table = match relation {
            Relation::Parent => book.graph.parents.get(s, o),
            Relation::Child => book.graph.parents.get(o, s),
            Relation::Sibling => book.graph.siblings.get(s, o),
            Relation::Family => book.graph.spouses.get(s, o).max(book.graph.siblings.get(s, o)),
            _ => 0.0,
        };
    } else if let (Some(o), Some(surname)) = (places.1, one.surname.as_deref()) {
        // A family: who is married or closely related to a bearer of the name.
        let bears =
            |at: &usize| book.cast.members[book.graph.people[*at]].surname.as_deref() == Some(surname);
        for bearer in (0..book.graph.people.len()).filter(bears) {
            family = f32::max(family, book.graph.family.get(bearer, o));
            table = f32::max(table, book.graph.spouses.get(bearer, o).max(book.graph.parents.get(o, bearer)));
        }
    }
    let count = pair.sentences as f32;
    let hinted: f32 = ties_of(relation).iter().map(|&tie| book.hints.get(tie, subject, object)).sum();
    let presence = pair.presence / (book.count(object) + 0.5);
    // A member who is everywhere is near wherever a place is named: what counts is that they are there more than elsewhere.
    let lift = match relation {
        Relation::Place | Relation::Member => (presence / (book.share(subject) + 0.03)).min(6.0),
        _ => hinted / (count + 2.0),
    };
    let rate = |part: usize| part as f32 / (count + 3.0);
    let mentions =
        if book.is_person(object) { book.count(object).min(book.count(subject)) } else { book.count(object) };
    ObjectFeatures {
        bias: 1.0,
        stated: (1.0 + stated).ln(),
        table,
        family,
        namesake: f32::from(u8::from(namesakes)),
        paragraphs: (1.0 + pair.paragraphs as f32).ln(),
        closeness: (pair.paragraphs as f32 / (mentions + 3.0)).min(1.5),
        talks: (1.0 + pair.talks as f32).ln(),
        lift,
        listed: (1.0 + book.hints.count_shared_lists(subject, object) as f32).ln(),
        hostile: rate(pair.hostile),
        friendly: rate(pair.friendly),
        mentions: (1.0 + book.count(object)).ln(),
        read: candidate.read,
        generated: (1.0 + candidate.score).ln(),
        presence: (1.0 + 10.0 * pair.presence).ln(),
        share: presence,
        going: rate(pair.going),
    }
}

/// Who bears the name of a family, whether or not a passage says that they belong to it.
pub(super) fn members_by_surname(book: &Book<'_>, subject: usize, relation: &Relation) -> Vec<usize> {
    let surname = book.cast.members[subject].surname.as_deref();
    let bears =
        |member: &usize| book.is_person(*member) && book.cast.members[*member].surname.as_deref() == surname;
    match relation {
        Relation::Member if surname.is_some() => (0..book.cast.members.len()).filter(bears).collect(),
        _ => Vec::new(),
    }
}
