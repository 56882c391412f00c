//! Who is a he and who is a she: counted from the pronouns after a name that stands alone in its sentence.

use super::Gender;
use super::surfaces::{CastKind, Surface};
use super::tables::given_name;
use crate::document::Document;

/// How often a surface is followed by a pronoun of each gender.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pronouns {
    pub he: usize,
    pub she: usize,
}

impl Pronouns {
    pub fn add(&mut self, other: Pronouns) {
        self.he += other.he;
        self.she += other.she;
    }

    /// The gender, where the pronouns are two to one for it.
    pub fn gender(self) -> Gender {
        match (self.he, self.she) {
            (he, she) if he >= 2 && he >= 2 * she => Gender::Male,
            (he, she) if she >= 2 && she >= 2 * he => Gender::Female,
            _ => Gender::Unknown,
        }
    }
}

/// The pronouns of every surface, in order.
pub(super) fn pronouns(document: &Document, surfaces: &[Surface]) -> Vec<Pronouns> {
    let sentences = document.sentences();
    let mut people: Vec<Vec<(usize, usize)>> = vec![Vec::new(); sentences.len() + 1];
    for (number, surface) in surfaces.iter().enumerate().filter(|(_, s)| s.kind == CastKind::Person) {
        for span in &surface.spans {
            let sentence = sentences.partition_point(|sentence| sentence.end <= span.start);
            people[sentence].push((number, span.end));
        }
    }
    let mut counts = vec![Pronouns::default(); surfaces.len()];
    for (at, named) in people.iter().enumerate() {
        let [(number, end)] = named.as_slice() else { continue };
        let Some(sentence) = sentences.get(at) else { continue };
        let mut read = document.text().get(*end..sentence.end).unwrap_or_default().to_owned();
        if let (Some(next), Some([])) = (sentences.get(at + 1), people.get(at + 1).map(Vec::as_slice)) {
            read.push(' ');
            read.push_str(document.text().get(next.start..next.end).unwrap_or_default());
        }
        // Only the first one: those that follow may already be about somebody else.
        let first = read.split(|c: char| !c.is_alphabetic()).find_map(|word| match word {
            "he" | "him" | "his" | "himself" | "He" | "His" => Some(true),
            "she" | "her" | "hers" | "herself" | "She" | "Her" => Some(false),
            _ => None,
        });
        match first {
            Some(true) => counts[*number].he += 1,
            Some(false) => counts[*number].she += 1,
            None => {}
        }
    }
    counts
}

/// What titles, the given name and the pronouns say together, in this order.
pub(super) fn decide<'s>(surfaces: impl Iterator<Item = (&'s Surface, Pronouns)> + Clone) -> Gender {
    let titled = surfaces.clone().flat_map(|(surface, _)| &surface.titles).map(|title| title.gender());
    if let Some(gender) = titled.into_iter().find(|gender| *gender != Gender::Unknown) {
        return gender;
    }
    let mut counted = Pronouns::default();
    surfaces.clone().for_each(|(_, pronouns)| counted.add(pronouns));
    let given = surfaces.into_iter().filter_map(|(surface, _)| given_name(surface.words.first()?)).next();
    match (given, counted.gender()) {
        // Many pronouns against the table: a girl may be a Jo, and a boy a Kit.
        (Some(_), by_pronouns) if by_pronouns != Gender::Unknown && counted.he + counted.she >= 5 => {
            by_pronouns
        }
        (Some(given), _) => given,
        (None, by_pronouns) => by_pronouns,
    }
}
