//! Linking: a document's mentions enter, each leaves with the entity it means (or none), how sure that is, why, and
//! which other mentions name the same thing.
//!
//! ```text
//! mentions ─▶ name forms ─▶ senses of each form (candidates) ─▶ chains of forms (coreference)
//!          ─▶ features of each sense ─▶ probabilities ─▶ again, with the company the other chains now give ─▶ links
//! ```
//! A chain is linked as one, so a document is consistent. The senses of a chain are ranked against each other by a
//! softmax, and the best of them is weighed against "none of them"; both are learned (`weights`). Everything costs time linear in the document:
//! names are looked up once a form, records read once an entity, and coherence is measured against bounded company.

mod candidates;
mod coreference;
mod features;
mod names;
mod page;
mod pairs;
mod spellings;
mod weights;
mod words;

use std::sync::OnceLock;

pub use features::{Agreement, NONE_FEATURES, NoneFeatures, SENSE_FEATURES, SenseFeatures};

use crate::document::Document;
use crate::knowledge::{EntityId, KnowledgeBase, NameKind};
use crate::mentions::Mention;
use crate::span::Span;
use page::Page;
pub(crate) use weights::LinkerTuning;
use words::{Rarity, Stems};

const LINKING_WORD_LISTS: &str = include_str!("words.txt");

/// A mention and what it means.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkedMention {
    /// The mention as it was given.
    pub mention: Mention,
    /// Mentions with the same number name the same thing, linked or not. Numbers start at 0 in each document.
    pub cluster: usize,
    /// The entity, unless nothing in the knowledge base fits.
    pub link: Option<Link>,
}

/// An entity for a mention.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// The entity.
    pub entity: EntityId,
    /// The probability that it is the right one, 0 to 1.
    pub confidence: f32,
    /// What spoke for it.
    pub evidence: Vec<LinkEvidence>,
}

/// One reason for a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LinkEvidence {
    /// How the name stands to the entity, and how often it means it when nothing else is known.
    Name {
        /// Title, alias or short form.
        via: NameKind,
        /// From 0 to 1.
        prior: f32,
    },
    /// The tagged type against the entity's kind.
    Type(Agreement),
    /// The entity's description shares words with the mention's sentence and the document; the sum of their rarities.
    Context {
        /// With the sentences of its mentions.
        sentence: f32,
        /// With the whole document.
        document: f32,
    },
    /// It goes with the document's other entities.
    Coherence {
        /// Share of its words that the others bring along.
        share: f32,
        /// An entity of the document that it names, or that names it.
        with: Option<EntityId>,
    },
    /// The mention follows a fuller name, at this place.
    Antecedent(Span),
}

/// What the features of one chain were; the data that the weights are learned on.
#[derive(Clone, Debug)]
pub struct ChainFeatures {
    /// The mentions of the chain, as indices into the given ones.
    pub mentions: Vec<usize>,
    /// Each sense with its features.
    pub senses: Vec<(EntityId, SenseFeatures)>,
    /// The features of linking to nothing.
    pub none: NoneFeatures,
}

/// Links mentions to entities of one knowledge base.
pub struct Linker<'k> {
    knowledge: &'k KnowledgeBase,
    stems: Stems,
    rarity: OnceLock<Rarity>,
}

impl<'k> Linker<'k> {
    /// A linker over `knowledge`.
    pub fn new(knowledge: &'k KnowledgeBase) -> Self {
        Self { knowledge, stems: Stems::new(), rarity: OnceLock::new() }
    }

    /// Links the mentions of a document. They may overlap and come in any order; the output keeps their order.
    pub fn link(&self, document: &Document, mentions: &[Mention]) -> Vec<LinkedMention> {
        Page::read(self, document, mentions).link_mentions(mentions)
    }

    /// The features that [`link`](Self::link) decides on, one item a chain: what the weights are learned from.
    pub fn features(&self, document: &Document, mentions: &[Mention]) -> Vec<ChainFeatures> {
        let page = Page::read(self, document, mentions);
        page.scored
            .iter()
            .zip(&page.chains.chains)
            .map(|(scored, chain)| ChainFeatures {
                mentions: chain.mentions.iter().map(|at| page.order[*at]).collect(),
                senses: scored
                    .senses
                    .iter()
                    .map(|s| s.profile.id)
                    .zip(scored.features.iter().copied())
                    .collect(),
                none: scored.none,
            })
            .collect()
    }

    fn rarity(&self) -> &Rarity {
        self.rarity.get_or_init(|| Rarity::sample(self.knowledge, &self.stems))
    }
}

#[cfg(test)]
mod tests;
