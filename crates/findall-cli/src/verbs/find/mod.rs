//! `findall [find] QUERY [PATH]…`: walk, read, search, print. Files are searched in parallel and shown in path
//! order; the first file's matches are on the screen before the last file is read.

mod args;
#[cfg(feature = "library")]
mod library;
mod pool;

pub use args::{Evidence, FindArgs};

use std::collections::HashSet;
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use findall::Span;
use findall::document::{Document, Format, ReadOptions};
use findall::find::{EvidenceSource, FindError};

use crate::absent::Part;
use crate::config::Config;
use crate::config::layer::Sort;
use crate::failure::{Failure, Outcome, complain};
use crate::hit::{Hit, Selection};
use crate::interrupt;
use crate::output::Output;
use crate::printer::{self, FileReport, Mode, PrintConfig, Spill, Summary};
use crate::progress::Progress;
use crate::search::{MatchRules, SearchError, SearchResults, Searcher, gap_note, open, open_stdin_until};
use crate::stdin::LineQuota;
use crate::walk::{self, Input, WalkConfig};

/// Everything that one run of find obeys.
struct FindConfig {
    searcher: Searcher,
    selection: Selection,
    walk: WalkConfig,
    print: PrintConfig,
    format: Option<Format>,
    reading: ReadOptions,
    threads: usize,
    /// There is one input only.
    single: bool,
    /// One input only, shown in document order: its first matches need not wait for its last.
    streams: bool,
    /// Say how complete each search was.
    tells_coverage: bool,
}

/// What became of one input.
struct FileOutcome {
    /// Its matches as they are written.
    printed: Vec<u8>,
    /// Lines for stderr.
    complaints: Vec<String>,
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
    if args.source.library.is_some() {
        Part::Library.require("findall find --library")?;
    }
    #[cfg(feature = "library")]
    let library = args.source.library.clone().map(|folder| (folder, args.documents));
    let config = FindConfig::build(args)?;
    interrupt::install();
    let started = Instant::now();
    let progress = Progress::start();
    #[cfg(feature = "library")]
    if let Some((folder, documents)) = library {
        let (outcome, total) = library::run(&config, &folder, documents as usize, &progress)?;
        drop(progress);
        finish(&config, &total, started)?;
        return Ok(outcome);
    }
    let inputs = config.walk.inputs()?;
    let output = Output::stdout();
    let mut total = Summary::default();
    let mut failed_by_name = false;
    let separate = config.separates_files();

    pool::run_in_order(
        inputs,
        config.threads,
        |input| search_input(&config, input, &progress),
        |done| {
            failed_by_name |= done.failed_by_name;
            let first = total.matched == 0;
            total.add(&done.summary);
            progress.run_aside(|| {
                done.complaints.iter().for_each(|complaint| complain(complaint));
                if separate && !first && !done.printed.is_empty() {
                    output.write(b"\n")?;
                }
                if done.printed.is_empty() { Ok(()) } else { output.write(&done.printed) }
            })
        },
    )?;

    drop(progress);
    finish(&config, &total, started)?;
    if total.not_indexed > 0 && config.tells_coverage {
        let count = total.not_indexed;
        complain(&format!(
            "{count} files went by words; findall index PATH makes them searchable by meaning"
        ));
    }
    Ok(match (failed_by_name, total.matches) {
        (true, _) => Outcome::Incomplete,
        (false, 0) => Outcome::Nothing,
        (false, _) => Outcome::Found,
    })
}

/// Writes what comes after the last file.
fn finish(config: &FindConfig, total: &Summary, started: Instant) -> Result<(), Failure> {
    let mut rest = Vec::new();
    printer::finish(total, started.elapsed(), &config.print, &mut rest);
    if rest.is_empty() { Ok(()) } else { Ok(Output::stdout().write(&rest)?) }
}

impl FindConfig {
    /// True when an empty line stands between two files.
    fn separates_files(&self) -> bool {
        self.print.pretty && self.print.file_name && self.print.mode == Mode::Lines
    }

