//! `findall eval list`: long lists of a whole book against gold lists. Precision and recall after each stage, recall at
//! 30, 50 and 80 % precision, by relation and by how often objects are named; with `--ablation`, what each re-ranker,
//! batching and test brings.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

use findall::Document;
use findall::list::{Batching, Book, ListOptions, Listing, Relation, Rerank, Scrutiny};
use findall::names::{Cast, CastMember};
use serde_json::json;

use super::gold::{Fact, Gold, fold};
use super::metrics::{Judged, precision_recall, recall, recall_at, share};
use super::{BookArgs, Prepared};
use crate::record::{self, RecordArgs, Row};
use crate::{EvalError, inputs, table};

/// Arguments of `findall eval list`.
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

    /// Measure every re-ranker, batching and test too
    #[arg(long)]
    ablation: bool,

    /// Passages that the reader is asked about, for each list
    #[arg(long, value_name = "N", default_value_t = ListOptions::default().read)]
    read: usize,

    #[command(flatten)]
    record: RecordArgs,
}

/// What others report: L3X with GPT-3.5 on ten other books.
const PUBLISHED: &str =
    "published: L3X, GPT-3.5, ten other books: stage-1 recall 79.8, R@P50 47.5, R@P80 30.9";

/// Objects named more often than three quarters of all are the head, the others the tail.
const HEAD: f64 = 0.75;

/// Measures and records.
pub fn run(args: &ListArgs, out: &mut dyn Write) -> Result<(), EvalError> {
    let gold = Gold::read(&args.gold)?;
    let prepared = args.book.prepare()?;
    let cast = prepared.cast()?;
    let book = (prepared.engine)
        .book(&prepared.document, &cast, &mut |_| ControlFlow::Continue(()))
        .map_err(inputs::failed)?;
    let options = ListOptions { read: args.read, ..ListOptions::default() };
    let started = Instant::now();
    let run = Run::of(&gold, &prepared, &book, &options)?;
    let per_list = started.elapsed().as_secs_f64() / gold.facts.len().max(1) as f64;
    if let Some(path) = &args.predictions {
        let lines = run.predictions(&gold, &cast, &prepared.document);
        std::fs::write(path, lines).map_err(|error| EvalError::File { path: path.clone(), error })?;
    }
    let mut rows: Vec<Row> = Vec::new();
    let mut shown: Vec<Vec<String>> = Vec::new();
    let mut add = |name: &str, part: &Part| {
        shown.push(part.cells(name));
        rows.extend(part.rows(&gold.book, name));
    };
    add("all", &run.part(&gold, |_| true));
    for relation in Relation::KNOWN {
        add(relation.name(), &run.part(&gold, |fact| fact.relation == relation.name()));
    }
    table::write(out, &HEADER, &shown)?;
    let (head, tail) = run.head_and_tail(&gold, &cast);
    writeln!(out, "stage-1 recall of the head {:.1}, of the tail {:.1}", 100.0 * head, 100.0 * tail)?;
    writeln!(
        out,
        "{} lists, {:.3} s each; subjects not found: {}",
        gold.facts.len(),
        per_list,
        run.unfound(&gold)
    )?;
    writeln!(out, "{PUBLISHED}")?;
    rows.push(Row::new(&gold.book, "all", "stage-1 recall, head", head, "share"));
    rows.push(Row::new(&gold.book, "all", "stage-1 recall, tail", tail, "share"));
    rows.push(Row::new(&gold.book, "all", "time a list", per_list, "s"));
    if args.ablation {
        let shown = ablation(&gold, &prepared, &book, &mut rows)?;
        writeln!(out)?;
        table::write(out, &HEADER, &shown)?;
    }
    record::write(&args.record, "list", &rows, out)
}

const HEADER: [&str; 9] = ["", "gold", "stage 1 P", "stage 1 R", "P", "R", "R@P30", "R@P50", "R@P80"];

