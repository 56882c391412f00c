//! The cascade: a question on a page enters; what is remembered leaves, or what was read now, which is remembered.
//!
//! ```text
//! exact question, same content ─▶ same question in other words, same content ─▶ read now ─▶ larger model, if allowed
//! ```
//!
//! The last two are the caller's: `read` says which of them answered.
//!
//! Quotes are found in the text before they are shown; what cannot be found is not known. A store that fails costs its
//! memory, never the answer: trouble is handed back beside it.

use std::time::{Duration, Instant};

use findall::Span;
use findall::ask::question::{asks_the_same, min_same_question_cosine, normalise};
use findall::ask::{Answers, Outcome};

use crate::error::StoreError;
use crate::model::{
    Corrections, Origin, Question, QuestionRecord, Reading, RememberedAnswers, Selector, Vector, now,
};
use crate::page::Page;
use crate::store::Store;

/// A question on a page, and who would read it.
#[derive(Clone, Copy)]
pub struct Inquiry<'a> {
    /// What is remembered.
    pub store: &'a dyn Store,
    /// The page.
    pub page: Page<'a>,
    /// Its text, to which all spans belong.
    pub text: &'a str,
    /// As typed.
    pub question: &'a str,
    /// The exact weights of the encoder.
    pub encoder: &'a str,
    /// The exact weights of the reader, and anything else that changes what it finds.
    pub reader: &'a str,
    /// Look first; otherwise it is read anew, and what is remembered is replaced.
    pub recall: bool,
    /// Write what came of it.
    pub remember: bool,
}

/// Where an answer came from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// This question was asked of this very text before.
    Remembered,
    /// The same was asked in other words.
    OtherWords {
        /// As it was asked then.
        asked: String,
        /// Cosine of the two.
        likeness: f32,
    },
    /// Read now.
    Read,
}

/// One remembered answer, found in the text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocatedAnswer {
    /// Where it stands.
    pub span: Span,
    /// How sure it is.
    pub confidence: f32,
    /// Who says so.
    pub origin: Origin,
}

/// What is remembered about the question; no answers when it is known that the page does not answer.
#[derive(Clone, Debug, PartialEq)]
pub struct LocatedAnswers {
    /// Answers, best first.
    pub answers: Vec<LocatedAnswer>,
    /// Probability that the page does not answer.
    pub no_answer: f32,
    /// True when the answers are a guess.
    pub guessed: bool,
}

/// What was read now, as far as it is to be remembered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FreshReading {
    /// Answers, best first; empty when the page does not answer.
    pub answers: Vec<(Span, f32)>,
    /// Probability that the page does not answer.
    pub no_answer: f32,
    /// True when nothing was sure enough, and the answer is a guess.
    pub guessed: bool,
    /// The larger model that answered, by its name, where it was not the reader.
    pub larger: Option<String>,
}

impl FreshReading {
    /// What of a reading is worth remembering: answers, a guess, or that there is none. What no span can answer is read again.
    pub fn of(answers: &Answers) -> Option<Self> {
        match answers.outcome {
            Outcome::Answered | Outcome::Guessed | Outcome::NotAnsweredHere => Some(Self {
                answers: answers.answers.iter().map(|found| (found.place.span, found.confidence)).collect(),
                no_answer: 1.0 - answers.ranking.first().map_or(0.0, |best| best.confidence),
                guessed: answers.outcome == Outcome::Guessed,
                larger: None,
            }),
            Outcome::YesOrNo | Outcome::Counted => None,
        }
    }
}

/// What was read, less what persons rejected, after what persons said; a guess gives way to their word.
pub fn apply_corrections(
    said: &Corrections,
    text: &str,
    read: &[LocatedAnswer],
    guessed: bool,
) -> Vec<LocatedAnswer> {
    let person = |span| LocatedAnswer { span, confidence: 1.0, origin: Origin::Person };
    let right = said.right.iter().filter_map(|(selector, _)| selector.find(text).map(person));
    let mut answers: Vec<LocatedAnswer> = right.collect();
    if guessed && !answers.is_empty() {
        return answers;
    }
    let kept: Vec<LocatedAnswer> = (read.iter().copied())
        .filter(|found| !said.rejects_at(text, found.span) && answers.iter().all(|it| it.span != found.span))
        .collect();
    answers.extend(kept);
    answers
}

/// How it ended.
#[derive(Debug)]
pub struct CascadeOutcome<T> {
    /// From memory, or what reading gave.
    pub answer: Result<LocatedAnswers, T>,
    /// Where it came from.
    pub source: Source,
    /// How long it took, writing included.
    pub took: Duration,
    /// What went wrong with the store on the way.
    pub trouble: Option<StoreError>,
}

