//! `findall kb build`: sources in, one knowledge base file out. Interrupted, the same command continues.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use findall_kb::sources::reading::Position;
use findall_kb::{BuildObserver, BuildOptions, BuildPlan, Format, Source, build_base, rejects_path};

use super::meter::Meter;
use crate::failure::{Failure, Outcome, complain};
use crate::output::Output;

/// Arguments of `findall kb build`.
#[derive(Debug, Args)]
pub struct BuildArgs {
    /// Where the knowledge base goes
    #[arg(long, value_name = "FILE")]
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
    fn sources(&self) -> Vec<Source> {
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

    /// The build that was asked for.
    pub(super) fn plan(&self) -> Result<BuildPlan, Failure> {
        let options = BuildOptions {
            memory: usize::from(self.memory) << 20,
            phrase_words: self.phrase_words,
            shown_names: self.shown_names,
            bare_popularity: self.bare_popularity,
            notes: parse_notes(&self.note)?,
        };
        Ok(BuildPlan {
            out: self.out.clone(),
            sources: self.sources(),
            language: self.language.clone(),
            options,
            allow_partial: self.allow_partial,
            strict: self.strict,
            restart: self.restart,
        })
    }
}

/// Shows a build as a bar, and complaints beside it.
#[derive(Default)]
struct BuildBar {
    meter: Option<Meter>,
    position: Position,
}

impl BuildObserver for BuildBar {
    fn begin_source(&mut self, path: &Path, position: &Position) {
        self.meter = None;
        self.position = position.clone();
        self.meter = Some(Meter::start(path));
    }

    fn count_rows(&mut self, rows: u64) {
        if let Some(meter) = &self.meter {
            meter.rows(rows, &self.position);
        }
    }

    fn note_refusal(&mut self, path: &Path, row: u64, reason: &str) {
        let say = || complain(&format!("{}: row {row}: {reason}: set aside", path.display()));
        match &self.meter {
            Some(meter) => meter.run_aside(say),
            None => say(),
        }
    }

    fn begin_writing(&mut self) {
        self.meter = None;
        self.meter = Some(Meter::entities());
    }

    fn count_entities(&mut self, done: u64, total: u64) {
        if let Some(meter) = &self.meter {
            meter.entity(done, total);
        }
    }
}

/// Builds.
pub fn run(args: BuildArgs) -> Result<Outcome, Failure> {
    let started = Instant::now();
    let plan = args.plan()?;
    if plan.sources.is_empty() {
        return Err(Failure::Usage("name at least one source: --tsv, --jsonl, --wikidata, --wikipedia-abstracts, --wikipedia-pages or --dbpedia FILE".into()));
    }
    let mut bar = BuildBar::default();
    let (report, written) = build_base(&plan, &mut bar).map_err(|error| Failure::Verb(error.to_string()))?;
    drop(bar);
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

fn parse_notes(given: &[String]) -> Result<Vec<(String, String)>, Failure> {
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
