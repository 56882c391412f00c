//! What a page can be asked when there is no server: files first, then `open`, then texts and queries.
//!
//! ```text
//! document ─▶ read · read · … (a batch of passages each) ─▶ find
//! ```
//! Reading goes batch by batch because a browser runs one thing at a time: between two batches a query gets its turn,
//! and a page that is no longer wanted is left.

use std::ops::ControlFlow;
use std::sync::Arc;

use findall::find::Speed;
use findall::index::PrepareOptions;
use findall::knowledge::KnowledgeBase;
use findall::{Cache, Document, Engine, FindOptions, PreparedDocument};
use findall_models::Models;
use findall_models::folder::Files;
use serde::Deserialize;

use crate::answer::{self, Answer, Failure};

/// No folder can be made here, so that the cache stays in memory, where it makes reading in batches cheap.
const NOWHERE: &str = "/dev/null/findall";
/// The name of the knowledge base among the files.
const KNOWLEDGE: &str = "edge.kb";
/// Passages read in one call: under a second of work.
const BATCH: usize = 8;
/// Pages held; the one used longest ago goes first.
const MOST_PAGES: usize = 4;
/// Longest text in bytes; of more, letters must do.
const LONGEST_TEXT: usize = 1 << 20;

/// A request.
#[derive(Deserialize)]
#[serde(tag = "call", rename_all = "lowercase")]
enum Request {
    Open,
    Document {
        text: String,
    },
    Read {
        document: String,
    },
    Find {
        document: String,
        query: String,
        #[serde(default)]
        fast: bool,
    },
}

/// The engine and the pages that it has read.
#[derive(Default)]
pub struct Edge {
    files: Files,
    engine: Option<Engine>,
    /// The page used last stands last.
    pages: Vec<Page>,
}

struct Page {
    id: String,
    document: Document,
    prepared: PreparedDocument,
    /// Batches read so far.
    batches: usize,
    whole: bool,
}

impl Edge {
    /// Takes one file of the models folder, or the knowledge base. They are used by `open`.
    pub fn file(&mut self, name: String, bytes: Vec<u8>) {
        self.files.insert(name, bytes);
    }

    /// Answers a JSON request with JSON; a failure is an answer, too.
    pub fn call(&mut self, request: &[u8]) -> String {
        let answer = match serde_json::from_slice(request) {
            Ok(request) => self.answer(request),
            Err(error) => Err(Failure::new("bad_request", error.to_string())),
        };
        let answer = answer.unwrap_or_else(|failure| Answer::Failed { error: failure });
        // Nothing that an answer holds can fail to be written.
        serde_json::to_string(&answer).unwrap_or_default()
    }

    fn answer(&mut self, request: Request) -> Result<Answer, Failure> {
        match request {
            Request::Open => self.open(),
            Request::Document { text } => self.document(text),
            Request::Read { document } => self.read(&document),
            Request::Find { document, query, fast } => self.find(&document, &query, fast),
        }
    }

    fn open(&mut self) -> Result<Answer, Failure> {
        let mut files = std::mem::take(&mut self.files);
        let missing = || Failure::new("no_engine", format!("{KNOWLEDGE} is not among the files"));
        let knowledge = files.remove(KNOWLEDGE).ok_or_else(missing)?;
        let broken = |error: &dyn std::fmt::Display| Failure::new("no_engine", error.to_string());
        let knowledge = KnowledgeBase::from_bytes(knowledge).map_err(|error| broken(&error))?;
        let models = Models::from_memory(files).map_err(|error| broken(&error))?;
        let encoder = models.encoder().map_err(|error| broken(&error))?;
        let tagger = models.tagger().map_err(|error| broken(&error))?;
        let options = PrepareOptions { largest_batch: BATCH, ..PrepareOptions::default() };
        let mut engine = Engine::new(encoder, tagger, Arc::new(knowledge)).with_options(options);
        if let Some(judge) = models.judge().map_err(|error| broken(&error))? {
            engine = engine.with_judge(judge);
        }
        self.engine = Some(engine.with_cache(Cache::new(NOWHERE)));
        Ok(Answer::Opened { ready: true })
    }

    /// Takes a page and reads its first batch.
    fn document(&mut self, text: String) -> Result<Answer, Failure> {
        if text.len() > LONGEST_TEXT {
            return Err(Failure::new("too_large", "the page is too long to be read without a server".into()));
        }
        let engine = self.engine()?.clone();
        let document = Document::from_text(&text);
        let id: String = document.content_hash()[..16].iter().map(|byte| format!("{byte:02x}")).collect();
        if self.page(&id).is_err() {
            if self.pages.len() >= MOST_PAGES {
                self.pages.remove(0);
            }
            let (prepared, whole) = prepare(&engine, &document, 1)?;
            self.pages.push(Page { id: id.clone(), document, prepared, batches: 1, whole });
        }
        self.progress(&id)
    }

    /// Reads one more batch of a page.
    fn read(&mut self, id: &str) -> Result<Answer, Failure> {
        let engine = self.engine()?.clone();
        let page = self.page(id)?;
        if !page.whole {
            page.batches += 1;
            (page.prepared, page.whole) = prepare(&engine, &page.document, page.batches)?;
        }
        self.progress(id)
    }

    fn progress(&mut self, id: &str) -> Result<Answer, Failure> {
        let page = self.page(id)?;
        let coverage = answer::coverage(&page.document, &page.prepared);
        let (read, total) = (coverage.read, coverage.total);
        Ok(Answer::Read { document: id.to_owned(), read, total, whole: page.whole })
    }

    /// Everything in what was read so far that the query means.
    fn find(&mut self, id: &str, query: &str, fast: bool) -> Result<Answer, Failure> {
        let engine = self.engine()?.clone();
        let page = self.page(id)?;
        let speed = if fast { Speed::Fast } else { Speed::Judged };
        let options = FindOptions { speed, ..FindOptions::default() };
        let found = engine.find(&page.document, &page.prepared, query, &options);
        let found = found.map_err(|error| Failure::new("unprocessable", error.to_string()))?;
        Ok(Answer::Found(answer::findings(&found, &page.document, &page.prepared, query)))
    }

    fn engine(&self) -> Result<&Engine, Failure> {
        self.engine.as_ref().ok_or_else(|| Failure::new("no_engine", "the engine is not open".into()))
    }

    /// The page, which thereby becomes the one used last.
    fn page(&mut self, id: &str) -> Result<&mut Page, Failure> {
        let unknown = || Failure::new("unknown_document", "send the page's text again".into());
        let at = self.pages.iter().position(|page| page.id == id).ok_or_else(unknown)?;
        let page = self.pages.remove(at);
        self.pages.push(page);
        self.pages.last_mut().ok_or_else(unknown)
    }
}

/// The first `batches` batches of a document, and whether that is all of it. What earlier calls read comes from the
/// engine's cache.
fn prepare(
    engine: &Engine,
    document: &Document,
    batches: usize,
) -> Result<(PreparedDocument, bool), Failure> {
    let mut done = 0;
    let prepared = engine.prepare_streaming(document, &mut |progress| {
        done += 1;
        let more = progress.bytes < progress.total;
        if more && done >= batches { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let prepared = prepared.map_err(|error| Failure::new("internal", error.to_string()))?;
    let whole = prepared.coverage.is_whole();
    Ok((prepared, whole))
}
