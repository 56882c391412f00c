//! Where settings come from: flags, then `FINDALL_*` variables, then the project's `.findall.toml`, then the
//! user's `findall/config.toml`. Each enters as a [`Layer`]; [`SettingSources::resolve`] lays them over each other.

use std::ffi::OsString;
use std::fmt::{self, Display, Formatter};
use std::io::Read;
use std::path::{Path, PathBuf};

use findall_models::places::{MODELS_VARIABLE, UserFolder};

use super::layer::Layer;
use crate::failure::{Failure, complain};
use crate::resources;

/// The project's file, looked for from the current folder up to the root of its repository.
pub const PROJECT_FILE: &str = ".findall.toml";
const VARIABLE_PREFIX: &str = "FINDALL_";
/// What the variable of the models was called before.
const OLD_MODELS_VARIABLE: &str = "FINDALL_MODEL";
/// A settings file is a page of text; anything longer is something else.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// Who sets something.
#[derive(Debug, PartialEq)]
pub enum SettingOrigin {
    /// Flags of this run.
    Flags,
    /// `FINDALL_*` variables.
    Variables,
    /// A file of the project or of the user.
    File(PathBuf),
}

impl Display for SettingOrigin {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flags => out.write_str("flags"),
            Self::Variables => write!(out, "{VARIABLE_PREFIX}* variables"),
            Self::File(path) => path.display().fmt(out),
        }
    }
}

/// One origin of settings and what it says.
#[derive(Debug)]
pub struct SettingSource {
    /// Who sets it.
    pub origin: SettingOrigin,
    /// What it sets.
    pub layer: Layer,
}

/// All origins, the strongest first.
#[derive(Debug)]
pub struct SettingSources {
    /// Present origins only.
    pub found: Vec<SettingSource>,
    /// Where the user's file would be, whether it is there or not.
    pub user_file: Option<PathBuf>,
}

impl SettingSources {
    /// Reads variables and files; `flags` is the strongest layer.
    pub fn read(flags: Layer) -> Result<Self, Failure> {
        let mut found = vec![SettingSource { origin: SettingOrigin::Flags, layer: flags }];
        let variables = from_variables(std::env::vars_os())?;
        if std::env::var_os(OLD_MODELS_VARIABLE).is_some_and(|value| !value.is_empty()) {
            complain(&format!("{OLD_MODELS_VARIABLE} is now called {MODELS_VARIABLE}; please rename it"));
        }
        if variables != Layer::default() {
            found.push(SettingSource { origin: SettingOrigin::Variables, layer: variables });
        }
        if let Some(path) = std::env::current_dir().ok().and_then(|folder| project_file(&folder)) {
            found.push(from_file(&path)?);
        }
        let user_file = user_file();
        if let Some(path) = user_file.as_deref().filter(|path| path.is_file()) {
            found.push(from_file(path)?);
        }
        Ok(Self { found, user_file })
    }

    /// The layers laid over each other.
    pub fn resolve(&self) -> Layer {
        self.found.iter().fold(Layer::default(), |upper, source| upper.or(source.layer.clone()))
    }

    /// What a person would have to change for a key to have another value: a flag, a variable, or a key of a file. It is
    /// the flag where nobody sets the key.
    pub fn name_origin(&self, key: &str) -> String {
        let source = self.found.iter().find(|source| source.layer.keys_set().contains(&key));
        match source.map(|source| &source.origin) {
            None | Some(SettingOrigin::Flags) => format!("--{key}"),
            Some(SettingOrigin::Variables) => name_variable(key),
            Some(SettingOrigin::File(path)) => format!("{}: {key}", path.display()),
        }
    }
}

