//! The service as one value: [`App`] is what every request shares, [`app()`] the router over it.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use findall::Engine;
use findall::chat::ChatModel;
use findall_library::{Library, LibraryError};
use findall_service::base::Base;
use findall_service::library_corpus::LibraryCorpus;
use findall_store::Store;
use tokio::time::Instant;

use crate::access::Access;
use crate::documents::Documents;
use crate::error::ApiError;
use crate::extract::BodyBudget;
use crate::limits::Limits;
use crate::metrics::Metrics;
use crate::workers::{Stop, Workers};
use crate::{base, guard, metrics, routes};

/// How the service is set up.
#[derive(Clone, Debug, Default)]
pub struct ServerConfig {
    /// What a client may cost.
    pub limits: Limits,
    /// Host names besides loopback under which requests may come: those of the TLS proxy in front.
    pub hosts: Vec<String>,
    /// Whether the log may hold what people ask.
    pub log_content: bool,
}

/// What is there once models and knowledge have been read.
pub struct ServerResources {
    /// Keeps what it works out on disk, if the person wants that.
    engine: Engine,
    /// The same engine, writing nothing.
    private: Engine,
    store: Option<Box<dyn Store>>,
    larger: Option<Box<dyn ChatModel>>,
    encoder: String,
    library: RwLock<Option<Arc<ServedLibrary>>>,
    cached_library: Option<PathBuf>,
    base: Base,
}

/// The library that the server answers from.
pub struct ServedLibrary {
    /// Where it lies.
    pub folder: PathBuf,
    /// What was in it when the server began, or after something was forgotten.
    pub sentences: LibraryCorpus,
}

impl ServedLibrary {
    /// What is in a library now, as far as this engine's models have analysed it.
    pub fn read(library: &Library, engine: &Engine) -> Result<Self, LibraryError> {
        let sentences = LibraryCorpus::read(library.snapshot()?, engine, None)?;
        Ok(Self { folder: library.folder().to_owned(), sentences })
    }
}

impl ServerResources {
    /// From an engine, and where questions are remembered, if they are.
    pub fn new(engine: Engine, store: Option<Box<dyn Store>>) -> Self {
        Self {
            private: engine.without_cache(),
            encoder: engine.made_by().encoder,
            engine,
            store,
            larger: None,
            library: RwLock::default(),
            cached_library: None,
            base: Base::default(),
        }
    }

    /// The same with a larger model, which is asked where a request allows it and the reader is not sure.
    pub fn with_larger(mut self, larger: Option<Box<dyn ChatModel>>) -> Self {
        self.larger = larger;
        self
    }

    /// The larger model, where there is one.
    pub fn larger(&self) -> Option<&dyn ChatModel> {
        self.larger.as_deref()
    }

    /// The same with a library to answer from.
    pub fn with_library(mut self, library: ServedLibrary) -> Self {
        self.library = RwLock::new(Some(Arc::new(library)));
        self
    }

    /// The same with the folder of the library in the cache, which loses what is forgotten whether or not it is the one
    /// that is answered from.
    pub fn with_cached_library(mut self, folder: Option<PathBuf>) -> Self {
        self.cached_library = folder;
        self
    }

    /// The same with places for the index of the base's words and for corrections.
    pub fn with_base(mut self, base: Base) -> Self {
        self.base = base;
        self
    }

    /// What is kept beside the knowledge base.
    pub fn base(&self) -> &Base {
        &self.base
    }

