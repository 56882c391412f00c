//! One input in, its matches out: bytes are read, become a [`Document`], and are searched. The models and the
//! knowledge base are not touched unless the request needs them, so `--exact` starts as fast as grep.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use findall::document::{Document, Format, Limits};
use findall::error::DocumentError;
use findall::lexical::{
    CaseRule, Finder, LexicalKind, LexicalMatch, LexicalOptions, Reason, Spelling, WordRule,
};

use crate::config::Config;
use crate::config::layer::Case;
use crate::failure::Failure;
use crate::hit::{Hit, Label};

/// What counts as a match, beyond what the settings say.
#[derive(Clone, Copy, Debug)]
pub struct MatchRules {
    /// Only the query's own words.
    pub exact: bool,
    /// Only whole words.
    pub whole_words: bool,
}

/// Looks for one query in any number of documents.
pub struct Searcher {
    finder: Finder,
    exact: bool,
}

impl Searcher {
    /// Makes the query ready; an empty or endless one is refused.
    pub fn new(query: &str, rules: MatchRules, config: &Config) -> Result<Self, Failure> {
        let options = LexicalOptions {
            spelling: match (rules.exact, config.typos) {
                (true, _) => Spelling::Exact,
                (false, true) => Spelling::Fuzzy,
                (false, false) => Spelling::Inflected,
            },
            words: if rules.whole_words { WordRule::WholeWords } else { WordRule::Anywhere },
            case: match config.case {
                Case::Ignore => CaseRule::Folded,
                Case::Sensitive => CaseRule::Exact,
            },
        };
        let finder = Finder::new(query, options).map_err(|error| Failure::Usage(error.to_string()))?;
        Ok(Self { finder, exact: options.spelling == Spelling::Exact })
    }

    /// All matches, in no particular order.
    pub fn search(&self, document: &Document) -> Vec<Hit> {
        if self.exact {
            // Already in text order: a million matches need no ranking to be counted.
            return self.finder.exact(document.text()).map(hit_of).collect();
        }
        self.finder.find(document.text()).into_iter().map(hit_of).collect()
    }
}

fn hit_of(found: LexicalMatch) -> Hit {
    let (label, why) = match found.kind {
        LexicalKind::Exact => (Label::Exact, "the words themselves"),
        LexicalKind::Fuzzy(reason) => (Label::Fuzzy, words_for(reason)),
    };
    Hit { span: found.span, label, score: found.score, why: why.into() }
}

fn words_for(reason: Reason) -> &'static str {
    match reason {
        Reason::Possessive => "possessive of the same word",
        Reason::Plural => "singular or plural of the same word",
        Reason::Inflection => "another form of the same word",
        Reason::Spacing => "written together or apart",
        Reason::Typo { edits: 1 } => "one letter differs",
        Reason::Typo { .. } => "a few letters differ",
    }
}

/// Why an input gave nothing.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The file could not be read.
    #[error("{}: {}", path.display(), read_advice(error))]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The file is not a document that findall reads.
    #[error("{}: {error}", path.display())]
    Document {
        /// Which file.
        path: PathBuf,
        /// What the engine said.
        error: DocumentError,
    },
}

impl SearchError {
    /// True for files that are no documents at all: in a folder they are passed over without a word.
    pub fn is_binary(&self) -> bool {
        matches!(self, Self::Document { error: DocumentError::Binary, .. })
    }
}

fn read_advice(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::PermissionDenied => "may not be read; check its permissions".into(),
        io::ErrorKind::NotFound => "no such file; check the name".into(),
        _ => format!("cannot be read: {error}"),
    }
}

/// Reads and parses a file; `format` overrides what the file looks like.
pub fn open(path: &Path, format: Option<Format>, limits: &Limits) -> Result<Document, SearchError> {
    let unreadable = |error| SearchError::Unreadable { path: path.to_owned(), error };
    let file = File::open(path).map_err(unreadable)?;
    let size = file.metadata().map_or(0, |metadata| metadata.len());
    // A file that is too large is refused before it is read.
    limits
        .check_source(usize::try_from(size).unwrap_or(usize::MAX))
        .map_err(|error| SearchError::Document { path: path.to_owned(), error })?;
    parse(path, read(file, size, limits).map_err(unreadable)?, format, limits)
}

/// Reads and parses standard input, which people see as `<stdin>`.
pub fn open_stdin(format: Option<Format>, limits: &Limits) -> Result<Document, SearchError> {
    let path = Path::new("<stdin>");
    let bytes = read(io::stdin().lock(), 0, limits)
        .map_err(|error| SearchError::Unreadable { path: path.to_owned(), error })?;
    parse(path, bytes, format, limits)
}

/// Reads one byte past the limit at most, so that the engine can tell that there was more; a device or a pipe
/// without end stops there.
fn read(source: impl Read, size_hint: u64, limits: &Limits) -> io::Result<Vec<u8>> {
    let most = limits.source_bytes as u64 + 1;
    let mut bytes = Vec::with_capacity(size_hint.min(most) as usize + 1);
    source.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn parse(
    path: &Path,
    bytes: Vec<u8>,
    format: Option<Format>,
    limits: &Limits,
) -> Result<Document, SearchError> {
    let document = move || {
        let format = match format {
            Some(format) => format,
            None => Format::guess(&bytes, Some(path))?,
        };
        Document::from_vec(bytes, Some(format), limits)
    };
    document().map_err(|error| SearchError::Document { path: path.to_owned(), error })
}
