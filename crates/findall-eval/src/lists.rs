//! `findall-eval lists`: list queries over documents, some without an answer: entities and mentions found, and how
//! often nothing is said when there is nothing.

use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::path::PathBuf;

use findall::Span;

use crate::EvalError;
use crate::ktrlf::SystemArgs;
use crate::ktrlf::data::{self, Sample};
use crate::ktrlf::measure::{SystemMeasurement, measure};
use crate::ktrlf::systems::{SystemMatches, SystemName};
use crate::record::{self, RecordArgs, Row};
use crate::resources::ResourceArgs;
use crate::score::Counts;
use crate::table;

/// Arguments of `findall-eval lists`.
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
    let (mut shown, mut rows, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    for system in args.what.systems_to_run() {
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
        let set = args.set_name();
        let row = |metric: &str, value: f64, unit| Row::new(&set, &label, metric, value, unit);
        let by_need = count_by_need(&samples, &measured);
        let reliability = Reliability::of(&samples, &measured);
        rows.extend(
            by_need
                .iter()
                .map(|(need, counts)| row(&format!("mention F1, needs {need}"), counts.f1(), "share")),
        );
        rows.extend(
            reliability.rows().map(|(range, _, right, _)| {
                row(&format!("right of those shown with {range}"), right, "share")
            }),
        );
        notes.push(describe(&label, &by_need, &reliability));
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
    notes.iter().try_for_each(|note| write!(out, "{note}"))?;
    let queries: usize = samples.iter().map(|sample| sample.queries.len()).sum();
    let empty = samples.iter().flat_map(|s| &s.queries).filter(|query| query.answers.is_empty()).count();
    writeln!(out, "{queries} queries on {} documents, {empty} of them without an answer", samples.len())?;
    record::write(&args.record, &args.record_name(), &rows, out)
}

impl ListsArgs {
    /// What was measured, as records call it.
    fn set_name(&self) -> String {
        let file = self.data.file_stem().unwrap_or_default().to_string_lossy();
        let folder = self.data.parent().and_then(|folder| folder.file_name());
        let set = folder.map_or(file.clone(), |folder| format!("{} {file}", folder.to_string_lossy()).into());
        if self.held_out { format!("{set}, held out") } else { set.into_owned() }
    }

    /// Real pages, list queries, and gold entities have records of their own.
    fn record_name(&self) -> String {
        let pages = self.set_name().starts_with("pages");
        let gold = if self.what.gold_entities { "-gold" } else { "" };
        format!("lists{}{gold}", if pages { "-pages" } else { "" })
    }
}

/// Mention counts of the queries that need the same, where the data says what they need.
fn count_by_need(samples: &[Sample], measured: &SystemMeasurement) -> BTreeMap<String, Counts> {
    let mut needs: BTreeMap<String, Counts> = BTreeMap::new();
    for (sample, here) in samples.iter().zip(&measured.found) {
        for (query, found) in sample.queries.iter().zip(here) {
            if let Some(need) = &query.needs {
                needs.entry(need.clone()).or_default().add(&Counts::of(&found.spans, &sample.gold(query)));
            }
        }
    }
    needs
}

/// How often matches shown with a probability are right, by tenths of it.
#[derive(Default)]
struct Reliability {
    /// Matches, right ones, and the sum of their probabilities.
    tenths: [(usize, usize, f64); 10],
}

impl Reliability {
    fn of(samples: &[Sample], measured: &SystemMeasurement) -> Self {
        let mut table = Self::default();
        for (sample, here) in samples.iter().zip(&measured.found) {
            for (query, found) in sample.queries.iter().zip(here) {
                let gold = sample.gold(query);
                for (span, &probability) in found.spans.iter().zip(&found.probabilities) {
                    let right = gold.iter().any(|other| crate::score::overlap(span, other) >= 0.5);
                    let tenth = &mut table.tenths[((probability * 10.0) as usize).min(9)];
                    *tenth = (tenth.0 + 1, tenth.1 + usize::from(right), tenth.2 + f64::from(probability));
                }
            }
        }
        table
    }

    /// Range, mean probability shown, share that is right, and how many, for every tenth that has matches.
    fn rows(&self) -> impl Iterator<Item = (String, f64, f64, usize)> {
        let tenths = self.tenths.iter().enumerate().filter(|(_, (count, ..))| *count > 0);
        tenths.map(|(at, &(count, right, sum))| {
            let range = format!("0.{at}–{}", if at == 9 { "1.0".into() } else { format!("0.{}", at + 1) });
            (range, sum / count as f64, right as f64 / count as f64, count)
        })
    }
}

fn describe(label: &str, by_need: &BTreeMap<String, Counts>, reliability: &Reliability) -> String {
    let mut out = String::new();
    for (need, counts) in by_need {
        let (f1, silent) = (100.0 * counts.f1(), 100.0 * counts.abstention());
        out += &format!("{label}, needs {need}: mention F1 {f1:.1}, silent {silent:.0}\n");
    }
    for (range, shown, right, count) in reliability.rows() {
        out += &format!("{label}, shown with {range}: {count} matches, mean {shown:.2}, right {right:.2}\n");
    }
    out
}

/// Mentions by their spans; entities by whether any of their mentions was found.
fn count(samples: &[Sample], measured: &SystemMeasurement) -> (Counts, Counts) {
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
fn count_entities(sample: &Sample, answers: &[usize], found: &SystemMatches) -> Counts {
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
