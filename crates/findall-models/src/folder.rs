//! A model folder, on disk or held in memory: its `model.json`, and the check of every file it names.
//!
//! The contract is written down in `models/README.md`.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;

use serde::Deserialize;

use crate::error::LoadError;

/// The only format that we read.
pub const FORMAT: u32 = 1;

/// The graph; what it names beside it are weights.
const GRAPH: &str = "model.onnx";
/// What all models cut texts with.
const TOKENIZER: &str = "../tokenizer.json";

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

/// Files that came another way than from a disk, by their path in the folder of all models (`encoder/model.onnx`).
pub type Files = BTreeMap<String, Vec<u8>>;

/// A model's folder.
#[derive(Debug)]
pub struct Folder {
    /// Where it is.
    pub path: PathBuf,
    /// Its `model.json`.
    pub manifest: Manifest,
    /// Whether its files came another way than from a disk.
    in_memory: bool,
    /// Graph and weights by their names, when they are in memory; given away once.
    held: Mutex<Files>,
}

impl Folder {
    /// Reads `model.json` and checks every file that it names.
    pub fn open(path: &Path, kind: &str) -> Result<Self, LoadError> {
        let folder = Self::without_weights(path, kind)?;
        folder.check_weights()?;
        Ok(folder)
    }

    /// The same, but the weights' sums wait for [`check_weights`](Self::check_weights).
    pub fn without_weights(path: &Path, kind: &str) -> Result<Self, LoadError> {
        let folder = Self::open_unchecked(path, kind)?;
        folder.check(|name| !is_weights(name))?;
        Ok(folder)
    }

    /// Checks the weights, the larger part of a model. What was in memory has been checked.
    pub fn check_weights(&self) -> Result<(), LoadError> {
        if self.in_memory { Ok(()) } else { self.check(is_weights) }
    }

    fn check(&self, wanted: impl Fn(&str) -> bool) -> Result<(), LoadError> {
        let mut files = self.manifest.files.iter().filter(|(name, _)| wanted(name));
        files.try_for_each(|(name, sum)| verify(&self.path.join(name), sum))
    }

    /// Reads `model.json` alone: enough to say which weights these are, not to use them.
    pub fn open_unchecked(path: &Path, kind: &str) -> Result<Self, LoadError> {
        let file = path.join("model.json");
        let manifest = Manifest::read(&read(&file)?, &file, kind)?;
        Ok(Self { path: path.to_owned(), manifest, in_memory: false, held: Mutex::default() })
    }

    /// The same for files in memory. Takes what belongs to this model alone out of `files`.
    pub fn from_memory(files: &mut Files, kind: &str) -> Result<Self, LoadError> {
        let path = PathBuf::from(kind);
        let file = path.join("model.json");
        let missing = |name: &str| LoadError::NotFound { searched: vec![path.join(name)] };
        let json = files.remove(&format!("{kind}/model.json")).ok_or_else(|| missing("model.json"))?;
        let manifest = Manifest::read(&json, &file, kind)?;
        let mut held = Files::new();
        for (name, sum) in &manifest.files {
            let shared = name.strip_prefix("../");
            let key = shared.map_or_else(|| format!("{kind}/{name}"), str::to_owned);
            let bytes = files.get(&key).ok_or_else(|| missing(name))?;
            compare(&path.join(name), sum, bytes.len() as u64, || Ok(blake3::hash(bytes)))?;
            if shared.is_none() {
                held.extend(files.remove(&key).map(|bytes| (name.clone(), bytes)));
            }
        }
        Ok(Self { path, manifest, in_memory: true, held: Mutex::new(held) })
    }

    /// The files in memory, which the caller now owns; empty when they are on disk.
    pub(crate) fn take_held(&self) -> Files {
        std::mem::take(&mut self.held.lock().unwrap_or_else(|e| e.into_inner()))
    }

    /// The names of the files of weights.
    pub(crate) fn weight_names(&self) -> Vec<&str> {
        self.manifest.files.keys().map(String::as_str).filter(|name| is_weights(name)).collect()
    }

    /// What only this kind of model has.
    pub fn own_settings<T: serde::de::DeserializeOwned>(&self) -> Result<T, LoadError> {
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

impl Manifest {
    /// Reads a `model.json`; `file` is what errors call it.
    fn read(json: &[u8], file: &Path, kind: &str) -> Result<Self, LoadError> {
        let refuse = |reason: String| LoadError::Manifest { path: file.to_owned(), reason };
        let manifest: Manifest = serde_json::from_slice(json).map_err(|e| refuse(e.to_string()))?;
        if manifest.format != FORMAT {
            return Err(LoadError::Format {
                path: file.to_owned(),
                found: manifest.format,
                supported: FORMAT,
            });
        }
        if manifest.kind != kind {
            return Err(refuse(format!("is a {}, not a {kind}", manifest.kind)));
        }
        if !(8..=4096).contains(&manifest.max_tokens) {
            return Err(refuse(format!("max_tokens {} is not between 8 and 4096", manifest.max_tokens)));
        }
        for needed in [GRAPH, TOKENIZER] {
            if !manifest.files.contains_key(needed) {
                return Err(refuse(format!("does not list {needed}")));
            }
        }
        if let Some(name) = manifest.files.keys().find(|name| !is_inside(name)) {
            return Err(refuse(format!("lists {name}, which lies outside the models folder")));
        }
        Ok(manifest)
    }
}

pub(crate) fn read(path: &Path) -> Result<Vec<u8>, LoadError> {
    std::fs::read(path).map_err(|source| LoadError::Unreadable { path: path.to_owned(), source })
}

/// Model folders share files one level up, and reach no further.
fn is_inside(name: &str) -> bool {
    let name = name.strip_prefix("../").unwrap_or(name);
    !name.is_empty() && Path::new(name).components().all(|c| matches!(c, Component::Normal(_)))
}

fn is_weights(name: &str) -> bool {
    name != GRAPH && name != TOKENIZER
}

fn verify(path: &Path, sum: &FileSum) -> Result<(), LoadError> {
    let unreadable = |source| LoadError::Unreadable { path: path.to_owned(), source };
    let length = std::fs::metadata(path).map_err(unreadable)?.len();
    compare(path, sum, length, || {
        let mut hasher = blake3::Hasher::new();
        Ok(hasher.update_mmap(path).map_err(unreadable)?.finalize())
    })
}

/// Length first: it is cheap, and tells more about what happened to a file.
fn compare(
    path: &Path,
    sum: &FileSum,
    length: u64,
    hash: impl FnOnce() -> Result<blake3::Hash, LoadError>,
) -> Result<(), LoadError> {
    let corrupt = |reason| LoadError::Corrupt { path: path.to_owned(), reason };
    if length != sum.bytes {
        return Err(corrupt(format!("{length} bytes instead of {}", sum.bytes)));
    }
    if hash()?.to_hex().as_str() != sum.blake3 {
        return Err(corrupt("its BLAKE3 sum differs from model.json".into()));
    }
    Ok(())
}
