//! How the engine makes a document ready: in one go, step by step, batch by batch, or from what is known of it already; and
//! what an earlier run saved of that.

use std::ops::ControlFlow;

use super::Engine;
use crate::cache::{MAX_CACHED_FILE_BYTES, read_private, write_whole};
use crate::document::Document;
use crate::encode::ModelError;
use crate::index::{
    EntityDraft, Occurrence, OccurrenceOrigin, Preparation, PreparedDocument, Preparer, Progress,
    VectorSource,
};
use crate::linking::Linker;
use crate::mentions::MentionType;
use crate::span::Span;

/// Something that a document is known to name, given from outside.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownEntity {
    /// Its title in the knowledge base, or any name.
    pub title: String,
    /// Where it is named.
    pub mentions: Vec<Span>,
}

impl Engine {
    /// Tags, links and encodes a document; or reads what an earlier run saved about this very text.
    pub fn prepare(&self, document: &Document) -> Result<PreparedDocument, ModelError> {
        let mut preparation = self.begin(document);
        while !preparation.is_finished() {
            self.advance(document, &mut preparation, usize::MAX)?;
        }
        Ok(preparation.into_prepared())
    }

    /// A preparation of which nothing is done yet; or all, where an earlier run saved something about this very text.
    pub fn begin(&self, document: &Document) -> Preparation {
        match self.load_saved(document) {
            Some(saved) => Preparation::from_prepared(document, saved),
            None => self.preparer().begin(document),
        }
    }

    /// One step of a preparation: so many texts at most are tagged or embedded. One that belongs to another text, or to
    /// other models or knowledge, begins anew.
    pub fn advance(
        &self,
        document: &Document,
        preparation: &mut Preparation,
        max_texts: usize,
    ) -> Result<(), ModelError> {
        self.renew(document, preparation);
        if !preparation.is_finished() {
            self.preparer().advance(document, preparation, max_texts)?;
            self.keep_finished(document, preparation);
        }
        Ok(())
    }

    /// Makes what a preparation was given since the last time searchable, where that is enough to be worth it; for who
    /// does the [`TextTask`](crate::index::TextTask)s elsewhere.
    pub fn refresh(&self, document: &Document, preparation: &mut Preparation) {
        self.renew(document, preparation);
        if !preparation.is_finished() {
            self.preparer().refresh(document, preparation);
            self.keep_finished(document, preparation);
        }
    }

    /// As [`prepare`](Self::prepare), telling `watch` about each batch of passages as it becomes ready, the first
    /// one soon. `watch` can search what is ready, and stop the rest by breaking.
    pub fn prepare_streaming(
        &self,
        document: &Document,
        watch: &mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
    ) -> Result<PreparedDocument, ModelError> {
        let mut preparation = self.begin(document);
        self.advance_streaming(document, &mut preparation, watch)?;
        self.settle(document, &mut preparation)?;
        Ok(preparation.into_prepared())
    }

    /// Makes all that was tagged searchable, whether or not the rest will ever be read.
    pub fn settle(&self, document: &Document, preparation: &mut Preparation) -> Result<(), ModelError> {
        self.renew(document, preparation);
        if preparation.is_finished() {
            return Ok(());
        }
        self.preparer().settle(document, preparation)?;
        self.keep_finished(document, preparation);
        self.flush();
        Ok(())
    }

    /// Goes on with a preparation to its end, telling `watch` about each batch. One that `watch` stopped can be gone on
    /// with, and searched as far as it went once it has been [settled](Self::settle).
    pub fn advance_streaming(
        &self,
        document: &Document,
        preparation: &mut Preparation,
        watch: &mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
    ) -> Result<(), ModelError> {
        self.renew(document, preparation);
        if preparation.is_finished() {
            let total = document.text().len();
            let _ = watch(Progress { bytes: total, total, ready: preparation.prepared() });
            return Ok(());
        }
        self.preparer().advance_streaming(document, preparation, watch)?;
        self.keep_finished(document, preparation);
        // What was stopped is gone on with from here, by another run, too.
        self.flush();
        Ok(())
    }

    /// What was begun for another text or by another engine is of no use.
    fn renew(&self, document: &Document, preparation: &mut Preparation) {
        if !preparation.is_of(document, &self.made_by()) {
            *preparation = self.begin(document);
        }
    }

    fn keep_finished(&self, document: &Document, preparation: &Preparation) {
        if preparation.is_finished() {
            self.keep(document, preparation.prepared());
        }
    }

    /// Prepares a document whose entities and mentions are already known; only their knowledge and context are read.
    pub fn prepare_known(
        &self,
        document: &Document,
        known: &[KnownEntity],
    ) -> Result<PreparedDocument, ModelError> {
        let text = document.text();
        let given = known.iter().filter_map(|entity| {
            let mut mentions: Vec<Occurrence> = (entity.mentions.iter())
                .filter(|span| span.slice(text).is_some_and(|slice| !slice.is_empty()))
                .map(|&span| Occurrence { span, found: OccurrenceOrigin::Tagged })
                .collect();
            mentions.sort_unstable();
            let id = self.knowledge.find_title(&entity.title);
            let confidence = if id.is_some() { 1.0 } else { 0.0 };
            let name = entity.title.clone();
            (!mentions.is_empty()).then_some(EntityDraft {
                name,
                id,
                confidence,
                kind: MentionType::Other,
                mentions,
            })
        });
        let given = given.collect();
        let prepared = self.preparer().prepare_known(document, given)?;
        self.flush();
        Ok(prepared)
    }

    /// What an earlier run saved about this very text, made by these very models and this knowledge.
    pub fn load_saved(&self, document: &Document) -> Option<PreparedDocument> {
        let made_by = self.made_by();
        let path = self.kept.as_ref()?.cache.prepared_path(&made_by.file_name(document));
        PreparedDocument::from_bytes(&read_private(&path, MAX_CACHED_FILE_BYTES).ok()?, document, &made_by)
    }

    pub(super) fn preparer(&self) -> Preparer<'_> {
        Preparer {
            tagging: self.cached_tagger(),
            knowledge: &self.knowledge,
            linker: Linker::new(&self.knowledge),
            vectors: VectorSource {
                encoder: &*self.encoder,
                disk: self.kept.as_ref().map(|kept| &kept.embeddings),
            },
            options: self.options,
        }
    }

    /// Saves what can be read back; a folder that cannot be written costs time later, not the answer now.
    fn keep(&self, document: &Document, prepared: &PreparedDocument) {
        if let Some(kept) = &self.kept {
            let path = kept.cache.prepared_path(&prepared.made_by.file_name(document));
            let _ = write_whole(&path, &prepared.to_bytes());
        }
        self.flush();
    }
}
