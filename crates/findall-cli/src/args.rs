//! What was typed, word for word: nothing is resolved here, no default is filled in.
//! [`crate::config`] turns it into settings. Flags that several verbs take are groups here and in [`crate::walk`].

use std::path::PathBuf;

use clap::{Args, Parser};

use crate::absent::{self, Part};
use crate::config::Config;
use crate::config::layer::{ColorWhen, Layer, Paths};
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

/// How what is printed looks.
#[derive(Debug, Args)]
pub struct StyleArgs {
    /// When to colour [default: auto]
    #[arg(long, value_enum, value_name = "WHEN")]
    color: Option<ColorWhen>,

    /// As on a terminal, wherever the output goes: colours, and all that is said beside them
    #[arg(short = 'p', long)]
    pub pretty: bool,
}

/// For programs instead of people.
#[derive(Debug, Args)]
pub struct JsonArgs {
    /// One JSON object a line
    #[arg(long)]
    pub json: bool,
}

/// What is kept of the work.
#[derive(Debug, Args)]
pub struct CacheArgs {
    /// Keep nothing on disk of what is worked out
    #[arg(long)]
    no_cache: bool,
}

/// How much is thought about what was found.
#[derive(Debug, Args)]
pub struct JudgeArgs {
    /// Stay with the encoder's first answer and ask no judge: quicker, and more often wrong
    #[arg(long)]
    pub fast: bool,
}

/// How words are read.
#[derive(Debug, Args)]
pub struct TypoArgs {
    /// Forgive no typing errors
    #[arg(long)]
    no_typos: bool,
}

/// What is read instead of files and folders.
#[derive(Debug, Args)]
pub struct LibrarySourceArgs {
    /// Read a library that findall index made: its likeliest documents, best first
    #[arg(long, value_name = "DIR", conflicts_with = "paths", hide = !Part::Library.is_present())]
    pub library: Option<PathBuf>,
}

/// Where findall remembers.
#[derive(Debug, Args)]
pub struct StorePlaceArgs {
    /// Where questions and answers are remembered: a file, or postgres://… [default: store.db among your data]
    #[arg(long, global = true, value_name = "PLACE")]
    store: Option<String>,
}

impl StyleArgs {
    /// What these flags set.
    pub fn layer(&self) -> Layer {
        Layer { color: self.color.or(self.pretty.then_some(ColorWhen::Always)), ..Layer::default() }
    }
}

impl CacheArgs {
    /// What these flags set.
    pub fn layer(&self) -> Layer {
        Layer { cache: self.no_cache.then_some(false), ..Layer::default() }
    }
}

impl JudgeArgs {
    /// What these flags set.
    pub fn layer(&self) -> Layer {
        Layer { fast: self.fast.then_some(true), ..Layer::default() }
    }
}

impl TypoArgs {
    /// What these flags set.
    pub fn layer(&self) -> Layer {
        Layer { typos: self.no_typos.then_some(false), ..Layer::default() }
    }
}

impl StorePlaceArgs {
    /// What these flags set.
    pub fn layer(&self) -> Layer {
        Layer { store: self.store.clone(), ..Layer::default() }
    }
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
