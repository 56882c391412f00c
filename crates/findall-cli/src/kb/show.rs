//! `findall kb stats | show | search | verify`: what a base holds, and whether it is whole.

use std::time::Instant;

use clap::Args;
use findall::knowledge::{KnowledgeBase, Record};
use findall_service::base::{NameMeaning, meanings_of};
use findall_wire::lines::{KbMeaningLine, KbNameLine, KbPhraseLine, KbShownLine, KbStatsLine};

use super::{BaseArgs, open};
use crate::failure::{Failure, Outcome};
use crate::output::Output;
use crate::printer::json;

/// Arguments of `findall kb stats`.
#[derive(Debug, Args)]
pub struct StatsArgs {
    #[command(flatten)]
    base: BaseArgs,
}

/// Arguments of `findall kb show`.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// A title or any other name
    name: String,

    /// How many of the entities it may mean
    #[arg(short = 'm', long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    max_count: u32,

    #[command(flatten)]
    base: BaseArgs,
}

/// Arguments of `findall kb search`.
#[derive(Debug, Args)]
pub struct SearchArgs {
    /// The beginning of a name
    prefix: String,

    /// How many names
    #[arg(short = 'm', long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    max_count: u32,

    #[command(flatten)]
    base: BaseArgs,
}

/// Arguments of `findall kb verify`.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    #[command(flatten)]
    base: BaseArgs,
}

/// Counts, sources and licences of each layer.
pub fn stats(args: &StatsArgs) -> Result<Outcome, Failure> {
    let kb = open(&args.base)?;
    let mut out = String::new();
    for (path, summary) in kb.summaries() {
        let bytes = std::fs::metadata(&path).map(|meta| meta.len()).unwrap_or(0);
        if args.base.output.json {
            let line = KbStatsLine {
                path,
                bytes,
                entities: summary.entities,
                described: summary.described,
                names: summary.names,
                notes: summary.notes,
            };
            out.push_str(&json::line(&line));
            continue;
        }
        out.push_str(&format!("{}\n", path.display()));
        let share = 100.0 * summary.described as f64 / summary.entities.max(1) as f64;
        out.push_str(&format!("  entities   {:>10}\n", summary.entities));
        out.push_str(&format!("  described  {:>10}  ({share:.0} %)\n", summary.described));
        out.push_str(&format!("  names      {:>10}\n", summary.names));
        out.push_str(&format!("  size       {:>10.1} MB\n", bytes as f64 / 1e6));
        for (label, text) in summary.notes {
            out.push_str(&format!("  {label}: {text}\n"));
        }
    }
    Output::stdout().write(out.as_bytes())?;
    Ok(Outcome::Found)
}

/// What a name may mean, and what is known about each.
pub fn show(args: &ShowArgs) -> Result<Outcome, Failure> {
    let kb = open(&args.base)?;
    let found = meanings_of(&kb, &args.name);
    if found.is_empty() {
        return report_nothing(&kb, &args.name);
    }
    let (total, shown) = (found.len(), args.max_count as usize);
    let mut out = String::new();
    for NameMeaning { entity, prior } in found.into_iter().take(shown) {
        let record = kb.record(entity).map_err(|error| Failure::Verb(error.to_string()))?;
        out.push_str(&if args.base.output.json {
            json::line(&describe_record(&record, prior))
        } else {
            to_text(&record, prior)
        });
    }
    if total > shown && !args.base.output.json {
        out.push_str(&format!("… and {} more; -m {total} shows them\n", total - shown));
    }
    Output::stdout().write(out.as_bytes())?;
    Ok(Outcome::Found)
}

pub(super) fn report_nothing(kb: &KnowledgeBase, name: &str) -> Result<Outcome, Failure> {
    let start: String = name.chars().take(4).collect();
    let near: Vec<String> = kb.names_from(&start, 5).into_iter().map(|(name, _)| name).collect();
    let hint = if near.is_empty() {
        String::new()
    } else {
        format!("; names that begin alike: {}", near.join(", "))
    };
    crate::failure::complain(&format!("nothing is known as {name:?}{hint}"));
    Ok(Outcome::Nothing)
}

fn describe_record(record: &Record, prior: Option<f32>) -> KbShownLine<'_> {
    KbShownLine {
        title: &record.title,
        key: &record.key,
        kind: record.kind.name(),
        prior,
        popularity: record.popularity,
        description: &record.description,
        phrases: record.phrases.iter().map(|p| KbPhraseLine { kind: p.kind.name(), text: &p.text }).collect(),
        aliases: &record.aliases,
        knowledge_text: record.knowledge_text(),
    }
}

fn to_text(record: &Record, prior: Option<f32>) -> String {
    let mut out = format!("{} ({})", record.title, record.kind.name());
    if let Some(prior) = prior {
        out.push_str(&format!(", prior {prior:.2}"));
    }
    out.push('\n');
    if !record.description.is_empty() {
        out.push_str(&format!("  {}\n", record.description));
    }
    for phrase in &record.phrases {
        out.push_str(&format!("  {:<9}  {}\n", phrase.kind.name(), phrase.text));
    }
    if !record.aliases.is_empty() {
        out.push_str(&format!("  also       {}\n", record.aliases.join("; ")));
    }
    out
}

/// Names that begin as asked, with what they mean.
pub fn search(args: &SearchArgs) -> Result<Outcome, Failure> {
    let kb = open(&args.base)?;
    let names = kb.names_from(&args.prefix, args.max_count as usize);
    if names.is_empty() {
        return report_nothing(&kb, &args.prefix);
    }
    let mut out = String::new();
    for (name, candidates) in names {
        let mut entities = Vec::new();
        for candidate in candidates.iter().take(3) {
            let record = kb.record(candidate.id).map_err(|error| Failure::Verb(error.to_string()))?;
            entities.push(KbMeaningLine { title: record.title, prior: candidate.prior });
        }
        if args.base.output.json {
            out.push_str(&json::line(&KbNameLine { name, entities }));
        } else {
            let mut titles: Vec<String> =
                entities.iter().map(|e| format!("{} {:.2}", e.title, e.prior)).collect();
            if candidates.len() > entities.len() {
                titles.push(format!("{} more", candidates.len() - entities.len()));
            }
            out.push_str(&format!("{name}: {}\n", titles.join(" · ")));
        }
    }
    Output::stdout().write(out.as_bytes())?;
    Ok(Outcome::Found)
}

/// Reads every byte of the base, and fails where one is not as it was written.
pub fn verify(args: &VerifyArgs) -> Result<Outcome, Failure> {
    let kb = open(&args.base)?;
    let started = Instant::now();
    kb.verify().map_err(|error| Failure::Verb(error.to_string()))?;
    let line = format!("{} entities are whole, {:.1} s\n", kb.len(), started.elapsed().as_secs_f32());
    Output::stdout().write(line.as_bytes())?;
    Ok(Outcome::Found)
}
