//! How much a document may cost: sizes, counts and time, each with a default that ordinary files stay far below.

use std::time::Duration;

use crate::error::DocumentError;

/// Guards against hostile or enormous input. What goes over gives a typed error, never a crash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Largest file read, in bytes.
    pub source_bytes: usize,
    /// Longest text a document may yield, in bytes.
    pub text_bytes: usize,
    /// Most entries an EPUB or DOCX archive may hold.
    pub archive_entries: usize,
    /// Most bytes that one archive may unpack to.
    pub archive_bytes: u64,
    /// Largest ratio of unpacked to packed size once an entry passes a megabyte.
    pub archive_ratio: u64,
    /// Most pages read from a PDF.
    pub pages: usize,
    /// Longest time spent on one PDF.
    pub time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        const MIB: usize = 1024 * 1024;
        Limits {
            source_bytes: 512 * MIB,
            text_bytes: 512 * MIB,
            archive_entries: 20_000,
            archive_bytes: 512 * MIB as u64,
            archive_ratio: 200,
            pages: 20_000,
            time: Duration::from_secs(60),
        }
    }
}

/// Offsets are kept in 32 bits, so no limit may go past this.
const MAX_OFFSET_BYTES: usize = u32::MAX as usize;

impl Limits {
    /// An error when a file of `size` bytes is more than may be read.
    pub fn check_source(&self, size: usize) -> Result<(), DocumentError> {
        check("file size in bytes", size, self.source_bytes.min(MAX_OFFSET_BYTES))
    }

    /// An error when a text of `size` bytes is more than may be held.
    pub fn check_text(&self, size: usize) -> Result<(), DocumentError> {
        check("text size in bytes", size, self.text_bytes.min(MAX_OFFSET_BYTES))
    }
}

pub(super) fn check(what: &'static str, size: usize, limit: usize) -> Result<(), DocumentError> {
    if size > limit {
        return Err(DocumentError::TooLarge { what, size: size as u64, limit: limit as u64 });
    }
    Ok(())
}
