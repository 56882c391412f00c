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
    parse_within(typed, 0.0, 1.0)
}

/// A number from -1 to 1, as cosines are.
pub fn parse_cosine(typed: &str) -> Result<f32, String> {
    parse_within(typed, -1.0, 1.0)
}

fn parse_within(typed: &str, least: f32, most: f32) -> Result<f32, String> {
    let value = typed.parse().ok().filter(|value| (least..=most).contains(value));
    value.ok_or_else(|| format!("a number from {least} to {most}"))
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

    fn gather_limits(command: &Command, path: &str, found: &mut Vec<[String; 3]>) {
        for flag in command.get_arguments() {
            let Some(name @ ("max-count" | "top" | "threshold")) = flag.get_long() else { continue };
            let default = flag.get_default_values().first().map(|value| value.to_string_lossy().into_owned());
            found.push([path.to_owned(), name.to_owned(), default.unwrap_or_default()]);
        }
        for verb in command.get_subcommands() {
            gather_limits(verb, format!("{path} {}", verb.get_name()).trim(), found);
        }
    }

    /// How many and how sure, as every verb has it when nobody says otherwise; empty where a setting or the engine decides.
    const DEFAULT_LIMITS: &[[&str; 3]] = &[
        ["", "max-count", ""],
        ["", "threshold", ""],
        ["", "top", ""],
        ["ask", "threshold", ""],
        ["ask", "top", ""],
        ["find", "max-count", ""],
        ["find", "threshold", ""],
        ["find", "top", ""],
        ["kb find", "max-count", "20"],
        ["kb find", "threshold", ""],
        ["kb layer", "max-count", "20"],
        ["kb link", "threshold", "0.25"],
        ["kb merge", "max-count", "18446744073709551615"],
        ["kb search", "max-count", "20"],
        ["kb show", "max-count", "5"],
        ["like", "top", "10"],
        ["list", "threshold", "0.5"],
        ["names", "top", ""],
        ["store similar", "max-count", "10"],
        ["store similar", "threshold", "0.7"],
        ["store top", "max-count", "10"],
    ];

    #[test]
    fn no_default_of_a_limit_changes_unnoticed() {
        let mut found = Vec::new();
        gather_limits(&RawArgs::command(), "", &mut found);
        found.sort();
        let absent = |verb: &str| match verb {
            "kb merge" => !Part::Builder.is_present(),
            "like" => !Part::Library.is_present(),
            _ => false,
        };
        let expected = DEFAULT_LIMITS.iter().filter(|[verb, ..]| !absent(verb));
        assert_eq!(found, expected.map(|row| row.map(str::to_owned)).collect::<Vec<_>>());
    }

    #[test]
    fn a_cosine_is_a_number_from_minus_one_to_one() {
        for (typed, value) in
            [("-1", Some(-1.0)), ("0.5", Some(0.5)), ("1.01", None), ("NaN", None), ("x", None)]
        {
            assert_eq!(parse_cosine(typed).ok(), value, "{typed}");
        }
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
