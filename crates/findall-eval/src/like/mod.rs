//! `findall-eval like`: from one sentence to all entities of that kind, in the form of the paper's table 1.

mod collection;
mod metrics;

use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use findall::engine::Engine;
use findall::like::{Example, LikeOptions, Method, Suggestions, Term};

use crate::EvalError;
use crate::record::{self, RecordArgs, Row};
use crate::resources::ResourceArgs;
use crate::table;
use collection::{Collection, LikeQuery};
use metrics::{LIKE_DEPTH, LikeFigures};

/// Arguments of `findall-eval like`.
#[derive(Debug, clap::Args)]
pub struct LikeArgs {
    /// Examples with weighted words, JSON Lines (eval/build_like_collection.py writes them)
    #[arg(long, value_name = "FILE")]
    queries: PathBuf,

    /// Sentences of the targets, TREC form
    #[arg(long, value_name = "FILE")]
    qrels: PathBuf,

    /// Sentences, JSON Lines
    #[arg(long, value_name = "FILE")]
    corpus: PathBuf,

    /// Where the analysed corpus is kept [default: beside the corpus]
    #[arg(long, value_name = "DIR")]
    library: Option<PathBuf>,

    /// Write the rankings of our method with weighted words here, as a TREC run
    #[arg(long, value_name = "OUT")]
    run: Option<PathBuf>,

    /// No type filter: sentences need not name something of the example's kind
    #[arg(long)]
    any_kind: bool,

    /// Only every second query, from the second: those that nothing was chosen on
    #[arg(long)]
    held_out: bool,

    #[command(flatten)]
    resources: ResourceArgs,

    #[command(flatten)]
    record: RecordArgs,
}

/// Where context words come from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Words {
    None,
    Suggested(Suggestions),
    Person { weighted: bool },
}

/// The rows: method, words.
const LIKE_SYSTEMS: [(Method, Words); 10] = [
    (Method::Se, Words::None),
    (Method::SePrf, Words::None),
    (Method::SePrfSim, Words::None),
    (Method::SePrfCwWeighted, Words::Person { weighted: true }),
    (Method::SePrfCw, Words::Person { weighted: false }),
    (Method::Findall, Words::None),
    (Method::Findall, Words::Suggested(Suggestions::Similarity)),
    (Method::Findall, Words::Suggested(Suggestions::Knowledge)),
    (Method::Findall, Words::Person { weighted: false }),
    (Method::Findall, Words::Person { weighted: true }),
];

impl Words {
    fn source(self, method: Method) -> (&'static str, &'static str) {
        match self {
            Self::None if method == Method::SePrfSim => ("Sim (entity, word)", "no"),
            Self::None => ("none", "no"),
            Self::Suggested(Suggestions::Similarity) => ("Sim (entity, word)", "no"),
            Self::Suggested(Suggestions::Knowledge) => ("suggested", "yes"),
            Self::Person { weighted: true } => ("simulated person", "yes"),
            Self::Person { weighted: false } => ("simulated person", "no"),
        }
    }

    fn of(self, query: &LikeQuery, engine: &Engine) -> Result<Vec<Term>, EvalError> {
        Ok(match self {
            Self::None => Vec::new(),
            Self::Person { weighted: true } => query.example.terms.clone(),
            Self::Person { weighted: false } => {
                query.example.terms.iter().map(|term| Term { weight: 1, ..term.clone() }).collect()
            }
            Self::Suggested(how) => {
                let Example { entity, sentence, .. } = &query.example;
                let suggested = engine.suggest_terms(entity, sentence, how).map_err(wrap_error)?;
                let weighted = suggested.into_iter().filter(|one| one.weight > 0);
                weighted.map(|one| Term { word: one.word, weight: one.weight }).collect()
            }
        })
    }
}

