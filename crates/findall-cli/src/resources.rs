//! Which files are meant: the knowledge bases that a person named or that ship, and what to say where they are missing.
//! `findall_models::places` says where to look.

use std::path::{Path, PathBuf};

use findall_models::places::Artifact;

use crate::failure::Failure;

/// The name under which the shipped knowledge base can be layered with others.
const DEFAULT_BASE: &str = "default";

/// True for the name that stands for the shipped knowledge base.
pub fn is_default(path: &Path) -> bool {
    path.as_os_str() == DEFAULT_BASE
}

/// The files of the knowledge base, upper layer first: those named, or the shipped one, or none when that is not there.
/// A named file that is not there is given back as the error.
pub fn knowledge_files(named: &[PathBuf]) -> Result<Vec<PathBuf>, PathBuf> {
    let shipped = || Artifact::KnowledgeBase.locate(None);
    if named.is_empty() {
        return Ok(shipped().into_iter().collect());
    }
    let place = |path: &PathBuf| match is_default(path) && !path.exists() {
        true => shipped(),
        false => Artifact::KnowledgeBase.locate(Some(path)),
    };
    named.iter().map(|path| place(path).ok_or_else(|| path.clone())).collect()
}

/// What a verb says that cannot do without models and knowledge.
pub fn not_installed_failure() -> Failure {
    Failure::Usage(
        "no models or no knowledge base here; findall doctor says where they are looked for".into(),
    )
}

/// The same of a verb that needs models alone.
pub fn no_models_failure() -> Failure {
    Failure::Usage("no models here; findall doctor says where they are looked for".into())
}

/// The same of a verb that needs a knowledge base alone.
pub fn no_knowledge_failure() -> Failure {
    Failure::Usage("no knowledge base here; findall doctor says where it is looked for".into())
}

/// What is said of a place that was named and is not there.
pub fn missing_place_failure(origin: &str, place: &Path) -> Failure {
    let place = place.display();
    Failure::Setting {
        origin: origin.to_owned(),
        message: format!("{place} is not there; correct the path, or leave it out for the shipped one"),
    }
}
