//! `findall like CORPUS --entity E --sentence S`: from one sentence to all entities of that kind, each with the sentence
//! that shows it best, new ones first. Words of the sentence can be weighted.

mod report;
#[cfg(feature = "screen")]
mod screen;
#[cfg(feature = "screen")]
mod state;

use std::path::{Path, PathBuf};

use clap::Args;
use findall::Engine;
use findall::encode::ModelError;
use findall::like::{Example, MAX_WORD_WEIGHT, Method, Term};
use findall_library::Library;
use findall_service::library_corpus::LibraryCorpus;
use findall_service::library_update::to_absolute;
use findall_service::like::{DEFAULT_SHOWN_ENTITIES, LikeLimit, LikeQuery, MAX_ALIKE_ENTITIES};

#[cfg(not(feature = "screen"))]
use crate::absent::Part;
use crate::args::{EngineArgs, JsonArgs};
use crate::book;
use crate::failure::{Failure, Outcome};
use crate::interrupt;
use crate::library::{self, LibraryArgs};
use crate::output::Output;
use crate::walk::WalkConfig;
use report::LikeReport;

/// Arguments of `findall like`.
#[derive(Debug, Args)]
#[command(
    after_help = "Methods: findall (the default), and those of the paper that this verb grew from: SE, SE+PRF, \
    SE+PRF+CW+Sim, SE+PRF+CW, SE+PRF+CW+weights.\nExit status: 0 something is like it, 1 nothing is, 2 something \
    went wrong."
)]
pub struct LikeArgs {
    /// What to search: a library, or files and folders, which are indexed first where they have changed
    #[arg(value_name = "CORPUS", required = true)]
    corpus: PathBuf,

    /// The entity that serves as the example
    #[arg(long, value_name = "NAME")]
    entity: String,

    /// The sentence that shows it
    #[arg(long, value_name = "TEXT")]
    sentence: String,

    /// A word that matters, and how much, from 1 to 9; may be given several times
    #[arg(long = "term", value_name = "WORD[=WEIGHT]", value_parser = term)]
    terms: Vec<Term>,

    /// Weigh the words as findall suggests
    #[arg(long, conflicts_with = "terms")]
    auto: bool,

    /// Only show the words of the sentence with the weights suggested for them
    #[arg(long, conflicts_with_all = ["terms", "auto", "interactive"])]
    suggest: bool,

    /// Set the weights on a screen that shows the result as you do
    #[arg(long)]
    interactive: bool,

    /// How sentences are ranked
    #[arg(long, value_name = "METHOD", default_value = "findall", value_parser = method)]
    method: Method,

    /// Most entities shown
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SHOWN_ENTITIES as u16, value_parser = clap::value_parser!(u16).range(1..=MAX_ALIKE_ENTITIES as i64))]
    top: u16,

    /// Do not ask that the sentence names something of the same kind
    #[arg(long)]
    any_kind: bool,

    // A named file or folder is indexed there.
    #[command(flatten)]
    place: LibraryArgs,

    #[command(flatten)]
    output: JsonArgs,

    #[command(flatten)]
    engine: EngineArgs,
}

/// The library that is searched, and what a person called it.
struct SearchedCorpus {
    library: LibraryCorpus,
    /// What was named, from the root and as it was typed, unless it is a library.
    named: Option<(PathBuf, PathBuf)>,
}

/// Finds what is like the example.
pub fn run(args: LikeArgs) -> Result<Outcome, Failure> {
    let mut query = LikeQuery {
        example: Example { entity: args.entity, sentence: args.sentence, terms: args.terms },
        method: args.method,
        top: usize::from(args.top),
        same_kind: !args.any_kind,
    };
    query.check().map_err(limit_failure)?;
    let config = args.engine.config()?;
    interrupt::install();
    let engine = book::engine(&config)?;
    if args.suggest || args.auto {
        let suggested = query.suggest_terms(&engine).map_err(model_failure)?;
        if args.suggest {
            Output::stdout().write(&report::suggestions(&suggested, args.output.json))?;
            return Ok(Outcome::Found);
        }
        query.accept_suggestions(suggested);
    }
    let searched = search(&args.corpus, &args.place, &engine, config.hidden)?;
    if args.interactive {
        return interact(&engine, &searched, query);
    }
    let alike = query.find(&engine, searched.library.corpus()).map_err(model_failure)?;
    let report = LikeReport { alike: &alike, query: &query, searched: &searched };
    Output::stdout().write(&if args.output.json { report.json() } else { report.text() })?;
    Ok(if alike.entities.is_empty() { Outcome::Nothing } else { Outcome::Found })
}

#[cfg(feature = "screen")]
fn interact(engine: &Engine, searched: &SearchedCorpus, query: LikeQuery) -> Result<Outcome, Failure> {
    screen::run(engine, searched, query)?;
    Ok(Outcome::Found)
}

#[cfg(not(feature = "screen"))]
fn interact(_: &Engine, _: &SearchedCorpus, _: LikeQuery) -> Result<Outcome, Failure> {
    Part::Screen.require("findall like --interactive").map(|()| Outcome::Nothing)
}

/// A library as it is; of files and folders what is under them, brought up to date.
fn search(
    corpus: &Path,
    place: &LibraryArgs,
    engine: &Engine,
    hidden: bool,
) -> Result<SearchedCorpus, Failure> {
    let (library, named) = match Library::exists(corpus) {
        true => (Library::open(corpus)?, None),
        false => {
            let walk = WalkConfig {
                paths: vec![corpus.to_owned()],
                globs: Vec::new(),
                types: Vec::new(),
                hidden,
                ignored: false,
                follow: false,
            };
            let root = to_absolute(corpus);
            (library::open_updated(&place.folder()?, &walk, engine)?, Some((root, corpus.to_owned())))
        }
    };
    let root = named.as_ref().map(|(root, _)| root.as_path());
    let library = LibraryCorpus::read(library.snapshot()?, engine, root)?;
    if library.corpus().is_empty() {
        return Err(Failure::Verb("there is no text to search; name a file or folder that has some".into()));
    }
    Ok(SearchedCorpus { library, named })
}

/// A limit that the query does not keep, by the names of its flags.
fn limit_failure(limit: LikeLimit) -> Failure {
    Failure::Usage(match limit {
        LikeLimit::Entities => format!("--top {limit}"),
        LikeLimit::Terms => format!("--term: {limit}"),
        LikeLimit::Example => format!("--entity, --sentence: {limit}"),
    })
}

fn model_failure(error: ModelError) -> Failure {
    Failure::Verb(error.to_string())
}

fn term(typed: &str) -> Result<Term, String> {
    let wrong = || format!("a word, or a word and its weight from 1 to {MAX_WORD_WEIGHT}: school=3");
    let (word, weight) = match typed.rsplit_once('=') {
        Some((word, weight)) => (word, weight.parse().map_err(|_| wrong())?),
        None => (typed, 1),
    };
    match (1..=MAX_WORD_WEIGHT).contains(&weight) && word.chars().any(char::is_alphanumeric) {
        true => Ok(Term { word: word.to_owned(), weight }),
        false => Err(wrong()),
    }
}

fn method(typed: &str) -> Result<Method, String> {
    Method::from_name(typed).ok_or_else(|| Method::ALL.map(Method::name).join(", "))
}
