//! Possible answers from all passages in; the answers to give out: one for each place, one for each wording, and only
//! those that are sure enough. Where none is, the likeliest may be worth a guess.

use super::AskOptions;
use super::answers::FoundAnswer;
use super::confidence::Confidence;
use crate::document::Document;
use crate::knowledge::fold;

/// Likeliest first, and none surer than one before it. Of overlapping spans the likelier stays; the same words elsewhere
/// are noted beside the likeliest.
pub(super) fn merge(mut found: Vec<FoundAnswer>, documents: &[Document]) -> Vec<FoundAnswer> {
    found.sort_by(|a, b| b.order.total_cmp(&a.order).then(a.place.cmp(&b.place)));
    let mut kept: Vec<(String, FoundAnswer)> = Vec::new();
    let mut surest = 1.0f32;
    for mut answer in found {
        let place = answer.place;
        let taken = |other: &FoundAnswer| {
            std::iter::once(&other.place)
                .chain(&other.also)
                .any(|taken| taken.document == place.document && taken.span.overlaps(&place.span))
        };
        if kept.iter().any(|(_, other)| taken(other)) {
            continue;
        }
        let words = fold(place.span.slice(documents[place.document].text()).unwrap_or_default());
        match kept.iter_mut().find(|(same, _)| *same == words) {
            Some((_, likelier)) => {
                likelier.also.push(place);
                likelier.also.append(&mut answer.also);
            }
            None => {
                surest = surest.min(answer.confidence);
                answer.confidence = surest;
                kept.push((words, answer));
            }
        }
    }
    kept.into_iter().map(|(_, answer)| answer).collect()
}

/// The answers that are sure enough and not far behind the first, with their places in the ranking. One that is not sure may
/// stand before one that is: the order weighs more than sureness does.
pub(super) fn sure_answers<'a>(
    ranking: &'a [FoundAnswer],
    confidence: &Confidence,
    options: &AskOptions,
) -> impl DoubleEndedIterator<Item = (usize, &'a FoundAnswer)> {
    let least = options.threshold.unwrap_or(confidence.answered);
    let best = ranking.first().map_or(0.0, |best| best.order);
    let lowest = if options.threshold.is_some() { f32::NEG_INFINITY } else { best - confidence.margin };
    let sure =
        move |(_, answer): &(usize, &FoundAnswer)| answer.confidence >= least && answer.order >= lowest;
    ranking.iter().enumerate().filter(sure)
}

/// The answers to give: sure enough, not far behind the first, and none that repeats words of one before it.
pub(super) fn select_answers(
    ranking: &[FoundAnswer],
    documents: &[Document],
    confidence: &Confidence,
    options: &AskOptions,
) -> Vec<FoundAnswer> {
    let mut given: Vec<(String, &FoundAnswer)> = Vec::new();
    for (_, answer) in sure_answers(ranking, confidence, options) {
        let words =
            fold(answer.place.span.slice(documents[answer.place.document].text()).unwrap_or_default());
        if given.len() < options.top && !given.iter().any(|(before, _)| repeats(before, &words)) {
            given.push((words, answer));
        }
    }
    given.into_iter().map(|(_, answer)| answer.clone()).collect()
}

/// True when one of two answers (folded) is a run of words of the other: "Parata" after "Hori Parata".
fn repeats(one: &str, other: &str) -> bool {
    let padded = |words: &str| format!(" {words} ");
    padded(one).contains(&padded(other)) || padded(other).contains(&padded(one))
}

/// The likeliest of those that are not sure enough. Who sets a threshold wants nothing below it.
pub(super) fn guess<'r>(
    ranking: &'r [FoundAnswer],
    confidence: &Confidence,
    options: &AskOptions,
) -> Option<&'r FoundAnswer> {
    let likely = |best: &&FoundAnswer| best.confidence >= confidence.guessed;
    ranking.first().filter(likely).filter(|_| options.threshold.is_none() && options.top > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::confidence::log_odds;
    use crate::ask::{Place, Signals};
    use crate::span::Span;

    fn found(start: usize, end: usize, confidence: f32) -> FoundAnswer {
        let span = Span::new(start, end);
        FoundAnswer {
            place: Place { document: 0, span },
            sentence: span,
            passage: span,
            confidence,
            order: log_odds(confidence),
            signals: Signals::default(),
            also: Vec::new(),
        }
    }

    #[test]
    fn who_is_sure_is_given_behind_one_who_is_not() {
        let documents = [Document::from_text("Ada met Bob and Cy.")];
        let ranking = [(0, 3, 0.9), (8, 11, 0.2), (16, 18, 0.8)];
        let ranking = ranking.map(|(start, end, sure)| FoundAnswer { order: 1.0, ..found(start, end, sure) });
        let given = select_answers(&ranking, &documents, &Confidence::default(), &AskOptions::default());
        assert_eq!(given.iter().map(|it| it.place.span.start).collect::<Vec<_>>(), [0, 16]);
    }

    #[test]
    fn one_answer_a_place_and_a_wording() {
        let documents = [Document::from_text("Ada wrote it. ada is Ann Byron. Bob read.")];
        let merged = merge(
            vec![
                found(21, 24, 0.4),
                found(21, 30, 0.9),
                found(0, 3, 0.6),
                found(14, 17, 0.5),
                found(32, 35, 0.2),
            ],
            &documents,
        );
        let spans: Vec<(usize, f32)> = merged.iter().map(|a| (a.place.span.start, a.confidence)).collect();
        assert_eq!(spans, [(21, 0.9), (0, 0.6), (32, 0.2)]);
        assert_eq!(merged[1].also, [Place { document: 0, span: Span::new(14, 17) }]);
        let confidence = Confidence { answered: 0.1, margin: 2.0, ..Confidence::default() };
        let given = |options| select_answers(&merged, &documents, &confidence, &options).len();
        assert_eq!(given(AskOptions::default()), 2, "the last is far below the best");
        assert_eq!(given(AskOptions { threshold: Some(0.1), ..AskOptions::default() }), 3);
        assert_eq!(given(AskOptions { top: 1, ..AskOptions::default() }), 1);
    }

    #[test]
    fn an_answer_that_repeats_another_is_not_given() {
        let documents = [Document::from_text("Hori Parata spoke. Parata left. Ann Parat came.")];
        let ranking = [found(0, 11, 0.9), found(19, 25, 0.8), found(32, 41, 0.7)];
        let confidence = Confidence::default();
        let given = select_answers(&ranking, &documents, &confidence, &AskOptions::default());
        let starts: Vec<usize> = given.iter().map(|answer| answer.place.span.start).collect();
        assert_eq!(starts, [0, 32]);
    }

    #[test]
    fn a_guess_is_less_sure_than_an_answer() {
        let guessed = |sure, threshold| {
            let confidence = Confidence { answered: 0.9, guessed: 0.5, ..Confidence::default() };
            guess(&[found(0, 3, sure)], &confidence, &AskOptions { threshold, ..AskOptions::default() })
                .is_some()
        };
        assert!(guessed(0.6, None) && !guessed(0.4, None));
        assert!(!guessed(0.6, Some(0.7)), "the person's threshold holds");
    }
}
