//! `findall kb build`: sources in, one knowledge base file out. Interrupted, the same command continues.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use findall::knowledge::build::{BuildOptions, Builder, Draft, Written, demonyms};
use findall::knowledge::extract::ExtractOptions;

use super::checkpoint::Checkpoint;
use super::meter::Meter;
use super::sources::{self, Format, Sink, Source, SourceError};
use crate::failure::{Failure, Outcome, complain};
use crate::output::Output;

/// Arguments of `findall kb build`.
#[derive(Debug, Args)]
pub struct BuildArgs {
    /// Where the knowledge base goes
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,

    /// Tab-separated rows: title, kind, description, aliases (or a header that names the columns)
    #[arg(long, value_name = "FILE")]
    tsv: Vec<PathBuf>,

    /// JSON Lines: {"title", "id", "kind", "description", "text", "aliases", "popularity"}
    #[arg(long, value_name = "FILE")]
    jsonl: Vec<PathBuf>,

    /// Tab-separated pairs: another name, the title it leads to
    #[arg(long, value_name = "FILE")]
    redirects: Vec<PathBuf>,

    /// Wikidata JSON dump (latest-all.json.gz or .bz2)
    #[arg(long, value_name = "FILE")]
    wikidata: Vec<PathBuf>,

    /// Wikipedia abstracts (enwiki-latest-abstract.xml.gz)
    #[arg(long, value_name = "FILE")]
    wikipedia_abstracts: Vec<PathBuf>,

    /// Wikipedia pages (enwiki-latest-pages-articles.xml.bz2)
    #[arg(long, value_name = "FILE")]
    wikipedia_pages: Vec<PathBuf>,

    /// DBpedia labels, redirects, types, short abstracts (.ttl.bz2, .nt.gz)
    #[arg(long, value_name = "FILE")]
    dbpedia: Vec<PathBuf>,

    /// Language of labels and descriptions
    #[arg(long, value_name = "CODE", default_value = "en")]
    language: String,

    /// Memory for sorting, in megabytes; the rest of the build needs about 150 more
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u16).range(8..))]
    memory: u16,

    /// Words of facts kept for an entity besides its description
    #[arg(long, value_name = "N", default_value_t = 40)]
    phrase_words: usize,

    /// Names shown in a record (all of them can be looked up)
    #[arg(long, value_name = "N", default_value_t = 8)]
    shown_names: usize,

    /// Drop entities of which only the title is known and whose popularity is below this
    #[arg(long, value_name = "N", default_value_t = 0.0)]
    bare_popularity: f32,

    /// A line about the base, as LABEL=TEXT (sources, licence); may be repeated
    #[arg(long, value_name = "LABEL=TEXT")]
    note: Vec<String>,

    /// Build from a file that ends in the middle
    #[arg(long)]
    allow_partial: bool,

    /// Fail at the first unusable row instead of setting it aside
    #[arg(long)]
    strict: bool,

    /// Begin again even if an earlier build of the same file was interrupted
    #[arg(long)]
    restart: bool,
}

impl BuildArgs {
    /// Sources in the order of their authority: what a person wrote first.
    pub(super) fn sources(&self) -> Vec<Source> {
        let lists = [
            (Format::Tsv, &self.tsv, 9),
            (Format::Jsonl, &self.jsonl, 7),
            (Format::Wikidata, &self.wikidata, 5),
            (Format::WikipediaAbstracts, &self.wikipedia_abstracts, 4),
            (Format::WikipediaPages, &self.wikipedia_pages, 4),
            (Format::Dbpedia, &self.dbpedia, 3),
            (Format::Redirects, &self.redirects, 0),
        ];
        lists
            .into_iter()
            .flat_map(|(format, paths, authority)| {
                paths.iter().map(move |path| Source { format, path: path.clone(), authority })
            })
            .collect()
    }
}

/// Builds.
pub fn run(args: BuildArgs) -> Result<Outcome, Failure> {
    let started = Instant::now();
    let sources = args.sources();
    if sources.is_empty() {
        return Err(Failure::Usage("name at least one source: --tsv, --jsonl, --wikidata, --wikipedia-abstracts, --wikipedia-pages or --dbpedia FILE".into()));
    }
    let notes = notes(&args.note)?;
    let (report, written) =
        build(&args, &sources, notes).map_err(|error| Failure::Verb(error.to_string()))?;
    let seconds = started.elapsed().as_secs_f64();
    let mut text = format!(
        "{}: {} entities ({} described), {} names, {:.1} MB, {:.0} rows/s\n",
        args.out.display(),
        written.entities,
        written.described,
        written.names,
        written.bytes as f64 / 1e6,
        report.rows as f64 / seconds.max(0.001),
    );
    if report.refused > 0 {
        text.push_str(&format!(
            "{} rows set aside in {}\n",
            report.refused,
            rejects_path(&args.out).display()
        ));
    }
    for path in &report.partial {
        text.push_str(&format!("{} was used as far as it goes\n", path.display()));
    }
    Output::stdout().write(text.as_bytes())?;
    Ok(Outcome::Found)
}

