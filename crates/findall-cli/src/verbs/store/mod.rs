//! `findall store …`: what findall remembers, shown, forgotten, taken along.

mod correct;
mod forget;
mod settings;
mod show;
mod travel;

use clap::{Args, Subcommand};

use crate::args::StorePlaceArgs;
use crate::config::Config;
use crate::config::layer::Layer;
use crate::failure::{Failure, Outcome};
use crate::remember;

/// Arguments of `findall store`.
#[derive(Debug, Args)]
pub struct StoreArgs {
    #[command(flatten)]
    store: StorePlaceArgs,

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
    /// Delete what is remembered of pages, of a question, or all of it; the cache of texts, and from the library too
    Forget(forget::ForgetArgs),
    /// Write everything, or corrections as training data, as JSON Lines
    Export(travel::ExportArgs),
    /// Take in what export wrote; doing it twice changes nothing
    Import(travel::ImportArgs),
    /// Show or change what may be remembered and shared
    Settings(settings::SettingsArgs),
}

/// Does it.
pub fn run(args: StoreArgs) -> Result<Outcome, Failure> {
    let flags = match &args.verb {
        StoreVerb::Similar(args) => args.models.layer(),
        _ => Layer::default(),
    };
    let config = Config::read(flags.or(args.store.layer()))?;
    let store = remember::open(&config)?;
    match args.verb {
        StoreVerb::Status(args) => show::status(&*store, &args),
        StoreVerb::Top(args) => show::top(&*store, &args),
        StoreVerb::Similar(args) => show::similar(&*store, &args, &config),
        StoreVerb::Correct(args) => correct::run(&*store, &args, &config),
        StoreVerb::Forget(args) => forget::run(&*store, &args),
        StoreVerb::Export(args) => travel::export(&*store, &args),
        StoreVerb::Import(args) => travel::import(&*store, &args),
        StoreVerb::Settings(args) => settings::run(&*store, &args),
    }
}
