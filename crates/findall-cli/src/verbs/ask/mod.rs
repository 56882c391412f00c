//! `findall ask QUESTION [PATH]…`: read the documents, ask them all at once, print the answers, surest first. While it
//! reads, the progress line shows the surest answer so far.

mod args;

pub use args::AskArgs;

use std::collections::HashSet;
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use findall::Engine;
use findall::ask::{Answers, AskOptions, AskProgress, Outcome as Asked};
use findall::document::{Document, Format, Limits};
use findall::retrieval::{Ranked, fuse};

use crate::config::Config;
use crate::failure::{Failure, Outcome, complain};
use crate::interrupt;
use crate::meaning;
use crate::output::Output;
use crate::printer::answers::{AnswerPrinter, AskReport, Origin};
use crate::printer::answers_json;
use crate::progress::Progress;
use crate::search::{SearchError, open, open_stdin};
use crate::walk::{Input, Inputs};

/// Text asked at once, in bytes; a folder with more is asked as far as it goes.
const MOST_TEXT: usize = 256_000_000;

/// Passages and sentences of a library that vote for their documents, and documents that are then read.
const LOOKED_AT: usize = 200;
const LIKELIEST: usize = 16;

/// What the documents were read from.
#[derive(Default)]
struct Library {
    paths: Vec<PathBuf>,
    documents: Vec<Document>,
    bytes: usize,
    /// Files that could not be read.
    failed: u64,
    failed_by_name: bool,
    /// Files left out because there was too much text before them.
    left_out: u64,
}

/// Asks.
pub fn run(args: AskArgs) -> Result<Outcome, Failure> {
    let config = Config::read(args.layer())?;
    let walk = args.files.walk(args.paths.clone(), &config);
    let limits = args.files.limits();
    let options = AskOptions {
        top: usize::from(args.top),
        threshold: args.threshold,
        passages: args.passages as usize,
        correct_typos: config.typos,
        ..AskOptions::default()
    };
    interrupt::install();
    let progress = Progress::start();
    let (engine, library) = match &args.library {
        Some(folder) => {
            let engine = meaning::load_with_reader(&config)?;
            let library = Library::likeliest(folder, &engine, &args.question)?;
            (engine, library)
        }
        None => {
            let inputs = walk.inputs()?;
            let (engine, library) = std::thread::scope(|scope| {
                let engine = scope.spawn(|| meaning::load_with_reader(&config));
                let library = Library::read(inputs, args.files.format, &limits, &progress);
                (engine.join(), library)
            });
            let stopped = |_| Failure::Verb("loading the models failed; run findall doctor".into());
            (engine.map_err(stopped)??, library)
        }
    };

    let started = Instant::now();
    let mut first_answer: Option<Duration> = None;
    let mut watch = |now: AskProgress<'_>| {
        if now.best.is_some() && first_answer.is_none() {
            first_answer = Some(started.elapsed());
        }
        progress.say(&so_far(&library, &now));
        let written = match args.json {
            true => {
                progress.aside(|| Output::stdout().write(&answers_json::reading(&now, &library.documents)))
            }
            false => Ok(()),
        };
        // Nobody reads any more.
        if written.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    if args.json {
        Output::stdout().write(&answers_json::begin(&args.question, library.documents.len()))?;
    }
    let answers = engine
        .ask_streaming(&library.documents, &args.question, &options, &mut watch)
        .map_err(|error| Failure::Verb(error.to_string()))?;
    drop(progress);

    let report = AskReport {
        answers: &answers,
        documents: &library.documents,
        paths: &library.paths,
        origin: Origin::ReadNow,
        elapsed: started.elapsed(),
        first_answer,
        failed: library.failed,
        left_out: library.left_out,
    };
    let pretty = args.pretty || std::io::stdout().is_terminal();
    let printed = match args.json {
        true => answers_json::end(&report, args.evidence),
        false => AnswerPrinter { palette: config.palette, pretty, evidence: args.evidence }.print(&report),
    };
    Output::stdout().write(&printed)?;
    if !args.json {
        let tells_reach = args.evidence || (pretty && std::io::stderr().is_terminal());
        remarks(&answers, &library, tells_reach).iter().for_each(|remark| complain(remark));
    }
    Ok(match (library.failed_by_name, answers.outcome) {
        (true, _) => Outcome::Incomplete,
        (false, Asked::Answered) => Outcome::Found,
        (false, _) => Outcome::Nothing,
    })
}

