//! How the engine reads a book: its mentions, everybody in it, and its stretches, encoded so that lists can be asked of them.

use std::ops::ControlFlow;

use super::Engine;
use crate::document::Document;
use crate::encode::{Embedding, ModelError, TextKind};
use crate::index::Embeddings;
use crate::list::{Book, STRETCH_OPTIONS, Stage};
use crate::mentions::Mention;
use crate::names::Cast;

/// Stretches of a book encoded between two words to the watcher.
const BOOK_CHUNK_STRETCHES: usize = 64;

impl Engine {
    /// Every mention that the tagger sees, in document order; what an earlier run saw is read back. `watch` is told
    /// the bytes done as the work goes on, and may stop it by breaking: then what was tagged so far comes back, and a
    /// later run with the same cache goes on from there.
    pub fn mentions(
        &self,
        document: &Document,
        watch: &mut dyn FnMut(usize) -> ControlFlow<()>,
    ) -> Result<Vec<Mention>, ModelError> {
        self.preparer().mentions(document, &mut |bytes| {
            self.flush();
            watch(bytes)
        })
    }

    /// Everybody and everything that a document names. `watch` as in [`mentions`](Self::mentions).
    pub fn cast(
        &self,
        document: &Document,
        watch: &mut dyn FnMut(Stage) -> ControlFlow<()>,
    ) -> Result<Cast, ModelError> {
        let mentions = self.mentions(document, &mut |bytes| watch(Stage::Tagging(bytes)))?;
        let _ = watch(Stage::Reading);
        Ok(Cast::of(document, &mentions))
    }

    /// A book that lists can be asked of. `watch` may stop the encoding by breaking: then passages are retrieved by
    /// words only.
    pub fn book<'d>(
        &'d self,
        document: &'d Document,
        cast: &'d Cast,
        watch: &mut dyn FnMut(Stage) -> ControlFlow<()>,
    ) -> Result<Book<'d>, ModelError> {
        let text = document.text();
        let stretches = document.passages(&STRETCH_OPTIONS);
        let texts: Vec<&str> = stretches.iter().map(|span| span.slice(text).unwrap_or_default()).collect();
        let mut embeddings = Embeddings::new(&*self.encoder, self.kept.as_ref().map(|kept| &kept.embeddings));
        let mut vectors = Vec::with_capacity(texts.len());
        for (texts, spans) in texts.chunks(BOOK_CHUNK_STRETCHES).zip(stretches.chunks(BOOK_CHUNK_STRETCHES)) {
            embeddings.learn(texts, TextKind::Passage)?;
            self.flush();
            let pooled = |text: &&str| {
                let known = embeddings.get(text, TextKind::Passage);
                Embedding { pooled: known.map(|e| e.pooled.clone()).unwrap_or_default(), tokens: Vec::new() }
            };
            vectors.extend(texts.iter().map(pooled));
            embeddings.forget();
            if watch(Stage::Encoding(spans.last().map_or(0, |last| last.end))).is_break() {
                vectors.clear();
                break;
            }
        }
        let _ = watch(Stage::Reading);
        Ok(Book::of(document, cast, vectors, &*self.encoder))
    }
}
