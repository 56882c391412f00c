//! A whole build: sources in, one knowledge base file out, rows that cannot be used set aside with the reason. How far it is
//! lies in a folder beside the file, so that after an interruption the same plan continues.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::build::{BaseCounts, BuildOptions, Builder, Draft, demonyms};
use crate::checkpoint::Checkpoint;
use crate::extract::ExtractOptions;
use crate::sources::reading::Position;
use crate::sources::{self, Format, Sink, Source, SourceError};

/// What is to be built from what.
#[derive(Clone, Debug)]
pub struct BuildPlan {
    /// Where the knowledge base goes.
    pub out: PathBuf,
    /// What it is built from, in the order of reading.
    pub sources: Vec<Source>,
    /// Language of labels and descriptions.
    pub language: String,
    /// How it is built.
    pub options: BuildOptions,
    /// Use a file that ends in the middle.
    pub allow_partial: bool,
    /// Fail at the first unusable row instead of setting it aside.
    pub strict: bool,
    /// Begin again even if an earlier build of the same file was interrupted.
    pub restart: bool,
}

/// Is told how a build goes on.
pub trait BuildObserver {
    /// The reading of a file begins; `position` counts its bytes.
    fn begin_source(&mut self, path: &Path, position: &Position);
    /// So many rows of that file are read.
    fn count_rows(&mut self, rows: u64);
    /// A row was set aside; only the first few of a file are noted.
    fn note_refusal(&mut self, path: &Path, row: u64, reason: &str);
    /// Everything is read, the writing begins.
    fn begin_writing(&mut self);
    /// So many of all entities are written.
    fn count_entities(&mut self, done: u64, total: u64);
}

/// For a build that nobody watches.
#[derive(Debug)]
pub struct SilentObserver;

impl BuildObserver for SilentObserver {
    fn begin_source(&mut self, _: &Path, _: &Position) {}
    fn count_rows(&mut self, _: u64) {}
    fn note_refusal(&mut self, _: &Path, _: u64, _: &str) {}
    fn begin_writing(&mut self) {}
    fn count_entities(&mut self, _: u64, _: u64) {}
}

/// What happened to the rows.
#[derive(Debug, Default)]
pub struct BuildReport {
    /// Rows read, those of an earlier run included.
    pub rows: u64,
    /// Rows set aside.
    pub refused: u64,
    /// Files that ended in the middle and were used all the same.
    pub partial: Vec<PathBuf>,
}

/// Rows set aside are kept beside the base, with the reason.
pub fn rejects_path(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".rejects.tsv");
    name.into()
}

/// Reads the sources and writes the base; interrupted, the same plan continues.
pub fn build_base(
    plan: &BuildPlan,
    observer: &mut dyn BuildObserver,
) -> Result<(BuildReport, BaseCounts), SourceError> {
    let mut folder = plan.out.as_os_str().to_owned();
    folder.push(".building");
    let folder = PathBuf::from(folder);
    let io = |error| SourceError::Io { path: folder.clone(), error };
    if plan.restart && folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(io)?;
    }
    std::fs::create_dir_all(&folder).map_err(io)?;
    let mut builder = Builder::new(&folder, plan.options.clone());
    let mut checkpoint = Checkpoint::load(&folder, &plan.sources, &plan.language);
    builder.resume(checkpoint.runs);

    let rejects = rejects_path(&plan.out);
    if checkpoint.is_fresh() {
        let _ = std::fs::remove_file(&rejects);
        for draft in demonyms().filter(|_| plan.language == "en") {
            let _ = builder.add(&draft)?;
        }
    }
    let mut report = BuildReport::default();
    for (at, source) in plan.sources.iter().enumerate() {
        let position = Position::default();
        observer.begin_source(&source.path, &position);
        let mut collector = Collector {
            plan,
            source,
            builder: &mut builder,
            checkpoint: &mut checkpoint,
            at,
            row: 0,
            completed: 0,
            rejects: &rejects,
            folder: &folder,
            observer,
        };
        if collector.checkpoint.done[at].finished {
            report.rows += collector.checkpoint.done[at].rows;
            continue;
        }
        match sources::read(source, &mut collector, &position) {
            Err(SourceError::Cut { .. }) if plan.allow_partial => report.partial.push(source.path.clone()),
            result => {
                if result.is_err() {
                    // What was read is kept, so that the same command continues from here; the row that broke off is not.
                    collector.save(collector.completed)?;
                }
                result?;
            }
        }
        let row = collector.row;
        report.rows += row;
        checkpoint.done[at].finished = true;
        checkpoint.done[at].rows = row;
        checkpoint.runs = builder.checkpoint()?;
        checkpoint.save(&folder).map_err(io)?;
    }
    report.refused = checkpoint.done.iter().map(|done| done.refused).sum();
    observer.begin_writing();
    let written = builder.finish(&plan.out, &mut |done, total| observer.count_entities(done, total))?;
    std::fs::remove_dir_all(&folder).map_err(io)?;
    Ok((report, written))
}

