//! The library of documents behind index, like and ask: where it lies, and how it is brought up to date with the files
//! that were named.

use std::collections::{BTreeMap, HashSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use findall::document::{Document, ReadOptions};
use findall::{Cache, Engine};
use findall_library::{AnalyseError, CommitProgress, Library, LibraryError, Stamp, Writer};
use findall_service::library_files::FileRankingError;

use crate::failure::{Failure, complain};
use crate::meaning;
use crate::progress::Progress;
use crate::search::{gap_note, open};
use crate::walk::{Input, WalkConfig};

impl From<LibraryError> for Failure {
    fn from(error: LibraryError) -> Self {
        Self::Verb(error.to_string())
    }
}

impl From<AnalyseError> for Failure {
    fn from(error: AnalyseError) -> Self {
        Self::Verb(error.to_string())
    }
}

impl From<FileRankingError> for Failure {
    fn from(error: FileRankingError) -> Self {
        match error {
            FileRankingError::Library(error) => error.into(),
            FileRankingError::Encoder(error) => Self::Verb(error.to_string()),
        }
    }
}

/// Where the library lies.
#[derive(Debug, Args)]
pub struct LibraryArgs {
    /// Library that files are indexed in [default: one in the user's cache]
    #[arg(long, value_name = "DIR")]
    library: Option<PathBuf>,
}

impl LibraryArgs {
    /// The folder that was named, or the one in the user's cache.
    pub fn folder(&self) -> Result<PathBuf, Failure> {
        if let Some(folder) = &self.library {
            return Ok(folder.clone());
        }
        let cache = meaning::cache_folder().ok_or_else(|| {
            Failure::Usage("no home folder to keep a library in; name one with --library".into())
        })?;
        Cache::new(&cache).secure().map_err(|error| {
            Failure::Verb(format!("{}: {error}; name another place with --library", cache.display()))
        })?;
        Ok(cache.join("library"))
    }
}

/// A path from the root, as the library knows files.
pub fn to_absolute(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    path.components().filter(|part| *part != std::path::Component::CurDir).collect()
}

/// What a path is called in the library: itself, with bytes that are no UTF-8 as numbers.
fn key_of(path: &Path) -> String {
    let mut key = String::new();
    for part in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        key.push_str(part.valid());
        key.extend(part.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    key
}

/// What is to be in the library: files by their absolute path, each as the person named it.
#[derive(Debug, Default)]
pub struct WantedFiles {
    files: BTreeMap<String, (PathBuf, Stamp)>,
    roots: Vec<PathBuf>,
    named: HashSet<String>,
    /// True when something that was named is not there.
    pub missing: bool,
}

impl WantedFiles {
    /// Walks what was named, the library itself left out.
    pub fn walk(walk: &WalkConfig, library: &Path, progress: &Progress) -> Result<Self, Failure> {
        let mut wanted = Self::default();
        let library = to_absolute(library);
        wanted.roots = walk.paths.iter().map(|path| to_absolute(path)).collect();
        for input in walk.inputs()? {
            let (path, named) = match input {
                Input::Named(path) => (path, true),
                Input::Met(path) => (path, false),
                Input::Stdin => {
                    return Err(Failure::Usage("standard input cannot be indexed; name a file".into()));
                }
                Input::Broken(complaint) => {
                    progress.run_aside(|| complain(&complaint));
                    continue;
                }
                Input::Missing(complaint) => {
                    progress.run_aside(|| complain(&complaint));
                    wanted.missing = true;
                    continue;
                }
            };
            match Stamp::of(&path) {
                Ok(stamp) => {
                    let key = to_absolute(&path);
                    if key.starts_with(&library) {
                        continue;
                    }
                    let key = key_of(&key);
                    if named {
                        wanted.named.insert(key.clone());
                    }
                    wanted.files.insert(key, (path, stamp));
                }
                Err(error) => {
                    wanted.missing |= named;
                    progress.run_aside(|| complain(&format!("{}: {error}", path.display())));
                }
            }
        }
        Ok(wanted)
    }

    /// How the person named a file.
    pub fn display_path(&self, path: &str) -> String {
        self.files.get(path).map_or_else(|| path.to_owned(), |(shown, _)| shown.display().to_string())
    }

    fn covers(&self, path: &str) -> bool {
        self.roots.iter().any(|root| Path::new(path).starts_with(root))
    }
}

/// What bringing up to date did.
#[derive(Clone, Copy, Debug, Default)]
pub struct IndexingReport {
    /// Files read, and their text.
    pub words: CommitProgress,
    /// Files that were gone.
    pub removed: usize,
    /// Files left as they were.
    pub unchanged: usize,
    /// How long the words took.
    pub words_time: Duration,
    /// Documents analysed.
    pub meaning: CommitProgress,
    /// Tokens that the encoder read for it, and how long it all took.
    pub tokens: u64,
    /// How long the analysis took.
    pub meaning_time: Duration,
    /// True when a file that was named could not be read.
    pub failed_by_name: bool,
}

/// Reads what is new or changed and takes out what is gone; `report` hears of every commit.
pub fn read_words(
    writer: &mut Writer<'_>,
    wanted: &WantedFiles,
    progress: &Progress,
    report: &mut dyn FnMut(CommitProgress) -> ControlFlow<()>,
) -> Result<IndexingReport, Failure> {
    let started = Instant::now();
    let changed: Vec<(String, Stamp)> = wanted
        .files
        .iter()
        .filter(|(path, (_, stamp))| writer.find_file(path).is_none_or(|known| known.stamp != *stamp))
        .map(|(path, (_, stamp))| (path.clone(), *stamp))
        .collect();
    let gone: Vec<String> = (writer.paths())
        .filter(|path| wanted.covers(path) && !wanted.files.contains_key(*path))
        .map(str::to_owned)
        .collect();
    let removed = gone.iter().filter(|path| writer.remove(path)).count();
    let options = ReadOptions::default();
    // Any of the threads that read files may set it.
    let failed_by_name = AtomicBool::new(wanted.missing);
    let open_one = |key: &Path| -> Result<Option<Document>, String> {
        let key = key_of(key);
        let named = wanted.named.contains(&key);
        // The key of a name that is no UTF-8 is not the name.
        let path = wanted.files.get(&key).map_or_else(|| PathBuf::from(&key), |(path, _)| to_absolute(path));
        match open(&path, None, &options) {
            Ok(document) => {
                if let Some(note) = gap_note(&path, &document) {
                    progress.run_aside(|| complain(&note));
                }
                Ok(Some(document))
            }
            Err(error) if error.is_binary() && !named => Ok(None),
            Err(error) => {
                failed_by_name.fetch_or(named, Ordering::Relaxed);
                Err(error.to_string())
            }
        }
    };
    let words = writer.read(&changed, &open_one, &mut |told| match told {
        Ok(done) => {
            progress.say(&format!("words of {} of {} files", done.files, done.of));
            report(done)
        }
        Err(complaint) => {
            progress.run_aside(|| complain(&complaint));
            ControlFlow::Continue(())
        }
    })?;
    if removed > 0 && changed.is_empty() {
        writer.commit()?;
    }
    let failed_by_name = failed_by_name.into_inner();
    let unchanged = wanted.files.len() - changed.len();
    let words_time = started.elapsed();
    Ok(IndexingReport { words, removed, unchanged, words_time, failed_by_name, ..IndexingReport::default() })
}

/// Analyses what is not yet; `also` may do its own with each document.
pub fn read_meaning(
    writer: &Writer<'_>,
    engine: &Engine,
    progress: &Progress,
    done: &mut IndexingReport,
    also: &mut dyn FnMut(&str, &Document) -> Result<(), Failure>,
    report: &mut dyn FnMut(CommitProgress) -> ControlFlow<()>,
) -> Result<(), Failure> {
    let started = Instant::now();
    let analyser = engine.analyser();
    let mut failure = None;
    let mut tokens = 0;
    done.meaning = writer.analyse(
        &analyser,
        &engine.made_by(),
        &mut |path, document| {
            let sentences = document.sentences().iter().filter_map(|span| span.slice(document.text()));
            tokens += sentences.map(|text| engine.count_tokens(text) as u64).sum::<u64>();
            if failure.is_none()
                && let Err(error) = also(path, document)
            {
                failure = Some(error);
            }
            Ok(())
        },
        &mut |now| {
            progress.say(&format!("meaning of {} of {} documents", now.files, now.of));
            report(now)
        },
    )?;
    writer.tidy(&engine.made_by())?;
    done.tokens = tokens;
    done.meaning_time = started.elapsed();
    failure.map_or(Ok(()), Err)
}

/// Makes the vectors of what is known about what documents name, as far as they are not there: what find asks.
pub fn learn(writer: &Writer<'_>, engine: &Engine, progress: &Progress) -> Result<(), Failure> {
    writer.learn(&engine.analyser(), &engine.made_by(), &mut |done, of| {
        progress.say(&format!("what is known about {done} of {of} entities"));
    })?;
    Ok(())
}

/// A library with everything under `paths` in it, words and meaning; for verbs that search what was named. While another
/// process is at work on it, what it has done so far.
pub fn open_updated(folder: &Path, walk: &WalkConfig, engine: &Engine) -> Result<Library, Failure> {
    let progress = Progress::start();
    let library = Library::create(folder)?;
    let wanted = WantedFiles::walk(walk, folder, &progress)?;
    let mut writer = match library.writer() {
        Err(LibraryError::Busy(_)) => {
            progress.run_aside(|| {
                complain("another findall index is at work here; this is what it has done so far")
            });
            return Ok(library);
        }
        writer => writer?,
    };
    let go_on = &mut |_: CommitProgress| ControlFlow::Continue(());
    let mut done = read_words(&mut writer, &wanted, &progress, go_on)?;
    read_meaning(&writer, engine, &progress, &mut done, &mut |_, _| Ok(()), go_on)?;
    writer.finish()?;
    Ok(library)
}
