//! Many documents of a library, searched as one: what is decided about an entity looks at the best of all of them.

use std::sync::atomic::{AtomicUsize, Ordering};

use findall::document::Document;
use findall::find::{FindError, FindOptions, Findings, MatchKind};
use findall::{Engine, PreparedDocument};

/// Bytes of documents that a query prepares because nobody has yet: some seconds.
const MAX_UNPREPARED_BYTES: usize = 150_000;

/// One search over many documents.
pub struct LibrarySearch<'a> {
    /// Who prepares the documents and finds in them.
    pub engine: &'a Engine,
    /// What is looked for.
    pub query: &'a str,
    /// How it is looked for in each document.
    pub options: FindOptions,
    /// How many documents are searched at a time.
    pub threads: usize,
}

impl LibrarySearch<'_> {
    /// What `take` makes of every document and of what was found in it, in their order. Of documents that have not been prepared,
    /// the first are, as far as anyone would wait; in the others nothing is looked for, and `take` decides what becomes of
    /// them. `report` hears how many are done of how many.
    pub fn find<T: Send>(
        &self,
        documents: &[&Document],
        report: &(dyn Fn(usize, usize) + Sync),
        take: impl Fn(&Document, Option<(Findings, &PreparedDocument)>) -> T + Sync,
    ) -> Result<Vec<T>, FindError> {
        let mut room = MAX_UNPREPARED_BYTES;
        let by_meaning: Vec<bool> = documents
            .iter()
            .map(|document| {
                self.engine.load_saved(document).is_some() || take_room(&mut room, document.text().len())
            })
            .collect();
        let (done, of) = (AtomicUsize::new(0), by_meaning.iter().filter(|one| **one).count());
        let find = |at: usize, best_elsewhere| {
            let document = documents[at];
            if !by_meaning[at] {
                return Ok((take(document, None), None, false));
            }
            let prepared = self.engine.prepare(document)?;
            report((done.fetch_add(1, Ordering::Relaxed) + 1).min(of), of);
            let options = FindOptions { best_elsewhere, ..self.options };
            let findings = self.engine.find(document, &prepared, self.query, &options)?;
            let best = findings.ranking.first().map(|score| score.log_odds);
            let has_meant = findings.matches.iter().any(|found| found.kind == MatchKind::Meaning);
            Ok((take(document, Some((findings, &prepared))), best, has_meant))
        };
        let numbers: Vec<usize> = (0..documents.len()).collect();
        let first = self.each(&numbers, |at| find(at, None))?;
        let best = first.iter().filter_map(|(_, best, _)| *best).max_by(f32::total_cmp);
        let again: Vec<usize> =
            numbers.into_iter().filter(|&at| first[at].2 && first[at].1 != best).collect();
        let second = self.each(&again, |at| find(at, best))?;
        let mut all: Vec<T> = first.into_iter().map(|(found, ..)| found).collect();
        again.into_iter().zip(second).for_each(|(at, (found, ..))| all[at] = found);
        Ok(all)
    }

    /// Works on all numbers with some threads; what comes back stands in their order.
    fn each<O: Send>(
        &self,
        numbers: &[usize],
        work: impl Fn(usize) -> Result<O, FindError> + Sync,
    ) -> Result<Vec<O>, FindError> {
        let share = numbers.len().div_ceil(self.threads.max(1)).max(1);
        let work = &work;
        std::thread::scope(|scope| {
            let workers: Vec<_> = numbers
                .chunks(share)
                .map(|numbers| {
                    scope.spawn(move || numbers.iter().map(|&at| work(at)).collect::<Result<Vec<O>, _>>())
                })
                .collect();
            let mut all = Vec::with_capacity(numbers.len());
            for worker in workers {
                match worker.join() {
                    Ok(done) => all.extend(done?),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            Ok(all)
        })
    }
}

/// Takes this much out of the room that is left, if there is so much.
fn take_room(room: &mut usize, size: usize) -> bool {
    let left = room.checked_sub(size);
    *room = left.unwrap_or(*room);
    left.is_some()
}
