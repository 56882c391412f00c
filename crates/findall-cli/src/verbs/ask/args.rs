//! What may be typed after `findall ask`.

use std::path::PathBuf;

use clap::Args;
use findall::ask::AskOptions;
use findall_service::ask::{AskQuery, MAX_ANSWERS, MAX_READ_PASSAGES};

use crate::args::{CacheArgs, EngineArgs, JsonArgs, LibrarySourceArgs, StorePlaceArgs, StyleArgs, TypoArgs};
use crate::config::Config;
use crate::config::layer::Layer;
use crate::llm::LlmArgs;
use crate::walk::FileArgs;

/// Arguments of `findall ask`.
#[derive(Debug, Args)]
pub struct AskArgs {
    /// The question, in plain words
    pub question: String,

    /// Files and folders to ask; - is standard input [default: a pipe if there is one, else this folder]
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    #[command(flatten)]
    pub source: LibrarySourceArgs,

    /// Most answers given [default: 5; a list ("which companies are mentioned?") is given whole]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MAX_ANSWERS as i64), help_heading = "What counts as an answer")]
    pub top: Option<u16>,

    /// Least confidence of an answer, 0 to 1 [default: what the reader was fitted with]
    #[arg(long, value_name = "P", value_parser = crate::args::parse_share, help_heading = "What counts as an answer")]
    pub threshold: Option<f32>,

    /// Passages read at most; longer texts are ranked first and their likeliest passages read
    #[arg(long, value_name = "N", default_value_t = AskOptions::default().passages as u32, value_parser = clap::value_parser!(u32).range(1..=MAX_READ_PASSAGES as i64), help_heading = "What counts as an answer")]
    pub passages: u32,

    #[command(flatten, next_help_heading = "What counts as an answer")]
    pub typos: TypoArgs,

    #[command(flatten, next_help_heading = "What counts as an answer")]
    pub engine: EngineArgs,

    #[command(flatten, next_help_heading = "What counts as an answer")]
    pub cache: CacheArgs,

    /// Read anew, whatever is remembered
    #[arg(long, help_heading = "What is remembered")]
    pub fresh: bool,

    /// Remember nothing of this question; what is remembered already is still used
    #[arg(long, help_heading = "What is remembered")]
    pub no_remember: bool,

    #[command(flatten, next_help_heading = "What is remembered")]
    pub store: StorePlaceArgs,

    #[command(flatten, next_help_heading = "A larger model, asked where the reader is not sure")]
    pub llm: LlmArgs,

    #[command(flatten)]
    pub files: FileArgs,

    /// Show the sentences nearest to the question too, and how much was read
    #[arg(long, help_heading = "Output")]
    pub evidence: bool,

    #[command(flatten, next_help_heading = "Output")]
    pub output: JsonArgs,

    #[command(flatten, next_help_heading = "Output")]
    pub style: StyleArgs,
}

impl AskArgs {
    /// What the flags say about settings that variables and files can set too.
    pub fn layer(&self) -> Layer {
        let own = Layer {
            hidden: self.files.walk.hidden.then_some(true),
            remember: self.no_remember.then_some(false),
            ..self.engine.layer()
        };
        [self.style.layer(), self.cache.layer(), self.store.layer(), self.typos.layer()]
            .into_iter()
            .fold(own, Layer::or)
    }

    /// The question as findall-service takes it, with what was typed about its answers.
    pub fn query(&self, config: &Config) -> AskQuery<'_> {
        AskQuery {
            top: self.top.map(usize::from),
            threshold: self.threshold,
            passages: self.passages as usize,
            correct_typos: config.typos,
            ..AskQuery::new(&self.question, MAX_ANSWERS)
        }
    }
}
