//! `POST /v1/find`: everything in a document that the query means.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use findall::document::Document;
use findall::find::Findings;
use findall::index::PreparedDocument;
use findall_service::find::FirstMatches;
use tokio::time::Instant;

use crate::app::App;
use crate::error::ApiError;
use crate::extract::{JsonBody, StreamPreference};
use crate::search::{answer_find, check_request, find_options, search_document};
use crate::sources::{DocumentEntry, Source, read_source};
use crate::stream::{self, Lines};
use crate::workers::Lane;
use findall_wire::convert;
use findall_wire::offsets::Converter;
use findall_wire::{FindEvent, FindRequest, FindResponse};

/// Finds.
pub async fn find(
    State(app): State<App>,
    StreamPreference(wants_lines): StreamPreference,
    JsonBody(mut request): JsonBody<FindRequest>,
) -> Result<Response, ApiError> {
    let started = Instant::now();
    let deadline = app.deadline();
    check_request(&request)?;
    if app.config.log_content {
        tracing::info!(query = request.query, "find");
    }
    let entry = match (request.document.take(), request.text.take()) {
        (Some(id), None) => DocumentEntry::Prepared(app.documents.get(&id).ok_or(ApiError::UnknownDocument)?),
        (None, Some(text)) => read_source(&app, Source::text(text, None)).await?,
        _ => return Err(ApiError::BadRequest("send either \"document\" or \"text\"".into())),
    };
    let shared = app.clone();
    match (entry, wants_lines) {
        (entry, false) => Ok(Json(answer_find(&app, entry, request).await?).into_response()),
        (DocumentEntry::Prepared(held), true) => {
            let turn = app.workers.wait_for_turn(Lane::Short).await?;
            let (lines, response) = stream::lines(turn.stop(deadline));
            tokio::spawn(turn.start(move || {
                let found = search_document(&shared, &held, &request, started);
                if let Ok(found) = &found {
                    found.matches.iter().all(|one| lines.send(&FindEvent::Match(one.clone())));
                }
                send_end(&lines, found)
            }));
            Ok(response)
        }
        (DocumentEntry::Unprepared(fresh, turn), true) => {
            let stop = turn.stop(deadline);
            let (lines, response) = stream::lines(stop.clone());
            tokio::spawn(turn.start(move || {
                let engine = shared.resources().map(|loaded| loaded.engine(true));
                let options = find_options(&request);
                let search = engine.map(|engine| FirstMatches::provisional(engine, &request.query, options));
                let held = search.and_then(|mut search| {
                    fresh.prepare(&stop, &mut |document, progress| {
                        // What goes wrong here goes wrong at the end too, and is told there.
                        if let Ok(found) = search.next(document, &progress) {
                            send_first_matches(&shared, &request, &lines, &found, document, progress.ready);
                        }
                    })
                });
                send_end(&lines, held.and_then(|held| search_document(&shared, &held, &request, started)))
            }));
            Ok(response)
        }
    }
}

/// Sends matches of what has been read so far.
fn send_first_matches(
    app: &App,
    request: &FindRequest,
    lines: &Lines,
    found: &Findings,
    document: &Document,
    ready: &PreparedDocument,
) {
    let converter = Converter::new(document.positions(), request.offsets);
    let wanted = found.matches.iter().filter(|one| convert::is_wanted(one, request));
    for one in wanted.take(app.config.limits.matches) {
        let one = convert::wire_match(one, document, ready, &converter);
        if !lines.send(&FindEvent::Match(one)) {
            return;
        }
    }
}

fn send_end(lines: &Lines, found: Result<FindResponse, ApiError>) -> Result<(), ApiError> {
    lines.send(&match found {
        Ok(found) => FindEvent::End(found),
        Err(error) => FindEvent::Error { error: error.body().error },
    });
    Ok(())
}
