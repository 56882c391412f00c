//! Zip archives from strangers: parts are read by name, and what unpacks to far more than it weighs is refused.

use std::io::{Cursor, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use super::format::Format;
use super::limits::{self, Limits};
use crate::error::DocumentError;

/// Entries below this may compress as well as they like.
const MIN_SUSPECT_ENTRY_BYTES: u64 = 1024 * 1024;

/// An open archive and what may still be unpacked from it.
pub(super) struct Archive<'b> {
    zip: ZipArchive<Cursor<&'b [u8]>>,
    format: Format,
    left: u64,
    limits: &'b Limits,
}

impl<'b> Archive<'b> {
    pub fn open(bytes: &'b [u8], format: Format, limits: &'b Limits) -> Result<Archive<'b>, DocumentError> {
        // Word wraps password-protected documents in another container.
        if bytes.starts_with(b"\xd0\xcf\x11\xe0") {
            return Err(DocumentError::Encrypted { format });
        }
        let zip = ZipArchive::new(Cursor::new(bytes)).map_err(|error| damage_error(format, &error))?;
        limits::check("number of archive entries", zip.len(), limits.archive_entries)?;
        Ok(Archive { zip, format, left: limits.archive_bytes, limits })
    }

    /// True when the archive holds this part.
    pub fn contains(&self, name: &str) -> bool {
        self.zip.index_for_name(name).is_some()
    }

    /// The paths of all files, sorted.
    pub fn paths(&self) -> Vec<String> {
        let mut paths: Vec<String> = self
            .zip
            .file_names()
            .flatten()
            .map(|name| name.into_owned())
            .filter(|name| !name.ends_with('/'))
            .collect();
        paths.sort_unstable();
        paths
    }

    /// Unpacks one part; `None` when there is none of that name.
    pub fn read(&mut self, name: &str) -> Result<Option<Vec<u8>>, DocumentError> {
        let format = self.format;
        let entry = match self.zip.by_name(name) {
            Ok(entry) => entry,
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED)) => {
                return Err(DocumentError::Encrypted { format });
            }
            Err(error) => return Err(damage_error(format, &error)),
        };
        // Sizes in the directory may lie, so what counts is what comes out.
        let most =
            (entry.compressed_size().saturating_mul(self.limits.archive_ratio)).max(MIN_SUSPECT_ENTRY_BYTES);
        let allowed = most.min(self.left);
        let mut bytes = Vec::new();
        entry
            .take(allowed + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| DocumentError::Damaged { format, detail: format!("part {name}: {error}") })?;
        let size = bytes.len() as u64;
        if size > allowed {
            let detail = if most <= self.left {
                format!("part {name} unpacks to over {} times its size", self.limits.archive_ratio)
            } else {
                format!("unpacks to over {} bytes", self.limits.archive_bytes)
            };
            return Err(DocumentError::ZipBomb { detail });
        }
        self.left -= size;
        Ok(Some(bytes))
    }

    /// Unpacks a part that the format cannot do without.
    pub fn require(&mut self, name: &str) -> Result<Vec<u8>, DocumentError> {
        let missing =
            DocumentError::Damaged { format: self.format, detail: format!("part {name} is missing") };
        self.read(name)?.ok_or(missing)
    }
}

fn damage_error(format: Format, error: &ZipError) -> DocumentError {
    DocumentError::Damaged { format, detail: error.to_string() }
}
