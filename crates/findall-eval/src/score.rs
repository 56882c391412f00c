//! Found spans against expected spans: one-to-one, counted as hits when they overlap by half or more.

use findall::Span;

/// Two spans are the same find when their intersection is at least this share of their union.
const MIN_OVERLAP_SHARE: f64 = 0.5;

/// Counts over any number of queries; the shares are micro-averages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Expected spans.
    pub expected: usize,
    /// Found spans.
    pub found: usize,
    /// Found spans that were expected.
    pub hits: usize,
    /// Queries without an answer.
    pub unanswerable: usize,
    /// Those of them for which nothing was found.
    pub silent: usize,
}

impl Counts {
    /// One query: what was found against what was expected.
    pub fn of(found: &[Span], expected: &[Span]) -> Self {
        let mut open: Vec<Span> = expected.to_vec();
        let mut hits = 0;
        for span in found {
            let best = open
                .iter()
                .enumerate()
                .map(|(place, other)| (overlap(span, other), place))
                .filter(|(share, _)| *share >= MIN_OVERLAP_SHARE)
                .max_by(|a, b| a.0.total_cmp(&b.0));
            if let Some((_, place)) = best {
                open.swap_remove(place);
                hits += 1;
            }
        }
        let unanswerable = usize::from(expected.is_empty());
        let silent = usize::from(expected.is_empty() && found.is_empty());
        Self { expected: expected.len(), found: found.len(), hits, unanswerable, silent }
    }

    /// Adds another query or set.
    pub fn add(&mut self, other: &Self) {
        self.expected += other.expected;
        self.found += other.found;
        self.hits += other.hits;
        self.unanswerable += other.unanswerable;
        self.silent += other.silent;
    }

    /// Share of what was found that was expected; one when nothing was found.
    pub fn precision(&self) -> f64 {
        share(self.hits, self.found)
    }

    /// Share of what was expected that was found; one when nothing was expected.
    pub fn recall(&self) -> f64 {
        share(self.hits, self.expected)
    }

    /// Harmonic mean of the two.
    pub fn f1(&self) -> f64 {
        share(2 * self.hits, self.found + self.expected)
    }

    /// Share of the queries without an answer that got none.
    pub fn abstention(&self) -> f64 {
        share(self.silent, self.unanswerable)
    }
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

/// Intersection over union, in bytes.
pub(crate) fn overlap(a: &Span, b: &Span) -> f64 {
    let shared = a.end.min(b.end).saturating_sub(a.start.max(b.start));
    share_of_union(shared, a.len() + b.len() - shared)
}

fn share_of_union(shared: usize, union: usize) -> f64 {
    if union == 0 { 0.0 } else { shared as f64 / union as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(ranges: &[(usize, usize)]) -> Vec<Span> {
        ranges.iter().map(|&(start, end)| Span::new(start, end)).collect()
    }

    #[test]
    fn each_expected_span_counts_once() {
        let counts = Counts::of(&spans(&[(0, 4), (0, 5), (20, 24)]), &spans(&[(0, 4), (10, 14)]));
        assert_eq!((counts.hits, counts.found, counts.expected), (1, 3, 2));
        assert_eq!(counts.recall(), 0.5);
        assert_eq!(counts.f1(), 0.4);
    }

    #[test]
    fn half_an_overlap_is_a_hit_and_less_is_not() {
        assert_eq!(Counts::of(&spans(&[(0, 4)]), &spans(&[(0, 8)])).hits, 1);
        assert_eq!(Counts::of(&spans(&[(0, 3)]), &spans(&[(0, 8)])).hits, 0);
    }

    #[test]
    fn silence_is_right_when_there_is_no_answer() {
        let mut counts = Counts::of(&[], &[]);
        counts.add(&Counts::of(&spans(&[(0, 1)]), &[]));
        assert_eq!(counts.abstention(), 0.5);
        assert_eq!(counts.precision(), 0.0);
    }
}