fn from_file(path: &Path) -> Result<SettingSource, Failure> {
    let name = path.display().to_string();
    let wrong = |message: String| Failure::Setting { origin: name.clone(), message };
    let mut text = String::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(MAX_FILE_BYTES).read_to_string(&mut text))
        .map_err(|error| wrong(format!("cannot read it: {error}")))?;
    let mut layer: Layer = toml::from_str(&text).map_err(|error| wrong(toml_message(&error)))?;
    // A path in a file is meant from where the file lies, wherever the command runs.
    let folder = path.parent().unwrap_or(Path::new(""));
    let bases =
        layer.kb.iter_mut().flat_map(|paths| &mut paths.0).filter(|path| !resources::is_default(path));
    for entry in layer.model.iter_mut().chain(bases) {
        *entry = folder.join(&*entry);
    }
    if let Some(place) = layer.store.as_mut().filter(|place| !findall_store::is_server(place)) {
        *place = folder.join(&*place).to_string_lossy().into_owned();
    }
    Ok(SettingSource { origin: SettingOrigin::File(path.to_owned()), layer })
}

/// Each variable is one key of the same table that a file holds, so that both take the same values.
fn from_variables(variables: impl Iterator<Item = (OsString, OsString)>) -> Result<Layer, Failure> {
    let mut layer = Layer::default();
    let mut variables: Vec<(OsString, OsString)> = variables.collect();
    // Of two, the first one counts: the new name before the old.
    variables.sort_by_key(|(name, _)| name == OLD_MODELS_VARIABLE);
    for (name, value) in variables {
        let (Some(name), Some(value)) = (name.to_str(), value.to_str()) else { continue };
        let Some(key) = key_of(name).filter(|_| !value.is_empty()) else { continue };
        let one_key = |value: toml::Value| toml::Table::from_iter([(key.clone(), value)]).try_into::<Layer>();
        // Numbers and switches are written bare, words too: what is no number is a word.
        let bare = value.parse::<toml::Value>().ok().and_then(|value| one_key(value).ok());
        let one = match bare {
            Some(layer) => layer,
            None => one_key(value.into()).map_err(|error| Failure::Setting {
                origin: name.to_owned(),
                message: toml_message(&error),
            })?,
        };
        layer = layer.or(one);
    }
    Ok(layer)
}

/// The key that a variable sets, as files spell it.
fn key_of(variable: &str) -> Option<String> {
    let key = match variable {
        MODELS_VARIABLE => "model".to_owned(),
        variable => variable.strip_prefix(VARIABLE_PREFIX)?.to_ascii_lowercase(),
    };
    Layer::KEYS.contains(&key.as_str()).then(|| key.replace('_', "-"))
}

/// The variable that sets a key in this run.
fn name_variable(key: &str) -> String {
    let usual = format!("{VARIABLE_PREFIX}{}", key.to_ascii_uppercase());
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if key == "model" && is_set(MODELS_VARIABLE) { MODELS_VARIABLE.to_owned() } else { usual }
}

fn toml_message(error: &toml::de::Error) -> String {
    error.message().lines().collect::<Vec<_>>().join(" ")
}

fn project_file(start: &Path) -> Option<PathBuf> {
    for folder in start.ancestors() {
        let file = folder.join(PROJECT_FILE);
        if file.is_file() {
            return Some(file);
        }
        // Beyond the repository's root a stranger's file could be meant for something else.
        if folder.join(".git").exists() {
            return None;
        }
    }
    None
}

