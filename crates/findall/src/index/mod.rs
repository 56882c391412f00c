//! Prepared documents: a document and its mentions enter; what can be asked about leaves: every entity named in it,
//! where it is named, what is known about it, and the vectors that queries are compared with.
//!
//! ```text
//! Document ─▶ passages ─▶ Mention ─▶ LinkedMention ─▶ PreparedEntity ─▶ PreparedDocument
//!             (prepare)   (tags, cached)  (linking)    (entities)        (saved: by content hash)
//! ```

mod coverage;
mod embeddings;
mod entities;
mod language;
mod lists;
mod nominals;
mod occurrences;
mod preparation;
mod prepare;
mod saved;
mod tagging;
mod values;

pub use coverage::{Coverage, SkippedPart};
pub use preparation::{Preparation, PreparationCost, PreparationProgress, TextTask};
pub use prepare::{PrepareOptions, Progress};
pub use values::{Value, ValueKind};

pub(crate) use embeddings::{Embeddings, VectorSource};
pub(crate) use entities::{EntityDraft, gather};
pub(crate) use lists::{ReadingPlan, choose as choose_passages};
pub(crate) use prepare::{Preparer, TAGGED_PASSAGE};
pub(crate) use saved::{ByteReader, ByteWriter};
pub(crate) use tagging::{CachedTagger, kind_number, kind_of};
pub(crate) use values::scan as scan_values;

use crate::built_in::built_in_data_id;
use crate::encode::{Embedding, Encoder};
use crate::knowledge::{EntityId, KnowledgeBase};
use crate::mentions::{MentionTagger, MentionType};
use crate::page_words::PageWord;
use crate::span::Span;

const INDEX_WORD_LISTS: &str = include_str!("words.txt");

/// Which models and knowledge made something; what another set made is not trusted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Provenance {
    /// `Encoder::id`.
    pub encoder: String,
    /// `MentionTagger::id`.
    pub tagger: String,
    /// `KnowledgeBase::id`, and the name of the numbers and words by which documents are read and names linked to it.
    pub knowledge: String,
}

impl Provenance {
    /// These models and this knowledge, with the numbers and word lists of this program.
    pub(crate) fn new(encoder: &dyn Encoder, tagger: &dyn MentionTagger, knowledge: &KnowledgeBase) -> Self {
        Self {
            encoder: encoder.id().to_owned(),
            tagger: tagger.id().to_owned(),
            knowledge: format!("{}+{}", knowledge.id(), built_in_data_id()),
        }
    }
}

/// A document that queries can be put to.
#[derive(Clone, Debug, PartialEq)]
pub struct PreparedDocument {
    /// BLAKE3 of the document's text.
    pub content_hash: [u8; 32],
    /// Who made it.
    pub made_by: Provenance,
    /// What the document names, in the order of first mention.
    pub entities: Vec<PreparedEntity>,
    /// Numbers, amounts and dates, in document order.
    pub values: Vec<Value>,
    /// How much was read, and what was not.
    pub coverage: Coverage,
}

impl PreparedDocument {
    /// About how much memory it takes, for who keeps many.
    pub fn heap_bytes(&self) -> usize {
        let embedding = |embedding: &Option<Embedding>| {
            embedding.as_ref().map_or(0, |it| it.pooled.len() * size_of::<f32>() + it.tokens.len())
        };
        let entity = |entity: &PreparedEntity| {
            size_of::<PreparedEntity>()
                + entity.name.len()
                + entity.knowledge.len()
                + entity.page_word.said.len()
                + entity.page_word.stands.len()
                + entity.mentions.len() * size_of::<Occurrence>()
                + embedding(&entity.knowledge_embedding)
                + embedding(&entity.context_embedding)
        };
        self.entities.iter().map(entity).sum::<usize>() + self.values.len() * size_of::<Value>()
    }
}

/// One thing that a document names.
#[derive(Clone, Debug, PartialEq)]
pub struct PreparedEntity {
    /// The title in the knowledge base, or the fullest name in the document.
    pub name: String,
    /// Which entity of the knowledge base it is, if it is known to be one.
    pub id: Option<EntityId>,
    /// How sure the link is, 0 to 1; 0 without one.
    pub confidence: f32,
    /// What sort of thing the tagger took it for.
    pub kind: MentionType,
    /// What the knowledge base says, as the encoder read it; empty when it is not linked.
    pub knowledge: String,
    /// What the document itself says of it.
    pub page_word: PageWord,
    /// Where it is named, in document order.
    pub mentions: Vec<Occurrence>,
    /// Embedding of the knowledge text.
    pub(crate) knowledge_embedding: Option<Embedding>,
    /// Embedding of the name in its context.
    pub(crate) context_embedding: Option<Embedding>,
}

/// One place where an entity is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Occurrence {
    /// Where.
    pub span: Span,
    /// How it was found.
    pub found: OccurrenceOrigin,
}

/// How an occurrence was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OccurrenceOrigin {
    /// The tagger marked it.
    Tagged,
    /// The same name as one that was marked.
    SameName,
    /// A description in its place: "an open network site" after "Weibo is".
    Described,
}
