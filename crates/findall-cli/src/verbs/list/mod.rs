//! `findall list BOOK --subject S --relation R`: a long, complete list of objects from a whole book, each with the
//! passages that speak for it.
//!
//! What was worked out is kept: names and vectors of the book as they are found, lists as they are done. A run that was
//! stopped goes on where it was when it is started again.

mod html;
mod kept;
mod report;

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use findall::ask::Reader;
use findall::list::{Batching, Book, ListOptions, Relation, Rerank, Retriever, Scrutiny, Stage};
use findall::names::Cast;
use findall::{Document, Engine};

use self::kept::Kept;
use self::report::{Report, table};
use crate::book::{self, EngineArgs};
use crate::config::Config;
use crate::failure::{Failure, Outcome};
use crate::interrupt;
use crate::output::Output;
use crate::progress::Progress;

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
    book: PathBuf,

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
    all: bool,

    /// How the result is written
    #[arg(long, value_enum, default_value_t = Form::Table)]
    format: Form,

    /// One JSON object a list; the same as --format json
    #[arg(long)]
    json: bool,

    /// What ranks passages
    #[arg(long, value_enum, default_value_t = RetrieverArg::Both)]
    retriever: RetrieverArg,

    /// Passages retrieved
    #[arg(long, value_name = "N", default_value_t = ListOptions::default().pool)]
    pool: usize,

    /// Passages that candidates are taken from
    #[arg(long, value_name = "N", default_value_t = ListOptions::default().top)]
    top: usize,

    /// Passages in a batch
    #[arg(long, value_name = "N", default_value_t = ListOptions::default().batch)]
    batch: usize,

    /// How passages are re-ranked
    #[arg(long, value_enum, default_value_t = RerankArg::Plain)]
    rerank: RerankArg,

    /// How batches are made
    #[arg(long, value_enum, default_value_t = BatchingArg::Ranked)]
    batching: BatchingArg,

    /// Which test decides
    #[arg(long, value_enum, default_value_t = TestArg::Calibrated)]
    test: TestArg,

    /// Hide other names from the tests' vectors
    #[arg(long)]
    masked: bool,

    /// Passages that the reader is asked about [default: 20 for relations in your own words, else 0]
    #[arg(long, value_name = "N")]
    read: Option<usize>,

    #[command(flatten)]
    engine: EngineArgs,
}

/// How the result is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
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

impl ListArgs {
    fn options(&self, relation: &Relation) -> Result<ListOptions, Failure> {
        if !(0.0..=1.0).contains(&self.threshold) {
            return Err(Failure::Usage("--threshold must lie between 0 and 1".into()));
        }
        if self.pool == 0 || self.top == 0 || self.batch == 0 {
            return Err(Failure::Usage("--pool, --top and --batch must be at least 1".into()));
        }
        let free = matches!(relation, Relation::Free(_));
        Ok(ListOptions {
            retriever: match self.retriever {
                RetrieverArg::Words => Retriever::Words,
                RetrieverArg::Dense => Retriever::Dense,
                RetrieverArg::Both => Retriever::Both,
            },
            pool: self.pool,
            top: self.top,
            batch: self.batch,
            rerank: match self.rerank {
                RerankArg::Plain => Rerank::Plain,
                RerankArg::Num => Rerank::Num,
                RerankArg::Div => Rerank::Div,
                RerankArg::Amp => Rerank::Amp,
            },
            batching: match self.batching {
                BatchingArg::Ranked => Batching::Ranked,
                BatchingArg::Neo => Batching::Neo,
                BatchingArg::Sim => Batching::Sim,
            },
            scrutiny: match self.test {
                TestArg::Calibrated => Scrutiny::Calibrated,
                TestArg::Thr => Scrutiny::Thr,
                TestArg::Conf => Scrutiny::Conf,
                TestArg::Pred => Scrutiny::Pred,
                TestArg::Dis => Scrutiny::Dis,
                TestArg::ThrPred => Scrutiny::ThrPred,
                TestArg::ThrDis => Scrutiny::ThrDis,
            },
            masked: self.masked,
            read: self.read.unwrap_or(if free { 20 } else { 0 }),
            threshold: self.threshold,
            ..ListOptions::default()
        })
    }
}