fn user_file() -> Option<PathBuf> {
    Some(UserFolder::Config.locate()?.join("config.toml"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::layer::{Case, Paths, Sort};

    fn variables(pairs: &[(&str, &str)]) -> Result<Layer, Failure> {
        from_variables(pairs.iter().map(|(name, value)| ((*name).into(), (*value).into())))
    }

    #[test]
    fn variables_take_the_values_that_files_take() {
        let layer = variables(&[
            ("FINDALL_CASE", "sensitive"),
            ("FINDALL_TOP", "3"),
            ("FINDALL_THRESHOLD", "0.25"),
            ("FINDALL_KB", "a b.kb"),
            ("FINDALL_UNRELATED", "x"),
            ("PATH", "/bin"),
        ])
        .unwrap();
        assert_eq!(layer.case, Some(Case::Sensitive));
        assert_eq!(layer.top, Some(3));
        assert_eq!(layer.threshold, Some(0.25));
        assert_eq!(layer.kb, Paths::from_flag(vec!["a b.kb".into()]));
        assert_eq!(layer.keys_set(), ["case", "threshold", "top", "kb"]);
    }

    #[test]
    fn the_models_have_one_variable_and_its_old_name_yields() {
        let folder = |pairs: &[(&str, &str)]| variables(pairs).unwrap().model;
        assert_eq!(folder(&[("FINDALL_MODELS", "new")]), Some("new".into()));
        assert_eq!(folder(&[("FINDALL_MODEL", "old")]), Some("old".into()));
        let both = [("FINDALL_MODEL", "old"), ("FINDALL_MODELS", "new")];
        assert_eq!(folder(&both), Some("new".into()));
        assert_eq!(folder(&[both[1], both[0]]), Some("new".into()));
    }

    #[test]
    fn a_wrong_value_names_its_variable_on_one_line() {
        let error = variables(&[("FINDALL_TOP", "many")]).unwrap_err().to_string();
        assert!(error.starts_with("FINDALL_TOP: "), "{error}");
        assert_eq!(error.lines().count(), 1);
    }

    #[test]
    fn a_value_cannot_smuggle_in_a_second_key() {
        assert!(variables(&[("FINDALL_TOP", "3\nsort = 'score'")]).is_err());
    }

    #[test]
    fn stronger_layers_win_key_by_key() {
        let upper = Layer { top: Some(1), ..Layer::default() };
        let lower = Layer { top: Some(2), sort: Some(Sort::Score), ..Layer::default() };
        let both = upper.or(lower);
        assert_eq!((both.top, both.sort), (Some(1), Some(Sort::Score)));
    }

    #[test]
    fn the_origin_of_a_key_is_whoever_sets_it_first() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(PROJECT_FILE);
        std::fs::write(&file, "model = 'own'\nkb = 'own.kb'").unwrap();
        let flags = Layer { kb: Paths::from_flag(vec!["typed.kb".into()]), ..Layer::default() };
        let flags = SettingSource { origin: SettingOrigin::Flags, layer: flags };
        let sources = SettingSources { found: vec![flags, from_file(&file).unwrap()], user_file: None };
        assert_eq!(sources.name_origin("kb"), "--kb");
        assert_eq!(sources.name_origin("model"), format!("{}: model", file.display()));
        assert_eq!(sources.name_origin("store"), "--store");
    }

    #[test]
    fn the_project_file_is_sought_up_to_the_repository_and_no_further() {
        let outer = tempfile::tempdir().unwrap();
        let inner = outer.path().join("repository/folder");
        std::fs::create_dir_all(&inner).unwrap();
        std::fs::create_dir(outer.path().join("repository/.git")).unwrap();
        std::fs::write(outer.path().join(PROJECT_FILE), "").unwrap();
        assert_eq!(project_file(&inner), None);
        let file = outer.path().join("repository").join(PROJECT_FILE);
        std::fs::write(&file, "kb = 'own.kb'").unwrap();
        assert_eq!(project_file(&inner), Some(file.clone()));
        let own = outer.path().join("repository/own.kb");
        assert_eq!(from_file(&file).unwrap().layer.kb, Paths::from_flag(vec![own.clone()]));
        std::fs::write(&file, "kb = ['own.kb', 'default']").unwrap();
        assert_eq!(from_file(&file).unwrap().layer.kb, Paths::from_flag(vec![own, "default".into()]));
        std::fs::write(&file, "kb = 3").unwrap();
        assert!(from_file(&file).unwrap_err().to_string().contains("a path, or a list of paths"));
    }
}
