//! `POST /v1/feedback`: a person's word about an answer, which holds from the next question on.

use axum::Json;
use axum::extract::State;
use findall::Span;
use findall_service::feedback::{AnswerVerdict, AnsweredQuestion, FeedbackError};
use findall_store::{Vector, page_key};

use super::questions::find_held_document;
use crate::app::App;
use crate::error::ApiError;
use crate::extract::JsonBody;
use crate::memory::{explain_store_failure, question_of};
use crate::workers::Lane;
use findall_wire::offsets::Converter;
use findall_wire::{DoneResponse, FeedbackRequest, WireVerdict};

/// Keeps it.
pub async fn feedback(
    State(app): State<App>,
    JsonBody(request): JsonBody<FeedbackRequest>,
) -> Result<Json<DoneResponse>, ApiError> {
    let question = question_of(&request.question_id)?;
    let held = find_held_document(&app, Some(&request.document))?.ok_or(ApiError::UnknownDocument)?;
    let shared = app.clone();
    let keep = move |_: &_| {
        let loaded = shared.resources()?;
        let page = held.page();
        let (Some(store), Some(url), false) = (loaded.store(), page.url, held.private) else {
            return Err(ApiError::Unprocessable(
                "nothing is remembered of this page; send it with its \"url\", and not as private".into(),
            ));
        };
        let values = loaded.question_vector(&question)?;
        let answered = AnsweredQuestion {
            store,
            key: &page_key(&url),
            title: page.title.as_deref(),
            document: &held.document,
            question: &question,
            vector: Some(Vector { encoder: loaded.encoder_id(), values: &values }),
        };
        let span = span_of(&answered, &request)?;
        let verdict = match request.verdict {
            WireVerdict::Wrong => AnswerVerdict::Wrong,
            WireVerdict::Right | WireVerdict::Correction => AnswerVerdict::Right,
        };
        answered.record(span, verdict).map_err(explain_feedback_error)?;
        Ok(Json(DoneResponse { ok: true }))
    };
    app.workers.run(Lane::Memory, app.deadline(), keep).await
}

/// Why it was not kept, worded for the client.
fn explain_feedback_error(error: FeedbackError) -> ApiError {
    match error {
        FeedbackError::Unreadable => ApiError::BadRequest("nothing readable stands at this \"span\"".into()),
        FeedbackError::Refused(why) => {
            ApiError::Unprocessable(format!("{why}; /v1/settings shows and changes that"))
        }
        FeedbackError::Store(error) => explain_store_failure(error),
    }
}

/// Where the answer stands: what was said, or the place of its words.
fn span_of(answered: &AnsweredQuestion<'_>, request: &FeedbackRequest) -> Result<Span, ApiError> {
    let document = answered.document;
    match (request.span, request.text.as_deref().map(str::trim)) {
        (Some(span), _) => {
            Ok(Converter::new(document.positions(), request.offsets).to_byte_span(span, document.text())?)
        }
        (None, Some(words)) if !words.is_empty() => {
            answered.locate(words, None).map_err(|error| match error {
                FeedbackError::Unreadable => ApiError::Unprocessable(
                    "the words in \"text\" do not stand in the document; send a \"span\"".into(),
                ),
                error => explain_feedback_error(error),
            })
        }
        _ => Err(ApiError::BadRequest("send the \"span\" of the answer, or its \"text\"".into())),
    }
}
