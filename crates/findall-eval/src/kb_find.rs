//! `findall-eval kb-find`: list queries over the whole knowledge base. nDCG@10 of findall, judged and fast, beside BM25
//! over the same texts, and how long a query takes.
//!
//! The queries are those of DBpedia-Entity v2 that ask for lists, with grades 0 to 2. An entity that was not judged
//! counts as 0; the ideal is made of the judged entities that the base has, the same for all systems.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use findall::Engine;
use findall::find::{BaseEffort, BaseOptions, KeepRule, Speed};
use findall::knowledge::words::{RankWeights, WordIndex};
use findall::knowledge::{EntityId, KnowledgeBase, NameKind};

use crate::record::{self, RecordArgs, Row};
use crate::resources::ResourceArgs;
use crate::{EvalError, inputs, kb_find_fit, table};

/// Arguments of `findall-eval kb-find`.
#[derive(Debug, clap::Args)]
pub struct KbFindArgs {
    /// Folder with DBpedia-Entity's queries-v2.txt and qrels-v2.txt
    #[arg(required_unless_present = "fit", value_name = "DIR")]
    data: Option<PathBuf>,

    /// Instead: how many answers of these training pools (JSON Lines) the first stage reaches, by weights
    #[arg(long, value_name = "POOLS.jsonl", conflicts_with = "data")]
    fit: Option<PathBuf>,

    /// With --fit: what speaks for each candidate of those queries, as JSON Lines for training/fit_base.py
    #[arg(long, value_name = "FILE", requires = "fit")]
    evidence: Option<PathBuf>,

    /// How much is looked at and what it weighs, as `base` in models/tuning.json [default: what is built in]
    #[arg(long, value_name = "FILE", conflicts_with = "fit")]
    effort: Option<PathBuf>,

    /// Only so many queries, the first ones
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    queries: usize,

    #[command(flatten)]
    resources: ResourceArgs,

    #[command(flatten)]
    record: RecordArgs,
}

/// Collections of DBpedia-Entity whose queries ask for lists.
const LIST_COLLECTIONS: &[&str] = &["SemSearch_LS", "TREC_Entity", "INEX_XER", "QALD2"];
/// Places of a ranking that count.
const FOUND_DEPTH: usize = 10;
/// How often a name must mean an entity to be a redirect to it.
const MIN_REDIRECT_PRIOR: f32 = 0.4;

/// A query and what is right.
struct BaseQuery {
    text: String,
    grades: HashMap<EntityId, u32>,
    /// Relevant entities, those included that the base does not have.
    relevant: usize,
}

/// What one system did.
#[derive(Default)]
struct BaseRun {
    gains: Vec<f64>,
    milliseconds: Vec<f64>,
}

/// Measures, prints, records.
pub fn run(args: &KbFindArgs, out: &mut dyn Write) -> Result<(), EvalError> {
    let models = args.resources.models()?;
    let failed = |error: &dyn std::fmt::Display| EvalError::Program {
        program: "models".into(),
        message: error.to_string(),
    };
    let knowledge = args.resources.knowledge()?;
    let started = Instant::now();
    let words =
        WordIndex::build_in_memory(&knowledge, &mut |_| ControlFlow::Continue(())).map_err(|error| {
            EvalError::Program { program: "index of words".into(), message: error.to_string() }
        })?;
    let built = started.elapsed().as_secs_f64();
    let asked = match &args.fit {
        Some(pools) => Some(kb_find_fit::read(pools, &knowledge, args.queries)?),
        None => None,
    };
    if let (Some(asked), None) = (&asked, &args.evidence) {
        return kb_find_fit::show_reach(asked, &words, out);
    }
    let encoder = models.encoder().map_err(|error| failed(&error))?;
    let tagger = models.tagger().map_err(|error| failed(&error))?;
    let mut engine = Engine::new(encoder, tagger, knowledge.clone());
    if let Some(judge) = models.judge().map_err(|error| failed(&error))? {
        engine = engine.with_judge(judge);
    }
    if let (Some(asked), Some(path)) = (&asked, &args.evidence) {
        return kb_find_fit::write_evidence(asked, &engine, &words, path);
    }
    let folder = args.data.as_deref().unwrap_or(Path::new("."));
    let mut queries = read_queries(folder, &knowledge)?;
    queries.truncate(args.queries);
    let (judged, relevant) = queries.iter().fold((0, 0), |(had, all), query| {
        (had + query.grades.values().filter(|grade| **grade > 0).count(), all + query.relevant)
    });
    let mut figures = vec![
        ("base", "queries", queries.len() as f64, "queries"),
        ("base", "relevant entities that it has", judged as f64 / relevant.max(1) as f64, "share"),
        ("base", "index of words, made in", built, "s"),
        ("base", "index of words, size", words.size() as f64 / 1e6, "MB"),
    ];
    let effort = read_effort(args.effort.as_deref())?;
    for (system, rank) in systems(&engine, &words, effort) {
        let run = measure(&queries, &*rank)?;
        figures.push((system, "nDCG@10", mean(&run.gains), "share"));
        figures.push((system, "query p50", percentile(&run.milliseconds, 0.5), "ms"));
        figures.push((system, "query p95", percentile(&run.milliseconds, 0.95), "ms"));
    }
    let lines: Vec<Vec<String>> = figures
        .iter()
        .map(|(system, metric, value, unit)| {
            let value = match *unit {
                "share" => format!("{:.1} %", 100.0 * value),
                unit => format!("{value:.1} {unit}"),
            };
            vec![(*system).to_owned(), (*metric).to_owned(), value]
        })
        .collect();
    table::write(out, &["system", "figure", "value"], &lines)?;
    let rows: Vec<Row> = figures
        .iter()
        .map(|(system, metric, value, unit)| Row::new("dbpedia-entity lists", system, metric, *value, unit))
        .collect();
    record::write(&args.record, "kb-find", &rows, out)
}

