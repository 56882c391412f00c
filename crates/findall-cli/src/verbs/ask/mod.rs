//! `findall ask QUESTION [PATH]…`: what is remembered of a file is shown at once; else the documents are read, asked all at
//! once, and the answers printed, surest first. While it reads, the progress line shows the surest answer so far.

mod args;
mod memory;
mod sources;

pub use args::AskArgs;

use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use findall::ask::{AskProgress, Outcome as Asked};
use findall::chat::ChatModel;
use findall_service::ask::{AnswerOrigin, Inquiry, InquiryOutcome};

use self::memory::FileMemory;
use self::sources::Sources;
use crate::absent::Part;
use crate::config::Config;
use crate::failure::{Failure, Outcome, complain};
use crate::interrupt;
use crate::meaning::LoadingEngine;
use crate::output::Output;
use crate::printer::answers::{AnswerPrinter, AskReport};
use crate::printer::answers_json;
use crate::progress::Progress;

pub fn run(args: AskArgs) -> Result<Outcome, Failure> {
    if args.source.library.is_some() {
        Part::Library.require("findall ask --library")?;
    }
    let config = Config::read(args.layer())?;
    let model = args.llm.model(&config)?;
    let walk = args.files.walk.walk(args.paths.clone(), &config);
    interrupt::install();
    let progress = Progress::start();
    // A list is find's to answer, and find remembers its own verdicts.
    let loading = LoadingEngine::start(config.clone(), args.query(&config).wants_list());
    let sources = match &args.source.library {
        #[cfg(feature = "library")]
        Some(folder) => Sources::from_library(folder, loading.engine()?, &args.question)?,
        _ => Sources::read(walk.inputs()?, args.files.format, &args.files.read_options(), &progress),
    };
    let run =
        AskRun { args: &args, config: &config, loading: &loading, sources: &sources, progress: &progress };
    let asked = run.ask(model.as_ref().map(|model| model as &dyn ChatModel))?;
    drop(progress);
    match &asked.answered.larger {
        Some(Ok(usage)) => complain(&args.llm.cost(usage)),
        Some(Err(error)) => complain(&format!("the reader answers alone: {error}")),
        None => {}
    }
    report(&args, &config, &sources, &asked)?;
    Ok(match (sources.failed_by_name, asked.answered.answers.outcome) {
        (true, _) => Outcome::Incomplete,
        (false, Asked::Answered) => Outcome::Found,
        (false, _) => Outcome::Nothing,
    })
}

/// One run of ask, with its documents open.
struct AskRun<'r> {
    args: &'r AskArgs,
    config: &'r Config,
    loading: &'r LoadingEngine,
    sources: &'r Sources,
    progress: &'r Progress,
}

/// What came of a run, and when.
struct TimedAnswers {
    answered: InquiryOutcome,
    first_answer: Option<Duration>,
    elapsed: Duration,
}

