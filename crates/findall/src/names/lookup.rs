//! Asking for somebody by name: an exact name, a part of one, or a near miss that is suggested.

use super::{Cast, CastKind, CastMember};
use crate::lexical::distance::bounded_distance;

/// How many near names are suggested.
const MAX_SUGGESTIONS: usize = 5;

impl Cast {
    /// The member whom the name means: by any of its names, whatever the capitals; else by all the words asked for.
    /// The most named wins where several fit.
    pub fn find(&self, name: &str) -> Option<usize> {
        let wanted = key(name);
        if wanted.is_empty() {
            return None;
        }
        let named = |member: &CastMember, test: &dyn Fn(&str) -> bool| {
            test(&key(&member.name)) || member.aliases.iter().any(|alias| test(&key(&alias.text)))
        };
        let exact = self.members.iter().position(|member| named(member, &|name| name == wanted));
        exact
            .or_else(|| {
                let words: Vec<&str> = wanted.split(' ').collect();
                let all_in = |name: &str| {
                    let have: Vec<&str> = name.split(' ').collect();
                    words.len() > 1 && (words.iter().all(|word| have.contains(word)))
                };
                self.members.iter().position(|member| named(member, &all_in))
            })
            .or_else(|| self.given_and_surname(&wanted))
    }

    /// "Jane Bennet" asked for where the book says "Jane" and "Miss Bennet" only.
    fn given_and_surname(&self, wanted: &str) -> Option<usize> {
        let (given, surname) = wanted.split_once(' ')?;
        if surname.contains(' ') || !self.members.iter().any(|m| m.surname.as_deref() == Some(surname)) {
            return None;
        }
        self.members.iter().position(|member| {
            member.kind == CastKind::Person
                && member.surname.as_deref().is_none_or(|own| own == surname)
                && member.aliases.iter().any(|alias| key(&alias.text) == given)
        })
    }

    /// Names of the cast that are spelt nearly so, or share a word, the nearest first.
    pub fn find_near(&self, name: &str) -> Vec<&str> {
        let wanted = key(name);
        let mut near: Vec<(usize, &str)> = Vec::new();
        for member in &self.members {
            let best = (member.aliases.iter().map(|alias| &alias.text))
                .chain([&member.name])
                .filter_map(|name| distance(&wanted, &key(name)))
                .min();
            if let Some(best) = best {
                near.push((best, member.name.as_str()));
            }
        }
        near.sort_by_key(|(distance, _)| *distance);
        near.into_iter().map(|(_, name)| name).take(MAX_SUGGESTIONS).collect()
    }
}

/// A name as it is compared: small letters, folded spaces, no dots, no article.
fn key(name: &str) -> String {
    let small = name.to_lowercase().replace('’', "'").replace('.', " ");
    let words: Vec<&str> = small.split_whitespace().collect();
    let words = words.strip_prefix(&["the"]).filter(|rest| !rest.is_empty()).unwrap_or(&words);
    words.join(" ")
}

/// Edits between two names; one where they share a word.
fn distance(one: &str, other: &str) -> Option<usize> {
    let words = |a: &str, b: &str| a.split(' ').filter(|w| w.len() > 2).any(|w| b.split(' ').any(|v| v == w));
    if words(one, other) {
        return Some(1);
    }
    let (a, b): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    bounded_distance(&a, &b, 1 + a.len() / 3)
}
