//! `findall QUERY --library DIR`: the index says which documents are worth reading, by the words of their passages, by the
//! meaning of their sentences and by what is known about what they name; those are searched as files are, and shown best
//! first.

use std::path::Path;

use findall::Engine;
use findall::document::Document;
use findall_library::{Library, LibraryError};
use findall_service::library_files::read_files_to_search;

use super::{FileOutcome, FindConfig, render};
use crate::failure::{Failure, Outcome, complain};
use crate::library;
use crate::output::Output;
use crate::printer::Summary;
use crate::progress::Progress;

/// Searches the documents of a library that are likeliest to have what is asked for.
pub(super) fn run(
    config: &FindConfig,
    folder: &Path,
    most: usize,
    progress: &Progress,
) -> Result<(Outcome, Summary), Failure> {
    let library = Library::open(folder)?;
    let snapshot = library.snapshot()?;
    let (engine, query) = (config.searcher.engine(), config.searcher.query());
    if let Some(engine) = engine {
        learn(&library, engine, progress)?;
    }
    let (chosen, rest) = read_files_to_search(&snapshot, engine, query, most)?;
    let documents: Vec<&Document> = chosen.iter().map(|(_, document)| document).collect();
    progress.say(&format!("searching {} of {} documents", chosen.len(), snapshot.files().len()));
    let searched = config.searcher.search_all(&documents, config.threads, &|done, of| {
        progress.say(&format!("read {done} of {of} documents by meaning"));
    });
    let searched = searched.map_err(|error| Failure::Verb(error.to_string()))?;
    let mut total = Summary::default();
    for ((path, document), mut searched) in chosen.iter().zip(searched) {
        let hits = config.selection.choose(std::mem::take(&mut searched.hits), document.text());
        let mut printed = Vec::new();
        render(config, path, document, &hits, &searched, progress, &mut printed);
        let outcome = FileOutcome::from_search(config, path, document, hits.len(), &searched);
        let gap = config.separates_files() && total.matched > 0 && !printed.is_empty();
        total.add(&outcome.summary);
        progress.run_aside(|| {
            outcome.complaints.iter().for_each(|complaint| complain(complaint));
            let gap: &[u8] = if gap { b"\n" } else { b"" };
            Output::stdout().write(&[gap, &printed].concat())
        })?;
    }
    if total.not_indexed > 0 {
        let count = total.not_indexed;
        progress.run_aside(|| {
            complain(&format!(
                "{count} documents went by words; findall index with the same --library adds their meaning"
            ));
        });
    }
    if rest > 0 && config.tells_coverage {
        let most = most * 2;
        progress.run_aside(|| {
            complain(&format!("{rest} less likely documents were not read; --documents {most} reads more"));
        });
    }
    Ok((if total.matches > 0 { Outcome::Found } else { Outcome::Nothing }, total))
}

/// Vectors of entities that came with records of other machines; while someone else changes the library, what is there must
/// do.
fn learn(library: &Library, engine: &Engine, progress: &Progress) -> Result<(), Failure> {
    let writer = match library.writer() {
        Err(LibraryError::Busy(_)) => return Ok(()),
        writer => writer?,
    };
    library::learn(&writer, engine, progress)
}
