//! `findall kb …`: builds, shows, checks and combines knowledge bases.

#[cfg(feature = "builder")]
pub mod build;
mod combine;
mod correct;
mod dump;
mod find;
mod link;
mod meter;
#[cfg(feature = "builder")]
mod rewrite;
mod show;

use clap::{Args, Subcommand};
use findall::knowledge::KnowledgeBase;

#[cfg(not(feature = "builder"))]
use crate::absent;
use crate::args::{JsonArgs, KnowledgeArgs};
use crate::config::Config;
use crate::failure::{Failure, Outcome};
use crate::resources;

/// Arguments of `findall kb`.
#[derive(Debug, Args)]
pub struct KbArgs {
    #[command(subcommand)]
    verb: KbVerb,
}

/// What can be done with knowledge bases.
#[derive(Debug, Subcommand)]
enum KbVerb {
    /// Build a knowledge base from dumps or from rows you wrote
    #[cfg(feature = "builder")]
    Build(Box<build::BuildArgs>),
    /// Not in this build
    #[cfg(not(feature = "builder"))]
    #[command(hide = true)]
    Build(absent::AbsentArgs),
    /// Say how much a base holds and where it comes from
    Stats(show::StatsArgs),
    /// Show what a name may mean and what is known about it
    Show(show::ShowArgs),
    /// List names that begin as given
    Search(show::SearchArgs),
    /// Write every entity as a line of JSON, to read or to build from again
    Dump(dump::DumpArgs),
    /// List entities of the base that satisfy a query
    Find(find::KbFindArgs),
    /// Make the index that kb find needs (it is made on first use, too)
    Index(find::KbIndexArgs),
    /// Report that what is known about an entity is wrong, or that a name does not mean it
    Report(correct::ReportArgs),
    /// Add or mend an entity, for yourself or in a base of your own
    Add(combine::AddArgs),
    /// List what you reported and added
    Corrections(correct::CorrectionsArgs),
    /// Unite several bases into one file
    #[cfg(feature = "builder")]
    Merge(rewrite::MergeArgs),
    /// Not in this build
    #[cfg(not(feature = "builder"))]
    #[command(hide = true)]
    Merge(absent::AbsentArgs),
    /// Say what layering bases does and where they disagree
    Layer(combine::LayerArgs),
    /// Link the names in a file to entities
    Link(link::LinkArgs),
    /// Check every byte of a base
    Verify(show::VerifyArgs),
}

/// Which base to ask, and how to answer.
#[derive(Debug, Args)]
pub struct BaseArgs {
    #[command(flatten)]
    knowledge: KnowledgeArgs,

    #[command(flatten)]
    output: JsonArgs,
}

/// Does it.
pub fn run(args: KbArgs) -> Result<Outcome, Failure> {
    match args.verb {
        #[cfg(feature = "builder")]
        KbVerb::Build(args) => build::run(*args),
        #[cfg(not(feature = "builder"))]
        KbVerb::Build(args) => absent::refuse("kb build", args),
        KbVerb::Stats(args) => show::stats(&args),
        KbVerb::Show(args) => show::show(&args),
        KbVerb::Search(args) => show::search(&args),
        KbVerb::Dump(args) => dump::run(&args),
        KbVerb::Find(args) => find::find(&args),
        KbVerb::Index(args) => find::index(&args),
        KbVerb::Report(args) => correct::report(&args),
        KbVerb::Add(args) => combine::add(&args),
        KbVerb::Corrections(args) => correct::list(&args),
        #[cfg(feature = "builder")]
        KbVerb::Merge(args) => rewrite::merge(&args),
        #[cfg(not(feature = "builder"))]
        KbVerb::Merge(args) => absent::refuse("kb merge", args),
        KbVerb::Layer(args) => combine::layer(&args),
        KbVerb::Link(args) => link::run(&args),
        KbVerb::Verify(args) => show::verify(&args),
    }
}

/// Opens the base that flags or settings name, or the one that ships.
fn open(args: &BaseArgs) -> Result<KnowledgeBase, Failure> {
    open_configured(&Config::read(args.knowledge.layer())?)
}

fn open_configured(config: &Config) -> Result<KnowledgeBase, Failure> {
    let files = resources::knowledge_files(&config.kb)
        .map_err(|missing| resources::missing_place_failure(&config.place_origins.kb, &missing))?;
    if files.is_empty() {
        return Err(resources::no_knowledge_failure());
    }
    let base = KnowledgeBase::open_layers(&files).map_err(|error| Failure::Verb(error.to_string()))?;
    Ok(correct::apply(base))
}

#[cfg(all(test, feature = "builder"))]
mod tests;
