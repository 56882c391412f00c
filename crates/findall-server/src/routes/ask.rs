//! `POST /v1/ask`: the answer, from memory or by reading, or that the page does not answer.

use std::ops::ControlFlow;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use findall::ask::{AskError, AskOptions, QuestionKind, check_question};
use findall::document::Document;
use tokio::time::Instant;

use super::documents::{Source, parse, stop_error};
use crate::app::App;
use crate::documents::{HeldDocument, Page};
use crate::error::ApiError;
use crate::extract::{JsonBody, StreamPreference};
use crate::stream;
use crate::workers::{Lane, Stop};
use findall_wire::{AskEvent, AskRequest, AskResponse, WireAnswer, WireOrigin};

/// Answers when the request does not say how many, and the most that are given.
const DEFAULT_ANSWERS: usize = 5;
const MAX_ANSWERS: usize = 100;

/// What is asked: a document that is held, or a text of this request alone, since asking needs no preparation.
pub enum QuestionDocument {
    /// It is held.
    Held(Arc<HeldDocument>),
    /// It is not.
    Loose(Box<Document>),
}

impl QuestionDocument {
    /// The text.
    pub fn document(&self) -> &Document {
        match self {
            Self::Held(held) => &held.document,
            Self::Loose(document) => document,
        }
    }

    /// Whether nothing about it may be written down.
    pub fn is_private(&self) -> bool {
        matches!(self, Self::Held(held) if held.private)
    }
}

/// One question to one document.
pub struct QuestionTask {
    /// The service.
    pub app: App,
    /// What is asked.
    pub asked: QuestionDocument,
    /// The question.
    pub request: AskRequest,
    /// Where the page is from; what is from nowhere is not remembered.
    pub page: Page,
    started: Instant,
}

/// Asks.
pub async fn ask(
    State(app): State<App>,
    StreamPreference(wants_lines): StreamPreference,
    JsonBody(mut request): JsonBody<AskRequest>,
) -> Result<Response, ApiError> {
    if app.config.log_content {
        tracing::info!(question = request.question, "ask");
    }
    // Before a page is read for it.
    check_question(&request.question).map_err(|error| ApiError::Unprocessable(error.to_string()))?;
    let asked = match (request.document.take(), request.text.take()) {
        (Some(id), None) => QuestionDocument::Held(app.documents.get(&id).ok_or(ApiError::UnknownDocument)?),
        (None, Some(text)) => {
            QuestionDocument::Loose(Box::new(parse(&app, Source::text(text, None)).await?.document))
        }
        _ => return Err(ApiError::BadRequest("send either \"document\" or \"text\"".into())),
    };
    let inquiry = Arc::new(QuestionTask::new(&app, asked, request)?);
    if !wants_lines {
        return Ok(Json(answer_question(inquiry).await?).into_response());
    }
    let deadline = app.deadline();
    if let Some(known) = inquiry.recall().await? {
        let turn = app.workers.wait_for_turn(Lane::Short).await?;
        let (lines, response) = stream::lines(turn.stop(deadline));
        tokio::spawn(turn.start(move || {
            for answer in known.answers.iter().cloned() {
                lines.send(&AskEvent::Answer { answer, took_ms: known.took_ms });
            }
            lines.send(&AskEvent::End(known));
            Ok(())
        }));
        return Ok(response);
    }
    let turn = app.workers.wait_for_turn(Lane::Long).await?;
    let stop = turn.stop(deadline);
    let (lines, response) = stream::lines(stop.clone());
    tokio::spawn(turn.start(move || {
        let read = inquiry.read(&stop, &mut |answer| {
            lines.send(&AskEvent::Answer { answer, took_ms: inquiry.elapsed_ms() });
        });
        lines.send(&match read {
            Ok(answered) => AskEvent::End(answered),
            Err(error) => AskEvent::Error { error: error.body().error },
        });
        Ok(())
    }));
    Ok(response)
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
        if request.threshold.is_some_and(|threshold| !(0.0..=1.0).contains(&threshold)) {
            return Err(ApiError::BadRequest("\"threshold\" must lie between 0 and 1".into()));
        }
        if request.top.is_some_and(|top| !(1..=MAX_ANSWERS).contains(&top)) {
            return Err(ApiError::BadRequest(format!("\"top\" must be 1 to {MAX_ANSWERS}")));
        }
        let held = match &asked {
            QuestionDocument::Held(held) => held.page(),
            QuestionDocument::Loose(_) => Page::default(),
        };
        let page = Page { url: request.url.clone().or(held.url), title: held.title };
        Ok(Self { app: app.clone(), asked, request, page, started: Instant::now() })
    }

    fn elapsed_ms(&self) -> u64 {
        self.started.elapsed().as_millis() as u64
    }

    async fn recall(self: &Arc<Self>) -> Result<Option<AskResponse>, ApiError> {
        if self.request.fresh {
            return Ok(None);
        }
        let inquiry = self.clone();
        let look_up = move |_: &Stop| inquiry.recall_response();
        let known = self.app.workers.run(Lane::Memory, self.app.deadline(), look_up).await?;
        Ok(known.map(|answered| self.finish(answered)))
    }

    /// Reads, telling `show` of the surest answer whenever it changes.
    fn read(&self, stop: &Stop, show: &mut dyn FnMut(WireAnswer)) -> Result<AskResponse, ApiError> {
        let document = self.asked.document();
        let engine = self.app.resources()?.engine(self.asked.is_private());
        let options = self.options();
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
                error => {
                    tracing::error!(%error, "ask failed");
                    ApiError::Internal("a model failed; the server's log says which".into())
                }
            })?;
            match answers.coverage.stopped {
                true => Err(stop_error(&self.app, stop)),
                false => Ok(answers),
            }
        })?;
        Ok(self.finish(answered))
    }

    /// Answers that are given at most.
    pub fn max_answers(&self) -> usize {
        let wants_list = QuestionKind::of(&self.request.question) == QuestionKind::List;
        self.request.top.unwrap_or(if wants_list { MAX_ANSWERS } else { DEFAULT_ANSWERS })
    }

    /// How it is read. Who wants fewer answers leaves the others to be remembered.
    pub fn options(&self) -> AskOptions {
        let top = self.request.top.unwrap_or(DEFAULT_ANSWERS).max(DEFAULT_ANSWERS);
        AskOptions { top, threshold: self.request.threshold, ..AskOptions::default() }
    }

    fn finish(&self, mut answered: AskResponse) -> AskResponse {
        answered.took_ms = self.elapsed_ms();
        self.app.metrics.count_question(answered.answers.first().map(|answer| answer.origin));
        answered
    }
}
