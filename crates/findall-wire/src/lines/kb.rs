//! Lines of `findall kb … --json`: one object a line, without a type, because each verb writes one sort of line.

use std::path::PathBuf;

use serde::Serialize;

/// A layer of the base: `kb stats`.
#[derive(Debug, Serialize)]
pub struct KbStatsLine {
    /// The file.
    pub path: PathBuf,
    /// Its size.
    pub bytes: u64,
    /// Entities there are.
    pub entities: usize,
    /// Entities of which more than the name is known.
    pub described: usize,
    /// Names there are.
    pub names: usize,
    /// What its maker says of it: labels and texts.
    pub notes: Vec<(String, String)>,
}

/// What a name may mean: `kb show`.
#[derive(Debug, Serialize)]
pub struct KbShownLine<'e> {
    /// Its name.
    pub title: &'e str,
    /// Its id in the source, where it has one.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub key: &'e str,
    /// What sort of thing it is.
    pub kind: &'static str,
    /// How often the name means it, 0 to 1; null where it is the title alone.
    pub prior: Option<f32>,
    /// How well known it is: a number from 0, comparable within one base.
    pub popularity: f32,
    /// What it is.
    pub description: &'e str,
    /// What else is known.
    pub phrases: Vec<KbPhraseLine<'e>>,
    /// Its other names.
    pub aliases: &'e [String],
    /// What encoder and judge read of it.
    pub knowledge_text: String,
}

/// A fact.
#[derive(Debug, Serialize)]
pub struct KbPhraseLine<'e> {
    /// What sort of fact it is.
    pub kind: &'static str,
    /// What it says.
    pub text: &'e str,
}

/// A name that begins as asked: `kb search`.
#[derive(Debug, Serialize)]
pub struct KbNameLine {
    /// The name.
    pub name: String,
    /// What it may mean, the likeliest first.
    pub entities: Vec<KbMeaningLine>,
}

/// An entity that a name may mean.
#[derive(Debug, Serialize)]
pub struct KbMeaningLine {
    /// Its name.
    pub title: String,
    /// How often the name means it, 0 to 1.
    pub prior: f32,
}

/// An entity, as `kb build --jsonl` reads it again: `kb dump`.
#[derive(Debug, Serialize)]
pub struct KbDumpLine<'e> {
    /// Its name.
    pub title: &'e str,
    /// Its id in the source, where it has one.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub id: &'e str,
    /// What sort of thing it is.
    pub kind: &'static str,
    /// What it is.
    pub description: &'e str,
    /// What else is known.
    pub facts: Vec<&'e str>,
    /// Its other names.
    pub aliases: &'e [String],
    /// How well known it is: a number from 0, comparable within one base.
    pub popularity: f32,
}

/// The index of a base's words: `kb index`.
#[derive(Debug, Serialize)]
pub struct KbIndexLine {
    /// Its size.
    pub bytes: usize,
    /// Entities whose words are in it.
    pub entities: usize,
    /// The file.
    pub path: PathBuf,
}

/// A person's word about the base: `kb corrections`.
#[derive(Debug, Serialize)]
pub struct KbCorrectionLine<'e> {
    /// `add`, `text`, `link` or `withdraw`.
    pub correction: &'static str,
    /// The entity.
    pub title: &'e str,
    /// The name that does not mean it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<&'e str>,
    /// What sort of thing it is, of what was added.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    /// What the person said.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub text: &'e str,
    /// Other names, of what was added.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub aliases: &'e [String],
}

/// A statement in which two layers differ: `kb layer`.
#[derive(Debug, Serialize)]
pub struct KbDisagreementLine {
    /// The entity.
    pub title: String,
    /// `kind` or `description`.
    pub field: &'static str,
    /// What the upper layer says, which wins.
    pub upper: String,
    /// What the lower layer says.
    pub lower: String,
}

/// A name in a text and what it means: `kb link`.
#[derive(Debug, Serialize)]
pub struct KbLinkLine<'e> {
    /// The name.
    pub text: &'e str,
    /// Byte of the text where it begins.
    pub start: usize,
    /// Byte where it has ended.
    pub end: usize,
    /// Names with the same number mean the same.
    pub cluster: usize,
    /// What it means, where that is sure enough.
    pub entity: Option<String>,
    /// The id of the entity in its source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// How sure the link is, 0 to 1.
    pub confidence: Option<f32>,
    /// What it may mean, where nothing is sure enough.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub perhaps: Option<String>,
    /// What the entity is.
    pub description: Option<String>,
    /// Why the link was made, in words, where that is asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub why: Vec<String>,
}
