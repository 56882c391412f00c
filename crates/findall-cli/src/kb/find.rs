//! `findall kb find | index`: entities of the base itself that satisfy a query, and the index of words that this needs.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use findall::Cache;
use findall::knowledge::KnowledgeBase;
use findall::knowledge::words::{WordIndex, WordIndexError};
use findall_service::base::{BaseLimit, BaseQuery, DEFAULT_BASE_ENTITIES};
use findall_wire::lines::KbIndexLine;
use findall_wire::{KbEntity, convert};

use super::meter::Meter;
use super::{BaseArgs, open_configured};
use crate::args::{CacheArgs, EngineArgs, JsonArgs, JudgeArgs};
use crate::config::Config;
use crate::failure::{Failure, Outcome, complain};
use crate::output::Output;
use crate::printer::{json, terminal};
use crate::{meaning, resources};

/// Arguments of `findall kb find`.
#[derive(Debug, Args)]
pub struct KbFindArgs {
    /// What to find, such as "Japanese car makers"
    query: String,

    /// At most so many entities, the likeliest
    #[arg(short = 'm', long, value_name = "N", default_value_t = DEFAULT_BASE_ENTITIES)]
    max_count: usize,

    /// Lowest probability shown, 0 to 1 [default: findall decides]
    #[arg(long, value_name = "P")]
    threshold: Option<f32>,

    #[command(flatten)]
    judge: JudgeArgs,

    #[command(flatten)]
    cache: CacheArgs,

    #[command(flatten)]
    output: JsonArgs,

    #[command(flatten)]
    engine: EngineArgs,
}

/// Arguments of `findall kb index`.
#[derive(Debug, Args)]
pub struct KbIndexArgs {
    #[command(flatten)]
    base: BaseArgs,
}

/// Finds in the base.
pub fn find(args: &KbFindArgs) -> Result<Outcome, Failure> {
    let query = BaseQuery {
        query: args.query.clone(),
        most: Some(args.max_count),
        threshold: args.threshold,
        fast: args.judge.fast,
    };
    let options = query.options().map_err(limit_failure)?;
    let config = Config::read(args.engine.layer().or(args.judge.layer()).or(args.cache.layer()))?;
    let engine = meaning::load_for_find(&config)?.ok_or_else(resources::not_installed_failure)?;
    let words = words(engine.knowledge(), &config)?;
    let found = query.find(&engine, &words, &options).map_err(|error| Failure::Verb(error.to_string()))?;
    if found.is_empty() {
        complain("nothing in the knowledge base satisfies this; try other words, or --threshold 0");
        return Ok(Outcome::Nothing);
    }
    let entities = found.into_iter().map(convert::base_entity);
    let shown = entities.map(|found| if args.output.json { json::line(&found) } else { to_text(&found) });
    Output::stdout().write(shown.collect::<String>().as_bytes())?;
    Ok(Outcome::Found)
}

fn limit_failure(limit: BaseLimit) -> Failure {
    let origin = match limit {
        BaseLimit::Most => "--max-count",
        BaseLimit::Threshold => "--threshold",
    };
    Failure::Setting { origin: origin.into(), message: limit.to_string() }
}

fn to_text(found: &KbEntity) -> String {
    let (title, known) = (terminal::to_safe_line(&found.title), terminal::to_safe_line(&found.text));
    let colon = if known.is_empty() { "" } else { ": " };
    format!("{:.2}  {title} ({}){colon}{known}\n", found.probability, found.kind)
}

/// Makes the index, or says that it is there.
pub fn index(args: &KbIndexArgs) -> Result<Outcome, Failure> {
    let config = Config::read(args.base.knowledge.layer())?;
    let base = open_configured(&config)?;
    let path = index_path(&base, &config).ok_or_else(|| {
        Failure::Usage(
            "no cache folder to keep the index in; set XDG_CACHE_HOME, or leave --no-cache out".into(),
        )
    })?;
    let started = Instant::now();
    let there = WordIndex::open(&path, &base).ok().filter(WordIndex::is_whole);
    let done = if there.is_some() { "is up to date" } else { "made" };
    let index = match there {
        Some(index) => index,
        None => build(&base, &path)?,
    };
    let (entities, bytes, seconds) = (index.len(), index.size(), started.elapsed().as_secs_f32());
    let line = match args.base.output.json {
        true => json::line(&KbIndexLine { bytes, entities, path }),
        false => format!(
            "{}: {done}, words of {entities} entities, {:.1} MB, {seconds:.1} s\n",
            path.display(),
            bytes as f64 / 1e6
        ),
    };
    Output::stdout().write(line.as_bytes())?;
    Ok(Outcome::Found)
}

/// The index of a base: as it lies in the cache, or made now.
fn words(base: &KnowledgeBase, config: &Config) -> Result<WordIndex, Failure> {
    let meter = Meter::reading_entities();
    let path = index_path(base, config);
    WordIndex::open_or_build(base, path.as_deref(), &mut |step| {
        meter.entity(step.done as u64, step.total as u64);
        ControlFlow::Continue(())
    })
    .map_err(index_failure)
}

fn build(base: &KnowledgeBase, path: &std::path::Path) -> Result<WordIndex, Failure> {
    let meter = Meter::reading_entities();
    WordIndex::build(base, path, &mut |step| {
        meter.entity(step.done as u64, step.total as u64);
        ControlFlow::Continue(())
    })
    .map_err(index_failure)
}

fn index_failure(error: WordIndexError) -> Failure {
    Failure::Verb(error.to_string())
}

/// Where the index of a base lies; nowhere without a cache.
fn index_path(base: &KnowledgeBase, config: &Config) -> Option<PathBuf> {
    meaning::find_usable_cache(config).map(|folder| Cache::new(folder).base_words_path(base))
}
