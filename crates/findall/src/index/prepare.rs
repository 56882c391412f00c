//! Preparing: a document enters, a [`PreparedDocument`] leaves; in one go, in steps of a [`Preparation`], or batch by batch
//! so that the first hits of a book are there before the last page is read.

use std::collections::HashMap;
use std::ops::ControlFlow;

use super::embeddings::{VectorSource, Vectors};
use super::entities::{self, EntityDraft};
use super::lists;
use super::preparation::{Preparation, PreparedDraft};
use super::tagging::CachedTagger;
use super::{Coverage, PreparedDocument, PreparedEntity, Provenance, SkippedPart};
use super::{language, nominals, occurrences, values};
use crate::document::{Document, PassageOptions};
use crate::encode::{ModelError, TextKind};
use crate::knowledge::KnowledgeBase;
use crate::linking::Linker;
use crate::mentions::Mention;
use crate::page_words::PageWord;
use crate::span::Span;

/// What is tagged at a time: whole sentences, about one window of the tagger, nothing twice.
pub(crate) const TAGGED_PASSAGE: PassageOptions =
    PassageOptions { sentences: 15, chars: 900, overlap: 0, paragraph: usize::MAX };

/// Passages of the first batch of a stream: few, for the first hits; then doubling.
const FIRST_TAGGED_BATCH_PASSAGES: usize = 4;
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

/// Everything that a preparation needs from outside.
pub(crate) struct Preparer<'e> {
    pub tagging: CachedTagger<'e>,
    pub knowledge: &'e KnowledgeBase,
    pub linker: Linker<'e>,
    pub vectors: VectorSource<'e>,
    pub options: PrepareOptions,
}

/// Is shown every batch as it is ready, and may stop the preparation.
pub type Watcher<'w> = dyn FnMut(Progress<'_>) -> ControlFlow<()> + 'w;

