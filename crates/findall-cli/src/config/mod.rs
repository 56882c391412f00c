//! Settings: what was typed and what is configured become one [`Config`], which the rest of the program obeys.

pub mod color;
pub mod layer;
pub mod sources;

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use findall_service::find::check_limits;

use self::color::Palette;
use self::layer::{Case, ColorWhen, Layer, Sort};
use self::sources::SettingSources;
use crate::failure::Failure;

/// Settings that any verb may need, every one decided.
#[derive(Clone, Debug)]
pub struct Config {
    /// Colours of this run's standard output.
    pub palette: Palette,
    /// Case of letters.
    pub case: Case,
    /// Lowest score shown; `None` leaves it to the engine.
    pub threshold: Option<f32>,
    /// Best matches kept in each file.
    pub top: Option<usize>,
    /// Order of a file's matches.
    pub sort: Sort,
    /// Lines shown around a match.
    pub context: usize,
    /// Whether typing errors are forgiven.
    pub typos: bool,
    /// Whether hidden files are searched.
    pub hidden: bool,
    /// Files searched at once.
    pub threads: usize,
    /// Folder of the models, when one was named.
    pub model: Option<PathBuf>,
    /// Knowledge bases that were named, the upper layer first; none means the one that came with the program.
    pub kb: Vec<PathBuf>,
    /// Who named the models and the knowledge bases.
    pub place_origins: PlaceOrigins,
    /// Whether find goes by meaning where models and knowledge are there.
    pub meaning: bool,
    /// Whether find stays with the encoder and asks no judge.
    pub fast: bool,
    /// Whether what is worked out about documents is kept.
    pub cache: bool,
    /// Whether ask remembers questions and answers.
    pub remember: bool,
    /// Whether every verb stays off the network.
    pub offline: bool,
    /// Port of the server, when one was set.
    #[cfg_attr(not(feature = "network"), expect(dead_code, reason = "read by serve"))]
    pub port: Option<u16>,
    /// Address that the server listens on, when one was set.
    #[cfg_attr(not(feature = "network"), expect(dead_code, reason = "read by serve"))]
    pub bind: Option<IpAddr>,
    /// Where questions and answers are remembered, when a place was named.
    pub store: Option<String>,
}

/// Who named a place, as a complaint says it: a flag, a variable, or a key of a file.
#[derive(Clone, Debug)]
pub struct PlaceOrigins {
    /// Who named the folder of the models.
    pub model: String,
    /// Who named the knowledge bases.
    pub kb: String,
}

impl Default for PlaceOrigins {
    fn default() -> Self {
        Self { model: "--model".into(), kb: "--kb".into() }
    }
}

impl Config {
    /// Flags over variables over the project's file over the user's file over the defaults.
    pub fn read(flags: Layer) -> Result<Self, Failure> {
        let offline = OFFLINE_FLAG.load(Ordering::Relaxed).then_some(true).or(flags.offline);
        let sources = SettingSources::read(Layer { offline, ..flags })?;
        let place_origins =
            PlaceOrigins { model: sources.name_origin("model"), kb: sources.name_origin("kb") };
        Ok(Self { place_origins, ..Self::build(sources.resolve())? })
    }

    /// Fills in the defaults and checks the ranges.
    pub fn build(settings: Layer) -> Result<Self, Failure> {
        let wrong = |origin: &str, message: &str| {
            Err(Failure::Setting { origin: origin.to_owned(), message: message.to_owned() })
        };
        if let Err(limit) = check_limits(settings.threshold, settings.top) {
            return wrong(limit.field(), &limit.to_string());
        }
        if settings.threads.is_some_and(|threads| threads == 0 || threads > 256) {
            return wrong("threads", "must be 1 to 256");
        }
        Ok(Self {
            palette: Palette::of_stdout(settings.color.unwrap_or(ColorWhen::Auto)),
            case: settings.case.unwrap_or(Case::Ignore),
            threshold: settings.threshold,
            top: settings.top,
            sort: settings.sort.unwrap_or(Sort::Document),
            context: settings.context.unwrap_or(0),
            typos: settings.typos.unwrap_or(true),
            hidden: settings.hidden.unwrap_or(false),
            threads: settings.threads.unwrap_or_else(available_threads),
            model: settings.model,
            kb: settings.kb.map(|paths| paths.0).unwrap_or_default(),
            place_origins: PlaceOrigins::default(),
            meaning: settings.meaning.unwrap_or(true),
            fast: settings.fast.unwrap_or(false),
            cache: settings.cache.unwrap_or(true),
            remember: settings.remember.unwrap_or(true),
            offline: settings.offline.unwrap_or(false),
            port: settings.port,
            bind: settings.bind,
            store: settings.store,
        })
    }
}

/// Whether `--offline` was typed, with whatever verb.
static OFFLINE_FLAG: AtomicBool = AtomicBool::new(false);

/// Keeps every verb of this run off the network, or not.
pub fn set_offline(typed: bool) {
    OFFLINE_FLAG.store(typed, Ordering::Relaxed);
}

fn available_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).min(12)
}
