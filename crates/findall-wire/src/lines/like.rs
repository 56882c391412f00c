//! Lines of `findall like --json`: `begin`, an `entity` each, best first, and `end`.

use serde::Serialize;

/// A line of `findall like --suggest --json`.
#[derive(Debug, Serialize)]
pub struct SuggestedTermLine<'e> {
    /// How much the word seems to matter, from 0, not at all, to 9.
    pub weight: u8,
    /// The word.
    pub word: &'e str,
}

/// One line.
#[derive(Debug, Serialize)]
#[serde(tag = "type", content = "data", rename_all = "lowercase")]
pub enum LikeLine<'e> {
    /// The first.
    Begin {
        /// The example.
        entity: &'e str,
        /// How it was looked for.
        method: &'static str,
        /// What sort of thing the example is, where that is known.
        kind: Option<&'static str>,
        /// Documents there are.
        documents: usize,
        /// Documents that are analysed.
        analysed: usize,
        /// Sentences that were looked at.
        sentences: usize,
    },
    /// An entity like the example.
    Entity {
        /// From 1.
        rank: usize,
        /// Its name.
        name: &'e str,
        /// Whether the name is a title of the knowledge base.
        known: bool,
        /// What sort of thing it is.
        kind: &'static str,
        /// How well it fits; comparable within one answer only.
        score: f32,
        /// The file of the sentence that shows it best.
        path: String,
        /// The line of that sentence, from 1.
        line: usize,
        /// That sentence.
        sentence: String,
        /// How many sentences name it.
        mentions: usize,
    },
    /// The last.
    End {
        /// How many there are.
        entities: usize,
    },
}