/// The numbers of a file, or those built in.
fn read_effort(path: Option<&Path>) -> Result<BaseEffort, EvalError> {
    let Some(path) = path else { return Ok(BaseEffort::default()) };
    serde_json::from_str(&inputs::text(path)?)
        .map_err(|error| EvalError::Definition { path: path.to_owned(), message: error.to_string() })
}

type Ranker<'r> = Box<dyn Fn(&str) -> Result<Vec<EntityId>, EvalError> + 'r>;

/// What is compared: each takes a query and gives entities, best first.
fn systems<'r>(
    engine: &'r Engine,
    words: &'r WordIndex,
    effort: BaseEffort,
) -> Vec<(&'static str, Ranker<'r>)> {
    let by_words = |weights: RankWeights| -> Ranker<'r> {
        Box::new(move |query: &str| {
            Ok(words.rank_by(query, FOUND_DEPTH, weights).into_iter().map(|found| found.id).collect())
        })
    };
    let by_meaning = |speed: Speed| -> Ranker<'r> {
        Box::new(move |query: &str| {
            let options = BaseOptions { keep: KeepRule::All, most: FOUND_DEPTH, speed, effort };
            let found = engine.find_in_base(words, query, &options).map_err(|error| EvalError::Program {
                program: "kb find".into(),
                message: error.to_string(),
            })?;
            Ok(found.found.into_iter().map(|found| found.record.id).collect())
        })
    };
    vec![
        ("BM25", by_words(RankWeights::PLAIN)),
        ("first stage", by_words(RankWeights::default())),
        ("findall --fast", by_meaning(Speed::Fast)),
        ("findall", by_meaning(Speed::Judged)),
    ]
}

fn measure(
    queries: &[BaseQuery],
    rank: &dyn Fn(&str) -> Result<Vec<EntityId>, EvalError>,
) -> Result<BaseRun, EvalError> {
    let mut run = BaseRun::default();
    for query in queries {
        let started = Instant::now();
        let ranking = rank(&query.text)?;
        run.milliseconds.push(started.elapsed().as_secs_f64() * 1e3);
        run.gains.push(ndcg(&ranking, &query.grades));
    }
    Ok(run)
}

/// Normalised discounted cumulative gain with gain 2^grade − 1, as the collection's own tool counts.
fn ndcg(ranking: &[EntityId], grades: &HashMap<EntityId, u32>) -> f64 {
    let gain = |grade: u32| f64::from((1u32 << grade.min(8)) - 1);
    let discounted = |gains: &mut dyn Iterator<Item = f64>| -> f64 {
        gains.take(FOUND_DEPTH).enumerate().map(|(at, gain)| gain / (at as f64 + 2.0).log2()).sum()
    };
    let mut best: Vec<u32> = grades.values().copied().collect();
    best.sort_unstable_by(|a, b| b.cmp(a));
    let ideal = discounted(&mut best.iter().map(|grade| gain(*grade)));
    let own = discounted(&mut ranking.iter().map(|id| gain(grades.get(id).copied().unwrap_or(0))));
    if ideal > 0.0 { own / ideal } else { 0.0 }
}

