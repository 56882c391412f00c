//! `findall-eval list`: long lists of a whole book against gold lists. Precision and recall after each stage, recall at
//! 30, 50 and 80 % precision, by relation and by how often objects are named; with `--ablation`, what each re-ranker,
//! batching and test brings.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use findall::chat::ChatModel;
use findall::list::{Helpers, Larger, ListOptions, Prompting, Relation, Scrutiny};
use findall_llm::{Endpoint, EndpointOptions};

use super::BookArgs;
use super::ablation::{self, ablation};
use super::gold::Gold;
use super::run::{HEADER, Part, Run};
use crate::record::{self, RecordArgs, Row};
use crate::{EvalError, inputs, table};

/// Arguments of `findall-eval list`.
#[derive(Debug, clap::Args)]
pub struct ListArgs {
    /// Gold lists
    #[arg(value_name = "GOLD.json")]
    gold: PathBuf,

    #[command(flatten)]
    book: BookArgs,

    /// Write every list here, JSON Lines
    #[arg(long, value_name = "OUT.jsonl")]
    predictions: Option<PathBuf>,

    /// Write what the judge weighs of every candidate here, JSON Lines: training/fit_list.py fits its weights on it
    #[arg(long, value_name = "OUT.jsonl")]
    features: Option<PathBuf>,

    /// Measure every re-ranker, batching and test too
    #[arg(long)]
    ablation: bool,

    /// Passages that the reader is asked about, for each list
    #[arg(long, value_name = "N", default_value_t = ListOptions::default().read)]
    read: usize,

    /// Generate with a larger model behind this OpenAI-compatible address (conv, 20 passages, thr)
    #[arg(long, value_name = "URL", requires = "llm_model")]
    llm: Option<String>,

    /// The name that the endpoint knows the model by
    #[arg(long, value_name = "NAME", requires = "llm")]
    llm_model: Option<String>,

    #[command(flatten)]
    record: RecordArgs,
}

/// What others report: L3X with GPT-3.5 on ten other books.
const PUBLISHED: &str =
    "published: L3X, GPT-3.5, ten other books: stage-1 recall 79.8, R@P50 47.5, R@P80 30.9";

/// Measures and records.
pub fn run(args: &ListArgs, out: &mut dyn Write) -> Result<(), EvalError> {
    let gold = Gold::read(&args.gold)?;
    let prepared = args.book.prepare(args.ablation)?;
    let started = Instant::now();
    let cast = prepared.cast()?;
    let book = (prepared.engine)
        .book(&prepared.document, &cast, &mut |_| ControlFlow::Continue(()))
        .map_err(inputs::failed)?;
    let preparation = started.elapsed().as_secs_f64();
    let endpoint = match (&args.llm, &args.llm_model) {
        (Some(url), Some(model)) => {
            Some(Endpoint::new(EndpointOptions::new(url, model)).map_err(inputs::failed)?)
        }
        _ => None,
    };
    let larger = endpoint.as_ref().map(|endpoint| Larger {
        model: endpoint as &dyn ChatModel,
        title: &gold.book,
        prompting: Prompting::Conv,
    });
    let mut options = ListOptions { read: args.read, ..ListOptions::default() };
    if larger.is_some() {
        options = ListOptions { top: 20, scrutiny: Scrutiny::Thr, ..options };
    }
    let helpers = Helpers { reader: Some(&*prepared.reader), larger };
    let started = Instant::now();
    let run = Run::of(&gold, &book, &options, &helpers)?;
    let per_list = started.elapsed().as_secs_f64() / gold.facts.len().max(1) as f64;
    if let Some(path) = &args.predictions {
        write(path, run.predictions(&gold, &cast, &prepared.document))?;
    }
    if let Some(path) = &args.features {
        write(path, run.features(&gold))?;
    }
    let mut rows: Vec<Row> = Vec::new();
    let mut shown: Vec<Vec<String>> = Vec::new();
    let system = |name: &str| if larger.is_some() { format!("llm, {name}") } else { name.to_owned() };
    let mut add = |name: &str, part: &Part| {
        shown.push(part.cells(name));
        rows.extend(part.rows(&gold.book, &system(name)));
    };
    add("all", &run.part(&gold, |_| true));
    for relation in Relation::KNOWN {
        add(relation.name(), &run.part(&gold, |fact| fact.relation == relation.name()));
    }
    table::write(out, &HEADER, &shown)?;
    writeln!(out)?;
    let groups = ablation::head_and_tail(&gold, &cast, &[(system("default"), &run)], &mut rows);
    table::write(out, &ablation::GROUPS, &groups)?;
    writeln!(
        out,
        "{} lists, {per_list:.3} s each after {preparation:.0} s; subjects not found: {}",
        gold.facts.len(),
        run.unfound(&gold)
    )?;
    writeln!(out, "{PUBLISHED}")?;
    rows.push(Row::new(&gold.book, &system("all"), "time a list", per_list, "s"));
    rows.push(Row::new(&gold.book, &system("all"), "time to prepare", preparation, "s"));
    if args.ablation {
        ablation(&gold, &book, &helpers, &mut rows, out)?;
    }
    record::write(&args.record, "list", &rows, out)
}

fn write(path: &Path, lines: String) -> Result<(), EvalError> {
    std::fs::write(path, lines).map_err(|error| EvalError::File { path: path.to_owned(), error })
}
