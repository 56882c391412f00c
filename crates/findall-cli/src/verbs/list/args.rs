//! What `findall list` can be told: every choice of the method, with its default.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use findall::list::{
    Batching, ListOptions, PromptStyle, Relation, RelationError, RerankMethod, Retriever, Scrutiny,
};
use findall_service::list::{ListChoices, ListLimit, ListRequest};

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
    subject: Vec<String>,

    /// What of: see below; all that fit when left out; may be given several times
    #[arg(long, value_name = "WORDS")]
    relation: Vec<String>,

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
    /// What is asked, every choice checked.
    pub(super) fn request(&self) -> Result<ListRequest, Failure> {
        let relations = self.relation.iter().map(|words| Relation::read(words)).collect::<Result<_, _>>();
        let relations = relations.map_err(|error: RelationError| Failure::Usage(error.to_string()))?;
        let choices = self.choices();
        choices.options(&Relation::Parent).map_err(limit_failure)?;
        Ok(ListRequest { subjects: self.subject.clone(), relations, choices })
    }

    fn choices(&self) -> ListChoices {
        ListChoices {
            options: ListOptions {
                retriever: match self.retriever {
                    RetrieverArg::Words => Retriever::Words,
                    RetrieverArg::Dense => Retriever::Dense,
                    RetrieverArg::Both => Retriever::Both,
                },
                pool: self.pool,
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
                masked: self.masked,
                threshold: self.threshold,
                ..ListOptions::default()
            },
            top: self.passages,
            scrutiny: self.test.map(|test| match test {
                TestArg::Calibrated => Scrutiny::Calibrated,
                TestArg::Thr => Scrutiny::Thr,
                TestArg::Conf => Scrutiny::Conf,
                TestArg::Pred => Scrutiny::Pred,
                TestArg::Dis => Scrutiny::Dis,
                TestArg::ThrPred => Scrutiny::ThrPred,
                TestArg::ThrDis => Scrutiny::ThrDis,
            }),
            read: self.read,
            by_larger: self.llm.llm.is_some(),
        }
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

/// A choice that no list can be made with, by the names of its flags.
pub(super) fn limit_failure(limit: ListLimit) -> Failure {
    let flags = match limit {
        ListLimit::Threshold => "--threshold",
        ListLimit::Passages => "--pool, --passages and --batch",
    };
    Failure::Usage(format!("{flags} {limit}"))
}
