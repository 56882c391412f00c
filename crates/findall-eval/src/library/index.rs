//! `findall-eval library index`: the real program over a folder of made-up files, in a process of its own, so that memory
//! is its alone.

use std::io::{Read, Write};
use std::path::Path;
use std::time::Instant;

use serde_json::Value;
use wait4::Wait4;

use super::{index_command, last_event, make_error, texts};
use crate::EvalError;
use crate::record::{self, RecordArgs, Row};
use crate::store::RandomSource;
use crate::table;

/// Arguments of `findall-eval library index`.
#[derive(Debug, clap::Args)]
pub struct IndexArgs {
    /// Files
    #[arg(long, default_value_t = 10_000)]
    files: u64,

    /// Megabytes of text in all
    #[arg(long, default_value_t = 200)]
    megabytes: u64,

    /// Files whose meaning is read, too, in a library of their own; it takes long
    #[arg(long, default_value_t = 10)]
    meaning: u64,

    #[command(flatten)]
    record: RecordArgs,
}

struct IndexRun {
    seconds: f64,
    peak_mb: f64,
    end: Value,
}

/// Measures and records.
pub fn run(args: &IndexArgs, out: &mut dyn Write) -> Result<(), EvalError> {
    let place = tempfile::tempdir()?;
    let (folder, library) = (place.path().join("files"), place.path().join("library"));
    std::fs::create_dir(&folder)?;
    let size = (args.megabytes * 1_000_000 / args.files.max(1)) as usize;
    let bytes = texts::write(&folder, args.files, size, 1)?;
    let set = format!("{} files, {} MB", args.files, bytes / 1_000_000);
    let first = index(&folder, &library, &["--words-only"])?;
    let nothing = index(&folder, &library, &["--words-only"])?;
    let changed = folder.join("000/000042.txt");
    std::fs::write(&changed, texts::text(&mut RandomSource::new(99), size + 1))?;
    let again = index(&folder, &library, &["--words-only"])?;
    if again.end["read"] != 1 {
        return Err(make_error(format!("one file changed, {} were read again", again.end["read"])));
    }
    let small = place.path().join("few");
    std::fs::create_dir(&small)?;
    texts::write(&small, args.meaning, size, 500)?;
    let meaning = index(&small, &place.path().join("few-library"), &[])?;
    let figures = [
        ("words: rate", bytes as f64 / 1e6 / first.seconds, "MB/s"),
        ("words: whole run", first.seconds, "s"),
        ("words: peak memory", first.peak_mb, "MB"),
        ("nothing changed", nothing.seconds, "s"),
        ("one file changed", again.seconds, "s"),
        ("meaning: rate", meaning.end["tokens_per_s"].as_f64().unwrap_or(0.0), "tokens/s"),
        ("meaning: tokens", meaning.end["tokens"].as_f64().unwrap_or(0.0), "tokens"),
        ("meaning: peak memory", meaning.peak_mb, "MB"),
    ];
    let rows = figures.map(|(metric, value, unit)| Row::new(&set, "findall index", metric, value, unit));
    let lines = figures.map(|(metric, value, unit)| vec![metric.to_owned(), format!("{value:.2} {unit}")]);
    table::write(out, &[&set, "findall index"], &lines)?;
    record::write(&args.record, "library-index", &rows, out)
}

fn index(folder: &Path, library: &Path, more: &[&str]) -> Result<IndexRun, EvalError> {
    let started = Instant::now();
    let mut child = index_command(folder, library, more)?.spawn()?;
    let mut said = String::new();
    if let Some(mut stdout) = child.stdout.take() {
        stdout.read_to_string(&mut said)?;
    }
    let used = child.wait4()?;
    let seconds = started.elapsed().as_secs_f64();
    let end =
        last_event(&said, "end").ok_or_else(|| make_error("indexing did not end well; run it by hand"))?;
    Ok(IndexRun { seconds, peak_mb: used.rusage.maxrss as f64 / 1e6, end })
}
