//! What may be typed after `findall ask`.

use std::path::PathBuf;

use clap::Args;
use findall::ask::AskOptions;

use crate::absent::Part;
use crate::args::EngineArgs;
use crate::config::Config;
use crate::config::layer::{ColorWhen, Layer};
use crate::llm::LlmArgs;
use crate::walk::FileArgs;

/// Passages read unless the person says otherwise.
const DEFAULT_PASSAGES: u32 = 32;

/// Arguments of `findall ask`.
#[derive(Debug, Args)]
pub struct AskArgs {
    /// The question, in plain words
    pub question: String,

    /// Files and folders to ask; - is standard input [default: a pipe if there is one, else this folder]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// Ask a library that findall index made: its likeliest documents are read
    #[arg(long, value_name = "DIR", conflicts_with = "paths", hide = !Part::Library.is_present())]
    pub library: Option<PathBuf>,

    /// Most answers given; a list ("which companies are mentioned?") is given whole
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=1000), help_heading = "What counts as an answer")]
    pub top: u16,

    /// Least confidence of an answer, 0 to 1 [default: what the reader was fitted with]
    #[arg(long, value_name = "P", value_parser = crate::args::parse_share, help_heading = "What counts as an answer")]
    pub threshold: Option<f32>,

    /// Passages read at most; longer texts are ranked first and their likeliest passages read
    #[arg(long, value_name = "N", default_value_t = DEFAULT_PASSAGES, value_parser = clap::value_parser!(u32).range(1..=1_000_000), help_heading = "What counts as an answer")]
    pub passages: u32,

    /// Forgive no typing errors
    #[arg(long, help_heading = "What counts as an answer")]
    pub no_typos: bool,

    #[command(flatten, next_help_heading = "What counts as an answer")]
    pub engine: EngineArgs,

    /// Keep nothing of what is worked out about the documents
    #[arg(long, help_heading = "What counts as an answer")]
    pub no_cache: bool,

    /// Read anew, whatever is remembered
    #[arg(long, help_heading = "What is remembered")]
    pub fresh: bool,

    /// Remember nothing of this question; what is remembered already is still used
    #[arg(long, help_heading = "What is remembered")]
    pub no_remember: bool,

    /// Where questions and answers are remembered: a file, or postgres://… [default: store.db among your data]
    #[arg(long, value_name = "PLACE", help_heading = "What is remembered")]
    pub store: Option<String>,

    #[command(flatten, next_help_heading = "A larger model, asked where the reader is not sure")]
    pub llm: LlmArgs,

    #[command(flatten)]
    pub files: FileArgs,

    /// Show the sentences nearest to the question too, and how much was read
    #[arg(long, help_heading = "Output")]
    pub evidence: bool,

    /// JSON Lines: begin, reading, answer, evidence, end
    #[arg(long, help_heading = "Output")]
    pub json: bool,

    /// When to colour [default: auto]
    #[arg(long, value_enum, value_name = "WHEN", help_heading = "Output")]
    pub color: Option<ColorWhen>,

    /// As on a terminal, wherever the output goes: colours, origin and time of the answers
    #[arg(short = 'p', long, help_heading = "Output")]
    pub pretty: bool,
}

impl AskArgs {
    /// What the flags say about settings that variables and files can set too.
    pub fn layer(&self) -> Layer {
        Layer {
            color: self.color.or(self.pretty.then_some(ColorWhen::Always)),
            typos: self.no_typos.then_some(false),
            hidden: self.files.walk.hidden.then_some(true),
            cache: self.no_cache.then_some(false),
            remember: self.no_remember.then_some(false),
            store: self.store.clone(),
            ..self.engine.layer()
        }
    }

    /// How the documents are read.
    pub fn options(&self, config: &Config) -> AskOptions {
        AskOptions {
            top: usize::from(self.top),
            threshold: self.threshold,
            passages: self.passages as usize,
            correct_typos: config.typos,
            ..AskOptions::default()
        }
    }
}
