//! Re-ranking and batching of passages: by how many names they hold (num), round robin over clusters (div); batches of
//! neighbours in rank, in names (neo) or in meaning (sim). Amplification (amp) is a round of retrieval, in `generate`.

use super::pool::{Pool, to_unit};
use crate::encode::cosine;
use crate::retrieval::RankedPassage;

/// Clusters at least, as in the paper.
const MIN_CLUSTERS: usize = 5;

/// Passages whose Gram matrix is decomposed at most; more are taken to have the clusters of the first.
const MAX_DECOMPOSED_PASSAGES: usize = 64;

/// Passages with many names first; equal ones keep their order. `counts` tells whom to count.
pub(super) fn order_by_names(pool: &Pool, ranking: &mut [RankedPassage], counts: impl Fn(usize) -> bool) {
    let count =
        |ranked: &RankedPassage| pool.named[ranked.passage].iter().filter(|&&member| counts(member)).count();
    ranking.sort_by_key(|ranked| std::cmp::Reverse(count(ranked)));
}

/// `batch` passages from each cluster in turn, clusters in the order of their best passage.
pub(super) fn diversify_ranking(pool: &Pool, ranking: &[RankedPassage], batch: usize) -> Vec<RankedPassage> {
    let vectors: Vec<Vec<f32>> = ranking.iter().map(|ranked| pool.vector(ranked.passage)).collect();
    let clusters = find_knee(&eigenvalues(&vectors)).max(MIN_CLUSTERS).min(vectors.len());
    let of = cluster(&vectors, clusters);
    let mut queues: Vec<Vec<RankedPassage>> = vec![Vec::new(); clusters];
    for (ranked, &cluster) in ranking.iter().zip(&of) {
        queues[cluster].push(*ranked);
    }
    let mut queues: Vec<std::vec::IntoIter<RankedPassage>> =
        queues.into_iter().filter(|queue| !queue.is_empty()).map(Vec::into_iter).collect();
    let mut out = Vec::with_capacity(ranking.len());
    while out.len() < ranking.len() {
        for queue in &mut queues {
            out.extend(queue.by_ref().take(batch.max(1)));
        }
    }
    out
}

/// The eigenvalues of the vectors' Gram matrix, largest first, by Jacobi rotations.
fn eigenvalues(vectors: &[Vec<f32>]) -> Vec<f32> {
    let count = vectors.len().min(MAX_DECOMPOSED_PASSAGES);
    let mut matrix: Vec<Vec<f64>> = (0..count)
        .map(|i| (0..count).map(|j| f64::from(cosine(&vectors[i], &vectors[j]))).collect())
        .collect();
    for _ in 0..30 {
        let mut moved = 0.0;
        for p in 0..count {
            for q in p + 1..count {
                let off = matrix[p][q];
                if off.abs() < 1e-9 {
                    continue;
                }
                moved += off.abs();
                let theta = (matrix[q][q] - matrix[p][p]) / (2.0 * off);
                let tangent = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                let tangent = if theta == 0.0 { 1.0 } else { tangent };
                let cos = 1.0 / (tangent * tangent + 1.0).sqrt();
                let sin = tangent * cos;
                for row in matrix.iter_mut() {
                    let (a, b) = (row[p], row[q]);
                    (row[p], row[q]) = (cos * a - sin * b, sin * a + cos * b);
                }
                let (upper, lower) = matrix.split_at_mut(q);
                for (a, b) in upper[p].iter_mut().zip(&mut lower[0]) {
                    (*a, *b) = (cos * *a - sin * *b, sin * *a + cos * *b);
                }
            }
        }
        if moved < 1e-6 {
            break;
        }
    }
    let mut values: Vec<f32> = (0..count).map(|i| matrix[i][i] as f32).collect();
    values.sort_by(|a, b| b.total_cmp(a));
    values
}

/// Where a falling curve bends: the place farthest below the straight line from its first to its last value.
fn find_knee(values: &[f32]) -> usize {
    let (Some(first), Some(last)) = (values.first(), values.last()) else { return 0 };
    let (steps, fall) = ((values.len() - 1).max(1) as f32, first - last);
    let below = |(at, value): (usize, &f32)| first - fall * at as f32 / steps - value;
    let best = values.iter().enumerate().max_by(|a, b| below(*a).total_cmp(&below(*b)));
    best.map_or(0, |(at, _)| at + 1)
}

