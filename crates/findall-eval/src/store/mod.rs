//! `findall-eval store …`: does the store keep what it acknowledged, and how fast and how well does it find similar
//! questions.

mod cached;
mod kill;
mod load;
mod server;
mod similar;
mod synthetic;
mod threshold;
mod writer;

use std::io::Write;

pub(crate) use server::DatabaseServer;
pub(crate) use synthetic::{RandomSource, vector};

use findall_store::StoreError;

use crate::EvalError;

/// Arguments of `findall-eval store`.
#[derive(Debug, clap::Args)]
pub struct StoreArgs {
    #[command(subcommand)]
    verb: StoreVerb,
}

/// What is measured.
#[derive(Debug, clap::Subcommand)]
enum StoreVerb {
    /// Kill a writing process, or the server, at random moments; afterwards every acknowledged write must be there
    Kill(kill::StoreKillArgs),
    /// A question that was asked before: time through the whole cascade
    Cached(cached::CachedArgs),
    /// Similar questions among many: time, and recall against comparing all of them
    Similar(similar::SimilarArgs),
    /// From which likeness on a question of another page is about the same
    Threshold(threshold::ThresholdArgs),
    /// Write and print what was acknowledged until killed: the child of `kill`
    #[command(hide = true)]
    Write(writer::WriteArgs),
}

/// Which database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Backend {
    /// A file
    Sqlite,
    /// A server, started for this by scripts/postgres.sh
    Postgresql,
}

impl Backend {
    fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "SQLite",
            Self::Postgresql => "PostgreSQL",
        }
    }
}

/// Measures.
pub fn run(args: &StoreArgs, out: &mut dyn Write) -> Result<(), EvalError> {
    match &args.verb {
        StoreVerb::Kill(args) => kill::run(args, out),
        StoreVerb::Cached(args) => cached::run(args, out),
        StoreVerb::Similar(args) => similar::run(args, out),
        StoreVerb::Threshold(args) => threshold::run(args, out),
        StoreVerb::Write(args) => writer::run(args),
    }
}

fn wrap_error(error: StoreError) -> EvalError {
    EvalError::Program { program: "store".into(), message: error.to_string() }
}

fn make_error(message: impl Into<String>) -> EvalError {
    EvalError::Program { program: "store".into(), message: message.into() }
}
