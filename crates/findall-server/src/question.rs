//! A question to a document, by whatever route or tool: from memory, or by reading, and what came of it as wire types. A
//! document that is private, or from nowhere, is read and forgotten.

use std::ops::ControlFlow;
use std::sync::Arc;

use findall::Span;
use findall::ask::{Answers, AskError, Outcome, Place, enumeration};
use findall::document::Document;
use findall_service::ask::{
    AnswerMemory, AnswerOrigin, AskLimit, AskQuery, Inquiry, InquiryOutcome, MAX_PAGE_ANSWERS,
    check_page_limits,
};
use findall_store::{Corrections, page_key};
use tokio::time::Instant;

use crate::app::{App, ServerResources};
use crate::documents::{HeldDocument, Page};
use crate::error::ApiError;
use crate::memory::question_id;
use crate::workers::{Lane, Stop};
use findall_wire::convert;
use findall_wire::offsets::Converter;
use findall_wire::{
    AskRequest, AskResponse, WireAnswer, WireCorrection, WireOrigin, WireOutcome, WireQuote, WireReach,
    WireSpan,
};

/// What is asked: a document that is held, or a text of this request alone, since asking needs no preparation.
pub enum QuestionDocument {
    /// It is held.
    Prepared(Arc<HeldDocument>),
    /// It is not.
    Parsed(Box<Document>),
}

impl QuestionDocument {
    /// The text.
    pub fn document(&self) -> &Document {
        match self {
            Self::Prepared(held) => &held.document,
            Self::Parsed(document) => document,
        }
    }

    /// Whether nothing about it may be written down.
    pub fn is_private(&self) -> bool {
        matches!(self, Self::Prepared(held) if held.private)
    }
}

/// One question to one document.
pub struct QuestionTask {
    app: App,
    asked: QuestionDocument,
    request: AskRequest,
    /// Where the page is from; what is from nowhere is not remembered.
    page: Page,
    started: Instant,
}

/// All at once: from memory without waiting for who reads, else by reading.
pub async fn answer_question(inquiry: Arc<QuestionTask>) -> Result<AskResponse, ApiError> {
    if let Some(known) = inquiry.recall().await? {
        return Ok(known);
    }
    let reader = inquiry.clone();
    let work = move |stop: &Stop| reader.read(stop, &mut |_| ());
    inquiry.app.workers.run(Lane::Long, inquiry.app.deadline(), work).await
}

impl QuestionTask {
    /// Checks what was asked.
    pub fn new(app: &App, asked: QuestionDocument, request: AskRequest) -> Result<Self, ApiError> {
        check_page_limits(request.top, request.threshold).map_err(refuse_limit)?;
        let held = match &asked {
            QuestionDocument::Prepared(held) => held.page(),
            QuestionDocument::Parsed(_) => Page::default(),
        };
        let page = Page { url: request.url.clone().or(held.url), title: held.title };
        Ok(Self { app: app.clone(), asked, request, page, started: Instant::now() })
    }

    /// Since it was asked.
    pub fn elapsed_ms(&self) -> u64 {
        self.started.elapsed().as_millis() as u64
    }

    /// What is remembered, if anything is and the request takes it.
    pub async fn recall(self: &Arc<Self>) -> Result<Option<AskResponse>, ApiError> {
        if self.request.fresh {
            return Ok(None);
        }
        let inquiry = self.clone();
        let look_up = move |_: &Stop| inquiry.recall_response();
        let known = self.app.workers.run(Lane::Memory, self.app.deadline(), look_up).await?;
        Ok(known.map(|answered| self.finish(answered)))
    }

