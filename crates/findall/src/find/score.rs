//! Log-odds that an entity satisfies a query: what is known about it and what the document says, in a learned mix.

use std::collections::HashSet;

use serde::Deserialize;

use super::query::ParsedQuery;
use super::{FindError, Searcher};
use crate::encode::{Embedding, ModelError, TextKind};
use crate::index::{OccurrenceOrigin, PreparedDocument, PreparedEntity};
use crate::knowledge::{EntityId, KnowledgeBase, fold};
use crate::lexical::{LexicalKind, LexicalMatch};
use crate::span::Span;
use crate::tuning::tuning;

/// A source of evidence to leave out (the paper's ablations).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvidenceSource {
    /// What is known outside the document.
    External,
    /// What the document says.
    Internal,
}

/// How the evidence is weighed; learned once, the same for all documents.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mix {
    /// Weight of the knowledge's log-odds where there is a context, too.
    pub knowledge: f32,
    /// Weight of the context's beside it.
    pub context: f32,
    /// Added to both.
    pub bias: f32,
    /// Weight of the context's log-odds where nothing is known.
    pub context_alone: f32,
    /// Added to it there.
    pub bias_alone: f32,
    /// Taken off an entity that the query itself names: it is what the answers are related to, seldom an answer.
    pub named: f32,
    /// Log-odds at least of the entity that the query names and nothing else: so sure that its likes are far below. Who
    /// types "Volkswagen" wants Volkswagen, not every maker of cars.
    pub is_the_query: f32,
}

impl Default for Mix {
    fn default() -> Self {
        tuning().find
    }
}

/// How often a name must mean an entity for a query of that name alone to ask for it.
const MIN_PRIOR: f32 = 0.1;

/// What a query names when it is a name and nothing else.
pub(super) struct NamedQuery {
    /// The places that say just what the query says.
    places: HashSet<Span>,
    /// What the knowledge base knows by that name.
    known: HashSet<EntityId>,
    /// The last word, when it is a plural: "Grand Slam tournaments" is another name of the Grand Slam, but asks for
    /// its members.
    plural: Option<String>,
}

impl NamedQuery {
    pub fn from_query(query: &str, by_letters: &[LexicalMatch], knowledge: &KnowledgeBase) -> NamedQuery {
        let exact = by_letters.iter().filter(|found| found.kind == LexicalKind::Exact);
        let meant = knowledge.candidates(query).into_iter().filter(|it| it.prior >= MIN_PRIOR);
        let folded = fold(query);
        let last = folded.rsplit(' ').next().filter(|last| last.ends_with('s') && !last.ends_with("ss"));
        NamedQuery {
            places: exact.map(|found| found.span).collect(),
            known: meant.map(|it| it.id).collect(),
            plural: last.map(str::to_owned),
        }
    }

    fn has(&self, entity: &PreparedEntity) -> bool {
        let named_so =
            |place: &Span, found| found != OccurrenceOrigin::Described && self.places.contains(place);
        let members = |name: &str| {
            self.plural.as_ref().is_some_and(|plural| !fold(name).split(' ').any(|word| word == plural))
        };
        entity.id.is_some_and(|id| self.known.contains(&id)) && !members(&entity.name)
            || !self.places.is_empty() && entity.mentions.iter().any(|at| named_so(&at.span, at.found))
    }
}

/// What speaks for one entity.
#[derive(Clone, Debug, PartialEq)]
pub struct EntityEvidence {
    /// Which, as a number into `PreparedDocument::entities`.
    pub entity: usize,
    /// All evidence together.
    pub log_odds: f32,
    /// What outside knowledge says.
    pub knowledge: Option<f32>,
    /// What the document says.
    pub context: Option<f32>,
    /// What the judge says, where it was asked.
    pub judge: Option<f32>,
    /// True when the query names the entity.
    pub named: bool,
    /// True when the query is a name of the entity and nothing else.
    pub is_the_query: bool,
}

/// Weighs what speaks for every entity, in order.
pub(super) fn weigh_entities(
    searcher: &Searcher<'_>,
    prepared: &PreparedDocument,
    asked: &ParsedQuery,
    is_the_query: &NamedQuery,
    without: Option<EvidenceSource>,
) -> Result<Vec<EntityEvidence>, FindError> {
    if prepared.entities.is_empty() {
        return Ok(Vec::new());
    }
    let texts: Vec<&str> = std::iter::once(asked.wanted.as_str()).chain(asked.unwanted.as_deref()).collect();
    let mut vectors = searcher.encoder.encode(&texts, TextKind::Query)?.into_iter();
    let wanted = vectors.next().ok_or_else(|| ModelError {
        model: "encoder".into(),
        message: "gave no vector for the query; check the model folder with `findall doctor`".into(),
    })?;
    let unwanted = vectors.next();
    let weighed = prepared.entities.iter().enumerate().map(|(number, entity)| {
        let mut evidence = searcher.gather_evidence(number, entity, &wanted, without);
        if let Some(unwanted) = &unwanted {
            let against = searcher.gather_evidence(number, entity, unwanted, without);
            evidence.log_odds = evidence.log_odds.min(-against.log_odds);
        }
        let names = names(entity);
        if is_the_query.has(entity) || names.iter().any(|name| asked.is(name)) {
            evidence.log_odds = evidence.log_odds.max(searcher.mix.is_the_query);
            evidence.named = true;
            evidence.is_the_query = true;
        } else if names.iter().any(|name| asked.mentions(name)) {
            evidence.log_odds -= searcher.mix.named;
            evidence.named = true;
        }
        evidence
    });
    Ok(weighed.collect())
}

impl Searcher<'_> {
    fn gather_evidence(
        &self,
        number: usize,
        entity: &PreparedEntity,
        query: &Embedding,
        without: Option<EvidenceSource>,
    ) -> EntityEvidence {
        let calibration = self.encoder.calibration();
        let odds = |text: &Option<Embedding>| text.as_ref().map(|text| calibration.log_odds(query, text));
        let knowledge =
            if without == Some(EvidenceSource::External) { None } else { odds(&entity.knowledge_embedding) };
        // Without the inside, an entity of which nothing is known has nothing to go by.
        let context =
            if without == Some(EvidenceSource::Internal) { None } else { odds(&entity.context_embedding) };
        let mix = &self.mix;
        let log_odds = match (knowledge, context) {
            (Some(knowledge), Some(context)) => mix.knowledge * knowledge + mix.context * context + mix.bias,
            (Some(knowledge), None) => knowledge,
            (None, Some(context)) => mix.context_alone * context + mix.bias_alone,
            (None, None) => NO_EVIDENCE_LOG_ODDS,
        };
        EntityEvidence {
            entity: number,
            log_odds,
            knowledge,
            context,
            judge: None,
            named: false,
            is_the_query: false,
        }
    }
}

/// Log-odds of an entity without any evidence.
const NO_EVIDENCE_LOG_ODDS: f32 = -12.0;

/// The folded names of an entity: its title with and without what stands in parentheses.
fn names(entity: &PreparedEntity) -> Vec<String> {
    let base = entity.name.split(" (").next().unwrap_or(&entity.name);
    let mut names = vec![fold(&entity.name)];
    if base.len() < entity.name.len() {
        names.push(fold(base));
    }
    names
}
