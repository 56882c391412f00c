//! What English words are for (`word_roles.txt`): function words, cue words, and head nouns with the kind they imply. The
//! fact extractor of `findall-kb` cuts texts by them, and a page is read by the kinds of its nouns.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::record::EntityKind;
use crate::word_list::listed_words;

const WORD_ROLE_LISTS: &str = include_str!("word_roles.txt");

/// What a word is for.
#[derive(Clone, Copy, Debug, Default)]
pub struct WordRole {
    /// Carries no fact by itself.
    pub function: bool,
    /// Ends a phrase.
    pub breaks: bool,
    /// Begins a fact.
    pub cue: bool,
    /// Dropped wherever it stands.
    pub weak: bool,
    /// A place to cut a long phrase.
    pub preposition: bool,
    /// Stands for the subject.
    pub pronoun: bool,
    /// A head noun, and the kind of what it names.
    pub kind: Option<EntityKind>,
}

/// The role of a lower-case word.
pub fn role(word: &str) -> WordRole {
    static ROLES: OnceLock<HashMap<&'static str, WordRole>> = OnceLock::new();
    ROLES.get_or_init(read).get(word).copied().unwrap_or_default()
}

fn read() -> HashMap<&'static str, WordRole> {
    let mut roles: HashMap<&'static str, WordRole> = HashMap::new();
    for (list, word) in listed_words(WORD_ROLE_LISTS) {
        let role = roles.entry(word).or_default();
        match list {
            "function" => role.function = true,
            "break" => role.breaks = true,
            "cue" => role.cue = true,
            "weak" => role.weak = true,
            "preposition" => role.preposition = true,
            "pronoun" => role.pronoun = true,
            kind => role.kind = role.kind.or_else(|| EntityKind::from_name(kind)),
        }
    }
    roles
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_is_read() {
        assert!(role("the").function && role("the").weak);
        assert!(role("who").breaks);
        assert!(role("founded").cue);
        assert!(role("with").preposition);
        assert!(role("she").pronoun);
        assert_eq!(role("footballer").kind, Some(EntityKind::Person));
        assert_eq!(role("river").kind, Some(EntityKind::Place));
        assert_eq!(role("qwzx").kind, None);
        let lists = WORD_ROLE_LISTS.lines().filter(|line| line.starts_with('['));
        for name in lists.filter_map(|line| line.strip_prefix('[')?.split_once(']').map(|(name, _)| name)) {
            let known = ["function", "break", "cue", "weak", "preposition", "pronoun"].contains(&name);
            assert!(known || EntityKind::from_name(name).is_some(), "{name}");
        }
    }
}
