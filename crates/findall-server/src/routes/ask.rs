//! `POST /v1/ask`: the answer, from memory or by reading, or that the page does not answer.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use findall::ask::check_question;

use crate::app::App;
use crate::error::ApiError;
use crate::extract::{JsonBody, StreamPreference};
use crate::question::{QuestionDocument, QuestionTask, answer_question};
use crate::sources::{Source, parse_source};
use crate::stream;
use crate::workers::Lane;
use findall_wire::{AskEvent, AskRequest};

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
        (Some(id), None) => {
            QuestionDocument::Prepared(app.documents.get(&id).ok_or(ApiError::UnknownDocument)?)
        }
        (None, Some(text)) => {
            QuestionDocument::Parsed(Box::new(parse_source(&app, Source::text(text, None)).await?.document))
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
