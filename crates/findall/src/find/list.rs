//! One list: matches by meaning, by letters and by value, no two overlapping.

use super::query::ParsedQuery;
use super::{Match, MatchKind, MatchReason, Order};
use crate::index::PreparedDocument;
use crate::lexical::LexicalMatch;
use crate::span::Span;

/// How likely a value of the kind asked for is meant.
const VALUE_CONFIDENCE: f32 = 0.9;

/// Adds the values that the query asks for.
pub(super) fn add_values(matches: &mut Vec<Match>, prepared: &PreparedDocument, asked: &ParsedQuery) {
    let wanted = prepared.values.iter().filter(|value| asked.values.contains(&value.kind));
    matches.extend(wanted.map(|value| Match {
        span: value.span,
        kind: MatchKind::Value,
        score: VALUE_CONFIDENCE,
        entity: None,
        why: MatchReason::Value,
    }));
}

/// Joins both kinds of match. Of two that overlap the longer stays, of two that are the same the one by letters,
/// which keeps the entity of the other.
pub(super) fn join(by_meaning: Vec<Match>, by_letters: Vec<LexicalMatch>, order: Order) -> Vec<Match> {
    let mut all = by_meaning;
    all.extend(by_letters.into_iter().map(|found| Match {
        span: found.span,
        kind: found.kind.into(),
        score: found.score,
        entity: None,
        why: found.kind.into(),
    }));
    let by_place = |a: &Match, b: &Match| a.span.start.cmp(&b.span.start).then(b.span.end.cmp(&a.span.end));
    all.sort_by(by_place);
    let mut kept: Vec<Match> = Vec::with_capacity(all.len());
    for one in all {
        match kept.last_mut() {
            Some(last) if last.span.overlaps(&one.span) => last.absorb(one),
            _ => kept.push(one),
        }
    }
    keep_best(&mut kept, None, order, |found| (found.span, found.score));
    kept
}

/// Keeps the `top` best of what was found, all where no number is given, and puts them in order. `rank` says where one stands
/// and what its score is.
pub fn keep_best<T>(found: &mut Vec<T>, top: Option<usize>, order: Order, rank: impl Fn(&T) -> (Span, f32)) {
    let best_first = |a: &T, b: &T| {
        let ((a, a_score), (b, b_score)) = (rank(a), rank(b));
        b_score.total_cmp(&a_score).then(a.cmp(&b))
    };
    if let Some(top) = top.filter(|top| *top < found.len()) {
        found.sort_by(best_first);
        found.truncate(top);
    }
    match order {
        Order::Document => found.sort_by_key(|one| rank(one).0),
        Order::Score => found.sort_by(best_first),
    }
}

impl Match {
    fn absorb(&mut self, other: Match) {
        if other.span == self.span && self.kind == MatchKind::Meaning && other.kind == MatchKind::Exact {
            *self = Match { entity: self.entity, score: self.score.max(other.score), ..other };
        } else if other.span == self.span {
            self.entity = self.entity.or(other.entity);
            self.score = self.score.max(other.score);
        } else if other.span.len() > self.span.len() {
            *self = other;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexical::LexicalKind;

    fn match_by_meaning(start: usize, end: usize) -> Match {
        let why = MatchReason::Meaning {
            entity: "E".into(),
            fact: String::new(),
            page: String::new(),
            knowledge: None,
            context: Some(1.0),
            judge: None,
        };
        Match { span: Span::new(start, end), kind: MatchKind::Meaning, score: 0.7, entity: Some(0), why }
    }

    fn exact(start: usize, end: usize) -> LexicalMatch {
        LexicalMatch { span: Span::new(start, end), kind: LexicalKind::Exact, score: 0.98 }
    }

    #[test]
    fn matches_do_not_overlap_and_keep_their_labels() {
        let list = join(
            vec![match_by_meaning(20, 32), match_by_meaning(0, 5)],
            vec![exact(0, 5), exact(20, 25), exact(40, 45)],
            Order::Document,
        );
        let shown: Vec<_> = list.iter().map(|m| (m.span.start, m.span.end, m.kind, m.entity)).collect();
        assert_eq!(
            shown,
            [
                (0, 5, MatchKind::Exact, Some(0)),
                (20, 32, MatchKind::Meaning, Some(0)),
                (40, 45, MatchKind::Exact, None)
            ]
        );
        let best = join(vec![match_by_meaning(0, 5)], vec![exact(9, 12)], Order::Score);
        assert_eq!(best[0].span.start, 9);
    }
}
