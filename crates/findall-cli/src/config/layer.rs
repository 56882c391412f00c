//! One layer of settings: the keys that a flag, a variable or a file may set, each of them optional.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::ValueEnum;
use serde::Deserialize;

/// When to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum ColorWhen {
    /// On a terminal, unless NO_COLOR says otherwise
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// How letters' case is treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Case {
    /// `We` finds `WE`.
    Ignore,
    /// `We` finds `We` only.
    Sensitive,
}

/// The order in which a file's matches are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Sort {
    /// As they stand in the document
    Document,
    /// Best first
    Score,
}

/// One path, or several in order.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(from = "PathOrPaths")]
pub struct Paths(pub Vec<PathBuf>);

#[derive(Deserialize)]
#[serde(untagged, expecting = "a path, or a list of paths in brackets")]
enum PathOrPaths {
    One(PathBuf),
    More(Vec<PathBuf>),
}

impl From<PathOrPaths> for Paths {
    fn from(paths: PathOrPaths) -> Self {
        match paths {
            PathOrPaths::One(path) => Self(vec![path]),
            PathOrPaths::More(paths) => Self(paths),
        }
    }
}

impl Paths {
    /// What a flag that may be repeated says; nothing when it was not given.
    pub fn from_flag(paths: Vec<PathBuf>) -> Option<Self> {
        (!paths.is_empty()).then_some(Self(paths))
    }
}

macro_rules! layer {
    ($($(#[$doc:meta])* $key:ident: $type:ty,)*) => {
        /// Settings from one origin; what it does not set is left to the layer below.
        #[derive(Clone, Debug, Default, PartialEq, Deserialize)]
        #[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
        pub struct Layer {
            $($(#[$doc])* pub $key: Option<$type>,)*
        }

        impl Layer {
            /// Every key, as the struct spells it.
            pub const KEYS: &[&str] = &[$(stringify!($key)),*];

            /// This layer over `lower`.
            pub fn or(self, lower: Self) -> Self {
                Self { $($key: self.$key.or(lower.$key),)* }
            }

            /// The keys that this layer sets.
            pub fn keys_set(&self) -> Vec<&'static str> {
                let mut keys = Vec::new();
                $(if self.$key.is_some() { keys.push(stringify!($key)); })*
                keys
            }
        }
    };
}

layer! {
    /// When to colour.
    color: ColorWhen,
    /// Case of letters.
    case: Case,
    /// Lowest score shown, 0 to 1.
    threshold: f32,
    /// Best matches kept in each file.
    top: usize,
    /// Order of a file's matches.
    sort: Sort,
    /// Lines shown around a match.
    context: usize,
    /// Whether typing errors are forgiven.
    typos: bool,
    /// Whether hidden files are searched.
    hidden: bool,
    /// Files searched at once.
    threads: usize,
    /// Folder of the models.
    model: PathBuf,
    /// Knowledge base files, the upper layer first.
    kb: Paths,
    /// Whether find goes by meaning where models and knowledge are there.
    meaning: bool,
    /// Whether find stays with the encoder and asks no judge.
    fast: bool,
    /// Whether what is worked out about documents is kept.
    cache: bool,
    /// Whether ask remembers questions and answers.
    remember: bool,
    /// Whether every verb stays off the network.
    offline: bool,
    /// Port of the server.
    port: u16,
    /// Address that the server listens on.
    bind: IpAddr,
    /// Where questions and answers are remembered: a file, or postgres://….
    store: String,
}
