//! `POST /v1/find`: everything in a document that the query means.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use findall::document::Document;
use findall::find::{FindError, FindOptions, Findings, Speed};
use findall::index::PreparedDocument;
use findall::lexical::{Finder, LexicalOptions};
use findall_service::find::{FirstMatches, choose_keep_rule};
use tokio::time::Instant;

use super::documents::{Entry, Source, read_source};
use crate::app::App;
use crate::documents::HeldDocument;
use crate::error::ApiError;
use crate::extract::{JsonBody, StreamPreference};
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
    check(&request)?;
    if app.config.log_content {
        tracing::info!(query = request.query, "find");
    }
    let entry = match (request.document.take(), request.text.take()) {
        (Some(id), None) => Entry::Held(app.documents.get(&id).ok_or(ApiError::UnknownDocument)?),
        (None, Some(text)) => read_source(&app, Source::text(text, None)).await?,
        _ => return Err(ApiError::BadRequest("send either \"document\" or \"text\"".into())),
    };
    let shared = app.clone();
    match (entry, wants_lines) {
        (entry, false) => Ok(Json(answer_find(&app, entry, request).await?).into_response()),
        (Entry::Held(held), true) => {
            let turn = app.workers.wait_for_turn(Lane::Short).await?;
            let (lines, response) = stream::lines(turn.stop(deadline));
            tokio::spawn(turn.start(move || {
                let found = answer(&shared, &held, &request, started);
                if let Ok(found) = &found {
                    found.matches.iter().all(|one| lines.send(&FindEvent::Match(one.clone())));
                }
                send_end(&lines, found)
            }));
            Ok(response)
        }
        (Entry::Fresh(fresh, turn), true) => {
            let stop = turn.stop(deadline);
            let (lines, response) = stream::lines(stop.clone());
            tokio::spawn(turn.start(move || {
                let engine = shared.resources().map(|loaded| loaded.engine(true));
                let options = options(&request);
                let search = engine.map(|engine| FirstMatches::provisional(engine, &request.query, options));
                let held = search.and_then(|mut search| {
                    fresh.prepare(&stop, &mut |document, progress| {
                        // What goes wrong here goes wrong at the end too, and is told there.
                        if let Ok(found) = search.next(document, &progress) {
                            send_first_matches(&shared, &request, &lines, &found, document, progress.ready);
                        }
                    })
                });
                send_end(&lines, held.and_then(|held| answer(&shared, &held, &request, started)))
            }));
            Ok(response)
        }
    }
}

/// All at once.
pub async fn answer_find(app: &App, entry: Entry, request: FindRequest) -> Result<FindResponse, ApiError> {
    check(&request)?;
    let (started, deadline) = (Instant::now(), app.deadline());
    let held = entry.into_held(deadline).await?;
    let shared = app.clone();
    app.workers.run(Lane::Short, deadline, move |_| answer(&shared, &held, &request, started)).await
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
    let kinds = request.kinds.as_deref();
    for one in found.matches.iter().take(app.config.limits.matches) {
        let one = convert::wire_match(one, document, ready, &converter);
        let wanted = kinds.is_none_or(|kinds| kinds.contains(&one.kind));
        if wanted && !lines.send(&FindEvent::Match(one)) {
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

fn check(request: &FindRequest) -> Result<(), ApiError> {
    if request.threshold.is_some_and(|threshold| !(0.0..=1.0).contains(&threshold)) {
        return Err(ApiError::BadRequest("\"threshold\" must lie between 0 and 1".into()));
    }
    if request.guess && request.threshold.is_some() {
        return Err(ApiError::BadRequest("\"guess\" and \"threshold\" exclude each other".into()));
    }
    if request.top == Some(0) {
        return Err(ApiError::BadRequest("\"top\" must be at least 1".into()));
    }
    // Before a page is read for it.
    Finder::new(&request.query, LexicalOptions::default())
        .map(|_| ())
        .map_err(|error| ApiError::Unprocessable(error.to_string()))
}

fn options(request: &FindRequest) -> FindOptions {
    FindOptions {
        keep: choose_keep_rule(request.threshold, request.guess),
        speed: if request.fast { Speed::Fast } else { Speed::Judged },
        ..FindOptions::default()
    }
}

fn answer(
    app: &App,
    held: &Arc<HeldDocument>,
    request: &FindRequest,
    started: Instant,
) -> Result<FindResponse, ApiError> {
    let engine = app.resources()?.engine(held.private);
    let found = engine.find(&held.document, &held.prepared, &request.query, &options(request));
    let found = found.map_err(|error| match error {
        FindError::Query(error) => ApiError::Unprocessable(error.to_string()),
        error => {
            tracing::error!(%error, "find failed");
            ApiError::Internal("the search failed; the server's log says why".into())
        }
    })?;
    let most = app.config.limits.matches;
    let response = convert::findings(&found, &held.document, &held.prepared, request, most);
    let judged = convert::is_final(engine, request.fast);
    Ok(FindResponse { judged, took_ms: started.elapsed().as_millis() as u64, ..response })
}
