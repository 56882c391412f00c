//! What a library knows about a file, and how it tells that one has changed.

use std::path::Path;
use std::time::UNIX_EPOCH;

/// What the file system says; a file with another stamp is read again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Bytes.
    pub size: u64,
    /// Nanoseconds since 1970.
    pub modified: u64,
}

impl Stamp {
    /// The stamp of a file now.
    pub fn of(path: &Path) -> std::io::Result<Self> {
        let data = std::fs::metadata(path)?;
        let modified = data.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
        Ok(Self { size: data.len(), modified: u64::try_from(modified.as_nanos()).unwrap_or(u64::MAX) })
    }

    /// The stamp of a text that is no file: its content alone.
    pub fn of_text(text: &str) -> Self {
        Self { size: text.len() as u64, modified: 0 }
    }
}

/// The first half of a text's BLAKE3 hash: what its analysis is kept under.
pub(crate) type Content = [u8; 16];

pub(crate) fn content_of(hash: &[u8; 32]) -> Content {
    let mut content = [0; 16];
    content.copy_from_slice(&hash[..16]);
    content
}

/// A file that is in the library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownFile {
    /// Its path, or the name under which it was put in.
    pub path: String,
    /// What the file system said when it was read.
    pub stamp: Stamp,
    /// How many sentences it has.
    pub sentences: usize,
    /// Bytes of its text.
    pub text_bytes: u64,
    pub(crate) number: u64,
    pub(crate) content: Content,
}

impl KnownFile {
    /// True when the library has this very text.
    pub fn has_text_of(&self, document: &findall::Document) -> bool {
        self.content == content_of(&document.content_hash())
    }
}
