//! A question to documents enters; its answers leave, each with where it came from: remembered, said by a person, read
//! now, or found by a larger model where the reader was not sure. Only a single document has a memory: several are no page.

use findall::ask::{
    Answers, AskOptions, FoundAnswer, Outcome, Place, QuestionKind, Reach, Signals, ask_larger,
    min_sure_confidence,
};
use findall::built_in::built_in_data_id;
use findall::chat::{ChatError, ChatModel, Usage};
use findall::document::Document;
use findall_store::cascade::{self, FreshReading, LocatedAnswer, LocatedAnswers, Source, apply_corrections};
use findall_store::{Corrections, Origin, Page, Store, StoreError};

use crate::find::is_probability;

/// Most answers that a person at a command line is given, from as many documents as were named.
pub const MAX_ANSWERS: usize = 1000;
/// Most answers of one page: they travel in one response, each with its sentence and all its places.
pub const MAX_PAGE_ANSWERS: usize = 100;
/// Most passages read for one question.
pub const MAX_READ_PASSAGES: usize = 1_000_000;

/// A limit that a question to a page does not keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AskLimit {
    /// Too many answers, or none.
    #[error("must be 1 to {MAX_PAGE_ANSWERS}")]
    Answers,
    /// The threshold is no probability.
    #[error("must lie between 0 and 1")]
    Threshold,
}

/// What a question to one page is asked with; without a word about either, the defaults hold.
pub fn check_page_limits(top: Option<usize>, threshold: Option<f32>) -> Result<(), AskLimit> {
    if threshold.is_some_and(|threshold| !is_probability(threshold)) {
        return Err(AskLimit::Threshold);
    }
    match top {
        Some(top) if !(1..=MAX_PAGE_ANSWERS).contains(&top) => Err(AskLimit::Answers),
        _ => Ok(()),
    }
}

/// A question, and what was said about its answers; where nothing was said, the defaults hold. It alone says how documents
/// are read and how many answers are given, whichever face was asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AskQuery<'a> {
    /// The question as it was typed.
    pub question: &'a str,
    /// Answers given at most, where the face was told how many.
    pub top: Option<usize>,
    /// Most answers that the face gives: a list has as many, where nobody said how many.
    pub most: usize,
    /// Least confidence of an answer, where the face was told one.
    pub threshold: Option<f32>,
    /// How many passages are read at most.
    pub passages: usize,
    /// Whether typing errors in the question are corrected.
    pub correct_typos: bool,
}

impl<'a> AskQuery<'a> {
    /// A question about which nothing was said, to a face that gives so many answers at most.
    pub fn new(question: &'a str, most: usize) -> Self {
        let AskOptions { threshold, passages, correct_typos, .. } = AskOptions::default();
        Self { question, top: None, most, threshold, passages, correct_typos }
    }

    /// Whether the question wants a list: find answers it, and keeps its own verdicts.
    pub fn wants_list(&self) -> bool {
        QuestionKind::of(self.question) == QuestionKind::List
    }

    /// Answers that are given at most: as many as were asked for, else a list whole.
    pub fn max_answers(&self) -> usize {
        let usual = if self.wants_list() { self.most } else { AskOptions::default().top };
        self.top.unwrap_or(usual).min(self.most)
    }

    /// How documents are read. Who wants fewer answers than usual leaves the others to be remembered.
    pub fn reading_options(&self) -> AskOptions {
        let usual = AskOptions::default();
        AskOptions {
            top: usual.top.max(self.top.unwrap_or_default()),
            threshold: self.threshold,
            passages: self.passages,
            correct_typos: self.correct_typos,
            ..usual
        }
    }

    /// Whether the reading may be remembered: by other rules it is another reading, which is nobody else's.
    pub fn is_usual_reading(&self) -> bool {
        let usual = AskOptions::default();
        AskOptions { top: usual.top, ..self.reading_options() } == usual
    }
}

/// Where an answer came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerOrigin {
    /// The reader read for it now.
    Reader,
    /// The reader read for it before.
    Remembered,
    /// The reader read for the same question in other words.
    OtherWords,
    /// A person corrected it.
    Person,
    /// A larger model, which the person allowed.
    Larger,
}

