//! A library: many documents in one folder on disk, searchable by their words at once and by meaning as far as they have
//! been analysed. Files enter with what the file system says about them; sentences, passages and entities come out.
//!
//! ```text
//! files ─▶ Writer ─▶ words/ (tantivy: BM25, texts, the list of files)      one commit, whole or not at all
//!                 ─▶ meaning.log (vectors, who is named)                   appended, checksummed, by content
//!                 ─▶ knowledge.log (what is known about them, as vectors)  appended, checksummed, by title
//! ```
//! The first part makes a library useful within seconds; the second is slow and can be stopped and resumed at any point. It
//! holds whole texts, so its files are for their owner alone. It
//! is a crate of its own because the engine must stay free of files that it writes and of dependencies that do not compile
//! for browsers.

mod error;
mod files;
mod knowledge;
mod meaning;
mod schema;
mod search;
mod snapshot;
mod terms;
mod writer;

pub use error::LibraryError;
pub use files::{KnownFile, Stamp};
pub use search::FoundPassage;
pub use snapshot::Snapshot;
pub use writer::{AnalyseError, CommitProgress, DocumentOpener, Writer};

use std::path::{Path, PathBuf};

use findall::cache::{make_private_folder, tighten, tighten_all};
use meaning::{KNOWLEDGE_LOG, MEANING_LOG, Meaning};
use schema::Fields;
use tantivy::Index;
use tantivy::directory::error::LockError;
use tantivy::directory::{Directory, INDEX_WRITER_LOCK, MmapDirectory};

/// Where documents are kept to be searched.
pub struct Library {
    folder: PathBuf,
    index: Index,
    fields: Fields,
}

/// How much there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// Documents searchable by words.
    pub documents: usize,
    /// Those of them that are analysed by these models.
    pub analysed: usize,
    /// Their sentences.
    pub sentences: usize,
    /// Bytes of their texts.
    pub text_bytes: u64,
    /// Bytes on disk.
    pub disk_bytes: u64,
}

impl Library {
    /// True when a library lies in this folder.
    pub fn exists(folder: &Path) -> bool {
        folder.join("words/meta.json").is_file()
    }

    /// Opens a library that is there.
    pub fn open(folder: &Path) -> Result<Self, LibraryError> {
        let words = folder.join("words");
        if !Self::exists(folder) {
            return Err(LibraryError::None(folder.to_owned()));
        }
        // One that others could look into is tightened; who does not own it reads it as its owner allows.
        if tighten(&words).unwrap_or(false) {
            tighten_library(folder);
        }
        let directory = MmapDirectory::open(&words).map_err(|error| LibraryError::of(folder, error))?;
        Self::from_index(folder, Index::open(directory).map_err(|error| LibraryError::of(folder, error))?)
    }

    /// Opens a library, or makes an empty one.
    pub fn create(folder: &Path) -> Result<Self, LibraryError> {
        let words = folder.join("words");
        if Self::exists(folder) {
            return Self::open(folder);
        }
        make_private_folder(&words).map_err(|error| LibraryError::of(folder, error))?;
        let directory = MmapDirectory::open(&words).map_err(|error| LibraryError::of(folder, error))?;
        let index = Index::open_or_create(directory, schema::schema());
        let library = Self::from_index(folder, index.map_err(|error| LibraryError::of(folder, error))?)?;
        tighten_library(folder);
        Ok(library)
    }

    fn from_index(folder: &Path, index: Index) -> Result<Self, LibraryError> {
        if index.schema() != schema::schema() {
            return Err(LibraryError::OtherVersion(folder.to_owned()));
        }
        index.tokenizers().register(schema::TOKENIZER, terms::Terms::default());
        Ok(Self { folder: folder.to_owned(), fields: Fields::of(&index.schema()), index })
    }

    /// Where it lies.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What is in it now; later changes are not seen.
    pub fn snapshot(&self) -> Result<Snapshot, LibraryError> {
        Snapshot::take(self)
    }

