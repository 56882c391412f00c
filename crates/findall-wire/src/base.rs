//! What travels to and from the knowledge base: list queries over all of it, and corrections.

use serde::{Deserialize, Serialize};

/// A query to the whole knowledge base.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KbFindRequest {
    /// What to find, such as "Japanese car makers".
    pub query: String,
    /// At most so many entities, the likeliest: 1 to 200, 20 unless said otherwise.
    #[serde(default)]
    pub top: Option<usize>,
    /// Lowest probability, 0 to 1; without it findall decides.
    #[serde(default)]
    pub threshold: Option<f32>,
    /// Answer by the encoder alone.
    #[serde(default)]
    pub fast: bool,
}

/// The entities that satisfy it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KbFindResponse {
    /// Likeliest first.
    pub entities: Vec<KbEntity>,
    /// True when a judge decided.
    pub judged: bool,
    /// How long it took, in milliseconds.
    pub took_ms: u64,
}

/// One entity of the knowledge base.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KbEntity {
    /// Its title.
    pub title: String,
    /// What sort of thing it is.
    pub kind: String,
    /// How likely it is what was meant, 0 to 1.
    pub probability: f32,
    /// What the base says about it.
    pub text: String,
    /// Other names.
    pub aliases: Vec<String>,
}

/// What a report says of an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum KbReportKind {
    /// What is said about it is wrong: its text is no longer used.
    Text,
    /// It is not the one meant: the link is no longer made.
    Link,
}

/// A person's word about an entity, which counts from the next query on.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KbReportRequest {
    /// Its title, or a name that means no other.
    pub title: String,
    /// What is wrong about it.
    pub about: KbReportKind,
    /// For a link: the name that does not mean it; no name does when it is left out.
    #[serde(default)]
    pub name: Option<String>,
    /// What is wrong, in the person's words.
    pub words: String,
}
