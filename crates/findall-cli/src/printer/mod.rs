//! How a file's matches are written: as lines for people ([`standard`]) or as JSON events for programs ([`json`]); and
//! answers likewise ([`answers`], [`answers_json`]).

pub mod answers;
pub mod answers_json;
pub mod json;
pub mod standard;
pub mod terminal;

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use findall::Span;
use findall::document::Document;
use findall::index::Coverage;

use crate::config::color::Palette;
use crate::hit::{Count, Hit};

/// What is written for each file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The lines that match.
    Lines,
    /// The matches alone, one a line.
    OnlyMatching,
    /// How many lines match.
    CountLines,
    /// How many matches there are.
    CountMatches,
    /// The file's name, if anything matches.
    FileNames,
    /// JSON events.
    Json,
}

impl Mode {
    /// True when how much matched is all that is asked.
    pub fn only_counts(self) -> bool {
        matches!(self, Self::CountLines | Self::CountMatches | Self::FileNames)
    }
}

/// How it is written.
#[derive(Clone, Debug)]
pub struct PrintConfig {
    /// What is written.
    pub mode: Mode,
    /// Colours.
    pub palette: Palette,
    /// For a person at a terminal: file names as headings, labels, long lines cut, control characters shown.
    pub pretty: bool,
    /// Name the file.
    pub file_name: bool,
    /// Number the lines.
    pub line_numbers: bool,
    /// Lines before a match.
    pub before: usize,
    /// Lines after a match.
    pub after: usize,
    /// Say why each match is one.
    pub explain: bool,
    /// A NUL follows every file name.
    pub null: bool,
}

/// What was found in one file.
pub struct FileReport<'r> {
    /// Its name.
    pub path: &'r Path,
    /// The document read from it.
    pub document: &'r Document,
    /// The matches to show, in the order to show them.
    pub hits: &'r [Hit],
    /// How complete the search was, when it was one by meaning.
    pub coverage: Option<&'r Coverage>,
    /// What a person should know about how the query was taken.
    pub notes: &'r [String],
    /// Takes what is ready out of the buffer when much of it waits, and says whether to go on; without it the buffer
    /// holds everything until the file is done.
    pub spill: Option<&'r Spill<'r>>,
}

/// Empties a buffer into the output.
pub type Spill<'s> = dyn Fn(&mut Vec<u8>) -> ControlFlow<()> + 's;

/// Bytes that may wait before they are spilled.
const MAX_WAITING_BYTES: usize = 1 << 20;

impl FileReport<'_> {
    fn spill(&self, out: &mut Vec<u8>) -> ControlFlow<()> {
        match self.spill {
            Some(spill) if out.len() > MAX_WAITING_BYTES => spill(out),
            _ => ControlFlow::Continue(()),
        }
    }
}

/// The sum of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Files read and searched.
    pub searched: u64,
    /// Files with a match.
    pub matched: u64,
    /// Files passed over because they are no documents.
    pub skipped: u64,
    /// Files that could not be read.
    pub failed: u64,
    /// Matches shown.
    pub matches: u64,
    /// Bytes of text searched.
    pub bytes: u64,
    /// Files that went by words because they have not been indexed.
    pub not_indexed: u64,
}

/// Writes one file's matches.
pub fn render(report: &FileReport<'_>, config: &PrintConfig, out: &mut Vec<u8>) {
    match config.mode {
        Mode::Json => json::file(report, config, out),
        _ if report.hits.is_empty() => {}
        Mode::Lines | Mode::OnlyMatching => standard::matches(report, config, out),
        Mode::CountLines | Mode::CountMatches | Mode::FileNames => {
            let mut spans: Vec<Span> = report.hits.iter().map(|hit| hit.span).collect();
            spans.sort_unstable();
            render_count(report.path, Count::of(spans.into_iter(), report.document.text()), config, out);
        }
    }
}

/// Writes how much of one file matched; nothing when nothing did.
pub fn render_count(path: &Path, count: Count, config: &PrintConfig, out: &mut Vec<u8>) {
    match config.mode {
        _ if count.matches == 0 => {}
        Mode::CountLines => standard::count(path, config, count.lines, out),
        Mode::CountMatches => standard::count(path, config, count.matches, out),
        _ => standard::file_name(path, config, out),
    }
}

/// Writes what comes after the last file.
pub fn finish(summary: &Summary, elapsed: Duration, config: &PrintConfig, out: &mut Vec<u8>) {
    if config.mode == Mode::Json {
        json::summary(summary, elapsed, out);
    }
}

impl Summary {
    /// Adds another part.
    pub fn add(&mut self, other: &Self) {
        self.searched += other.searched;
        self.matched += other.matched;
        self.skipped += other.skipped;
        self.failed += other.failed;
        self.matches += other.matches;
        self.bytes += other.bytes;
        self.not_indexed += other.not_indexed;
    }
}
