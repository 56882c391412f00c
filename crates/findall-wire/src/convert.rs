//! Engine types become wire types, once, here.

use findall::document::Document;
use findall::encode::probability;
use findall::find::{Findings, Match, MatchKind, MatchReason, Order, keep_best};
use findall::index::{Coverage, PreparedEntity};
use findall::{Engine, PreparedDocument, Span};

use crate::offsets::Converter;
use crate::{
    FindRequest, FindResponse, Offsets, WireCorrection, WireCoverage, WireEntity, WireEntityScore, WireKind,
    WireMatch, WireOrder,
};

/// How complete a preparation was. What it read begins at the start of the text, unless it is `whole`.
pub fn coverage(coverage: &Coverage, document: &Document, unit: Offsets) -> WireCoverage {
    let converter = Converter::new(document.positions(), unit);
    let total = document.text().len();
    let read = if coverage.is_whole() { total } else { document.text().floor_char_boundary(coverage.bytes) };
    WireCoverage {
        read: converter.to_wire_span(Span::new(0, read)).end,
        total: converter.to_wire_span(Span::new(0, total)).end,
        mentions: coverage.mentions,
        linked: coverage.linked,
        unlinked: coverage.count_unlinked(),
        skipped: describe_gaps(document)
            .into_iter()
            .chain(coverage.skipped.iter().map(ToString::to_string))
            .collect(),
    }
}

/// What of a document could not be read; nothing when all of it was.
pub fn describe_gaps(document: &Document) -> Option<String> {
    let gaps = document.gaps();
    (!gaps.is_empty()).then(|| gaps.to_string())
}

/// How a match came about.
pub fn kind(kind: MatchKind) -> WireKind {
    match kind {
        MatchKind::Exact => WireKind::Exact,
        MatchKind::Fuzzy => WireKind::Fuzzy,
        MatchKind::Meaning => WireKind::Meaning,
        MatchKind::Value => WireKind::Value,
    }
}

/// One match.
pub fn wire_match(
    found: &Match,
    document: &Document,
    prepared: &PreparedDocument,
    converter: &Converter<'_>,
) -> WireMatch {
    WireMatch {
        span: converter.to_wire_span(found.span),
        text: found.span.slice(document.text()).unwrap_or_default().to_owned(),
        kind: kind(found.kind),
        score: found.score,
        entity: found.entity.and_then(|number| prepared.entities.get(number)).map(|entity| WireEntity {
            name: entity.name.clone(),
            id: entity.id.map(|id| id.0.to_string()),
            description: description(entity).to_owned(),
            page: entity.page_word.to_string(),
        }),
        why: explain(&found.why),
    }
}

/// The fact without the figures: those are for who tunes the engine.
fn explain(why: &MatchReason) -> String {
    match why {
        MatchReason::Meaning { entity, fact, page, .. } => match (fact.as_str(), page.as_str()) {
            ("", "") => format!("what the page says about {entity}"),
            ("", page) => format!("{entity}; the page: {page}"),
            (fact, "") => format!("{entity}: {fact}"),
            (fact, page) => format!("{entity}: {fact}; the page: {page}"),
        },
        other => other.to_string(),
    }
}

/// What is known about an entity, its name left out.
fn description(entity: &PreparedEntity) -> &str {
    let known = entity.knowledge.strip_prefix(entity.name.as_str()).unwrap_or(&entity.knowledge);
    known.trim_start_matches(['.', ':', ' ']).trim_end()
}

/// An entity of the knowledge base; what the base says about it comes without its title.
#[cfg(not(target_arch = "wasm32"))]
pub fn base_entity(found: findall::find::BaseFinding) -> crate::KbEntity {
    let text = found.record.knowledge_text();
    let text = text.strip_prefix(found.record.title.as_str()).unwrap_or(&text).trim_start_matches(['.', ' ']);
    crate::KbEntity {
        kind: found.record.kind.name().to_owned(),
        probability: found.probability(),
        text: text.to_owned(),
        title: found.record.title,
        aliases: found.record.aliases,
    }
}

/// Whether nothing slower would decide otherwise: who asked was not in a hurry, or there is no judge to wait for.
pub fn is_final(engine: &Engine, fast: bool) -> bool {
    !fast || !engine.has_judge()
}

/// Whether the request wants a match: it is of the kinds asked for and reaches the threshold, however it came about.
pub fn is_wanted(found: &Match, request: &FindRequest) -> bool {
    request.kinds.as_ref().is_none_or(|kinds| kinds.contains(&kind(found.kind)))
        && request.threshold.is_none_or(|least| found.score >= least)
}

/// Everything that an engine found, as the request wants it.
pub fn findings(
    engine: &Engine,
    findings: &Findings,
    document: &Document,
    prepared: &PreparedDocument,
    request: &FindRequest,
    most: usize,
) -> FindResponse {
    let converter = Converter::new(document.positions(), request.offsets);
    let mut kept: Vec<&Match> = findings.matches.iter().filter(|found| is_wanted(found, request)).collect();
    let order = match request.order {
        WireOrder::Document => Order::Document,
        WireOrder::Score => Order::Score,
    };
    keep_best(&mut kept, request.top, order, |found| (found.span, found.score));
    let left_out = kept.len().saturating_sub(most);
    let matches = kept.iter().take(most).map(|found| wire_match(found, document, prepared, &converter));
    let matches: Vec<WireMatch> = matches.collect();
    FindResponse {
        nothing: matches.is_empty(),
        matches,
        left_out,
        entities: request.all.then(|| entities(findings, prepared, &converter, most)),
        correction: (!findings.corrections.is_empty())
            .then(|| WireCorrection { from: request.query.clone(), to: findings.query.clone() }),
        coverage: coverage(&findings.coverage, document, request.offsets),
        judged: is_final(engine, request.fast),
        took_ms: 0,
    }
}

fn entities(
    findings: &Findings,
    prepared: &PreparedDocument,
    converter: &Converter<'_>,
    most: usize,
) -> Vec<WireEntityScore> {
    let accepted: std::collections::HashSet<usize> =
        findings.matches.iter().filter_map(|found| found.entity).collect();
    let ranked = findings.ranking.iter().take(most).filter_map(|score| {
        let entity = prepared.entities.get(score.entity)?;
        Some(WireEntityScore {
            name: entity.name.clone(),
            id: entity.id.map(|id| id.0.to_string()),
            score: probability(score.log_odds),
            accepted: accepted.contains(&score.entity),
            mentions: entity
                .mentions
                .iter()
                .take(most)
                .map(|mention| converter.to_wire_span(mention.span))
                .collect(),
            fact: description(entity).to_owned(),
        })
    });
    ranked.collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use findall::encode::ModelError;
    use findall::judge::{Judge, VerdictRule};
    use findall::testing::{small_encoder, small_knowledge, small_tagger};

    use super::*;

    /// A judge that nobody asks.
    struct IdleJudge;

    impl Judge for IdleJudge {
        fn id(&self) -> &str {
            "idle"
        }

        fn judge(&self, _: &str, _: &[&str]) -> Result<Vec<f32>, ModelError> {
            unreachable!("nothing is searched for")
        }

        fn verdict(&self) -> VerdictRule {
            unreachable!("nothing is searched for")
        }
    }

    #[test]
    fn only_a_judge_that_was_spared_may_decide_otherwise() {
        let engine = Engine::new(small_encoder(), small_tagger(), small_knowledge());
        assert!(is_final(&engine, true) && is_final(&engine, false), "there is no judge to wait for");
        let engine = engine.with_judge(Arc::new(IdleJudge));
        assert!(!is_final(&engine, true) && is_final(&engine, false));
    }
}