    /// Reads, telling `show` of the surest answer whenever it changes.
    pub fn read(&self, stop: &Stop, show: &mut dyn FnMut(WireAnswer)) -> Result<AskResponse, ApiError> {
        let document = self.asked.document();
        let engine = self.app.resources()?.engine(self.asked.is_private());
        let options = self.query().reading_options();
        let answered = self.read_and_remember(|said| {
            let mut shown = None;
            let mut watch = |progress: findall::ask::AskProgress<'_>| {
                let best = progress.best.filter(|best| !said.rejects_at(document.text(), best.place.span));
                if let Some(best) = best.filter(|best| shown != Some(best.place)) {
                    shown = Some(best.place);
                    show(self.answer(
                        best.place.span,
                        Some(best.sentence),
                        best.confidence,
                        WireOrigin::Reader,
                    ));
                }
                if stop.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let documents = std::slice::from_ref(document);
            let answers = engine.ask_streaming(documents, &self.request.question, &options, &mut watch);
            let answers = answers.map_err(|error| match error {
                AskError::Question(error) => ApiError::Unprocessable(error.to_string()),
                error => ApiError::explain_model_failure("ask", &error),
            })?;
            match answers.coverage.stopped {
                true => Err(self.app.explain_stop(stop)),
                false => Ok(answers),
            }
        })?;
        Ok(self.finish(answered))
    }

    /// What is asked.
    fn query(&self) -> AskQuery<'_> {
        AskQuery {
            top: self.request.top,
            threshold: self.request.threshold,
            ..AskQuery::new(&self.request.question, MAX_PAGE_ANSWERS)
        }
    }

    fn finish(&self, mut answered: AskResponse) -> AskResponse {
        answered.took_ms = self.elapsed_ms();
        self.app.metrics.count_question(answered.answers.first().map(|answer| answer.origin));
        answered
    }

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
                remember: self.query().is_usual_reading(),
            }),
            _ => None,
        };
        // The larger model, where the request allows it and nothing says that the page must stay here.
        let larger = loaded.larger().filter(|_| self.request.allow_llm && !private);
        let inquiry = Inquiry {
            query: self.query(),
            documents: std::slice::from_ref(self.asked.document()),
            memory,
            larger,
            before_larger: &|| (),
        };
        act(loaded, inquiry)
    }

    /// What is remembered, if anything is.
    fn recall_response(&self) -> Result<Option<AskResponse>, ApiError> {
        self.inquiry(|loaded, inquiry| {
            let encode = || loaded.question_vector(&self.request.question);
            Ok(inquiry.recall(&encode)?.map(|answered| self.response(&answered, true)))
        })
    }

    /// Reads, and remembers what came of it.
    fn read_and_remember(
        &self,
        read: impl FnOnce(&Corrections) -> Result<Answers, ApiError>,
    ) -> Result<AskResponse, ApiError> {
        self.inquiry(|loaded, inquiry| {
            let encode = || loaded.question_vector(&self.request.question);
            let answered = inquiry.ask(false, &encode, read)?;
            Ok(self.response(&answered, inquiry.memory.is_some() && !inquiry.query.wants_list()))
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
    fn answer(&self, span: Span, sentence: Option<Span>, confidence: f32, origin: WireOrigin) -> WireAnswer {
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

fn refuse_limit(limit: AskLimit) -> ApiError {
    let field = match limit {
        AskLimit::Answers => "top",
        AskLimit::Threshold => "threshold",
    };
    ApiError::BadRequest(format!("\"{field}\" {limit}"))
}

/// Where an answer came from, as it travels.
pub fn wire_origin(origin: AnswerOrigin) -> WireOrigin {
    match origin {
        AnswerOrigin::Reader => WireOrigin::Reader,
        AnswerOrigin::Remembered => WireOrigin::Remembered,
        AnswerOrigin::OtherWords => WireOrigin::Similar,
        AnswerOrigin::Person => WireOrigin::Person,
        AnswerOrigin::Larger => WireOrigin::Llm,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_spelled_as_the_command_line_spells_them() {
        use AnswerOrigin::{Larger, OtherWords, Person, Reader, Remembered};
        for origin in [Reader, Remembered, OtherWords, Person, Larger] {
            assert_eq!(serde_json::to_value(wire_origin(origin)).unwrap(), origin.name());
        }
    }
}