    /// The library, if there is one.
    pub fn library(&self) -> Option<Arc<ServedLibrary>> {
        self.library.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The folder of the library in the cache.
    pub fn cached_library(&self) -> Option<&Path> {
        self.cached_library.as_deref()
    }

    /// Reads the library in the cache anew, from which something was taken out, if it is the one that is answered from.
    pub fn refresh_cached_library(&self) -> Result<(), LibraryError> {
        let Some(folder) = self.cached_library() else { return Ok(()) };
        let is_same = |held: &Path| held == folder || held.canonicalize().ok() == folder.canonicalize().ok();
        if self.library().is_some_and(|held| is_same(&held.folder)) {
            let left =
                Library::exists(folder).then(|| ServedLibrary::read(&Library::open(folder)?, &self.engine));
            let left = left.transpose()?.map(Arc::new);
            *self.library.write().unwrap_or_else(PoisonError::into_inner) = left;
        }
        Ok(())
    }

    /// The engine for a document that is private, or not.
    pub fn engine(&self, private: bool) -> &Engine {
        if private { &self.private } else { &self.engine }
    }

    /// Where questions are remembered.
    pub fn store(&self) -> Option<&dyn Store> {
        self.store.as_deref()
    }

    /// Names the exact weights of the encoder.
    pub fn encoder_id(&self) -> &str {
        &self.encoder
    }

    /// What a question means, for comparing it with others.
    pub fn question_vector(&self, question: &str) -> Result<Vec<f32>, ApiError> {
        let vector = self.private.question_vector(question);
        vector.map_err(|error| ApiError::explain_model_failure("encoding a question", &error))
    }
}

/// What every request shares. Cheap to clone.
#[derive(Clone)]
pub struct App(Arc<AppState>);

/// The parts of [`App`].
pub struct AppState {
    /// How it is set up.
    pub config: ServerConfig,
    /// Who may ask.
    pub access: Access,
    /// What is held.
    pub documents: Documents,
    /// Where work is done.
    pub workers: Workers,
    pub(crate) bodies: BodyBudget,
    pub(crate) clients: guard::Clients,
    pub(crate) metrics: Metrics,
    resources: OnceLock<ServerResources>,
}

impl Deref for App {
    type Target = AppState;

    fn deref(&self) -> &AppState {
        &self.0
    }
}

impl App {
    /// A service that is still loading.
    pub fn new(config: ServerConfig, access: Access) -> Self {
        let limits = &config.limits;
        Self(Arc::new(AppState {
            documents: Documents::new(limits.documents_bytes),
            workers: Workers::new(limits),
            bodies: BodyBudget::new(limits.bodies_bytes.max(limits.body_bytes)),
            clients: guard::Clients::default(),
            metrics: Metrics::new(),
            resources: OnceLock::new(),
            access,
            config,
        }))
    }

    /// From now on the service answers. A second call changes nothing.
    pub fn provide_resources(&self, loaded: ServerResources) {
        let _ = self.resources.set(loaded);
    }
}

impl AppState {
    /// The engine, or that it is still being loaded.
    pub fn resources(&self) -> Result<&ServerResources, ApiError> {
        self.resources.get().ok_or_else(ApiError::loading)
    }

    /// Applies corrections that were written since the last request, and lets go of what was made ready before them.
    pub fn refresh_corrections(&self) {
        let Some(loaded) = self.resources.get() else { return };
        let refreshed = loaded.base.refresh(loaded.engine.knowledge());
        if refreshed.broken_lines > 0 {
            tracing::warn!(lines = refreshed.broken_lines, "lines of the corrections cannot be read");
        }
        if let Some(error) = refreshed.error {
            tracing::warn!(%error, "the corrections cannot be read; those read before stay");
        }
        if refreshed.changed {
            self.documents.forget(None);
        }
    }

    /// Why a job that was stopped did not end.
    pub fn explain_stop(&self, stop: &Stop) -> ApiError {
        match stop.is_late() {
            true => ApiError::Timeout(self.config.limits.time.as_secs()),
            false => ApiError::Busy("the server is closing, or nobody waited; ask again".into()),
        }
    }

    /// When a request that came now has had its time.
    pub fn deadline(&self) -> Instant {
        Instant::now() + self.config.limits.time
    }
}

/// The service.
pub fn app(state: App) -> Router {
    routes::all(&state)
        .layer(from_fn_with_state(state.clone(), base::refresh))
        .layer(from_fn_with_state(state.clone(), guard::time_limit))
        .layer(from_fn_with_state(state.clone(), guard::token))
        .layer(guard::cors(state.clone()))
        .layer(from_fn_with_state(state.clone(), guard::host_and_origin))
        .layer(from_fn(guard::security_headers))
        .layer(from_fn_with_state(state.clone(), metrics::observe))
        .with_state(state)
}
