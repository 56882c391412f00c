//! Many documents of a library, searched as one: what is decided about an entity looks at the best of all of them.

use std::sync::atomic::{AtomicUsize, Ordering};

use findall::Engine;
use findall::document::Document;
use findall::find::{FindError, FindOptions};

use super::{SearchResults, Searcher, to_results};
use crate::hit::Label;

impl Searcher {
    /// All matches of several documents that are searched as one: what is decided about an entity looks at the best of all
    /// documents. Of those that have not been prepared, the first are, as far as anyone would wait; `report` hears how many
    /// are done of how many. The others go by words.
    pub fn search_all(
        &self,
        documents: &[&Document],
        threads: usize,
        report: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<Vec<SearchResults>, FindError> {
        let Some(engine) = &self.engine else {
            return Ok(documents.iter().map(|document| self.search_by_words(document)).collect());
        };
        let mut room = MAX_UNPREPARED_BYTES;
        let by_meaning: Vec<bool> = documents
            .iter()
            .map(|document| engine.load_saved(document).is_some() || take(&mut room, document.text().len()))
            .collect();
        let (done, of) = (AtomicUsize::new(0), by_meaning.iter().filter(|one| **one).count());
        let find = |document: &Document, best_elsewhere, by_meaning: bool| {
            if !by_meaning {
                return Ok((SearchResults { not_indexed: true, ..self.search_by_words(document) }, None));
            }
            let prepared = engine.prepare(document)?;
            report((done.fetch_add(1, Ordering::Relaxed) + 1).min(of), of);
            let options = FindOptions { best_elsewhere, ..self.options };
            let findings = engine.find(document, &prepared, &self.query, &options)?;
            let best = findings.ranking.first().map(|score| score.log_odds);
            Ok((to_results(findings, &prepared), best))
        };
        let numbers: Vec<usize> = (0..documents.len()).collect();
        let first: Vec<(SearchResults, Option<f32>)> =
            each(&numbers, threads, |&at| find(documents[at], None, by_meaning[at]))?;
        let best = first.iter().filter_map(|(_, best)| *best).max_by(f32::total_cmp);
        let again: Vec<usize> = (0..first.len())
            .filter(|&at| {
                let (found, own) = &first[at];
                *own != best && found.hits.iter().any(|hit| hit.label == Label::Meaning)
            })
            .collect();
        let second = each(&again, threads, |&at| find(documents[at], best, true))?;
        let mut all: Vec<SearchResults> = first.into_iter().map(|(found, _)| found).collect();
        again.into_iter().zip(second).for_each(|(at, (found, _))| all[at] = found);
        Ok(all)
    }

    /// The engine, when the search goes by meaning.
    pub fn engine(&self) -> Option<&Engine> {
        self.engine.as_ref()
    }

    /// What is looked for.
    pub fn query(&self) -> &str {
        &self.query
    }
}

/// Works on all inputs with some threads; what comes back stands in their order.
fn each<I: Sync, O: Send>(
    inputs: &[I],
    threads: usize,
    work: impl Fn(&I) -> Result<O, FindError> + Sync,
) -> Result<Vec<O>, FindError> {
    let share = inputs.len().div_ceil(threads.max(1)).max(1);
    let work = &work;
    std::thread::scope(|scope| {
        let workers: Vec<_> = inputs
            .chunks(share)
            .map(|inputs| scope.spawn(move || inputs.iter().map(work).collect::<Result<Vec<O>, _>>()))
            .collect();
        let mut all = Vec::with_capacity(inputs.len());
        for worker in workers {
            match worker.join() {
                Ok(done) => all.extend(done?),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok(all)
    })
}

/// Bytes of documents of a library that a query prepares because nobody has yet: some seconds.
const MAX_UNPREPARED_BYTES: usize = 150_000;

/// Takes this much out of the room that is left, if there is so much.
fn take(room: &mut usize, size: usize) -> bool {
    let left = room.checked_sub(size);
    *room = left.unwrap_or(*room);
    left.is_some()
}
