//! Where the shipped artifacts lie: the models' folder and the knowledge base.
//!
//! Tried in order: what the person named, `$XDG_DATA_HOME/findall`, `share/findall` beside the program's `bin`,
//! and the checkout that the program was built from.

use std::path::{Path, PathBuf};

/// An artifact that find by meaning needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Artifact {
    /// The folder with encoder, tagger and reader.
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

    /// The first place that exists.
    pub fn locate(self, named: Option<&Path>) -> Option<PathBuf> {
        self.places(named).into_iter().find(|path| path.exists())
    }
}

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

/// What to say where a verb cannot do without them.
pub const NOT_INSTALLED: &str =
    "no models or no knowledge base here; findall doctor says where they are looked for";

/// The user's own folder for what findall keeps.
pub fn data_folder() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = absolute("XDG_DATA_HOME").or_else(|| absolute("HOME").map(|home| home.join(".local/share")));
    data.map(|folder| folder.join("findall"))
}

fn roots() -> Vec<PathBuf> {
    let beside =
        std::env::current_exe().ok().and_then(|program| Some(program.parent()?.parent()?.join("share")));
    let shared = data_folder().into_iter().chain(beside.map(|folder| folder.join("findall")));
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).map(Path::to_owned);
    shared.chain(checkout).collect()
}
