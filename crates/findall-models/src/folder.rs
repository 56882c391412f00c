//! A model folder on disk: where to look for it, its `model.json`, and the check of every file it names.
//!
//! The contract is written down in `models/README.md`.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use serde::Deserialize;

use crate::error::LoadError;

/// The only format that we read.
pub const FORMAT: u32 = 1;

/// `model.json`.
#[derive(Clone, Debug, Deserialize)]
pub struct Manifest {
    /// Version of this contract.
    pub format: u32,
    /// `encoder`, `tagger` or `reader`.
    pub kind: String,
    /// Name of the weights.
    pub name: String,
    /// Longest input, with special tokens.
    pub max_tokens: usize,
    /// Files with their sums.
    pub files: BTreeMap<String, FileSum>,
    /// What only this kind of model has; read by the model itself.
    #[serde(flatten)]
    pub own: serde_json::Value,
}

/// What a file must be.
#[derive(Clone, Debug, Deserialize)]
pub struct FileSum {
    /// Length.
    pub bytes: u64,
    /// BLAKE3 in hexadecimal.
    pub blake3: String,
}

/// A model's folder.
#[derive(Debug)]
pub struct Folder {
    /// Where it is.
    pub path: PathBuf,
    /// Its `model.json`.
    pub manifest: Manifest,
}

impl Folder {
    /// Reads `model.json` and checks every file that it names.
    pub fn open(path: &Path, kind: &str) -> Result<Self, LoadError> {
        let folder = Self::unchecked(path, kind)?;
        for (name, sum) in &folder.manifest.files {
            verify(&path.join(name), sum)?;
        }
        Ok(folder)
    }

    /// Reads `model.json` alone: enough to say which weights these are, not to use them.
    pub fn unchecked(path: &Path, kind: &str) -> Result<Self, LoadError> {
        let file = path.join("model.json");
        let refuse = |reason: String| LoadError::Manifest { path: file.clone(), reason };
        let json = read(&file)?;
        let manifest: Manifest = serde_json::from_slice(&json).map_err(|e| refuse(e.to_string()))?;
        if manifest.format != FORMAT {
            return Err(LoadError::Format { path: file, found: manifest.format, supported: FORMAT });
        }
        if manifest.kind != kind {
            return Err(refuse(format!("is a {}, not a {kind}", manifest.kind)));
        }
        if !(8..=4096).contains(&manifest.max_tokens) {
            return Err(refuse(format!("max_tokens {} is not between 8 and 4096", manifest.max_tokens)));
        }
        for needed in ["model.onnx", "../tokenizer.json"] {
            if !manifest.files.contains_key(needed) {
                return Err(refuse(format!("does not list {needed}")));
            }
        }
        if let Some(name) = manifest.files.keys().find(|name| !is_inside(name)) {
            return Err(refuse(format!("lists {name}, which lies outside the models folder")));
        }
        Ok(Self { path: path.to_owned(), manifest })
    }

    /// What only this kind of model has.
    pub fn own<T: serde::de::DeserializeOwned>(&self) -> Result<T, LoadError> {
        serde_json::from_value(self.manifest.own.clone())
            .map_err(|e| LoadError::Manifest { path: self.path.join("model.json"), reason: e.to_string() })
    }

    /// Names the exact weights, for cache keys: the model's name and the start of the sum over all sums.
    pub fn id(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for sum in self.manifest.files.values() {
            hasher.update(sum.blake3.as_bytes());
        }
        hasher.update(self.manifest.own.to_string().as_bytes());
        format!("{}-{}", self.manifest.name, &hasher.finalize().to_hex()[..12])
    }
}

/// Folders in which models are looked for when none is named, in order.
pub fn usual_places() -> Vec<PathBuf> {
    let mut places = Vec::new();
    if let Some(named) = std::env::var_os("FINDALL_MODELS") {
        places.push(PathBuf::from(named));
        // Who names a folder means that one, not whatever lies elsewhere.
        return places;
    }
    if let Some(folder) = std::env::current_exe().ok().as_deref().and_then(Path::parent) {
        places.push(folder.join("models"));
        places.push(folder.join("../share/findall/models"));
    }
    // The checkout that this was built from: serves `cargo run` and `cargo install --path`.
    places.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models"));
    places
}

/// The first usual place that holds models.
pub fn locate() -> Result<PathBuf, LoadError> {
    let searched = usual_places();
    let found = searched.iter().find(|place| place.join("tokenizer.json").is_file()).cloned();
    found.ok_or(LoadError::NotFound { searched })
}

pub(crate) fn read(path: &Path) -> Result<Vec<u8>, LoadError> {
    std::fs::read(path).map_err(|source| LoadError::Unreadable { path: path.to_owned(), source })
}

/// Model folders share files one level up, and reach no further.
fn is_inside(name: &str) -> bool {
    let name = name.strip_prefix("../").unwrap_or(name);
    !name.is_empty() && Path::new(name).components().all(|c| matches!(c, Component::Normal(_)))
}

fn verify(path: &Path, sum: &FileSum) -> Result<(), LoadError> {
    let unreadable = |source| LoadError::Unreadable { path: path.to_owned(), source };
    let corrupt = |reason| LoadError::Corrupt { path: path.to_owned(), reason };
    let length = std::fs::metadata(path).map_err(unreadable)?.len();
    if length != sum.bytes {
        return Err(corrupt(format!("{length} bytes instead of {}", sum.bytes)));
    }
    let mut hasher = blake3::Hasher::new();
    hasher.update_mmap(path).map_err(unreadable)?;
    if hasher.finalize().to_hex().as_str() != sum.blake3 {
        return Err(corrupt("its BLAKE3 sum differs from model.json".into()));
    }
    Ok(())
}
