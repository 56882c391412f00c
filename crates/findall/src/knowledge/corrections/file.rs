//! The file of a person's corrections: read whole, written whole under a lock, readable by its owner alone. Lines that
//! cannot be read are passed over, told of, and kept.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::line::{read_line, write_line};
use super::{Correction, CorrectionRefusal};
use crate::cache::{make_private_folder, open_private, private_options, read_private};

/// Largest file of corrections that is read and written.
pub const MAX_CORRECTIONS_BYTES: u64 = 8 << 20;

/// What the file says about itself to who opens it.
const HEADER: &str =
    "# Corrections of findall's knowledge: written by `findall kb report` and `findall kb add`.\n";

/// Why corrections could not be read or kept. Nothing is lost: what was there is there.
#[derive(Debug, thiserror::Error)]
pub enum CorrectionError {
    /// The file or its folder.
    #[error("{}: {error}; nothing was changed", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// Its owner does not want it changed.
    #[error("{} is read-only; nothing was changed, to allow it run: chmod u+w {}", path.display(), path.display())]
    ReadOnly {
        /// Which.
        path: PathBuf,
    },
    /// There are more corrections than a person makes.
    #[error("{} has over {} MiB; build a base of your own from it with findall kb build", path.display(), MAX_CORRECTIONS_BYTES >> 20)]
    TooLarge {
        /// Which.
        path: PathBuf,
    },
    /// It cannot be kept as it stands.
    #[error(transparent)]
    Refused(#[from] CorrectionRefusal),
}

/// What was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParsedCorrections {
    /// In the order in which they were made.
    pub corrections: Vec<Correction>,
    /// Numbers, from 1, of the lines that cannot be read.
    pub broken: Vec<usize>,
}

/// Tells one state of the file from the next: each is a new file under the same name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    modified: Option<SystemTime>,
    length: u64,
    inode: u64,
}

/// Where a person's corrections lie. The file is made when the first one is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CorrectionsFile {
    path: PathBuf,
}

impl CorrectionsFile {
    /// A file at this place.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// The place.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The state of the file now; the default where there is none.
    pub fn stamp(&self) -> Stamp {
        let Ok(metadata) = std::fs::symlink_metadata(&self.path) else { return Stamp::default() };
        #[cfg(unix)]
        let inode = std::os::unix::fs::MetadataExt::ino(&metadata);
        #[cfg(not(unix))]
        let inode = 0;
        Stamp { modified: metadata.modified().ok(), length: metadata.len(), inode }
    }

    /// What is kept; nothing where there is no file yet.
    pub fn read(&self) -> Result<ParsedCorrections, CorrectionError> {
        let bytes = self.bytes()?;
        let text = String::from_utf8_lossy(&bytes);
        let mut read = ParsedCorrections::default();
        for (at, line) in text.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            match read_line(line) {
                Some(correction) => read.corrections.push(correction),
                None => read.broken.push(at + 1),
            }
        }
        Ok(read)
    }

    /// Keeps one more, with other processes kept out; on disk before it returns.
    pub fn append(&self, correction: &Correction) -> Result<(), CorrectionError> {
        correction.check()?;
        let _lock = self.lock()?;
        if std::fs::metadata(&self.path).is_ok_and(|metadata| metadata.permissions().readonly()) {
            return Err(CorrectionError::ReadOnly { path: self.path.clone() });
        }
        let mut bytes = self.bytes()?;
        if bytes.is_empty() {
            bytes.extend_from_slice(HEADER.as_bytes());
        } else if bytes.last() != Some(&b'\n') {
            bytes.push(b'\n');
        }
        bytes.extend_from_slice(write_line(correction).as_bytes());
        bytes.push(b'\n');
        if bytes.len() as u64 > MAX_CORRECTIONS_BYTES {
            return Err(CorrectionError::TooLarge { path: self.path.clone() });
        }
        self.replace(&bytes).map_err(|error| self.file_error(error))
    }

    fn bytes(&self) -> Result<Vec<u8>, CorrectionError> {
        match read_private(&self.path, MAX_CORRECTIONS_BYTES) {
            Ok(bytes) => Ok(bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
                Err(CorrectionError::TooLarge { path: self.path.clone() })
            }
            Err(error) => Err(self.file_error(error)),
        }
    }

    fn lock(&self) -> Result<File, CorrectionError> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        let locked = || {
            // A person may keep the folder on another disk, behind a link.
            if !folder.is_dir() {
                make_private_folder(folder)?;
            }
            let path = self.path.with_extension("lock");
            let file = open_private(&path, private_options().create(true).write(true).truncate(false))?;
            file.lock()?;
            Ok(file)
        };
        locked().map_err(|error| self.file_error(error))
    }

    fn replace(&self, bytes: &[u8]) -> io::Result<()> {
        let aside = self.path.with_extension("new");
        let mut file = open_private(&aside, private_options().create(true).write(true).truncate(true))?;
        file.write_all(bytes)?;
        file.sync_all()?;
        std::fs::rename(&aside, &self.path)
    }

    fn file_error(&self, error: io::Error) -> CorrectionError {
        CorrectionError::File { path: self.path.clone(), error }
    }
}