    /// The one who may change it. Fails while another process does.
    pub fn writer(&self) -> Result<Writer<'_>, LibraryError> {
        Writer::new(self)
    }

    /// Counts.
    pub fn status(&self) -> Result<Status, LibraryError> {
        let snapshot = self.snapshot()?;
        let meaning = Meaning::open(&self.folder, MEANING_LOG)?;
        let files = snapshot.files();
        Ok(Status {
            documents: files.len(),
            analysed: files.iter().filter(|file| meaning.has(&file.content)).count(),
            sentences: files.iter().map(|file| file.sentences).sum(),
            text_bytes: files.iter().map(|file| file.text_bytes).sum(),
            disk_bytes: size_of(&self.folder),
        })
    }

    /// Checks every byte of the index of words, and of every record that models made. A record that is torn at the end
    /// was never reported as done, and is no damage.
    pub fn verify(&self) -> Result<(), LibraryError> {
        let damaged =
            self.index.validate_checksum().map_err(|error| LibraryError::of(&self.folder, error))?;
        if let Some(file) = damaged.into_iter().next() {
            return Err(LibraryError::of(&self.folder, format!("{} is damaged", file.display())));
        }
        for log in [MEANING_LOG, KNOWLEDGE_LOG] {
            if !Meaning::open(&self.folder, log)?.is_whole() {
                return Err(LibraryError::of(&self.folder, format!("{log} is damaged")));
            }
        }
        Ok(())
    }

    /// Takes files out, from the disk, too: those of all its paths that `choose` gives the places of. Says how many.
    pub fn take_out(folder: &Path, choose: impl Fn(&[&str]) -> Vec<usize>) -> Result<usize, LibraryError> {
        let library = Self::open(folder)?;
        let snapshot = library.snapshot()?;
        let paths: Vec<&str> = snapshot.files().iter().map(|known| known.path.as_str()).collect();
        let chosen = choose(&paths);
        if chosen.is_empty() {
            return Ok(0);
        }
        let writer = library.writer()?;
        let gone = chosen.iter().filter(|&&at| paths.get(at).is_some_and(|path| writer.remove(path))).count();
        drop(snapshot);
        writer.purge()?;
        Ok(gone)
    }

    /// Takes everything out, and the folder away. Says how many documents there were; nobody can count those of another
    /// version.
    pub fn remove(folder: &Path) -> Result<usize, LibraryError> {
        // Only what a library consists of: a wrong path must not cost anything else. One of another version, or one that
        // is damaged, can be taken away too.
        let words = folder.join("words");
        if !Self::exists(folder) {
            return Err(LibraryError::None(folder.to_owned()));
        }
        let held = Self::open(folder).and_then(|library| library.snapshot());
        let documents = held.map_or(0, |snapshot| snapshot.files().len());
        let directory = MmapDirectory::open(&words).map_err(|error| LibraryError::of(folder, error))?;
        let lock = directory.acquire_lock(&INDEX_WRITER_LOCK).map_err(|error| match error {
            LockError::LockBusy => LibraryError::Busy(folder.to_owned()),
            error => LibraryError::of(folder, error),
        })?;
        drop(lock);
        let failed = |error| LibraryError::of(folder, error);
        std::fs::remove_dir_all(folder.join("words")).map_err(failed)?;
        for log in [MEANING_LOG, KNOWLEDGE_LOG] {
            match std::fs::remove_file(folder.join(log)) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(failed(error)),
                _ => {}
            }
        }
        // Left where the person keeps something else in it.
        let _ = std::fs::remove_dir(folder);
        Ok(documents)
    }
}

/// Takes from everyone but the owner what they may do with a library's files. The index makes them as everyone's umask
/// says; their folder is shut from the beginning, so that this only matters where they are copied.
fn tighten_library(folder: &Path) {
    let _ = tighten_all(&folder.join("words"));
    for log in [MEANING_LOG, KNOWLEDGE_LOG] {
        let _ = tighten(&folder.join(log));
    }
}

fn size_of(folder: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    entries
        .flatten()
        .map(|entry| match entry.metadata() {
            Ok(data) if data.is_dir() => size_of(&entry.path()),
            Ok(data) => data.len(),
            Err(_) => 0,
        })
        .sum()
}
