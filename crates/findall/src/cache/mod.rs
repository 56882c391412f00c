//! What is worth keeping between runs, on disk: tags of passages, vectors of texts, prepared documents.
//!
//! Everything is keyed by a hash of what it was made from and filed under the model that made it, so nothing in here
//! can be stale; anything torn or strange is dropped and made again. Several processes may use one folder at once.

mod shards;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub(crate) use shards::{Key, Shards, key_of};

/// Every folder that findall makes in a cache; what else lies there is not ours.
const KINDS: &[&str] = &["prepared", "tags", "embeddings", "lists", "llm", "verdicts"];

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

    /// Where the prepared document of this name is saved.
    pub(crate) fn prepared_path(&self, name: &str) -> PathBuf {
        self.folder.join("prepared").join(format!("{name}.prepared"))
    }
}

/// Writes a file whole or not at all: readers see the old one or the new one, never a part.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let aside = folder.join(format!(
        ".{}.{}.{:x}",
        path.file_name().unwrap_or_default().to_string_lossy(),
        std::process::id(),
        unique()
    ));
    let written = std::fs::File::create(&aside).and_then(|mut file| file.write_all(bytes));
    let done = written.and_then(|()| std::fs::rename(&aside, path));
    if done.is_err() {
        let _ = std::fs::remove_file(&aside);
    }
    done
}

/// A number that no other call in this process gets.
fn unique() -> u64 {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// A model's id as a file name: whatever is no letter, digit, dot or dash becomes a dash.
fn file_name(id: &str) -> String {
    id.chars().map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' }).take(80).collect()
}