/// Lists; exit 1 when nothing was accepted.
pub fn run(args: ListArgs) -> Result<Outcome, Failure> {
    let mut relations: Vec<Relation> = Vec::new();
    for words in &args.relation {
        relations.push(Relation::read(words).map_err(|error| Failure::Usage(error.to_string()))?);
    }
    args.options(&Relation::Parent)?;
    let document = book::open(&args.book)?;
    let config = args.engine.config()?;
    interrupt::install();
    let kept = Kept::new(&config, &document);
    let mut reports: Vec<Report> = Vec::new();
    if let Some(done) = all_kept(&args, &relations, &kept) {
        reports = done?;
    } else {
        let engine = book::engine(&config)?;
        Run { args: &args, config: &config, document: &document, engine: &engine, kept: &kept }
            .lists(&relations, &mut reports)?;
    }
    let form = if args.json { Form::Json } else { args.format };
    let out = match form {
        Form::Table => reports.iter().map(|report| table(report, args.all)).collect::<Vec<_>>().join("\n"),
        Form::Json => reports.iter().map(|report| report.json() + "\n").collect(),
        Form::Html => html::page(&reports, &args.book, args.all),
    };
    Output::stdout().write(out.as_bytes())?;
    let any = reports.iter().any(|report| report.objects.iter().any(|object| object.accepted));
    Ok(if any { Outcome::Found } else { Outcome::Nothing })
}

/// Every list that is asked for, if all were made before: then nothing needs to be loaded.
fn all_kept(args: &ListArgs, relations: &[Relation], kept: &Kept) -> Option<Result<Vec<Report>, Failure>> {
    if relations.is_empty() {
        return None;
    }
    let mut reports = Vec::new();
    for subject in &args.subject {
        for relation in relations {
            match args.options(relation) {
                Ok(options) => reports.push(kept.get(subject, relation, &options)?),
                Err(failure) => return Some(Err(failure)),
            }
        }
    }
    Some(Ok(reports))
}

/// One run over a book.
struct Run<'r> {
    args: &'r ListArgs,
    config: &'r Config,
    document: &'r Document,
    engine: &'r Engine,
    kept: &'r Kept,
}

impl Run<'_> {
    fn lists(&self, relations: &[Relation], reports: &mut Vec<Report>) -> Result<(), Failure> {
        let failed = |error: findall::encode::ModelError| Failure::Verb(error.to_string());
        let progress = Progress::start();
        let mut tell = book::teller(&progress, self.document);
        let cast = self.engine.cast(self.document, &mut tell).map_err(failed)?;
        let subjects: Vec<(usize, &str)> = (self.args.subject.iter())
            .map(|name| self.subject(&cast, name).map(|number| (number, name.as_str())))
            .collect::<Result<_, _>>()?;
        let book = self.engine.book(self.document, &cast, &mut tell).map_err(failed)?;
        let reader = self.reader(relations)?;
        for (subject, name) in subjects {
            for relation in asked(&book, subject, relations) {
                let options = self.args.options(&relation)?;
                if let Some(report) = self.kept.get(name, &relation, &options) {
                    reports.push(report);
                    continue;
                }
                let mut stage = |stage: Stage| {
                    let _ = tell(stage);
                };
                let listing =
                    book.list(subject, &relation, &options, reader.as_deref(), &mut stage).map_err(failed)?;
                let report = Report::of(&listing, &cast, self.document, &self.args.book);
                self.kept.put(name, &relation, &options, &report);
                reports.push(report);
            }
        }
        Ok(())
    }

    fn subject(&self, cast: &Cast, name: &str) -> Result<usize, Failure> {
        cast.find(name).ok_or_else(|| {
            let near = cast.near(name);
            let hint = match near.is_empty() {
                true => "findall names shows who is".to_owned(),
                false => format!("did you mean {}?", near.join(", ")),
            };
            Failure::Verb(format!(
                "{}: nobody and nothing called {name:?} is named in it; {hint}",
                self.args.book.display()
            ))
        })
    }

    /// The reader, where a list asks it something.
    fn reader(&self, relations: &[Relation]) -> Result<Option<Arc<dyn Reader>>, Failure> {
        let asks = |relation: &Relation| {
            self.args
                .options(relation)
                .is_ok_and(|options| options.read > 0 || options.scrutiny == Scrutiny::Conf)
        };
        if !relations.iter().chain(&[Relation::Parent]).any(asks) {
            return Ok(None);
        }
        crate::meaning::reader(self.config).map(Some)
    }
}

/// The relations asked for, or all that make sense for the subject.
fn asked(book: &Book<'_>, subject: usize, relations: &[Relation]) -> Vec<Relation> {
    use findall::names::CastKind;
    if !relations.is_empty() {
        return relations.to_vec();
    }
    let person = book.cast().members[subject].kind == CastKind::Person;
    Relation::KNOWN.into_iter().filter(|relation| (*relation != Relation::Member) == person).collect()
}
