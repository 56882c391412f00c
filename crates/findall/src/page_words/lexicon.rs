//! The words that remarks are known by (`words.txt`), and what sort of thing a head noun names.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::knowledge::EntityKind;
use crate::knowledge::word_roles::role;
use crate::mentions::MentionType;
use crate::word_list::listed_words;

const PAGE_WORD_LISTS: &str = include_str!("words.txt");

/// What a word is for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WordUse {
    /// Says who a person is.
    pub person: bool,
    /// Says what a person or a thing is.
    pub any: bool,
    /// Says what a thing is.
    pub thing: bool,
    /// Says nothing about what it stands beside.
    pub weak: bool,
    /// Ends a phrase.
    pub stop: bool,
    pub preposition: bool,
    pub determiner: bool,
    /// May stand before a head noun.
    pub modifier: bool,
    /// Joins a name and its definition.
    pub link: bool,
    /// Begins a remark after a comma.
    pub participle: bool,
    /// A verb that says what its subject is or does for long.
    pub does: bool,
    /// Begins an enumeration of who plays.
    pub cast: bool,
    /// Begins an enumeration of examples.
    pub example: bool,
    /// Follows the name of what it classifies.
    pub class: bool,
    /// Joins a head noun and a name after it.
    pub calls: bool,
    /// Before "by": what the one named there is.
    pub maker: Option<&'static str>,
}

/// The use of a word, whatever its case.
pub(super) fn use_of(word: &str) -> WordUse {
    let folded;
    let word = if word.bytes().any(|b| b.is_ascii_uppercase() || b >= 0x80) {
        folded = word.to_lowercase().replace('’', "'");
        folded.as_str()
    } else {
        word
    };
    lists().uses.get(word).copied().unwrap_or_default()
}

/// What a title before a person's name says; its own words where it is no abbreviation.
pub(super) fn title(word: &str) -> Option<&'static str> {
    lists().titles.get(word).copied()
}

/// True for countries and states.
pub(super) fn is_region(word: &str) -> bool {
    lists().regions.contains_key(word)
}

struct Lists {
    uses: HashMap<&'static str, WordUse>,
    titles: HashMap<&'static str, &'static str>,
    regions: HashMap<&'static str, ()>,
}

fn lists() -> &'static Lists {
    static LISTS: OnceLock<Lists> = OnceLock::new();
    LISTS.get_or_init(read)
}

fn read() -> Lists {
    let mut lists = Lists { uses: HashMap::new(), titles: HashMap::new(), regions: HashMap::new() };
    for (list, word) in listed_words(PAGE_WORD_LISTS) {
        let (word, meaning) = word.split_once('=').unwrap_or((word, word));
        match list {
            "title" | "short-title" => _ = lists.titles.insert(word, meaning),
            "place" => _ = lists.regions.insert(word, ()),
            _ => {
                let of = lists.uses.entry(word).or_default();
                match list {
                    "person" => of.person = true,
                    "any" => of.any = true,
                    "thing" => of.thing = true,
                    "weak" => of.weak = true,
                    "stop" => of.stop = true,
                    "preposition" => of.preposition = true,
                    "determiner" => of.determiner = true,
                    "modifier" => of.modifier = true,
                    "link" => of.link = true,
                    "participle" => of.participle = true,
                    "does" => of.does = true,
                    "cast" => of.cast = true,
                    "example" => of.example = true,
                    "class" => of.class = true,
                    "call" => of.calls = true,
                    "maker" => of.maker = Some(meaning),
                    other => unreachable!("words.txt has no list {other}"),
                }
            }
        }
    }
    lists
}

/// What a head noun can be said of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Noun {
    /// People.
    Person,
    /// People and things alike: "winner".
    Any,
    /// A sort of thing.
    Thing(EntityKind),
}

/// What a noun names, in the singular or the plural; nothing for words that are no head nouns.
pub(super) fn noun(word: &str) -> Option<Noun> {
    let lower = word.to_lowercase();
    look_up_noun(&lower).or_else(|| look_up_noun(&singular(&lower)?))
}

