//! Stage 2, scrutiny: candidates enter, a verdict on each leaves, by one of the paper's tests or by the calibrated
//! combination of all evidence.

use super::book::{Book, Question};
use super::generate::ListCandidate;
use super::pool::to_unit;
use super::{ListOptions, NameOutsideCast, Scrutiny, larger};
use crate::encode::{ModelError, TextKind, cosine};

/// Whether a candidate passed, and the test that decided.
pub(super) type Verdict = (bool, &'static str);

/// A verdict for each candidate, in their order: the best score first.
pub(super) fn test(
    book: &Book<'_>,
    question: &Question<'_>,
    candidates: &[ListCandidate],
    likely: &[f32],
) -> Result<Vec<Verdict>, ModelError> {
    let options = question.options;
    let scores: Vec<f32> = candidates.iter().map(|candidate| candidate.score).collect();
    let half = mark_within(&scores, 0.5);
    let either = |by_support: Vec<bool>, name: &'static str| {
        let both = half.iter().zip(by_support);
        both.map(|(&half, support)| if half { (true, "thr50") } else { (support, name) }).collect()
    };
    let alone =
        |passed: Vec<bool>, name: &'static str| passed.into_iter().map(|passed| (passed, name)).collect();
    Ok(match options.scrutiny {
        Scrutiny::Calibrated => alone(likely.iter().map(|&p| p >= options.threshold).collect(), "calibrated"),
        Scrutiny::Thr => alone(mark_within(&scores, options.quantile), "thr"),
        Scrutiny::Conf => alone(confirm_object(book, question, candidates)?, "conf"),
        Scrutiny::Pred => alone(near_relation(book, question, candidates)?, "pred"),
        Scrutiny::Dis => alone(nearer_to_best(book, question, candidates)?, "dis"),
        Scrutiny::ThrPred => either(near_relation(book, question, candidates)?, "pred"),
        Scrutiny::ThrDis => either(nearer_to_best(book, question, candidates)?, "dis"),
    })
}

/// Which of the scores, best first, lie within this share of their sum.
fn mark_within(scores: &[f32], quantile: f32) -> Vec<bool> {
    let total: f32 = scores.iter().sum();
    let mut before = 0.0;
    scores
        .iter()
        .map(|score| {
            let inside = *score > 0.0 && before < quantile * total;
            before += score;
            inside
        })
        .collect()
}

/// Names outside the cast that the text has, and that lie within the share of the score mass of everything named.
pub(super) fn test_others(candidates: &[ListCandidate], others: &mut [NameOutsideCast], quantile: f32) {
    let mut scores: Vec<f32> = candidates.iter().map(|candidate| candidate.score).collect();
    scores.extend(others.iter().map(|other| other.generated));
    scores.sort_by(|a, b| b.total_cmp(a));
    let kept = mark_within(&scores, quantile).iter().filter(|&&kept| kept).count();
    let Some(&least) = kept.checked_sub(1).and_then(|last| scores.get(last)) else { return };
    for other in others.iter_mut().filter(|other| !other.spans.is_empty()) {
        other.accepted = other.generated >= least;
    }
}

/// The reader names the object when asked with its own support passages; or a larger model calls it true.
fn confirm_object(
    book: &Book<'_>,
    question: &Question<'_>,
    candidates: &[ListCandidate],
) -> Result<Vec<bool>, ModelError> {
    let text = book.document.text();
    let windows = evidence(book, question, candidates, question.options.support[0])?;
    if let Some(larger) = question.larger {
        let asked = candidates.iter().zip(&windows).map(|(candidate, windows)| {
            let passages: Vec<&str> =
                windows.iter().filter_map(|&window| book.pool.windows[window].slice(text)).collect();
            larger::confirms(question, larger, &book.cast.members[candidate.member].name, &passages)
        });
        return asked.collect();
    }
    let Some(reader) = question.reader else {
        let message = "the test conf asks the reader; give one, or choose another test".into();
        return Err(ModelError { model: "reader".into(), message });
    };
    // The question is the same for all candidates: each window is read once.
    let mut all: Vec<usize> = windows.iter().flatten().copied().collect();
    all.sort_unstable();
    all.dedup();
    let answers = book.read_each(question, reader, &all)?;
    let sure = |window: &usize, member: usize| {
        let place = all.binary_search(window).ok()?;
        answers[place].get(&member).copied()
    };
    let confirmed = candidates.iter().zip(&windows).map(|(candidate, windows)| {
        let best = windows.iter().filter_map(|window| sure(window, candidate.member)).fold(0.0, f32::max);
        best >= question.options.threshold
    });
    Ok(confirmed.collect())
}

