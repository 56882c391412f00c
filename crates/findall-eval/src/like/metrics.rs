//! Novelty precision and recall, and mean average precision (section 4.1 of the paper): of all sentences that show a
//! target, only the first counts.

use std::collections::HashSet;

/// How deep rankings are judged.
pub const LIKE_DEPTH: usize = 1000;

/// The figures of one query, or their means.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LikeFigures {
    pub recall_5: f64,
    pub recall_10: f64,
    pub precision_5: f64,
    pub precision_10: f64,
    pub map: f64,
    pub recall: f64,
}

impl LikeFigures {
    /// Judges the entities of ranked sentences, best first.
    pub fn of<'e>(ranking: impl Iterator<Item = &'e str>, targets: &HashSet<String>) -> Self {
        let mut found: HashSet<&str> = HashSet::new();
        let mut figures = Self::default();
        let all = targets.len().max(1) as f64;
        let mut sum = 0.0;
        for (place, entity) in ranking.take(LIKE_DEPTH).enumerate() {
            if targets.contains(entity) && found.insert(entity) {
                let hits = found.len() as f64;
                sum += hits / (place + 1) as f64;
                if place < 5 {
                    (figures.recall_5, figures.precision_5) = (hits / all, hits / 5.0);
                }
                if place < 10 {
                    (figures.recall_10, figures.precision_10) = (hits / all, hits / 10.0);
                }
            }
        }
        Self { map: sum / all, recall: found.len() as f64 / all, ..figures }
    }

    /// The mean of several.
    pub fn mean(all: &[LikeFigures]) -> Self {
        let mean = |of: fn(&LikeFigures) -> f64| all.iter().map(of).sum::<f64>() / all.len().max(1) as f64;
        Self {
            recall_5: mean(|f| f.recall_5),
            recall_10: mean(|f| f.recall_10),
            precision_5: mean(|f| f.precision_5),
            precision_10: mean(|f| f.precision_10),
            map: mean(|f| f.map),
            recall: mean(|f| f.recall),
        }
    }

    /// Names and values in the order of the paper's table.
    pub fn name_figures(&self) -> [(&'static str, f64); 6] {
        [
            ("R@5", self.recall_5),
            ("R@10", self.recall_10),
            ("P@5", self.precision_5),
            ("P@10", self.precision_10),
            ("MAP@1000", self.map),
            ("R@1000", self.recall),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_sentence_of_a_target_counts() {
        let targets: HashSet<String> = ["a", "b", "c", "d"].map(str::to_owned).into();
        let figures = LikeFigures::of(["x", "a", "a", "b", "a", "y", "c"].into_iter(), &targets);
        assert_eq!(figures.recall_5, 0.5);
        assert_eq!(figures.precision_5, 0.4);
        assert_eq!(figures.recall_10, 0.75);
        assert_eq!(figures.precision_10, 0.3);
        assert_eq!(figures.recall, 0.75);
        assert!((figures.map - (1.0 / 2.0 + 2.0 / 4.0 + 3.0 / 7.0) / 4.0).abs() < 1e-12);
        assert_eq!(LikeFigures::of(["x"].into_iter(), &targets), LikeFigures::default());
    }
}