impl Inquiry<'_> {
    /// Asks. `encode` makes the question's vector and is called only when its words are new here; `read` reads the page,
    /// told what persons said about it, and gives its result and what of it to remember, if anything.
    pub fn ask<T, E>(
        &self,
        encode: impl FnOnce() -> Result<Vec<f32>, E>,
        read: impl FnOnce(&Corrections) -> Result<(T, Option<FreshReading>), E>,
    ) -> Result<CascadeOutcome<T>, E> {
        let started = Instant::now();
        let normalised = normalise(self.question);
        let mut trouble = None;
        let ended =
            |answer, source, trouble| CascadeOutcome { answer, source, took: started.elapsed(), trouble };
        if self.recall
            && let Some(known) =
                ok_or_note_trouble(&mut trouble, self.recall_exact_wording(&normalised)).flatten()
        {
            ok_or_note_trouble(&mut trouble, self.record_question(&normalised, None, None));
            return Ok(ended(Ok(known), Source::Remembered, trouble));
        }
        let vector = encode()?;
        let said = ok_or_note_trouble(&mut trouble, self.store.corrections(self.page.key, &normalised))
            .unwrap_or_default();
        if self.recall
            && let Some((known, source)) =
                ok_or_note_trouble(&mut trouble, self.recall_other_wording(&vector, &said)).flatten()
        {
            ok_or_note_trouble(&mut trouble, self.record_question(&normalised, Some(&vector), None));
            return Ok(ended(Ok(known), source, trouble));
        }
        let (result, found) = read(&said)?;
        if let Some(found) = found {
            ok_or_note_trouble(&mut trouble, self.record_question(&normalised, Some(&vector), Some(&found)));
        }
        Ok(ended(Err(result), Source::Read, trouble))
    }

    fn recall_exact_wording(&self, normalised: &str) -> Result<Option<LocatedAnswers>, StoreError> {
        let known = self.store.recall_exact(&self.page, normalised, Some(self.reader))?;
        Ok(known.and_then(|known| self.locate_answers(&known)))
    }

    /// Of the questions near enough, the first that asks the same: names, numbers and question words must agree too.
    /// What persons said of this wording holds for the other's answers.
    fn recall_other_wording(
        &self,
        vector: &[f32],
        said: &Corrections,
    ) -> Result<Option<(LocatedAnswers, Source)>, StoreError> {
        let vector = Vector { encoder: self.encoder, values: vector };
        let near = self.store.recall_same_question(
            &self.page,
            vector,
            min_same_question_cosine(),
            Some(self.reader),
        )?;
        let known = near.into_iter().find_map(|mut near| {
            let before = near.remembered.answers.len();
            near.remembered.answers.retain(|answer| !said.rejects(&answer.selector));
            if before > 0 && near.remembered.answers.is_empty() {
                return None;
            }
            let (asked, likeness) = (near.remembered.text.clone(), near.likeness);
            let same = asks_the_same(self.question, &asked, likeness);
            let known = same.then(|| self.locate_answers(&near.remembered)).flatten()?;
            Some((known, Source::OtherWords { asked, likeness }))
        });
        Ok(known)
    }

    /// The remembered answers that stand in the text. None of several: it must be read anew.
    fn locate_answers(&self, known: &RememberedAnswers) -> Option<LocatedAnswers> {
        let found = known.answers.iter().filter_map(|answer| {
            let span = answer.selector.find(self.text)?;
            Some(LocatedAnswer { span, confidence: answer.confidence, origin: answer.origin })
        });
        let answers: Vec<LocatedAnswer> = found.collect();
        let usable = known.answers.is_empty() || !answers.is_empty();
        usable.then_some(LocatedAnswers { answers, no_answer: known.no_answer, guessed: known.guessed })
    }

    fn record_question(
        &self,
        normalised: &str,
        vector: Option<&[f32]>,
        found: Option<&FreshReading>,
    ) -> Result<(), StoreError> {
        if !self.remember {
            return Ok(());
        }
        let reading = found.map(|found| Reading {
            answers: found
                .answers
                .iter()
                .filter_map(|(span, confidence)| Some((Selector::of(self.text, *span)?, *confidence)))
                .collect(),
            no_answer: found.no_answer,
            model: found.larger.clone().unwrap_or_else(|| self.reader.to_owned()),
            larger: found.larger.is_some(),
            guessed: found.guessed,
        });
        self.store.record(&QuestionRecord {
            page: self.page,
            question: Question { text: self.question, normalised },
            vector: vector.map(|values| Vector { encoder: self.encoder, values }),
            reading,
            at: now(),
        })?;
        Ok(())
    }
}

/// The value; an error is kept as trouble.
fn ok_or_note_trouble<T>(trouble: &mut Option<StoreError>, result: Result<T, StoreError>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(error) => {
            *trouble = Some(error);
            None
        }
    }
}
