//! The `findall` command. Arguments enter; matches leave on stdout, problems on stderr, and an exit code says
//! which it was: 0 something matched, 1 nothing did, 2 something went wrong, 130 interrupted.

mod absent;
mod args;
mod book;
mod config;
mod corrections;
mod failure;
mod hit;
mod interrupt;
mod kb;
#[cfg(feature = "library")]
mod library;
mod llm;
mod meaning;
mod output;
mod printer;
mod progress;
mod remember;
mod resources;
mod search;
mod spelling;
mod stdin;
mod verbs;
mod walk;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let raw = args::RawArgs::parse_from(spelling::modernise(std::env::args_os()));
    config::set_offline(raw.offline);
    match verbs::run(raw) {
        Ok(outcome) => outcome.into(),
        Err(failure) => failure.report(),
    }
}
