//! `POST /v1/documents`: a page becomes ready to be asked. [`read_source`] and [`UnpreparedDocument::prepare`] also serve the routes that
//! take a text of their own.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use findall::Document;
use findall::document::Format;
use findall::error::DocumentError;
use findall::index::Progress;
use tokio::sync::OwnedMutexGuard;
use tokio::time::Instant;

use crate::access::hex;
use crate::app::App;
use crate::documents::{DocumentId, HeldDocument, Page, id_of};
use crate::error::ApiError;
use crate::extract::{JsonBody, StreamPreference};
use crate::stream;
use crate::workers::{Lane, Stop, Turn};
use findall_wire::convert;
use findall_wire::offsets::Converter;
use findall_wire::{DocumentEvent, DocumentRequest, DocumentResponse, Offsets};

/// A text as it was sent.
pub struct Source {
    content: Content,
    private: bool,
    page: Page,
}

enum Content {
    Text(String),
    Html(String),
    File(Vec<u8>, PathBuf),
}

impl Source {
    /// A plain text that came with a question.
    pub fn text(text: String, url: Option<String>) -> Self {
        Self { content: Content::Text(text), private: false, page: Page { url, title: None } }
    }

    /// A file of any format that the engine reads.
    pub fn file(bytes: Vec<u8>, path: PathBuf) -> Self {
        let url = Some(findall_store::file_key(&path));
        Self { content: Content::File(bytes, path), private: false, page: Page { url, title: None } }
    }
}

impl TryFrom<DocumentRequest> for Source {
    type Error = ApiError;

    fn try_from(request: DocumentRequest) -> Result<Self, ApiError> {
        let content = match (request.text, request.html) {
            (Some(text), None) => Content::Text(text),
            (None, Some(html)) => Content::Html(html),
            _ => return Err(ApiError::BadRequest("send either \"text\" or \"html\"".into())),
        };
        let page = Page { url: request.url, title: request.title };
        Ok(Self { content, private: request.private, page })
    }
}

/// A document that is held, or one that is to be prepared now.
pub enum Entry {
    /// It is there.
    Held(Arc<HeldDocument>),
    /// It is to be read, and it is our turn.
    Fresh(Box<UnpreparedDocument>, Turn),
}

/// A document to be prepared; nobody else prepares the same one meanwhile.
pub struct UnpreparedDocument {
    app: App,
    id: DocumentId,
    document: Document,
    private: bool,
    page: Page,
    _alone: OwnedMutexGuard<()>,
}

/// A source that has been read.
pub struct ParsedSource {
    /// Its text.
    pub document: Document,
    private: bool,
    page: Page,
}

/// Reads a source.
pub async fn parse(app: &App, source: Source) -> Result<ParsedSource, ApiError> {
    app.resources()?;
    let Source { content, private, page } = source;
    let limits = findall::document::Limits {
        source_bytes: app.config.limits.body_bytes,
        text_bytes: app.config.limits.text_bytes,
        ..Default::default()
    };
    let read = move |_: &Stop| {
        let document = match content {
            Content::Text(text) => limits.check_text(text.len()).map(|()| Document::from_text(text)),
            Content::Html(html) => Document::from_vec(html.into_bytes(), Some(Format::Html), &limits),
            Content::File(bytes, path) => Format::guess(&bytes, Some(&path))
                .and_then(|format| Document::from_vec(bytes, Some(format), &limits)),
        };
        let document = document.map_err(unreadable)?;
        // Worked out once, here, where it holds up nobody.
        document.content_hash();
        Ok(ParsedSource { document, private, page })
    };
    app.workers.run(Lane::Short, app.deadline(), read).await
}

/// Reads a source; waits for whoever prepares the same, and for a turn.
pub async fn read_source(app: &App, source: Source) -> Result<Entry, ApiError> {
    let ParsedSource { document, private, page } = parse(app, source).await?;
    let id = id_of(&document, private);
    if let Some(held) = app.documents.get_again(&id, &page) {
        app.metrics.count_document(true);
        return Ok(Entry::Held(held));
    }
    let alone = app.documents.preparation_lock(&id).lock_owned().await;
    // Whoever had the lock before may have prepared it.
    if let Some(held) = app.documents.get_again(&id, &page) {
        app.metrics.count_document(true);
        return Ok(Entry::Held(held));
    }
    let turn = app.workers.wait_for_turn(Lane::Long).await?;
    Ok(Entry::Fresh(
        Box::new(UnpreparedDocument { app: app.clone(), id, document, private, page, _alone: alone }),
        turn,
    ))
}

impl Entry {
    /// The document, prepared now if it was not.
    pub async fn into_held(self, deadline: Instant) -> Result<Arc<HeldDocument>, ApiError> {
        match self {
            Self::Held(held) => Ok(held),
            Self::Fresh(fresh, turn) => {
                turn.run(deadline, move |stop| fresh.prepare(stop, &mut |_, _| ())).await
            }
        }
    }
}

fn unreadable(error: DocumentError) -> ApiError {
    match error {
        DocumentError::TooLarge { .. } => ApiError::TooLarge(error.to_string()),
        error => ApiError::Unprocessable(error.to_string()),
    }
}

impl UnpreparedDocument {
    /// Prepares and holds it, showing each batch to `watch`; stops when it is told to, and who asks again goes on from there.
    pub fn prepare(
        self,
        stop: &Stop,
        watch: &mut dyn FnMut(&Document, Progress<'_>),
    ) -> Result<Arc<HeldDocument>, ApiError> {
        let Self { app, id, document, private, page, _alone } = self;
        let engine = app.resources()?.engine(private);
        let mut preparation = app.documents.take_stopped(&id).unwrap_or_else(|| engine.begin(&document));
        let prepared = engine.advance_streaming(&document, &mut preparation, &mut |progress| {
            watch(&document, progress);
            if stop.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        prepared.map_err(|error| {
            tracing::error!(%error, "preparing failed");
            ApiError::Internal("a model failed; the server's log says which".into())
        })?;
        if !preparation.is_finished() {
            app.documents.put_stopped(id, preparation);
            return Err(stop_error(&app, stop));
        }
        app.metrics.count_document(false);
        app.documents.put(HeldDocument::new(id, document, preparation.into_prepared(), private, page))
    }
}

/// Why a job that was stopped did not end.
pub fn stop_error(app: &App, stop: &Stop) -> ApiError {
    match stop.is_late() {
        true => ApiError::Timeout(app.config.limits.time.as_secs()),
        false => ApiError::Busy("the server is closing, or nobody waited; ask again".into()),
    }
}

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
            let held = entry.into_held(deadline).await?;
            let answer = move |_: &_| Ok(answer(&held));
            Ok(Json(app.workers.run(Lane::Short, deadline, answer).await?).into_response())
        }
        (Entry::Held(held), true) => {
            let turn = app.workers.wait_for_turn(Lane::Short).await?;
            let (lines, response) = stream::lines(turn.stop(deadline));
            tokio::spawn(turn.start(move || {
                lines.send(&DocumentEvent::Ready(answer(&held)));
                Ok(())
            }));
            Ok(response)
        }
        (Entry::Fresh(fresh, turn), true) => {
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
