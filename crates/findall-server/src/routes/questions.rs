//! `GET /v1/pages/top-questions` and `GET /v1/questions/similar`: what was asked before, here and elsewhere.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use findall_service::ask::AnswerOrigin;
use findall_service::questions::{SimilarQuestionsQuery, check_question_limit};
use findall_store::{Answer, Vector, page_key};

use crate::app::App;
use crate::documents::HeldDocument;
use crate::error::ApiError;
use crate::extract::Parameters;
use crate::memory::{explain_store_failure, question_id};
use crate::question::wire_origin;
use crate::workers::Lane;
use findall_wire::offsets::Converter;
use findall_wire::{
    KnownAnswer, Offsets, PageName, SimilarQuery, SimilarQuestion, SimilarResponse, TopQuestion,
    TopQuestionsQuery, TopQuestionsResponse,
};

/// The most asked questions of a page.
pub async fn top(
    State(app): State<App>,
    Parameters(asked): Parameters<TopQuestionsQuery>,
) -> Result<Json<TopQuestionsResponse>, ApiError> {
    let limit = check_limit(asked.limit)?;
    let held = find_held_document(&app, asked.document.as_deref())?;
    let own = held.as_ref().and_then(|held| held.page().url);
    let url = asked.url.or(own).ok_or_else(|| {
        ApiError::BadRequest("send \"url\", or a \"document\" that was sent with one".into())
    })?;
    let shared = app.clone();
    let look_up = move |_: &_| {
        let Some(store) = shared.resources()?.store() else { return Ok(Vec::new()) };
        let questions = store.top_questions(&page_key(&url), limit).map_err(explain_store_failure)?;
        let known = |answer: &Answer| to_known_answer(answer, held.as_deref(), asked.offsets);
        Ok(questions
            .into_iter()
            .map(|question| TopQuestion {
                question_id: question_id(&question.text),
                answers: question.answers.iter().map(known).collect(),
                text: question.text,
                count: question.count,
                last_asked: question.last_asked,
            })
            .collect())
    };
    let questions = app.workers.run(Lane::Memory, app.deadline(), look_up).await?;
    Ok(Json(TopQuestionsResponse { questions }))
}

/// Questions to other pages that ask something similar.
pub async fn similar(
    State(app): State<App>,
    Parameters(asked): Parameters<SimilarQuery>,
) -> Result<Json<SimilarResponse>, ApiError> {
    let limit = check_limit(asked.limit)?;
    let held = find_held_document(&app, asked.document.as_deref())?;
    if !asked.q.contains(char::is_alphanumeric) {
        return Err(ApiError::BadRequest("\"q\" must be a question".into()));
    }
    let shared = app.clone();
    let look_up = move |_: &_| {
        let loaded = shared.resources()?;
        let Some(store) = loaded.store() else { return Ok(Vec::new()) };
        let values = loaded.question_vector(&asked.q)?;
        let here = held.as_ref().and_then(|held| held.page().url).map(|url| page_key(&url));
        let wanted = SimilarQuestionsQuery {
            vector: Vector { encoder: loaded.encoder_id(), values: &values },
            threshold: None,
            limit,
            except_page: here.as_deref(),
        };
        let found = wanted.find(store).map_err(explain_store_failure)?;
        Ok(found
            .into_iter()
            .map(|similar| SimilarQuestion {
                question_id: question_id(&similar.question.text),
                similarity: similar.likeness,
                page: PageName { url: similar.page_key, title: similar.page_title },
                answers: similar
                    .question
                    .answers
                    .iter()
                    .map(|answer| to_known_answer(answer, None, Offsets::default()))
                    .collect(),
                text: similar.question.text,
            })
            .collect())
    };
    let questions = app.workers.run(Lane::Memory, app.deadline(), look_up).await?;
    Ok(Json(SimilarResponse { questions }))
}

fn check_limit(limit: Option<usize>) -> Result<usize, ApiError> {
    check_question_limit(limit).map_err(|refused| ApiError::BadRequest(format!("\"limit\" {refused}")))
}

/// The document that was named, if one was.
pub fn find_held_document(app: &App, id: Option<&str>) -> Result<Option<Arc<HeldDocument>>, ApiError> {
    id.map(|id| app.documents.get(id).ok_or(ApiError::UnknownDocument)).transpose()
}

fn to_known_answer(answer: &Answer, held: Option<&HeldDocument>, unit: Offsets) -> KnownAnswer {
    let span = held.and_then(|held| {
        let span = answer.selector.find(held.document.text())?;
        Some(Converter::new(held.document.positions(), unit).to_wire_span(span))
    });
    KnownAnswer {
        text: answer.selector.quote.clone(),
        confidence: answer.confidence,
        origin: wire_origin(AnswerOrigin::of_remembered(answer.origin)),
        span,
    }
}
