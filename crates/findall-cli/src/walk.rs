//! From the paths that were named to the inputs to search: files as they are, folders walked the way ripgrep
//! walks them (`.gitignore` respected, hidden files skipped, in path order), and standard input.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::Args;
use findall::document::{Format, Limits, ReadOptions};
use ignore::overrides::OverrideBuilder;
use ignore::types::{Types, TypesBuilder};
use ignore::{Walk, WalkBuilder};

use crate::config::Config;
use crate::failure::Failure;

/// The name of standard input on the command line, as everywhere.
const STDIN: &str = "-";

/// Something to search, or the reason why it cannot be.
#[derive(Debug)]
pub enum Input {
    /// Standard input.
    Stdin,
    /// A file that the person named: failing to read it is an error.
    Named(PathBuf),
    /// A file met in a folder: failing to read it is worth a warning.
    Met(PathBuf),
    /// An entry of a folder that could not be followed: a loop, a folder that may not be read.
    Broken(String),
    /// A path that the person named and that is not there.
    Missing(String),
}

/// What to search and what to leave out.
#[derive(Clone, Debug)]
pub struct WalkConfig {
    /// What was named; empty means standard input or the current folder.
    pub paths: Vec<PathBuf>,
    /// Globs to include, or with a leading `!` to leave out.
    pub globs: Vec<String>,
    /// File types to include.
    pub types: Vec<String>,
    /// Search hidden files too.
    pub hidden: bool,
    /// Search ignored files too.
    pub ignored: bool,
    /// Follow symbolic links.
    pub follow: bool,
}

/// Which files of a folder a verb takes, as it may be typed.
#[derive(Debug, Args)]
pub struct WalkArgs {
    /// Only files that match the glob; !GLOB leaves them out
    #[arg(short = 'g', long = "glob", value_name = "GLOB", help_heading = "Which files")]
    pub globs: Vec<String>,

    /// Only files of this type (see findall --type-list)
    #[arg(short = 't', long = "type", value_name = "TYPE", help_heading = "Which files")]
    pub types: Vec<String>,

    /// Hidden files and folders too
    #[arg(long, help_heading = "Which files")]
    pub hidden: bool,

    /// What .gitignore and .ignore leave out too
    #[arg(long, help_heading = "Which files")]
    pub no_ignore: bool,

    /// Follow symbolic links
    #[arg(short = 'L', long, help_heading = "Which files")]
    pub follow: bool,
}

impl WalkArgs {
    /// What to walk, given what was named.
    pub fn walk(&self, paths: Vec<PathBuf>, config: &Config) -> WalkConfig {
        WalkConfig {
            paths,
            globs: self.globs.clone(),
            types: self.types.clone(),
            hidden: config.hidden,
            ignored: self.no_ignore,
            follow: self.follow,
        }
    }
}

/// Which files a verb reads and how, as it may be typed.
#[derive(Debug, Args)]
pub struct FileArgs {
    #[command(flatten)]
    pub walk: WalkArgs,

    /// Read every file as this format: text, markdown, html, pdf, docx, xlsx, mail … (a wrong name lists all)
    #[arg(long, value_name = "FORMAT", value_parser = parse_format, help_heading = "Which files")]
    pub format: Option<Format>,

    /// Read the descriptions of pictures and what stands in inputs, too, in HTML, EPUB and mail
    #[arg(long, help_heading = "Which files")]
    pub alt_text: bool,

    /// Refuse files of more than this many MB [default: 512]
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u16).range(1..=4000), help_heading = "Which files")]
    pub max_filesize: Option<u16>,
}

impl FileArgs {
    /// How files are read.
    pub fn read_options(&self) -> ReadOptions {
        ReadOptions { limits: self.limits(), alt_texts: self.alt_text }
    }

    /// How large a file may be.
    fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        if let Some(megabytes) = self.max_filesize {
            limits.source_bytes = usize::from(megabytes) * 1_000_000;
            limits.text_bytes = limits.source_bytes;
        }
        limits
    }
}

fn parse_format(name: &str) -> Result<Format, String> {
    Format::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
        format!("one of {}", names.join(", "))
    })
}

impl WalkConfig {
    /// Checks globs and types, and gives the inputs in path order.
    pub fn inputs(&self) -> Result<Inputs, Failure> {
        let mut paths = self.paths.clone();
        if paths.is_empty() {
            paths.push(if stdin_has_text() { STDIN.into() } else { "./".into() });
        }
        let mut overrides = OverrideBuilder::new(".");
        for glob in &self.globs {
            overrides.add(glob).map_err(|error| flag_failure("--glob", &error))?;
        }
        let overrides = overrides.build().map_err(|error| flag_failure("--glob", &error))?;
        let types = self.select_types()?;
        let settings = WalkSettings { config: self.clone(), overrides, types };
        Ok(Inputs { settings, paths: paths.into_iter(), walk: None })
    }

    fn select_types(&self) -> Result<Types, Failure> {
        let mut types = known_types();
        for name in &self.types {
            types.select(name);
        }
        types.build().map_err(|error| Failure::Setting {
            origin: "--type".into(),
            message: format!("{error}; findall --type-list names them"),
        })
    }
}

