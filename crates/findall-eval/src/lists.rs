//! `findall eval lists`: list queries over documents, some without an answer: entities and mentions found, and how
//! often nothing is said when there is nothing.

use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;

use findall::Span;

use crate::EvalError;
use crate::ktrlf::SystemArgs;
use crate::ktrlf::data::{self, Sample};
use crate::ktrlf::measure::{Measured, measure};
use crate::ktrlf::systems::{Found, SystemName};
use crate::record::{self, RecordArgs, Row};
use crate::resources::ResourceArgs;
use crate::score::Counts;
use crate::table;

/// Arguments of `findall eval lists`.
#[derive(Debug, clap::Args)]
pub struct ListsArgs {
    /// List queries, JSON Lines
    #[arg(value_name = "DATA.jsonl")]
    data: PathBuf,

    /// Only the documents that training leaves out: every tenth, from the fourth
    #[arg(long)]
    held_out: bool,

    #[command(flatten)]
    what: SystemArgs,

    #[command(flatten)]
    resources: ResourceArgs,

    #[command(flatten)]
    record: RecordArgs,
}

/// Which documents training leaves out.
fn is_held_out(number: usize) -> bool {
    number % 10 == 3
}

/// Measures and records.
pub fn run(args: &ListsArgs, out: &mut dyn Write) -> Result<(), EvalError> {
    let mut samples = data::read_lists(&args.data)?;
    if args.held_out {
        let mut number = 0;
        samples.retain(|_| {
            number += 1;
            is_held_out(number - 1)
        });
    }
    let tools = args.resources.tools(&args.what)?;
    let (mut shown, mut rows) = (Vec::new(), Vec::new());
    for system in args.what.chosen() {
        let measured = measure(&tools, system, &samples)?;
        if system == SystemName::Findall
            && let Some(path) = &args.what.predictions
        {
            measured.write_predictions(path, &samples)?;
        }
        let (mentions, entities) = count(&samples, &measured);
        let label = args.what.label(system);
        let percent = |value: f64| format!("{:.1}", 100.0 * value);
        shown.push(vec![
            label.clone(),
            percent(mentions.f1()),
            percent(mentions.precision()),
            percent(mentions.recall()),
            percent(entities.f1()),
            percent(entities.precision()),
            percent(entities.recall()),
            percent(mentions.abstention()),
            format!("{:.1}", measured.latency.at(0.5)),
            format!("{:.1}", measured.latency.at(0.99)),
            format!("{:.0}", measured.preparation_per_page),
        ]);
        let set = if args.held_out { "lists, held out" } else { "lists" };
        let row = |metric: &str, value: f64, unit| Row::new(set, &label, metric, value, unit);
        rows.extend([
            row("mention F1", mentions.f1(), "share"),
            row("mention precision", mentions.precision(), "share"),
            row("mention recall", mentions.recall(), "share"),
            row("entity F1", entities.f1(), "share"),
            row("entity precision", entities.precision(), "share"),
            row("entity recall", entities.recall(), "share"),
            row("silent without an answer", mentions.abstention(), "share"),
            row("query p50", measured.latency.at(0.5), "ms"),
            row("query p99", measured.latency.at(0.99), "ms"),
            row("preparation per 2000 characters", measured.preparation_per_page, "ms"),
        ]);
    }
    let header =
        ["system", "mention F1", "P", "R", "entity F1", "P", "R", "silent", "ms p50", "ms p99", "prep ms/2k"];
    table::write(out, &header, &shown)?;
    let queries: usize = samples.iter().map(|sample| sample.queries.len()).sum();
    let empty = samples.iter().flat_map(|s| &s.queries).filter(|query| query.answers.is_empty()).count();
    writeln!(out, "{queries} queries on {} documents, {empty} of them without an answer", samples.len())?;
    record::write(&args.record, if args.what.gold_entities { "lists-gold" } else { "lists" }, &rows, out)
}

/// Mentions by their spans; entities by whether any of their mentions was found.
fn count(samples: &[Sample], measured: &Measured) -> (Counts, Counts) {
    let (mut mentions, mut entities) = (Counts::default(), Counts::default());
    for (sample, here) in samples.iter().zip(&measured.found) {
        for (query, found) in sample.queries.iter().zip(here) {
            mentions.add(&Counts::of(&found.spans, &sample.gold(query)));
            entities.add(&count_entities(sample, &query.answers, found));
        }
    }
    (mentions, entities)
}

/// Predicted entities are the distinct ones that the system names, or its spans where it names none.
fn count_entities(sample: &Sample, answers: &[usize], found: &Found) -> Counts {
    let mut predicted: Vec<Vec<Span>> = Vec::new();
    let mut places: Vec<(usize, usize)> = Vec::new();
    for (span, entity) in found.spans.iter().zip(&found.entities) {
        let known =
            entity.and_then(|entity| places.iter().find(|(other, _)| *other == entity).map(|(_, at)| *at));
        match known {
            Some(at) => predicted[at].push(*span),
            None => {
                if let Some(entity) = entity {
                    places.push((*entity, predicted.len()));
                }
                predicted.push(vec![*span]);
            }
        }
    }
    let mut hit: HashSet<usize> = HashSet::new();
    let mut right = 0;
    for spans in &predicted {
        let answer = answers.iter().find(|&&answer| {
            let gold = &sample.entities[answer].mentions;
            spans.iter().any(|span| gold.iter().any(|other| crate::score::overlap(span, other) >= 0.5))
        });
        if let Some(&answer) = answer {
            right += usize::from(hit.insert(answer));
        }
    }
    Counts {
        expected: answers.len(),
        found: predicted.len(),
        hits: right,
        unanswerable: usize::from(answers.is_empty()),
        silent: usize::from(answers.is_empty() && predicted.is_empty()),
    }
}
