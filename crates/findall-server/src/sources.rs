//! Texts as they are sent, by whatever route or tool: read as documents, then held, prepared when it is their turn.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use findall::Document;
use findall::document::Format;
use findall::error::DocumentError;
use findall::index::Progress;
use findall_wire::DocumentRequest;
use tokio::sync::OwnedMutexGuard;
use tokio::time::Instant;

use crate::app::App;
use crate::documents::{DocumentId, HeldDocument, Page, id_of};
use crate::error::ApiError;
use crate::workers::{Lane, Stop, Turn};

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
pub enum DocumentEntry {
    /// It is there.
    Prepared(Arc<HeldDocument>),
    /// It is to be read, and it is our turn.
    Unprepared(Box<UnpreparedDocument>, Turn),
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
pub async fn parse_source(app: &App, source: Source) -> Result<ParsedSource, ApiError> {
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
        let document = document.map_err(to_api_error)?;
        // Worked out once, here, where it holds up nobody.
        document.content_hash();
        Ok(ParsedSource { document, private, page })
    };
    app.workers.run(Lane::Short, app.deadline(), read).await
}

/// Reads a source; waits for whoever prepares the same, and for a turn.
pub async fn read_source(app: &App, source: Source) -> Result<DocumentEntry, ApiError> {
    let ParsedSource { document, private, page } = parse_source(app, source).await?;
    let id = id_of(&document, private);
    if let Some(held) = app.documents.get_again(&id, &page) {
        app.metrics.count_document(true);
        return Ok(DocumentEntry::Prepared(held));
    }
    let alone = app.documents.preparation_lock(&id).lock_owned().await;
    // Whoever had the lock before may have prepared it.
    if let Some(held) = app.documents.get_again(&id, &page) {
        app.metrics.count_document(true);
        return Ok(DocumentEntry::Prepared(held));
    }
    let turn = app.workers.wait_for_turn(Lane::Long).await?;
    Ok(DocumentEntry::Unprepared(
        Box::new(UnpreparedDocument { app: app.clone(), id, document, private, page, _alone: alone }),
        turn,
    ))
}

impl DocumentEntry {
    /// The document, prepared now if it was not.
    pub async fn into_prepared(self, deadline: Instant) -> Result<Arc<HeldDocument>, ApiError> {
        match self {
            Self::Prepared(held) => Ok(held),
            Self::Unprepared(fresh, turn) => {
                turn.run(deadline, move |stop| fresh.prepare(stop, &mut |_, _| ())).await
            }
        }
    }
}

fn to_api_error(error: DocumentError) -> ApiError {
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
        prepared.map_err(|error| ApiError::explain_model_failure("preparing", &error))?;
        if !preparation.is_finished() {
            app.documents.put_stopped(id, preparation);
            return Err(app.explain_stop(stop));
        }
        app.metrics.count_document(false);
        app.documents.put(HeldDocument::new(id, document, preparation.into_prepared(), private, page))
    }
}
