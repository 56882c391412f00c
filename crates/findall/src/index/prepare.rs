//! Preparing: a document enters, a [`PreparedDocument`] leaves; in one go, or batch by batch so that the first hits of
//! a book are there before the last page is read.

use std::collections::HashMap;
use std::ops::ControlFlow;

use super::embeddings::Embeddings;
use super::entities::{self, GivenEntity};
use super::lists::{self, ReadingPlan};
use super::tagging::Tagging;
use super::{Coverage, MadeBy, PreparedDocument, PreparedEntity, Skipped};
use super::{language, nominals, occurrences, values};
use crate::document::{Document, PassageOptions};
use crate::encode::{Encoder, ModelError, TextKind};
use crate::knowledge::KnowledgeBase;
use crate::linking::Linker;
use crate::mentions::Mention;
use crate::page_words::PageWord;
use crate::span::Span;

/// What is tagged at a time: whole sentences, about one window of the tagger, nothing twice.
pub(crate) const PASSAGE: PassageOptions =
    PassageOptions { sentences: 15, chars: 900, overlap: 0, paragraph: usize::MAX };

/// Passages of the first batch of a stream: few, for the first hits; then doubling.
const FIRST_BATCH_PASSAGES: usize = 4;
const MAX_BATCH_PASSAGES: usize = 64;

/// How a document is prepared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrepareOptions {
    /// Most passages read between two words to a watcher.
    pub largest_batch: usize,
    /// Most entities that get vectors; in a document with more, those named most often.
    pub most_entities: usize,
}

impl Default for PrepareOptions {
    fn default() -> Self {
        Self { largest_batch: MAX_BATCH_PASSAGES, most_entities: 20_000 }
    }
}

/// What has become ready: `ready` covers the passages since the last call, and can be searched by itself.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'p> {
    /// Bytes of text read so far.
    pub bytes: usize,
    /// Bytes of text in all.
    pub total: usize,
    /// The newly read passages, prepared.
    pub ready: &'p PreparedDocument,
}

/// Everything that a preparation needs and remembers while it runs.
pub(crate) struct Preparer<'e> {
    pub encoder: &'e dyn Encoder,
    pub tagging: Tagging<'e>,
    pub knowledge: &'e KnowledgeBase,
    pub linker: Linker<'e>,
    pub embeddings: Embeddings<'e>,
    pub options: PrepareOptions,
    /// The context in which a name was first met: one a name, whatever batch asks.
    pub contexts: HashMap<String, String>,
}

/// Is shown every batch as it is ready, and may stop the preparation.
pub type Watcher<'w> = dyn FnMut(Progress<'_>) -> ControlFlow<()> + 'w;

