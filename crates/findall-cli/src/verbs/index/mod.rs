//! `findall index PATH…`: documents become a library that is searched at once, whole folders too: first their words, in
//! seconds, then their meaning, at its own pace. Only what changed is read again; a run that was stopped goes on.

#[cfg(feature = "network")]
mod load;
mod worker;

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};
use findall::Engine;
use findall_library::{CommitProgress, Library, LibraryError, Status};
use findall_service::library_update::IndexingReport;
use findall_wire::lines::{IndexEndLine, IndexLine, IndexedShareLine, LibraryStatusLine};

#[cfg(not(feature = "network"))]
use crate::absent::Part;
use crate::args::{EngineArgs, JsonArgs};
use crate::config::Config;
use crate::config::layer::Layer;
use crate::failure::{Failure, Outcome};
use crate::interrupt;
use crate::library::{self, LibraryArgs};
use crate::meaning;
use crate::output::Output;
use crate::printer::{json, terminal};
use crate::progress::Progress;
use crate::resources;
use crate::walk::{WalkArgs, WalkConfig};

/// Arguments of `findall index`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct IndexArgs {
    #[command(subcommand)]
    verb: Option<IndexVerb>,

    #[command(flatten)]
    prepare: PrepareArgs,
}

/// What else can be done with a library.
#[derive(Debug, Subcommand)]
enum IndexVerb {
    /// Say what is in the library
    Status {
        #[command(flatten)]
        place: LibraryArgs,

        #[command(flatten)]
        output: JsonArgs,
    },
    /// Take the library away
    Clean(LibraryArgs),
    /// Read documents {"id", "text"} as JSON Lines from standard input and write prepared records: for many machines
    Worker(EngineArgs),
    /// Put the records that workers wrote into the library
    Load(LoadArgs),
}

/// Arguments of `findall index PATH…`.
#[derive(Debug, Args)]
struct PrepareArgs {
    /// Files and folders to prepare
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,

    #[command(flatten)]
    place: LibraryArgs,

    /// Words only: searchable by BM25 within seconds; a later run adds the meaning
    #[arg(long)]
    words_only: bool,

    /// Go on, and take in every change as it happens, until stopped
    #[arg(long)]
    watch: bool,

    #[command(flatten)]
    output: JsonArgs,

    #[command(flatten)]
    files: WalkArgs,

    #[command(flatten)]
    engine: EngineArgs,
}

/// Arguments of `findall index load`.
#[derive(Debug, Args)]
struct LoadArgs {
    /// Files of records, or a postgres:// address; standard input without
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    #[command(flatten)]
    place: LibraryArgs,

    /// Put the records onto this PostgreSQL server, postgres://…, instead of into the library
    #[arg(long, value_name = "ADDRESS", conflicts_with = "library")]
    into: Option<String>,
}

/// How often a watched folder is looked at.
const MIN_WATCH_INTERVAL: Duration = Duration::from_secs(2);

/// Does what the word after `index` says; without one, prepares.
pub fn run(args: IndexArgs) -> Result<Outcome, Failure> {
    match args.verb {
        None => prepare(args.prepare),
        Some(IndexVerb::Status { place, output }) => status(&place.folder()?, output.json),
        Some(IndexVerb::Clean(place)) => {
            Library::remove(&place.folder()?)?;
            Ok(Outcome::Found)
        }
        Some(IndexVerb::Worker(args)) => {
            let engine = meaning::load(&Config::read(Layer { cache: Some(true), ..args.layer() })?)?;
            worker::work(&engine.ok_or_else(resources::not_installed_failure)?)
        }
        Some(IndexVerb::Load(args)) => load_records(&args, &Config::read(Layer::default())?),
    }
}

/// Prepares; one line a file on stdout, a word on stderr about each that could not be.
fn prepare(args: PrepareArgs) -> Result<Outcome, Failure> {
    let hidden = args.files.hidden.then_some(true);
    let config = Config::read(Layer { hidden, cache: Some(true), ..args.engine.layer() })?;
    let folder = args.place.folder()?;
    let walk = args.files.walk(args.paths.clone(), &config);
    interrupt::install();
    let library = Library::create(&folder)?;
    let mut engine = None;
    loop {
        let started = Instant::now();
        let done = index_files(&args, &config, &walk, &library, &mut engine)?;
        if !args.watch {
            return Ok(if done.failed_by_name { Outcome::Incomplete } else { Outcome::Found });
        }
        std::thread::sleep(MIN_WATCH_INTERVAL.saturating_sub(started.elapsed()));
    }
}

#[cfg(feature = "network")]
fn load_records(args: &LoadArgs, config: &Config) -> Result<Outcome, Failure> {
    let named = args.paths.iter().filter_map(|path| path.to_str()).chain(args.into.as_deref());
    if config.offline && named.into_iter().any(findall_store::is_server) {
        return Err(Failure::Setting {
            origin: "offline".into(),
            message: "records on a server cannot be reached; name files, or turn offline off".into(),
        });
    }
    if let Some(url) = &args.into {
        if !findall_store::is_server(url) {
            return Err(Failure::Usage("--into takes an address like postgres://name@host/database".into()));
        }
        return load::load(&args.paths, &mut load::ServerTarget::open(url)?);
    }
    let library = Library::create(&args.place.folder()?)?;
    let mut target = load::LibraryTarget::new(&library)?;
    let outcome = load::load(&args.paths, &mut target)?;
    target.finish()?;
    Ok(outcome)
}

