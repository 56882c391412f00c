//! `findall-eval kb-find --fit`: training queries over the whole knowledge base. How many of their answers the first stage
//! reaches by several weights, or what speaks for each candidate, for `training/fit_base.py`.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use findall::Engine;
use findall::find::{BaseEffort, BaseFinding, BaseOptions, KeepRule};
use findall::knowledge::words::{RankWeights, WordIndex};
use findall::knowledge::{EntityId, KnowledgeBase};
use serde::{Deserialize, Serialize};

use crate::kb_find::mean;
use crate::{EvalError, inputs, table};

/// Candidates of the first stage among which answers are counted.
const CANDIDATES: usize = 40;
#[derive(Deserialize)]
struct BasePool {
    id: String,
    items: Vec<BasePoolItem>,
    queries: Vec<(String, Vec<usize>)>,
}

#[derive(Deserialize)]
struct BasePoolItem {
    #[serde(default)]
    entity: Option<String>,
}

/// A training query and the answers that its pool knows.
pub struct PoolQuery {
    pool: String,
    text: String,
    answers: HashSet<EntityId>,
    /// Entities of the pool that are none.
    others: HashSet<EntityId>,
}

/// The queries over neighbourhoods of the base that have an answer in it.
pub fn read(path: &Path, knowledge: &KnowledgeBase, most: usize) -> Result<Vec<PoolQuery>, EvalError> {
    let mut asked = Vec::new();
    // The other pools are of pages, and ask about what stands there.
    let pools = inputs::json_lines::<BasePool>(path)?.into_iter().filter(|pool| pool.id.starts_with("kb-"));
    for pool in pools {
        let ids: Vec<Option<EntityId>> =
            pool.items.iter().map(|item| knowledge.find_title(item.entity.as_deref()?)).collect();
        for (text, numbers) in pool.queries {
            let answers: HashSet<EntityId> =
                numbers.iter().filter_map(|at| *ids.get(at.checked_sub(1)?)?).collect();
            if !answers.is_empty() {
                let others = ids.iter().flatten().filter(|id| !answers.contains(id)).copied().collect();
                asked.push(PoolQuery { pool: pool.id.clone(), text, answers, others });
            }
        }
    }
    asked.truncate(most);
    Ok(asked)
}

/// Shares of the answers that the first stage reaches, for several weights.
pub fn show_reach(asked: &[PoolQuery], words: &WordIndex, out: &mut dyn Write) -> Result<(), EvalError> {
    let mut lines = Vec::new();
    for length in [0.0, 0.15, 0.3, 0.5, 0.75] {
        for fame in [0.0, 1.0, 2.0, 3.0, 5.0, 8.0] {
            let weights = RankWeights { length, fame, ..RankWeights::default() };
            let share = |query: &PoolQuery| {
                let found = words.rank_by(&query.text, CANDIDATES, weights);
                let reached = found.iter().filter(|it| query.answers.contains(&it.id)).count();
                reached as f64 / query.answers.len() as f64
            };
            let shares: Vec<f64> = asked.iter().map(share).collect();
            lines.push(vec![
                format!("length {length}, fame {fame}"),
                format!("{:.2} %", 100.0 * mean(&shares)),
            ]);
        }
    }
    table::write(out, &["weights", "answers among the first 40"], &lines)?;
    Ok(())
}

/// What speaks for the candidates of one query.
#[derive(Serialize)]
struct EvidenceLine<'q> {
    pool: &'q str,
    query: &'q str,
    /// Answers, those included that no candidate is.
    answers: usize,
    candidates: Vec<EvidenceCandidate>,
}

#[derive(Serialize)]
struct EvidenceCandidate {
    title: String,
    /// Whether it is an answer; nothing where the pool does not say.
    answer: Option<bool>,
    words: f32,
    encoder: f32,
    judge: Option<f32>,
    named: bool,
}

/// Writes what speaks for each candidate, every one of them judged.
pub fn write_evidence(
    asked: &[PoolQuery],
    engine: &Engine,
    words: &WordIndex,
    path: &Path,
) -> Result<(), EvalError> {
    let io = |error| EvalError::File { path: path.to_owned(), error };
    let mut file = BufWriter::new(File::create(path).map_err(io)?);
    // More than a search looks at, so that fewer can be tried.
    let effort = BaseEffort {
        first_candidates: CANDIDATES,
        further_candidates: CANDIDATES / 2,
        max_judged: usize::MAX,
        ..BaseEffort::default()
    };
    let options = BaseOptions { keep: KeepRule::All, most: usize::MAX, effort, ..BaseOptions::default() };
    for query in asked {
        let found = engine.find_in_base(words, &query.text, &options).map_err(inputs::wrap_error)?.found;
        let candidate = |found: BaseFinding| EvidenceCandidate {
            answer: match found.record.id {
                id if query.answers.contains(&id) => Some(true),
                id if query.others.contains(&id) => Some(false),
                _ => None,
            },
            title: found.record.title,
            words: found.words,
            encoder: found.encoder,
            judge: found.judge,
            named: found.is_the_query,
        };
        let line = EvidenceLine {
            pool: &query.pool,
            query: &query.text,
            answers: query.answers.len(),
            candidates: found.into_iter().map(candidate).collect(),
        };
        let line = serde_json::to_string(&line).map_err(inputs::wrap_error)?;
        writeln!(file, "{line}").map_err(io)?;
    }
    file.flush().map_err(io)
}
