//! Log-odds that an entity satisfies a query: what is known about it and what the document says, in a learned mix.

use super::query::Asked;
use super::{FindError, Searcher};
use crate::encode::{Embedding, ModelError, TextKind};
use crate::index::{PreparedDocument, PreparedEntity};
use crate::knowledge::fold;

/// A source of evidence to leave out (the paper's ablations).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Without {
    /// What is known outside the document.
    External,
    /// What the document says.
    Internal,
}

/// How the evidence is weighed; learned once, the same for all documents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mix {
    /// Weight of the knowledge's log-odds where there is knowledge; the context has the rest.
    pub knowledge: f32,
    /// Added to the context's log-odds where it stands alone: it says less.
    pub context_alone: f32,
    /// Taken off an entity that the query itself names: it is what the answers are related to, seldom an answer.
    pub named: f32,
}

impl Default for Mix {
    fn default() -> Self {
        Self { knowledge: 0.75, context_alone: -0.5, named: 1.5 }
    }
}

/// Log-odds of the entity that the query names and nothing else: as good as sure.
const IS_THE_QUERY: f32 = 7.0;

/// What speaks for one entity.
#[derive(Clone, Debug, PartialEq)]
pub struct EntityScore {
    /// Which, as a number into `PreparedDocument::entities`.
    pub entity: usize,
    /// All evidence together.
    pub log_odds: f32,
    /// What outside knowledge says.
    pub knowledge: Option<f32>,
    /// What the document says.
    pub context: Option<f32>,
    /// True when the query names the entity.
    pub named: bool,
}

/// Scores every entity, in order.
pub(super) fn score(
    searcher: &Searcher<'_>,
    prepared: &PreparedDocument,
    asked: &Asked,
    without: Option<Without>,
) -> Result<Vec<EntityScore>, FindError> {
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
    let scores = prepared.entities.iter().enumerate().map(|(number, entity)| {
        let mut score = searcher.evidence(number, entity, &wanted, without);
        if let Some(unwanted) = &unwanted {
            score.log_odds =
                score.log_odds.min(-searcher.evidence(number, entity, unwanted, without).log_odds);
        }
        let names = names(entity);
        if names.iter().any(|name| asked.is(name)) {
            score.log_odds = score.log_odds.max(IS_THE_QUERY);
            score.named = true;
        } else if names.iter().any(|name| asked.mentions(name)) {
            score.log_odds -= searcher.mix.named;
            score.named = true;
        }
        score
    });
    Ok(scores.collect())
}

impl Searcher<'_> {
    fn evidence(
        &self,
        number: usize,
        entity: &PreparedEntity,
        query: &Embedding,
        without: Option<Without>,
    ) -> EntityScore {
        let calibration = self.encoder.calibration();
        let odds = |text: &Option<Embedding>| text.as_ref().map(|text| calibration.log_odds(query, text));
        let knowledge =
            if without == Some(Without::External) { None } else { odds(&entity.knowledge_embedding) };
        // Without the inside, an entity of which nothing is known has nothing to go by.
        let context = if without == Some(Without::Internal) { None } else { odds(&entity.context_embedding) };
        let share = self.mix.knowledge;
        let log_odds = match (knowledge, context) {
            (Some(knowledge), Some(context)) => share * knowledge + (1.0 - share) * context,
            (Some(knowledge), None) => knowledge,
            (None, Some(context)) => context + self.mix.context_alone,
            (None, None) => NOTHING_KNOWN,
        };
        EntityScore { entity: number, log_odds, knowledge, context, named: false }
    }
}

/// Log-odds of an entity without any evidence.
const NOTHING_KNOWN: f32 = -12.0;

/// The folded names of an entity: its title with and without what stands in parentheses.
fn names(entity: &PreparedEntity) -> Vec<String> {
    let base = entity.name.split(" (").next().unwrap_or(&entity.name);
    let mut names = vec![fold(&entity.name)];
    if base.len() < entity.name.len() {
        names.push(fold(base));
    }
    names
}
