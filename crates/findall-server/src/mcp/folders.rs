//! Which files an assistant may read: those under folders that the person named, whatever links and dots a path has, and
//! whatever is exchanged while it is read. Links are resolved first; then every step is taken from the folder before it,
//! and none may be a link any more. A hard link is a file like any other: who can make one in such a folder can show it.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Folders that were named.
#[derive(Clone, Debug, Default)]
pub struct Folders(Vec<Folder>);

/// One of them: where it was when it was named, and a hold on it that no exchange of names can move.
#[derive(Clone, Debug)]
struct Folder {
    path: PathBuf,
    #[cfg(unix)]
    root: std::sync::Arc<File>,
}

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
        let hold = |path: &PathBuf| {
            let held = path.canonicalize().and_then(|path| match path.is_dir() {
                true => Ok(Folder {
                    #[cfg(unix)]
                    root: open_folder(&path)?.into(),
                    path,
                }),
                false => Err(io::ErrorKind::NotADirectory.into()),
            });
            held.map_err(|error| FolderError::NotAFolder { path: path.clone(), error })
        };
        Ok(Self(named.iter().map(hold).collect::<Result<_, _>>()?))
    }

    /// True when no file may be read.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The folders, for people.
    pub fn list_paths(&self) -> String {
        self.0.iter().map(|folder| folder.path.display().to_string()).collect::<Vec<_>>().join(", ")
    }

    /// The file under this path, absolute or from one of the folders, and its bytes.
    pub fn read(&self, path: &str, limit: usize) -> Result<(PathBuf, Vec<u8>), FolderError> {
        let (path, file) = self.open(Path::new(path)).ok_or_else(|| FolderError::NotAllowed {
            allowed: if self.is_empty() {
                "; send the text instead".into()
            } else {
                format!(" ({})", self.list_paths())
            },
        })?;
        let file = file.map_err(FolderError::Unreadable)?;
        let size = file.metadata().map_err(FolderError::Unreadable)?.len();
        if size > limit as u64 {
            return Err(FolderError::TooLarge { size, limit });
        }
        let mut bytes = Vec::with_capacity(size as usize);
        file.take(limit as u64).read_to_end(&mut bytes).map_err(FolderError::Unreadable)?;
        Ok((path, bytes))
    }

    /// The plain file that is meant; `None` when there is none, or none that may be read.
    fn open(&self, path: &Path) -> Option<(PathBuf, io::Result<File>)> {
        let candidates = self.0.iter().filter_map(|folder| folder.path.join(path).canonicalize().ok());
        for path in candidates {
            let Some(folder) = self.0.iter().find(|folder| path.starts_with(&folder.path)) else { continue };
            let below = path.strip_prefix(&folder.path).ok()?;
            match folder.open(below) {
                Ok(file) if file.metadata().is_ok_and(|metadata| metadata.is_file()) => {
                    return Some((path, Ok(file)));
                }
                // It is there, a plain file at that, and its owner keeps it shut.
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied && path.is_file() => {
                    return Some((path, Err(error)));
                }
                _ => {}
            }
        }
        None
    }
}

#[cfg(unix)]
fn open_folder(path: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags};
    Ok(rustix::fs::open(path, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?.into())
}

#[cfg(unix)]
impl Folder {
    /// A path without links or dots, step by step: what became a link since it was resolved is refused. A pipe is opened
    /// without waiting for whoever writes into it.
    fn open(&self, below: &Path) -> io::Result<File> {
        use rustix::fs::{Mode, OFlags, openat};
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut steps = below.components().peekable();
        let mut at: Option<File> = None;
        while let Some(step) = steps.next() {
            let kind = if steps.peek().is_some() { OFlags::DIRECTORY } else { OFlags::NONBLOCK };
            let from = at.as_ref().unwrap_or(&self.root);
            at = Some(openat(from, step.as_os_str(), flags | kind, Mode::empty())?.into());
        }
        at.ok_or_else(|| io::ErrorKind::IsADirectory.into())
    }
}

#[cfg(not(unix))]
impl Folder {
    fn open(&self, below: &Path) -> io::Result<File> {
        File::open(self.path.join(below))
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

    #[cfg(unix)]
    #[test]
    fn an_exchanged_folder_leads_nowhere_and_a_pipe_holds_up_nobody() {
        use std::sync::atomic::{AtomicBool, Ordering};
        let outer = tempfile::tempdir().unwrap();
        let (open, secret) = (outer.path().join("open"), outer.path().join("secret"));
        for folder in [&open, &secret, &open.join("deep")] {
            std::fs::create_dir_all(folder).unwrap();
        }
        std::fs::write(open.join("deep/a.txt"), "inside").unwrap();
        std::fs::write(secret.join("a.txt"), "outside").unwrap();
        std::os::unix::fs::symlink(&secret, open.join("link")).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(open.join("pipe")).status().unwrap().success());
        let folders = Folders::new(std::slice::from_ref(&open)).unwrap();
        assert!(matches!(folders.read("pipe", 100), Err(FolderError::NotAllowed { .. })));

        // What was resolved as a folder is a link by the time that it is opened.
        std::fs::rename(open.join("deep"), open.join("kept")).unwrap();
        std::fs::rename(open.join("link"), open.join("deep")).unwrap();
        assert!(folders.0[0].open(Path::new("deep/a.txt")).is_err());
        assert!(folders.0[0].open(Path::new("kept/a.txt")).is_ok());

        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let aside = open.join("aside");
                while !done.load(Ordering::Relaxed) {
                    for (from, to) in
                        [("deep", "aside"), ("kept", "deep"), ("deep", "kept"), ("aside", "deep")]
                    {
                        let _ = std::fs::rename(open.join(from), open.join(to));
                    }
                }
                let _ = std::fs::remove_file(aside);
            });
            let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
            let (mut seen, mut tries) = (0, 0);
            let mut leaked = false;
            // Until the exchange has been met often enough, however slowly it goes.
            while (seen < 5_000 || tries < 40_000) && !leaked && std::time::Instant::now() < deadline {
                tries += 1;
                if let Ok((_, bytes)) = folders.read("deep/a.txt", 100) {
                    leaked = bytes != b"inside";
                    seen += 1;
                }
            }
            done.store(true, Ordering::Relaxed);
            assert!(!leaked, "after {seen} reads of {tries}");
            assert!(seen > 0, "the exchange left something to read at times");
        });
    }
}
