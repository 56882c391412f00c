//! Several rankings of the same passages become one: reciprocal rank fusion (Cormack et al. 2009), which needs no
//! common scale.

use std::collections::HashMap;

use super::{RankedPassage, sort};

/// Added to every rank: the larger, the less the very first places count. The paper's value.
pub const RANK_OFFSET: f32 = 60.0;

/// Every passage that stands in a ranking, best first.
pub fn fuse(rankings: &[&[RankedPassage]]) -> Vec<RankedPassage> {
    let mut rank_weights: HashMap<usize, f32> = HashMap::new();
    for ranking in rankings {
        for (place, ranked) in ranking.iter().enumerate() {
            *rank_weights.entry(ranked.passage).or_default() += 1.0 / (RANK_OFFSET + 1.0 + place as f32);
        }
    }
    let mut fused: Vec<RankedPassage> = rank_weights
        .into_iter()
        .map(|(passage, rank_weight)| RankedPassage { passage, rank_weight })
        .collect();
    sort(&mut fused);
    fused
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranking(passages: &[usize]) -> Vec<RankedPassage> {
        passages.iter().map(|&passage| RankedPassage { passage, rank_weight: 1.0 }).collect()
    }

    #[test]
    fn what_both_rank_well_comes_first() {
        let (words, meaning) = (ranking(&[4, 2, 7]), ranking(&[9, 2, 5]));
        let fused: Vec<usize> = fuse(&[&words, &meaning]).iter().map(|ranked| ranked.passage).collect();
        assert_eq!(fused, [2, 4, 9, 5, 7]);
        assert_eq!(fuse(&[&words])[0].rank_weight, 1.0 / 61.0);
        assert!(fuse(&[]).is_empty());
    }
}
