//! What is remembered about a question: the store's cascade, filled from the engine and read into wire types. A document
//! that is private, or from nowhere, is read and forgotten.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use findall::Span;
use findall::ask::{Answers, FoundAnswer, Outcome, Place, QuestionKind, SURE, ask_larger, enumeration};
use findall::chat::ChatModel;
use findall_store::cascade::{Found, Inquiry as Cascade, ReadNow, Recalled, Source, heard};
use findall_store::{Corrections, Origin, Page, Store, StoreError, page_key};

use crate::app::Loaded;
use crate::convert;
use crate::error::ApiError;
use crate::offsets::Converter;
use crate::routes::ask::Inquiry;
use crate::wire::{
    AskResponse, WireAnswer, WireCorrection, WireOrigin, WireOutcome, WireQuote, WireReach, WireSpan,
};

/// A question's id: the question itself, in letters that an address can hold. So it means the same after a restart, in
/// any store, and on any server.
pub fn question_id(question: &str) -> String {
    URL_SAFE_NO_PAD.encode(question)
}

/// The question with this id.
pub fn question_of(id: &str) -> Result<String, ApiError> {
    let bytes = URL_SAFE_NO_PAD.decode(id).ok();
    let question = bytes.and_then(|bytes| String::from_utf8(bytes).ok()).filter(|it| !it.trim().is_empty());
    question.ok_or_else(|| ApiError::BadRequest("\"question_id\" is none that this server gave".into()))
}

/// A store that failed: logged, and worded for the client.
pub fn failed(error: StoreError) -> ApiError {
    match error {
        StoreError::Pattern { .. } => ApiError::BadRequest(error.to_string()),
        error => {
            tracing::error!(%error, "the store failed");
            ApiError::Internal("what is remembered cannot be reached; the server's log says why".into())
        }
    }
}

/// The store, and the key of the page there.
struct Known<'i> {
    loaded: &'i Loaded,
    store: &'i dyn Store,
    key: String,
    reader: &'i str,
}

impl Inquiry {
    /// Whether the question wants a list: find answers it, and keeps its own verdicts.
    pub fn wants_list(&self) -> bool {
        QuestionKind::of(&self.request.question) == QuestionKind::List
    }

