//! `findall-eval knowledge`: how much of what a KTRL+F file asks for the knowledge base knows, and how fast it answers; or
//! what is known of the names on labelled pages (`knowledge_pages`).
//!
//! Over gold titles: known at all, known with a description or phrases. Over gold mentions: the gold entity is among the
//! candidates of the mention's text, and is the first of them. Then open, lookup and record times, and resident memory.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use findall::engine::Engine;
use findall::knowledge::{EntityId, KnowledgeBase, NameKind};
use serde::Deserialize;

use crate::inputs::{self, ModelArgs};
use crate::record::{self, RecordArgs, Row};
use crate::{EvalError, knowledge_pages, table};

/// Arguments of `findall-eval knowledge`.
#[derive(Debug, clap::Args)]
pub struct KnowledgeArgs {
    /// A file in the KTRL+F format, or labelled pages as `eval lists` reads them, packed with xz or not
    data: PathBuf,

    /// The knowledge base; several are layered, the first wins
    #[arg(long, value_name = "FILE", default_value = "kb/default.kb")]
    kb: Vec<PathBuf>,

    #[command(flatten)]
    models: ModelArgs,

    /// List the gold titles and mentions that are missed, or the names on pages of which nothing is known
    #[arg(long)]
    misses: bool,

    #[command(flatten)]
    record: RecordArgs,
}

#[derive(Deserialize)]
struct KnowledgeLine {
    data: KnowledgeData,
}

#[derive(Deserialize)]
struct KnowledgeData {
    qa_pairs: Vec<KnowledgeQuery>,
    entity_info: Vec<GoldMention>,
}

#[derive(Deserialize)]
struct KnowledgeQuery {
    target_entities: Vec<String>,
}

#[derive(Deserialize)]
struct GoldMention {
    mention: String,
    entity: String,
}

/// Times each lookup is repeated for the clock.
const LOOKUP_ROUNDS: usize = 20;

/// Measures, prints, records.
pub fn run(args: &KnowledgeArgs, out: &mut dyn Write) -> Result<(), EvalError> {
    if let Some(pages) = knowledge_pages::read(&args.data)? {
        return run_on_pages(args, pages, out);
    }
    let (titles, mentions) = read_gold(&args.data)?;
    let before = resident();
    let started = Instant::now();
    let kb = open(&args.kb)?;
    let opened = started.elapsed();

    let mut found = 0usize;
    let mut times: Vec<Duration> = Vec::with_capacity(LOOKUP_ROUNDS * mentions.len());
    for _ in 0..LOOKUP_ROUNDS {
        for mention in &mentions {
            let started = Instant::now();
            found += kb.candidates(&mention.mention).len();
            times.push(started.elapsed());
        }
    }
    let mean = times.iter().sum::<Duration>() / u32::try_from(times.len().max(1)).unwrap_or(u32::MAX);
    times.sort_unstable();
    let half = times.get(times.len() / 2).copied().unwrap_or_default();
    let looked_up = resident();

    let gold = GoldCounts::of(&kb, &titles, &mentions);
    let mut records = 0u32;
    let started = Instant::now();
    for mention in &mentions {
        for candidate in kb.candidates(&mention.mention) {
            records += u32::from(kb.record(candidate.id).is_ok());
        }
    }
    let record_time = started.elapsed() / records.max(1);
    let after = resident();

    let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
    let figures = [
        ("entities", kb.len() as f64, "entities"),
        ("gold titles known", share(gold.known, titles.len()), "share"),
        ("gold titles with description or phrases", share(gold.described, titles.len()), "share"),
        ("gold mentions whose entity is in the base", share(gold.in_base, mentions.len()), "share"),
        ("gold mentions with the entity among the candidates", share(gold.reached, mentions.len()), "share"),
        ("same, of those whose entity is in the base", share(gold.reached, gold.in_base), "share"),
        ("gold mentions with the entity first by prior", share(gold.first, mentions.len()), "share"),
        ("candidates a mention", share(found / LOOKUP_ROUNDS, mentions.len()), "candidates"),
        ("open", opened.as_secs_f64() * 1e3, "ms"),
        ("lookup of a mention, mean", mean.as_secs_f64() * 1e6, "µs"),
        ("lookup of a mention, p50", half.as_secs_f64() * 1e6, "µs"),
        ("lookup and record of a candidate", record_time.as_secs_f64() * 1e6, "µs"),
        ("resident memory for open and lookups", looked_up.saturating_sub(before) as f64 / 1e6, "MB"),
        (
            "same, after reading the records of all candidates",
            after.saturating_sub(before) as f64 / 1e6,
            "MB",
        ),
    ];
    let name = args.data.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let rows: Vec<Row> = figures
        .iter()
        .map(|(metric, value, unit)| Row::new(&name, "findall", metric, *value, unit))
        .collect();
    let lines: Vec<Vec<String>> = figures
        .iter()
        .map(|(metric, value, unit)| match *unit {
            "share" => vec![(*metric).to_owned(), format!("{:.1} %", value * 100.0)],
            unit => vec![(*metric).to_owned(), format!("{value:.1} {unit}")],
        })
        .collect();
    table::write(out, &["figure", "value"], &lines)?;
    if args.misses {
        let mut misses = gold.misses;
        misses.sort();
        misses.dedup();
        for miss in misses {
            writeln!(out, "{miss}")?;
        }
    }
    record::write(&args.record, "knowledge", &rows, out)
}