    /// How much of standard input is enough, where it can be told before its end.
    fn line_quota(&self) -> Option<LineQuota<'_>> {
        let Selection { threshold, top, max_lines, .. } = self.selection;
        let lines =
            max_lines.filter(|_| self.searcher.goes_by_letters() && threshold <= 0.0 && top.is_none())?;
        Some(LineQuota { searcher: &self.searcher, lines, after: self.print.after })
    }

    fn build(args: FindArgs) -> Result<Self, Failure> {
        let config = Config::read(args.layer())?;
        let query = args.query.as_deref().unwrap_or_default();
        let without = args.without.map(|evidence| match evidence {
            Evidence::External => EvidenceSource::External,
            Evidence::Internal => EvidenceSource::Internal,
        });
        let rules =
            MatchRules { exact: args.exact, whole_words: args.whole_words, without, guess: args.guess };
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
        let single = args.source.library.is_none() && walk::is_single_file(&args.paths);
        let pretty = args.style.pretty || std::io::stdout().is_terminal();
        let print = PrintConfig {
            mode,
            palette: config.palette,
            pretty,
            file_name: (!single || args.with_filename) && !args.no_filename,
            line_numbers: (pretty || args.line_number) && !args.no_line_number,
            before: args.before_context.unwrap_or(config.context),
            after: args.after_context.unwrap_or(config.context),
            explain: args.explain,
            null: args.null,
        };
        let walk = args.files.walk.walk(args.paths, &config);
        let reading = args.files.read_options();
        let threads = if single { 1 } else { config.threads };
        let streams = single
            && matches!(mode, Mode::Lines | Mode::OnlyMatching)
            && selection.sort == Sort::Document
            && selection.top.is_none()
            && selection.max_lines.is_none();
        let tells_coverage = args.explain || (pretty && std::io::stderr().is_terminal());
        let format = args.files.format;
        Ok(Self {
            searcher,
            selection,
            walk,
            print,
            format,
            reading,
            threads,
            single,
            streams,
            tells_coverage,
        })
    }
}

fn search_input(config: &FindConfig, input: Input, progress: &Progress) -> FileOutcome {
    let (path, opened, named) = match input {
        Input::Broken(complaint) => return FileOutcome::from_complaint(complaint, false),
        Input::Missing(complaint) => return FileOutcome::from_complaint(complaint, true),
        Input::Stdin => {
            let opened = open_stdin_until(config.line_quota(), config.format, &config.reading);
            (PathBuf::from("<stdin>"), opened, true)
        }
        Input::Named(path) => {
            progress.begin_file(&path);
            let opened = open(&path, config.format, &config.reading);
            (path, opened, true)
        }
        Input::Met(path) => {
            progress.begin_file(&path);
            let opened = open(&path, config.format, &config.reading);
            (path, opened, false)
        }
    };
    let outcome = match opened {
        Ok(document) => search_document(config, &path, &document, named, progress),
        Err(error) if error.is_binary() && !named => FileOutcome::new_skipped(),
        Err(error) => FileOutcome::from_complaint(complaint(&error, named), named),
    };
    progress.finish_file();
    outcome
}

fn search_document(
    config: &FindConfig,
    path: &Path,
    document: &Document,
    named: bool,
    progress: &Progress,
) -> FileOutcome {
    if named && config.streams && config.searcher.wants_streaming(document) {
        return stream_document(config, path, document, progress);
    }
    if config.print.mode.only_counts() && config.selection.keeps_all() {
        let most = if config.print.mode == Mode::FileNames { 1 } else { usize::MAX };
        if let Some(count) = config.searcher.count(document, most) {
            let mut printed = Vec::new();
            printer::render_count(path, count, &config.print, &mut printed);
            let nothing_else = SearchResults::default();
            let outcome = FileOutcome::from_search(config, path, document, count.matches, &nothing_else);
            return FileOutcome { printed, ..outcome };
        }
    }
    match config.searcher.search(document, named) {
        Ok(mut searched) => {
            let hits = config.selection.choose(std::mem::take(&mut searched.hits), document.text());
            let mut printed = Vec::new();
            render(config, path, document, &hits, &searched, progress, &mut printed);
            FileOutcome { printed, ..FileOutcome::from_search(config, path, document, hits.len(), &searched) }
        }
        Err(error) => FileOutcome::from_complaint(search_complaint(path, &error), named),
    }
}

