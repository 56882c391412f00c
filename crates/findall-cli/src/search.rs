//! One input in, its matches out: bytes are read, become a [`Document`], and are searched. The models and the
//! knowledge base are not touched unless the request needs them, so `--exact` starts as fast as grep.

use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use findall::Engine;
use findall::document::{Document, Format, Limits, ReadOptions};
use findall::error::DocumentError;
use findall::find::{EvidenceSource, FindError, FindOptions, Findings, QueryCorrection};
use findall::index::{Coverage, PreparedDocument};
use findall::lexical::{CaseRule, Finder, LexicalMatch, LexicalOptions, Spelling, WordRule};
use findall_service::find::{FirstMatches, choose_keep_rule};
#[cfg(feature = "library")]
use findall_service::library_search::LibrarySearch;
use findall_wire::lines::EntityLine;

use crate::config::Config;
use crate::config::layer::Case;
use crate::failure::Failure;
use crate::hit::{self, Count, Hit};
use crate::meaning;
use crate::stdin::{self, LineQuota};

/// What counts as a match, beyond what the settings say.
#[derive(Clone, Copy, Debug)]
pub struct MatchRules {
    /// Only the query's own words.
    pub exact: bool,
    /// Only whole words.
    pub whole_words: bool,
    /// Evidence to leave out.
    pub without: Option<EvidenceSource>,
    /// Whether something is known to answer, so that the likeliest is shown where nothing is sure.
    pub guess: bool,
}

/// Looks for one query in any number of documents.
pub struct Searcher {
    query: String,
    finder: Finder,
    /// By meaning, when models and knowledge are there and the request can use them.
    engine: Option<Engine>,
    options: FindOptions,
}

/// What a document gave.
#[derive(Debug, Default)]
pub struct SearchResults {
    /// Matches, in no particular order.
    pub hits: Vec<Hit>,
    /// How complete the search by meaning was; `None` when it went by words.
    pub coverage: Option<Coverage>,
    /// What a person should know about how the query was taken.
    pub notes: Vec<String>,
    /// True when the document went by words because it has not been indexed.
    pub not_indexed: bool,
}

