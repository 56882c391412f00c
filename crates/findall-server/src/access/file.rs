//! The file of hashes: read whole, written whole under a lock, readable by its owner alone.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

/// Why the door cannot be opened or changed.
#[derive(Debug, thiserror::Error)]
pub enum AccessError {
    /// The file or its folder.
    #[error("{}: {error}; the folder must be writable by you", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// Others could read or write it.
    #[error("{} can be read by others (mode {mode:o}); run: chmod 600 {}", path.display(), path.display())]
    Open {
        /// Which.
        path: PathBuf,
        /// Its permissions.
        mode: u32,
    },
    /// It is not what was written.
    #[error("{} is damaged; remove it and pair again", path.display())]
    Damaged {
        /// Which.
        path: PathBuf,
    },
    /// The system gives no random numbers.
    #[error("no random numbers from the system: {0}")]
    Random(String),
}

/// The file, as it is written.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoredAccess {
    pub tokens: Vec<StoredToken>,
    pub code: Option<StoredCode>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoredToken {
    pub hash: String,
    pub name: String,
    pub origin: Option<String>,
    pub created: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoredCode {
    pub hash: String,
    pub expires: u64,
    pub tries: u32,
}

/// What requests are checked against.
#[derive(Clone, Debug, Default)]
pub(super) struct Grants {
    pub tokens: Vec<KnownToken>,
}

/// A token that opens the door.
#[derive(Clone, Debug)]
pub(super) struct KnownToken {
    pub hash: blake3::Hash,
    pub origin: Option<String>,
}

impl StoredAccess {
    pub fn grants(self) -> Grants {
        let known = self.tokens.into_iter().filter_map(|token| {
            let hash = blake3::Hash::from_hex(&token.hash).ok()?;
            Some(KnownToken { hash, origin: token.origin })
        });
        Grants { tokens: known.collect() }
    }
}

/// Tells one state of the file from the next: each is a new file under the same name. Who may read it counts too: one that
/// was refused for that is read again once it is mended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stamp {
    modified: Option<SystemTime>,
    length: u64,
    inode: u64,
    mode: u32,
}

impl Stamp {
    pub fn of(path: &Path) -> Self {
        let Ok(metadata) = std::fs::metadata(path) else { return Self::default() };
        Self {
            modified: metadata.modified().ok(),
            length: metadata.len(),
            inode: inode(&metadata),
            mode: mode(&metadata),
        }
    }
}

#[cfg(unix)]
fn inode(metadata: &std::fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
fn inode(_: &std::fs::Metadata) -> u64 {
    0
}

#[cfg(unix)]
fn mode(metadata: &std::fs::Metadata) -> u32 {
    std::os::unix::fs::MetadataExt::mode(metadata) & 0o777
}

#[cfg(not(unix))]
fn mode(_: &std::fs::Metadata) -> u32 {
    0
}

/// Longest file read: more is not ours.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// What is stored; nothing when there is no file yet.
pub(super) fn read(path: &Path) -> Result<(Stamp, StoredAccess), AccessError> {
    let failed = |error| AccessError::File { path: path.to_owned(), error };
    let stamp = Stamp::of(path);
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((stamp, StoredAccess::default())),
        Err(error) => return Err(failed(error)),
    };
    check_mode(path, &file.metadata().map_err(failed)?)?;
    let mut text = String::new();
    file.take(MAX_FILE_BYTES).read_to_string(&mut text).map_err(failed)?;
    let stored = serde_json::from_str(&text).map_err(|_| AccessError::Damaged { path: path.to_owned() })?;
    Ok((stamp, stored))
}

#[cfg(unix)]
fn check_mode(path: &Path, metadata: &std::fs::Metadata) -> Result<(), AccessError> {
    let mode = mode(metadata);
    match mode & 0o077 {
        0 => Ok(()),
        _ => Err(AccessError::Open { path: path.to_owned(), mode }),
    }
}

#[cfg(not(unix))]
fn check_mode(_: &Path, _: &std::fs::Metadata) -> Result<(), AccessError> {
    Ok(())
}

/// Reads, changes and writes, with other processes kept out.
pub(super) fn change(path: &Path, change: impl FnOnce(&mut StoredAccess)) -> Result<(), AccessError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let locked = (|| {
        make_folder(folder)?;
        let lock = private_file(&path.with_extension("lock"), false)?;
        lock.lock()?;
        Ok(lock)
    })();
    let failed = |error| AccessError::File { path: path.to_owned(), error };
    let _lock: File = locked.map_err(failed)?;
    let (_, mut stored) = read(path)?;
    change(&mut stored);
    let write = || {
        let aside = path.with_extension("new");
        let mut file = private_file(&aside, true)?;
        file.write_all(&serde_json::to_vec(&stored)?)?;
        file.sync_all()?;
        std::fs::rename(&aside, path)
    };
    write().map_err(failed)
}

#[cfg(unix)]
fn make_folder(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn make_folder(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)
}

fn private_file(path: &Path, empty: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).write(true).truncate(empty);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
