//! Which files an assistant may read: those under folders that the person named, whatever links and dots a path has.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Folders that were named, with links resolved.
#[derive(Clone, Debug, Default)]
pub struct Folders(Vec<PathBuf>);

/// Why a file is not read. Says nothing about files that may not be read, not even whether they exist.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// A folder that was named is none.
    #[error("--allow {}: {error}; name a folder that is there", path.display())]
    NotAFolder {
        /// Which.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// Outside, missing, or not a file.
    #[error("no such file under the folders that this server may read{}", .allowed)]
    NotAllowed {
        /// The folders, for the assistant.
        allowed: String,
    },
    /// It is there, and cannot be read.
    #[error("the file cannot be read: {0}")]
    Unreadable(io::Error),
    /// It is larger than documents may be.
    #[error("the file has {size} bytes, more than {limit}; split it")]
    TooLarge {
        /// How large.
        size: u64,
        /// How large it may be.
        limit: usize,
    },
}

impl Folders {
    /// The folders with these names.
    pub fn new(named: &[PathBuf]) -> Result<Self, FolderError> {
        let resolve = |path: &PathBuf| {
            let resolved = path.canonicalize().and_then(|resolved| match resolved.is_dir() {
                true => Ok(resolved),
                false => Err(io::ErrorKind::NotADirectory.into()),
            });
            resolved.map_err(|error| FolderError::NotAFolder { path: path.clone(), error })
        };
        Ok(Self(named.iter().map(resolve).collect::<Result<_, _>>()?))
    }

    /// True when no file may be read.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The folders, for people.
    pub fn listed(&self) -> String {
        self.0.iter().map(|folder| folder.display().to_string()).collect::<Vec<_>>().join(", ")
    }

    /// The file under this path, absolute or from one of the folders, and its bytes.
    pub fn read(&self, path: &str, limit: usize) -> Result<(PathBuf, Vec<u8>), FolderError> {
        let path = self.resolve(Path::new(path)).ok_or_else(|| FolderError::NotAllowed {
            allowed: if self.is_empty() {
                "; send the text instead".into()
            } else {
                format!(" ({})", self.listed())
            },
        })?;
        let file = File::open(&path).map_err(FolderError::Unreadable)?;
        let size = file.metadata().map_err(FolderError::Unreadable)?.len();
        if size > limit as u64 {
            return Err(FolderError::TooLarge { size, limit });
        }
        let mut bytes = Vec::with_capacity(size as usize);
        file.take(limit as u64).read_to_end(&mut bytes).map_err(FolderError::Unreadable)?;
        Ok((path, bytes))
    }

    fn resolve(&self, path: &Path) -> Option<PathBuf> {
        let candidates = self.0.iter().map(|folder| folder.join(path));
        candidates
            .filter_map(|candidate| candidate.canonicalize().ok())
            .find(|resolved| resolved.is_file() && self.0.iter().any(|folder| resolved.starts_with(folder)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_outside_is_read_and_nothing_is_told_about_it() {
        let outer = tempfile::tempdir().unwrap();
        let inner = outer.path().join("open");
        std::fs::create_dir_all(inner.join("deep")).unwrap();
        std::fs::write(inner.join("deep/a.txt"), "inside").unwrap();
        std::fs::write(outer.path().join("secret.txt"), "outside").unwrap();
        std::fs::create_dir(outer.path().join("open-too")).unwrap();
        std::fs::write(outer.path().join("open-too/b.txt"), "outside").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(outer.path().join("secret.txt"), inner.join("link.txt")).unwrap();
        let folders = Folders::new(std::slice::from_ref(&inner)).unwrap();

        let absolute = inner.join("deep/a.txt").display().to_string();
        for allowed in ["deep/a.txt", "./deep/../deep/a.txt", &absolute] {
            assert_eq!(folders.read(allowed, 100).unwrap().1, b"inside", "{allowed}");
        }
        let outside = outer.path().join("secret.txt").display().to_string();
        let beside = outer.path().join("open-too/b.txt").display().to_string();
        let refused = [
            "../secret.txt",
            "deep/../../secret.txt",
            "link.txt",
            &outside,
            &beside,
            "/etc/passwd",
            "",
            "deep",
            "missing.txt",
            "a\0b",
        ];
        let mut messages = std::collections::HashSet::new();
        for path in refused {
            messages.insert(folders.read(path, 100).unwrap_err().to_string());
        }
        assert_eq!(messages.len(), 1, "missing and forbidden read the same: {messages:?}");
        assert!(matches!(folders.read("deep/a.txt", 3), Err(FolderError::TooLarge { size: 6, limit: 3 })));
        assert!(Folders::default().read("/etc/passwd", 100).is_err());
        assert!(Folders::new(&[inner.join("deep/a.txt")]).is_err());
    }
}
