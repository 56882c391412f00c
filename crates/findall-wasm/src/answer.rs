//! What leaves: the same JSON as the server's (`findall-server`'s `wire`), as far as the extension reads it. Offsets
//! count UTF-16 units.

use std::collections::HashSet;

use findall::encode::probability;
use findall::find::{Findings, Why};
use findall::index::PreparedEntity;
use findall::{Document, PreparedDocument, Span};
use serde::Serialize;

/// Most matches, and entities, in one answer.
const MOST: usize = 10_000;

/// An answer to a request.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Answer {
    Opened { ready: bool },
    Read { document: String, read: usize, total: usize, whole: bool },
    Found(Found),
    Failed { error: Failure },
}

/// What happened and what to do.
#[derive(Serialize)]
pub struct Failure {
    code: &'static str,
    message: String,
}

impl Failure {
    pub fn new(code: &'static str, message: String) -> Self {
        Self { code, message }
    }
}

#[derive(Serialize)]
pub struct Found {
    matches: Vec<OneMatch>,
    entities: Vec<Weighed>,
    #[serde(skip_serializing_if = "Option::is_none")]
    correction: Option<Correction>,
    coverage: Coverage,
}

#[derive(Serialize)]
struct OneMatch {
    span: Units,
    kind: &'static str,
    score: f32,
    #[serde(skip_serializing_if = "Option::is_none")]
    entity: Option<Named>,
    why: String,
}

#[derive(Serialize)]
struct Named {
    name: String,
    description: String,
}

#[derive(Serialize)]
struct Weighed {
    name: String,
    score: f32,
    accepted: bool,
    mentions: Vec<Units>,
    fact: String,
}

#[derive(Serialize)]
struct Correction {
    from: String,
    to: String,
}

#[derive(Serialize)]
pub struct Coverage {
    pub read: usize,
    pub total: usize,
    skipped: Vec<String>,
}

/// A stretch in UTF-16 units.
#[derive(Serialize)]
struct Units {
    start: usize,
    end: usize,
}

fn units(document: &Document, span: Span) -> Units {
    let positions = document.positions();
    // The engine hands out spans on characters only.
    let unit = |byte| positions.utf16_of(byte).unwrap_or_default();
    Units { start: unit(span.start), end: unit(span.end) }
}

pub fn coverage(document: &Document, prepared: &PreparedDocument) -> Coverage {
    let (text, coverage) = (document.text(), &prepared.coverage);
    let read = if coverage.is_whole() { text.len() } else { text.floor_char_boundary(coverage.bytes) };
    let to = |byte| units(document, Span::new(0, byte)).end;
    let skipped = coverage.skipped.iter().map(ToString::to_string).collect();
    Coverage { read: to(read), total: to(text.len()), skipped }
}

pub fn findings(found: &Findings, document: &Document, prepared: &PreparedDocument, query: &str) -> Found {
    let entity = |number: usize| prepared.entities.get(number);
    let matches = found.matches.iter().take(MOST).map(|one| OneMatch {
        span: units(document, one.span),
        kind: one.kind.name(),
        score: one.score,
        entity: (one.entity.and_then(entity))
            .map(|entity| Named { name: entity.name.clone(), description: known(entity).to_owned() }),
        why: why(&one.why),
    });
    let accepted: HashSet<usize> = found.matches.iter().filter_map(|one| one.entity).collect();
    let weighed = found.ranking.iter().take(MOST).filter_map(|score| {
        let entity = entity(score.entity)?;
        Some(Weighed {
            name: entity.name.clone(),
            score: probability(score.log_odds),
            accepted: accepted.contains(&score.entity),
            mentions: entity.mentions.iter().take(MOST).map(|at| units(document, at.span)).collect(),
            fact: known(entity).to_owned(),
        })
    });
    Found {
        matches: matches.collect(),
        entities: weighed.collect(),
        correction: (!found.corrections.is_empty())
            .then(|| Correction { from: query.to_owned(), to: found.query.clone() }),
        coverage: coverage(document, prepared),
    }
}

fn why(why: &Why) -> String {
    match why {
        Why::Meaning { entity, fact, .. } if fact.is_empty() => format!("what the page says about {entity}"),
        Why::Meaning { entity, fact, .. } => format!("{entity}: {fact}"),
        other => other.to_string(),
    }
}

/// What is known about an entity, its name left out.
fn known(entity: &PreparedEntity) -> &str {
    let known = entity.knowledge.strip_prefix(entity.name.as_str()).unwrap_or(&entity.knowledge);
    known.trim_start_matches(['.', ':', ' ']).trim_end()
}
