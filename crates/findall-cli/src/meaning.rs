//! The engine for find by meaning: loaded when models and knowledge are there, each part on its own thread, so that a
//! cold start takes as long as its slowest part.

use std::cell::{Cell, OnceCell};
use std::fmt::Display;
use std::path::PathBuf;
use std::sync::{Arc, Once};
use std::thread::JoinHandle;

use findall::ask::Reader;
use findall::encode::Encoder;
use findall::knowledge::KnowledgeBase;
use findall::mentions::MentionTagger;
use findall::{Cache, Engine};
use findall_models::Models;
use findall_models::places::{Artifact, UserFolder};
#[cfg(feature = "network")]
use findall_service::base::Base;

use crate::config::Config;
use crate::corrections;
use crate::failure::{Failure, complain};
use crate::resources;

/// Which models an engine has beside encoder and tagger, and whether those two wait until they are used.
#[derive(Clone, Copy, Default)]
struct ExtraModels {
    reader: bool,
    judge: bool,
    deferred: bool,
}

/// The engine that reads documents; `None` when nothing is installed and nothing was asked for by name.
pub fn load(config: &Config) -> Result<Option<Engine>, Failure> {
    load_parts(config, ExtraModels::default())
}

/// The same with a judge, for find, unless find is to be fast.
pub fn load_for_find(config: &Config) -> Result<Option<Engine>, Failure> {
    load_parts(config, ExtraModels { judge: !config.fast, ..ExtraModels::default() })
}

/// The engine with every model, for servers; nothing installed is an error.
#[cfg(feature = "network")]
pub fn load_whole(config: &Config) -> Result<Engine, Failure> {
    load_parts(config, ExtraModels { reader: true, judge: !config.fast, deferred: false })?
        .ok_or_else(resources::not_installed_failure)
}

/// The engine with a reader, for ask, and with a judge where a list is asked for; nothing installed is an error. A
/// question that wants no list is often answered by the reader alone.
pub fn load_with_reader(config: &Config, wants_list: bool) -> Result<Engine, Failure> {
    let judge = wants_list && !config.fast;
    load_parts(config, ExtraModels { reader: true, judge, deferred: !wants_list })?
        .ok_or_else(resources::not_installed_failure)
}

/// The engine with a reader, loaded on a thread of its own: whoever never needs it does not wait for it.
pub struct LoadingEngine {
    thread: Cell<Option<JoinHandle<Result<Engine, Failure>>>>,
    engine: OnceCell<Engine>,
}

impl LoadingEngine {
    /// Begins. A question that wants a list needs a judge, too.
    pub fn start(config: Config, wants_list: bool) -> Self {
        let thread = std::thread::spawn(move || load_with_reader(&config, wants_list));
        Self { thread: Cell::new(Some(thread)), engine: OnceCell::new() }
    }

    /// The engine, once it is there.
    pub fn engine(&self) -> Result<&Engine, Failure> {
        if let Some(thread) = self.thread.take() {
            let stopped = |_| Failure::Verb("loading the models failed; run findall doctor".into());
            let _ = self.engine.set(thread.join().map_err(stopped)??);
        }
        self.engine
            .get()
            .ok_or_else(|| Failure::Verb("the models could not be loaded; run findall doctor".into()))
    }
}

/// What the encoder and the reader are called, without loading them.
pub fn encoder_and_reader_ids(config: &Config) -> Result<(String, String), Failure> {
    load_models(config)?.encoder_and_reader_ids().map_err(model_failure)
}

/// The folder of the models; nothing when none was named and none is installed.
fn locate_models(config: &Config) -> Result<Option<PathBuf>, Failure> {
    match (Artifact::Models.locate(config.model.as_deref()), &config.model) {
        (None, Some(named)) => Err(resources::missing_place_failure(&config.place_origins.model, named)),
        (located, _) => Ok(located),
    }
}

/// The models, where a verb cannot do without them.
fn load_models(config: &Config) -> Result<Models, Failure> {
    let folder = locate_models(config)?.ok_or_else(resources::no_models_failure)?;
    Models::load(&folder).map_err(model_failure)
}

