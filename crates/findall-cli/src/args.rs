//! What was typed, word for word: nothing is resolved here, no default is filled in.
//! [`crate::config`] turns it into settings.

use clap::Parser;

use crate::absent;
use crate::verbs::{Verb, find::FindArgs};

/// The whole command line.
#[derive(Debug, Parser)]
#[command(
    name = "findall",
    version,
    about = "The Ctrl+F that understands: finds everything in a document that you mean",
    after_help = absent::HELP_NOTE,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub struct RawArgs {
    /// A verb, when the first word is one.
    #[command(subcommand)]
    pub verb: Option<Verb>,

    /// Open no connection; as a setting (offline = true) it binds every verb, too
    #[arg(long, global = true)]
    pub offline: bool,

    /// A bare query is `find`.
    #[command(flatten)]
    pub find: FindArgs,
}

/// A number from 0 to 1, as confidences and shares are.
pub fn share(typed: &str) -> Result<f32, String> {
    let value: f32 = typed.parse().map_err(|_| "a number from 0 to 1".to_owned())?;
    if (0.0..=1.0).contains(&value) { Ok(value) } else { Err("a number from 0 to 1".into()) }
}
