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

use std::path::PathBuf;

use clap::{Args, Subcommand};
use findall::knowledge::KnowledgeBase;
use findall_models::places::Artifact;

#[cfg(not(feature = "builder"))]
use crate::absent;
use crate::args::{JsonArgs, KnowledgeArgs};
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

/// Opens what was named, or the base that ships.
fn open(args: &BaseArgs) -> Result<KnowledgeBase, Failure> {
    open_named(&args.knowledge.kb)
}

fn open_named(named: &[PathBuf]) -> Result<KnowledgeBase, Failure> {
    let verb = |error: findall::knowledge::KnowledgeError| Failure::Verb(error.to_string());
    if !named.is_empty() {
        let files = resources::knowledge_files(named).unwrap_or_else(|_| named.to_owned());
        return KnowledgeBase::open_layers(&files).map(correct::apply).map_err(verb);
    }
    let path = Artifact::KnowledgeBase
        .locate(None)
        .or_else(|| Artifact::KnowledgeBase.places(None).pop())
        .ok_or_else(|| Failure::Usage("name a knowledge base: --kb FILE".into()))?;
    KnowledgeBase::open(path).map(correct::apply).map_err(verb)
}

#[cfg(all(test, feature = "builder"))]
mod tests;
