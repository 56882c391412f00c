//! What can go wrong with a knowledge base, one line each, with what to do about it.

use std::path::PathBuf;

/// Why a knowledge base could not be opened, read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KnowledgeError {
    /// The file is not there.
    #[error("no knowledge base at {0}: run `findall kb build` or pass --kb FILE")]
    Missing(PathBuf),
    /// The operating system refused.
    #[error("cannot {doing} {path}: {source}")]
    Io {
        /// What was tried.
        doing: &'static str,
        /// On which file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Some other kind of file.
    #[error("{0} is not a findall knowledge base: build one with `findall kb build`")]
    Foreign(PathBuf),
    /// Made by a later findall.
    #[error(
        "{path} has format {found}, this findall reads up to {supported}: update findall or rebuild the file"
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format version.
        found: u32,
        /// The newest that can be read.
        supported: u32,
    },
    /// Part of the file is missing.
    #[error("{path} is torn: {found} of {expected} bytes: copy or build it again")]
    Torn {
        /// The file.
        path: PathBuf,
        /// Bytes it should have.
        expected: u64,
        /// Bytes it has.
        found: u64,
    },
    /// The bytes contradict themselves.
    #[error(
        "knowledge base is damaged ({0}): check it with `findall kb verify`, then copy or build it again"
    )]
    Damaged(&'static str),
    /// No such entity.
    #[error("entity {0} is not in this knowledge base of {1} entities")]
    NoSuchEntity(u32, usize),
    /// More than the format can hold.
    #[error("{0}: split the input into several knowledge bases and layer them")]
    TooLarge(&'static str),
}

impl KnowledgeError {
    /// The system said no while `doing` something with `path`.
    pub fn io(doing: &'static str, path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        let path = path.into();
        if source.kind() == std::io::ErrorKind::NotFound && doing == "open" {
            return Self::Missing(path);
        }
        Self::Io { doing, path, source }
    }
}
