//! A question of a request as the service takes it, and what came of it as wire types. A document that is private, or from
//! nowhere, is read and forgotten.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use findall::Span;
use findall::ask::{Answers, Outcome, Place, enumeration};
use findall_service::ask::{AnswerMemory, AnswerOrigin, Inquiry, InquiryOutcome, is_usual_reading};
use findall_store::{Corrections, StoreError, page_key};

use crate::app::ServerResources;
use crate::error::ApiError;
use crate::routes::ask::QuestionTask;
use findall_wire::convert;
use findall_wire::offsets::Converter;
use findall_wire::{
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

/// Where an answer came from, as it travels.
fn wire_origin(origin: AnswerOrigin) -> WireOrigin {
    match origin {
        AnswerOrigin::Reader => WireOrigin::Reader,
        AnswerOrigin::Remembered => WireOrigin::Remembered,
        AnswerOrigin::OtherWords => WireOrigin::Similar,
        AnswerOrigin::Person => WireOrigin::Person,
        AnswerOrigin::Larger => WireOrigin::Llm,
    }
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

impl QuestionTask {
    /// The question as the service takes it, for `act`; `None` as memory where this question may not go through one.
    fn inquiry<T>(
        &self,
        act: impl FnOnce(&ServerResources, Inquiry<'_>) -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        let loaded = self.app.resources()?;
        let private = self.asked.is_private();
        let key = self.page.url.as_deref().map(page_key);
        let memory = match (loaded.store(), &key, loaded.engine(true).reader_id()) {
            (Some(store), Some(key), Some(reader)) if !private => Some(AnswerMemory {
                store,
                key,
                title: self.page.title.as_deref(),
                encoder: loaded.encoder_id(),
                reader,
                remember: is_usual_reading(&self.options()),
            }),
            _ => None,
        };
        // The larger model, where the request allows it and nothing says that the page must stay here.
        let larger = loaded.larger().filter(|_| self.request.allow_llm && !private);
        let inquiry = Inquiry {
            question: &self.request.question,
            documents: std::slice::from_ref(self.asked.document()),
            top: self.max_answers(),
            threshold: self.request.threshold,
            memory,
            larger,
            before_larger: &|| (),
        };
        act(loaded, inquiry)
    }

    /// What is remembered, if anything is.
    pub fn recall_response(&self) -> Result<Option<AskResponse>, ApiError> {
        self.inquiry(|loaded, inquiry| {
            let encode = || loaded.question_vector(&self.request.question);
            Ok(inquiry.recall(&encode)?.map(|answered| self.response(&answered, true)))
        })
    }

    /// Reads, and remembers what came of it.
    pub fn read_and_remember(
        &self,
        read: impl FnOnce(&Corrections) -> Result<Answers, ApiError>,
    ) -> Result<AskResponse, ApiError> {
        self.inquiry(|loaded, inquiry| {
            let encode = || loaded.question_vector(&self.request.question);
            let answered = inquiry.ask(false, &encode, read)?;
            Ok(self.response(&answered, inquiry.memory.is_some() && !inquiry.wants_list()))
        })
    }

    /// As it travels; a question that may be remembered has an id.
    fn response(&self, answered: &InquiryOutcome, has_memory: bool) -> AskResponse {
        if let Some(error) = &answered.trouble {
            tracing::warn!(%error, "the store failed; the answer was given without it");
        }
        if let Some(Err(error)) = &answered.larger {
            tracing::warn!(%error, "the larger model failed; the reader answers alone");
        }
        let answers: Vec<WireAnswer> = answered
            .answers_with_origins()
            .map(|(answer, origin)| WireAnswer {
                also: self.spans(&answer.also),
                ..self.answer(
                    answer.place.span,
                    Some(answer.sentence),
                    answer.confidence,
                    wire_origin(origin),
                )
            })
            .collect();
        let read = &answered.answers;
        let (outcome, message) = match (read.outcome, answers.is_empty()) {
            (Outcome::YesOrNo, _) => {
                (WireOutcome::Cannot, "a question of yes or no: these sentences bear on it")
            }
            (Outcome::Counted, _) => (WireOutcome::Cannot, "the page states no number; these were found"),
            (_, true) => (WireOutcome::NotHere, "this page does not answer that"),
            (Outcome::Guessed, false) => {
                (WireOutcome::Guessed, "nothing here answers that for sure; this is a guess")
            }
            (_, false) => (WireOutcome::Answered, ""),
        };
        let is_new = answered.source.is_new();
        let bears = matches!(outcome, WireOutcome::Cannot);
        let evidence = read.evidence.iter().filter(|_| bears).map(|one| self.quote(one.place.span)).collect();
        let coverage = &read.coverage;
        let percent = (100 * coverage.bytes_read as u64).checked_div(coverage.bytes as u64).unwrap_or(100);
        AskResponse {
            outcome,
            message: (is_new && !message.is_empty()).then(|| message.to_owned()),
            answers,
            evidence,
            question_id: has_memory.then(|| question_id(&self.request.question)),
            similar_question: answered.asked_as.clone(),
            correction: (!read.corrections.is_empty())
                .then(|| WireCorrection { from: self.request.question.clone(), to: read.question.clone() }),
            read: is_new.then(|| WireReach {
                passages: coverage.passages,
                read: coverage.read,
                percent: u8::try_from(percent).unwrap_or(100),
            }),
            unread: convert::describe_gaps(self.asked.document()),
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
        places.iter().map(|place| converter.to_wire_span(place.span)).collect()
    }

    fn quote(&self, span: Span) -> WireQuote {
        let document = self.asked.document();
        let converter = Converter::new(document.positions(), self.request.offsets);
        WireQuote {
            span: converter.to_wire_span(span),
            text: span.slice(document.text()).unwrap_or_default().to_owned(),
        }
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
