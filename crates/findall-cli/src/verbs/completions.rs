//! `findall completions SHELL`: a completion script on stdout.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::args::RawArgs;
use crate::failure::{Failure, Outcome};
use crate::output::Output;

/// Arguments of `findall completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell to complete in
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the script.
pub fn run(args: CompletionsArgs) -> Result<Outcome, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut RawArgs::command(), "findall", &mut script);
    Output::stdout().write(&script)?;
    Ok(Outcome::Found)
}
