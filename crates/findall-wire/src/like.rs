//! Like on the wire.

use serde::{Deserialize, Serialize};

use crate::{Offsets, WireSpan};

/// An example, in a document that is held (`document`, `selection`, `sentence`) or in words (`entity`, `text`), which then
/// is looked for in the server's library.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LikeRequest {
    /// A document that is held.
    #[serde(default)]
    pub document: Option<String>,
    /// Where in it the example is named.
    #[serde(default)]
    pub selection: Option<WireSpan>,
    /// The sentence that shows it.
    #[serde(default)]
    pub sentence: Option<WireSpan>,
    /// Or the example's name.
    #[serde(default)]
    pub entity: Option<String>,
    /// And its sentence.
    #[serde(default)]
    pub text: Option<String>,
    /// Words that matter.
    #[serde(default)]
    pub terms: Vec<WireTerm>,
    /// What offsets count.
    #[serde(default)]
    pub offsets: Offsets,
    /// Only the so many best entities.
    #[serde(default)]
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 1000)))]
    pub top: Option<usize>,
}

/// A word and how much it matters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WireTerm {
    /// The word.
    pub word: String,
    /// From 0, not at all, to 9.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 9)))]
    pub weight: u8,
}

/// What is like the example.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LikeResponse {
    /// Entities, best first, none twice.
    pub entities: Vec<WireAlike>,
    /// Weights suggested for the words of the sentence.
    pub suggested: Vec<WireTerm>,
    /// What sort of thing the example is, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// How long it took.
    pub took_ms: u64,
}

/// An entity like the example.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WireAlike {
    /// Its name.
    pub name: String,
    /// Whether the name is a title of the knowledge base.
    pub known: bool,
    /// What sort of thing it is.
    pub kind: String,
    /// How well it fits; comparable within one answer only.
    pub score: f32,
    /// The sentence that shows it best.
    pub best: WireBest,
    /// Where it is named in the document that was asked; empty for the library.
    pub mentions: Vec<WireSpan>,
}

/// A sentence that shows an entity.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WireBest {
    /// What it says.
    pub text: String,
    /// Where it stands in the document that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span: Option<WireSpan>,
    /// The document of the library that it stands in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}
