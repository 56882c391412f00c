//! What the verbs on whole books share: opening the book, the engine, and a progress line with the stage's name.

use std::ops::ControlFlow;
use std::path::Path;

use findall::document::ReadOptions;
use findall::list::Stage;
use findall::{Document, Engine};

use crate::config::Config;
use crate::failure::{Failure, complain};
use crate::progress::Progress;
use crate::{meaning, resources, search};

/// The engine; a clear word when there is none.
pub fn engine(config: &Config) -> Result<Engine, Failure> {
    meaning::load(config)?.ok_or_else(resources::not_installed_failure)
}

/// The book; - is standard input. One without a word in it is refused.
pub fn open(path: &Path) -> Result<Document, Failure> {
    let options = ReadOptions::default();
    let document = if path == Path::new("-") {
        search::open_stdin(None, &options)
    } else {
        search::open(path, None, &options)
    };
    let document = document.map_err(|error| Failure::Verb(error.to_string()))?;
    match document.text().trim().is_empty() {
        true => Err(Failure::Verb(format!("{}: there is no text in it", path.display()))),
        false => {
            if let Some(note) = search::gap_note(path, &document) {
                complain(&note);
            }
            Ok(document)
        }
    }
}

/// Tells the progress line about each stage.
pub fn report_stages<'p>(
    progress: &'p Progress,
    document: &'p Document,
) -> impl FnMut(Stage) -> ControlFlow<()> + 'p {
    let total = document.text().len().max(1);
    move |stage| {
        progress.say(&match stage {
            Stage::Tagging(bytes) => format!("finding names: {}%", 100 * bytes / total),
            Stage::Reading => "resolving names and ties".into(),
            Stage::Encoding(bytes) => format!("encoding passages: {}%", 100 * bytes / total),
            Stage::Recall => "stage 1: retrieving passages, generating candidates".into(),
            Stage::Asking(done, due) => {
                format!("stage 1: asking the larger model, {done} of {due} calls done")
            }
            Stage::Scrutiny => "stage 2: testing candidates".into(),
        });
        ControlFlow::Continue(())
    }
}