/// The titles and mentions that a file of queries names.
fn read_gold(path: &Path) -> Result<(BTreeSet<String>, Vec<GoldMention>), EvalError> {
    let text = inputs::text(path)?;
    let mut titles = BTreeSet::new();
    let mut mentions = Vec::new();
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let line: KnowledgeLine = serde_json::from_str(line).map_err(|error| EvalError::Definition {
            path: path.to_path_buf(),
            message: format!("line {}: {error}", at + 1),
        })?;
        titles.extend(line.data.qa_pairs.into_iter().flat_map(|query| query.target_entities));
        titles.extend(line.data.entity_info.iter().map(|mention| mention.entity.clone()));
        mentions.extend(line.data.entity_info);
    }
    Ok((titles, mentions))
}

/// How much of the gold the base knows, and how its names lead there.
#[derive(Default)]
struct GoldCounts {
    known: usize,
    described: usize,
    in_base: usize,
    reached: usize,
    first: usize,
    misses: Vec<String>,
}

impl GoldCounts {
    fn of(kb: &KnowledgeBase, titles: &BTreeSet<String>, mentions: &[GoldMention]) -> Self {
        let mut counts = Self::default();
        for title in titles {
            let Some(id) = entity(kb, title) else {
                counts.misses.push(format!("unknown title: {title}"));
                continue;
            };
            counts.known += 1;
            let facts = kb.record(id).is_ok_and(|r| !r.description.is_empty() || !r.phrases.is_empty());
            counts.described += usize::from(facts);
            if !facts {
                counts.misses.push(format!("no facts: {title}"));
            }
        }
        for mention in mentions {
            let gold = entity(kb, &mention.entity);
            counts.in_base += usize::from(gold.is_some());
            let candidates = kb.candidates(&mention.mention);
            let place = gold.and_then(|gold| candidates.iter().position(|candidate| candidate.id == gold));
            counts.reached += usize::from(place.is_some());
            counts.first += usize::from(place == Some(0));
            if gold.is_some() && place.is_none() {
                counts.misses.push(format!("not reached: {:?} for {}", mention.mention, mention.entity));
            }
        }
        counts
    }
}

/// The same verb on labelled pages.
fn run_on_pages(
    args: &KnowledgeArgs,
    pages: Vec<knowledge_pages::Page>,
    out: &mut dyn Write,
) -> Result<(), EvalError> {
    let models = args.models.open()?;
    let encoder = models.encoder().map_err(inputs::wrap_error)?;
    let tagger = models.tagger().map_err(inputs::wrap_error)?;
    let engine = Engine::new(encoder, tagger, Arc::new(open(&args.kb)?));
    let tallies = knowledge_pages::count(pages, &engine, entity)?;
    let (header, lines) = tallies.table();
    table::write(out, &header, &lines)?;
    if args.misses {
        for miss in &tallies.misses {
            writeln!(out, "{miss}")?;
        }
    }
    let file = args.data.file_name().unwrap_or_default().to_string_lossy();
    let set = format!("pages {}", file.split('.').next().unwrap_or_default());
    record::write(&args.record, "knowledge-pages", &tallies.rows(&set), out)
}

fn open(paths: &[PathBuf]) -> Result<KnowledgeBase, EvalError> {
    KnowledgeBase::open_layers(paths)
        .map_err(|error| EvalError::Program { program: "knowledge base".into(), message: error.to_string() })
}

/// The entity of a gold title: by its title, else by a redirect, that is a name that mostly means one entity. The bare
/// title of a disambiguated one ("Indien" for "Indien (film)") is no redirect.
fn entity(kb: &KnowledgeBase, title: &str) -> Option<EntityId> {
    kb.find_title(title).or_else(|| {
        let best = *kb.candidates(title).first()?;
        (best.via == NameKind::Alias && best.prior > 0.4).then_some(best.id)
    })
}

/// Resident memory of this process in bytes; 0 where the system does not say.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").trim().parse::<u64>().ok())
        .map_or(0, |kilobytes| kilobytes * 1024)
}
