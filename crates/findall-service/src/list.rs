//! Long lists from a whole book: whose and what of enter, every object that the book gives leaves, list by list, each to its
//! [`ListSink`] as soon as it is made. What a list is made with, and what cannot be asked, is decided here.

use std::ops::ControlFlow;

use findall::encode::ModelError;
use findall::list::{Helpers, LargerListModel, ListOptions, Listing, Relation, Scrutiny, Stage};
use findall::names::{Cast, CastKind};
use findall::{Document, Engine};

use crate::find::is_probability;

/// Passages that candidates are taken from where a larger model reads them, which takes seconds a passage.
pub const DEFAULT_PASSAGES_FOR_LARGER: usize = 20;
/// Passages that the reader is asked about where the relation is in a person's own words.
pub const DEFAULT_READ_PASSAGES: usize = 20;

/// How lists are made: what was chosen, and what the relation and the generator are left to decide.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListChoices {
    /// What has one default for all lists.
    pub options: ListOptions,
    /// Passages that candidates are taken from.
    pub top: Option<usize>,
    /// The test that decides.
    pub scrutiny: Option<Scrutiny>,
    /// Passages that the reader is asked about.
    pub read: Option<usize>,
    /// Whether a larger model generates candidates.
    pub by_larger: bool,
}

/// A choice that no list can be made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ListLimit {
    /// The threshold is no probability.
    #[error("must lie between 0 and 1")]
    Threshold,
    /// Nothing is to be retrieved, to be read or to be in a batch.
    #[error("must be at least 1")]
    Passages,
}

impl ListChoices {
    /// How the list of one relation is made.
    pub fn options(&self, relation: &Relation) -> Result<ListOptions, ListLimit> {
        let top = match self.by_larger {
            true => DEFAULT_PASSAGES_FOR_LARGER,
            false => self.options.top,
        };
        let scrutiny = match self.by_larger {
            true => Scrutiny::Thr,
            false => self.options.scrutiny,
        };
        let read = match relation {
            Relation::Free(_) => DEFAULT_READ_PASSAGES,
            _ => self.options.read,
        };
        let options = ListOptions {
            top: self.top.unwrap_or(top),
            scrutiny: self.scrutiny.unwrap_or(scrutiny),
            read: self.read.unwrap_or(read),
            ..self.options.clone()
        };
        if !is_probability(options.threshold) {
            return Err(ListLimit::Threshold);
        }
        match options.pool.min(options.top).min(options.batch) {
            0 => Err(ListLimit::Passages),
            _ => Ok(options),
        }
    }
}

/// What is asked of one book.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListRequest {
    /// Whose: names as the book uses them.
    pub subjects: Vec<String>,
    /// What of; all that fits a subject where none is given.
    pub relations: Vec<Relation>,
    /// What was chosen about how the lists are made.
    pub choices: ListChoices,
}

/// One list that is to be made.
#[derive(Clone, Debug, PartialEq)]
pub struct ListTask<'r> {
    /// Whose, as it was asked.
    pub subject: &'r str,
    /// What stands on the list: whoever is this to the subject.
    pub relation: Relation,
    /// How the list is made.
    pub options: ListOptions,
}

/// A book, and who reads it.
#[derive(Clone, Copy)]
pub struct ListSource<'s> {
    /// With a reader, where the request [asks one](ListRequest::asks_reader).
    pub engine: &'s Engine,
    /// The book that the lists are made from.
    pub document: &'s Document,
    /// Generates candidates in place of tagger and resolver.
    pub larger: Option<LargerListModel<'s>>,
}

/// Who takes lists as they are made.
pub trait ListSink {
    /// Takes a list that it has from before; false where there is none, and the list must be made.
    fn take_kept(&mut self, _task: &ListTask<'_>) -> bool {
        false
    }

    /// Takes a list that was made now.
    fn take_made(&mut self, task: &ListTask<'_>, listing: Listing, cast: &Cast);

    /// Hears where the work stands, and may stop it by breaking.
    fn watch(&mut self, stage: Stage) -> ControlFlow<()>;
}

/// A name that nothing in the book has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownSubject {
    /// As it was asked.
    pub name: String,
    /// Names in the book that are spelt nearly so.
    pub near: Vec<String>,
}

