//! What is worth keeping between runs, on disk: tags of passages, vectors of texts, prepared documents.
//!
//! Everything is keyed by a hash of what it was made from and filed under the model that made it, so nothing in here
//! can be stale; anything torn or strange is dropped and made again. Several processes may use one folder at once. It
//! tells what was read, so nobody but its owner may look into it.

mod private;
mod shards;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub use private::{
    check_owner, make_private_folder, open_private, private_options, read_private, tighten, tighten_all,
};
pub(crate) use shards::{Key, Shards, key_of};

/// Every folder that findall makes in a cache; what else lies there is not ours.
const KINDS: &[&str] = &["prepared", "tags", "embeddings", "words", "lists", "llm", "verdicts", "base-words"];

/// Largest file of one thing that is read back; what is larger was not written by us.
pub const MAX_CACHED_FILE_BYTES: u64 = 512 << 20;

/// A folder for what findall remembers about texts.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// A cache in this folder, which is made when something is first written.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// Where it lies.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether it can be trusted and used: it must belong to who asks, and hold no link where a folder of ours lies. One
    /// that others could look into is tightened; one that is not there yet is made private when it is made.
    pub fn secure(&self) -> io::Result<()> {
        match std::fs::metadata(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
            Ok(metadata) if !metadata.is_dir() => return Err(io::ErrorKind::NotADirectory.into()),
            Ok(_) => check_owner(&self.folder)?,
        }
        for kind in KINDS {
            let there = std::fs::symlink_metadata(self.folder.join(kind));
            if there.is_ok_and(|metadata| !metadata.is_dir()) {
                return Err(io::Error::other(format!("{kind} in it is no folder")));
            }
        }
        // Where the folder is a link, what it leads to counts.
        let folder = self.folder.canonicalize()?;
        match tighten(&folder)? {
            true => tighten_all(&folder),
            false => Ok(()),
        }
    }

    /// Deletes everything in it. Vectors and tags of many texts lie mixed under hashed keys, so that one text cannot be
    /// taken out alone; whatever is needed again is worked out again.
    pub fn clear(&self) -> io::Result<()> {
        for kind in KINDS {
            match std::fs::remove_dir_all(self.folder.join(kind)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }

    /// The store of one kind of thing made by one model.
    pub(crate) fn shards(&self, kind: &str, model: &str) -> Shards {
        Shards::new(self.folder.join(kind).join(file_name(model)))
    }

    /// Where the word vectors of this model are saved.
    pub(crate) fn words_path(&self, model: &str) -> PathBuf {
        self.folder.join("words").join(file_name(model))
    }

    /// Where the index of the words of a knowledge base is saved.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn base_words_path(&self, base: &crate::knowledge::KnowledgeBase) -> PathBuf {
        self.folder.join("base-words").join(crate::knowledge::words::WordIndex::file_name(base))
    }

    /// Where the prepared document of this name is saved.
    pub(crate) fn prepared_path(&self, name: &str) -> PathBuf {
        self.folder.join("prepared").join(format!("{name}.prepared"))
    }
}

/// Writes a file whole or not at all: readers see the old one or the new one, never a part. Only its owner can read it.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    make_private_folder(folder)?;
    let aside = folder.join(format!(
        ".{}.{}.{:x}",
        path.file_name().unwrap_or_default().to_string_lossy(),
        std::process::id(),
        next_unique_number()
    ));
    let mut options = private_options();
    let written =
        options.write(true).create_new(true).open(&aside).and_then(|mut file| file.write_all(bytes));
    let done = written.and_then(|()| std::fs::rename(&aside, path));
    if done.is_err() {
        let _ = std::fs::remove_file(&aside);
    }
    done
}

/// A number that no other call in this process gets.
fn next_unique_number() -> u64 {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT_NUMBER: AtomicU64 = AtomicU64::new(0);
    NEXT_NUMBER.fetch_add(1, Ordering::Relaxed)
}

/// A model's id as a file name: whatever is no letter, digit, dot or dash becomes a dash.
fn file_name(id: &str) -> String {
    id.chars().map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' }).take(80).collect()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn a_loose_cache_is_tightened_and_a_link_in_it_refused() {
        let outer = tempfile::tempdir().unwrap();
        let cache = Cache::new(outer.path().join("findall"));
        cache.secure().unwrap();
        let file = cache.prepared_path("one");
        write_whole(&file, b"words").unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(cache.folder()), mode(&file)), (0o700, 0o600));

        let loose = |path: &Path, mode| {
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
        };
        loose(cache.folder(), 0o755);
        loose(&file, 0o644);
        cache.secure().unwrap();
        assert_eq!((mode(cache.folder()), mode(&file)), (0o700, 0o600));

        symlink(outer.path(), cache.folder().join("lists")).unwrap();
        assert!(cache.secure().is_err());
        cache.clear().unwrap();
        assert!(cache.secure().is_ok() && outer.path().exists());
        // Only root can give a folder away.
        if std::os::unix::fs::chown(cache.folder(), Some(65534), None).is_ok() {
            assert_eq!(cache.secure().unwrap_err().kind(), io::ErrorKind::PermissionDenied);
        }
    }
}
