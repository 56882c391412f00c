//! The library of documents behind index, like and ask: where it lies, and which files were named for it; what is read and
//! analysed of them is said on the progress line.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::Args;
use findall::document::{Document, ReadOptions};
use findall::{Cache, Engine};
use findall_library::{AnalyseError, CommitProgress, Library, LibraryError, Writer};
use findall_service::library_files::FileRankingError;
use findall_service::library_update::{self, IndexingReport, WantedFiles};

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

/// Walks what was named for the library in this folder, and complains about what is not there.
pub fn walk_files(walk: &WalkConfig, library: &Path, progress: &Progress) -> Result<WantedFiles, Failure> {
    let mut wanted = WantedFiles::new(library, &walk.paths);
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
        if let Err(error) = wanted.add(&path, named) {
            progress.run_aside(|| complain(&format!("{}: {error}", path.display())));
        }
    }
    Ok(wanted)
}

/// Reads what is new or changed and takes out what is gone; `report` hears of every commit.
pub fn read_words(
    writer: &mut Writer<'_>,
    wanted: &WantedFiles,
    progress: &Progress,
    report: &mut dyn FnMut(CommitProgress) -> ControlFlow<()>,
) -> Result<IndexingReport, Failure> {
    let options = ReadOptions::default();
    let open_one = |path: &Path, named: bool| match open(path, None, &options) {
        Ok(document) => {
            if let Some(note) = gap_note(path, &document) {
                progress.run_aside(|| complain(&note));
            }
            Ok(Some(document))
        }
        Err(error) if error.is_binary() && !named => Ok(None),
        Err(error) => Err(error.to_string()),
    };
    let mut watch = |told: Result<_, String>| match told {
        Ok(done @ CommitProgress { files, of, .. }) => {
            progress.say(&format!("words of {files} of {of} files"));
            report(done)
        }
        Err(complaint) => {
            progress.run_aside(|| complain(&complaint));
            ControlFlow::Continue(())
        }
    };
    Ok(library_update::read_words(writer, wanted, &open_one, &mut watch)?)
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
    library_update::read_meaning(writer, engine, done, also, &mut |now| {
        progress.say(&format!("meaning of {} of {} documents", now.files, now.of));
        report(now)
    })
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
    let wanted = walk_files(walk, folder, &progress)?;
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
