//! The verbs, one file each: its arguments, and the function that does it. A new verb is a new file, a
//! variant of [`Verb`] and an arm of [`run`].

pub mod ask;
pub mod completions;
pub mod doctor;
pub mod eval;
pub mod find;
#[cfg(feature = "library")]
pub mod index;
#[cfg(feature = "library")]
pub mod like;
pub mod list;
pub mod man;
#[cfg(feature = "network")]
pub mod mcp;
pub mod names;
#[cfg(feature = "network")]
pub mod serve;
pub mod store;

use clap::Subcommand;

#[cfg(not(all(feature = "library", feature = "network")))]
use crate::absent;
use crate::args::RawArgs;
use crate::failure::{Failure, Outcome};
use crate::kb;

/// Everything findall can be told to do.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Find all places that match the query (the default verb)
    Find(find::FindArgs),
    /// Answer a question from documents, or say that they do not
    Ask(ask::AskArgs),
    /// Prepare documents, so that searches by meaning answer at once
    #[cfg(feature = "library")]
    Index(index::IndexArgs),
    /// Find all entities like one shown in a sentence, across documents
    #[cfg(feature = "library")]
    Like(like::LikeArgs),
    /// Not in this build
    #[cfg(not(feature = "library"))]
    #[command(hide = true)]
    Index(absent::AbsentArgs),
    /// Not in this build
    #[cfg(not(feature = "library"))]
    #[command(hide = true)]
    Like(absent::AbsentArgs),
    /// List all friends, relatives, places, members … of somebody in a whole book
    List(list::ListArgs),
    /// Show who and what a book names, with all their names
    Names(names::NamesArgs),
    /// Answer the browser extension, scripts and assistants over HTTP
    #[cfg(feature = "network")]
    Serve(serve::ServeArgs),
    /// Give an assistant tools over standard input and output (Model Context Protocol)
    #[cfg(feature = "network")]
    Mcp(mcp::McpArgs),
    /// Not in this build
    #[cfg(not(feature = "network"))]
    #[command(hide = true)]
    Serve(absent::AbsentArgs),
    /// Not in this build
    #[cfg(not(feature = "network"))]
    #[command(hide = true)]
    Mcp(absent::AbsentArgs),
    /// Say what is present, what is missing, and the command that fixes it
    Doctor(doctor::DoctorArgs),
    /// Build, show, check and combine knowledge bases
    Kb(kb::KbArgs),
    /// Show, forget, export and import what findall remembers
    Store(store::StoreArgs),
    /// Measuring is a program of its own: findall-eval
    #[command(hide = true)]
    Eval(eval::EvalArgs),
    /// Print a completion script for a shell
    Completions(completions::CompletionsArgs),
    /// Print the manual page
    Man(man::ManArgs),
}

/// Does what the command line says.
pub fn run(raw: RawArgs) -> Result<Outcome, Failure> {
    match raw.verb {
        None => find::run(raw.find),
        Some(Verb::Find(args)) => find::run(args),
        Some(Verb::Ask(args)) => ask::run(args),
        #[cfg(feature = "library")]
        Some(Verb::Index(args)) => index::run(args),
        #[cfg(feature = "library")]
        Some(Verb::Like(args)) => like::run(args),
        #[cfg(not(feature = "library"))]
        Some(Verb::Index(args)) => absent::refuse("index", args),
        #[cfg(not(feature = "library"))]
        Some(Verb::Like(args)) => absent::refuse("like", args),
        Some(Verb::List(args)) => list::run(args),
        Some(Verb::Names(args)) => names::run(args),
        #[cfg(feature = "network")]
        Some(Verb::Serve(args)) => serve::run(args),
        #[cfg(feature = "network")]
        Some(Verb::Mcp(args)) => mcp::run(args),
        #[cfg(not(feature = "network"))]
        Some(Verb::Serve(args)) => absent::refuse("serve", args),
        #[cfg(not(feature = "network"))]
        Some(Verb::Mcp(args)) => absent::refuse("mcp", args),
        Some(Verb::Doctor(args)) => doctor::run(args),
        Some(Verb::Kb(args)) => kb::run(args),
        Some(Verb::Store(args)) => store::run(args),
        Some(Verb::Eval(args)) => eval::run(args),
        Some(Verb::Completions(args)) => completions::run(args),
        Some(Verb::Man(args)) => man::run(args),
    }
}
