//! The store of the one file that a question is asked of. Piped text has no name, and several files are no page: they are
//! read and nothing is kept.

use findall_service::ask::AnswerMemory;
use findall_store::Store;

use super::{AskArgs, Sources};
use crate::config::Config;
use crate::failure::{Failure, complain};
use crate::{meaning, remember};

/// The store, and the names under which it remembers.
pub struct FileMemory {
    store: Box<dyn Store>,
    key: String,
    title: Option<String>,
    encoder: String,
    reader: String,
    remember: bool,
}

impl FileMemory {
    /// The memory for this question; `None` when it has none. A usual place that cannot be used is no memory either.
    pub fn open(config: &Config, args: &AskArgs, sources: &Sources) -> Result<Option<Self>, Failure> {
        let ([document], Some(file)) = (sources.documents.as_slice(), &sources.file) else { return Ok(None) };
        let remember = config.remember && args.query(config).is_usual_reading();
        if !remember && (args.fresh || !remember::exists(config)) {
            return Ok(None);
        }
        let store = match remember::open(config) {
            Ok(store) => store,
            Err(error) if config.store.is_none() => {
                complain(&format!("nothing is remembered: {error}"));
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let (encoder, reader) = meaning::encoder_and_reader_ids(config)?;
        let (key, title) = (remember::file_key(file), document.title().map(str::to_owned));
        Ok(Some(Self { store, key, title, encoder, reader, remember }))
    }

    /// As a question uses it.
    pub fn of_question(&self) -> AnswerMemory<'_> {
        AnswerMemory {
            store: &*self.store,
            key: &self.key,
            title: self.title.as_deref(),
            encoder: &self.encoder,
            reader: &self.reader,
            remember: self.remember,
        }
    }
}
