//! Which files of a library are worth reading for a query: the words of their passages, the meaning of their sentences and
//! what is known about what they name vote, and the votes are fused.

use std::collections::HashSet;

use findall::Engine;
use findall::encode::ModelError;
use findall::retrieval::{RankedPassage, fuse};
use findall_library::{LibraryError, Snapshot};

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
pub struct FileRanking<'a> {
    /// The library as it is now.
    pub snapshot: &'a Snapshot,
    /// Passages, sentences and documents of each ranking that vote.
    pub voters: usize,
    /// Whether what is known about the names in a document votes, too.
    pub by_knowledge: bool,
}

impl FileRanking<'_> {
    /// Files by the words of their passages, best first, as places in the snapshot.
    pub fn rank_by_words(&self, query: &str) -> Vec<usize> {
        keep_first_places(self.snapshot.passages(query, self.voters).iter().map(|passage| passage.file))
    }

    /// Files by all that is known about them, likeliest first.
    pub fn rank_by_everything(&self, engine: &Engine, query: &str) -> Result<Vec<usize>, FileRankingError> {
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
