//! A preparation under way: what has been done so far of one document, as a value that can be put aside and gone on with.
//!
//! ```text
//! passages ─▶ tagged, a few at a time ─▶ linked, when enough is new ─▶ texts awaited ─▶ vectors ─▶ finished
//! ```
//! It holds no model. What it needs of models are [`TextTask`]s: `Engine::advance` does them with its own, a browser has
//! them done by other threads and hands over what came out. What is there can be searched at any time.

use std::collections::{BTreeMap, HashMap, VecDeque};

use super::embeddings::Vectors;
use super::lists::ReadingPlan;
use super::tagging::clean_mentions;
use super::{PreparedDocument, Provenance};
use crate::cache::{Key, key_of};
use crate::document::Document;
use crate::encode::{Embedding, TextKind};
use crate::mentions::Mention;
use crate::span::Span;

/// Mentions are linked again before all is read when the tagged passages have grown by one in so many: all linkings
/// together then cost as much as a few of the whole, however many steps there are.
const RELINKED_SHARE: usize = 4;

/// What a preparation needs of a model.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TextTask {
    /// The mentions of a passage.
    Tag(String),
    /// The embedding of a text.
    Embed(TextKind, String),
}

/// How far a preparation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PreparationProgress {
    /// Bytes of text whose mentions are known.
    pub bytes: usize,
    /// Bytes of text in all.
    pub total: usize,
    /// Texts that still need a vector, among those known so far.
    pub awaited: usize,
    /// True when nothing is left to do.
    pub finished: bool,
}

/// What a preparation cost so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PreparationCost {
    /// Passages that were tagged.
    pub tagged: usize,
    /// Passages whose mentions were linked, each counted as often as it was.
    pub linked: usize,
    /// Texts that were embedded.
    pub embedded: usize,
}

/// A document that is being prepared.
#[derive(Debug)]
pub struct Preparation {
    pub(super) passages: Vec<Span>,
    /// Bytes of lists beyond what is read.
    pub(super) left_out: usize,
    pub(super) contexts: HashMap<String, String>,
    pub(super) vectors: Vectors,
    pub(super) cost: PreparationCost,
    text_bytes: usize,
    /// Of each passage, once it is tagged, in places of the document.
    mentions: Vec<Option<Vec<Mention>>>,
    places: HashMap<Key, Vec<usize>>,
    /// Passages to be tagged, the most urgent first; some may have been tagged since they were queued.
    queue: VecDeque<usize>,
    untagged: usize,
    untagged_bytes: usize,
    /// Passages that were tagged when their mentions were last linked.
    linked: usize,
    /// Whether a mention came since.
    has_news: bool,
    /// Whether all that will ever be known was there when mentions were last linked.
    is_whole: bool,
    draft: PreparedDraft,
}

impl Preparation {
    pub(super) fn new(document: &Document, plan: ReadingPlan, empty: PreparedDocument) -> Self {
        let ReadingPlan { passages, left_out } = plan;
        let text = document.text();
        let mut places: HashMap<Key, Vec<usize>> = HashMap::new();
        for (number, passage) in passages.iter().enumerate() {
            places.entry(passage_key(passage.slice(text).unwrap_or_default())).or_default().push(number);
        }
        Self {
            left_out,
            contexts: HashMap::new(),
            vectors: Vectors::new(),
            cost: PreparationCost::default(),
            text_bytes: text.len(),
            mentions: vec![None; passages.len()],
            places,
            queue: (0..passages.len()).collect(),
            untagged: passages.len(),
            untagged_bytes: passages.iter().map(Span::len).sum(),
            linked: 0,
            has_news: false,
            is_whole: false,
            draft: PreparedDraft::of(empty),
            passages,
        }
    }

    /// A document that was prepared before.
    pub(crate) fn from_prepared(document: &Document, prepared: PreparedDocument) -> Self {
        let plan = ReadingPlan { passages: Vec::new(), left_out: 0 };
        Self { is_whole: true, ..Self::new(document, plan, prepared) }
    }

    /// Whether this is about the same text, and goes on with the same models and knowledge.
    pub(crate) fn is_of(&self, document: &Document, made_by: &Provenance) -> bool {
        let prepared = self.prepared();
        prepared.content_hash == document.content_hash() && prepared.made_by == *made_by
    }

    /// What is ready, and can be searched; what is not embedded yet is like nothing.
    pub fn prepared(&self) -> &PreparedDocument {
        &self.draft.prepared
    }

    /// The same, when nobody will go on.
    pub fn into_prepared(self) -> PreparedDocument {
        self.draft.prepared
    }

    /// True when nothing is left to do.
    pub fn is_finished(&self) -> bool {
        self.is_whole && self.draft.awaited.is_empty()
    }