impl AnswerOrigin {
    /// Where an answer came from that is remembered, and by whoever it was found then.
    pub fn of_remembered(origin: Origin) -> Self {
        match origin {
            Origin::Reader => Self::Remembered,
            Origin::Person => Self::Person,
            Origin::Larger => Self::Larger,
        }
    }

    /// The word that programs read.
    pub fn name(self) -> &'static str {
        match self {
            Self::Reader => "reader",
            Self::Remembered => "remembered",
            Self::OtherWords => "similar",
            Self::Person => "person",
            Self::Larger => "llm",
        }
    }

    /// Whether it was worked out now, and not remembered.
    pub fn is_new(self) -> bool {
        matches!(self, Self::Reader | Self::Larger)
    }
}

/// What is remembered about the page.
#[derive(Clone, Copy)]
pub struct AnswerMemory<'a> {
    /// Where it is remembered.
    pub store: &'a dyn Store,
    /// The page's key there.
    pub key: &'a str,
    /// The title under which the page is remembered.
    pub title: Option<&'a str>,
    /// The exact weights of the encoder.
    pub encoder: &'a str,
    /// The exact weights of the reader.
    pub reader: &'a str,
    /// Write what came of it.
    pub remember: bool,
}

/// A question, and all that may help to answer it.
#[derive(Clone, Copy)]
pub struct Inquiry<'a> {
    /// What is to be answered.
    pub query: AskQuery<'a>,
    /// Documents that are asked all at once.
    pub documents: &'a [Document],
    /// What is remembered; nothing is looked up or kept without.
    pub memory: Option<AnswerMemory<'a>>,
    /// Asked where the reader is not sure.
    pub larger: Option<&'a dyn ChatModel>,
    /// Called before the larger model is asked, which takes seconds.
    pub before_larger: &'a dyn Fn(),
}

/// What came of a question.
#[derive(Debug)]
pub struct InquiryOutcome {
    /// The answers, with what was read for them.
    pub answers: Answers,
    /// Where each answer came from, in their order.
    pub origins: Vec<AnswerOrigin>,
    /// Where all of it came from.
    pub source: AnswerOrigin,
    /// The other wording under which it was remembered.
    pub asked_as: Option<String>,
    /// What went wrong with the store; the answer was given without it.
    pub trouble: Option<StoreError>,
    /// What asking the larger model cost, or why it gave nothing; `None` when it was not asked.
    pub larger: Option<Result<Usage, ChatError>>,
}

impl InquiryOutcome {
    /// The answers, each with where it came from.
    pub fn answers_with_origins(&self) -> impl Iterator<Item = (&FoundAnswer, AnswerOrigin)> {
        self.answers.answers.iter().zip(self.origins.iter().copied())
    }
}

/// What was read now.
struct ReadAnswers {
    answers: Answers,
    by_larger: bool,
    larger: Option<Result<Usage, ChatError>>,
}

impl<'a> Inquiry<'a> {
    /// What is remembered, if anything is. Where a larger model may be asked, only what needs no second opinion is known.
    pub fn recall<E>(&self, encode: &dyn Fn() -> Result<Vec<f32>, E>) -> Result<Option<InquiryOutcome>, E> {
        let key = self.reading_key();
        let Some((memory, document)) = self.memory(&key) else { return Ok(None) };
        if !self.is_settled(memory, document, encode)? {
            return Ok(None);
        }
        let inquiry = self.cascade(memory, document, true, memory.remember);
        let answered = inquiry.ask(encode, |_| Ok(((), None)))?;
        Ok(answered.answer.ok().map(|recalled| {
            let recalled = self.answer_from_memory(document, &recalled, answered.source);
            InquiryOutcome { trouble: answered.trouble, ..recalled }
        }))
    }