impl AskRun<'_> {
    /// Asks what is remembered, then the reader, then the larger model.
    fn ask(&self, larger: Option<&dyn ChatModel>) -> Result<TimedAnswers, Failure> {
        let Self { args, loading, sources, progress, .. } = self;
        let started = Instant::now();
        if args.output.json {
            Output::stdout().write(&answers_json::begin(&args.question, sources.documents.len()))?;
        }
        let query = args.query(self.config);
        let options = query.reading_options();
        let mut first_answer: Option<Duration> = None;
        let read = |_: &_| {
            let mut watch = |now: AskProgress<'_>| {
                if now.best.is_some() && first_answer.is_none() {
                    first_answer = Some(started.elapsed());
                }
                self.show_progress(&now)
            };
            let engine = loading.engine()?;
            let answers = engine.ask_streaming(&sources.documents, &args.question, &options, &mut watch);
            answers.map_err(|error| Failure::Verb(error.to_string()))
        };
        let memory = FileMemory::open(self.config, args, sources)?;
        let inquiry = Inquiry {
            query,
            documents: &sources.documents,
            memory: memory.as_ref().map(FileMemory::of_question),
            larger,
            before_larger: &|| progress.say("asking the larger model"),
        };
        let encode = || {
            let vector = loading.engine()?.question_vector(&args.question);
            vector.map_err(|error| Failure::Verb(error.to_string()))
        };
        let answered = inquiry.ask(!args.fresh, &encode, read)?;
        Ok(TimedAnswers { answered, first_answer, elapsed: started.elapsed() })
    }

    /// Shows how far reading is; stops it when nobody reads what is written.
    fn show_progress(&self, now: &AskProgress<'_>) -> ControlFlow<()> {
        self.progress.say(&describe_progress(self.sources, now));
        let event = || Output::stdout().write(&answers_json::reading(now, &self.sources.documents));
        let written = if self.args.output.json { self.progress.run_aside(event) } else { Ok(()) };
        if written.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Prints the answers, and beside them what a person should know.
fn report(args: &AskArgs, config: &Config, sources: &Sources, asked: &TimedAnswers) -> Result<(), Failure> {
    let answered = &asked.answered;
    let report = AskReport {
        answered,
        documents: &sources.documents,
        paths: &sources.paths,
        elapsed: asked.elapsed,
        first_answer: asked.first_answer,
        failed: sources.failed,
        left_out: sources.left_out,
    };
    let pretty = args.style.pretty || std::io::stdout().is_terminal();
    let printed = match args.output.json {
        true => answers_json::end(&report, args.evidence),
        false => AnswerPrinter { palette: config.palette, pretty, evidence: args.evidence }.print(&report),
    };
    Output::stdout().write(&printed)?;
    if let Some(trouble) = &answered.trouble {
        complain(&format!("answered without what is remembered: {trouble}"));
    }
    if !args.output.json {
        let tells_reach = args.evidence || (pretty && std::io::stderr().is_terminal());
        remarks(answered, sources, tells_reach).iter().for_each(|remark| complain(remark));
    }
    Ok(())
}

/// What a person should know beside the answers.
fn remarks(answered: &InquiryOutcome, sources: &Sources, tells_reach: bool) -> Vec<String> {
    let answers = &answered.answers;
    let mut remarks: Vec<String> = answers
        .corrections
        .iter()
        .map(|correction| format!("asked for \"{}\", not \"{}\"", correction.to, correction.from))
        .collect();
    let remembered = matches!(answered.source, AnswerOrigin::Remembered | AnswerOrigin::OtherWords);
    let reach = &answers.coverage;
    match answers.outcome {
        Asked::Answered if remembered => {}
        Asked::Answered if tells_reach || reach.stopped => remarks.push(reach.to_string()),
        Asked::Answered => {}
        Asked::Guessed if remembered => remarks.push("only a guess, as before; --fresh reads again".into()),
        Asked::Guessed => remarks.push(format!("only a guess: nothing here answers for sure; {reach}")),
        Asked::NotAnsweredHere if remembered => {
            remarks.push("not answered here, as was found before; --fresh reads again".into());
        }
        Asked::NotAnsweredHere => remarks.push(format!("not answered here; {reach}")),
        Asked::YesOrNo => remarks
            .push("yes or no is for you to say; these sentences are the nearest to the question".into()),
        Asked::Counted if answers.answers.is_empty() => {
            remarks.push(format!("no number is stated here, and nothing to count was found; {reach}"));
        }
        Asked::Counted => remarks.push(format!("no number is stated here; these could be counted; {reach}")),
    }
    if sources.left_out > 0 {
        remarks.push(format!("{} files left out: too much text at once; name fewer", sources.left_out));
    }
    remarks
}

fn describe_progress(sources: &Sources, now: &AskProgress<'_>) -> String {
    let read = format!("read {} of {} passages", now.read, now.passages);
    let Some(best) = now.best else { return read };
    let words = best.place.span.slice(sources.documents[best.place.document].text()).unwrap_or_default();
    format!("{read}, so far: {words} ({:.2})", best.confidence)
}
