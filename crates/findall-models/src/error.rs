//! What can be wrong with a model folder. Every message names the file and what to do.

use std::path::PathBuf;

use findall::encode::ModelError;

/// A model that could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// No folder with models in any of the usual places.
    #[error("no models found (looked in {}); set FINDALL_MODELS or pass --model DIR", list(.searched))]
    NotFound {
        /// Where we looked.
        searched: Vec<PathBuf>,
    },
    /// A file of the model is not there or cannot be read.
    #[error("{}: {source}; restore it from the repository's models/ or rebuild it with training/export.py", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// `model.json` is not what `models/README.md` describes.
    #[error("{}: {reason}; rebuild the folder with training/export.py", .path.display())]
    Manifest {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The folder was written for another version of findall.
    #[error("{}: format {found}, this findall reads {supported}; update findall or rebuild the folder with training/export.py", .path.display())]
    Format {
        /// The `model.json`.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// Ours.
        supported: u32,
    },
    /// Length or checksum differ: a torn download, a Git LFS pointer, a file from another build.
    #[error("{}: {reason}; the file is damaged or from another build: restore it from the repository's models/", .path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What differs.
        reason: String,
    },
    /// The tokenizer is not one that we can run.
    #[error("{}: {reason}; use the tokenizer.json that came with the model", .path.display())]
    Tokenizer {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The network's graph cannot be run, or does not fit its `model.json`.
    #[error("{}: {reason}; rebuild the folder with training/export.py", .path.display())]
    Graph {
        /// The `model.onnx`.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

fn list(paths: &[PathBuf]) -> String {
    paths.iter().map(|p| p.display().to_string()).collect::<Vec<_>>().join(", ")
}

impl From<LoadError> for ModelError {
    fn from(error: LoadError) -> Self {
        ModelError { model: "models".into(), message: error.to_string() }
    }
}
