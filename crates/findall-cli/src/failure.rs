//! How a run ends: the one place where results and errors become exit codes, and the one way a problem is
//! told (`findall: WHAT: WHY AND WHAT TO DO`, a single line on stderr).

use std::io::{self, Write};
use std::process::ExitCode;

/// How a run that did its work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Something matched, or the verb did what it was asked.
    Found,
    /// Nothing matched, or the verb has something to complain about.
    Nothing,
    /// Something that was asked for directly could not be searched; it has been reported.
    Incomplete,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Found => ExitCode::SUCCESS,
            Outcome::Nothing => ExitCode::from(1),
            Outcome::Incomplete => ExitCode::from(2),
        }
    }
}

/// Why a run could not do its work. Every message is one line and says what to do.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The reader of our output went away (`findall … | head`): not a problem, and not worth a word.
    #[error("the reader of the output went away")]
    OutputClosed,
    /// Any other trouble with writing.
    #[error("cannot write the output: {0}")]
    Output(io::Error),
    /// A setting that cannot be used.
    #[error("{origin}: {message}")]
    Setting {
        /// The flag, variable or file that holds it.
        origin: String,
        /// What is wrong with it and what would be right.
        message: String,
    },
    /// The request makes no sense as it stands.
    #[error("{0}")]
    Usage(String),
    /// A verb's own error, already worded for people.
    #[error("{0}")]
    Verb(String),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::OutputClosed,
            _ => Self::Output(error),
        }
    }
}

impl Failure {
    /// Tells the person, and gives the exit code.
    pub fn report(&self) -> ExitCode {
        match self {
            Self::OutputClosed => ExitCode::SUCCESS,
            failure => {
                complain(&failure.to_string());
                ExitCode::from(2)
            }
        }
    }
}

/// One line on stderr. Whatever a file name or a parser put into the message, it stays one line and cannot
/// drive the terminal. When stderr itself is closed there is nobody left to tell.
pub fn complain(message: &str) {
    let line: String = message.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let _ = writeln!(io::stderr(), "findall: {line}");
}
