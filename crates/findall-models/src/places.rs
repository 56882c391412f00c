//! Where things lie, said once for every program of the project: what ships (models, knowledge base) and a person's own folders.
//!
//! What ships is looked for in the person's data folder, in `share/findall` beside the program's `bin`, and in the checkout that
//! the program was built from. Who names a place means that one, not whatever lies elsewhere.

use std::path::{Path, PathBuf};

/// The variable that names the folder of all models.
pub const MODELS_VARIABLE: &str = "FINDALL_MODELS";

/// Something that ships and that find by meaning needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Artifact {
    /// The folder with encoder, tagger, reader and judge.
    Models,
    /// The default knowledge base.
    KnowledgeBase,
}

impl Artifact {
    fn relative(self) -> &'static str {
        match self {
            Self::Models => "models",
            Self::KnowledgeBase => "kb/default.kb",
        }
    }

    /// Every place where it may lie, the likeliest first; a named place is the only one.
    pub fn places(self, named: Option<&Path>) -> Vec<PathBuf> {
        match named {
            Some(path) => vec![path.to_owned()],
            None => roots().into_iter().map(|root| root.join(self.relative())).collect(),
        }
    }

    /// The named place where it exists, whatever lies there: who opens it says what is wrong with it. Without a name, the
    /// first place that holds the artifact.
    pub fn locate(self, named: Option<&Path>) -> Option<PathBuf> {
        let places = self.places(named);
        if named.is_some() { places.into_iter().find(|path| path.exists()) } else { self.find_held(places) }
    }

    /// An empty folder of models hides none that lie elsewhere.
    fn find_held(self, places: Vec<PathBuf>) -> Option<PathBuf> {
        places.into_iter().find(|place| match self {
            Self::Models => holds_models(place),
            Self::KnowledgeBase => place.exists(),
        })
    }
}

/// Folders of a person, after the XDG base directories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UserFolder {
    /// What is kept: store, corrections, tokens; what ships may lie there, too.
    Data,
    /// What can be worked out again.
    Cache,
    /// Settings.
    Config,
}

impl UserFolder {
    /// Where it is, ours inside it; nothing where the person has no home.
    pub fn locate(self) -> Option<PathBuf> {
        let (variable, in_home) = match self {
            Self::Data => ("XDG_DATA_HOME", ".local/share"),
            Self::Cache => ("XDG_CACHE_HOME", ".cache"),
            Self::Config => ("XDG_CONFIG_HOME", ".config"),
        };
        let absolute =
            |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let folder = absolute(variable).or_else(|| absolute("HOME").map(|home| home.join(in_home)))?;
        Some(folder.join("findall"))
    }
}

/// Whether a folder is one of models: they all cut texts with the same tokenizer, which lies beside them.
pub(crate) fn holds_models(folder: &Path) -> bool {
    folder.join("tokenizer.json").is_file()
}

fn roots() -> Vec<PathBuf> {
    let beside =
        std::env::current_exe().ok().and_then(|program| Some(program.parent()?.parent()?.join("share")));
    let shared = UserFolder::Data.locate().into_iter().chain(beside.map(|folder| folder.join("findall")));
    // The checkout that this was built from: serves `cargo run` and `cargo install --path`.
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).map(Path::to_owned);
    shared.chain(checkout).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_models_hides_none_that_lie_elsewhere() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let (without, shipped) = (here.join("src"), here.join("../../models"));
        let places = vec![here.join("nothing"), without.clone(), shipped.clone()];
        assert_eq!(Artifact::Models.find_held(places), Some(shipped));
        assert_eq!(Artifact::Models.find_held(vec![without.clone()]), None);
        // Who names a folder is told what is wrong with it.
        assert_eq!(Artifact::Models.locate(Some(&without)), Some(without));
        assert_eq!(Artifact::Models.locate(Some(&here.join("nothing"))), None);
    }
}
