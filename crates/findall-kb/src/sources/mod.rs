//! Where knowledge comes from: each source turns one format into drafts.
//!
//! A source is read front to back once. It hands every row to a [`Sink`], which counts, refuses, reports and stops.

pub mod dbpedia;
pub mod jsonl;
pub mod reading;
pub mod tsv;
pub mod wikidata;
pub mod wikipedia;
pub mod wikitext;

use std::path::{Path, PathBuf};

use crate::build::Draft;
use crate::extract::ExtractOptions;
use findall::knowledge::KnowledgeError;

/// The formats that can be built from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Rows of JSON that a person or a script wrote.
    Jsonl,
    /// Columns that a person wrote.
    Tsv,
    /// Two columns: another name, and the title it leads to.
    Redirects,
    /// The Wikidata JSON dump.
    Wikidata,
    /// Wikipedia's abstracts in XML.
    WikipediaAbstracts,
    /// Wikipedia's pages and articles in XML.
    WikipediaPages,
    /// DBpedia's labels, redirects, types and short abstracts as N-Triples or Turtle.
    Dbpedia,
}

impl Format {
    /// The flag that names it.
    pub fn flag(self) -> &'static str {
        match self {
            Self::Jsonl => "jsonl",
            Self::Tsv => "tsv",
            Self::Redirects => "redirects",
            Self::Wikidata => "wikidata",
            Self::WikipediaAbstracts => "wikipedia-abstracts",
            Self::WikipediaPages => "wikipedia-pages",
            Self::Dbpedia => "dbpedia",
        }
    }
}

/// One file to build from.
#[derive(Clone, Debug)]
pub struct Source {
    /// How it is written.
    pub format: Format,
    /// Where it lies.
    pub path: PathBuf,
    /// Where sources disagree the higher one wins.
    pub authority: u8,
}

/// Why a source could not be read to its end.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The system, or a decompressor, says no.
    #[error("{path}: {error}")]
    Io {
        /// Which file.
        path: PathBuf,
        /// What was said.
        error: std::io::Error,
    },
    /// The file ends where it should not.
    #[error(
        "{path} ends in the middle, after {rows} rows: get the whole file and run the same command again (it continues), or add --allow-partial"
    )]
    Cut {
        /// Which file.
        path: PathBuf,
        /// Rows read until then.
        rows: u64,
    },
    /// Not the format it was said to be.
    #[error("{path} is not {expected}: {found}")]
    Format {
        /// Which file.
        path: PathBuf,
        /// The format named.
        expected: &'static str,
        /// What was met.
        found: String,
    },
    /// `--strict`, and a row was refused.
    #[error("{path}: row {row}: {reason}; without --strict such rows are set aside")]
    Refused {
        /// Which file.
        path: PathBuf,
        /// Which row.
        row: u64,
        /// Why.
        reason: String,
    },
    /// The builder says no.
    #[error(transparent)]
    Knowledge(#[from] KnowledgeError),
}

/// Takes what a source reads.
pub trait Sink {
    /// A row begins; `false` when an earlier run has read it already.
    fn wants_row(&mut self) -> bool;
    /// What the row says.
    fn take_draft(&mut self, draft: &Draft) -> Result<(), SourceError>;
    /// The row is unusable.
    fn refuse_row(&mut self, reason: &str, row: &str) -> Result<(), SourceError>;
    /// The row is in order but says nothing for us (no label in the language, a page about pages).
    fn skip_row(&mut self);
    /// How texts are read.
    fn extract(&self) -> ExtractOptions;
    /// The language of labels and descriptions.
    fn language(&self) -> &str;
    /// Rows seen so far.
    fn rows(&self) -> u64;
}

/// Reads a source to its end.
pub fn read(source: &Source, sink: &mut dyn Sink, position: &reading::Position) -> Result<(), SourceError> {
    match source.format {
        Format::Jsonl => jsonl::read(source, sink, position),
        Format::Tsv => tsv::read(source, sink, position),
        Format::Redirects => tsv::read_redirects(source, sink, position),
        Format::Wikidata => wikidata::read(source, sink, position),
        Format::WikipediaAbstracts => wikipedia::read_abstracts(source, sink, position),
        Format::WikipediaPages => wikipedia::read_pages(source, sink, position),
        Format::Dbpedia => dbpedia::read(source, sink, position),
    }
}

fn io_error(path: &Path, rows: u64) -> impl Fn(std::io::Error) -> SourceError {
    let path = path.to_owned();
    move |error| match error.kind() {
        std::io::ErrorKind::UnexpectedEof => SourceError::Cut { path: path.clone(), rows },
        _ => SourceError::Io { path: path.clone(), error },
    }
}