/// The cluster of each vector: k-means from starting points that lie far apart.
fn cluster(vectors: &[Vec<f32>], count: usize) -> Vec<usize> {
    if count == 0 {
        return Vec::new();
    }
    let nearest = |vector: &[f32], centres: &[Vec<f32>]| {
        let near = centres.iter().enumerate().map(|(at, centre)| (at, cosine(vector, centre)));
        near.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0, 0.0))
    };
    let mut centres = vec![vectors[0].clone()];
    while centres.len() < count {
        let far = vectors.iter().min_by(|a, b| nearest(a, &centres).1.total_cmp(&nearest(b, &centres).1));
        centres.push(far.cloned().unwrap_or_default());
    }
    let mut of = vec![0; vectors.len()];
    for _ in 0..20 {
        let new: Vec<usize> = vectors.iter().map(|vector| nearest(vector, &centres).0).collect();
        if new == of {
            break;
        }
        of = new;
        for (at, centre) in centres.iter_mut().enumerate() {
            let members = vectors.iter().zip(&of).filter(|(_, cluster)| **cluster == at);
            let mut sum = vec![0.0; centre.len()];
            members.for_each(|(vector, _)| sum.iter_mut().zip(vector).for_each(|(sum, value)| *sum += value));
            to_unit(&mut sum);
            if sum.iter().any(|value| *value != 0.0) {
                *centre = sum;
            }
        }
    }
    of
}

/// Batches of `size`: each open passage with the most alike of those below it; `None` takes them as they come.
pub(super) fn batches(
    ranking: &[RankedPassage],
    size: usize,
    alike: Option<&dyn Fn(usize, usize) -> f32>,
) -> Vec<Vec<usize>> {
    let size = size.max(1);
    let passages: Vec<usize> = ranking.iter().map(|ranked| ranked.passage).collect();
    let Some(alike) = alike else { return passages.chunks(size).map(<[usize]>::to_vec).collect() };
    let mut done = vec![false; passages.len()];
    let mut out = Vec::new();
    for at in 0..passages.len() {
        if done[at] {
            continue;
        }
        done[at] = true;
        let mut others: Vec<(usize, f32)> = (at + 1..passages.len())
            .filter(|&other| !done[other])
            .map(|other| (other, alike(passages[at], passages[other])))
            .collect();
        others.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let mut batch = vec![passages[at]];
        for (other, _) in others.into_iter().take(size - 1) {
            done[other] = true;
            batch.push(passages[other]);
        }
        out.push(batch);
    }
    out
}

/// Hashes in a sketch.
const SKETCH_DIMENSIONS: usize = 64;

/// A min-hash sketch of a set: two sketches agree in about as many places as the sets' Jaccard similarity says.
pub(super) fn sketch(members: &[usize]) -> [u64; SKETCH_DIMENSIONS] {
    let mut out = [u64::MAX; SKETCH_DIMENSIONS];
    for &member in members {
        for (seed, least) in out.iter_mut().enumerate() {
            let bytes = [(member as u64).to_le_bytes(), (seed as u64).to_le_bytes()].concat();
            *least = (*least).min(xxhash_rust::xxh3::xxh3_64(&bytes));
        }
    }
    out
}

/// The similarity that two sketches tell.
pub(super) fn jaccard(one: &[u64; SKETCH_DIMENSIONS], other: &[u64; SKETCH_DIMENSIONS]) -> f32 {
    one.iter().zip(other).filter(|(a, b)| a == b && **a != u64::MAX).count() as f32 / SKETCH_DIMENSIONS as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eigenvalues_of_two_directions_are_two() {
        let vectors = vec![vec![1.0, 0.0], vec![1.0, 0.0], vec![0.0, 1.0]];
        let values = eigenvalues(&vectors);
        assert!((values[0] - 2.0).abs() < 1e-4 && (values[1] - 1.0).abs() < 1e-4 && values[2].abs() < 1e-4);
    }

    #[test]
    fn the_knee_is_where_the_curve_bends() {
        assert_eq!(find_knee(&[10.0, 9.0, 8.5, 0.5, 0.4, 0.3, 0.2]), 4);
        assert_eq!(find_knee(&[]), 0);
    }

    #[test]
    fn clusters_part_what_points_apart() {
        let vectors = vec![vec![1.0, 0.0], vec![0.0, 1.0], vec![0.99, 0.1], vec![0.1, 0.99]];
        let of = cluster(&vectors, 2);
        assert_eq!((of[0] == of[2], of[1] == of[3], of[0] == of[1]), (true, true, false));
    }

    #[test]
    fn sketches_tell_how_much_sets_share() {
        let (a, b) = ((0..100).collect::<Vec<_>>(), (50..150).collect::<Vec<_>>());
        let told = jaccard(&sketch(&a), &sketch(&b));
        assert!((told - 1.0 / 3.0).abs() < 0.2, "{told}");
        assert_eq!(jaccard(&sketch(&a), &sketch(&a)), 1.0);
        assert_eq!(jaccard(&sketch(&[]), &sketch(&[])), 0.0);
    }

    #[test]
    fn batches_take_the_most_alike_from_below() {
        let ranking: Vec<RankedPassage> =
            (0..5).map(|passage| RankedPassage { passage, rank_weight: 0.0 }).collect();
        let alike = |a: usize, b: usize| if (a + b) == 4 { 1.0 } else { 0.0 };
        assert_eq!(batches(&ranking, 2, Some(&alike)), [vec![0, 4], vec![1, 3], vec![2]]);
        assert_eq!(batches(&ranking, 2, None), [vec![0, 1], vec![2, 3], vec![4]]);
    }
}
