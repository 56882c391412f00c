//! Lines of `findall --json`: for each file that matches `begin`, its `match`es and `end`; after the last file one `summary`.

use std::borrow::Cow;

use serde::Serialize;

use super::PlaceLine;

/// A line of what was found.
#[derive(Debug, Serialize)]
#[serde(tag = "type", content = "data", rename_all = "lowercase")]
pub enum FindLine<'e> {
    /// A file that matches.
    Begin {
        /// The file's name.
        #[serde(flatten)]
        path: &'e PathLine<'e>,
        /// How it was read.
        format: &'e str,
        /// What it calls itself.
        title: Option<&'e str>,
    },
    /// A match in it.
    Match(Box<MatchLine<'e>>),
    /// The last line of a file that matches.
    End {
        /// The file's name.
        #[serde(flatten)]
        path: &'e PathLine<'e>,
        /// How many matches it has.
        matches: usize,
        /// How long its text is.
        bytes: usize,
        /// How much of it was understood.
        #[serde(skip_serializing_if = "Option::is_none")]
        coverage: Option<CoverageLine<'e>>,
    },
    /// The last line of all.
    Summary(SummaryLine),
}

/// A match, with the lines that it stands on.
#[derive(Debug, Serialize)]
pub struct MatchLine<'e> {
    /// The name of the file that it stands in.
    #[serde(flatten)]
    pub path: &'e PathLine<'e>,
    /// What stands there.
    pub text: &'e str,
    /// How it came about.
    pub label: &'static str,
    /// How likely it is meant, 0 to 1.
    pub score: f32,
    /// Why it is a match.
    pub why: &'e str,
    /// What it was taken for, if it names something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entity: Option<&'e EntityLine>,
    /// Where it stands.
    #[serde(flatten)]
    pub place: PlaceLine<'e>,
    /// The whole lines that the match touches.
    pub lines: &'e str,
    /// Lines before it, where they are asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<&'e str>,
    /// Lines after it, likewise.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<&'e str>,
}

/// The name of a file: as text, and where that is not all of it, its bytes in base64.
#[derive(Debug, Serialize)]
pub struct PathLine<'e> {
    /// The name as text; what is no UTF-8 in it is replaced.
    pub path: Cow<'e, str>,
    /// All bytes of the name in base64, where the text is not all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_bytes: Option<String>,
}

/// What a match was taken for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EntityLine {
    /// Its title in the knowledge base, or its fullest name in the document.
    pub name: String,
    /// Its number in the knowledge base; absent when it is not in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<u32>,
    /// How sure the link is, 0 to 1.
    pub confidence: f32,
}

/// How much was read, and what was passed over and why.
#[derive(Debug, Serialize)]
pub struct CoverageLine<'e> {
    /// Bytes of the text that were read.
    pub bytes: usize,
    /// Passages that were read.
    pub passages: usize,
    /// Names that were found in them.
    pub mentions: usize,
    /// How many of them the knowledge base knows.
    pub linked: usize,
    /// What was passed over.
    pub skipped: Vec<String>,
    /// What else a person should know.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub notes: &'e [String],
}

/// What a run has read, and what it found in all.
#[derive(Debug, Serialize)]
pub struct SummaryLine {
    /// Files that were read.
    pub searched: u64,
    /// Files with a match.
    pub matched: u64,
    /// Files that were passed over.
    pub skipped: u64,
    /// Files that could not be read.
    pub failed: u64,
    /// Matches in all of them.
    pub matches: u64,
    /// Bytes of text in all of them.
    pub bytes: u64,
    /// How long it took.
    pub elapsed_ms: u64,
}
