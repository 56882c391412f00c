//! A match as the command line shows it, and the choice of which matches are shown.

use std::borrow::Cow;
use std::cell::Cell;

use findall::Span;
use findall::find::{MatchKind, Order, keep_best};
use findall_wire::lines::EntityLine;

use crate::config::layer::Sort;

/// A place that is shown for the query.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// Where it stands in the document's text.
    pub span: Span,
    /// How it came about.
    pub kind: MatchKind,
    /// How good it is, 0 to 1.
    pub score: f32,
    /// Why it is a match, in words.
    pub why: Cow<'static, str>,
    /// What it was taken for, if it names something.
    pub entity: Option<Box<EntityLine>>,
}

/// Which of a file's matches are shown, and in which order.
#[derive(Clone, Copy, Debug)]
pub struct Selection {
    /// The lowest score that is shown.
    pub threshold: f32,
    /// How many of the best matches are kept.
    pub top: Option<usize>,
    /// How many matching lines are kept, from the start of the file.
    pub max_lines: Option<usize>,
    /// The order in which they are shown.
    pub sort: Sort,
}

impl Selection {
    /// True when it leaves nothing out.
    pub fn keeps_all(&self) -> bool {
        let endless = |most: Option<usize>| most.is_none_or(|most| most == usize::MAX);
        self.threshold <= 0.0 && endless(self.top) && endless(self.max_lines)
    }

    /// Applies the choice to the matches in `text`.
    pub fn choose(&self, mut hits: Vec<Hit>, text: &str) -> Vec<Hit> {
        if self.threshold > 0.0 {
            hits.retain(|hit| hit.score >= self.threshold);
        }
        let rank = |hit: &Hit| (hit.span, hit.score);
        keep_best(&mut hits, self.top, Order::Document, rank);
        if let Some(most) = self.max_lines {
            hits.truncate(spans_within_lines(hits.iter().map(|hit| hit.span), text, most));
        }
        if self.sort == Sort::Score {
            keep_best(&mut hits, None, Order::Score, rank);
        }
        hits
    }
}

/// How much of a document matched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Lines that hold a match, each counted once.
    pub lines: usize,
    /// Matches, several of which may stand on one line.
    pub matches: usize,
}

impl Count {
    /// Counts matches that stand in document order, as they come.
    pub fn of(spans: impl Iterator<Item = Span>, text: &str) -> Self {
        let count = |count: Self, lines| Self { lines, matches: count.matches + 1 };
        lines_after_each(spans, text).fold(Self::default(), count)
    }
}

/// How many of the spans begin on the first `most` matching lines.
fn spans_within_lines(spans: impl Iterator<Item = Span>, text: &str, most: usize) -> usize {
    if most == 0 {
        return 0;
    }
    let mut before = 0;
    lines_after_each(spans, text)
        .take_while(|&after| {
            // The hit that crosses the boundary still begins inside it.
            let begins_inside = after <= most || before < most;
            before = after;
            begins_inside
        })
        .count()
}

/// Matching lines, `most` of them at most, and where the last match that was looked at ends.
pub fn first_lines(spans: impl Iterator<Item = Span>, text: &str, most: usize) -> (usize, usize) {
    let end = Cell::new(0);
    let spans = spans.inspect(|span| end.set(span.end));
    let mut lines = 0;
    for after in lines_after_each(spans, text) {
        lines = after;
        if lines >= most {
            break;
        }
    }
    (lines, end.get())
}

/// After each span, the number of lines matched so far.
fn lines_after_each(spans: impl Iterator<Item = Span>, text: &str) -> impl Iterator<Item = usize> {
    let bytes = text.as_bytes();
    let mut counted_to = 0;
    let mut lines = 0;
    spans.map(move |span| {
        let last = span.end.max(span.start + 1);
        if last > counted_to {
            let fresh = span.start.max(counted_to);
            let breaks =
                bytes.get(fresh..last - 1).map_or(0, |inside| memchr::memchr_iter(b'\n', inside).count());
            lines += 1 + breaks;
            let rest = &bytes[(last - 1).min(bytes.len())..];
            counted_to = memchr::memchr(b'\n', rest).map_or(bytes.len(), |n| last + n);
        }
        lines
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits(spans: &[(usize, usize, f32)]) -> Vec<Hit> {
        let hit = |&(start, end, score)| Hit {
            span: Span::new(start, end),
            kind: MatchKind::Exact,
            score,
            why: "".into(),
            entity: None,
        };
        spans.iter().map(hit).collect()
    }

    const TEXT: &str = "aa a\nb\na a\nlast a";

    fn count(spans: &[(usize, usize)]) -> Count {
        Count::of(spans.iter().map(|&(start, end)| Span::new(start, end)), TEXT)
    }

    #[test]
    fn a_line_counts_once() {
        assert_eq!(count(&[]), Count::default());
        assert_eq!(count(&[(0, 1), (1, 2), (3, 4)]), Count { lines: 1, matches: 3 });
        assert_eq!(count(&[(0, 1), (7, 8), (16, 17)]), Count { lines: 3, matches: 3 });
    }

    #[test]
    fn a_match_over_a_line_break_counts_both_lines() {
        assert_eq!(count(&[(3, 6), (7, 8)]).lines, 3);
        assert_eq!(count(&[(3, 6), (5, 6)]).lines, 2);
    }

    #[test]
    fn selection_keeps_the_best_then_the_order_asked_for() {
        let all = hits(&[(16, 17, 0.9), (0, 1, 0.5), (7, 8, 0.2), (9, 10, 0.8)]);
        let selection = Selection { threshold: 0.3, top: Some(2), max_lines: None, sort: Sort::Document };
        let starts = |hits: Vec<Hit>| hits.iter().map(|hit| hit.span.start).collect::<Vec<_>>();
        assert_eq!(starts(selection.choose(all.clone(), TEXT)), [9, 16]);
        let selection = Selection { top: None, max_lines: Some(2), sort: Sort::Score, ..selection };
        assert_eq!(starts(selection.choose(all.clone(), TEXT)), [9, 0]);
        let selection = Selection { max_lines: Some(0), ..selection };
        assert!(selection.choose(all, TEXT).is_empty());
    }
}