/// As the paper's tables 4 to 6: re-rankers and batchings under `thr`, then tests.
fn ablation(
    gold: &Gold,
    prepared: &Prepared,
    book: &Book<'_>,
    rows: &mut Vec<Row>,
) -> Result<Vec<Vec<String>>, EvalError> {
    let paper = ListOptions { top: 20, scrutiny: Scrutiny::Thr, ..ListOptions::default() };
    let mut variants: Vec<(String, ListOptions)> = Vec::new();
    for (name, rerank) in
        [("plain", Rerank::Plain), ("num", Rerank::Num), ("div", Rerank::Div), ("amp", Rerank::Amp)]
    {
        for (with, batching) in [("", Batching::Ranked), ("+neo", Batching::Neo), ("+sim", Batching::Sim)] {
            variants.push((
                format!("top 20, {name}{with}, thr80"),
                ListOptions { rerank, batching, ..paper.clone() },
            ));
        }
    }
    let whole = ListOptions { top: 500, ..paper };
    for (name, scrutiny) in [
        ("thr80", Scrutiny::Thr),
        ("pred", Scrutiny::Pred),
        ("dis", Scrutiny::Dis),
        ("thr50+pred", Scrutiny::ThrPred),
        ("thr50+dis", Scrutiny::ThrDis),
        ("calibrated", Scrutiny::Calibrated),
    ] {
        variants.push((format!("top 500, plain, {name}"), ListOptions { scrutiny, ..whole.clone() }));
    }
    let mut shown = Vec::new();
    for (name, options) in variants {
        let part = Run::of(gold, prepared, book, &options)?.part(gold, |_| true);
        shown.push(part.cells(&name));
        rows.extend(part.rows(&gold.book, &name));
    }
    Ok(shown)
}

/// The lists of all facts; `None` where the subject is not in the book.
struct Run {
    lists: Vec<Option<Listing>>,
    judged: Vec<Vec<Judged>>,
    /// Gold objects that stage 1 found, by fact.
    found: Vec<BTreeSet<usize>>,
    /// Whether answers are ranked by the probability, or by the paper's score among the accepted.
    calibrated: bool,
}

impl Run {
    fn of(
        gold: &Gold,
        prepared: &Prepared,
        book: &Book<'_>,
        options: &ListOptions,
    ) -> Result<Run, EvalError> {
        let by_name = gold.by_name();
        let calibrated = options.scrutiny == Scrutiny::Calibrated;
        let mut run = Run { lists: Vec::new(), judged: Vec::new(), found: Vec::new(), calibrated };
        for fact in &gold.facts {
            let listing = match (subject(gold, book.cast(), &fact.subject), Relation::read(&fact.relation)) {
                (Some(subject), Ok(relation)) => {
                    let reader = Some(&*prepared.reader);
                    let listing = book.list(subject, &relation, options, reader, &mut |_| {});
                    Some(listing.map_err(inputs::failed)?)
                }
                _ => None,
            };
            let (judged, found) = judge(gold, &by_name, book.cast(), fact, listing.as_ref(), calibrated);
            run.lists.push(listing);
            run.judged.push(judged);
            run.found.push(found);
        }
        Ok(run)
    }

    fn part(&self, gold: &Gold, wanted: impl Fn(&Fact) -> bool) -> Part {
        let mut part = Part { answers: Vec::new(), gold: 0, calibrated: self.calibrated };
        for (fact, judged) in gold.facts.iter().zip(&self.judged).filter(|(fact, _)| wanted(fact)) {
            part.gold += fact.objects.len();
            part.answers.extend(judged);
        }
        part
    }

    fn unfound(&self, gold: &Gold) -> String {
        let missing: BTreeSet<&str> = (gold.facts.iter().zip(&self.lists))
            .filter(|(_, list)| list.is_none())
            .map(|(fact, _)| fact.subject.as_str())
            .collect();
        if missing.is_empty() { "none".into() } else { missing.into_iter().collect::<Vec<_>>().join(", ") }
    }

    /// Stage-1 recall of the gold objects that are named often, and of the others.
    fn head_and_tail(&self, gold: &Gold, cast: &Cast) -> (f64, f64) {
        let by_name = gold.by_name();
        let mut counts: HashMap<usize, usize> = HashMap::new();
        for member in &cast.members {
            for entity in entities(&by_name, member) {
                *counts.entry(entity).or_default() += member.spans.len();
            }
        }
        let asked: Vec<(usize, bool)> = (gold.facts.iter().zip(&self.found))
            .flat_map(|(fact, found)| {
                let numbers = fact.objects.iter().filter_map(|name| by_name.get(&fold(name)).copied());
                numbers.map(|entity| (entity, found.contains(&entity))).collect::<Vec<_>>()
            })
            .collect();
        let mut sorted: Vec<usize> =
            asked.iter().map(|(entity, _)| counts.get(entity).copied().unwrap_or(0)).collect();
        sorted.sort_unstable();
        let bound = sorted.get((HEAD * sorted.len() as f64) as usize).copied().unwrap_or(0);
        let of = |head: bool| {
            let part = asked.iter().filter(|(e, _)| (counts.get(e).copied().unwrap_or(0) >= bound) == head);
            let (all, found) =
                part.fold((0, 0), |(all, found), (_, hit)| (all + 1, found + usize::from(*hit)));
            share(found, all)
        };
        (of(true), of(false))
    }

