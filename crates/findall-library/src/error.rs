//! What can go wrong with a library; every message says what to do.

use std::path::{Path, PathBuf};

/// Why a library could not be used.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// There is none.
    #[error("{}: no library here; findall index FOLDER --library {} makes one", .0.display(), .0.display())]
    None(PathBuf),
    /// Another process writes to it.
    #[error("{}: another findall index is at work here; wait for it, or stop it", .0.display())]
    Busy(PathBuf),
    /// It was made by another version.
    #[error("{}: made by another version of findall; findall index clean --library {} removes it, then index again", .0.display(), .0.display())]
    OtherVersion(PathBuf),
    /// The disk, or the index on it.
    #[error("{}: {message}", folder.display())]
    Failed {
        /// Which library.
        folder: PathBuf,
        /// What was said.
        message: String,
    },
}

impl LibraryError {
    pub(crate) fn of(folder: &Path, error: impl std::fmt::Display) -> Self {
        Self::Failed { folder: folder.to_owned(), message: error.to_string() }
    }
}