fn look_up_noun(lower: &str) -> Option<Noun> {
    let own = use_of(lower);
    if own.weak {
        return None;
    }
    if own.any {
        return Some(Noun::Any);
    }
    if own.person {
        return Some(Noun::Person);
    }
    match role(lower).kind {
        Some(EntityKind::Person | EntityKind::Character) => Some(Noun::Person),
        Some(EntityKind::Concept) if !own.thing => None,
        Some(kind) => Some(Noun::Thing(kind)),
        None => own.thing.then_some(Noun::Thing(EntityKind::Other)),
    }
}

/// The singular of a word that looks like a plural.
pub(super) fn singular(lower: &str) -> Option<String> {
    match lower {
        "people" => return Some("person".into()),
        "men" => return Some("man".into()),
        "women" => return Some("woman".into()),
        "children" => return Some("child".into()),
        _ => {}
    }
    let stem = lower.strip_suffix('s').filter(|stem| stem.len() > 2 && !stem.ends_with(['s', 'u', 'i']))?;
    if let Some(stem) = stem.strip_suffix("ie") {
        return Some(format!("{stem}y"));
    }
    match stem.strip_suffix('e') {
        Some(short)
            if short.ends_with("ch")
                || short.ends_with("sh")
                || short.ends_with("ss")
                || short.ends_with('x') =>
        {
            Some(short.to_owned())
        }
        _ => Some(stem.to_owned()),
    }
}

impl Noun {
    /// Whether it can be said of what a tagger takes for `kind`.
    pub fn fits(self, kind: MentionType) -> bool {
        match self {
            Self::Any => true,
            Self::Person => matches!(kind, MentionType::Person | MentionType::Other),
            Self::Thing(_) => kind != MentionType::Person,
        }
    }

    /// Whether it can stand right before a name of `kind`: stricter, because nothing marks that the two belong together
    /// ("last season Arsenal won").
    pub fn fits_closely(self, kind: MentionType) -> bool {
        use EntityKind as Is;
        let Self::Thing(noun) = self else { return self.fits(kind) };
        match kind {
            MentionType::Person => false,
            MentionType::Organization | MentionType::Group => {
                matches!(noun, Is::Organization | Is::Team | Is::Work | Is::Product | Is::Group | Is::Other)
            }
            MentionType::Place => matches!(noun, Is::Place | Is::Organization | Is::Other),
            MentionType::Work => matches!(noun, Is::Work | Is::Product | Is::Other),
            MentionType::Product => {
                !matches!(noun, Is::Place | Is::Event | Is::Team | Is::Group | Is::Organization)
            }
            MentionType::Event => matches!(noun, Is::Event | Is::Work),
            MentionType::Other => !matches!(noun, Is::Event),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_and_nouns_know_their_sort() {
        assert!(use_of("The").determiner && use_of("Which").stop && use_of("doesn’t").stop);
        assert_eq!(title("Dr"), Some("doctor"));
        assert_eq!(title("Senator"), Some("Senator"));
        assert_eq!(use_of("directed").maker, Some("director"));
        assert_eq!(noun("photographers"), Some(Noun::Person));
        assert_eq!(noun("companies"), Some(Noun::Thing(EntityKind::Organization)));
        assert_eq!(noun("rival"), Some(Noun::Any));
        assert!(noun("season").is_none() && noun("grew").is_none() && noun("year").is_none());
        assert!(is_region("Kenya") && !is_region("Paris"));
    }

    #[test]
    fn a_noun_is_said_of_its_sort_only() {
        let director = noun("director").unwrap();
        assert!(director.fits(MentionType::Person) && !director.fits(MentionType::Place));
        let battle = noun("battle").unwrap();
        assert!(battle.fits_closely(MentionType::Event) && !battle.fits_closely(MentionType::Organization));
    }
}
