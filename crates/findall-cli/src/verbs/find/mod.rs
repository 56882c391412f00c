//! `findall [find] QUERY [PATH]…`: walk, read, search, print. Files are searched in parallel and shown in path
//! order; the first file's matches are on the screen before the last file is read.

mod args;
mod pool;

pub use args::FindArgs;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Instant;

use findall::document::{Document, Format, Limits};

use crate::config::Config;
use crate::failure::{Failure, Outcome, complain};
use crate::hit::Selection;
use crate::interrupt;
use crate::output::Output;
use crate::printer::{self, FileReport, Mode, PrintConfig, Summary};
use crate::progress::Progress;
use crate::search::{MatchRules, SearchError, Searcher, open, open_stdin};
use crate::walk::{self, Input, WalkConfig};

/// Everything that one run of find obeys.
struct FindConfig {
    searcher: Searcher,
    selection: Selection,
    walk: WalkConfig,
    print: PrintConfig,
    format: Option<Format>,
    limits: Limits,
    threads: usize,
}

/// What became of one input.
struct FileOutcome {
    /// Ready to be written.
    printed: Vec<u8>,
    /// Told on stderr.
    complaint: Option<String>,
    /// Its part of the sum.
    summary: Summary,
    /// True when the person asked for this very file and did not get it.
    failed_by_name: bool,
}

/// Finds.
pub fn run(args: FindArgs) -> Result<Outcome, Failure> {
    if args.type_list {
        Output::stdout().write(walk::type_list().as_bytes())?;
        return Ok(Outcome::Found);
    }
    let config = FindConfig::build(args)?;
    let inputs = config.walk.inputs()?;
    interrupt::install();
    let started = Instant::now();
    let progress = Progress::start();
    let output = Output::stdout();
    let mut total = Summary::default();
    let mut failed_by_name = false;
    let separate = config.print.pretty && config.print.file_name && config.print.mode == Mode::Lines;

    pool::in_order(
        inputs,
        config.threads,
        |input| search_input(&config, input, &progress),
        |done| {
            failed_by_name |= done.failed_by_name;
            let first = total.matched == 0;
            total.add(&done.summary);
            progress.aside(|| {
                if let Some(complaint) = &done.complaint {
                    complain(complaint);
                }
                if separate && !first && !done.printed.is_empty() {
                    output.write(b"\n")?;
                }
                if done.printed.is_empty() { Ok(()) } else { output.write(&done.printed) }
            })
        },
    )?;

    drop(progress);
    let mut rest = Vec::new();
    printer::finish(&total, started.elapsed(), &config.print, &mut rest);
    if !rest.is_empty() {
        output.write(&rest)?;
    }
    Ok(match (failed_by_name, total.matches) {
        (true, _) => Outcome::Incomplete,
        (false, 0) => Outcome::Nothing,
        (false, _) => Outcome::Found,
    })
}

impl FindConfig {
    fn build(args: FindArgs) -> Result<Self, Failure> {
        let config = Config::read(args.layer())?;
        let query = args.query.as_deref().unwrap_or_default();
        let rules = MatchRules { exact: args.exact, whole_words: args.whole_words };
        let searcher = Searcher::new(query, rules, &config)?;
        let selection = Selection {
            threshold: config.threshold.unwrap_or(0.0),
            top: config.top,
            max_lines: args.max_count,
            sort: config.sort,
        };
        let mode = match () {
            () if args.json => Mode::Json,
            () if args.count => Mode::CountLines,
            () if args.count_matches => Mode::CountMatches,
            () if args.files_with_matches => Mode::FileNames,
            () if args.only_matching => Mode::OnlyMatching,
            () => Mode::Lines,
        };
        let single = walk::is_single_file(&args.paths);
        let pretty = args.pretty || std::io::stdout().is_terminal();
        let print = PrintConfig {
            mode,
            palette: config.palette,
            pretty,
            file_name: (!single || args.with_filename) && !args.no_filename,
            line_numbers: (pretty || args.line_number) && !args.no_line_number,
            before: args.before_context.unwrap_or(config.context),
            after: args.after_context.unwrap_or(config.context),
            explain: args.explain,
        };
        let walk = WalkConfig {
            paths: args.paths,
            globs: args.globs,
            types: args.types,
            hidden: config.hidden,
            ignored: args.no_ignore,
            follow: args.follow,
        };
        let mut limits = Limits::default();
        if let Some(megabytes) = args.max_filesize {
            limits.source_bytes = usize::from(megabytes) * 1_000_000;
            limits.text_bytes = limits.source_bytes;
        }
        let threads = if single { 1 } else { config.threads };
        Ok(Self { searcher, selection, walk, print, format: args.format, limits, threads })
    }
}

fn search_input(config: &FindConfig, input: Input, progress: &Progress) -> FileOutcome {
    let (path, opened, named) = match input {
        Input::Broken(complaint) => return FileOutcome::failed(complaint, false),
        Input::Missing(complaint) => return FileOutcome::failed(complaint, true),
        Input::Stdin => (PathBuf::from("<stdin>"), open_stdin(config.format, &config.limits), true),
        Input::Named(path) => {
            progress.file_begun(&path);
            let opened = open(&path, config.format, &config.limits);
            (path, opened, true)
        }
        Input::Met(path) => {
            progress.file_begun(&path);
            let opened = open(&path, config.format, &config.limits);
            (path, opened, false)
        }
    };
    let outcome = match opened {
        Ok(document) => search_document(config, &path, &document),
        Err(error) if error.is_binary() && !named => FileOutcome::skipped(),
        Err(error) => FileOutcome::failed(complaint(&error, named), named),
    };
    progress.file_done();
    outcome
}

fn search_document(config: &FindConfig, path: &Path, document: &Document) -> FileOutcome {
    let hits = config.selection.choose(config.searcher.search(document), document.text());
    let mut printed = Vec::new();
    printer::render(&FileReport { path, document, hits: &hits }, &config.print, &mut printed);
    let summary = Summary {
        searched: 1,
        matched: u64::from(!hits.is_empty()),
        matches: hits.len() as u64,
        bytes: document.text().len() as u64,
        ..Summary::default()
    };
    FileOutcome { printed, complaint: None, summary, failed_by_name: false }
}

/// In a folder one bad file does not stop the search, and the message says so.
fn complaint(error: &SearchError, named: bool) -> String {
    if named { error.to_string() } else { format!("{error} (skipped)") }
}

impl FileOutcome {
    fn failed(complaint: String, by_name: bool) -> Self {
        let summary = Summary { failed: 1, ..Summary::default() };
        Self { printed: Vec::new(), complaint: Some(complaint), summary, failed_by_name: by_name }
    }

    fn skipped() -> Self {
        let summary = Summary { skipped: 1, ..Summary::default() };
        Self { printed: Vec::new(), complaint: None, summary, failed_by_name: false }
    }
}
