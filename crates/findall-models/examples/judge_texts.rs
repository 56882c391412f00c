//! What a judge reads: documents with queries come in, one JSON object a line; for each, every entity that the tagger and
//! the linker find (or, with `--given`, those that the line names) goes out with what a judge would read of it for every
//! query and what the encoder (and, with `--judge`, the judge) thinks. Training reads these (`training/prepare_judge.py`).
//!
//! ```text
//! cargo run --release -p findall-models --example judge_texts -- models kb/default.kb [--given] [--judge] < in.jsonl > out.jsonl
//! ```

use std::io::{BufRead, Write};
use std::sync::Arc;

use findall::engine::{Engine, KnownEntity};
use findall::find::{CandidateText, FindOptions, KeepRule, QueryTerms, Speed};
use findall::index::OccurrenceOrigin;
use findall::knowledge::KnowledgeBase;
use findall::{Document, Span};
use findall_models::Models;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct Line {
    id: String,
    text: String,
    #[serde(default)]
    queries: Vec<String>,
    #[serde(default)]
    entities: Vec<Given>,
}

#[derive(Deserialize)]
struct Given {
    name: String,
    /// Bytes.
    mentions: Vec<(usize, usize)>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [models, kb, rest @ ..] = args.as_slice() else {
        return Err("which models and knowledge base?".into());
    };
    let models = Models::load(models.as_ref())?;
    let mut engine = Engine::new(models.encoder()?, models.tagger()?, Arc::new(KnowledgeBase::open(kb)?));
    if rest.iter().any(|arg| arg == "--judge") {
        let judge = models.judge()?.ok_or("no judge in the folder of the models")?;
        engine = engine.with_judge(judge);
    }
    let given = rest.iter().any(|arg| arg == "--given");
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let line: Line = serde_json::from_str(&line?)?;
        writeln!(out, "{}", describe(&engine, line, given)?)?;
    }
    Ok(())
}

fn round_log_odds(log_odds: f32) -> f64 {
    (f64::from(log_odds) * 100.0).round() / 100.0
}

fn describe(engine: &Engine, line: Line, given: bool) -> Result<Value, Box<dyn std::error::Error>> {
    let document = Document::from_text(line.text);
    let prepared = if given {
        let spans = |one: &Given| one.mentions.iter().map(|&(start, end)| Span::new(start, end)).collect();
        let known: Vec<KnownEntity> = (line.entities.iter())
            .map(|one| KnownEntity { title: one.name.clone(), mentions: spans(one) })
            .collect();
        engine.prepare_known(&document, &known)?
    } else {
        engine.prepare(&document)?
    };
    let mut entities = Vec::new();
    for entity in &prepared.entities {
        let about = CandidateText::gather(&document, entity, &QueryTerms::default());
        let named = entity.mentions.iter().filter(|at| at.found != OccurrenceOrigin::Described);
        entities.push(json!({
            "title": entity.name,
            "name": about.name,
            "kind": about.kind.map(|kind| kind.name()),
            "knowledge": about.knowledge,
            "here": about.here,
            "confidence": entity.confidence,
            "mentions": named.map(|at| [at.span.start, at.span.end]).collect::<Vec<_>>(),
        }));
    }
    let mut queries = Vec::new();
    let fast = FindOptions {
        keep: KeepRule::All,
        correct_typos: false,
        speed: Speed::Fast,
        ..FindOptions::default()
    };
    let judged = FindOptions { speed: Speed::Judged, ..fast };
    for query in &line.queries {
        let terms = QueryTerms::of(query);
        let found = engine.find(&document, &prepared, query, &fast)?;
        let mut encoder = vec![0.0; prepared.entities.len()];
        found.ranking.iter().for_each(|score| encoder[score.entity] = round_log_odds(score.log_odds));
        // What the mix of the two is fitted on, and whether the query names the entity.
        let mut parts = vec![Value::Null; prepared.entities.len()];
        found.ranking.iter().for_each(|score| {
            parts[score.entity] = json!([
                score.knowledge.map(round_log_odds),
                score.context.map(round_log_odds),
                score.named,
                score.is_the_query
            ])
        });
        let found = engine.find(&document, &prepared, query, &judged)?;
        let mut judge = vec![None; prepared.entities.len()];
        found.ranking.iter().for_each(|score| judge[score.entity] = score.judge.map(round_log_odds));
        let sentences =
            prepared.entities.iter().map(|entity| CandidateText::gather(&document, entity, &terms).sentences);
        queries.push(json!({ "q": query, "encoder": encoder, "parts": parts, "judge": judge, "sentences": sentences.collect::<Vec<_>>() }));
    }
    Ok(json!({ "id": line.id, "entities": entities, "queries": queries }))
}
