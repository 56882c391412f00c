//! `findall-eval library kill`: the real program is killed while it indexes, again and again over the same library; after
//! each time the library must open, its index and every analysis must be whole, and it must have every file that was
//! reported as done, by its words and, where that was asked for, by its meaning.

use std::io::{Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use findall_library::Library;

use super::{index_command, last_event, make_error, texts};
use crate::EvalError;
use crate::record::{self, RecordArgs, Row};
use crate::store::RandomSource;
use crate::table;

/// Arguments of `findall-eval library kill`.
#[derive(Debug, clap::Args)]
pub struct LibraryKillArgs {
    /// Rounds
    #[arg(long, default_value_t = 50)]
    rounds: u64,

    /// Longest time before a kill, in ms; long enough that some rounds get to report something
    #[arg(long, default_value_t = 12_000)]
    longest: u64,

    /// Read the meaning, too: of fewer and smaller files, so that kills come in the middle of it
    #[arg(long)]
    meaning: bool,

    #[command(flatten)]
    record: RecordArgs,
}

/// New files every round, and their size: enough for several commits.
const FILES: u64 = 300;
const BYTES: usize = 250_000;

/// The same where their meaning is read: about as much as gets done in the longest time.
const FILES_WITH_MEANING: u64 = 120;
const BYTES_WITH_MEANING: usize = 3000;

#[derive(Default)]
struct LibraryTally {
    killed: u64,
    ended: u64,
    reported: u64,
    analysed: u64,
    lost: u64,
}

/// Kills, checks, records; something lost is an error.
pub fn run(args: &LibraryKillArgs, out: &mut dyn Write) -> Result<(), EvalError> {
    let place = tempfile::tempdir()?;
    let library = place.path().join("library");
    let mut random = RandomSource::new(7);
    let mut tally = LibraryTally::default();
    let started = Instant::now();
    // What must be there: documents by words, and by meaning.
    let (mut documents, mut analysed) = (0, 0);
    for round in 0..args.rounds {
        let folder = place.path().join("files");
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder)?;
        let (files, bytes) =
            if args.meaning { (FILES_WITH_MEANING, BYTES_WITH_MEANING) } else { (FILES, BYTES) };
        // Paths of their own, so that nothing of earlier rounds is taken out.
        let own = folder.join(format!("{round}"));
        std::fs::create_dir(&own)?;
        texts::write(&own, files, bytes, round * 10_000)?;
        let more: &[&str] = if args.meaning { &[] } else { &["--words-only"] };
        let mut child = index_command(&own, &library, more)?.spawn()?;
        std::thread::sleep(Duration::from_millis(random.below(args.longest)));
        child.kill()?;
        let mut said = String::new();
        if let Some(mut stdout) = child.stdout.take() {
            stdout.read_to_string(&mut said)?;
        }
        let status = child.wait()?;
        if status.success() {
            tally.ended += 1
        } else {
            tally.killed += 1
        }
        let count = |name: &str| last_event(&said, name).and_then(|data| data["files"].as_u64()).unwrap_or(0);
        let (reported, by_meaning) = (count("committed"), count("analysed"));
        tally.reported += reported;
        tally.analysed += by_meaning;
        documents += reported;
        analysed += by_meaning;
        let (there, there_analysed) = check(&library)?;
        tally.lost += documents.saturating_sub(there) + analysed.saturating_sub(there_analysed);
        // What came beyond what was reported may stay.
        documents = documents.max(there);
        analysed = analysed.max(there_analysed);
    }
    let figures = [
        ("rounds killed", tally.killed),
        ("rounds that ended before", tally.ended),
        ("files reported as done", tally.reported),
        ("of them by meaning", tally.analysed),
        ("documents in the library", documents),
        ("reported and lost", tally.lost),
    ];
    let set = if args.meaning { "kill -9, words and meaning" } else { "kill -9" };
    let rows = figures.map(|(metric, value)| Row::new(set, "library", metric, value as f64, "count"));
    let lines = figures.map(|(metric, value)| vec![metric.to_owned(), value.to_string()]);
    table::write(out, &["kill -9 while indexing", "count"], &lines)?;
    writeln!(out, "{:.0} s", started.elapsed().as_secs_f64())?;
    let name = if args.meaning { "library-kill-meaning" } else { "library-kill" };
    record::write(&args.record, name, &rows, out)?;
    let tested = if args.meaning { tally.analysed } else { tally.reported };
    match (tally.lost, tested) {
        (0, 0) => {
            Err(make_error("nothing was reported as done, so nothing was tested; give it longer (--longest)"))
        }
        (0, _) => Ok(()),
        (lost, _) => Err(make_error(format!("{lost} files were lost"))),
    }
}

/// Opens the library, reads back what is in it, and counts.
fn check(folder: &Path) -> Result<(u64, u64), EvalError> {
    let library = match Library::open(folder) {
        Ok(library) => library,
        // Killed before there was one.
        Err(findall_library::LibraryError::None(_)) => return Ok((0, 0)),
        Err(error) => return Err(make_error(error)),
    };
    library.verify().map_err(make_error)?;
    let snapshot = library.snapshot().map_err(make_error)?;
    for file in (0..snapshot.files().len()).step_by(37) {
        let document = snapshot.document(file).ok_or_else(|| make_error("a text cannot be read back"))?;
        if document.sentences().len() != snapshot.files()[file].sentences {
            return Err(make_error("a text lost sentences"));
        }
    }
    let status = library.status().map_err(make_error)?;
    Ok((status.documents as u64, status.analysed as u64))
}
