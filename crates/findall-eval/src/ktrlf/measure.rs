//! One system over all documents and queries: what it found, how good that is, how long it took.

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use findall::Span;

use super::data::Sample;
use super::systems::{SystemMatches, SystemName, Tools};
use crate::EvalError;
use crate::answers::{self, AnswerScores, Prf};

/// Times in milliseconds.
#[derive(Clone, Debug, Default)]
pub struct Times(Vec<f64>);

impl Times {
    fn push(&mut self, since: Instant) {
        self.0.push(since.elapsed().as_secs_f64() * 1000.0);
    }

    /// The quantile; 0 when nothing was timed.
    pub fn at(&self, quantile: f64) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let place = (quantile * sorted.len() as f64).ceil() as usize;
        sorted.get(place.saturating_sub(1)).copied().unwrap_or(0.0)
    }
}

/// The figures of one system.
pub struct SystemMeasurement {
    /// The four scores, averaged over queries.
    pub mean: AnswerScores,
    /// Mean over documents of the worst query's List EM.
    pub robust_exact: f64,
    /// Mean over documents of the worst query's List Overlap.
    pub robust_overlap: f64,
    /// Mean average precision of the ranking, spans counting from half an overlap.
    pub map: f64,
    /// Mean over documents of the worst.
    pub robust_map: f64,
    /// Share of gold mentions that some prediction touches.
    pub gold_seen: f64,
    /// Share of the text that a person must read.
    pub text_shown: f64,
    /// Times of queries.
    pub latency: Times,
    /// Times of preparations.
    pub preparation: Times,
    /// Preparation time for 2,000 characters.
    pub preparation_per_page: f64,
    /// What was found, by document and query.
    pub found: Vec<Vec<SystemMatches>>,
}

/// Runs one system on everything.
pub fn measure(
    tools: &Tools,
    system: SystemName,
    samples: &[Sample],
) -> Result<SystemMeasurement, EvalError> {
    let mut latency = Times::default();
    let mut preparation = Times::default();
    let mut found = Vec::new();
    // The first run of a model pays for memory and caches that every later one has.
    if let Some(first) = samples.first() {
        let ready = tools.prepare_sample(system, first)?;
        tools.find(system, &ready, &first.document, "anything")?;
    }
    for sample in samples {
        let started = Instant::now();
        let ready = tools.prepare_sample(system, sample)?;
        preparation.push(started);
        let mut here = Vec::new();
        for query in &sample.queries {
            let started = Instant::now();
            here.push(tools.find(system, &ready, &sample.document, &query.text)?);
            latency.push(started);
        }
        found.push(here);
    }
    Ok(summarise(samples, found, latency, preparation))
}

fn summarise(
    samples: &[Sample],
    found: Vec<Vec<SystemMatches>>,
    latency: Times,
    preparation: Times,
) -> SystemMeasurement {
    let mut scores: Vec<AnswerScores> = Vec::new();
    let (mut worst_exact, mut worst_overlap, mut worst_map) = (Vec::new(), Vec::new(), Vec::new());
    let mut maps = Vec::new();
    let (mut gold_count, mut gold_seen, mut shown) = (0usize, 0usize, Vec::new());
    for (sample, here) in samples.iter().zip(&found) {
        let text = sample.document.text();
        let strings =
            |spans: &[Span]| -> Vec<&str> { spans.iter().filter_map(|span| span.slice(text)).collect() };
        let mut document: Vec<(AnswerScores, f64)> = Vec::new();
        for (query, found) in sample.queries.iter().zip(here) {
            let gold = sample.gold(query);
            let answered = answers::score(&strings(&found.spans), &strings(&gold));
            document.push((answered, answers::average_precision(&found.ranked, &gold)));
            gold_count += gold.len();
            gold_seen +=
                gold.iter().filter(|span| found.spans.iter().any(|other| other.overlaps(span))).count();
            let bytes: usize = found.spans.iter().map(Span::len).sum();
            shown.push(bytes as f64 / text.len().max(1) as f64);
        }
        let least = |score: &dyn Fn(&(AnswerScores, f64)) -> f64| {
            document.iter().map(score).fold(f64::INFINITY, f64::min)
        };
        if !document.is_empty() {
            worst_exact.push(least(&|d| d.0.list_exact.f1));
            worst_overlap.push(least(&|d| d.0.list_overlap.f1));
            worst_map.push(least(&|d| d.1));
        }
        scores.extend(document.iter().map(|d| d.0));
        maps.extend(document.iter().map(|d| d.1));
    }
    let chars: usize = samples.iter().map(|sample| sample.document.text().chars().count()).sum();
    let prepared: f64 = preparation.0.iter().sum();
    SystemMeasurement {
        mean: mean_of(&scores),
        robust_exact: mean(&worst_exact),
        robust_overlap: mean(&worst_overlap),
        map: mean(&maps),
        robust_map: mean(&worst_map),
        gold_seen: gold_seen as f64 / gold_count.max(1) as f64,
        text_shown: mean(&shown),
        latency,
        preparation,
        preparation_per_page: prepared / chars.max(1) as f64 * 2000.0,
        found,
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

fn mean_of(scores: &[AnswerScores]) -> AnswerScores {
    let part = |pick: &dyn Fn(&AnswerScores) -> Prf| {
        let of = |value: &dyn Fn(Prf) -> f64| {
            mean(&scores.iter().map(|score| value(pick(score))).collect::<Vec<_>>())
        };
        Prf { precision: of(&|prf| prf.precision), recall: of(&|prf| prf.recall), f1: of(&|prf| prf.f1) }
    };
    AnswerScores {
        list_exact: part(&|score| score.list_exact),
        list_overlap: part(&|score| score.list_overlap),
        set_exact: part(&|score| score.set_exact),
        set_overlap: part(&|score| score.set_overlap),
    }
}

impl SystemMeasurement {
    /// Writes one line a query: its document, itself, what was predicted and where, in characters.
    pub fn write_predictions(&self, path: &Path, samples: &[Sample]) -> Result<(), EvalError> {
        let failed = |error| EvalError::File { path: path.to_owned(), error };
        let mut file = std::io::BufWriter::new(std::fs::File::create(path).map_err(failed)?);
        for (sample, here) in samples.iter().zip(&self.found) {
            let positions = sample.document.positions();
            let char_of = |byte| positions.char_of(byte).unwrap_or_default();
            for (query, found) in sample.queries.iter().zip(here) {
                let text = sample.document.text();
                let line = serde_json::json!({
                    "id": sample.id,
                    "question": query.text,
                    "prediction": found.spans.iter().filter_map(|span| span.slice(text)).collect::<Vec<_>>(),
                    "spans": found.spans.iter().map(|span| [char_of(span.start), char_of(span.end)]).collect::<Vec<_>>(),
                });
                writeln!(file, "{line}").map_err(failed)?;
            }
        }
        file.flush().map_err(failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_measured_values() {
        let times = Times(vec![5.0, 1.0, 3.0]);
        assert_eq!((times.at(0.5), times.at(0.99), times.at(0.0)), (3.0, 5.0, 1.0));
        assert_eq!(Times::default().at(0.5), 0.0);
    }
}
