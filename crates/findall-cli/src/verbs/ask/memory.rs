//! What is remembered about a question to a file: the store's cascade between the engine and the printers. Piped text has
//! no name, and several files are no page: they are read and nothing is kept.

use findall::ask::{Answers, FoundAnswer, Outcome, Place, QuestionKind, Reach, Signals};
use findall::document::Document;
use findall_store::cascade::{Found, Inquiry, ReadNow, Recalled, Source, heard};
use findall_store::{Corrections, Origin as Sayer, Page, Store, StoreError};

use super::{AskArgs, Library};
use crate::config::Config;
use crate::failure::{Failure, complain};
use crate::meaning::{self, Loading};
use crate::printer::answers::Origin;
use crate::remember;

/// What came of a question.
pub struct Came {
    pub answers: Answers,
    /// Where each answer came from, in their order.
    pub origins: Vec<Origin>,
    /// Where all of it came from.
    pub source: Origin,
    /// The other wording under which it was remembered.
    pub asked_as: Option<String>,
    /// What went wrong with the store.
    pub trouble: Option<StoreError>,
}

impl Came {
    /// What the reader found, and nobody else said anything about.
    pub fn read_now(answers: Answers) -> Self {
        let origins = vec![Origin::Reader; answers.answers.len()];
        Self { answers, origins, source: Origin::Reader, asked_as: None, trouble: None }
    }
}

/// The store, and the one document whose questions it remembers.
pub struct Memory<'a> {
    store: Box<dyn Store>,
    document: &'a Document,
    key: String,
    encoder: String,
    reader: String,
    args: &'a AskArgs,
    remember: bool,
}

impl<'a> Memory<'a> {
    /// The memory for this question; `None` when it has none. A usual place that cannot be used is no memory either.
    pub fn open(
        config: &Config,
        args: &'a AskArgs,
        library: &'a Library,
    ) -> Result<Option<Self>, Failure> {
        let ([document], Some(file)) = (library.documents.as_slice(), &library.file) else { return Ok(None) };
        // Other rules make another reading, which is nobody else's.
        let usual = args.threshold.is_none() && args.passages == super::args::PASSAGES && config.typos;
        let remember = config.remember && usual;
        if !remember && (args.fresh || !remember::exists(config)) {
            return Ok(None);
        }
        let store = match remember::open(config) {
            Ok(store) => store,
            Err(error) if config.store.is_none() => {
                complain(&format!("nothing is remembered: {error}"));
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let (encoder, reader) = meaning::encoder_and_reader_ids(config)?;
        let key = remember::file_key(file);
        Ok(Some(Self { store, document, key, encoder, reader, args, remember }))
    }

    /// From memory, else by reading; which may then be remembered.
    pub fn ask(
        &self,
        loading: &Loading,
        read: impl FnOnce() -> Result<Answers, Failure>,
    ) -> Result<Came, Failure> {
        let inquiry = Inquiry {
            store: &*self.store,
            page: Page {
                key: &self.key,
                title: self.document.title(),
                content: self.document.content_hash(),
            },
            text: self.document.text(),
            question: &self.args.question,
            encoder: &self.encoder,
            reader: &self.reader,
            recall: !self.args.fresh,
            remember: self.remember,
        };
        let mut said = Corrections::default();
        let vector = || {
            let vector = loading.engine()?.question_vector(&self.args.question);
            vector.map_err(|error| Failure::Verb(error.to_string()))
        };
        let answered = inquiry.ask(vector, |corrections| {
            said = corrections.clone();
            let answers = read()?;
            let kept = ReadNow::of(&answers).filter(|_| !answers.coverage.stopped);
            Ok::<_, Failure>((answers, kept))
        })?;
        let mut came = match answered.answer {
            Ok(recalled) => self.recalled(&recalled, &answered.source),
            Err(answers) => self.with_persons(answers, &said),
        };
        if let Source::OtherWords { asked, .. } = answered.source {
            came.asked_as = Some(asked);
        }
        came.trouble = answered.trouble;
        Ok(came)
    }

    fn recalled(&self, recalled: &Recalled, source: &Source) -> Came {
        let source = match source {
            Source::OtherWords { .. } => Origin::OtherWords,
            _ => Origin::Remembered,
        };
        let found = &recalled.answers[..recalled.answers.len().min(usize::from(self.args.top))];
        let answers = found.iter().map(|found| self.answer(found)).collect();
        let origins = found.iter().map(|found| match found.origin {
            Sayer::Person => Origin::Person,
            Sayer::Larger => Origin::Larger,
            Sayer::Reader => source,
        });
        let origins = origins.collect();
        let outcome = if found.is_empty() { Outcome::NotAnsweredHere } else { Outcome::Answered };
        let answers = Answers {
            question: self.args.question.clone(),
            corrections: Vec::new(),
            kind: QuestionKind::of(&self.args.question),
            outcome,
            answers,
            evidence: Vec::new(),
            ranking: Vec::new(),
            read: Vec::new(),
            coverage: Reach::default(),
        };
        Came { answers, origins, source, asked_as: None, trouble: None }
    }

    /// What persons said first, then what was read and they did not reject.
    fn with_persons(&self, mut answers: Answers, said: &Corrections) -> Came {
        let read: Vec<Found> = (answers.answers.iter())
            .map(|it| Found { span: it.place.span, confidence: it.confidence, origin: Sayer::Reader })
            .collect();
        let shown = heard(said, self.document.text(), &read);
        let persons = shown.iter().any(|found| found.origin == Sayer::Person);
        let answer = |found: &Found| {
            let read = answers.answers.iter().find(|it| it.place.span == found.span);
            read.cloned().unwrap_or_else(|| self.answer(found))
        };
        let given: Vec<FoundAnswer> = shown.iter().map(answer).take(usize::from(self.args.top)).collect();
        let origin = |found: &Found| match found.origin {
            Sayer::Person => Origin::Person,
            _ => Origin::Reader,
        };
        let origins = shown.iter().map(origin).take(given.len()).collect();
        answers.outcome = match (answers.outcome, given.is_empty()) {
            (Outcome::Answered, true) => Outcome::NotAnsweredHere,
            (_, false) if persons => Outcome::Answered,
            (outcome, _) => outcome,
        };
        answers.answers = given;
        Came { answers, origins, source: Origin::Reader, asked_as: None, trouble: None }
    }

    /// An answer that was not read now, in its sentence.
    fn answer(&self, found: &Found) -> FoundAnswer {
        let sentence = self.document.sentence_at(found.span.start).unwrap_or(found.span);
        FoundAnswer {
            place: Place { document: 0, span: found.span },
            sentence,
            passage: sentence,
            confidence: found.confidence,
            signals: Signals::default(),
            also: Vec::new(),
        }
    }
}
