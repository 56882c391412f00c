//! Documents on the wire: a page enters, what was read of it leaves.

use serde::{Deserialize, Serialize};

use crate::{ErrorDetail, Offsets};

/// A page to make ready for questions. Exactly one of `text` and `html`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DocumentRequest {
    /// Plain text; spans count into it as it stands.
    #[serde(default)]
    pub text: Option<String>,
    /// HTML; spans count into the text that comes back with `return_text`.
    #[serde(default)]
    pub html: Option<String>,
    /// Where the page is from, so that questions to it can be remembered.
    #[serde(default)]
    pub url: Option<String>,
    /// What the page is called.
    #[serde(default)]
    pub title: Option<String>,
    /// What offsets count.
    #[serde(default)]
    pub offsets: Offsets,
    /// Whether the readable text is to come back.
    #[serde(default)]
    pub return_text: bool,
    /// Whether nothing about it may be written to disk.
    #[serde(default)]
    pub private: bool,
}

/// A document that can be asked.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DocumentResponse {
    /// Under which it is held; derived from its content.
    pub document: String,
    /// BLAKE3 of the text, in hexadecimal.
    pub content_hash: String,
    /// Length of the text in characters.
    pub chars: usize,
    /// How much was read.
    pub coverage: WireCoverage,
    /// How long it took.
    pub took_ms: u64,
    /// The readable text, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// A file whose text is wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReadRequest {
    /// The bytes, in Base64.
    pub file: String,
    /// What the file is called; its ending may tell the format.
    #[serde(default)]
    pub name: String,
}

/// The text of a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReadResponse {
    /// What the file says that it is called; may be empty.
    pub title: String,
    /// Its format.
    pub format: String,
    /// The text of each page; all of it where the format has no pages.
    pub pages: Vec<String>,
    /// What could not be read, and what to do; empty when everything was.
    pub missing: String,
    /// How long it took.
    pub took_ms: u64,
}

/// How complete a preparation was; `read` and `total` in the unit of the request's offsets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WireCoverage {
    /// How much of the text was read.
    pub read: usize,
    /// How much there is.
    pub total: usize,
    /// Names found.
    pub mentions: usize,
    /// Those recognised as something in the knowledge base.
    pub linked: usize,
    /// Those judged by what the document says about them.
    pub unlinked: usize,
    /// What was passed over, and why.
    pub skipped: Vec<String>,
}

/// One line of a streamed preparation.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum DocumentEvent {
    /// So much has been read.
    Progress {
        /// So far.
        read: usize,
        /// In all.
        total: usize,
    },
    /// The last line when all went well.
    Ready(DocumentResponse),
    /// The last line when it did not.
    Error {
        /// What happened.
        error: ErrorDetail,
    },
}
