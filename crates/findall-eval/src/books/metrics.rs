//! Measures of lists: precision, recall, and the recall that can be had at a given precision.

/// One answer: how sure, and whether it is right. Optional answers are left out before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JudgedObject {
    /// The score it is ranked by.
    pub score: f32,
    /// Whether it is in the gold list.
    pub right: bool,
    /// Whether it was accepted.
    pub accepted: bool,
    /// Its place in the list that it is of.
    pub place: usize,
}

/// Precision and recall of the accepted answers.
pub fn precision_recall(answers: &[JudgedObject], gold: usize) -> (f64, f64) {
    let accepted = answers.iter().filter(|answer| answer.accepted).count();
    let right = answers.iter().filter(|answer| answer.accepted && answer.right).count();
    (share(right, accepted), share(right, gold))
}

/// Recall of all answers.
pub fn recall(answers: &[JudgedObject], gold: usize) -> f64 {
    share(answers.iter().filter(|answer| answer.right).count(), gold)
}

/// The largest recall of any head of the ranking whose precision is at least this. Equal scores stand or fall together.
pub fn recall_at(answers: &[JudgedObject], gold: usize, precision: f64) -> f64 {
    let mut ranked = answers.to_vec();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score));
    let (mut right, mut best) = (0, 0);
    for (at, answer) in ranked.iter().enumerate() {
        right += usize::from(answer.right);
        let tied = ranked.get(at + 1).is_some_and(|next| next.score == answer.score);
        if !tied && share(right, at + 1) >= precision {
            best = right;
        }
    }
    share(best, gold)
}

/// A part of a whole; none of nothing is nothing.
pub fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(rights: &[(f32, bool)]) -> Vec<JudgedObject> {
        rights
            .iter()
            .map(|&(score, right)| JudgedObject { score, right, accepted: score >= 0.5, place: 0 })
            .collect()
    }

    #[test]
    fn recall_is_taken_at_the_longest_head_that_is_precise_enough() {
        let ranked =
            answers(&[(0.9, true), (0.8, false), (0.7, true), (0.6, true), (0.2, false), (0.1, false)]);
        assert_eq!(recall_at(&ranked, 4, 0.8), 0.25);
        assert_eq!(recall_at(&ranked, 4, 0.7), 0.75);
        assert_eq!(recall_at(&ranked, 4, 0.5), 0.75);
        assert_eq!(precision_recall(&ranked, 4), (0.75, 0.75));
        assert_eq!(recall(&ranked, 4), 0.75);
    }

    #[test]
    fn equal_scores_stand_or_fall_together() {
        assert_eq!(recall_at(&answers(&[(0.5, true), (0.5, false), (0.5, false)]), 1, 0.5), 0.0);
    }
}