    /// From memory where `recall` allows it, else by reading; which may then be remembered. `encode` makes the question's
    /// vector, `read` reads the documents, told what persons said about the page.
    pub fn ask<E>(
        &self,
        recall: bool,
        encode: &dyn Fn() -> Result<Vec<f32>, E>,
        read: impl FnOnce(&Corrections) -> Result<Answers, E>,
    ) -> Result<InquiryOutcome, E> {
        let key = self.reading_key();
        let Some((memory, document)) = self.memory(&key) else {
            return Ok(self.answer_from_reading(self.ask_larger_if_unsure(read(&Corrections::default())?)));
        };
        let recall = recall && self.is_settled(memory, document, encode)?;
        let mut said = Corrections::default();
        let answered =
            self.cascade(memory, document, recall, memory.remember).ask(encode, |corrections| {
                said = corrections.clone();
                let read = self.ask_larger_if_unsure(read(corrections)?);
                let kept = FreshReading::of(&read.answers).filter(|_| !read.answers.coverage.stopped);
                let model = self.larger.filter(|_| read.by_larger).map(|model| model.id().to_owned());
                Ok::<_, E>((read, kept.map(|kept| FreshReading { larger: model, ..kept })))
            })?;
        let given = match answered.answer {
            Ok(recalled) => self.answer_from_memory(document, &recalled, answered.source),
            Err(read) => self.answer_with_corrections(document, read, &said),
        };
        Ok(InquiryOutcome { trouble: answered.trouble, ..given })
    }

    /// Under what readings are remembered: the exact weights of the reader, and the fitted numbers and word
    /// lists by which words are corrected and answers put together.
    fn reading_key(&self) -> String {
        self.memory.map(|memory| format!("{}+{}", memory.reader, built_in_data_id())).unwrap_or_default()
    }

