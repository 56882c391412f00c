//! Verbs of parts that this program was built without: whoever types one is told how to get it.

use clap::Args;

use crate::failure::{Failure, Outcome};

/// Arguments of a verb that is not here: whatever was typed.
#[derive(Debug, Args)]
pub struct AbsentArgs {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, num_args = 0.., hide = true)]
    typed: Vec<String>,
}

/// Says what is missing, and the command that builds the whole program.
pub fn refuse(verb: &str, AbsentArgs { typed: _ }: AbsentArgs) -> Result<Outcome, Failure> {
    Err(Failure::Usage(absent(&format!("findall {verb}"))))
}

/// The line about a part that is not here.
pub fn absent(part: &str) -> String {
    format!(
        "{part} is not in this build; get the whole program: cargo install --path crates/findall-cli --profile dist"
    )
}