impl Preparer<'_> {
    /// Nothing is done yet.
    pub fn begin(&self, document: &Document) -> Preparation {
        let empty = PreparedDocument {
            content_hash: document.content_hash(),
            made_by: self.made_by(),
            entities: Vec::new(),
            values: Vec::new(),
            coverage: Coverage::default(),
        };
        Preparation::new(document, lists::choose(document), empty)
    }

    /// One step, of so many texts at most: vectors that are awaited, or passages to be tagged. With the last passage
    /// the mentions are linked.
    pub fn advance(
        &self,
        document: &Document,
        preparation: &mut Preparation,
        max_texts: usize,
    ) -> Result<(), ModelError> {
        let max_texts = max_texts.max(1);
        if let Some((kind, texts)) = preparation.next_texts(max_texts) {
            self.learn(&texts, kind, &mut preparation.vectors)?;
            preparation.put_vectors(kind, &texts);
            return Ok(());
        }
        self.tag_next(document, preparation, max_texts)?;
        if !preparation.has_untagged() {
            self.refresh(document, preparation);
        }
        Ok(())
    }

    /// Does all that is left, a batch at a time, and shows each batch. A watcher that breaks stops it before the rest.
    pub fn advance_streaming(
        &self,
        document: &Document,
        preparation: &mut Preparation,
        watch: &mut Watcher<'_>,
    ) -> Result<(), ModelError> {
        let total = document.text().len();
        let mut size = FIRST_TAGGED_BATCH_PASSAGES;
        while preparation.has_untagged() {
            let batch = self.tag_next(document, preparation, size)?;
            size = (size * 2).min(self.options.largest_batch.max(1));
            let ready = self.prepare_batch(document, preparation, &batch)?;
            let bytes = batch.last().map_or(0, |&last| preparation.passages[last].end);
            if watch(Progress { bytes, total, ready: &ready }).is_break() {
                break;
            }
        }
        if preparation.has_untagged() { Ok(()) } else { self.settle(document, preparation) }
    }

    /// Does what can be done with what was tagged: links it and embeds its texts. The coverage says what was not read.
    pub fn settle(&self, document: &Document, preparation: &mut Preparation) -> Result<(), ModelError> {
        if preparation.has_unlinked() {
            self.link(document, preparation);
        }
        while preparation.next_texts(1).is_some() {
            self.advance(document, preparation, usize::MAX)?;
        }
        Ok(())
    }

    /// Links what was tagged, if it is time for that.
    pub fn refresh(&self, document: &Document, preparation: &mut Preparation) {
        if preparation.wants_linking() {
            self.link(document, preparation);
        }
    }

    /// Tags the whole document, batch by batch; `watch` is told the bytes done and may stop it.
    pub fn mentions(
        &self,
        document: &Document,
        watch: &mut dyn FnMut(usize) -> ControlFlow<()>,
    ) -> Result<Vec<Mention>, ModelError> {
        let mut mentions = Vec::new();
        for batch in document.passages(&TAGGED_PASSAGE).chunks(MAX_BATCH_PASSAGES) {
            mentions.extend(self.tag(document.text(), batch)?);
            if watch(batch.last().map_or(0, |last| last.end)).is_break() {
                break;
            }
        }
        Ok(mentions)
    }

    /// Mentions of some passages.
    fn tag(&self, text: &str, passages: &[Span]) -> Result<Vec<Mention>, ModelError> {
        let slices: Vec<&str> = passages.iter().map(|span| span.slice(text).unwrap_or_default()).collect();
        let placed = passages.iter().zip(self.tagging.tag(&slices)?).flat_map(|(passage, mentions)| {
            let place = |mention: Mention| Mention { span: mention.span.shifted(passage.start), ..mention };
            mentions.into_iter().map(place)
        });
        Ok(placed.collect())
    }

    /// Prepares from entities that are already known.
    pub fn prepare_known(
        &self,
        document: &Document,
        given: Vec<EntityDraft>,
    ) -> Result<PreparedDocument, ModelError> {
        let passages = document.passages(&TAGGED_PASSAGE);
        let (mut contexts, mut vectors) = (HashMap::new(), Vectors::new());
        let mut draft = self.draft(document, given, &passages, &mut contexts, &vectors);
        self.fill(&mut draft, &mut vectors)?;
        Ok(draft.prepared)
    }

    /// Tags the next passages, and says which they were.
    fn tag_next(
        &self,
        document: &Document,
        preparation: &mut Preparation,
        max_passages: usize,
    ) -> Result<Vec<usize>, ModelError> {
        let numbers = preparation.next_passages(max_passages);
        let slice = |&number: &usize| preparation.passages[number].slice(document.text()).unwrap_or_default();
        let texts: Vec<&str> = numbers.iter().map(slice).collect();
        if texts.is_empty() {
            return Ok(numbers);
        }
        let tagged = self.tagging.tag(&texts)?;
        for (&number, mentions) in numbers.iter().zip(tagged) {
            preparation.put_mentions(number, mentions);
        }
        Ok(numbers)
    }

    /// Some passages, prepared by themselves.
    fn prepare_batch(
        &self,
        document: &Document,
        preparation: &mut Preparation,
        batch: &[usize],
    ) -> Result<PreparedDocument, ModelError> {
        let mentions = preparation.mentions_of(batch.iter().copied());
        let spans: Vec<Span> = batch.iter().map(|&number| preparation.passages[number]).collect();
        let given = self.gather(document, &mentions, &spans);
        let mut draft = self.draft(document, given, &spans, &mut preparation.contexts, &preparation.vectors);
        preparation.cost.linked += batch.len();
        preparation.cost.embedded += self.fill(&mut draft, &mut preparation.vectors)?;
        Ok(draft.prepared)
    }

    /// Links all that was tagged; what has a vector keeps it.
    fn link(&self, document: &Document, preparation: &mut Preparation) {
        let is_whole = !preparation.has_untagged();
        if is_whole {
            // All that the document says of a name is known only now.
            preparation.contexts.clear();
        }
        let mentions = preparation.mentions_of(0..preparation.passages.len());
        let given = self.gather(document, &mentions, &preparation.passages);
        let mut draft = self.draft(
            document,
            given,
            &preparation.passages,
            &mut preparation.contexts,
            &preparation.vectors,
        );
        let coverage = &mut draft.prepared.coverage;
        let (left_out, unread) = (preparation.left_out, preparation.untagged_bytes());
        if left_out > 0 || !is_whole {
            coverage.bytes = preparation.passages.iter().map(Span::len).sum::<usize>() - unread;
            coverage.passages = preparation.count_tagged();
        }
        if left_out > 0 {
            coverage.skipped.push(SkippedPart::LongLists { bytes: left_out });
        }
        if !is_whole {
            coverage.skipped.push(SkippedPart::Stopped { bytes: unread });
        }
        preparation.put_draft(draft);
    }

    /// The entities that mentions name, with all their occurrences in these passages.
    fn gather(&self, document: &Document, mentions: &[Mention], passages: &[Span]) -> Vec<EntityDraft> {
        let linked = self.linker.link(document, mentions);
        let mut given = entities::gather(document, &linked, self.knowledge);
        // Other occurrences are looked for in what was read only.
        let scope = scope_of(passages);
        if scope.start == 0 {
            occurrences::complete(&document.text()[..scope.end], &mut given);
        }
        nominals::describe(document.text(), &mut given);
        given
    }

    /// The document with what is known of its entities, and with those of their vectors that are there.
    fn draft(
        &self,
        document: &Document,
        mut given: Vec<EntityDraft>,
        passages: &[Span],
        contexts: &mut HashMap<String, String>,
        vectors: &Vectors,
    ) -> PreparedDraft {
        let mut skipped = Vec::new();
        if !language::looks_english(document.text()) {
            skipped.push(SkippedPart::OtherLanguage);
        }
        if given.len() > self.options.most_entities {
            skipped.push(SkippedPart::TooManyEntities { left_out: given.len() - self.options.most_entities });
            given.sort_by_key(|entity| std::cmp::Reverse(entity.mentions.len()));
            given.truncate(self.options.most_entities);
            given.sort_by_key(|entity| entity.mentions[0].span);
        }
        let page_words = entities::page_words(document, &given);
        // One a name, whatever batch asks: the context in which it was first met.
        let context = |(entity, word): (&EntityDraft, &PageWord)| {
            let context = contexts.entry(entity.name.clone());
            context.or_insert_with(|| entities::context(document, entity, word)).clone()
        };
        let texts: Vec<String> = given.iter().zip(&page_words).map(context).collect();
        let scope = scope_of(passages);
        let linked = given.iter().filter(|entity| entity.id.is_some());
        let coverage = Coverage {
            bytes: scope.len(),
            passages: passages.len(),
            mentions: given.iter().map(|entity| entity.mentions.len()).sum(),
            linked: linked.map(|entity| entity.mentions.len()).sum(),
            skipped,
        };
        let values = values::scan(&document.text()[scope.start..scope.end]).into_iter();
        let entities = given.into_iter().zip(page_words).map(|(one, page_word)| PreparedEntity {
            knowledge: self.knowledge_text(&one),
            name: one.name,
            id: one.id,
            confidence: one.confidence,
            kind: one.kind,
            page_word,
            mentions: one.mentions,
            knowledge_embedding: None,
            context_embedding: None,
        });
        let mut draft = PreparedDraft::of(PreparedDocument {
            content_hash: document.content_hash(),
            made_by: self.made_by(),
            entities: entities.collect(),
            values: values
                .map(|value| super::Value { span: value.span.shifted(scope.start), ..value })
                .collect(),
            coverage,
        });
        draft.want_all(&texts, vectors, self.vectors.encoder.dims());
        draft
    }

    /// Embeds all that a draft awaits; gives how many texts that were.
    fn fill(&self, draft: &mut PreparedDraft, vectors: &mut Vectors) -> Result<usize, ModelError> {
        let mut embedded = 0;
        while let Some((kind, texts)) = draft.next_texts(usize::MAX) {
            self.learn(&texts, kind, vectors)?;
            draft.fill_all(kind, &texts, vectors);
            embedded += texts.len();
        }
        Ok(embedded)
    }

    fn learn(&self, texts: &[String], kind: TextKind, vectors: &mut Vectors) -> Result<(), ModelError> {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        self.vectors.learn(&texts, kind, vectors)
    }

    fn made_by(&self) -> Provenance {
        Provenance::new(self.vectors.encoder, self.tagging.tagger, self.knowledge)
    }

    /// What is known about a linked entity; nothing when the base has its name only.
    fn knowledge_text(&self, entity: &EntityDraft) -> String {
        let Some(record) = entity.id.and_then(|id| self.knowledge.record(id).ok()) else {
            return String::new();
        };
        let text = record.knowledge_text();
        if text == record.title { String::new() } else { text }
    }
}

/// From the first of some passages to the last.
fn scope_of(passages: &[Span]) -> Span {
    match (passages.first(), passages.last()) {
        (Some(first), Some(last)) => Span::new(first.start, last.end),
        _ => Span::new(0, 0),
    }
}