fn model_failure(error: impl Display) -> Failure {
    Failure::Verb(error.to_string())
}

fn load_parts(config: &Config, extra: ExtraModels) -> Result<Option<Engine>, Failure> {
    let models = locate_models(config)?;
    let knowledge = resources::knowledge_files(&config.kb)
        .map_err(|named| resources::missing_place_failure(&config.place_origins.kb, &named))?;
    let (Some(models), false) = (models, knowledge.is_empty()) else { return Ok(None) };
    let models = Models::load(&models).map_err(model_failure)?;
    let (encoder, tagger, reader, judge, knowledge) = std::thread::scope(|scope| {
        let encoder =
            scope.spawn(|| if extra.deferred { models.deferred_encoder() } else { models.encoder() });
        let tagger = scope.spawn(|| if extra.deferred { models.deferred_tagger() } else { models.tagger() });
        let reader = extra.reader.then(|| scope.spawn(|| models.reader()));
        let judge = extra.judge.then(|| scope.spawn(|| models.judge()));
        let knowledge = KnowledgeBase::open_layers(&knowledge);
        let (reader, judge) = (reader.map(|reader| reader.join()), judge.map(|judge| judge.join()));
        (encoder.join(), tagger.join(), reader, judge, knowledge)
    });
    let stopped = |_| Failure::Verb("loading the models failed; run findall doctor".into());
    let encoder = encoder.map_err(stopped)?.map_err(model_failure)?;
    let tagger = tagger.map_err(stopped)?.map_err(model_failure)?;
    let knowledge = knowledge.map_err(model_failure)?;
    corrections::apply(&knowledge);
    let mut engine = Engine::new(encoder, tagger, Arc::new(knowledge));
    if let Some(reader) = reader {
        engine = engine.with_reader(reader.map_err(stopped)?.map_err(model_failure)?);
    }
    if let Some(judge) = judge
        && let Some(judge) = judge.map_err(stopped)?.map_err(model_failure)?
    {
        engine = engine.with_judge(judge);
    }
    Ok(Some(match find_usable_cache(config) {
        Some(folder) => engine.with_cache(Cache::new(folder)),
        None => engine,
    }))
}

/// The encoder alone; nothing installed is an error.
pub fn encoder(config: &Config) -> Result<Arc<dyn Encoder>, Failure> {
    Ok(load_models(config)?.encoder().map_err(model_failure)?)
}

/// The mention tagger alone.
pub fn tagger(config: &Config) -> Result<Arc<dyn MentionTagger>, Failure> {
    Ok(load_models(config)?.tagger().map_err(model_failure)?)
}

/// The reader alone.
pub fn reader(config: &Config) -> Result<Arc<dyn Reader>, Failure> {
    Ok(load_models(config)?.reader().map_err(model_failure)?)
}

/// What a server keeps beside its knowledge base: the index of its words in the cache, corrections among the user's data.
#[cfg(feature = "network")]
pub fn base_of(engine: &Engine, config: &Config) -> Base {
    let words =
        find_usable_cache(config).map(|folder| Cache::new(folder).base_words_path(engine.knowledge()));
    Base::new(words, corrections::file())
}

/// The user's cache, where it is wanted and nobody else can have a hand in it; one that cannot be trusted costs a line
/// and the time that it would have saved.
pub fn find_usable_cache(config: &Config) -> Option<PathBuf> {
    static COMPLAINT: Once = Once::new();
    let folder = cache_folder().filter(|_| config.cache)?;
    match Cache::new(&folder).secure() {
        Ok(()) => Some(folder),
        Err(error) => {
            let place = folder.display();
            COMPLAINT.call_once(|| complain(&format!("{place}: {error}; the cache is not used")));
            None
        }
    }
}

/// The user's cache, where what is worked out about documents may lie.
pub fn cache_folder() -> Option<PathBuf> {
    UserFolder::Cache.locate()
}
