//! What assistants send to the tools of the Model Context Protocol, and what they get where that is not an answer of HTTP.
//! The descriptions are part of the contract: assistants read them.

use serde::{Deserialize, Serialize};

use crate::lines::{ListLine, ObjectLine};

/// A document that a tool works on.
#[derive(Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToolSource {
    /// The text to read; or give a path.
    #[serde(default)]
    pub text: Option<String>,
    /// A file (text, Markdown, HTML, PDF, EPUB, DOCX) under a folder that this server may read.
    #[serde(default)]
    pub path: Option<String>,
}

/// What to look for, and where.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FindTool {
    /// What to find: a kind of thing ("cities in France", "messaging apps"), a name, or words.
    pub query: String,
    /// Where to look.
    #[serde(flatten)]
    pub source: ToolSource,
    /// At most so many matches, the likeliest; 100 unless said otherwise.
    #[serde(default)]
    pub top: Option<usize>,
    /// Lowest probability, 0 to 1; leave it out to let findall decide.
    #[serde(default)]
    pub threshold: Option<f32>,
    /// True when something in the document is known to answer: the likeliest then comes where nothing is sure.
    #[serde(default)]
    pub guess: bool,
}

/// A question, and to what.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AskTool {
    /// The question, whose answer stands in the document: who, what, when, where, how much.
    pub question: String,
    /// Where to look.
    #[serde(flatten)]
    pub source: ToolSource,
    /// At most so many answers; 5 unless said otherwise.
    #[serde(default)]
    pub top: Option<usize>,
}

/// A name to look up.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KbTool {
    /// A name, such as "WeChat" or "Paris".
    pub name: String,
}

/// What a name may mean.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KbAnswer {
    /// The one with this title, then the likeliest; empty when the name is not known.
    pub candidates: Vec<KbCandidate>,
}

/// One thing that a name may mean.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KbCandidate {
    /// Its title.
    pub title: String,
    /// What sort of thing it is.
    pub kind: String,
    /// What it is.
    pub description: String,
    /// What else is known.
    pub facts: Vec<String>,
    /// How often the name means it; 0 where it is only its title.
    pub prior: f32,
}

/// A list query to the whole knowledge base.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KbFindTool {
    /// What to find: a kind of thing, such as "Japanese car makers".
    pub query: String,
    /// At most so many entities, 1 to 200; 20 unless said otherwise.
    #[serde(default)]
    pub top: Option<usize>,
    /// Lowest probability, 0 to 1; leave it out to let findall decide.
    #[serde(default)]
    pub threshold: Option<f32>,
}

/// Whose what, and where.
#[derive(Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ListTool {
    /// Whose: any name that the text uses for a person, group or place, such as "Elizabeth Bennet".
    pub subject: String,
    /// What of: parent, child, sibling, family, friend, opponent, hasPlace, hasMember, or words of your own ("employers").
    pub relation: String,
    /// Where to look.
    #[serde(flatten)]
    pub source: ToolSource,
    /// Lowest probability of an object, 0 to 1; leave it out to let findall decide.
    #[serde(default)]
    pub threshold: Option<f32>,
}

/// A list.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ListAnswer {
    /// The subject by its fullest name.
    pub subject: String,
    /// The relation.
    pub relation: String,
    /// Likeliest first; empty when the text gives none.
    pub objects: Vec<ListObject>,
    /// Candidates that were looked at and not accepted.
    pub rejected: usize,
    /// What of the document could not be read: scanned pages, fonts without a text map.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unread: Option<String>,
}

/// One object of a list.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ListObject {
    /// Its fullest name.
    pub name: String,
    /// What else the text calls it.
    pub aliases: Vec<String>,
    /// How likely it is one, 0 to 1.
    pub score: f32,
    /// Where the text says so.
    pub support: Vec<ListSupport>,
}

/// A passage that speaks for an object.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ListSupport {
    /// Its words.
    pub text: String,
    /// First character in the text.
    pub start: usize,
    /// The character after the last.
    pub end: usize,
}

impl ListAnswer {
    /// What an assistant is told of a list: the objects that were accepted, and what of the document could not be read.
    pub fn of(list: ListLine, unread: Option<String>) -> Self {
        let (accepted, rejected): (Vec<ObjectLine>, Vec<ObjectLine>) =
            list.objects.into_iter().partition(|object| object.accepted);
        Self {
            subject: list.subject,
            relation: list.relation,
            objects: accepted.into_iter().map(ListObject::of).collect(),
            rejected: rejected.len(),
            unread,
        }
    }
}

impl ListObject {
    fn of(object: ObjectLine) -> Self {
        let ObjectLine { name, aliases, score, support, .. } = object;
        let support = support.into_iter().map(|passage| {
            let [start, end] = passage.chars;
            ListSupport { text: passage.text, start, end }
        });
        Self {
            aliases: aliases.into_iter().filter(|alias| *alias != name).collect(),
            name,
            score,
            support: support.collect(),
        }
    }
}