fn notes(given: &[String]) -> Result<Vec<(String, String)>, Failure> {
    given
        .iter()
        .map(|note| {
            let (label, text) = note
                .split_once('=')
                .ok_or_else(|| Failure::Usage(format!("--note {note:?}: write LABEL=TEXT")))?;
            Ok((label.to_owned(), text.to_owned()))
        })
        .collect()
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

pub(super) fn build(
    args: &BuildArgs,
    sources: &[Source],
    notes: Vec<(String, String)>,
) -> Result<(BuildReport, Written), SourceError> {
    let mut folder = args.out.as_os_str().to_owned();
    folder.push(".building");
    let folder = PathBuf::from(folder);
    let io = |error| SourceError::Io { path: folder.clone(), error };
    if args.restart && folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(io)?;
    }
    std::fs::create_dir_all(&folder).map_err(io)?;
    let mut options = BuildOptions { memory: usize::from(args.memory) << 20, ..BuildOptions::default() };
    options.phrase_words = args.phrase_words;
    options.shown_names = args.shown_names;
    options.bare_popularity = args.bare_popularity;
    options.notes = notes;
    let mut builder = Builder::new(&folder, options);
    let mut checkpoint = Checkpoint::load(&folder, sources, &args.language);
    builder.resume(checkpoint.runs);

    let rejects = rejects_path(&args.out);
    if checkpoint.is_fresh() {
        let _ = std::fs::remove_file(&rejects);
        for draft in demonyms().filter(|_| args.language == "en") {
            let _ = builder.add(&draft)?;
        }
    }
    let mut report = BuildReport::default();
    for (at, source) in sources.iter().enumerate() {
        let meter = Meter::start(&source.path);
        let position = meter.position();
        let mut collector = Collector {
            args,
            source,
            builder: &mut builder,
            checkpoint: &mut checkpoint,
            at,
            row: 0,
            completed: 0,
            rejects: &rejects,
            folder: &folder,
            meter: &meter,
        };
        if collector.checkpoint.done[at].finished {
            report.rows += collector.checkpoint.done[at].rows;
            continue;
        }
        match sources::read(source, &mut collector, &position) {
            Err(SourceError::Cut { .. }) if args.allow_partial => report.partial.push(source.path.clone()),
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
    let meter = Meter::entities();
    let written = builder.finish(&args.out, &mut |done, total| meter.entity(done, total))?;
    std::fs::remove_dir_all(&folder).map_err(io)?;
    Ok((report, written))
}

/// Feeds the builder from one source.
struct Collector<'c> {
    args: &'c BuildArgs,
    source: &'c Source,
    builder: &'c mut Builder,
    checkpoint: &'c mut Checkpoint,
    at: usize,
    row: u64,
    completed: u64,
    rejects: &'c Path,
    folder: &'c Path,
    meter: &'c Meter,
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
    fn wants(&mut self) -> bool {
        self.row += 1;
        self.meter.rows(self.row);
        let wanted = !self.is_dump() || self.row > self.checkpoint.done[self.at].rows;
        if !wanted {
            self.completed = self.row;
        }
        wanted
    }

    fn draft(&mut self, draft: &Draft) -> Result<(), SourceError> {
        if let Err(refusal) = self.builder.add(draft)? {
            let start: String = draft.title.chars().take(200).collect();
            return self.refuse(&refusal.to_string(), &start);
        }
        self.completed = self.row;
        if self.row.is_multiple_of(CHECKPOINT_ROWS) {
            self.save(self.row)?;
        }
        Ok(())
    }

    fn refuse(&mut self, reason: &str, row: &str) -> Result<(), SourceError> {
        if self.args.strict {
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
            self.meter.aside(|| {
                complain(&format!("{}: row {}: {reason}: set aside", self.source.path.display(), self.row))
            });
        }
        let io = |error| SourceError::Io { path: self.rejects.to_owned(), error };
        let mut file = File::options().create(true).append(true).open(self.rejects).map_err(io)?;
        let clean: String =
            row.chars().take(2000).map(|c| if matches!(c, '\n' | '\r') { ' ' } else { c }).collect();
        writeln!(file, "{}\t{}\t{reason}\t{clean}", self.source.path.display(), self.row).map_err(io)
    }

    fn pass(&mut self) {
        self.completed = self.row;
    }

    fn extract(&self) -> ExtractOptions {
        ExtractOptions { phrase_words: self.args.phrase_words, ..ExtractOptions::default() }
    }

    fn language(&self) -> &str {
        &self.args.language
    }

    fn rows(&self) -> u64 {
        self.row
    }
}