/// The list queries that have a relevant entity in the base.
fn read_queries(folder: &Path, knowledge: &KnowledgeBase) -> Result<Vec<BaseQuery>, EvalError> {
    let read = |name: &str| {
        let path = folder.join(name);
        std::fs::read_to_string(&path).map_err(|error| EvalError::File { path, error })
    };
    let wrong = |name: &str, line: usize| EvalError::Definition {
        path: folder.join(name),
        message: format!("line {line}: too few fields; get the file again"),
    };
    let mut queries: BTreeMap<String, BaseQuery> = BTreeMap::new();
    for (at, line) in read("queries-v2.txt")?.lines().enumerate() {
        let (id, text) = line.split_once('\t').ok_or_else(|| wrong("queries-v2.txt", at + 1))?;
        if LIST_COLLECTIONS.iter().any(|collection| id.starts_with(collection)) {
            let query = BaseQuery { text: text.trim().into(), grades: HashMap::new(), relevant: 0 };
            queries.insert(id.into(), query);
        }
    }
    for (at, line) in read("qrels-v2.txt")?.lines().enumerate() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [id, _, entity, grade] = fields[..] else { return Err(wrong("qrels-v2.txt", at + 1)) };
        let Some(query) = queries.get_mut(id) else { continue };
        let grade: u32 = grade.trim().parse().map_err(|_| wrong("qrels-v2.txt", at + 1))?;
        let title = entity.trim_start_matches("<dbpedia:").trim_end_matches('>').replace('_', " ");
        query.relevant += usize::from(grade > 0);
        if let Some(id) = entity_of(knowledge, &title) {
            let known = query.grades.entry(id).or_default();
            *known = (*known).max(grade);
        }
    }
    Ok(queries.into_values().filter(|query| query.grades.values().any(|grade| *grade > 0)).collect())
}

/// The entity of a title: by the title itself, else by a name that mostly means one entity.
fn entity_of(knowledge: &KnowledgeBase, title: &str) -> Option<EntityId> {
    knowledge.find_title(title).or_else(|| {
        let best = *knowledge.candidates(title).first()?;
        (best.via == NameKind::Alias && best.prior > MIN_REDIRECT_PRIOR).then_some(best.id)
    })
}

pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

fn percentile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let at = (share * sorted.len().saturating_sub(1) as f64).round() as usize;
    sorted.get(at).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_are_discounted_and_normalised() {
        let grades = HashMap::from([(EntityId(1), 2), (EntityId(2), 1), (EntityId(3), 0)]);
        let ids = |ids: &[u32]| ids.iter().map(|id| EntityId(*id)).collect::<Vec<_>>();
        assert!((ndcg(&ids(&[1, 2, 3]), &grades) - 1.0).abs() < 1e-9);
        let ideal = 3.0 + 1.0 / 3f64.log2();
        let swapped = (1.0 + 3.0 / 3f64.log2()) / ideal;
        assert!((ndcg(&ids(&[2, 1]), &grades) - swapped).abs() < 1e-9);
        assert_eq!(ndcg(&ids(&[3, 9]), &grades), 0.0);
        let deep: Vec<u32> = (10..20).chain([1]).collect();
        assert_eq!(ndcg(&ids(&deep), &grades), 0.0, "the eleventh place does not count");
    }

    #[test]
    fn list_queries_are_read_and_joined_with_the_base() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        write("queries-v2.txt", "QALD2_te-1\tapps of China\nINEX_LD-1\tchina\nTREC_Entity-2\tno answers\n");
        write(
            "qrels-v2.txt",
            "QALD2_te-1\tQ0\t<dbpedia:WeChat>\t2\nQALD2_te-1\tQ0\t<dbpedia:Nothing_here>\t1\n\
             INEX_LD-1\tQ0\t<dbpedia:China>\t2\nTREC_Entity-2\tQ0\t<dbpedia:Lyon>\t0\n",
        );
        let knowledge = findall::testing::small_knowledge();
        let queries = read_queries(folder.path(), &knowledge).unwrap();
        assert_eq!(queries.len(), 1, "lists with an answer only");
        assert_eq!((queries[0].text.as_str(), queries[0].relevant), ("apps of China", 2));
        assert_eq!(queries[0].grades, HashMap::from([(knowledge.find_title("WeChat").unwrap(), 2)]));
        write("qrels-v2.txt", "QALD2_te-1\tQ0\n");
        let error = read_queries(folder.path(), &knowledge).err().unwrap().to_string();
        assert!(error.ends_with("qrels-v2.txt: line 1: too few fields; get the file again"), "{error}");
    }
}