impl UnknownSubject {
    /// One sentence about it: where it was looked for, and what to do where no name is near.
    pub fn describe(&self, place: &str, advice: &str) -> String {
        let hint = match self.near.is_empty() {
            true => advice.to_owned(),
            false => format!("did you mean {}?", self.near.join(", ")),
        };
        format!("nobody and nothing called {:?} is named {place}; {hint}", self.name)
    }
}

/// Why lists were not made.
#[derive(Debug, thiserror::Error)]
pub enum ListError {
    /// They cannot be made so.
    #[error(transparent)]
    Limit(#[from] ListLimit),
    /// The book does not name the subject.
    #[error("{}", .0.describe("there", "use a name as the text has it"))]
    UnknownSubject(UnknownSubject),
    /// A model failed.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// Whoever watched did not want the rest.
    #[error("stopped before all lists were made")]
    Stopped,
}

impl ListRequest {
    /// Every list that is asked for, as far as the book need not be read for that: none where relations are left to it.
    pub fn named_tasks(&self) -> Result<Vec<ListTask<'_>>, ListLimit> {
        let pairs = self
            .subjects
            .iter()
            .flat_map(|subject| self.relations.iter().map(move |relation| (subject, relation)));
        pairs.map(|(subject, relation)| self.task(subject, relation.clone())).collect()
    }

    /// Whether the reader is asked anything.
    pub fn asks_reader(&self) -> bool {
        let asks = |relation: &Relation| {
            let options = self.choices.options(relation);
            options.is_ok_and(|options| options.read > 0 || options.scrutiny == Scrutiny::Conf)
        };
        // Where relations are left to the book, all of them are treated like this one.
        !self.choices.by_larger && self.relations.iter().chain(&[Relation::Parent]).any(asks)
    }

    /// Reads the book and makes every list, one after the other; a subject that it does not name is noticed before the first.
    pub fn make_lists(&self, source: &ListSource<'_>, sink: &mut dyn ListSink) -> Result<(), ListError> {
        let ListSource { engine, document, larger } = *source;
        let mut watched = WatchedSink { sink, is_stopped: false };
        let cast = engine.cast(document, &mut |stage| watched.watch(stage))?;
        watched.check()?;
        let subjects: Vec<usize> = (self.subjects.iter())
            .map(|name| find_subject(&cast, name))
            .collect::<Result<_, UnknownSubject>>()
            .map_err(ListError::UnknownSubject)?;
        let book = engine.book(document, &cast, &mut |stage| watched.watch(stage))?;
        watched.check()?;
        let helpers = Helpers { reader: engine.reader(), larger };
        for (name, subject) in self.subjects.iter().zip(subjects) {
            for relation in self.relations_of(&cast, subject) {
                let task = self.task(name, relation)?;
                if watched.sink.take_kept(&task) {
                    continue;
                }
                let mut watch = |stage: Stage| {
                    let _ = watched.watch(stage);
                };
                let listing = book.list(subject, &task.relation, &task.options, &helpers, &mut watch)?;
                watched.check()?;
                watched.sink.take_made(&task, listing, &cast);
            }
        }
        Ok(())
    }

    fn task<'r>(&self, subject: &'r str, relation: Relation) -> Result<ListTask<'r>, ListLimit> {
        let options = self.choices.options(&relation)?;
        Ok(ListTask { subject, relation, options })
    }

    /// The relations that were asked for, or all that a person, or a group or place, can have.
    fn relations_of(&self, cast: &Cast, subject: usize) -> Vec<Relation> {
        if !self.relations.is_empty() {
            return self.relations.clone();
        }
        let is_person = cast.members[subject].kind == CastKind::Person;
        Relation::KNOWN.into_iter().filter(|relation| (*relation != Relation::Member) == is_person).collect()
    }
}

fn find_subject(cast: &Cast, name: &str) -> Result<usize, UnknownSubject> {
    cast.find(name).ok_or_else(|| UnknownSubject {
        name: name.to_owned(),
        near: cast.find_near(name).into_iter().map(str::to_owned).collect(),
    })
}

/// A sink that remembers that it broke: not every step ends at once.
struct WatchedSink<'s> {
    sink: &'s mut dyn ListSink,
    is_stopped: bool,
}

impl WatchedSink<'_> {
    fn watch(&mut self, stage: Stage) -> ControlFlow<()> {
        let next = self.sink.watch(stage);
        self.is_stopped |= next.is_break();
        next
    }

    fn check(&self) -> Result<(), ListError> {
        if self.is_stopped { Err(ListError::Stopped) } else { Ok(()) }
    }
}
