//! The `findall-eval` command: measures findall. A verb and its data enter; a table leaves on stdout, and a dated record
//! under `eval/record`. Exit status: 0 measured, 2 something went wrong.

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use findall_eval::{EvalError, EvalVerb};

/// The whole command line.
#[derive(Debug, Parser)]
#[command(name = "findall-eval", version, about = "Measures findall and records the result")]
struct EvalArgs {
    #[command(subcommand)]
    verb: EvalVerb,
}

fn main() -> ExitCode {
    match measure(EvalArgs::parse().verb) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the table went away (`findall-eval … | head`): not a problem.
        Err(EvalError::Table(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            // When stderr itself is closed there is nobody left to tell.
            let _ = writeln!(std::io::stderr(), "findall-eval: {error}");
            ExitCode::from(2)
        }
    }
}

/// Measures; the table is written in one piece, so that warnings do not stand in the middle of it.
fn measure(verb: EvalVerb) -> Result<(), EvalError> {
    let mut table = Vec::new();
    findall_eval::run(verb, &mut table)?;
    let mut out = std::io::stdout().lock();
    out.write_all(&table)?;
    Ok(out.flush()?)
}