/// Writes matches as the document is being read, then those that only the whole of it could tell.
fn stream_document(
    config: &FindConfig,
    path: &Path,
    document: &Document,
    progress: &Progress,
) -> FileOutcome {
    let output = Output::stdout();
    let mut shown: HashSet<Span> = HashSet::new();
    let write = |hits: Vec<Hit>, shown: &mut HashSet<Span>| {
        let hits = config.selection.choose(hits, document.text());
        let mut printed = Vec::new();
        render(config, path, document, &hits, &SearchResults::default(), progress, &mut printed);
        shown.extend(hits.iter().map(|hit| hit.span));
        progress.run_aside(|| if printed.is_empty() { Ok(()) } else { output.write(&printed) })
    };
    let searched = config.searcher.search_streaming(document, &mut |hits| match write(hits, &mut shown) {
        Ok(()) => ControlFlow::Continue(()),
        // Nobody reads any more.
        Err(_) => ControlFlow::Break(()),
    });
    match searched {
        Ok(mut searched) => {
            let last: HashSet<Span> = searched.hits.iter().map(|hit| hit.span).collect();
            let dropped = shown.iter().filter(|span| !last.contains(span)).count();
            let late: Vec<Hit> =
                searched.hits.iter().filter(|hit| !shown.contains(&hit.span)).cloned().collect();
            // A reader that went away is noticed by whoever writes next.
            let _ = write(late, &mut shown);
            if dropped > 0 {
                searched.notes.push(format!(
                    "{dropped} matches shown while reading fell short once all was read; ask again for the final list"
                ));
            }
            FileOutcome::from_search(config, path, document, shown.len(), &searched)
        }
        Err(error) => FileOutcome::from_complaint(search_complaint(path, &error), true),
    }
}

fn render(
    config: &FindConfig,
    path: &Path,
    document: &Document,
    hits: &[Hit],
    searched: &SearchResults,
    progress: &Progress,
    printed: &mut Vec<u8>,
) {
    let (coverage, notes) = (searched.coverage.as_ref(), searched.notes.as_slice());
    // A file alone need not wait for others: millions of its matches go out as they are written.
    let write = |out: &mut Vec<u8>| {
        let written = progress.run_aside(|| Output::stdout().write(out));
        out.clear();
        if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let spill = config.single.then_some(&write as &Spill<'_>);
    printer::render(&FileReport { path, document, hits, coverage, notes, spill }, &config.print, printed);
}

fn search_complaint(path: &Path, error: &FindError) -> String {
    format!("{}: {error}", path.display())
}

/// In a folder one bad file does not stop the search, and the message says so.
fn complaint(error: &SearchError, named: bool) -> String {
    if named { error.to_string() } else { format!("{error} (skipped)") }
}

impl FileOutcome {
    /// A document that was searched; nothing is printed yet.
    fn from_search(
        config: &FindConfig,
        path: &Path,
        document: &Document,
        matches: usize,
        searched: &SearchResults,
    ) -> Self {
        let mut complaints: Vec<String> = gap_note(path, document).into_iter().collect();
        if config.print.mode != Mode::Json {
            complaints.extend(searched.notes.iter().cloned());
            if let Some(coverage) = searched.coverage.as_ref().filter(|_| config.tells_coverage) {
                complaints.push(format!("{}: {coverage}", path.display()));
            }
        }
        let summary = Summary {
            searched: 1,
            matched: u64::from(matches > 0),
            matches: matches as u64,
            bytes: document.text().len() as u64,
            not_indexed: u64::from(searched.not_indexed),
            ..Summary::default()
        };
        Self { printed: Vec::new(), complaints, summary, failed_by_name: false }
    }

    fn from_complaint(complaint: String, by_name: bool) -> Self {
        let summary = Summary { failed: 1, ..Summary::default() };
        Self { printed: Vec::new(), complaints: vec![complaint], summary, failed_by_name: by_name }
    }

    fn new_skipped() -> Self {
        let summary = Summary { skipped: 1, ..Summary::default() };
        Self { printed: Vec::new(), complaints: Vec::new(), summary, failed_by_name: false }
    }
}
