//! What each part of the method brings, in the form of the paper's tables 4 to 7: re-rankers and batchings (4), tests (5),
//! relations (6), objects that are named often and seldom (7).

use std::io::Write;

use findall::list::{Batching, Book, Helpers, ListOptions, Relation, RerankMethod, Scrutiny};
use findall::names::Cast;

use super::gold::{Fact, Gold};
use super::run::{HEADER, Run};
use crate::record::Row;
use crate::{EvalError, table};

/// The relations that the paper calls easy.
const EASY_RELATIONS: [&str; 4] = ["parent", "child", "sibling", "hasPlace"];

/// The columns of the table of head and tail.
pub(super) const GROUPS: [&str; 7] =
    ["stage-1 recall", "easy head", "easy tail", "hard head", "hard tail", "head", "tail"];

const RERANKS: [(&str, RerankMethod); 4] = [
    ("plain", RerankMethod::Plain),
    ("num", RerankMethod::Num),
    ("div", RerankMethod::Div),
    ("amp", RerankMethod::Amp),
];

const BATCHINGS: [(&str, Batching); 3] =
    [("", Batching::Ranked), ("+neo", Batching::Neo), ("+sim", Batching::Sim)];

const TESTS: [(&str, Scrutiny); 7] = [
    ("thr80", Scrutiny::Thr),
    ("conf", Scrutiny::Conf),
    ("pred", Scrutiny::Pred),
    ("thr50+pred", Scrutiny::ThrPred),
    ("dis", Scrutiny::Dis),
    ("thr50+dis", Scrutiny::ThrDis),
    ("calibrated", Scrutiny::Calibrated),
];

/// The three that the paper looks at closely.
const COMPARED_METHODS: [(&str, RerankMethod, Batching); 3] = [
    ("plain", RerankMethod::Plain, Batching::Ranked),
    ("amp", RerankMethod::Amp, Batching::Ranked),
    ("div+neo", RerankMethod::Div, Batching::Neo),
];

/// Measures all of them with the paper's 20 passages, then the tests with the whole pool.
pub(super) fn measure_ablation(
    gold: &Gold,
    book: &Book<'_>,
    helpers: &Helpers<'_>,
    rows: &mut Vec<Row>,
    out: &mut dyn Write,
) -> Result<(), EvalError> {
    let paper = ListOptions { top: 20, scrutiny: Scrutiny::Thr, ..ListOptions::default() };
    let mut shown = Vec::new();
    let all = |name: String, options: ListOptions, shown: &mut Vec<Vec<String>>, rows: &mut Vec<Row>| {
        let run = Run::of(gold, book, &options, helpers)?;
        let part = run.part(gold, |_| true);
        shown.push(part.cells(&name));
        rows.extend(part.rows(&gold.book, &name));
        Ok::<Run, EvalError>(run)
    };
    let mut close: Vec<(String, Run)> = Vec::new();
    for (rerank_name, rerank) in RERANKS {
        for (batching_name, batching) in BATCHINGS {
            let name = format!("{rerank_name}{batching_name}");
            let options = ListOptions { rerank, batching, ..paper.clone() };
            let run = all(format!("top 20, {name}, thr80"), options, &mut shown, rows)?;
            if COMPARED_METHODS.iter().any(|(other, _, _)| *other == name) {
                close.push((name, run));
            }
        }
    }
    writeln!(out, "\nre-rankers and batchings (the paper's table 4)")?;
    table::write(out, &HEADER, &shown)?;
    shown.clear();
    for (name, rerank, batching) in COMPARED_METHODS {
        for (test, scrutiny) in TESTS {
            // The reader reads every candidate's support, at a minute a hundred lists: once tells enough.
            if scrutiny == Scrutiny::Conf && name != "plain" {
                continue;
            }
            let options = ListOptions { rerank, batching, scrutiny, ..paper.clone() };
            all(format!("top 20, {name}, {test}"), options, &mut shown, rows)?;
        }
    }
    let whole = ListOptions { top: ListOptions::default().top, ..paper };
    for (test, scrutiny) in TESTS.iter().filter(|(_, scrutiny)| *scrutiny != Scrutiny::Conf) {
        let options = ListOptions { scrutiny: *scrutiny, ..whole.clone() };
        all(format!("top 500, plain, {test}"), options, &mut shown, rows)?;
    }
    writeln!(out, "\ntests (the paper's table 5)")?;
    table::write(out, &HEADER, &shown)?;
    shown.clear();
    for (name, run) in &close {
        for relation in Relation::KNOWN {
            let part = run.part(gold, |fact| fact.relation == relation.name());
            let name = format!("top 20, {name}, thr80, {}", relation.name());
            shown.push(part.cells(&name));
            rows.extend(part.rows(&gold.book, &name));
        }
    }
    writeln!(out, "\nrelations (the paper's table 6)")?;
    table::write(out, &HEADER, &shown)?;
    writeln!(out, "\nhead and tail (the paper's table 7)")?;
    let close: Vec<(String, &Run)> =
        close.iter().map(|(name, run)| (format!("top 20, {name}"), run)).collect();
    table::write(out, &GROUPS, &head_and_tail(gold, book.cast(), &close, rows))?;
    Ok(())
}

/// Stage-1 recall of objects named often and seldom, for easy and hard relations and for all.
pub(super) fn head_and_tail(
    gold: &Gold,
    cast: &Cast,
    runs: &[(String, &Run)],
    rows: &mut Vec<Row>,
) -> Vec<Vec<String>> {
    let easy = |fact: &Fact| EASY_RELATIONS.contains(&fact.relation.as_str());
    let mut shown = Vec::new();
    for (name, run) in runs {
        let parts = [
            run.head_and_tail(gold, cast, easy),
            run.head_and_tail(gold, cast, |fact| !easy(fact)),
            run.head_and_tail(gold, cast, |_| true),
        ];
        let figures: Vec<f64> = parts.iter().flat_map(|(head, tail)| [*head, *tail]).collect();
        for (column, figure) in GROUPS[1..].iter().zip(&figures) {
            rows.push(Row::new(&gold.book, name, &format!("stage-1 recall, {column}"), *figure, "share"));
        }
        let cells = figures.iter().map(|figure| format!("{:.1}", 100.0 * figure));
        shown.push([name.clone()].into_iter().chain(cells).collect());
    }
    shown
}
