//! How far a build has come, kept in its working folder so that the same command continues after an interruption.

use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::sources::Source;

const FILE: &str = "progress.json";

/// What is done of one source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceProgress {
    /// All of it.
    pub finished: bool,
    /// Rows read.
    pub rows: u64,
    /// Rows set aside.
    pub refused: u64,
}

/// The state of a build.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Format, path, size and language of the sources: another build must not continue this one.
    identity: Vec<String>,
    /// Sorted runs on disk.
    pub runs: usize,
    /// Source by source.
    pub done: Vec<SourceProgress>,
}

impl Checkpoint {
    /// The saved state, if it belongs to these sources; a new one otherwise.
    pub fn load(folder: &Path, sources: &[Source], language: &str) -> Self {
        let identity: Vec<String> = sources
            .iter()
            .map(|source| format!("{} {} {language}", source.format.flag(), source.path.display()))
            .collect();
        let saved = std::fs::read(folder.join(FILE))
            .ok()
            .and_then(|bytes| serde_json::from_slice::<Self>(&bytes).ok());
        match saved {
            Some(saved) if saved.identity == identity && saved.done.len() == sources.len() => saved,
            _ => Self { identity, runs: 0, done: vec![SourceProgress::default(); sources.len()] },
        }
    }

    /// Whether nothing has been read yet.
    pub fn is_fresh(&self) -> bool {
        self.runs == 0
    }

    /// Written whole or not at all.
    pub fn save(&self, folder: &Path) -> io::Result<()> {
        let partial = folder.join("progress.partial");
        let mut file = std::fs::File::create(&partial)?;
        file.write_all(&serde_json::to_vec(self)?)?;
        file.sync_all()?;
        std::fs::rename(partial, folder.join(FILE))
    }
}