#[cfg(not(feature = "network"))]
fn load_records(_: &LoadArgs, _: &Config) -> Result<Outcome, Failure> {
    Part::Network.require("findall index load").map(|()| Outcome::Nothing)
}

/// One look at the files.
fn index_files(
    args: &PrepareArgs,
    config: &Config,
    walk: &WalkConfig,
    library: &Library,
    engine: &mut Option<Engine>,
) -> Result<IndexingReport, Failure> {
    let progress = Progress::start();
    let say = |event: IndexLine| match args.output.json {
        false => Ok(()),
        true => progress.run_aside(|| Output::stdout().write(json::line(&event).as_bytes())),
    };
    // Where nobody reads any more, indexing stops after what is on disk.
    let go_on = |written: std::io::Result<()>| match written {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(()),
    };
    let wanted = library::walk_files(walk, library.folder(), &progress)?;
    let mut writer = match library.writer() {
        // The next look will do.
        Err(LibraryError::Busy(_)) if args.watch => return Ok(IndexingReport::default()),
        writer => writer?,
    };
    let mut done = library::read_words(&mut writer, &wanted, &progress, &mut |now| {
        go_on(say(IndexLine::Committed(to_share_line(now))))
    })?;
    if !args.words_only {
        if engine.is_none() {
            *engine = meaning::load(config)?;
        }
        let engine = engine.as_ref().ok_or_else(resources::not_installed_failure)?;
        // Lines are shown once their batch is on disk.
        let lines = RefCell::new(String::new());
        let mut also = |path: &str, document: &findall::Document| {
            let started = Instant::now();
            let shown = terminal::to_safe_line(&wanted.display_path(path));
            let prepared =
                engine.prepare(document).map_err(|error| Failure::Verb(format!("{shown}: {error}")))?;
            let took = started.elapsed().as_millis();
            *lines.borrow_mut() += &format!("{shown}: {} in {took} ms\n", prepared.coverage);
            Ok(())
        };
        library::read_meaning(&writer, engine, &progress, &mut done, &mut also, &mut |now| {
            let lines = lines.take();
            go_on(match args.output.json {
                true => say(IndexLine::Analysed(to_share_line(now))),
                false => progress.run_aside(|| Output::stdout().write(lines.as_bytes())),
            })
        })?;
        library::learn(&writer, engine, &progress)?;
    }
    writer.finish()?;
    drop(progress);
    if args.output.json {
        Output::stdout().write(json::line(&IndexLine::End(to_end_line(&done))).as_bytes())?;
    } else if !args.watch || done.words.files + done.removed + done.meaning.files > 0 {
        Output::stdout().write(summarise(&done).as_bytes())?;
    }
    Ok(done)
}

fn status(folder: &Path, as_json: bool) -> Result<Outcome, Failure> {
    let Status { documents, analysed, sentences, text_bytes, disk_bytes } =
        Library::open(folder)?.status()?;
    let text = match as_json {
        true => json::line(&LibraryStatusLine {
            library: folder,
            documents,
            analysed,
            sentences,
            text_bytes,
            disk_bytes,
        }),
        false => format!(
            "{}: {documents} documents, {analysed} of them by meaning, {sentences} sentences, {} of text, {} on disk\n",
            folder.display(),
            megabytes(text_bytes),
            megabytes(disk_bytes)
        ),
    };
    Output::stdout().write(text.as_bytes())?;
    Ok(if documents > 0 { Outcome::Found } else { Outcome::Nothing })
}

fn to_share_line(now: CommitProgress) -> IndexedShareLine {
    IndexedShareLine { files: now.files, of: now.of, sentences: now.sentences, text_bytes: now.text_bytes }
}

fn to_end_line(done: &IndexingReport) -> IndexEndLine {
    let per_second = |amount: f64, time: Duration| amount / time.as_secs_f64().max(1e-6);
    IndexEndLine {
        read: done.words.files,
        unchanged: done.unchanged,
        removed: done.removed,
        words_seconds: done.words_time.as_secs_f64(),
        words_mb_per_s: per_second(done.words.text_bytes as f64 / 1e6, done.words_time),
        analysed: done.meaning.files,
        tokens: done.tokens,
        meaning_seconds: done.meaning_time.as_secs_f64(),
        tokens_per_s: per_second(done.tokens as f64, done.meaning_time),
    }
}

fn summarise(done: &IndexingReport) -> String {
    let IndexEndLine { read, unchanged, removed, words_mb_per_s, analysed, tokens_per_s, .. } =
        to_end_line(done);
    let mut line = format!("{read} read, {unchanged} unchanged, {removed} removed");
    if read > 0 {
        line += &format!("; words at {words_mb_per_s:.1} MB/s");
    }
    if analysed > 0 {
        line += &format!("; meaning of {analysed} at {tokens_per_s:.0} tokens/s");
    }
    line + "\n"
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}
