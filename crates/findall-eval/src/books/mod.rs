//! Measurements on whole books with gold lists: the names of its people, and lists of what is related to them.

mod ablation;
pub mod gold;
pub mod list;
mod metrics;
pub mod names;
mod remembered;
mod run;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use findall::ask::Reader;
use findall::encode::Encoder;
use findall::names::Cast;
use findall::{Cache, Document, Engine};

use crate::EvalError;
use crate::inputs;
use crate::resources::ResourceArgs;
use remembered::{RememberedEncoder, RememberedReader};

/// Which book, and what to read it with.
#[derive(Clone, Debug, clap::Args)]
pub struct BookArgs {
    /// The book's text, packed with xz or not
    #[arg(long, value_name = "TEXT")]
    book: PathBuf,

    #[command(flatten)]
    resources: ResourceArgs,
}

/// A book and an engine to read it.
pub struct PreparedBook {
    /// The book.
    pub document: Document,
    /// The engine.
    pub engine: Engine,
    /// The reader.
    pub reader: Arc<dyn Reader>,
}

impl BookArgs {
    /// Opens the book and the models. `repeated`: the same lists will be made again and again, so the models remember.
    pub fn prepare(&self, repeated: bool) -> Result<PreparedBook, EvalError> {
        let document = Document::from_text(inputs::text(&self.book)?);
        let models = self.resources.models()?;
        let mut encoder: Arc<dyn Encoder> = models.encoder().map_err(inputs::wrap_error)?;
        let tagger = models.tagger().map_err(inputs::wrap_error)?;
        let mut reader: Arc<dyn Reader> = models.reader().map_err(inputs::wrap_error)?;
        if repeated {
            encoder = Arc::new(RememberedEncoder::new(encoder));
            reader = Arc::new(RememberedReader::new(reader));
        }
        let mut engine = Engine::new(encoder, tagger, self.resources.knowledge()?);
        if let Some(folder) = &self.resources.cache {
            engine = engine.with_cache(Cache::new(folder));
        }
        Ok(PreparedBook { document, engine, reader })
    }
}

impl PreparedBook {
    /// Everybody and everything that the book names.
    pub fn cast(&self) -> Result<Cast, EvalError> {
        self.engine.cast(&self.document, &mut |_| ControlFlow::Continue(())).map_err(inputs::wrap_error)
    }
}
