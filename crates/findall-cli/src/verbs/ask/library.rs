//! What a question is asked of: the documents of all named files and folders, as far as they can be read.

use std::path::PathBuf;

use findall::document::{Document, Format, Limits};

use crate::failure::complain;
use crate::progress::Progress;
use crate::search::{SearchError, open, open_stdin};
use crate::walk::{Input, Inputs};

/// Text asked at once, in bytes; a folder with more is asked as far as it goes.
const MOST_TEXT: usize = 256_000_000;

/// What the documents were read from.
#[derive(Default)]
pub struct Library {
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

impl Library {
    /// Reads all that it can, and complains about the rest.
    pub fn read(inputs: Inputs, format: Option<Format>, limits: &Limits, progress: &Progress) -> Self {
        let mut library = Self::default();
        for input in inputs {
            let (path, opened, named) = match input {
                Input::Broken(complaint) => {
                    library.fail(&complaint, false, progress);
                    continue;
                }
                Input::Missing(complaint) => {
                    library.fail(&complaint, true, progress);
                    continue;
                }
                Input::Stdin => (PathBuf::from("<stdin>"), open_stdin(format, limits), true),
                Input::Named(_) | Input::Met(_) if library.bytes > MOST_TEXT => {
                    library.left_out += 1;
                    continue;
                }
                Input::Named(path) => {
                    progress.file_begun(&path);
                    let opened = open(&path, format, limits);
                    (path, opened, true)
                }
                Input::Met(path) => {
                    progress.file_begun(&path);
                    let opened = open(&path, format, limits);
                    (path, opened, false)
                }
            };
            library.add(path, opened, named, progress);
            progress.file_done();
        }
        if let [path] = library.paths.as_slice() {
            library.file = std::fs::canonicalize(path).ok();
        }
        library
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
                self.bytes += document.text().len();
                self.paths.push(path);
                self.documents.push(document);
            }
            Err(error) if error.is_binary() && !named => {}
            Err(error) => self.fail(&error.to_string(), named, progress),
        }
    }

    fn fail(&mut self, complaint: &str, named: bool, progress: &Progress) {
        progress.aside(|| complain(complaint));
        self.failed += 1;
        self.failed_by_name |= named;
    }
}
