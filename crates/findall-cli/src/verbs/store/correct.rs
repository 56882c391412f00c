//! A person's word about an answer: which words of a file answer a question, or do not. It holds from the next question on.

use std::path::PathBuf;

use clap::Args;
use findall::document::ReadOptions;
use findall_service::feedback::{AnswerVerdict, AnsweredQuestion, FeedbackError};
use findall_service::questions::encode_question;
use findall_store::{Store, Vector};

use crate::config::Config;
use crate::failure::{Failure, Outcome};
use crate::meaning;
use crate::output::Output;
use crate::printer::terminal;
use crate::remember::{file_key, store_failure};
use crate::search::open;

/// Arguments of `findall store correct`.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("verdict").required(true).multiple(true))]
pub struct CorrectArgs {
    /// The file that was asked
    file: PathBuf,

    /// The question
    question: String,

    /// These words of the file answer it
    #[arg(long, value_name = "WORDS", group = "verdict")]
    right: Vec<String>,

    /// These words of the file do not
    #[arg(long, value_name = "WORDS", group = "verdict")]
    wrong: Vec<String>,

    /// Mean the words on or nearest to this line [default: where the answer was found, else their first place]
    #[arg(long, value_name = "N")]
    line: Option<usize>,
}

/// Keeps it.
pub fn run(store: &dyn Store, args: &CorrectArgs, config: &Config) -> Result<Outcome, Failure> {
    let document =
        open(&args.file, None, &ReadOptions::default()).map_err(|error| Failure::Verb(error.to_string()))?;
    let path = std::fs::canonicalize(&args.file);
    let key = file_key(&path.map_err(|error| Failure::Verb(format!("{}: {error}", args.file.display())))?);
    // Without a vector the correction holds for this wording only; that is no reason to refuse it.
    let encoder = meaning::encoder(config).ok();
    let vector = encoder.as_ref().and_then(|encoder| {
        Some((encoder.id().to_owned(), encode_question(&**encoder, &args.question).ok()?))
    });
    let answered = AnsweredQuestion {
        store,
        key: &key,
        title: document.title(),
        document: &document,
        question: &args.question,
        vector: vector.as_ref().map(|(encoder, values)| Vector { encoder, values }),
    };
    let wrong = args.wrong.iter().map(|words| (AnswerVerdict::Wrong, words));
    let right = args.right.iter().map(|words| (AnswerVerdict::Right, words));
    let mut said = String::new();
    for (verdict, words) in wrong.chain(right) {
        let near = args.line.map(|line| line_start(document.text(), line));
        let span = answered.locate(words, near);
        let recorded = span.and_then(|span| answered.record(span, verdict));
        recorded.map_err(|error| args.explain(error, words))?;
        let name = match verdict {
            AnswerVerdict::Right => "right",
            AnswerVerdict::Wrong => "wrong",
        };
        said += &format!("{name} from now on: {}\n", terminal::to_safe_line(words));
    }
    Output::stdout().write(said.as_bytes())?;
    Ok(Outcome::Found)
}

impl CorrectArgs {
    /// Why a person's word about these words was not kept.
    fn explain(&self, error: FeedbackError, words: &str) -> Failure {
        match error {
            FeedbackError::Unreadable => Failure::Usage(format!(
                "{}: \"{}\" does not stand there; copy the words as the text has them",
                self.file.display(),
                words.trim()
            )),
            FeedbackError::Refused(why) => {
                Failure::Verb(format!("not kept: {why}; findall store settings shows and changes that"))
            }
            FeedbackError::Store(error) => store_failure(error),
        }
    }
}

/// Byte at which a line begins, counted from 1; the end when there are fewer.
fn line_start(text: &str, line: usize) -> usize {
    let mut starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
    starts.nth(line.saturating_sub(1)).unwrap_or(text.len())
}
