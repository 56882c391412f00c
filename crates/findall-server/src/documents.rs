//! The documents that are held in memory, ready to be asked, bounded by bytes: those used longest ago make room, and a
//! client that comes back for one sends it again.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use findall::encode::ModelError;
use findall::index::Preparation;
use findall::like::Corpus;
use findall::{Document, Engine, PreparedDocument};
use lru::LruCache;

use crate::access::hex;
use crate::error::ApiError;

/// Under what a document is held.
pub type DocumentId = String;

/// Where a document is from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Its address.
    pub url: Option<String>,
    /// What it is called.
    pub title: Option<String>,
}

/// What a sentence takes once like was asked: its vector, its words.
const MAX_SENTENCE_BYTES: usize = 600;

/// Stopped preparations that are held, and the share of the memory for documents that one of them may take.
const MAX_STOPPED: usize = 4;
const STOPPED_SHARE: usize = 32;

/// A document that is held.
#[derive(Debug)]
pub struct HeldDocument {
    /// Under what.
    pub id: DocumentId,
    /// The text.
    pub document: Document,
    /// What can be asked about it.
    pub prepared: PreparedDocument,
    /// Whether nothing about it may be written down.
    pub private: bool,
    page: Mutex<Page>,
    /// Its sentences for like, analysed when first asked for.
    corpus: Mutex<Option<Arc<Corpus>>>,
}

impl HeldDocument {
    /// A document with its preparation.
    pub fn new(
        id: DocumentId,
        document: Document,
        prepared: PreparedDocument,
        private: bool,
        page: Page,
    ) -> Self {
        Self { id, document, prepared, private, page: Mutex::new(page), corpus: Mutex::default() }
    }

    /// Its sentences as a corpus; who asks first has it analysed, the others wait.
    pub fn corpus(&self, engine: &Engine) -> Result<Arc<Corpus>, ModelError> {
        let mut corpus = self.corpus.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(corpus) = &*corpus {
            return Ok(corpus.clone());
        }
        let analysed = engine.analyser().analyse(&[&self.document])?;
        let text = self.document.text().to_owned();
        let documents: Vec<_> = analysed.into_iter().map(|one| (text.clone(), one)).collect();
        Ok(corpus.insert(Arc::new(Corpus::in_memory(&documents))).clone())
    }

    /// Where it was last sent from.
    pub fn page(&self) -> Page {
        self.page.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn bytes(&self) -> usize {
        // The text, its sentences and the map back to the source; then what was worked out.
        let corpus = self.document.sentences().len() * MAX_SENTENCE_BYTES;
        2 * self.document.text().len() + self.prepared.heap_bytes() + corpus
    }
}

/// The id of a document: the same text as another format, or sent in private, is another document.
pub fn id_of(document: &Document, private: bool) -> DocumentId {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&document.content_hash());
    hasher.update(document.format().name().as_bytes());
    hasher.update(&[u8::from(private)]);
    hex(&hasher.finalize().as_bytes()[..16])
}

/// All that is held.
#[derive(Debug)]
pub struct Documents {
    most_bytes: usize,
    held: Mutex<DocumentTable>,
    /// Preparations that were stopped, the latest last: who asks again goes on.
    stopped: Mutex<VecDeque<(DocumentId, Preparation)>>,
    /// One lock for each document that is being prepared: who asks for the same waits instead of working twice.
    preparing: Mutex<HashMap<DocumentId, Weak<tokio::sync::Mutex<()>>>>,
}

#[derive(Debug)]
struct DocumentTable {
    by_use: LruCache<DocumentId, (Arc<HeldDocument>, usize)>,
    bytes: usize,
}

impl Documents {
    /// An empty table of this size.
    pub fn new(most_bytes: usize) -> Self {
        let held = Mutex::new(DocumentTable { by_use: LruCache::unbounded(), bytes: 0 });
        Self { most_bytes, held, stopped: Mutex::default(), preparing: Mutex::default() }
    }

    /// The document under this id, if it is still held.
    pub fn get(&self, id: &str) -> Option<Arc<HeldDocument>> {
        let mut table = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        table.by_use.get(id).map(|(held, _)| held.clone())
    }

    /// As [`get`](Self::get), noting from where the same text came this time.
    pub fn get_again(&self, id: &str, page: &Page) -> Option<Arc<HeldDocument>> {
        let held = self.get(id)?;
        if page.url.is_some() {
            *held.page.lock().unwrap_or_else(PoisonError::into_inner) = page.clone();
        }
        Some(held)
    }

