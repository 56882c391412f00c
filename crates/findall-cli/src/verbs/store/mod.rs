//! `findall store …`: what findall remembers, shown, forgotten, taken along.

mod correct;
mod settings;
mod show;
mod travel;

use clap::{Args, Subcommand};
use findall::Cache;
use findall_store::{Forget, Store};

use crate::config::Config;
use crate::config::layer::Layer;
use crate::failure::{Failure, Outcome};
use crate::output::Output;
use crate::{meaning, remember};

/// Arguments of `findall store`.
#[derive(Debug, Args)]
pub struct StoreArgs {
    /// The store: a file, or postgres://… [default: store.db among your data]
    #[arg(long, global = true, value_name = "PLACE")]
    store: Option<String>,

    #[command(subcommand)]
    verb: StoreVerb,
}

/// What can be done with it.
#[derive(Debug, Subcommand)]
enum StoreVerb {
    /// Say where it is and how much it holds
    Status(show::StatusArgs),
    /// Show the questions most often asked about a page
    Top(show::TopArgs),
    /// Show questions of all pages that ask something similar
    Similar(show::SimilarArgs),
    /// Say which words of a file answer a question, or do not; it holds from the next question on
    Correct(correct::CorrectArgs),
    /// Delete what is remembered of pages, of a question, or all of it, and the cache of texts
    Forget(ForgetArgs),
    /// Write everything, or corrections as training data, as JSON Lines
    Export(travel::ExportArgs),
    /// Take in what export wrote; doing it twice changes nothing
    Import(travel::ImportArgs),
    /// Show or change what may be remembered and shared
    Settings(settings::SettingsArgs),
}

/// Arguments of `findall store forget`.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("what").required(true).multiple(true))]
struct ForgetArgs {
    /// A page: its address, its file, or a glob such as *.bank.example
    #[arg(long, value_name = "PAGE", group = "what")]
    page: Option<String>,

    /// A question, of one page with --page, else of all
    #[arg(long, value_name = "QUESTION", group = "what")]
    question: Option<String>,

    /// All pages, questions, answers and corrections; settings stay
    #[arg(long, group = "what", conflicts_with_all = ["page", "question"])]
    everything: bool,
}

/// Does it.
pub fn run(args: StoreArgs) -> Result<Outcome, Failure> {
    let config = Config::read(Layer { store: args.store, ..Layer::default() })?;
    let store = remember::open(&config)?;
    match args.verb {
        StoreVerb::Status(args) => show::status(&*store, &args),
        StoreVerb::Top(args) => show::top(&*store, &args),
        StoreVerb::Similar(args) => show::similar(&*store, &args, config),
        StoreVerb::Correct(args) => correct::run(&*store, &args, &config),
        StoreVerb::Forget(args) => forget(&*store, &args),
        StoreVerb::Export(args) => travel::export(&*store, &args),
        StoreVerb::Import(args) => travel::import(&*store, &args),
        StoreVerb::Settings(args) => settings::run(&*store, &args),
    }
}

/// Forgets; exit 1 when there was nothing to forget.
fn forget(store: &dyn Store, args: &ForgetArgs) -> Result<Outcome, Failure> {
    let page = args.page.as_deref().map(remember::page_key);
    let normalised = args.question.as_deref().map(findall::ask::question::normalise);
    let what = match (&normalised, &page) {
        (Some(normalised), page) => Forget::Question { normalised, page: page.as_deref() },
        (None, Some(page)) => Forget::Pages(page),
        (None, None) => Forget::Everything,
    };
    let gone = store.forget(what).map_err(remember::failed)?;
    // What was worked out about texts cannot be told apart by page.
    if let Some(folder) = meaning::cache_folder() {
        let cleared = Cache::new(&folder).clear();
        cleared
            .map_err(|error| Failure::Verb(format!("{}: {error}; delete it by hand", folder.display())))?;
    }
    let mut said = format!("forgotten: {} pages, {} questions\n", gone.pages, gone.questions);
    if !gone.wiped {
        said += "another process holds the old file open; traces on the disk are overwritten when it ends\n";
    }
    Output::stdout().write(said.as_bytes())?;
    Ok(if gone.pages + gone.questions > 0 { Outcome::Found } else { Outcome::Nothing })
}
