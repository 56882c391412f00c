//! Lines of `findall index --json` (`committed` and `analysed` after each batch, then `end`) and of `findall index status
//! --json`; documents that enter `findall index worker`, and the records that it writes for `findall index load`.

use std::path::Path;

use serde::{Deserialize, Serialize};

/// One line.
#[derive(Debug, Serialize)]
#[serde(tag = "type", content = "data", rename_all = "lowercase")]
pub enum IndexLine {
    /// Words are on disk.
    Committed(IndexedShareLine),
    /// Meaning is on disk.
    Analysed(IndexedShareLine),
    /// The last.
    End(IndexEndLine),
}

/// How far the files are read.
#[derive(Debug, Serialize)]
pub struct IndexedShareLine {
    /// Files that are done.
    pub files: usize,
    /// Files there are to do.
    pub of: usize,
    /// Sentences in those that are done.
    pub sentences: usize,
    /// Bytes of text in them.
    pub text_bytes: u64,
}

/// What a run did.
#[derive(Debug, Serialize)]
pub struct IndexEndLine {
    /// Files that were read.
    pub read: usize,
    /// Files that were left as they were.
    pub unchanged: usize,
    /// Files that were gone.
    pub removed: usize,
    /// How long the words took.
    pub words_seconds: f64,
    /// How fast they were read.
    pub words_mb_per_s: f64,
    /// Documents whose meaning was worked out.
    pub analysed: usize,
    /// Tokens that the encoder read for it.
    pub tokens: u64,
    /// How long the meaning took.
    pub meaning_seconds: f64,
    /// How fast it was worked out.
    pub tokens_per_s: f64,
}

/// What is in a library.
#[derive(Debug, Serialize)]
pub struct LibraryStatusLine<'e> {
    /// The folder.
    pub library: &'e Path,
    /// Documents there are.
    pub documents: usize,
    /// Documents whose meaning is there.
    pub analysed: usize,
    /// Sentences in all of them.
    pub sentences: usize,
    /// Bytes of text in all of them.
    pub text_bytes: u64,
    /// Bytes on disk.
    pub disk_bytes: u64,
}

/// A document for a worker.
#[derive(Debug, Deserialize)]
pub struct WorkerDocumentLine {
    /// What it is called in the library.
    pub id: String,
    /// What it says.
    pub text: String,
}

/// A prepared document, or why there is none.
#[derive(Debug, Serialize, Deserialize)]
pub struct PreparedDocumentLine {
    /// What it is called in the library.
    pub id: String,
    /// Why it is not prepared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What it says.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// What prepared it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made_by: Option<ProvenanceLine>,
    /// What was analysed, in base 64.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub analysed: String,
}

impl PreparedDocumentLine {
    /// The line for a document that could not be read.
    pub fn from_error(error: String) -> Self {
        Self {
            id: String::new(),
            error: Some(error),
            text: String::new(),
            made_by: None,
            analysed: String::new(),
        }
    }
}

/// Which models and knowledge prepared a document, by their content.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ProvenanceLine {
    /// The encoder.
    pub encoder: String,
    /// The tagger.
    pub tagger: String,
    /// The knowledge base.
    pub knowledge: String,
}