/// True when the only input is one stream or file, so that matches need no file name before them.
pub fn is_single_file(paths: &[PathBuf]) -> bool {
    match paths {
        [] => stdin_has_text(),
        [path] => path.as_os_str() == STDIN || !path.is_dir(),
        _ => false,
    }
}

/// Every file type that `--type` knows, with its globs, one a line.
pub fn type_list() -> String {
    let definitions = known_types().definitions();
    let lines = definitions.iter().map(|type_| format!("{}: {}\n", type_.name(), type_.globs().join(", ")));
    lines.collect()
}

fn known_types() -> TypesBuilder {
    let mut types = TypesBuilder::new();
    types.add_defaults();
    // Formats that findall reads and ripgrep, which reads lines, has no name for.
    for format in Format::ALL.into_iter().filter(|&format| format != Format::Text) {
        for extension in format.extensions() {
            // Names and globs are fixed and well-formed.
            let _ = types.add(format.name(), &format!("*.{extension}"));
        }
    }
    types
}

fn flag_failure(flag: &str, error: &ignore::Error) -> Failure {
    Failure::Setting { origin: flag.into(), message: error.to_string() }
}

/// A pipe or a redirected file is meant to be read; a terminal or /dev/null is just what happened to be there.
#[cfg(unix)]
fn stdin_has_text() -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::FileTypeExt;
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        return false;
    }
    let Ok(handle) = stdin.as_fd().try_clone_to_owned() else { return false };
    std::fs::File::from(handle).metadata().is_ok_and(|metadata| {
        let kind = metadata.file_type();
        kind.is_file() || kind.is_fifo() || kind.is_socket()
    })
}

#[cfg(not(unix))]
fn stdin_has_text() -> bool {
    !std::io::stdin().is_terminal()
}

struct WalkSettings {
    config: WalkConfig,
    overrides: ignore::overrides::Override,
    types: Types,
}

impl WalkSettings {
    fn walk(&self, folder: &Path) -> Walk {
        WalkBuilder::new(folder)
            .hidden(!self.config.hidden)
            .ignore(!self.config.ignored)
            .git_ignore(!self.config.ignored)
            .git_global(!self.config.ignored)
            .git_exclude(!self.config.ignored)
            .parents(!self.config.ignored)
            .follow_links(self.config.follow)
            .overrides(self.overrides.clone())
            .types(self.types.clone())
            .sort_by_file_path(Path::cmp)
            .build()
    }
}

/// The inputs, one at a time: a folder is read only as far as the search has come.
pub struct Inputs {
    settings: WalkSettings,
    paths: std::vec::IntoIter<PathBuf>,
    walk: Option<Walk>,
}

impl Iterator for Inputs {
    type Item = Input;

    fn next(&mut self) -> Option<Input> {
        loop {
            if let Some(walk) = &mut self.walk {
                match walk.next() {
                    Some(Ok(entry)) if entry.file_type().is_some_and(|kind| kind.is_file()) => {
                        let path = entry.into_path();
                        // `findall word` reports `notes.txt`, not `./notes.txt`.
                        let path = path.strip_prefix("./").map(Path::to_owned).unwrap_or(path);
                        return Some(Input::Met(path));
                    }
                    Some(Ok(_)) => continue,
                    Some(Err(error)) => return Some(Input::Broken(one_line(&error))),
                    None => self.walk = None,
                }
            }
            let path = self.paths.next()?;
            if path.as_os_str() == STDIN {
                return Some(Input::Stdin);
            }
            match path.metadata() {
                Ok(metadata) if metadata.is_dir() => self.walk = Some(self.settings.walk(&path)),
                Ok(_) => return Some(Input::Named(path)),
                Err(error) => {
                    let advice = match error.kind() {
                        std::io::ErrorKind::NotFound if path.is_symlink() => {
                            "a link to nothing; mend or remove it"
                        }
                        std::io::ErrorKind::NotFound => "no such file or folder; check the name",
                        _ => "cannot be reached; check its permissions",
                    };
                    return Some(Input::Missing(format!("{}: {advice}", path.display())));
                }
            }
        }
    }
}

/// What the walker says, with what to do about it.
fn one_line(error: &ignore::Error) -> String {
    match error {
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => one_line(err),
        ignore::Error::Loop { ancestor, child } => format!(
            "{}: a link back to {}; skipped, remove the link or leave out --follow",
            child.display(),
            ancestor.display()
        ),
        ignore::Error::WithPath { path, err } => match err.io_error().map(std::io::Error::kind) {
            Some(std::io::ErrorKind::PermissionDenied) => {
                format!("{}: may not be read; skipped, check its permissions", path.display())
            }
            Some(std::io::ErrorKind::NotFound) => {
                format!("{}: a link to nothing; skipped, mend or remove it", path.display())
            }
            _ => format!("{}: {err}; skipped", path.display()),
        },
        other => format!("{other}; skipped"),
    }
}