impl Searcher {
    /// Makes the query ready; an empty or endless one is refused.
    pub fn new(query: &str, rules: MatchRules, config: &Config) -> Result<Self, Failure> {
        let lexical = LexicalOptions {
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
        let finder = Finder::new(query, lexical).map_err(|error| Failure::Usage(error.to_string()))?;
        let by_letters = rules.exact || config.case == Case::Sensitive || !config.meaning;
        let engine = if by_letters { None } else { meaning::load_for_find(config)? };
        let options = FindOptions {
            keep: choose_keep_rule(config.threshold, rules.guess),
            lexical,
            correct_typos: config.typos,
            without: rules.without,
            ..FindOptions::default()
        };
        Ok(Self { query: query.to_owned(), finder, engine, options })
    }

    /// True when preparing this document takes long enough that its first hits should be shown before the last.
    pub fn wants_streaming(&self, document: &Document) -> bool {
        document.text().len() > MIN_STREAMED_BYTES
            && self.engine.as_ref().is_some_and(|engine| engine.load_saved(document).is_none())
    }

    /// All matches. A file that was only met in a folder is searched by meaning if it has been indexed; preparing
    /// every file of a folder would take longer than anyone waits.
    pub fn search(&self, document: &Document, named: bool) -> Result<SearchResults, FindError> {
        let Some(engine) = &self.engine else { return Ok(self.search_by_words(document)) };
        let prepared = match named {
            true => engine.prepare(document)?,
            false => match engine.load_saved(document) {
                Some(saved) => saved,
                None => return Ok(SearchResults { not_indexed: true, ..self.search_by_words(document) }),
            },
        };
        let findings = engine.find(document, &prepared, &self.query, &self.options)?;
        Ok(to_results(findings, &prepared))
    }

    fn search_by_words(&self, document: &Document) -> SearchResults {
        let text = document.text();
        let hits = match self.is_exact_only() {
            // Already in text order: a million matches need no ranking.
            true => self.finder.exact(text).map(hit_of).collect(),
            false => self.finder.find(text).into_iter().map(hit_of).collect(),
        };
        SearchResults { hits, ..SearchResults::default() }
    }

    fn is_exact_only(&self) -> bool {
        let LexicalOptions { spelling, case, .. } = self.options.lexical;
        self.engine.is_none() && (spelling == Spelling::Exact || case == CaseRule::Exact)
    }

    /// How much matches, keeping none of it; `None` when only a whole search can tell. At most `most` matches are
    /// looked for.
    pub fn count(&self, document: &Document, most: usize) -> Option<Count> {
        let text = document.text();
        self.is_exact_only()
            .then(|| Count::of(self.finder.exact(text).take(most).map(|found| found.span), text))
    }

    /// True when a search looks at letters alone, from the start of a text to its end.
    pub fn goes_by_letters(&self) -> bool {
        self.is_exact_only()
    }

    /// Lines that the letters match, `most` of them at most, and where the last match that was looked at ends.
    pub fn first_lines(&self, document: &Document, most: usize) -> (usize, usize) {
        let text = document.text();
        hit::first_lines(self.finder.exact(text).map(|found| found.span), text, most)
    }

    /// All matches of several documents of a library that are searched as one; `report` hears how many are done of how many.
    #[cfg(feature = "library")]
    pub fn search_all(
        &self,
        documents: &[&Document],
        threads: usize,
        report: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<Vec<SearchResults>, FindError> {
        let Some(engine) = &self.engine else {
            return Ok(documents.iter().map(|document| self.search_by_words(document)).collect());
        };
        let search = LibrarySearch { engine, query: &self.query, options: self.options, threads };
        search.find(documents, report, |document, found| match found {
            Some((findings, prepared)) => to_results(findings, prepared),
            None => SearchResults { not_indexed: true, ..self.search_by_words(document) },
        })
    }

    /// The engine, when the search goes by meaning.
    #[cfg(feature = "library")]
    pub fn engine(&self) -> Option<&Engine> {
        self.engine.as_ref()
    }

    /// What is looked for.
    #[cfg(feature = "library")]
    pub fn query(&self) -> &str {
        &self.query
    }

    /// As [`search`](Self::search), handing over matches as passages are read. What comes back are the matches of the
    /// whole document; the few that only the whole could tell are among them and were not handed over before.
    pub fn search_streaming(
        &self,
        document: &Document,
        show: &mut dyn FnMut(Vec<Hit>) -> ControlFlow<()>,
    ) -> Result<SearchResults, FindError> {
        let Some(engine) = &self.engine else { return Ok(self.search_by_words(document)) };
        let mut first_matches = FirstMatches::new(engine, &self.query, self.options);
        let mut failed = None;
        let prepared = engine.prepare_streaming(document, &mut |progress| match first_matches
            .next(document, &progress)
        {
            Ok(findings) => show(to_results(findings, progress.ready).hits),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        })?;
        if let Some(error) = failed {
            return Err(error);
        }
        let findings = engine.find(document, &prepared, &self.query, &self.options)?;
        Ok(to_results(findings, &prepared))
    }
}

/// Bytes of text from which a document is searched batch by batch.
const MIN_STREAMED_BYTES: usize = 40_000;

fn to_results(findings: Findings, prepared: &PreparedDocument) -> SearchResults {
    let correction = |correction: &QueryCorrection| {
        format!("searched for \"{}\", not \"{}\"", correction.to, correction.from)
    };
    let notes = findings.corrections.iter().map(correction).collect();
    let hits = findings.matches.into_iter().map(|found| Hit {
        span: found.span,
        kind: found.kind,
        score: found.score,
        why: found.why.to_string().into(),
        entity: found.entity.map(|number| {
            let entity = &prepared.entities[number];
            let id = entity.id.map(|id| id.0);
            Box::new(EntityLine { name: entity.name.clone(), id, confidence: entity.confidence })
        }),
    });
    SearchResults { hits: hits.collect(), coverage: Some(findings.coverage), notes, not_indexed: false }
}

fn hit_of(found: LexicalMatch) -> Hit {
    let LexicalMatch { span, kind, score } = found;
    Hit { span, kind: kind.into(), score, why: kind.explain().into(), entity: None }
}

/// Why an input gave nothing.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The file could not be read.
    #[error("{}: {}", path.display(), read_advice(error))]
    Unreadable { path: PathBuf, error: io::Error },
    /// The file is not a document that findall reads.
    #[error("{}: {error}", path.display())]
    Document { path: PathBuf, error: DocumentError },
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

/// What a person should know about a document of which not all could be read: scanned pages, letters without meaning.
pub fn gap_note(path: &Path, document: &Document) -> Option<String> {
    let gaps = document.gaps();
    (!gaps.is_empty()).then(|| format!("{}: not all of it could be read: {gaps}", path.display()))
}

/// Reads and parses a file; `format` overrides what the file looks like.
pub fn open(path: &Path, format: Option<Format>, options: &ReadOptions) -> Result<Document, SearchError> {
    let unreadable = |error| SearchError::Unreadable { path: path.to_owned(), error };
    let file = File::open(path).map_err(unreadable)?;
    let size = file.metadata().map_or(0, |metadata| metadata.len());
    // A file that is too large is refused before it is read.
    options
        .limits
        .check_source(usize::try_from(size).unwrap_or(usize::MAX))
        .map_err(|error| SearchError::Document { path: path.to_owned(), error })?;
    parse(path, read(file, size, &options.limits).map_err(unreadable)?, format, options)
}

/// Reads and parses standard input, which people see as `<stdin>`.
pub fn open_stdin(format: Option<Format>, options: &ReadOptions) -> Result<Document, SearchError> {
    open_stdin_until(None, format, options)
}

/// The same, no further than is enough for a search.
pub fn open_stdin_until(
    enough: Option<LineQuota<'_>>,
    format: Option<Format>,
    options: &ReadOptions,
) -> Result<Document, SearchError> {
    let path = Path::new("<stdin>");
    let enough = enough.filter(|_| format.is_none_or(|format| format == Format::Text));
    let bytes = stdin::read(io::stdin().lock(), enough, &options.limits)
        .map_err(|error| SearchError::Unreadable { path: path.to_owned(), error })?;
    parse(path, bytes, format, options)
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
    options: &ReadOptions,
) -> Result<Document, SearchError> {
    let document = move || {
        let format = match format {
            Some(format) => format,
            None => Format::guess(&bytes, Some(path))?,
        };
        Document::from_vec_with(bytes, Some(format), options)
    };
    document().map_err(|error| SearchError::Document { path: path.to_owned(), error })
}
