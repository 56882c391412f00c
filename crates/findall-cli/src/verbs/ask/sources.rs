//! What a question is asked of: the documents of all named files and folders, as far as they can be read.

#[cfg(feature = "library")]
use std::path::Path;
use std::path::PathBuf;

#[cfg(feature = "library")]
use findall::Engine;
use findall::document::{Document, Format, ReadOptions};
#[cfg(feature = "library")]
use findall_service::library_files::read_files_to_ask;

#[cfg(feature = "library")]
use crate::failure::Failure;
use crate::failure::complain;
use crate::progress::Progress;
use crate::search::{SearchError, gap_note, open, open_stdin};
use crate::walk::{Input, Inputs};

/// Text asked at once, in bytes; a folder with more is asked as far as it goes.
const MAX_TEXT_BYTES: usize = 256_000_000;

/// What the documents were read from.
#[derive(Default)]
pub struct Sources {
    pub paths: Vec<PathBuf>,
    pub documents: Vec<Document>,
    bytes: usize,
    /// Files that could not be read.
    pub failed: u64,
    pub failed_by_name: bool,
    /// Files left out because there was too much text before them.
    pub left_out: u64,
    /// The only document, when it lies in a file: what can be remembered under its name.
    pub file: Option<PathBuf>,
}

impl Sources {
    /// The documents of a library that are likeliest to answer: by the words of their passages and, as far as they are
    /// analysed, by the meaning of their sentences.
    #[cfg(feature = "library")]
    pub fn from_library(folder: &Path, engine: &Engine, question: &str) -> Result<Self, Failure> {
        let snapshot = findall_library::Library::open(folder)?.snapshot()?;
        let (paths, documents) = read_files_to_ask(&snapshot, engine, question)?.into_iter().unzip();
        Ok(Self { paths, documents, ..Self::default() })
    }

    /// Reads all that it can, and complains about the rest.
    pub fn read(inputs: Inputs, format: Option<Format>, options: &ReadOptions, progress: &Progress) -> Self {
        let mut sources = Self::default();
        for input in inputs {
            let (path, opened, named) = match input {
                Input::Broken(complaint) => {
                    sources.fail(&complaint, false, progress);
                    continue;
                }
                Input::Missing(complaint) => {
                    sources.fail(&complaint, true, progress);
                    continue;
                }
                Input::Stdin => (PathBuf::from("<stdin>"), open_stdin(format, options), true),
                Input::Named(_) | Input::Met(_) if sources.bytes > MAX_TEXT_BYTES => {
                    sources.left_out += 1;
                    continue;
                }
                Input::Named(path) => {
                    progress.begin_file(&path);
                    let opened = open(&path, format, options);
                    (path, opened, true)
                }
                Input::Met(path) => {
                    progress.begin_file(&path);
                    let opened = open(&path, format, options);
                    (path, opened, false)
                }
            };
            sources.add(path, opened, named, progress);
            progress.finish_file();
        }
        if let [path] = sources.paths.as_slice() {
            sources.file = std::fs::canonicalize(path).ok();
        }
        sources
    }

    fn add(
        &mut self,
        path: PathBuf,
        opened: Result<Document, SearchError>,
        named: bool,
        progress: &Progress,
    ) {
        match opened {
            Ok(document) => {
                if let Some(note) = gap_note(&path, &document) {
                    progress.run_aside(|| complain(&note));
                }
                self.bytes += document.text().len();
                self.paths.push(path);
                self.documents.push(document);
            }
            Err(error) if error.is_binary() && !named => {}
            Err(error) => self.fail(&error.to_string(), named, progress),
        }
    }

    fn fail(&mut self, complaint: &str, named: bool, progress: &Progress) {
        progress.run_aside(|| complain(complaint));
        self.failed += 1;
        self.failed_by_name |= named;
    }
}
