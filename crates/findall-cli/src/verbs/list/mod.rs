//! `findall list BOOK --subject S --relation R`: a long, complete list of objects from a whole book, each with the
//! passages that speak for it.
//!
//! What was worked out is kept: names and vectors of the book as they are found, lists as they are done. A run that was
//! stopped goes on where it was when it is started again.

mod args;
mod html;
mod kept;
mod report;

use std::sync::Arc;

use findall::Document;
use findall::ask::Reader;
use findall::chat::ChatModel;
use findall::list::{Book, Helpers, LargerListModel, Relation, Scrutiny, Stage};
use findall::names::Cast;

use self::args::Form;
pub use self::args::ListArgs;
use self::kept::KeptLists;
use self::report::{ListReport, table};
use crate::book;
use crate::config::Config;
use crate::failure::{Failure, Outcome, complain};
use crate::interrupt;
use crate::output::Output;
use crate::progress::Progress;

/// Lists; exit 1 when nothing was accepted, 2 when a list is partial.
pub fn run(args: ListArgs) -> Result<Outcome, Failure> {
    let mut relations: Vec<Relation> = Vec::new();
    for words in &args.relation {
        relations.push(Relation::read(words).map_err(|error| Failure::Usage(error.to_string()))?);
    }
    args.options(&Relation::Parent)?;
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
    let run = Run { args: &args, config: &config, document: &document, larger, kept: &kept };
    let mut reports = run.load_all_kept(&relations)?;
    let mut failure = None;
    if reports.is_empty() {
        // What is done when a larger model gives up is shown all the same.
        match run.lists(&relations, &mut reports) {
            Err(alone) if reports.is_empty() => return Err(alone),
            done => failure = done.err(),
        }
    }
    let out = match args.form() {
        Form::Table => reports.iter().map(|report| table(report, args.all)).collect::<Vec<_>>().join("\n"),
        Form::Json => reports.iter().map(|report| report.json() + "\n").collect(),
        Form::Html => html::page(&reports, &document, &args.book, args.all),
    };
    Output::stdout().write(out.as_bytes())?;
    if let Some(model) = &model {
        complain(&args.llm.cost(&model.usage()));
    }
    for report in &reports {
        if let Some(why) = &report.partial {
            complain(&format!("{} · {}: partial: {why}", report.subject, report.relation));
        }
    }
    if let Some(failure) = &failure {
        complain(&failure.to_string());
    }
    let any = reports.iter().any(|report| report.objects.iter().any(|object| object.accepted));
    let partial = failure.is_some() || reports.iter().any(|report| report.partial.is_some());
    Ok(match (partial, any) {
        (true, _) => Outcome::Incomplete,
        (false, true) => Outcome::Found,
        (false, false) => Outcome::Nothing,
    })
}

/// One run over a book.
struct Run<'r> {
    args: &'r ListArgs,
    config: &'r Config,
    document: &'r Document,
    larger: Option<LargerListModel<'r>>,
    kept: &'r KeptLists,
}

impl Run<'_> {
    /// Every list that is asked for, if all were made before: then nothing needs to be loaded. Else none.
    fn load_all_kept(&self, relations: &[Relation]) -> Result<Vec<ListReport>, Failure> {
        let mut reports = Vec::new();
        for subject in &self.args.subject {
            for relation in relations {
                match self.kept.get(subject, relation, &self.args.options(relation)?) {
                    Some(report) => reports.push(report),
                    None => return Ok(Vec::new()),
                }
            }
        }
        Ok(reports)
    }

    fn lists(&self, relations: &[Relation], reports: &mut Vec<ListReport>) -> Result<(), Failure> {
        let failed = |error: findall::encode::ModelError| Failure::Verb(error.to_string());
        let engine = book::engine(self.config)?;
        let progress = Progress::start();
        let mut tell = book::report_stages(&progress, self.document);
        let cast = engine.cast(self.document, &mut tell).map_err(failed)?;
        let subjects: Vec<(usize, &str)> = (self.args.subject.iter())
            .map(|name| self.subject(&cast, name).map(|number| (number, name.as_str())))
            .collect::<Result<_, _>>()?;
        let book = engine.book(self.document, &cast, &mut tell).map_err(failed)?;
        let reader = self.reader(relations)?;
        for (subject, name) in subjects {
            for relation in choose_relations(&book, subject, relations) {
                let options = self.args.options(&relation)?;
                if let Some(report) = self.kept.get(name, &relation, &options) {
                    reports.push(report);
                    continue;
                }
                let mut stage = |stage: Stage| {
                    let _ = tell(stage);
                };
                let helpers = Helpers { reader: reader.as_deref(), larger: self.larger };
                let listing =
                    book.list(subject, &relation, &options, &helpers, &mut stage).map_err(failed)?;
                let report = ListReport::of(&listing, &cast, self.document, &self.args.book);
                if report.partial.is_none() {
                    self.kept.put(name, &relation, &options, &report);
                }
                reports.push(report);
            }
        }
        Ok(())
    }

    fn subject(&self, cast: &Cast, name: &str) -> Result<usize, Failure> {
        cast.find(name).ok_or_else(|| {
            let near = cast.find_near(name);
            let hint = match near.is_empty() {
                true => "findall names shows who is".to_owned(),
                false => format!("did you mean {}?", near.join(", ")),
            };
            Failure::Verb(format!(
                "{}: nobody and nothing called {name:?} is named in it; {hint}",
                self.args.book.display()
            ))
        })
    }

    /// The reader, where a list asks it something.
    fn reader(&self, relations: &[Relation]) -> Result<Option<Arc<dyn Reader>>, Failure> {
        let asks = |relation: &Relation| {
            self.larger.is_none()
                && self
                    .args
                    .options(relation)
                    .is_ok_and(|options| options.read > 0 || options.scrutiny == Scrutiny::Conf)
        };
        if !relations.iter().chain(&[Relation::Parent]).any(asks) {
            return Ok(None);
        }
        crate::meaning::reader(self.config).map(Some)
    }
}

/// The relations asked for, or all that make sense for the subject.
fn choose_relations(book: &Book<'_>, subject: usize, relations: &[Relation]) -> Vec<Relation> {
    use findall::names::CastKind;
    if !relations.is_empty() {
        return relations.to_vec();
    }
    let person = book.cast().members[subject].kind == CastKind::Person;
    Relation::KNOWN.into_iter().filter(|relation| (*relation != Relation::Member) == person).collect()
}
