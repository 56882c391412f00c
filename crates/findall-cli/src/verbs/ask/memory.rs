//! What is remembered about a question to a file: the store's cascade between the engine and the printers. Piped text has
//! no name, and several files are no page: they are read and nothing is kept.

use findall::ask::{Answers, FoundAnswer, Outcome, Place, QuestionKind, Reach, SURE, Signals};
use findall::document::Document;
use findall_store::cascade::{self, Found, Inquiry, Recalled, Source, heard};
use findall_store::{Corrections, Origin as Sayer, Page, Store, StoreError};

use super::{AskArgs, Sources};
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

/// What reading gave now.
pub struct ReadNow {
    pub answers: Answers,
    /// The larger model whose answers these are, by its name, where they are not the reader's.
    pub larger: Option<String>,
}

impl Came {
    /// What was read now, and nobody said anything about.
    pub fn of_reading(read: ReadNow) -> Self {
        let source = if read.larger.is_some() { Origin::Larger } else { Origin::Reader };
        let origins = vec![source; read.answers.answers.len()];
        Self { answers: read.answers, origins, source, asked_as: None, trouble: None }
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
    pub fn open(config: &Config, args: &'a AskArgs, sources: &'a Sources) -> Result<Option<Self>, Failure> {
        let ([document], Some(file)) = (sources.documents.as_slice(), &sources.file) else { return Ok(None) };
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

    /// From memory, else by reading; which may then be remembered. What the reader was not sure of is read again where a
    /// larger model may be asked.
    pub fn ask(
        &self,
        loading: &Loading,
        larger: bool,
        read: impl FnOnce() -> Result<ReadNow, Failure>,
    ) -> Result<Came, Failure> {
        let mut inquiry = Inquiry {
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
        let vector = || {
            let vector = loading.engine()?.question_vector(&self.args.question);
            vector.map_err(|error| Failure::Verb(error.to_string()))
        };
        if larger && inquiry.recall {
            let look = Inquiry { remember: false, ..inquiry };
            let known = look.ask(vector, |_| Ok::<_, Failure>(((), None)))?.answer;
            inquiry.recall = known.is_ok_and(|known| known.answers.first().is_some_and(is_sure));
        }
        let mut said = Corrections::default();
        let answered = inquiry.ask(vector, |corrections| {
            said = corrections.clone();
            let read = read()?;
            let kept = cascade::ReadNow::of(&read.answers).filter(|_| !read.answers.coverage.stopped);
            let kept = kept.map(|kept| cascade::ReadNow { larger: read.larger.clone(), ..kept });
            Ok::<_, Failure>((read, kept))
        })?;
        let mut came = match answered.answer {
            Ok(recalled) => self.recalled(&recalled, &answered.source),
            Err(read) => self.with_persons(read, &said),
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
        let outcome = match (found.is_empty(), recalled.guessed) {
            (true, _) => Outcome::NotAnsweredHere,
            (false, true) => Outcome::Guessed,
            (false, false) => Outcome::Answered,
        };
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
    fn with_persons(&self, read: ReadNow, said: &Corrections) -> Came {
        let source = if read.larger.is_some() { Origin::Larger } else { Origin::Reader };
        let mut answers = read.answers;
        let read: Vec<Found> = (answers.answers.iter())
            .map(|it| Found { span: it.place.span, confidence: it.confidence, origin: Sayer::Reader })
            .collect();
        let shown = heard(said, self.document.text(), &read, answers.outcome == Outcome::Guessed);
        let persons = shown.iter().any(|found| found.origin == Sayer::Person);
        let answer = |found: &Found| {
            let read = answers.answers.iter().find(|it| it.place.span == found.span);
            read.cloned().unwrap_or_else(|| self.answer(found))
        };
        let given: Vec<FoundAnswer> = shown.iter().map(answer).take(usize::from(self.args.top)).collect();
        let origin = |found: &Found| match found.origin {
            Sayer::Person => Origin::Person,
            _ => source,
        };
        let origins = shown.iter().map(origin).take(given.len()).collect();
        answers.outcome = match (answers.outcome, given.is_empty()) {
            (Outcome::Answered | Outcome::Guessed, true) => Outcome::NotAnsweredHere,
            (_, false) if persons => Outcome::Answered,
            (outcome, _) => outcome,
        };
        answers.answers = given;
        Came { answers, origins, source, asked_as: None, trouble: None }
    }

    /// An answer that was not read now, in its sentence.
    fn answer(&self, found: &Found) -> FoundAnswer {
        let sentence = self.document.sentence_at(found.span.start).unwrap_or(found.span);
        FoundAnswer {
            place: Place { document: 0, span: found.span },
            sentence,
            passage: sentence,
            confidence: found.confidence,
            order: 0.0,
            signals: Signals::default(),
            also: Vec::new(),
        }
    }
}

/// What a larger model need not be asked about: a person's word, its own, or what the reader is sure of.
fn is_sure(found: &Found) -> bool {
    found.origin != Sayer::Reader || found.confidence >= SURE
}