    fn predictions(&self, gold: &Gold, cast: &Cast, document: &Document) -> String {
        let positions = document.positions();
        let mut out = String::new();
        for (fact, listing) in gold.facts.iter().zip(&self.lists) {
            let objects: Vec<serde_json::Value> = (listing.iter().flat_map(|listing| &listing.objects))
                .map(|object| {
                    let member = &cast.members[object.member];
                    let spans: Vec<[Option<usize>; 2]> = (member.spans.iter())
                        .map(|span| [positions.char_of(span.start), positions.char_of(span.end)])
                        .collect();
                    let names: Vec<&str> = member.aliases.iter().map(|alias| alias.text.as_str()).collect();
                    json!({"name": member.name, "score": object.score, "accepted": object.accepted,
                        "aliases": names, "spans": spans})
                })
                .collect();
            let line = json!({"book": gold.book, "subject": fact.subject, "relation": fact.relation, "objects": objects});
            out += &format!("{line}\n");
        }
        out
    }
}

/// The member of the cast that a gold subject is: by its name, else by any alias.
fn subject(gold: &Gold, cast: &Cast, name: &str) -> Option<usize> {
    let entity = gold.entities.iter().find(|entity| entity.name == name);
    let aliases = entity.into_iter().flat_map(|entity| entity.aliases.iter().map(String::as_str));
    std::iter::once(name).chain(aliases).find_map(|name| cast.find(name))
}

/// Gold entities that a member's names mean.
fn entities(by_name: &HashMap<String, usize>, member: &CastMember) -> BTreeSet<usize> {
    let names = member.aliases.iter().map(|alias| &alias.text).chain([&member.name]);
    names.filter_map(|name| by_name.get(&fold(name)).copied()).collect()
}

/// Answers right and wrong, without the optional ones. A second answer for one gold object is wrong.
fn judge(
    gold: &Gold,
    by_name: &HashMap<String, usize>,
    cast: &Cast,
    fact: &Fact,
    listing: Option<&Listing>,
    calibrated: bool,
) -> (Vec<Judged>, BTreeSet<usize>) {
    let numbers = |names: &[String]| -> BTreeSet<usize> {
        names.iter().filter_map(|name| by_name.get(&fold(name)).copied()).collect()
    };
    let (mut open, optional) = (numbers(&fact.objects), numbers(&fact.optional));
    let own = gold.entities.iter().position(|entity| entity.name == fact.subject);
    let mut found = BTreeSet::new();
    let mut judged = Vec::new();
    for object in listing.into_iter().flat_map(|listing| &listing.objects) {
        let entities = entities(by_name, &cast.members[object.member]);
        let hit = entities.iter().copied().find(|entity| open.remove(entity));
        let neither =
            hit.is_none() && entities.iter().any(|entity| optional.contains(entity) || Some(*entity) == own);
        found.extend(hit);
        if !neither {
            let score = if calibrated { object.score } else { object.generated };
            judged.push(Judged { score, right: hit.is_some(), accepted: object.accepted });
        }
    }
    (judged, found)
}

/// A part of the facts, measured.
struct Part {
    answers: Vec<Judged>,
    gold: usize,
    calibrated: bool,
}

impl Part {
    fn figures(&self) -> BTreeMap<&'static str, f64> {
        let (precision, accepted_recall) = precision_recall(&self.answers, self.gold);
        let right = self.answers.iter().filter(|answer| answer.right).count();
        // The paper's tests prune first and rank what is left; the calibrated one ranks everything.
        let ranked: Vec<Judged> =
            self.answers.iter().filter(|answer| self.calibrated || answer.accepted).copied().collect();
        BTreeMap::from([
            ("stage 1 P", share(right, self.answers.len())),
            ("stage 1 R", recall(&self.answers, self.gold)),
            ("P", precision),
            ("R", accepted_recall),
            ("R@P30", recall_at(&ranked, self.gold, 0.3)),
            ("R@P50", recall_at(&ranked, self.gold, 0.5)),
            ("R@P80", recall_at(&ranked, self.gold, 0.8)),
        ])
    }

    fn cells(&self, name: &str) -> Vec<String> {
        let figures = self.figures();
        let percent = |column: &&str| format!("{:.1}", 100.0 * figures[*column]);
        [name.to_owned(), self.gold.to_string()].into_iter().chain(HEADER[2..].iter().map(percent)).collect()
    }

    fn rows(&self, book: &str, name: &str) -> Vec<Row> {
        let figures = self.figures();
        figures.iter().map(|(metric, value)| Row::new(book, name, metric, *value, "share")).collect()
    }
}