    /// Holds a document; others make room. One that is larger than all the room there is, is refused.
    pub fn put(&self, held: HeldDocument) -> Result<Arc<HeldDocument>, ApiError> {
        let bytes = held.bytes();
        if bytes > self.most_bytes {
            return Err(ApiError::TooLarge(format!(
                "the document needs {bytes} bytes of memory, the server has {} for all; split it, or start the \
                 server with a larger --max-memory",
                self.most_bytes
            )));
        }
        let held = Arc::new(held);
        let mut table = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, replaced)) = table.by_use.put(held.id.clone(), (held.clone(), bytes)) {
            table.bytes -= replaced;
        }
        table.bytes += bytes;
        while table.bytes > self.most_bytes {
            let Some((_, (_, freed))) = table.by_use.pop_lru() else { break };
            table.bytes -= freed;
        }
        Ok(held)
    }

    /// Holds what was done of a document before its preparation was stopped; a large one is let go.
    pub fn put_stopped(&self, id: DocumentId, preparation: Preparation) {
        if preparation.heap_bytes() > self.most_bytes / STOPPED_SHARE {
            return;
        }
        let mut stopped = self.stopped.lock().unwrap_or_else(PoisonError::into_inner);
        stopped.retain(|(other, _)| *other != id);
        stopped.push_back((id, preparation));
        if stopped.len() > MAX_STOPPED {
            stopped.pop_front();
        }
    }

    /// What was done of a document before, for who goes on with it.
    pub fn take_stopped(&self, id: &str) -> Option<Preparation> {
        let mut stopped = self.stopped.lock().unwrap_or_else(PoisonError::into_inner);
        let at = stopped.iter().position(|(other, _)| other == id)?;
        stopped.remove(at).map(|(_, preparation)| preparation)
    }

    /// Lets go of every document from this page, or of all; and of all that was stopped.
    pub fn forget(&self, url: Option<&str>) {
        self.stopped.lock().unwrap_or_else(PoisonError::into_inner).clear();
        let mut table = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let ids: Vec<DocumentId> = table
            .by_use
            .iter()
            .filter(|(_, (held, _))| url.is_none() || held.page().url.as_deref() == url)
            .map(|(id, _)| id.clone())
            .collect();
        for id in ids {
            if let Some((_, freed)) = table.by_use.pop(&id) {
                table.bytes -= freed;
            }
        }
    }

    /// The lock under which this document is prepared.
    pub fn preparation_lock(&self, id: &str) -> Arc<tokio::sync::Mutex<()>> {
        let mut preparing = self.preparing.lock().unwrap_or_else(PoisonError::into_inner);
        preparing.retain(|_, lock| lock.strong_count() > 0);
        if let Some(lock) = preparing.get(id).and_then(Weak::upgrade) {
            return lock;
        }
        let lock = Arc::new(tokio::sync::Mutex::new(()));
        preparing.insert(id.to_owned(), Arc::downgrade(&lock));
        lock
    }

    /// How many are held, and the bytes that they take.
    pub fn load(&self) -> (usize, usize) {
        let table = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        (table.by_use.len(), table.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use findall::Engine;
    use findall::testing::{small_encoder, small_knowledge, small_tagger};

    fn prepare_held(text: &str, url: &str) -> HeldDocument {
        let engine = Engine::new(small_encoder(), small_tagger(), small_knowledge());
        let document = Document::from_text(text);
        let prepared = engine.prepare(&document).unwrap();
        let page = Page { url: Some(url.into()), title: None };
        HeldDocument::new(id_of(&document, false), document, prepared, false, page)
    }

    #[test]
    fn the_one_used_longest_ago_makes_room() {
        let one = prepare_held("WeChat is one.", "a").bytes();
        let documents = Documents::new(2 * one + one / 2);
        let first = documents.put(prepare_held("WeChat is one.", "a")).unwrap().id.clone();
        let second = documents.put(prepare_held("WeChat is two.", "b")).unwrap().id.clone();
        assert!(documents.get(&first).is_some());
        let third = documents.put(prepare_held("WeChat is six.", "c")).unwrap().id.clone();
        assert!(documents.get(&second).is_none(), "not used since");
        assert!(documents.get(&first).is_some() && documents.get(&third).is_some());
        assert_eq!(documents.load(), (2, 2 * one));
        documents.forget(Some("a"));
        assert_eq!(documents.load(), (1, one));
        documents.forget(None);
        assert_eq!(documents.load(), (0, 0));
    }

    #[test]
    fn the_latest_that_were_stopped_are_held_and_handed_out_once() {
        let engine = Engine::new(small_encoder(), small_tagger(), small_knowledge());
        let begun = || engine.begin(&Document::from_text("WeChat is one."));
        let documents = Documents::new(1 << 20);
        for number in 0..=MAX_STOPPED {
            documents.put_stopped(number.to_string(), begun());
        }
        assert!(documents.take_stopped("0").is_none(), "others came after it");
        assert!(documents.take_stopped("1").is_some());
        assert!(documents.take_stopped("1").is_none());
        documents.forget(None);
        assert!(documents.take_stopped("2").is_none());
        let small = Documents::new(100);
        small.put_stopped("0".into(), begun());
        assert!(small.take_stopped("0").is_none(), "it takes too much of what there is");
    }

    #[test]
    fn a_document_larger_than_all_memory_is_refused() {
        let refused = Documents::new(100).put(prepare_held("WeChat is one.", "a")).unwrap_err();
        assert_eq!(refused.status().1, "too_large");
    }

    #[test]
    fn format_and_privacy_make_another_document() {
        let text = Document::from_text("WeChat");
        let html = Document::from_bytes(
            b"<p>WeChat</p>",
            Some(findall::document::Format::Html),
            &Default::default(),
        )
        .unwrap();
        let ids = [id_of(&text, false), id_of(&text, true), id_of(&html, false)];
        assert!(ids[0] != ids[1] && ids[0] != ids[2] && ids[1] != ids[2]);
        assert_eq!(ids[0], id_of(&Document::from_text("WeChat"), false));
    }
}
