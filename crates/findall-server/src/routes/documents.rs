//! `POST /v1/documents`: a page becomes ready to be asked.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use tokio::time::Instant;

use crate::access::hex;
use crate::app::App;
use crate::documents::HeldDocument;
use crate::error::ApiError;
use crate::extract::{JsonBody, StreamPreference};
use crate::sources::{DocumentEntry, read_source};
use crate::stream;
use crate::workers::Lane;
use findall_wire::convert;
use findall_wire::offsets::Converter;
use findall_wire::{DocumentEvent, DocumentRequest, DocumentResponse, Offsets};

/// Prepares a page.
pub async fn documents(
    State(app): State<App>,
    StreamPreference(wants_lines): StreamPreference,
    JsonBody(request): JsonBody<DocumentRequest>,
) -> Result<Response, ApiError> {
    let started = Instant::now();
    let (unit, with_text) = (request.offsets, request.return_text);
    let answer = move |held: &HeldDocument| response(held, unit, with_text, started);
    let deadline = app.deadline();
    match (read_source(&app, request.try_into()?).await?, wants_lines) {
        (entry, false) => {
            let held = entry.into_prepared(deadline).await?;
            let answer = move |_: &_| Ok(answer(&held));
            Ok(Json(app.workers.run(Lane::Short, deadline, answer).await?).into_response())
        }
        (DocumentEntry::Prepared(held), true) => {
            let turn = app.workers.wait_for_turn(Lane::Short).await?;
            let (lines, response) = stream::lines(turn.stop(deadline));
            tokio::spawn(turn.start(move || {
                lines.send(&DocumentEvent::Ready(answer(&held)));
                Ok(())
            }));
            Ok(response)
        }
        (DocumentEntry::Unprepared(fresh, turn), true) => {
            let stop = turn.stop(deadline);
            let (lines, response) = stream::lines(stop.clone());
            tokio::spawn(turn.start(move || {
                let prepared = fresh.prepare(&stop, &mut |document, progress| {
                    let converter = Converter::new(document.positions(), unit);
                    let out = |byte: usize| converter.to_wire_span(findall::Span::new(0, byte)).end;
                    let (read, total) = (out(progress.bytes), out(progress.total));
                    lines.offer(&DocumentEvent::Progress { read, total });
                });
                lines.send(&match prepared {
                    Ok(held) => DocumentEvent::Ready(answer(&held)),
                    Err(error) => DocumentEvent::Error { error: error.body().error },
                });
                Ok(())
            }));
            Ok(response)
        }
    }
}

fn response(held: &HeldDocument, unit: Offsets, with_text: bool, started: Instant) -> DocumentResponse {
    let text = held.document.text();
    DocumentResponse {
        document: held.id.clone(),
        content_hash: hex(&held.document.content_hash()),
        chars: held.document.positions().char_of(text.len()).unwrap_or_default(),
        coverage: convert::coverage(&held.prepared.coverage, &held.document, unit),
        took_ms: started.elapsed().as_millis() as u64,
        text: with_text.then(|| text.to_owned()),
    }
}