    /// How far it is.
    pub fn progress(&self) -> PreparationProgress {
        PreparationProgress {
            bytes: if self.untagged == 0 { self.text_bytes } else { self.text_bytes - self.untagged_bytes },
            total: self.text_bytes,
            awaited: self.draft.awaited.len(),
            finished: self.is_finished(),
        }
    }

    /// About how much memory it takes, for who keeps some.
    pub fn heap_bytes(&self) -> usize {
        let embedding =
            |embedding: &Embedding| embedding.pooled.len() * size_of::<f32>() + embedding.tokens.len();
        let mentions = self.mentions.iter().flatten().map(|mentions| mentions.len() * size_of::<Mention>());
        let texts = self.contexts.iter().map(|(name, context)| name.len() + context.len());
        self.prepared().heap_bytes()
            + self.passages.len() * (size_of::<Span>() + size_of::<Key>())
            + self.vectors.values().map(embedding).sum::<usize>()
            + mentions.sum::<usize>()
            + texts.sum::<usize>()
    }

    /// What it cost so far.
    pub fn cost(&self) -> PreparationCost {
        self.cost
    }

    /// Has the passages that touch `seen` tagged first, then those after it, then those before.
    pub fn focus_on(&mut self, seen: Span) {
        let turn = |passage: &Span| match (passage.end <= seen.start, passage.start >= seen.end) {
            (false, false) => 0,
            (false, true) => 1,
            (true, _) => 2,
        };
        let mut order: Vec<usize> = (0..self.passages.len()).collect();
        order.retain(|&number| self.mentions[number].is_none());
        order.sort_by_key(|&number| turn(&self.passages[number]));
        self.queue = order.into();
    }

    /// What is needed next: all vectors that make findable what was read, then so many passages, the most urgent first.
    pub fn next_tasks(&mut self, document: &Document, max_passages: usize) -> Vec<TextTask> {
        let mut wanted: Vec<TextTask> =
            self.draft.awaited.values().map(|text| TextTask::Embed(text.kind, text.text.clone())).collect();
        let next = self.next_passages(max_passages);
        let text = |number: &usize| self.passages[*number].slice(document.text()).unwrap_or_default();
        wanted.extend(next.iter().map(|number| TextTask::Tag(text(number).to_owned())));
        wanted
    }

    /// Takes the mentions of a passage, wherever it stands; one that nobody waits for is passed over.
    pub fn take_mentions(&mut self, passage: &str, mentions: Vec<Mention>) {
        let Some(places) = self.places.get(&passage_key(passage)) else { return };
        let mentions = clean_mentions(mentions, passage);
        for number in places.clone() {
            self.put_mentions(number, mentions.clone());
        }
    }

    /// Takes the embedding of a text.
    pub fn take_embedding(&mut self, kind: TextKind, text: &str, embedding: Embedding) {
        if self.draft.fill(kind, text, Some(&embedding)) {
            self.cost.embedded += 1;
            self.vectors.insert(key_of(kind as u8, text), embedding);
            self.forget_when_finished();
        }
    }

    /// The passages to be tagged next, by their numbers.
    pub(super) fn next_passages(&mut self, max_passages: usize) -> Vec<usize> {
        while self.queue.front().is_some_and(|&number| self.mentions[number].is_some()) {
            self.queue.pop_front();
        }
        let untagged = self.queue.iter().copied().filter(|&number| self.mentions[number].is_none());
        untagged.take(max_passages).collect()
    }

    /// Takes the mentions of one passage, in places of the passage.
    pub(super) fn put_mentions(&mut self, number: usize, mentions: Vec<Mention>) {
        let passage = self.passages[number];
        if self.mentions[number].is_some() {
            return;
        }
        let placed = mentions
            .into_iter()
            .map(|mention| Mention { span: mention.span.shifted(passage.start), ..mention });
        self.mentions[number] = Some(placed.collect());
        self.has_news |= self.mentions[number].as_ref().is_some_and(|mentions| !mentions.is_empty());
        self.untagged -= 1;
        self.untagged_bytes -= passage.len();
        self.cost.tagged += 1;
    }

    /// The mentions of some passages, in their order.
    pub(super) fn mentions_of(&self, passages: impl Iterator<Item = usize>) -> Vec<Mention> {
        passages.filter_map(|number| self.mentions[number].as_ref()).flatten().cloned().collect()
    }

    pub(super) fn has_untagged(&self) -> bool {
        self.untagged > 0
    }

    pub(super) fn untagged_bytes(&self) -> usize {
        self.untagged_bytes
    }

    /// Passages that are tagged.
    pub(super) fn count_tagged(&self) -> usize {
        self.passages.len() - self.untagged
    }

    /// Whether it is time to link what was tagged: all of it is there, or enough is new.
    pub(super) fn wants_linking(&self) -> bool {
        let grown = self.count_tagged() - self.linked;
        !self.is_whole
            && (self.untagged == 0 || (self.has_news && grown * RELINKED_SHARE >= self.linked.max(1)))
    }