/// What a person should know beside the answers.
fn remarks(answers: &Answers, library: &Library, tells_reach: bool) -> Vec<String> {
    let mut remarks: Vec<String> = answers
        .corrections
        .iter()
        .map(|correction| format!("asked for \"{}\", not \"{}\"", correction.to, correction.from))
        .collect();
    let reach = &answers.coverage;
    match answers.outcome {
        Asked::Answered if tells_reach || reach.stopped => remarks.push(reach.to_string()),
        Asked::Answered => {}
        Asked::NotAnsweredHere => remarks.push(format!("not answered here; {reach}")),
        Asked::YesOrNo => remarks
            .push("yes or no is for you to say; these sentences are the nearest to the question".into()),
        Asked::Counted if answers.answers.is_empty() => {
            remarks.push(format!("no number is stated here, and nothing to count was found; {reach}"));
        }
        Asked::Counted => remarks.push(format!("no number is stated here; these could be counted; {reach}")),
    }
    if library.left_out > 0 {
        remarks.push(format!("{} files left out: too much text at once; name fewer", library.left_out));
    }
    remarks
}

fn so_far(library: &Library, now: &AskProgress<'_>) -> String {
    let read = format!("read {} of {} passages", now.read, now.passages);
    let Some(best) = now.best else { return read };
    let words = best.place.span.slice(library.documents[best.place.document].text()).unwrap_or_default();
    format!("{read}, so far: {words} ({:.2})", best.confidence)
}

impl Library {
    /// The documents of a library that are likeliest to answer: by the words of their passages and, as far as they are
    /// analysed, by the meaning of their sentences.
    fn likeliest(folder: &Path, engine: &Engine, question: &str) -> Result<Self, Failure> {
        let snapshot = findall_library::Library::open(folder)?.snapshot()?;
        let ranking = |files: &mut dyn Iterator<Item = usize>| -> Vec<Ranked> {
            let mut seen = HashSet::new();
            let first = files.filter(|file| seen.insert(*file));
            first.map(|passage| Ranked { passage, score: 0.0 }).collect()
        };
        let found = snapshot.passages(question, LOOKED_AT);
        let by_words = ranking(&mut found.iter().map(|passage| passage.file));
        let (corpus, files) = snapshot.corpus(&engine.made_by(), None)?;
        let vector = engine.question_vector(question).map_err(|error| Failure::Verb(error.to_string()))?;
        let near = corpus.nearest(&vector, LOOKED_AT);
        let places = near.iter().filter_map(|ranked| corpus.place(ranked.passage));
        let by_meaning = ranking(&mut places.map(|(document, _)| files[document]));
        let mut library = Self::default();
        for Ranked { passage: file, .. } in fuse(&[&by_words, &by_meaning]).into_iter().take(LIKELIEST) {
            if let Some(document) = snapshot.document(file) {
                library.bytes += document.text().len();
                library.paths.push(PathBuf::from(&snapshot.files()[file].path));
                library.documents.push(document);
            }
        }
        Ok(library)
    }

    fn read(inputs: Inputs, format: Option<Format>, limits: &Limits, progress: &Progress) -> Self {
        let mut library = Self::default();
        for input in inputs {
            let (path, opened, named) = match input {
                Input::Broken(complaint) => {
                    library.fail(&complaint, false, progress);
                    continue;
                }
                Input::Missing(complaint) => {
                    library.fail(&complaint, true, progress);
                    continue;
                }
                Input::Stdin => (PathBuf::from("<stdin>"), open_stdin(format, limits), true),
                Input::Named(_) | Input::Met(_) if library.bytes > MOST_TEXT => {
                    library.left_out += 1;
                    continue;
                }
                Input::Named(path) => {
                    progress.file_begun(&path);
                    let opened = open(&path, format, limits);
                    (path, opened, true)
                }
                Input::Met(path) => {
                    progress.file_begun(&path);
                    let opened = open(&path, format, limits);
                    (path, opened, false)
                }
            };
            library.add(path, opened, named, progress);
            progress.file_done();
        }
        library
    }

    fn add(
        &mut self,
        path: PathBuf,
        opened: Result<Document, SearchError>,
        named: bool,
        progress: &Progress,
    ) {
        match opened {
            Ok(document) => {
                self.bytes += document.text().len();
                self.paths.push(path);
                self.documents.push(document);
            }
            Err(error) if error.is_binary() && !named => {}
            Err(error) => self.fail(&error.to_string(), named, progress),
        }
    }

    fn fail(&mut self, complaint: &str, named: bool, progress: &Progress) {
        progress.aside(|| complain(complaint));
        self.failed += 1;
        self.failed_by_name |= named;
    }
}