    /// The memory of this question, where it has one, with readings under this key.
    fn memory<'k>(&'k self, key: &'k str) -> Option<(AnswerMemory<'k>, &'k Document)> {
        match (self.memory, self.documents) {
            (Some(memory), [document]) if !self.query.wants_list() => {
                Some((AnswerMemory { reader: key, ..memory }, document))
            }
            _ => None,
        }
    }

    fn cascade<'k>(
        &'k self,
        memory: AnswerMemory<'k>,
        document: &'k Document,
        recall: bool,
        remember: bool,
    ) -> cascade::Inquiry<'k> {
        cascade::Inquiry {
            store: memory.store,
            page: Page { key: memory.key, title: memory.title, content: document.content_hash() },
            text: document.text(),
            question: self.query.question,
            encoder: memory.encoder,
            reader: memory.reader,
            recall,
            remember,
        }
    }

    /// Whether what is remembered, if anything is, needs no second opinion and is all that is wanted.
    fn is_settled<'k, E>(
        &'k self,
        memory: AnswerMemory<'k>,
        document: &'k Document,
        encode: &dyn Fn() -> Result<Vec<f32>, E>,
    ) -> Result<bool, E> {
        let usual = AskOptions::default().top;
        let wanted = self.query.max_answers();
        if self.larger.is_none() && wanted <= usual {
            return Ok(true);
        }
        let looked = self.cascade(memory, document, true, false).ask(encode, |_| Ok::<_, E>(((), None)))?;
        let Ok(recalled) = looked.answer else { return Ok(false) };
        // A reading that has as many as are usual may have had more.
        if (usual..wanted).contains(&recalled.answers.len()) {
            return Ok(false);
        }
        // A person's word, the larger model's own, or what the reader is sure of.
        let sure =
            |best: &LocatedAnswer| best.origin != Origin::Reader || best.confidence >= min_sure_confidence();
        Ok(self.larger.is_none() || recalled.answers.first().is_some_and(sure))
    }

    /// A second opinion on what the reader was not sure of.
    fn ask_larger_if_unsure(&self, mut answers: Answers) -> ReadAnswers {
        let unsure = answers.is_unsure() && !answers.coverage.stopped;
        let Some(model) = self.larger.filter(|_| unsure) else {
            return ReadAnswers { answers, by_larger: false, larger: None };
        };
        (self.before_larger)();
        match ask_larger(model, self.documents, &answers) {
            Ok((found, usage)) => {
                let by_larger = answers.replace_by_larger(found);
                ReadAnswers { answers, by_larger, larger: Some(Ok(usage)) }
            }
            Err(error) => ReadAnswers { answers, by_larger: false, larger: Some(Err(error)) },
        }
    }

    /// What was read now, and nobody said anything about.
    fn answer_from_reading(&self, read: ReadAnswers) -> InquiryOutcome {
        let ReadAnswers { mut answers, by_larger, larger } = read;
        answers.answers.truncate(self.query.max_answers());
        let source = origin_of_reading(by_larger);
        let origins = vec![source; answers.answers.len()];
        InquiryOutcome { answers, origins, source, asked_as: None, trouble: None, larger }
    }

    fn answer_from_memory(
        &self,
        document: &Document,
        recalled: &LocatedAnswers,
        source: Source,
    ) -> InquiryOutcome {
        let (source, asked_as) = match source {
            Source::OtherWords { asked, .. } => (AnswerOrigin::OtherWords, Some(asked)),
            _ => (AnswerOrigin::Remembered, None),
        };
        let AskQuery { question, threshold, .. } = self.query;
        let sure = |found: &&LocatedAnswer| threshold.is_none_or(|least| found.confidence >= least);
        let found: Vec<&LocatedAnswer> =
            recalled.answers.iter().filter(sure).take(self.query.max_answers()).collect();
        let origins = found.iter().map(|found| match found.origin {
            Origin::Reader => source,
            other => AnswerOrigin::of_remembered(other),
        });
        let outcome = match (found.is_empty(), recalled.guessed && threshold.is_none()) {
            (true, _) => Outcome::NotAnsweredHere,
            (false, true) => Outcome::Guessed,
            (false, false) => Outcome::Answered,
        };
        let answers = Answers {
            question: question.to_owned(),
            corrections: Vec::new(),
            kind: QuestionKind::of(question),
            outcome,
            answers: found.iter().map(|found| place_in_sentence(document, found)).collect(),
            evidence: Vec::new(),
            ranking: Vec::new(),
            read: Vec::new(),
            coverage: Reach::default(),
        };
        InquiryOutcome { answers, origins: origins.collect(), source, asked_as, trouble: None, larger: None }
    }

    /// What persons said first, then what was read and they did not reject.
    fn answer_with_corrections(
        &self,
        document: &Document,
        read: ReadAnswers,
        said: &Corrections,
    ) -> InquiryOutcome {
        let ReadAnswers { mut answers, by_larger, larger } = read;
        let source = origin_of_reading(by_larger);
        let found: Vec<LocatedAnswer> = (answers.answers.iter())
            .map(|it| LocatedAnswer {
                span: it.place.span,
                confidence: it.confidence,
                origin: Origin::Reader,
            })
            .collect();
        let mut shown = apply_corrections(said, document.text(), &found, answers.outcome == Outcome::Guessed);
        let by_person = shown.iter().any(|found| found.origin == Origin::Person);
        shown.truncate(self.query.max_answers());
        let answer = |found: &LocatedAnswer| {
            let read = answers.answers.iter().find(|it| it.place.span == found.span);
            read.cloned().unwrap_or_else(|| place_in_sentence(document, found))
        };
        let given: Vec<FoundAnswer> = shown.iter().map(answer).collect();
        let origins = shown.iter().map(|found| match found.origin {
            Origin::Person => AnswerOrigin::Person,
            _ => source,
        });
        let origins = origins.collect();
        answers.outcome = match (answers.outcome, given.is_empty()) {
            (Outcome::Answered | Outcome::Guessed, true) => Outcome::NotAnsweredHere,
            (_, false) if by_person => Outcome::Answered,
            (outcome, _) => outcome,
        };
        answers.answers = given;
        InquiryOutcome { answers, origins, source, asked_as: None, trouble: None, larger }
    }
}

fn origin_of_reading(larger: bool) -> AnswerOrigin {
    if larger { AnswerOrigin::Larger } else { AnswerOrigin::Reader }
}

/// An answer that was not read now.
fn place_in_sentence(document: &Document, found: &LocatedAnswer) -> FoundAnswer {
    let sentence = document.sentence_at(found.span.start).unwrap_or(found.span);
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
