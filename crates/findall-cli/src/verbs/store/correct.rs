//! A person's word about an answer: which words of a file answer a question, or do not. It holds from the next question on.

use std::path::PathBuf;

use clap::Args;
use findall::ask::question::normalise;
use findall::document::{Document, ReadOptions};
use findall::encode::TextKind;
use findall_store::{Feedback, Page, Question, Selector, Store, Vector, Verdict, WriteOutcome, now};

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
    let page = Page { key: &key, title: document.title(), content: document.content_hash() };
    let normalised = normalise(&args.question);
    // Without a vector the correction holds for this wording only; that is no reason to refuse it.
    let encoder = meaning::encoder(config).ok();
    let vector = encoder.as_ref().and_then(|encoder| {
        let encoded = encoder.encode(&[args.question.as_str()], TextKind::Query).ok()?;
        Some((encoder.id().to_owned(), encoded.into_iter().next()?.pooled))
    });
    let known = store.recall_exact(&page, &normalised, None).map_err(store_failure)?;
    let known: Vec<Selector> = known.into_iter().flat_map(|it| it.answers).map(|it| it.selector).collect();
    let verdicts =
        (args.wrong.iter().map(|words| (false, words))).chain(args.right.iter().map(|words| (true, words)));
    let mut said = String::new();
    for (right, words) in verdicts {
        let selector = args.place(&document, &known, words)?;
        let passage = document.sentence_at(selector.start as usize).and_then(|it| it.slice(document.text()));
        let recorded = store.record_feedback(&Feedback {
            page,
            question: Question { text: &args.question, normalised: &normalised },
            vector: vector.as_ref().map(|(encoder, values)| Vector { encoder, values }),
            verdict: if right { Verdict::Right(selector) } else { Verdict::Wrong(selector) },
            passage: passage.unwrap_or_default(),
            at: now(),
        });
        match recorded.map_err(store_failure)? {
            WriteOutcome::Kept(_) if right => {
                said += &format!("right from now on: {}\n", terminal::to_safe_line(words))
            }
            WriteOutcome::Kept(_) => {
                said += &format!("wrong from now on: {}\n", terminal::to_safe_line(words))
            }
            WriteOutcome::Refused(why) => {
                return Err(Failure::Verb(format!(
                    "not kept: {why}; findall store settings shows and changes that"
                )));
            }
        }
    }
    Output::stdout().write(said.as_bytes())?;
    Ok(Outcome::Found)
}

impl CorrectArgs {
    /// Where the words stand: by the line that was named, else where they were given as an answer, else first.
    fn place(&self, document: &Document, known: &[Selector], words: &str) -> Result<Selector, Failure> {
        let words = words.trim();
        let given = known.iter().find(|known| known.quote.trim() == words).filter(|_| self.line.is_none());
        let line = self.line.map_or(0, |line| line_start(document.text(), line));
        let bare = Selector { quote: words.to_owned(), start: line as u64, ..Selector::default() };
        let span = given.unwrap_or(&bare).find(document.text()).filter(|_| !words.is_empty());
        let selector = span.and_then(|span| Selector::of(document.text(), span));
        selector.ok_or_else(|| {
            let file = self.file.display();
            Failure::Usage(format!(
                "{file}: \"{words}\" does not stand there; copy the words as the text has them"
            ))
        })
    }
}

/// Byte at which a line begins, counted from 1; the end when there are fewer.
fn line_start(text: &str, line: usize) -> usize {
    let mut starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
    starts.nth(line.saturating_sub(1)).unwrap_or(text.len())
}
