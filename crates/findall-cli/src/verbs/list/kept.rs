//! Lists that were made, kept by the book's hash, the subject, the relation and every setting.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::time::SystemTime;

use findall::Document;
use findall::cache::{MAX_CACHED_FILE_BYTES, read_private, write_whole};
use findall::list::{Larger, ListOptions, Relation};

use super::report::ListReport;
use crate::config::Config;
use crate::meaning;
use crate::resources::Artifact;

/// Changes whenever lists of an earlier version are not worth reading.
const VERSION: u32 = 2;

/// Where lists of one book are kept; nowhere when keeping is off.
pub struct Kept {
    folder: Option<PathBuf>,
}

impl Kept {
    /// Lists of this book by these models; another larger model, title or way of asking makes other lists.
    pub fn new(config: &Config, document: &Document, larger: Option<&Larger<'_>>) -> Self {
        let hash: String = document.content_hash()[..16].iter().map(|byte| format!("{byte:02x}")).collect();
        let cache = meaning::usable_cache(config);
        let larger = larger.map(|larger| (larger.model.id(), larger.title, larger.prompting));
        let mut with = DefaultHasher::new();
        (VERSION, env!("CARGO_PKG_VERSION"), models(config), larger).hash(&mut with);
        Self {
            folder: cache.map(|folder| folder.join("lists").join(format!("{hash}-{:016x}", with.finish()))),
        }
    }

    fn path(&self, subject: &str, relation: &Relation, options: &ListOptions) -> Option<PathBuf> {
        let mut key = DefaultHasher::new();
        (subject, relation, format!("{options:?}")).hash(&mut key);
        Some(self.folder.as_ref()?.join(format!("{:016x}.json", key.finish())))
    }

    /// A list that was made before with the same settings.
    pub fn get(&self, subject: &str, relation: &Relation, options: &ListOptions) -> Option<ListReport> {
        let bytes = read_private(&self.path(subject, relation, options)?, MAX_CACHED_FILE_BYTES).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// Keeps a list; a folder that cannot be written costs time later, not the answer now.
    pub fn put(&self, subject: &str, relation: &Relation, options: &ListOptions, report: &ListReport) {
        let Some(path) = self.path(subject, relation, options) else { return };
        let _ = write_whole(&path, report.json().as_bytes());
    }
}

/// The files of the models, by name, length and time: loading them to ask who they are would take longer than reading a
/// list that is kept.
fn models(config: &Config) -> Vec<(PathBuf, u64, Option<SystemTime>)> {
    let folder = Artifact::Models.locate(config.model.as_deref());
    let mut files: Vec<(PathBuf, u64, Option<SystemTime>)> = (folder.into_iter())
        .flat_map(|folder| std::fs::read_dir(folder).into_iter().flatten().flatten())
        .filter_map(|entry| {
            let about = entry.metadata().ok()?;
            Some((entry.path(), about.len(), about.modified().ok()))
        })
        .collect();
    files.sort_unstable();
    files
}
