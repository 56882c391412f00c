//! Gold lists of a book: entities with their names, and for each subject and relation the objects.

use std::collections::HashMap;
use std::path::Path;

use serde::Deserialize;

use crate::EvalError;
use crate::inputs;

/// What a gold file holds.
#[derive(Debug, Deserialize)]
pub struct Gold {
    /// Name of the book.
    pub book: String,
    /// Everybody and everything that answers may name.
    pub entities: Vec<Entity>,
    /// What is true in the book.
    pub facts: Vec<Fact>,
}

/// Somebody or something.
#[derive(Debug, Deserialize)]
pub struct Entity {
    /// Its main name.
    pub name: String,
    /// `person`, `place` or `org`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Other names.
    #[serde(default)]
    pub aliases: Vec<String>,
}

impl Entity {
    /// All names, folded, each once.
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.aliases.iter().chain([&self.name]).map(|name| fold(name)).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

/// The objects of one subject and relation.
#[derive(Debug, Deserialize)]
pub struct Fact {
    /// Whose.
    pub subject: String,
    /// What.
    pub relation: String,
    /// Right answers.
    pub objects: Vec<String>,
    /// Answers that count neither way.
    #[serde(default)]
    pub optional: Vec<String>,
}

impl Gold {
    /// Reads a gold file, packed with xz or not.
    pub fn read(path: &Path) -> Result<Gold, EvalError> {
        inputs::json(path)
    }

    /// Which entity each folded name means.
    pub fn by_name(&self) -> HashMap<String, usize> {
        let named = self.entities.iter().enumerate();
        named
            .flat_map(|(number, entity)| entity.names().into_iter().map(move |name| (name, number)))
            .collect()
    }
}

/// A name as it is compared: small letters, folded spaces.
pub fn fold(name: &str) -> String {
    name.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}
