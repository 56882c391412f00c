//! `findall eval VERB`: measuring is a program of its own; whoever types the old command is told the new one.

use clap::Args;

use crate::failure::{Failure, Outcome};

/// Arguments of the old `findall eval`: whatever was typed.
#[derive(Debug, Args)]
pub struct EvalArgs {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, num_args = 0..)]
    typed: Vec<String>,
}

/// Names the new command.
pub fn run(args: EvalArgs) -> Result<Outcome, Failure> {
    let typed = args.typed.join(" ");
    let message = format!(
        "measuring is a program of its own now; in the checkout: cargo run --release -p findall-eval -- {typed}"
    );
    Err(Failure::Usage(message.trim_end().to_owned()))
}
