//! `findall man`: the manual page in roff on stdout (`findall man | man -l -`).

use clap::{Args, CommandFactory};

use crate::args::RawArgs;
use crate::failure::{Failure, Outcome};
use crate::output::Output;

/// Arguments of `findall man`.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// The page of one verb instead of the whole command
    #[arg(value_name = "VERB")]
    verb: Option<String>,
}

/// Prints the page.
pub fn run(args: ManArgs) -> Result<Outcome, Failure> {
    let mut command = RawArgs::command();
    command.build();
    let page = match args.verb {
        None => clap_mangen::Man::new(command),
        Some(name) => {
            let verb = command.find_subcommand(&name).cloned();
            let verb = verb.ok_or_else(|| Failure::Usage(format!("no verb {name:?}: see findall --help")))?;
            clap_mangen::Man::new(verb).title(format!("findall-{name}"))
        }
    };
    let mut roff = Vec::new();
    page.render(&mut roff)?;
    Output::stdout().write(&roff)?;
    Ok(Outcome::Found)
}