/// Support near the vector that the surest candidates' support makes, weighted by their scores.
fn near_relation(
    book: &Book<'_>,
    question: &Question<'_>,
    candidates: &[ListCandidate],
) -> Result<Vec<bool>, ModelError> {
    let ListOptions { sure, cosine: bound, support, .. } = question.options;
    let vectors = support_vectors(book, question, candidates, support[1])?;
    // Where none is so sure, the best one stands for the relation.
    let surely = candidates.iter().take_while(|candidate| candidate.score >= *sure).count().max(1);
    let weighted = candidates.iter().zip(&vectors).take(surely);
    let relation = weighted_mean(weighted.map(|(candidate, vector)| (candidate.score, vector)));
    Ok(vectors.iter().map(|vector| cosine(vector, &relation) >= *bound).collect())
}

/// Support nearer to that of the best candidates than to that of the worst.
fn nearer_to_best(
    book: &Book<'_>,
    question: &Question<'_>,
    candidates: &[ListCandidate],
) -> Result<Vec<bool>, ModelError> {
    let vectors = support_vectors(book, question, candidates, question.options.support[2])?;
    let many = question.options.extremes.min(candidates.len().div_ceil(2));
    let of = |range: std::ops::Range<usize>| {
        let weigh = |at: usize| (candidates[at].score.max(f32::MIN_POSITIVE), &vectors[at]);
        weighted_mean(range.map(weigh))
    };
    let (best, worst) = (of(0..many), of(candidates.len() - many..candidates.len()));
    Ok(vectors.iter().map(|vector| cosine(vector, &best) >= cosine(vector, &worst)).collect())
}

/// For each candidate the windows that speak best for subject, relation and object: those that name both, nearest to the
/// three together.
fn evidence(
    book: &Book<'_>,
    question: &Question<'_>,
    candidates: &[ListCandidate],
    most: usize,
) -> Result<Vec<Vec<usize>>, ModelError> {
    let subject = question.aliases.first().copied().unwrap_or_default();
    let cues = question.cues.join(" ");
    let name = |candidate: &ListCandidate| &book.cast.members[candidate.member].name;
    let queries: Vec<String> =
        candidates.iter().map(|candidate| format!("{subject} {cues} {}", name(candidate))).collect();
    let queries: Vec<&str> = queries.iter().map(String::as_str).collect();
    let queries = book.encoder.encode(&queries, TextKind::Query)?;
    let with_subject: Vec<(usize, Vec<f32>)> = (0..book.pool.windows.len())
        .filter(|&window| book.pool.named[window].binary_search(&question.subject).is_ok())
        .map(|window| (window, book.pool.vector(window)))
        .collect();
    let best = candidates.iter().zip(&queries).map(|(candidate, query)| {
        let mut windows: Vec<(usize, f32)> = (with_subject.iter())
            .filter(|(window, _)| book.pool.named[*window].binary_search(&candidate.member).is_ok())
            .map(|(window, vector)| (*window, cosine(&query.pooled, vector)))
            .collect();
        windows.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let mut found: Vec<usize> = windows.into_iter().take(most).map(|(window, _)| window).collect();
        if found.is_empty() {
            found.extend(candidate.windows.iter().take(most));
        }
        found
    });
    Ok(best.collect())
}

/// One vector for each candidate's support, with other names hidden where the options say so.
fn support_vectors(
    book: &Book<'_>,
    question: &Question<'_>,
    candidates: &[ListCandidate],
    most: usize,
) -> Result<Vec<Vec<f32>>, ModelError> {
    let mut out = Vec::with_capacity(candidates.len());
    for (candidate, windows) in candidates.iter().zip(evidence(book, question, candidates, most)?) {
        let vectors: Vec<Vec<f32>> = match question.options.masked {
            false => windows.iter().map(|&window| book.pool.vector(window)).collect(),
            true => {
                let shown = [question.subject, candidate.member];
                let texts: Vec<String> =
                    windows.iter().map(|&window| book.mask_names(window, &shown)).collect();
                let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
                let embeddings = book.encoder.encode(&texts, TextKind::Passage)?;
                embeddings.into_iter().map(|embedding| embedding.pooled).collect()
            }
        };
        out.push(weighted_mean(vectors.iter().map(|vector| (1.0, vector))));
    }
    Ok(out)
}

fn weighted_mean<'v>(vectors: impl Iterator<Item = (f32, &'v Vec<f32>)>) -> Vec<f32> {
    let mut mean: Vec<f32> = Vec::new();
    for (weight, vector) in vectors {
        mean.resize(mean.len().max(vector.len()), 0.0);
        mean.iter_mut().zip(vector).for_each(|(sum, value)| *sum += weight * value);
    }
    to_unit(&mut mean);
    mean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quantile_keeps_the_head_of_the_mass() {
        assert_eq!(mark_within(&[5.0, 3.0, 1.0, 1.0], 0.8), [true, true, false, false]);
        assert_eq!(mark_within(&[5.0, 3.0, 1.0, 1.0], 0.9), [true, true, true, false]);
        assert_eq!(mark_within(&[0.0, 0.0], 0.8), [false, false]);
        assert!(mark_within(&[], 0.5).is_empty());
    }
}