/// Feeds the builder from one source.
struct Collector<'c> {
    plan: &'c BuildPlan,
    source: &'c Source,
    builder: &'c mut Builder,
    checkpoint: &'c mut Checkpoint,
    at: usize,
    row: u64,
    completed: u64,
    rejects: &'c Path,
    folder: &'c Path,
    observer: &'c mut dyn BuildObserver,
}

/// Rows between two checkpoints within a dump.
const CHECKPOINT_ROWS: u64 = 2_000_000;

impl Collector<'_> {
    /// Dumps are continued at the row; files that people write are small and begin again.
    fn is_dump(&self) -> bool {
        !matches!(self.source.format, Format::Tsv | Format::Jsonl | Format::Redirects)
    }

    fn save(&mut self, row: u64) -> Result<(), SourceError> {
        if !self.is_dump() {
            return Ok(());
        }
        self.checkpoint.runs = self.builder.checkpoint()?;
        self.checkpoint.done[self.at].rows = row;
        self.checkpoint
            .save(self.folder)
            .map_err(|error| SourceError::Io { path: self.folder.to_owned(), error })
    }
}

impl Sink for Collector<'_> {
    fn wants_row(&mut self) -> bool {
        self.row += 1;
        self.observer.count_rows(self.row);
        let wanted = !self.is_dump() || self.row > self.checkpoint.done[self.at].rows;
        if !wanted {
            self.completed = self.row;
        }
        wanted
    }

    fn take_draft(&mut self, draft: &Draft) -> Result<(), SourceError> {
        if let Err(refusal) = self.builder.add(draft)? {
            let start: String = draft.title.chars().take(200).collect();
            return self.refuse_row(&refusal.to_string(), &start);
        }
        self.completed = self.row;
        if self.row.is_multiple_of(CHECKPOINT_ROWS) {
            self.save(self.row)?;
        }
        Ok(())
    }

    fn refuse_row(&mut self, reason: &str, row: &str) -> Result<(), SourceError> {
        if self.plan.strict {
            return Err(SourceError::Refused {
                path: self.source.path.clone(),
                row: self.row,
                reason: reason.into(),
            });
        }
        self.completed = self.row;
        let done = &mut self.checkpoint.done[self.at];
        done.refused += 1;
        if done.refused <= 3 {
            self.observer.note_refusal(&self.source.path, self.row, reason);
        }
        let io = |error| SourceError::Io { path: self.rejects.to_owned(), error };
        let mut file = File::options().create(true).append(true).open(self.rejects).map_err(io)?;
        let clean: String =
            row.chars().take(2000).map(|c| if matches!(c, '\n' | '\r') { ' ' } else { c }).collect();
        writeln!(file, "{}\t{}\t{reason}\t{clean}", self.source.path.display(), self.row).map_err(io)
    }

    fn skip_row(&mut self) {
        self.completed = self.row;
    }

    fn extract(&self) -> ExtractOptions {
        ExtractOptions { phrase_words: self.plan.options.phrase_words, ..ExtractOptions::default() }
    }

    fn language(&self) -> &str {
        &self.plan.language
    }

    fn rows(&self) -> u64 {
        self.row
    }
}
