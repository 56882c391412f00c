//! `findall eval VERB`: hands over to `findall-eval`, which measures and records.

use clap::Args;

use crate::failure::{Failure, Outcome};
use crate::output::Output;

/// Arguments of `findall eval`.
#[derive(Debug, Args)]
pub struct EvalArgs {
    #[command(subcommand)]
    verb: findall_eval::EvalVerb,
}

/// Measures; the table goes to stdout.
pub fn run(args: EvalArgs) -> Result<Outcome, Failure> {
    let mut table = Vec::new();
    findall_eval::run(args.verb, &mut table).map_err(|error| Failure::Verb(error.to_string()))?;
    Output::stdout().write(&table)?;
    Ok(Outcome::Found)
}
