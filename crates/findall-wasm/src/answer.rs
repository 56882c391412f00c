//! What leaves: the same JSON as the server's (`findall-server`'s `wire`), as far as the extension reads it. Offsets
//! count UTF-16 units.

use std::collections::HashSet;

use findall::encode::probability;
use findall::find::{Findings, Why};
use findall::index::PreparedEntity;
use findall::{Document, PreparedDocument, Span};
use serde::Serialize;

use crate::shared::{Outcome, Task};

/// Most matches, and entities, in one answer.
const MOST: usize = 10_000;

/// An answer to a request.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Answer {
    Opened { ready: bool },
    Read { document: String, read: usize, total: usize, whole: bool, wanted: Vec<Task> },
    Wanted { wanted: Vec<Task> },
    Done { done: Vec<(Task, Outcome)> },
    Learned { learned: bool },
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
    /// Whether a judge decided; left out where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    judged: Option<bool>,
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
    /// What the page itself says that it is.
    #[serde(skip_serializing_if = "String::is_empty")]
    page: String,
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

/// The span of UTF-16 units; what lies outside of the text is cut off.
pub fn span(document: &Document, (start, end): (usize, usize)) -> Span {
    let positions = document.positions();
    let byte = |unit| positions.byte_of_utf16(unit).unwrap_or(document.text().len());
    let start = byte(start);
    Span::new(start, byte(end).max(start))
}

/// `read` is the number of bytes that were read, wherever they stand.
pub fn coverage(document: &Document, prepared: &PreparedDocument, read: usize) -> Coverage {
    let text = document.text();
    let to = |byte| units(document, Span::new(0, byte)).end;
    let skipped = prepared.coverage.skipped.iter().map(ToString::to_string).collect();
    Coverage { read: to(text.floor_char_boundary(read)), total: to(text.len()), skipped }
}

pub fn findings(
    found: &Findings,
    document: &Document,
    prepared: &PreparedDocument,
    query: &str,
    judged: Option<bool>,
    coverage: Coverage,
) -> Found {
    let entity = |number: usize| prepared.entities.get(number);
    let matches = found.matches.iter().take(MOST).map(|one| OneMatch {
        span: units(document, one.span),
        kind: one.kind.name(),
        score: one.score,
        entity: (one.entity.and_then(entity)).map(|entity| Named {
            name: entity.name.clone(),
            description: known(entity).to_owned(),
            page: entity.page_word.to_string(),
        }),
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
        coverage,
        judged,
    }
}

fn why(why: &Why) -> String {
    match why {
        Why::Meaning { entity, fact, page, .. } => match (fact.as_str(), page.as_str()) {
            ("", "") => format!("what the page says about {entity}"),
            ("", page) => format!("{entity}; the page: {page}"),
            (fact, "") => format!("{entity}: {fact}"),
            (fact, page) => format!("{entity}: {fact}; the page: {page}"),
        },
        other => other.to_string(),
    }
}

/// What is known about an entity, its name left out.
fn known(entity: &PreparedEntity) -> &str {
    let known = entity.knowledge.strip_prefix(entity.name.as_str()).unwrap_or(&entity.knowledge);
    known.trim_start_matches(['.', ':', ' ']).trim_end()
}
