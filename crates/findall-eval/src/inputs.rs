//! What measurements of single models read: datasets, packed with xz or not, and the models themselves.

use std::io::Read;
use std::path::{Path, PathBuf};

use findall_models::Models;
use serde::de::DeserializeOwned;

use crate::EvalError;

/// Largest dataset that is read, unpacked: far above any real one, below what would fill the memory.
const MAX_DATASET_BYTES: u64 = 2 << 30;

/// Which models are measured.
#[derive(Clone, Debug, clap::Args)]
pub struct ModelArgs {
    /// Folder of the models [default: FINDALL_MODELS, or those that came with the program]
    #[arg(long, value_name = "DIR")]
    model: Option<PathBuf>,
}

impl ModelArgs {
    /// The models.
    pub fn open(&self) -> Result<Models, EvalError> {
        let models = match &self.model {
            Some(folder) => Models::load(folder),
            None => Models::find(),
        };
        models.map_err(wrap_error)
    }
}

/// A model's error as this crate's.
pub fn wrap_error(error: impl std::fmt::Display) -> EvalError {
    EvalError::Program { program: "models".into(), message: error.to_string() }
}

/// The text of a dataset; a name that ends in `.xz` is unpacked.
pub fn text(path: &Path) -> Result<String, EvalError> {
    let unreadable = |error| EvalError::File { path: path.to_owned(), error };
    let file = std::fs::File::open(path).map_err(unreadable)?;
    let mut content = String::new();
    if path.extension().is_some_and(|end| end == "xz") {
        lzma_rust2::XzReader::new(file, true)
            .take(MAX_DATASET_BYTES)
            .read_to_string(&mut content)
            .map_err(unreadable)?;
    } else {
        file.take(MAX_DATASET_BYTES).read_to_string(&mut content).map_err(unreadable)?;
    }
    Ok(content)
}

/// A dataset that is one JSON value.
pub fn json<T: DeserializeOwned>(path: &Path) -> Result<T, EvalError> {
    serde_json::from_str(&text(path)?).map_err(|error| not_the_dataset(path, error))
}

/// A dataset with one JSON value a line.
pub fn json_lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, EvalError> {
    text(path)?
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| serde_json::from_str(line).map_err(|error| not_the_dataset(path, error)))
        .collect()
}

/// Writes a file that others will score.
pub fn write(path: &Path, content: &str) -> Result<(), EvalError> {
    std::fs::write(path, content).map_err(|error| EvalError::File { path: path.to_owned(), error })
}

/// All of them, or a sample of so many, evenly spread.
pub fn sample_evenly<T>(items: Vec<T>, sample: Option<usize>) -> Vec<T> {
    let all = items.len();
    let Some(most) = sample.filter(|&most| most < all) else { return items };
    let chosen = items.into_iter().enumerate().filter(|(n, _)| n * most / all != (n + 1) * most / all);
    chosen.map(|(_, item)| item).collect()
}

fn not_the_dataset(path: &Path, error: serde_json::Error) -> EvalError {
    let message = format!("{error}; check that the file is the dataset this verb reads");
    EvalError::Definition { path: path.to_owned(), message }
}

#[cfg(test)]
mod tests {
    use super::sample_evenly;

    #[test]
    fn a_sample_is_spread_evenly() {
        assert_eq!(sample_evenly((0..9).collect(), Some(3)), [2, 5, 8]);
        assert_eq!(sample_evenly((0..10).collect::<Vec<_>>(), Some(4)).len(), 4);
        assert_eq!(sample_evenly(vec![1, 2], Some(5)), [1, 2]);
        assert_eq!(sample_evenly(vec![1, 2], None), [1, 2]);
        assert!(sample_evenly(vec![1, 2], Some(0)).is_empty());
    }
}