/// Measures and records.
pub fn run(args: &LikeArgs, out: &mut dyn Write) -> Result<(), EvalError> {
    let models = args.resources.models()?;
    let encoder = models.encoder().map_err(wrap_error)?;
    let tagger = models.tagger().map_err(wrap_error)?;
    let mut engine = Engine::new(encoder, tagger, args.resources.knowledge()?);
    if let Some(folder) = &args.resources.cache {
        engine = engine.with_cache(findall::Cache::new(folder));
    }
    let folder = args.library.clone().unwrap_or_else(|| args.corpus.with_extension("library"));
    let mut say = |line: &str| {
        let _ = writeln!(out, "{line}");
    };
    let mut collection =
        Collection::read(&args.queries, &args.qrels, &args.corpus, &folder, &engine, &mut say)?;
    if args.held_out {
        let mut number = 0;
        collection.queries.retain(|_| {
            number += 1;
            number % 2 == 0
        });
    }
    let set = match (args.held_out, args.any_kind) {
        (false, false) => "like",
        (true, false) => "like, held out",
        (false, true) => "like, no type filter",
        (true, true) => "like, held out, no type filter",
    };
    let (mut shown, mut rows, mut first) = (Vec::new(), Vec::new(), None);
    for (method, words) in LIKE_SYSTEMS {
        let mut figures = Vec::with_capacity(collection.queries.len());
        let mut times = Vec::with_capacity(collection.queries.len());
        let mut trec = String::new();
        for query in &collection.queries {
            let terms = words.of(query, &engine)?;
            let started = Instant::now();
            let options = LikeOptions {
                method,
                depth: LIKE_DEPTH + 10,
                same_kind: !args.any_kind,
                ..LikeOptions::default()
            };
            let ranking = rank_rows(&engine, &collection, query, terms, &options)?;
            times.push(started.elapsed().as_secs_f64() * 1000.0);
            let entities = ranking.iter().map(|&row| collection.sentences[row].entity.as_str());
            figures.push(LikeFigures::of(entities, &query.targets));
            for (place, &row) in ranking.iter().enumerate() {
                let id = &collection.sentences[row].id;
                trec += &format!("{} Q0 {id} {} {} findall\n", query.id, place + 1, LIKE_DEPTH - place);
            }
        }
        let mean = LikeFigures::mean(&figures);
        let base = *first.get_or_insert(mean);
        times.sort_by(f64::total_cmp);
        let middle = times.get(times.len() / 2).copied().unwrap_or_default();
        let (source, weighted) = words.source(method);
        let mut cells = vec![method.name().to_owned(), source.into(), weighted.into()];
        cells.extend(mean.name_figures().iter().map(|(_, value)| format!("{value:.3}")));
        cells.push(format!("{:+.1} %", 100.0 * (mean.map / base.map.max(1e-9) - 1.0)));
        cells.push(format!("{middle:.0}"));
        shown.push(cells);
        let label = format!("{}, words: {source}, weighted: {weighted}", method.name());
        rows.extend(mean.name_figures().map(|(metric, value)| Row::new(set, &label, metric, value, "share")));
        rows.push(Row::new(set, &label, "query p50", middle, "ms"));
        if let (Some(path), Method::Findall, Words::Person { weighted: true }) = (&args.run, method, words) {
            crate::inputs::write(path, &trec)?;
        }
    }
    let header =
        ["method", "words", "weighted", "R@5", "R@10", "P@5", "P@10", "MAP", "R@1000", "MAP vs SE", "ms p50"];
    table::write(out, &header, &shown)?;
    let targets: usize = collection.queries.iter().map(|query| query.targets.len()).sum();
    let (count, sentences) = (collection.queries.len(), collection.sentences.len());
    writeln!(out, "{count} queries, {targets} targets, {sentences} sentences")?;
    rows.push(Row::new(set, "collection", "queries", count as f64, "queries"));
    rows.push(Row::new(set, "collection", "sentences", sentences as f64, "sentences"));
    record::write(&args.record, &set.replace(", ", "-").replace(' ', "-"), &rows, out)
}

/// The rows of the collection in the order of their first ranked sentence, the example's own left out.
fn rank_rows(
    engine: &Engine,
    collection: &Collection,
    query: &LikeQuery,
    terms: Vec<Term>,
    options: &LikeOptions,
) -> Result<Vec<usize>, EvalError> {
    let example = Example { terms, ..query.example.clone() };
    let alike = engine.like(&collection.corpus, &example, options).map_err(wrap_error)?;
    let mut seen = HashSet::new();
    let rows = alike.sentences.iter().filter_map(|ranked| collection.rows.get(ranked.passage).copied());
    let others = rows.filter(|&row| collection.sentences[row].id != query.own && seen.insert(row));
    Ok(others.take(LIKE_DEPTH).collect())
}

fn wrap_error(error: impl std::fmt::Display) -> EvalError {
    EvalError::Program { program: "like".into(), message: error.to_string() }
}