    /// The store, where there is one and this question may go through it.
    fn known(&self) -> Result<Option<Known<'_>>, ApiError> {
        let loaded = self.app.ready()?;
        Ok(match (loaded.store(), &self.page.url, loaded.engine(true).reader_id()) {
            (Some(store), Some(url), Some(reader)) if !self.asked.private() && !self.wants_list() => {
                Some(Known { loaded, store, key: page_key(url), reader })
            }
            _ => None,
        })
    }

    fn cascade<'a>(&'a self, known: &'a Known<'a>, recall: bool) -> Cascade<'a> {
        let document = self.asked.document();
        Cascade {
            store: known.store,
            page: Page {
                key: &known.key,
                title: self.page.title.as_deref(),
                content: document.content_hash(),
            },
            text: document.text(),
            question: &self.request.question,
            encoder: known.loaded.encoder_id(),
            reader: known.reader,
            recall,
            // Another threshold makes another reading, which is nobody else's.
            remember: self.request.threshold.is_none(),
        }
    }

    /// What is remembered, if anything is.
    pub fn recalled(&self) -> Result<Option<AskResponse>, ApiError> {
        let Some(known) = self.known()? else { return Ok(None) };
        let vector = || known.loaded.question_vector(&self.request.question);
        let answered = self.cascade(&known, true).ask(vector, |_| Ok::<_, ApiError>(((), None)))?;
        note(answered.trouble);
        let sure = |recalled: &Recalled| {
            let best = recalled.answers.first();
            best.is_some_and(|best| best.origin != Origin::Reader || best.confidence >= SURE)
        };
        // What the reader was not sure of is read again where a larger model may be asked.
        let known =
            answered.answer.ok().filter(|recalled| self.larger(known.loaded).is_none() || sure(recalled));
        Ok(known.map(|recalled| self.response_of_memory(recalled, answered.source)))
    }

    /// The larger model, where the request allows it and nothing says that the page must stay here.
    fn larger<'l>(&self, loaded: &'l Loaded) -> Option<&'l dyn ChatModel> {
        loaded.larger().filter(|_| self.request.allow_llm && !self.asked.private())
    }

    /// What the larger model found in place of what the reader did not: its name, where it found something.
    fn second_opinion(&self, loaded: &Loaded, answers: &mut Answers) -> Option<String> {
        let model = self.larger(loaded).filter(|_| answers.is_unsure())?;
        match ask_larger(model, std::slice::from_ref(self.asked.document()), answers) {
            Ok((found, _)) => answers.replace_by_larger(found).then(|| model.id().to_owned()),
            Err(error) => {
                tracing::warn!(%error, "the larger model failed; the reader answers alone");
                None
            }
        }
    }

    /// Reads, and remembers what came of it.
    pub fn read_with(
        &self,
        read: impl FnOnce(&Corrections) -> Result<Answers, ApiError>,
    ) -> Result<AskResponse, ApiError> {
        let Some(known) = self.known()? else {
            let said = Corrections::default();
            let mut answers = read(&said)?;
            let larger = self.second_opinion(self.app.ready()?, &mut answers);
            return Ok(self.response_of_reader(&answers, larger.is_some(), &said, false));
        };
        let mut said = Corrections::default();
        let vector = || known.loaded.question_vector(&self.request.question);
        let answered = self.cascade(&known, false).ask(vector, |corrections| {
            said = corrections.clone();
            let mut answers = read(corrections)?;
            let larger = self.second_opinion(known.loaded, &mut answers);
            let by_larger = larger.is_some();
            let reading = ReadNow::of(&answers).map(|reading| ReadNow { larger, ..reading });
            Ok::<_, ApiError>(((answers, by_larger), reading))
        })?;
        note(answered.trouble);
        Ok(match answered.answer {
            Err((answers, by_larger)) => self.response_of_reader(&answers, by_larger, &said, true),
            Ok(recalled) => self.response_of_memory(recalled, answered.source),
        })
    }

    fn response_of_memory(&self, recalled: Recalled, source: Source) -> AskResponse {
        let origin = |origin| match (origin, &source) {
            (Origin::Person, _) => WireOrigin::Person,
            (Origin::Larger, _) => WireOrigin::Llm,
            (Origin::Reader, Source::OtherWords { .. }) => WireOrigin::Similar,
            (Origin::Reader, _) => WireOrigin::Remembered,
        };
        let sure = |confidence: f32| self.request.threshold.is_none_or(|least| confidence >= least);
        let found = recalled.answers.iter().filter(|found| sure(found.confidence));
        let answers =
            found.map(|found| self.answer(found.span, None, found.confidence, origin(found.origin)));
        let answers: Vec<WireAnswer> = answers.collect();
        let outcome = match (answers.is_empty(), recalled.guessed && self.request.threshold.is_none()) {
            (true, _) => WireOutcome::NotHere,
            (false, true) => WireOutcome::Guessed,
            (false, false) => WireOutcome::Answered,
        };
        let similar_question = match source {
            Source::OtherWords { asked, .. } => Some(asked),
            _ => None,
        };
        AskResponse {
            similar_question,
            question_id: Some(question_id(&self.request.question)),
            ..self.response(outcome, answers)
        }
    }

    /// What was read, less what persons rejected, after what persons said.
    fn response_of_reader(
        &self,
        read: &Answers,
        by_larger: bool,
        said: &Corrections,
        remembered: bool,
    ) -> AskResponse {
        let text = self.asked.document().text();
        let found = |found: &FoundAnswer| Found {
            span: found.place.span,
            confidence: found.confidence,
            origin: Origin::Reader,
        };
        let found: Vec<Found> = read.answers.iter().map(found).collect();
        let guessed = read.outcome == Outcome::Guessed;
        let heard = heard(said, text, &found, guessed);
        let persons = heard.iter().any(|found| found.origin == Origin::Person);
        let answers = heard.into_iter().map(|found| {
            let read = read.answers.iter().find(|it| it.place.span == found.span);
            let origin = match found.origin {
                Origin::Person => WireOrigin::Person,
                _ if by_larger => WireOrigin::Llm,
                _ => WireOrigin::Reader,
            };
            let also = read.map(|it| self.spans(&it.also)).unwrap_or_default();
            WireAnswer {
                also,
                ..self.answer(found.span, read.map(|it| it.sentence), found.confidence, origin)
            }
        });
        let answers: Vec<WireAnswer> = answers.collect();
        let (outcome, message) = match (read.outcome, answers.is_empty()) {
            (Outcome::YesOrNo, _) => {
                (WireOutcome::Cannot, "a question of yes or no: these sentences bear on it")
            }
            (Outcome::Counted, _) => (WireOutcome::Cannot, "the page states no number; these were found"),
            (_, true) => (WireOutcome::NotHere, "this page does not answer that"),
            (Outcome::Guessed, false) if !persons => {
                (WireOutcome::Guessed, "nothing here answers that for sure; this is a guess")
            }
            (_, false) => (WireOutcome::Answered, ""),
        };
        let bears = matches!(outcome, WireOutcome::Cannot);
        let evidence = read.evidence.iter().filter(|_| bears).map(|one| self.quote(one.place.span)).collect();
        let Answers { coverage, .. } = read;
        let percent = (100 * coverage.bytes_read as u64).checked_div(coverage.bytes as u64).unwrap_or(100);
        AskResponse {
            message: (!message.is_empty()).then(|| message.to_owned()),
            evidence,
            question_id: remembered.then(|| question_id(&self.request.question)),
            correction: (!read.corrections.is_empty())
                .then(|| WireCorrection { from: self.request.question.clone(), to: read.question.clone() }),
            read: Some(WireReach {
                passages: coverage.passages,
                read: coverage.read,
                percent: u8::try_from(percent).unwrap_or(100),
            }),
            ..self.response(outcome, answers)
        }
    }

    fn response(&self, outcome: WireOutcome, answers: Vec<WireAnswer>) -> AskResponse {
        AskResponse {
            outcome,
            message: None,
            answers,
            evidence: Vec::new(),
            question_id: None,
            similar_question: None,
            correction: None,
            read: None,
            unread: convert::unread(self.asked.document()),
            took_ms: 0,
        }
    }

    /// An answer as it travels.
    pub fn answer(
        &self,
        span: Span,
        sentence: Option<Span>,
        confidence: f32,
        origin: WireOrigin,
    ) -> WireAnswer {
        let document = self.asked.document();
        let sentence = sentence.or_else(|| document.sentence_at(span.start)).unwrap_or(span);
        let answer = span;
        let WireQuote { span, text } = self.quote(answer);
        let items =
            enumeration::items(document.text(), answer).into_iter().map(|item| self.quote(item)).collect();
        WireAnswer { span, text, confidence, origin, sentence: self.quote(sentence), items, also: Vec::new() }
    }

    fn spans(&self, places: &[Place]) -> Vec<WireSpan> {
        let converter = Converter::new(self.asked.document().positions(), self.request.offsets);
        places.iter().map(|place| converter.out(place.span)).collect()
    }

    fn quote(&self, span: Span) -> WireQuote {
        let document = self.asked.document();
        let converter = Converter::new(document.positions(), self.request.offsets);
        WireQuote {
            span: converter.out(span),
            text: span.slice(document.text()).unwrap_or_default().to_owned(),
        }
    }
}

fn note(trouble: Option<StoreError>) {
    if let Some(error) = trouble {
        tracing::warn!(%error, "the store failed; the answer was given without it");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_questions_and_nothing_else_is() {
        let question = "Who lit the lamp? 😀";
        assert_eq!(question_of(&question_id(question)).unwrap(), question);
        for wrong in ["", "!", "a", "IA", "_w"] {
            assert!(question_of(wrong).is_err(), "{wrong}");
        }
    }
}
