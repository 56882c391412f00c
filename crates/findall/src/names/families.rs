//! Families: "the Wares" is no person but all who bear the name. Plurals of surnames become groups, and every surname
//! with two bearers has one, "Ware family", whether or not the book ever says it.

use std::collections::{BTreeMap, HashSet};

use super::surfaces::{CastKind, Surface};
use super::{Alias, CastMember, Gender};
use crate::span::Span;

/// Marks the plurals of surnames.
pub(super) fn mark(surfaces: &mut [Surface]) {
    let surnames: HashSet<String> = surfaces
        .iter()
        .filter(|s| s.kind == CastKind::Person && (s.words.len() > 1 || !s.titles.is_empty()))
        .filter_map(|s| s.words.last().cloned())
        .collect();
    for surface in surfaces.iter_mut() {
        if surface.words.len() == 1 && singular(&surface.words[0], &surnames).is_some() {
            surface.kind = CastKind::Group;
            surface.family = true;
        }
    }
}

fn singular<'s>(word: &str, surnames: &'s HashSet<String>) -> Option<&'s String> {
    let stems = ["es", "s"].iter().filter_map(|ending| word.strip_suffix(ending));
    stems.into_iter().find_map(|stem| surnames.get(stem)).filter(|_| !surnames.contains(word))
}

/// One group for every surname with a plural in the book or at least two bearers among `people`.
pub(super) fn gather(surfaces: &[Surface], people: &[CastMember]) -> Vec<CastMember> {
    let mut bearers: BTreeMap<&str, Vec<&CastMember>> = BTreeMap::new();
    for person in people {
        if let Some(surname) = person.surname.as_deref() {
            bearers.entry(surname).or_default().push(person);
        }
    }
    let surnames: HashSet<String> = bearers.keys().map(|surname| (*surname).to_owned()).collect();
    let mut plurals: BTreeMap<&str, Vec<&Surface>> = BTreeMap::new();
    for surface in surfaces.iter().filter(|s| s.family) {
        if let Some(surname) = singular(&surface.words[0], &surnames)
            && let Some((surname, _)) = bearers.get_key_value(surname.as_str())
        {
            plurals.entry(surname).or_default().push(surface);
        }
    }
    let mut out = Vec::new();
    for (surname, people) in bearers {
        let forms = plurals.remove(surname).unwrap_or_default();
        if people.len() < 2 && forms.is_empty() {
            continue;
        }
        let mut spans: Vec<Span> = forms.iter().flat_map(|form| form.spans.iter().copied()).collect();
        // Never said as such: then it stands where its bearers are first named.
        if spans.is_empty() {
            spans.extend(people.iter().filter_map(|person| person.spans.first()));
        }
        spans.sort_unstable();
        let alias = |form: &&Surface| Alias {
            text: form.text.clone(),
            count: form.spans.len(),
            first: form.spans[0],
        };
        let mut name: String = surname.chars().take(1).flat_map(char::to_uppercase).collect();
        name.extend(surname.chars().skip(1));
        out.push(CastMember {
            name: format!("{name} family"),
            kind: CastKind::Group,
            gender: Gender::Unknown,
            aliases: forms.iter().map(alias).collect(),
            ambiguous: false,
            surname: Some(surname.to_owned()),
            titles: Vec::new(),
            spans,
        });
    }
    out
}
