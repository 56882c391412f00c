//! What was typed, word for word: nothing is resolved here, no default is filled in.
//! [`crate::config`] turns it into settings. Flags that several verbs take are groups here and in [`crate::walk`].

use std::path::PathBuf;

use clap::{Args, Parser};

use crate::absent;
use crate::config::Config;
use crate::config::layer::{Layer, Paths};
use crate::failure::Failure;
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

/// Where the models lie.
#[derive(Debug, Args)]
pub struct ModelArgs {
    /// Folder of the models [default: those that came with the program]
    #[arg(long, value_name = "DIR")]
    pub model: Option<PathBuf>,
}

/// Where the knowledge lies.
#[derive(Debug, Args)]
pub struct KnowledgeArgs {
    /// Knowledge base; several are layered, the first wins; `default` is the one that came with the program
    #[arg(long, value_name = "FILE")]
    pub kb: Vec<PathBuf>,
}

/// Where models and knowledge lie.
#[derive(Debug, Args)]
pub struct EngineArgs {
    #[command(flatten)]
    models: ModelArgs,

    #[command(flatten)]
    knowledge: KnowledgeArgs,
}

impl ModelArgs {
    /// What these flags set.
    pub fn layer(&self) -> Layer {
        Layer { model: self.model.clone(), ..Layer::default() }
    }
}

impl KnowledgeArgs {
    /// What these flags set.
    pub fn layer(&self) -> Layer {
        Layer { kb: Paths::from_flag(self.kb.clone()), ..Layer::default() }
    }
}

impl EngineArgs {
    /// What these flags set.
    pub fn layer(&self) -> Layer {
        self.models.layer().or(self.knowledge.layer())
    }

    /// Settings with these places.
    pub fn config(&self) -> Result<Config, Failure> {
        Config::read(self.layer())
    }
}

/// A number from 0 to 1, as confidences and shares are.
pub fn parse_share(typed: &str) -> Result<f32, String> {
    let value: f32 = typed.parse().map_err(|_| "a number from 0 to 1".to_owned())?;
    if (0.0..=1.0).contains(&value) { Ok(value) } else { Err("a number from 0 to 1".into()) }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use clap::{Command, CommandFactory};

    use super::*;

    fn gather_letters(command: &Command, meanings: &mut BTreeMap<char, BTreeSet<String>>) {
        for flag in command.get_arguments() {
            if let (Some(letter), Some(name)) = (flag.get_short(), flag.get_long()) {
                meanings.entry(letter).or_default().insert(name.to_owned());
            }
        }
        command.get_subcommands().for_each(|verb| gather_letters(verb, meanings));
    }

    #[test]
    fn a_letter_means_the_same_flag_in_every_verb() {
        let mut meanings = BTreeMap::new();
        gather_letters(&RawArgs::command(), &mut meanings);
        assert!(meanings.contains_key(&'m'));
        for (letter, names) in meanings {
            assert_eq!(names.len(), 1, "-{letter}: {names:?}");
        }
    }
}
