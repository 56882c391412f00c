//! Which files of a library are worth reading for a query: the words of their passages, the meaning of their sentences and,
//! for find, what is known about what they name vote, and the votes are fused.

use std::collections::HashSet;
use std::path::PathBuf;

use findall::encode::ModelError;
use findall::retrieval::{RankedPassage, fuse};
use findall::{Document, Engine};
use findall_library::{LibraryError, Snapshot};

/// Passages and sentences that vote for the files that a question is asked of.
const MAX_ASKED_VOTERS: usize = 200;
/// Files that a question is asked of.
const MAX_ASKED_FILES: usize = 16;
/// Passages, sentences and files of each ranking that vote for the files that are searched.
const MAX_SEARCHED_VOTERS: usize = 400;

/// Why files could not be ranked.
#[derive(Debug, thiserror::Error)]
pub enum FileRankingError {
    /// The library failed.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// The encoder failed.
    #[error(transparent)]
    Encoder(#[from] ModelError),
}

/// Ranks the files of a library.
#[derive(Clone, Copy)]
struct FileRanking<'a> {
    /// The library as it is now.
    snapshot: &'a Snapshot,
    /// Passages, sentences and documents of each ranking that vote.
    voters: usize,
    /// Whether what is known about the names in a document votes, too.
    by_knowledge: bool,
}

/// A file of a library, with its name there.
pub type NamedDocument = (PathBuf, Document);

/// The documents that are likeliest to answer a question, likeliest first.
pub fn read_files_to_ask(
    snapshot: &Snapshot,
    engine: &Engine,
    question: &str,
) -> Result<Vec<NamedDocument>, FileRankingError> {
    let ranking = FileRanking { snapshot, voters: MAX_ASKED_VOTERS, by_knowledge: false };
    Ok(ranking.read_best(&ranking.rank_by_everything(engine, question)?, MAX_ASKED_FILES))
}

/// The documents that are likeliest to have what is looked for, likeliest first and so many at most, and how many others may
/// have it; by their words alone without an engine.
pub fn read_files_to_search(
    snapshot: &Snapshot,
    engine: Option<&Engine>,
    query: &str,
    most: usize,
) -> Result<(Vec<NamedDocument>, usize), FileRankingError> {
    let ranking = FileRanking { snapshot, voters: MAX_SEARCHED_VOTERS, by_knowledge: true };
    let ranked = match engine {
        Some(engine) => ranking.rank_by_everything(engine, query)?,
        None => ranking.rank_by_words(query),
    };
    Ok((ranking.read_best(&ranked, most), ranked.len().saturating_sub(most)))
}

impl FileRanking<'_> {
    fn read_best(&self, ranked: &[usize], most: usize) -> Vec<NamedDocument> {
        let snapshot = self.snapshot;
        let read =
            |&file: &usize| Some((PathBuf::from(&snapshot.files()[file].path), snapshot.document(file)?));
        ranked.iter().take(most).filter_map(read).collect()
    }

    /// Files by the words of their passages, best first, as places in the snapshot.
    fn rank_by_words(&self, query: &str) -> Vec<usize> {
        keep_first_places(self.snapshot.passages(query, self.voters).iter().map(|passage| passage.file))
    }

    /// Files by all that is known about them, likeliest first.
    fn rank_by_everything(&self, engine: &Engine, query: &str) -> Result<Vec<usize>, FileRankingError> {
        let made_by = engine.made_by();
        let (corpus, files) = self.snapshot.corpus(&made_by, None)?;
        let vector = engine.question_vector(query)?;
        let near = corpus.nearest(&vector, self.voters);
        let places = near.iter().filter_map(|ranked| corpus.place(ranked.passage));
        let mut rankings =
            vec![self.rank_by_words(query), keep_first_places(places.map(|(document, _)| files[document]))];
        if self.by_knowledge {
            let known = self.snapshot.rank_by_knowledge(&corpus, &made_by, &vector, self.voters)?;
            rankings.push(keep_first_places(known.iter().map(|ranked| files[ranked.passage])));
        }
        let rankings: Vec<Vec<RankedPassage>> = rankings
            .into_iter()
            .map(|files| {
                files.into_iter().map(|passage| RankedPassage { passage, rank_weight: 0.0 }).collect()
            })
            .collect();
        let rankings: Vec<&[RankedPassage]> = rankings.iter().map(Vec::as_slice).collect();
        Ok(fuse(&rankings).into_iter().map(|ranked| ranked.passage).collect())
    }
}

fn keep_first_places(files: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut seen = HashSet::new();
    files.filter(|file| seen.insert(*file)).collect()
}