    /// Whether something was tagged since it was linked.
    pub(super) fn has_unlinked(&self) -> bool {
        !self.is_whole && (self.count_tagged() > self.linked || self.untagged == 0)
    }

    /// Puts in place what was made of all mentions that are known.
    pub(super) fn put_draft(&mut self, draft: PreparedDraft) {
        self.linked = self.count_tagged();
        self.cost.linked += self.linked;
        self.has_news = false;
        self.is_whole = self.untagged == 0;
        self.draft = draft;
        self.forget_when_finished();
    }

    /// The next texts to be embedded, those of one kind.
    pub(super) fn next_texts(&self, max_texts: usize) -> Option<(TextKind, Vec<String>)> {
        self.draft.next_texts(max_texts)
    }

    /// Puts vectors that were learned into their places.
    pub(super) fn put_vectors(&mut self, kind: TextKind, texts: &[String]) {
        self.draft.fill_all(kind, texts, &self.vectors);
        self.cost.embedded += texts.len();
        self.forget_when_finished();
    }

    /// Lets go of what only a preparation under way needs.
    fn forget_when_finished(&mut self) {
        if self.is_finished() {
            self.contexts = HashMap::new();
            self.vectors = Vectors::new();
        }
    }
}

fn passage_key(passage: &str) -> Key {
    key_of(0, passage)
}

/// A prepared document, some of whose vectors are still awaited; zeros stand in their places.
#[derive(Debug)]
pub(super) struct PreparedDraft {
    pub prepared: PreparedDocument,
    /// In the order in which they are embedded.
    awaited: BTreeMap<usize, AwaitedText>,
    numbers: HashMap<Key, usize>,
}

/// A text whose vector is awaited by some entities.
#[derive(Debug)]
struct AwaitedText {
    kind: TextKind,
    text: String,
    entities: Vec<usize>,
}

impl PreparedDraft {
    /// A document whose vectors are all there.
    pub fn of(prepared: PreparedDocument) -> Self {
        Self { prepared, awaited: BTreeMap::new(), numbers: HashMap::new() }
    }

    /// Gives every entity the vectors of what is known about it and of its context: from `vectors`, or as soon as they
    /// are there.
    pub fn want_all(&mut self, contexts: &[String], vectors: &Vectors, dims: usize) {
        for entity in 0..self.prepared.entities.len() {
            let knowledge = self.prepared.entities[entity].knowledge.clone();
            if !knowledge.is_empty() {
                self.want(entity, TextKind::Knowledge, &knowledge, vectors, dims);
            }
        }
        for (entity, context) in contexts.iter().enumerate() {
            self.want(entity, TextKind::Passage, context, vectors, dims);
        }
    }

    fn want(&mut self, entity: usize, kind: TextKind, text: &str, vectors: &Vectors, dims: usize) {
        let key = key_of(kind as u8, text);
        let embedding = vectors.get(&key).cloned();
        if embedding.is_none() {
            let next = self.numbers.len();
            let number = *self.numbers.entry(key).or_insert(next);
            let new = || AwaitedText { kind, text: text.to_owned(), entities: Vec::new() };
            self.awaited.entry(number).or_insert_with(new).entities.push(entity);
        }
        let unknown = || Embedding { pooled: vec![0.0; dims], tokens: Vec::new() };
        self.put(entity, kind, Some(embedding.unwrap_or_else(unknown)));
    }

    /// The next texts to be embedded, those of one kind.
    pub fn next_texts(&self, max_texts: usize) -> Option<(TextKind, Vec<String>)> {
        let kind = self.awaited.values().next()?.kind;
        let alike = self.awaited.values().take_while(|text| text.kind == kind).take(max_texts);
        Some((kind, alike.map(|text| text.text.clone()).collect()))
    }

    /// Puts vectors that were learned into their places.
    pub fn fill_all(&mut self, kind: TextKind, texts: &[String], vectors: &Vectors) {
        for text in texts {
            self.fill(kind, text, vectors.get(&key_of(kind as u8, text)));
        }
    }

    /// Puts a vector into its places, or that there will be none; false when nobody awaits it.
    pub fn fill(&mut self, kind: TextKind, text: &str, embedding: Option<&Embedding>) -> bool {
        let number = self.numbers.get(&key_of(kind as u8, text));
        let Some(awaited) = number.and_then(|number| self.awaited.remove(number)) else { return false };
        for entity in awaited.entities {
            self.put(entity, kind, embedding.cloned());
        }
        true
    }

    fn put(&mut self, entity: usize, kind: TextKind, embedding: Option<Embedding>) {
        let entity = &mut self.prepared.entities[entity];
        match kind {
            TextKind::Knowledge => entity.knowledge_embedding = embedding,
            TextKind::Passage | TextKind::Query => entity.context_embedding = embedding,
        }
    }
}
