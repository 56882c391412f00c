//! A person's corrections of a knowledge base: what was reported wrong and what was added. They lie over the base's files
//! and win from the next look-up on; the files stay as they are.
//!
//! [`Correction`]s enter in the order in which they were made, `overlay` works out what they change, and `file` keeps
//! them on disk, one line each.

#[cfg(not(target_arch = "wasm32"))]
mod file;
mod line;
mod overlay;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;

use super::{EntityId, EntityKind, KnowledgeBase, MAX_NAME_BYTES};

#[cfg(not(target_arch = "wasm32"))]
pub use file::{CorrectionError, CorrectionsFile, MAX_CORRECTIONS_BYTES, ParsedCorrections, Stamp};
pub(super) use overlay::Overlay;

/// Longest text that an addition may have, in bytes.
pub const MAX_TEXT_BYTES: usize = 600;
/// Longest account of what is wrong, in bytes.
pub const MAX_WORDS_BYTES: usize = 2000;
/// Other names that one addition may have.
pub const MAX_ALIASES: usize = 32;

/// How often a name must mean an entity for a report of that name to be about it.
const MIN_PRIOR_TO_BE_MEANT: f32 = 0.5;
/// Titles listed where a name may mean several things.
const MAX_TITLES_LISTED: usize = 5;

/// One thing that a person said about the knowledge base.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Correction {
    /// An entity that is new, or whose text, kind and names are these from now on.
    Add(Addition),
    /// What is said about the entity is wrong and is no longer used.
    WrongText {
        /// The entity's title.
        title: String,
        /// What is wrong, in the person's words.
        words: String,
    },
    /// The entity is not what a name means; the link is no longer made.
    WrongLink {
        /// The entity's title.
        title: String,
        /// The name; nothing when no name means it.
        name: Option<String>,
        /// What is wrong, in the person's words.
        words: String,
    },
    /// Everything said before about this entity is taken back.
    Withdraw {
        /// The entity's title.
        title: String,
    },
}

/// What a person knows about an entity.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Addition {
    /// Its title.
    pub title: String,
    /// What sort of thing it is, where that was said.
    pub kind: Option<EntityKind>,
    /// What it is; empty when only names are added.
    pub text: String,
    /// Other names.
    pub aliases: Vec<String>,
}

/// Why something cannot be a correction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CorrectionRefusal {
    /// The title or a name has no letter or digit.
    #[error("a name needs a letter or a digit")]
    NoName,
    /// A field is longer than it may be.
    #[error("{field} has {bytes} bytes, at most {limit} are kept; say it shorter")]
    TooLong {
        /// Which one.
        field: &'static str,
        /// How long it is.
        bytes: usize,
        /// How long it may be.
        limit: usize,
    },
    /// There are more names than one entity has.
    #[error("{0} other names are too many; an entity has at most {MAX_ALIASES}")]
    TooManyAliases(usize),
    /// The report does not say anything.
    #[error("say in a few words what is wrong")]
    NoWords,
}

/// Why a name does not say which entity is meant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnclearName {
    /// The base does not have it.
    #[error("nothing is known by this name")]
    Unknown,
    /// It may mean several things.
    #[error("this name may mean {}; say which by its title", .0.join(" · "))]
    Several(Vec<String>),
}

impl Correction {
    /// The entity that it is about.
    pub fn title(&self) -> &str {
        match self {
            Self::Add(addition) => &addition.title,
            Self::WrongText { title, .. } | Self::WrongLink { title, .. } | Self::Withdraw { title } => title,
        }
    }

    /// Whether it can be kept.
    pub fn check(&self) -> Result<(), CorrectionRefusal> {
        check_name("the title", self.title())?;
        match self {
            Self::Add(addition) => {
                check_length("the text", &addition.text, MAX_TEXT_BYTES)?;
                if addition.aliases.len() > MAX_ALIASES {
                    return Err(CorrectionRefusal::TooManyAliases(addition.aliases.len()));
                }
                addition.aliases.iter().try_for_each(|alias| check_name("a name", alias))
            }
            Self::WrongText { words, .. } => check_words(words),
            Self::WrongLink { name, words, .. } => {
                name.iter().try_for_each(|name| check_name("the name", name))?;
                check_words(words)
            }
            Self::Withdraw { .. } => Ok(()),
        }
    }
}

fn check_name(field: &'static str, name: &str) -> Result<(), CorrectionRefusal> {
    check_length(field, name, MAX_NAME_BYTES)?;
    name.chars().any(char::is_alphanumeric).then_some(()).ok_or(CorrectionRefusal::NoName)
}

fn check_words(words: &str) -> Result<(), CorrectionRefusal> {
    check_length("the report", words, MAX_WORDS_BYTES)?;
    words.chars().any(char::is_alphanumeric).then_some(()).ok_or(CorrectionRefusal::NoWords)
}

fn check_length(field: &'static str, text: &str, limit: usize) -> Result<(), CorrectionRefusal> {
    match text.len() > limit {
        true => Err(CorrectionRefusal::TooLong { field, bytes: text.len(), limit }),
        false => Ok(()),
    }
}

impl KnowledgeBase {
    /// The entity that a person names: by its title, or by a name that mostly means one.
    pub fn entity_meant(&self, name: &str) -> Result<EntityId, UnclearName> {
        if let Some(id) = self.find_title(name) {
            return Ok(id);
        }
        let candidates = self.candidates(name);
        match candidates.first() {
            None => Err(UnclearName::Unknown),
            Some(best) if best.prior >= MIN_PRIOR_TO_BE_MEANT || candidates.len() == 1 => Ok(best.id),
            Some(_) => {
                let shown = candidates.iter().take(MAX_TITLES_LISTED);
                let titles = shown.filter_map(|it| self.record(it.id).ok()).map(|record| record.title);
                Err(UnclearName::Several(titles.collect()))
            }
        }
    }
}
