//! `findall-eval list`: long lists of a whole book against gold lists. Precision and recall after each stage, recall at
//! 30, 50 and 80 % precision, by relation and by how often objects are named; with `--ablation`, what each re-ranker,
//! batching and test brings; with `--llm`, what a larger model makes of the same lists.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use findall::list::{Book, Helpers, LargerListModel, ListOptions, PromptStyle, Relation, Scrutiny};

use super::BookArgs;
use super::ablation::{self, measure_ablation};
use super::gold::Gold;
use super::run::{HEADER, Part, Run};
use crate::larger::LargerArgs;
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

    /// Make so many of the lists, evenly spread
    #[arg(long, value_name = "N")]
    sample: Option<usize>,

    #[command(flatten)]
    larger: LargerArgs,

    #[command(flatten)]
    record: RecordArgs,
}

/// What others report: L3X with GPT-3.5 on ten other books.
const PUBLISHED_LIST_FIGURES: &str =
    "published: L3X, GPT-3.5, ten other books: stage-1 recall 79.8, R@P50 47.5, R@P80 30.9";

/// One way of making the lists.
struct ListWay<'w> {
    /// Stands before the names of its rows.
    prefix: &'static str,
    options: ListOptions,
    helpers: Helpers<'w>,
}

/// Measures and records.
pub fn run(args: &ListArgs, out: &mut dyn Write) -> Result<(), EvalError> {
    let mut gold = Gold::read(&args.gold)?;
    let title = gold.book.clone();
    gold.facts = inputs::sample_evenly(gold.facts, args.sample);
    if args.sample.is_some() {
        gold.book = format!("{title}, {} lists", gold.facts.len());
    }
    let prepared = args.book.prepare(args.ablation)?;
    let started = Instant::now();
    let cast = prepared.cast()?;
    let book = (prepared.engine)
        .book(&prepared.document, &cast, &mut |_| ControlFlow::Continue(()))
        .map_err(inputs::wrap_error)?;
    let preparation = started.elapsed().as_secs_f64();
    let model = args.larger.model(args.book.resources.cache.as_deref())?;
    let options = ListOptions { read: args.read, ..ListOptions::default() };
    let helpers = Helpers { reader: Some(&*prepared.reader), larger: None };
    let mut ways = vec![ListWay { prefix: "", options: options.clone(), helpers }];
    if let Some(model) = &model {
        let larger = LargerListModel { model, title: &title, prompting: PromptStyle::Conv };
        let options = ListOptions { top: 20, scrutiny: Scrutiny::Thr, ..options };
        ways.push(ListWay { prefix: "llm, ", options, helpers: Helpers { larger: Some(larger), ..helpers } });
    }
    let mut rows: Vec<Row> = Vec::new();
    for way in &ways {
        let run = measure(way, &gold, &book, &mut rows, out)?;
        if let Some(path) = &args.predictions {
            write(path, run.predictions(&gold, &cast, &prepared.document))?;
        }
        if let Some(path) = &args.features {
            write(path, run.features(&gold))?;
        }
    }
    writeln!(out, "prepared in {preparation:.0} s; {PUBLISHED_LIST_FIGURES}")?;
    rows.push(Row::new(&gold.book, "all", "time to prepare", preparation, "s"));
    if args.ablation {
        let helpers = &ways.last().map_or(helpers, |way| way.helpers);
        measure_ablation(&gold, &book, helpers, &mut rows, out)?;
    }
    record::write(&args.record, if model.is_some() { "list-llm" } else { "list" }, &rows, out)
}

/// Makes all lists in one way, and shows how good they are.
fn measure(
    way: &ListWay<'_>,
    gold: &Gold,
    book: &Book<'_>,
    rows: &mut Vec<Row>,
    out: &mut dyn Write,
) -> Result<Run, EvalError> {
    let started = Instant::now();
    let run = Run::of(gold, book, &way.options, &way.helpers)?;
    let per_list = started.elapsed().as_secs_f64() / gold.facts.len().max(1) as f64;
    let system = |name: &str| format!("{}{name}", way.prefix);
    let mut shown: Vec<Vec<String>> = Vec::new();
    let mut add = |name: &str, part: &Part| {
        shown.push(part.cells(&system(name)));
        rows.extend(part.rows(&gold.book, &system(name)));
    };
    add("all", &run.part(gold, |_| true));
    for relation in Relation::KNOWN {
        add(relation.name(), &run.part(gold, |fact| fact.relation == relation.name()));
    }
    table::write(out, &HEADER, &shown)?;
    writeln!(out)?;
    let groups = ablation::head_and_tail(gold, book.cast(), &[(system("default"), &run)], rows);
    table::write(out, &ablation::GROUPS, &groups)?;
    let (lists, unfound) = (gold.facts.len(), run.describe_unfound(gold));
    writeln!(out, "{lists} lists, {per_list:.3} s each; subjects not found: {unfound}")?;
    rows.push(Row::new(&gold.book, &system("all"), "time a list", per_list, "s"));
    Ok(run)
}

fn write(path: &Path, lines: String) -> Result<(), EvalError> {
    std::fs::write(path, lines).map_err(|error| EvalError::File { path: path.to_owned(), error })
}
