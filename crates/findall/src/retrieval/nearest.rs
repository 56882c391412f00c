//! Passages by meaning: how likely each one's embedding satisfies the query's.

use super::{RankedPassage, sort};
use crate::encode::{Calibration, Embedding};

/// All passages, the likeliest first, each with its log-odds as what it is ranked by.
pub fn nearest(query: &Embedding, passages: &[Embedding], calibration: &Calibration) -> Vec<RankedPassage> {
    let log_odds = |passage: &Embedding| calibration.log_odds(query, passage);
    let scored = passages.iter().enumerate();
    let mut ranking: Vec<RankedPassage> = scored
        .map(|(number, passage)| RankedPassage { passage: number, rank_weight: log_odds(passage) })
        .collect();
    sort(&mut ranking);
    ranking
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_comes_first() {
        let of = |pooled: [f32; 2]| Embedding { pooled: pooled.to_vec(), tokens: Vec::new() };
        let calibration = Calibration { scale: 2.0, bias: -1.0, late: None };
        let ranking = nearest(&of([1.0, 0.0]), &[of([0.0, 1.0]), of([1.0, 0.0])], &calibration);
        assert_eq!(
            ranking,
            [RankedPassage { passage: 1, rank_weight: 1.0 }, RankedPassage { passage: 0, rank_weight: -1.0 }]
        );
    }
}
