//! What `findall list` can be told: every choice of the method, with its default.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use findall::list::{Batching, ListOptions, PromptStyle, Relation, RerankMethod, Retriever, Scrutiny};

use crate::absent::Part;
use crate::args::EngineArgs;
use crate::failure::Failure;
use crate::llm::LlmArgs;

/// Arguments of `findall list`.
#[derive(Debug, Args)]
#[command(
    after_help = "Relations: parent, child, sibling, family, friend, opponent, hasPlace, hasMember, or words of \
    your own: \"employers\", \"weapons used by\".\nExit status: 0 something was accepted, 1 nothing was, 2 something \
    went wrong."
)]
pub struct ListArgs {
    /// The book; - for standard input
    #[arg(value_name = "BOOK")]
    pub(super) book: PathBuf,

    /// Whose: any name that the book uses; may be given several times
    #[arg(long, value_name = "NAME", required = true)]
    pub(super) subject: Vec<String>,

    /// What of: see below; all that fit when left out; may be given several times
    #[arg(long, value_name = "WORDS")]
    pub(super) relation: Vec<String>,

    /// Objects from this probability on are accepted
    #[arg(long, value_name = "P", default_value_t = ListOptions::default().threshold)]
    threshold: f32,

    /// Show what was not accepted, too
    #[arg(long)]
    pub(super) all: bool,

    /// How the result is written
    #[arg(long, value_name = "FORM", value_enum, default_value_t = Form::Table)]
    output_format: Form,

    /// One JSON object a list; the same as --output-format json
    #[arg(long)]
    json: bool,

    /// What ranks passages
    #[arg(long, value_enum, default_value_t = RetrieverArg::Both)]
    retriever: RetrieverArg,

    /// Passages retrieved
    #[arg(long, value_name = "N", default_value_t = ListOptions::default().pool)]
    pool: usize,

    /// Passages that candidates are taken from [default: 500, or 20 for a larger model]
    #[arg(long, value_name = "N")]
    passages: Option<usize>,

    /// Passages in a batch
    #[arg(long, value_name = "N", default_value_t = ListOptions::default().batch)]
    batch: usize,

    /// How passages are re-ranked
    #[arg(long, value_enum, default_value_t = RerankArg::Plain)]
    rerank: RerankArg,

    /// How batches are made
    #[arg(long, value_enum, default_value_t = BatchingArg::Ranked)]
    batching: BatchingArg,

    /// Which test decides [default: calibrated, or thr for a larger model]
    #[arg(long, value_enum)]
    test: Option<TestArg>,

    /// Hide other names from the tests' vectors
    #[arg(long)]
    masked: bool,

    /// Passages that the reader is asked about [default: 20 for relations in your own words, else 0]
    #[arg(long, value_name = "N")]
    read: Option<usize>,

    /// How a larger model is asked
    #[arg(long, value_enum, default_value_t = PromptStyleArg::Conv, requires = "llm", hide = !Part::Larger.is_present())]
    prompting: PromptStyleArg,

    /// The book's title, as a larger model may know it [default: the document's own, or the file's name]
    #[arg(long, value_name = "TEXT", requires = "llm", hide = !Part::Larger.is_present())]
    pub(super) title: Option<String>,

    #[command(flatten)]
    pub(super) llm: LlmArgs,

    #[command(flatten)]
    pub(super) engine: EngineArgs,
}

/// How the result is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Form {
    /// A table with the best passage of each object
    Table,
    /// One JSON object a list
    Json,
    /// A page with all support, linked into the text
    Html,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RetrieverArg {
    /// BM25
    Words,
    /// The encoder
    Dense,
    /// Both, fused
    Both,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RerankArg {
    /// As retrieved
    Plain,
    /// Those with many names first
    Num,
    /// Round robin over clusters
    Div,
    /// A second round, its query amplified by the first
    Amp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum BatchingArg {
    /// Neighbours in rank
    Ranked,
    /// Those that share names
    Neo,
    /// Those that are alike
    Sim,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TestArg {
    /// All evidence, calibrated
    Calibrated,
    /// Within 80 % of the score mass
    Thr,
    /// The reader names it when asked with its support
    Conf,
    /// Support near the relation's own vector
    Pred,
    /// Support nearer to the best candidates' than to the worst's
    Dis,
    /// Within half of the score mass, or pred
    #[value(name = "thr50+pred")]
    ThrPred,
    /// Within half of the score mass, or dis
    #[value(name = "thr50+dis")]
    ThrDis,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PromptStyleArg {
    /// Each batch of passages on its own
    Single,
    /// What the model knows by itself first, then each batch as a follow-up
    Conv,
    /// As conv, with the passages of each of five queries
    Ensemble,
}

impl ListArgs {
    /// Every choice, checked.
    pub(super) fn options(&self, relation: &Relation) -> Result<ListOptions, Failure> {
        if !(0.0..=1.0).contains(&self.threshold) {
            return Err(Failure::Usage("--threshold must lie between 0 and 1".into()));
        }
        let defaults = ListOptions::default();
        let top = self.passages.unwrap_or(if self.llm.llm.is_some() { 20 } else { defaults.top });
        if self.pool == 0 || top == 0 || self.batch == 0 {
            return Err(Failure::Usage("--pool, --passages and --batch must be at least 1".into()));
        }
        let free = matches!(relation, Relation::Free(_));
        Ok(ListOptions {
            retriever: match self.retriever {
                RetrieverArg::Words => Retriever::Words,
                RetrieverArg::Dense => Retriever::Dense,
                RetrieverArg::Both => Retriever::Both,
            },
            pool: self.pool,
            top,
            batch: self.batch,
            rerank: match self.rerank {
                RerankArg::Plain => RerankMethod::Plain,
                RerankArg::Num => RerankMethod::Num,
                RerankArg::Div => RerankMethod::Div,
                RerankArg::Amp => RerankMethod::Amp,
            },
            batching: match self.batching {
                BatchingArg::Ranked => Batching::Ranked,
                BatchingArg::Neo => Batching::Neo,
                BatchingArg::Sim => Batching::Sim,
            },
            scrutiny: match self.test {
                None if self.llm.llm.is_some() => Scrutiny::Thr,
                None | Some(TestArg::Calibrated) => Scrutiny::Calibrated,
                Some(TestArg::Thr) => Scrutiny::Thr,
                Some(TestArg::Conf) => Scrutiny::Conf,
                Some(TestArg::Pred) => Scrutiny::Pred,
                Some(TestArg::Dis) => Scrutiny::Dis,
                Some(TestArg::ThrPred) => Scrutiny::ThrPred,
                Some(TestArg::ThrDis) => Scrutiny::ThrDis,
            },
            masked: self.masked,
            read: self.read.unwrap_or(if free { 20 } else { 0 }),
            threshold: self.threshold,
            ..defaults
        })
    }

    /// How a larger model is asked.
    pub(super) fn prompting(&self) -> PromptStyle {
        match self.prompting {
            PromptStyleArg::Single => PromptStyle::Single,
            PromptStyleArg::Conv => PromptStyle::Conv,
            PromptStyleArg::Ensemble => PromptStyle::Ensemble,
        }
    }

    /// How the result is written.
    pub(super) fn form(&self) -> Form {
        if self.json { Form::Json } else { self.output_format }
    }
}
