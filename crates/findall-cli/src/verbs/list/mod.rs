//! `findall list BOOK --subject S --relation R`: a long, complete list of objects from a whole book, each with the
//! passages that speak for it.
//!
//! What was worked out is kept: names and vectors of the book as they are found, lists as they are done. A run that was
//! stopped goes on where it was when it is started again.

mod args;
mod html;
mod kept;
mod report;

use std::ops::ControlFlow;
use std::path::Path;

use findall::Document;
use findall::chat::ChatModel;
use findall::list::{LargerListModel, Listing, Stage};
use findall::names::Cast;
use findall_service::list::{ListError, ListRequest, ListSink, ListSource, ListTask};
use findall_wire::lines::ListLine;

use self::args::Form;
pub use self::args::ListArgs;
use self::kept::KeptLists;
use crate::book;
use crate::config::Config;
use crate::failure::{Failure, Outcome, complain};
use crate::interrupt;
use crate::meaning;
use crate::output::Output;
use crate::progress::Progress;

/// Lists; exit 1 when nothing was accepted, 2 when a list is partial.
pub fn run(args: ListArgs) -> Result<Outcome, Failure> {
    let request = args.request()?;
    let config = args.engine.config()?;
    let model = args.llm.model(&config)?;
    let document = book::open(&args.book)?;
    interrupt::install();
    let title = args.title.clone().or_else(|| document.title().map(str::to_owned)).unwrap_or_else(|| {
        args.book.file_stem().map(|stem| stem.to_string_lossy().replace(['-', '_'], " ")).unwrap_or_default()
    });
    let larger = model.as_ref().map(|model| LargerListModel {
        model: model as &dyn ChatModel,
        title: &title,
        prompting: args.prompting(),
    });
    let kept = KeptLists::new(&config, &document, larger.as_ref());
    let mut lists = load_all_kept(&request, &kept)?;
    let mut failure = None;
    if lists.is_empty() {
        // What is done when a larger model gives up is shown all the same.
        let book = NamedBook { path: &args.book, document: &document };
        match make_lists(&request, &config, &book, larger, &kept, &mut lists) {
            Err(alone) if lists.is_empty() => return Err(alone),
            done => failure = done.err(),
        }
    }
    let out = match args.form() {
        Form::Table => lists.iter().map(|list| report::table(list, args.all)).collect::<Vec<_>>().join("\n"),
        Form::Json => lists.iter().map(|list| report::to_json(list) + "\n").collect(),
        Form::Html => html::page(&lists, &document, &args.book, args.all),
    };
    Output::stdout().write(out.as_bytes())?;
    if let Some(model) = &model {
        complain(&args.llm.cost(&model.usage()));
    }
    for list in &lists {
        if let Some(why) = &list.partial {
            complain(&format!("{} · {}: partial: {why}", list.subject, list.relation));
        }
    }
    if let Some(failure) = &failure {
        complain(&failure.to_string());
    }
    let any = lists.iter().any(|list| list.objects.iter().any(|object| object.accepted));
    let partial = failure.is_some() || lists.iter().any(|list| list.partial.is_some());
    Ok(match (partial, any) {
        (true, _) => Outcome::Incomplete,
        (false, true) => Outcome::Found,
        (false, false) => Outcome::Nothing,
    })
}

/// Every list that is asked for, if all were made before: then nothing needs to be loaded. Else none.
fn load_all_kept(request: &ListRequest, kept: &KeptLists) -> Result<Vec<ListLine>, Failure> {
    let tasks = request.named_tasks().map_err(args::limit_failure)?;
    let lists: Option<Vec<ListLine>> = tasks.iter().map(|task| kept.get(task)).collect();
    Ok(lists.unwrap_or_default())
}

/// A book, and where it lies.
struct NamedBook<'b> {
    path: &'b Path,
    document: &'b Document,
}

fn make_lists(
    request: &ListRequest,
    config: &Config,
    book: &NamedBook<'_>,
    larger: Option<LargerListModel<'_>>,
    kept: &KeptLists,
    lists: &mut Vec<ListLine>,
) -> Result<(), Failure> {
    let mut engine = book::engine(config)?;
    if request.asks_reader() {
        engine = engine.with_reader(meaning::reader(config)?);
    }
    let progress = Progress::start();
    let mut report_stage = book::report_stages(&progress, book.document);
    let mut sink = LineSink { book, kept, lists, report_stage: &mut report_stage };
    let source = ListSource { engine: &engine, document: book.document, larger };
    request.make_lists(&source, &mut sink).map_err(|error| match error {
        ListError::Limit(limit) => args::limit_failure(limit),
        ListError::UnknownSubject(unknown) => {
            let unknown = unknown.describe("in it", "findall names shows who is");
            Failure::Verb(format!("{}: {unknown}", book.path.display()))
        }
        error => Failure::Verb(error.to_string()),
    })
}

/// Gathers lists as they are shown, and keeps what is whole.
struct LineSink<'s> {
    book: &'s NamedBook<'s>,
    kept: &'s KeptLists,
    lists: &'s mut Vec<ListLine>,
    report_stage: &'s mut dyn FnMut(Stage) -> ControlFlow<()>,
}

impl ListSink for LineSink<'_> {
    fn take_kept(&mut self, task: &ListTask<'_>) -> bool {
        let kept = self.kept.get(task);
        let found = kept.is_some();
        self.lists.extend(kept);
        found
    }

    fn take_made(&mut self, task: &ListTask<'_>, listing: Listing, cast: &Cast) {
        let book = self.book.path.display().to_string();
        let list = ListLine {
            partial: listing.larger.as_ref().and_then(report::explain_partial),
            ..ListLine::of(&listing, cast, self.book.document, book)
        };
        if list.partial.is_none() {
            self.kept.put(task, &list);
        }
        self.lists.push(list);
    }

    fn watch(&mut self, stage: Stage) -> ControlFlow<()> {
        (self.report_stage)(stage)
    }
}
