//! `findall index PATH…`: prepares documents and keeps what was worked out, so that later searches by meaning answer at
//! once, whole folders too.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use findall::Engine;
use findall::document::{Document, Limits};

use crate::config::Config;
use crate::config::layer::{Layer, Paths};
use crate::failure::{Failure, Outcome, complain};
use crate::interrupt;
use crate::meaning;
use crate::output::Output;
use crate::progress::Progress;
use crate::resources;
use crate::search::open;
use crate::walk::{Input, WalkConfig};

/// Arguments of `findall index`.
#[derive(Debug, Args)]
pub struct IndexArgs {
    /// Files and folders to prepare
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,

    /// Only files that match the glob; !GLOB leaves them out
    #[arg(short = 'g', long = "glob", value_name = "GLOB")]
    globs: Vec<String>,

    /// Only files of this type (see findall --type-list)
    #[arg(short = 't', long = "type", value_name = "TYPE")]
    types: Vec<String>,

    /// Folder of the models [default: those that came with the program]
    #[arg(long, value_name = "DIR")]
    model: Option<PathBuf>,

    /// Knowledge base; several are layered, the first wins [default: the one that came with the program]
    #[arg(long, value_name = "FILE")]
    kb: Vec<PathBuf>,
}

/// Prepares; one line a file on stdout, a word on stderr about each that could not be.
pub fn run(args: IndexArgs) -> Result<Outcome, Failure> {
    let kb = Paths::given(args.kb);
    let config = Config::read(Layer { model: args.model, kb, cache: Some(true), ..Layer::default() })?;
    let engine = meaning::load(&config)?.ok_or_else(|| Failure::Usage(resources::NOT_INSTALLED.into()))?;
    let walk = WalkConfig {
        paths: args.paths,
        globs: args.globs,
        types: args.types,
        hidden: config.hidden,
        ignored: false,
        follow: false,
    };
    interrupt::install();
    let progress = Progress::start();
    let mut failed_by_name = false;
    for input in walk.inputs()? {
        let (path, named) = match input {
            Input::Named(path) => (path, true),
            Input::Met(path) => (path, false),
            Input::Stdin => {
                return Err(Failure::Usage("standard input cannot be indexed; name a file".into()));
            }
            Input::Broken(complaint) => {
                progress.aside(|| complain(&complaint));
                continue;
            }
            Input::Missing(complaint) => {
                progress.aside(|| complain(&complaint));
                failed_by_name = true;
                continue;
            }
        };
        progress.file_begun(&path);
        let done = match open(&path, None, &Limits::default()) {
            Ok(document) => index(&engine, &path, &document),
            Err(error) if error.is_binary() && !named => Ok(String::new()),
            Err(error) => Err(error.to_string()),
        };
        match done {
            Ok(line) => progress.aside(|| Output::stdout().write(line.as_bytes()))?,
            Err(complaint) => {
                progress.aside(|| complain(&complaint));
                failed_by_name |= named;
            }
        }
        progress.file_done();
    }
    Ok(if failed_by_name { Outcome::Incomplete } else { Outcome::Found })
}

fn index(engine: &Engine, path: &Path, document: &Document) -> Result<String, String> {
    let started = Instant::now();
    let prepared = engine.prepare(document).map_err(|error| format!("{}: {error}", path.display()))?;
    let took = started.elapsed().as_millis();
    Ok(format!("{}: {} in {took} ms\n", path.display(), prepared.coverage))
}
