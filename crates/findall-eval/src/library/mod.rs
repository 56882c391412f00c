//! `findall-eval library …`: how fast folders are indexed and searched, and whether what was reported as done survives.

mod index;
mod kill;
mod like;
mod texts;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::{EvalError, process};

/// Arguments of `findall-eval library`.
#[derive(Debug, clap::Args)]
pub struct LibraryArgs {
    #[command(subcommand)]
    verb: LibraryVerb,
}

/// What is measured.
#[derive(Debug, clap::Subcommand)]
enum LibraryVerb {
    /// Index a folder of made-up texts, then once more after one file changed; optionally its meaning, for the rate
    Index(index::IndexArgs),
    /// Kill the indexing at random moments; the library must open and have all that was reported as done
    Kill(kill::LibraryKillArgs),
    /// Like over many sentences with made-up vectors: time of a query
    Like(like::LikeSpeedArgs),
}

/// Measures.
pub fn run(args: &LibraryArgs, out: &mut dyn Write) -> Result<(), EvalError> {
    match &args.verb {
        LibraryVerb::Index(args) => index::run(args, out),
        LibraryVerb::Kill(args) => kill::run(args, out),
        LibraryVerb::Like(args) => like::run(args, out),
    }
}

fn make_error(message: impl std::fmt::Display) -> EvalError {
    EvalError::Program { program: "library".into(), message: message.to_string() }
}

/// `findall index` over a folder; its own cache, so that nothing of the person's is touched.
fn index_command(folder: &Path, library: &Path, more: &[&str]) -> Result<Command, EvalError> {
    let mut command = Command::new(process::findall_program(None)?);
    command.arg("index").args(["--json", "--library"]).arg(library).args(more).arg(folder);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    Ok(command)
}

/// The data of the last event of this type among JSON Lines.
fn last_event(lines: &str, name: &str) -> Option<Value> {
    let mut events = lines.lines().rev().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    events.find(|event| event["type"] == name).map(|mut event| event["data"].take())
}