impl Preparer<'_> {
    /// Prepares the whole document, reporting batch by batch if `watch` is given. A watcher that breaks stops the
    /// preparation: what was read so far comes back, and its coverage says so.
    pub fn prepare(
        &mut self,
        document: &Document,
        mut watch: Option<&mut Watcher<'_>>,
    ) -> Result<PreparedDocument, ModelError> {
        let text = document.text();
        let ReadingPlan { passages, left_out } = lists::choose(document);
        let mut mentions: Vec<Mention> = Vec::new();
        let mut read = 0;
        let mut size = if watch.is_some() { FIRST_BATCH_PASSAGES } else { passages.len().max(1) };
        let mut unread = 0;
        while read < passages.len() {
            let batch = &passages[read..(read + size).min(passages.len())];
            let found = self.tag(text, batch)?;
            read += batch.len();
            size = (size * 2).min(self.options.largest_batch.max(1));
            if let Some(watch) = watch.as_mut() {
                let ready = self.finish(document, &found, batch)?;
                mentions.extend(found);
                let bytes = batch.last().map_or(0, |last| last.end);
                if watch(Progress { bytes, total: text.len(), ready: &ready }).is_break() {
                    unread = text.len() - bytes;
                    break;
                }
            } else {
                mentions.extend(found);
            }
        }
        // All that the document says of a name is known only now.
        self.contexts.clear();
        let mut prepared = self.finish(document, &mentions, &passages[..read])?;
        if left_out > 0 {
            let coverage = &mut prepared.coverage;
            coverage.bytes = passages[..read].iter().map(Span::len).sum();
            coverage.skipped.push(Skipped::LongLists { bytes: left_out });
        }
        if unread > 0 {
            prepared.coverage.skipped.push(Skipped::Stopped { bytes: unread });
        }
        Ok(prepared)
    }

    /// Tags the whole document, batch by batch; `watch` is told the bytes done and may stop it.
    pub fn mentions(
        &mut self,
        document: &Document,
        watch: &mut dyn FnMut(usize) -> ControlFlow<()>,
    ) -> Result<Vec<Mention>, ModelError> {
        let mut mentions = Vec::new();
        for batch in document.passages(&PASSAGE).chunks(MAX_BATCH_PASSAGES) {
            mentions.extend(self.tag(document.text(), batch)?);
            if watch(batch.last().map_or(0, |last| last.end)).is_break() {
                break;
            }
        }
        Ok(mentions)
    }

    /// Prepares from entities that are already known.
    pub fn prepare_known(
        &mut self,
        document: &Document,
        given: Vec<GivenEntity>,
    ) -> Result<PreparedDocument, ModelError> {
        self.with_embeddings(document, given, &document.passages(&PASSAGE))
    }

    fn finish(
        &mut self,
        document: &Document,
        mentions: &[Mention],
        passages: &[Span],
    ) -> Result<PreparedDocument, ModelError> {
        let linked = self.linker.link(document, mentions);
        let mut given = entities::gather(document, &linked, self.knowledge);
        // Other occurrences are looked for in what was read only.
        let until = passages.last().map_or(0, |last| last.end);
        let from = passages.first().map_or(0, |first| first.start);
        if from == 0 {
            occurrences::complete(&document.text()[..until], &mut given);
        }
        nominals::describe(document.text(), &mut given);
        self.with_embeddings(document, given, passages)
    }

    fn with_embeddings(
        &mut self,
        document: &Document,
        mut given: Vec<GivenEntity>,
        passages: &[Span],
    ) -> Result<PreparedDocument, ModelError> {
        let mut skipped = Vec::new();
        if !language::looks_english(document.text()) {
            skipped.push(Skipped::OtherLanguage);
        }
        if given.len() > self.options.most_entities {
            skipped.push(Skipped::TooManyEntities { left_out: given.len() - self.options.most_entities });
            given.sort_by_key(|entity| std::cmp::Reverse(entity.mentions.len()));
            given.truncate(self.options.most_entities);
            given.sort_by_key(|entity| entity.mentions[0].span);
        }
        let knowledge: Vec<String> = given.iter().map(|entity| self.knowledge_text(entity)).collect();
        let page_words = entities::page_words(document, &given);
        let contexts: Vec<String> = given
            .iter()
            .zip(&page_words)
            .map(|(entity, word)| self.context(document, entity, word))
            .collect();
        let known: Vec<&str> = knowledge.iter().map(String::as_str).filter(|text| !text.is_empty()).collect();
        self.embeddings.learn(&known, TextKind::Knowledge)?;
        self.embeddings.learn(&contexts.iter().map(String::as_str).collect::<Vec<_>>(), TextKind::Passage)?;

        let mut coverage = Coverage {
            bytes: passages.last().map_or(0, |last| last.end)
                - passages.first().map_or(0, |first| first.start),
            passages: passages.len(),
            skipped,
            ..Coverage::default()
        };
        let mut entities = Vec::with_capacity(given.len());
        for (((one, knowledge), context), page_word) in
            given.into_iter().zip(knowledge).zip(contexts).zip(page_words)
        {
            coverage.mentions += one.mentions.len();
            if one.id.is_some() {
                coverage.linked += one.mentions.len();
            }
            entities.push(PreparedEntity {
                knowledge_embedding: self.embeddings.get(&knowledge, TextKind::Knowledge).cloned(),
                context_embedding: self.embeddings.get(&context, TextKind::Passage).cloned(),
                name: one.name,
                id: one.id,
                confidence: one.confidence,
                kind: one.kind,
                knowledge,
                page_word,
                mentions: one.mentions,
            });
        }
        let read =
            passages.first().map_or(0, |first| first.start)..passages.last().map_or(0, |last| last.end);
        let offset = read.start;
        let values = values::scan(&document.text()[read]);
        Ok(PreparedDocument {
            content_hash: document.content_hash(),
            made_by: self.made_by(),
            entities,
            values: values
                .into_iter()
                .map(|value| super::Value { span: value.span.shifted(offset), ..value })
                .collect(),
            coverage,
        })
    }

    pub fn made_by(&self) -> MadeBy {
        MadeBy::new(self.encoder, self.tagging.tagger, self.knowledge)
    }

    /// What is known about a linked entity; nothing when the base has its name only.
    fn knowledge_text(&self, entity: &GivenEntity) -> String {
        let Some(record) = entity.id.and_then(|id| self.knowledge.record(id).ok()) else {
            return String::new();
        };
        let text = record.knowledge_text();
        if text == record.title { String::new() } else { text }
    }

    fn context(&mut self, document: &Document, entity: &GivenEntity, page_word: &PageWord) -> String {
        if let Some(context) = self.contexts.get(&entity.name) {
            return context.clone();
        }
        let context = entities::context(document, entity, page_word);
        self.contexts.insert(entity.name.clone(), context.clone());
        context
    }

    /// Mentions of some passages.
    fn tag(&self, text: &str, passages: &[Span]) -> Result<Vec<Mention>, ModelError> {
        let slices: Vec<&str> = passages.iter().map(|span| span.slice(text).unwrap_or_default()).collect();
        let mut out = Vec::new();
        for (passage, mentions) in passages.iter().zip(self.tagging.tag(&slices)?) {
            let shifted = mentions.into_iter();
            out.extend(
                shifted.map(|mention| Mention { span: mention.span.shifted(passage.start), ..mention }),
            );
        }
        Ok(out)
    }
}
