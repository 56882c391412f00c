//! `POST /v1/feedback`: a person's word about an answer, which holds from the next question on.

use axum::Json;
use axum::extract::State;
use findall::Span;
use findall::ask::question::normalise;
use findall_store::{Feedback, Page, Question, Selector, Vector, Verdict, WriteOutcome, now, page_key};

use super::questions::find_held_document;
use crate::app::App;
use crate::documents::HeldDocument;
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
        let span = span_of(&held, &request)?;
        let text = held.document.text();
        let selector = Selector::of(text, span)
            .ok_or_else(|| ApiError::BadRequest("nothing readable stands at this \"span\"".into()))?;
        let normalised = normalise(&question);
        let values = loaded.question_vector(&question)?;
        let sentence = held.document.sentence_at(span.start).and_then(|sentence| sentence.slice(text));
        let recorded = store.record_feedback(&Feedback {
            page: Page {
                key: &page_key(&url),
                title: page.title.as_deref(),
                content: held.document.content_hash(),
            },
            question: Question { text: &question, normalised: &normalised },
            vector: Some(Vector { encoder: loaded.encoder_id(), values: &values }),
            verdict: match request.verdict {
                WireVerdict::Wrong => Verdict::Wrong(selector),
                WireVerdict::Right | WireVerdict::Correction => Verdict::Right(selector),
            },
            passage: sentence.unwrap_or_default(),
            at: now(),
        });
        match recorded.map_err(explain_store_failure)? {
            WriteOutcome::Kept(_) => Ok(Json(DoneResponse { ok: true })),
            WriteOutcome::Refused(why) => {
                Err(ApiError::Unprocessable(format!("{why}; /v1/settings shows and changes that")))
            }
        }
    };
    app.workers.run(Lane::Memory, app.deadline(), keep).await
}

/// Where the answer stands: what was said, or the first place with its words.
fn span_of(held: &HeldDocument, request: &FeedbackRequest) -> Result<Span, ApiError> {
    let text = held.document.text();
    match (request.span, request.text.as_deref().map(str::trim)) {
        (Some(span), _) => {
            Ok(Converter::new(held.document.positions(), request.offsets).to_byte_span(span, text)?)
        }
        (None, Some(words)) if !words.is_empty() => {
            let start = text.find(words).ok_or_else(|| {
                ApiError::Unprocessable(
                    "the words in \"text\" do not stand in the document; send a \"span\"".into(),
                )
            })?;
            Ok(Span::new(start, start + words.len()))
        }
        _ => Err(ApiError::BadRequest("send the \"span\" of the answer, or its \"text\"".into())),
    }
}
