//! What the world knows: a [`KnowledgeBase`] is one or several files, opened by mapping them, that turn a name into
//! candidate entities and an entity into what is known about it.
//!
//! A file is built by the crate `findall-kb`, read by `layer`, laid out as `layout` says. Files can be layered: an upper one (a
//! company's glossary) wins over a lower one (an encyclopedia) field by field, and their names and phrases are united.
//! A person's [`corrections`] lie over all of them and can change while the base is open.

#![cfg_attr(target_arch = "wasm32", allow(dead_code, reason = "in a browser a base has no index of words"))]

mod automaton;
mod coding;
pub mod corrections;
mod error;
mod fold;
mod layer;
mod layout;
pub mod record;
mod unpack;
pub mod word_roles;
#[cfg(not(target_arch = "wasm32"))]
pub mod words;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

pub use error::KnowledgeError;
pub use fold::{MAX_NAME_BYTES, fold, title_key};
pub use layer::Summary;
pub use layout::BASE_FORMAT;
pub use record::{EntityId, EntityKind, Phrase, PhraseKind, Record};

/// How a base lies on disk, for those that write one: what `layer` reads, its parts in the order of use.
pub mod format {
    pub use super::coding::{Cursor, popularity_level, put_number, put_text};
    pub use super::layer::{BLOCK_RECORDS, prior_level, stored_key};
    pub use super::layout::{Section, SectionTable};
}

use corrections::{Correction, Overlay};
use layer::Layer;

use crate::word_list::WordList;

/// Small words that say nothing about a topic, in small letters.
pub(crate) static FUNCTION_WORDS: WordList = WordList::new(include_str!("function_words.txt"), "function");

/// How a name stands to its entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NameKind {
    /// The title as it is, disambiguator included.
    Title,
    /// The title without its disambiguator or region.
    Base,
    /// Another name.
    Alias,
    /// A short form that needs context: a surname, a team's city, an acronym made by rule.
    Short,
}

impl NameKind {
    fn from_number(number: u8) -> Self {
        match number {
            0 => Self::Title,
            1 => Self::Base,
            2 => Self::Alias,
            _ => Self::Short,
        }
    }
}

/// An entity that a name may mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The entity.
    pub id: EntityId,
    /// How often the name means it when nothing else is known; the priors of one name sum to at most 1.
    pub prior: f32,
    /// How the name stands to it.
    pub via: NameKind,
}

/// What is known, ready to be asked. Cheap to open, safe to share between threads.
pub struct KnowledgeBase {
    /// Upper layers first.
    layers: Vec<Layer>,
    /// The number of each layer's first entity.
    bases: Vec<u32>,
    /// Names the files.
    id: String,
    /// What a person corrected; may change at any time.
    overlay: RwLock<Option<Arc<Overlay>>>,
}

impl std::fmt::Debug for KnowledgeBase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("KnowledgeBase")
            .field("id", &self.id)
            .field("entities", &self.len())
            .finish_non_exhaustive()
    }
}

impl KnowledgeBase {
    /// Opens one file. Header, table and sizes are checked; [`verify`](Self::verify) checks the rest.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, KnowledgeError> {
        Self::open_layers([path])
    }

    /// Opens several files as one; earlier ones win.
    pub fn open_layers<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Result<Self, KnowledgeError> {
        let layers =
            paths.into_iter().map(|path| Layer::open(path.as_ref())).collect::<Result<Vec<_>, _>>()?;
        Self::of_layers(layers)
    }

    /// Opens a base whose bytes are already in memory.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, KnowledgeError> {
        Self::of_layers(vec![Layer::from_bytes(bytes)?])
    }

    fn of_layers(layers: Vec<Layer>) -> Result<Self, KnowledgeError> {
        let mut bases = Vec::with_capacity(layers.len());
        let mut next = 0usize;
        let mut id = String::new();
        for layer in &layers {
            bases.push(
                u32::try_from(next).map_err(|_| KnowledgeError::TooLarge("over four billion entities"))?,
            );
            next += layer.len();
            if !id.is_empty() {
                id.push('+');
            }
            id.push_str(&format!("{:016x}", layer.fingerprint()));
        }
        u32::try_from(next).map_err(|_| KnowledgeError::TooLarge("over four billion entities"))?;
        Ok(Self { layers, bases, id, overlay: RwLock::default() })
    }

    /// Lays a person's corrections over the files, in place of those that were there. They count from the next look-up on.
    pub fn correct(&self, corrections: &[Correction]) {
        let overlay = Overlay::resolve(self, corrections).map(Arc::new);
        *self.overlay.write().unwrap_or_else(PoisonError::into_inner) = overlay;
    }

    fn overlay(&self) -> Option<Arc<Overlay>> {
        self.overlay.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Entities that corrections added, or of which they say something else.
    pub fn corrected_entities(&self) -> Vec<EntityId> {
        self.overlay().map(|overlay| overlay.entities()).unwrap_or_default()
    }

    /// A fingerprint of the content, corrections included; part of every cache key.
    pub fn id(&self) -> String {
        match self.overlay() {
            Some(overlay) => format!("{}~{:016x}", self.id, overlay.fingerprint()),
            None => self.id.clone(),
        }
    }

    /// A fingerprint of the files alone.
    pub fn base_id(&self) -> &str {
        &self.id
    }

    /// Entities in all layers, those that an upper layer hides included; what corrections add is not counted.
    pub fn len(&self) -> usize {
        self.layers.iter().map(Layer::len).sum()
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Each file and what it says about itself, upper first.
    pub fn summaries(&self) -> Vec<(PathBuf, Summary)> {
        self.layers.iter().map(|layer| (layer.path().to_owned(), layer.summary().clone())).collect()
    }

    /// What a surface form may mean, best first. Case, accents, punctuation, a leading "the", a possessive and a plural
    /// are folded; a lower-case function word ("us", "it") names nothing.
    pub fn candidates(&self, surface: &str) -> Vec<Candidate> {
        if is_function_word(surface.trim()) {
            return Vec::new();
        }
        // Most names are known as they are written; their other keys are not even made.
        let written = fold(surface);
        let found = self.candidates_of_key(&written);
        if !found.is_empty() {
            return found;
        }
        let others = fold::lookup_keys(surface).into_iter().filter(|key| *key != written);
        others.map(|key| self.candidates_of_key(&key)).find(|found| !found.is_empty()).unwrap_or_default()
    }

    fn candidates_of_key(&self, key: &str) -> Vec<Candidate> {
        let found = self.layered_candidates(key);
        match self.overlay() {
            Some(overlay) => overlay.correct_candidates(key, found),
            None => found,
        }
    }

    fn layered_candidates(&self, key: &str) -> Vec<Candidate> {
        let mut out: Vec<Candidate> = Vec::new();
        // What an upper layer says leaves that much less to the ones below.
        let mut left = 1.0f32;
        for (at, layer) in self.layers.iter().enumerate() {
            let mut used = 0.0;
            for candidate in layer.candidates(key) {
                let prior = candidate.prior * left;
                used += prior;
                let id = self.uppermost_entity(at, candidate.id.0);
                match out.iter_mut().find(|known| known.id == id) {
                    Some(known) => known.prior += prior,
                    None => out.push(Candidate { id, prior, ..candidate }),
                }
            }
            left -= used;
        }
        if self.layers.len() > 1 {
            out.sort_by(|a, b| b.prior.total_cmp(&a.prior));
        }
        out
    }

    /// The entity of the highest layer that has the same title.
    fn uppermost_entity(&self, layer: usize, local: u32) -> EntityId {
        let own = EntityId(self.bases[layer] + local);
        if layer == 0 {
            return own;
        }
        let Ok(record) = self.layers[layer].record(local) else {
            return own;
        };
        self.layers[..layer]
            .iter()
            .zip(&self.bases)
            .find_map(|(upper, base)| find_local_title(upper, &record.title).map(|id| EntityId(base + id)))
            .unwrap_or(own)
    }

    /// The entity with this title, case and underscores aside.
    pub fn find_title(&self, title: &str) -> Option<EntityId> {
        let added = self.overlay().and_then(|overlay| overlay.find_titled(title));
        added.or_else(|| self.layered_title(title))
    }

    fn layered_title(&self, title: &str) -> Option<EntityId> {
        self.layers
            .iter()
            .zip(&self.bases)
            .find_map(|(layer, base)| find_local_title(layer, title).map(|id| EntityId(base + id)))
    }

    /// What is known about an entity: what a person corrected, what its own layer says, completed by the layers below.
    pub fn record(&self, id: EntityId) -> Result<Record, KnowledgeError> {
        let Some(overlay) = self.overlay() else { return self.layered_record(id) };
        if let Some(added) = overlay.added_record(id) {
            return Ok(added.clone());
        }
        let mut record = self.layered_record(id)?;
        overlay.correct_record(&mut record);
        Ok(record)
    }

    fn layered_record(&self, id: EntityId) -> Result<Record, KnowledgeError> {
        let layer = self
            .bases
            .partition_point(|base| *base <= id.0)
            .checked_sub(1)
            .ok_or(KnowledgeError::NoSuchEntity(id.0, 0))?;
        // Empty layers share their base with the next one.
        let (at, own) = (layer, &self.layers[layer]);
        let mut record = own.record(id.0 - self.bases[at]).map_err(|error| match error {
            KnowledgeError::NoSuchEntity(..) => KnowledgeError::NoSuchEntity(id.0, self.len()),
            other => other,
        })?;
        record.id = id;
        for lower in &self.layers[at + 1..] {
            if let Some(local) = find_local_title(lower, &record.title) {
                complete(&mut record, lower.record(local)?);
            }
        }
        Ok(record)
    }

    /// What the files say about an entity, a person's corrections aside; nothing for one that an upper layer hides.
    fn own_record(&self, id: EntityId) -> Result<Option<Record>, KnowledgeError> {
        let record = self.layered_record(id)?;
        let hidden = self.layers.len() > 1 && self.layered_title(&record.title) != Some(id);
        Ok((!hidden).then_some(record))
    }

    /// Names that begin like `prefix`, in order, with what they may mean (of the first layer that knows them).
    pub fn names_from(&self, prefix: &str, most: usize) -> Vec<(String, Vec<Candidate>)> {
        let key = fold(prefix);
        let mut seen: HashMap<String, usize> = HashMap::new();
        let mut out: Vec<(String, Vec<Candidate>)> = Vec::new();
        for (layer, base) in self.layers.iter().zip(&self.bases) {
            for (name, mut candidates) in layer.names_from(&key, most) {
                for candidate in &mut candidates {
                    candidate.id.0 += base;
                }
                if !seen.contains_key(&name) {
                    seen.insert(name.clone(), out.len());
                    out.push((name, candidates));
                }
            }
        }
        for (name, candidates) in self.overlay().map(|it| it.names_from(&key)).unwrap_or_default() {
            match seen.get(&name) {
                Some(&at) => out[at].1.splice(0..0, candidates).for_each(drop),
                None => out.push((name, candidates)),
            }
        }
        out.sort_by(|a, b| a.0.cmp(&b.0));
        out.truncate(most);
        out
    }

    /// Hands every name of every layer to `visit`, until it says stop.
    pub fn each_name(&self, visit: &mut dyn FnMut(&str, &[Candidate]) -> bool) {
        for (layer, base) in self.layers.iter().zip(&self.bases) {
            let mut going = true;
            layer.each_name(&mut |name, candidates| {
                candidates.iter_mut().for_each(|candidate| candidate.id.0 += base);
                going = visit(name, candidates);
                going
            });
            if !going {
                return;
            }
        }
    }

    /// Checks every byte: checksums, names, records. Takes about a second for a million entities.
    pub fn verify(&self) -> Result<(), KnowledgeError> {
        self.layers.iter().try_for_each(Layer::verify)
    }
}

/// The local number of the entity with this title.
fn find_local_title(layer: &Layer, title: &str) -> Option<u32> {
    let wanted = title_key(title);
    let candidates = layer.candidates(&fold(title));
    let by_title = candidates
        .iter()
        .filter(|c| c.via == NameKind::Title)
        .chain(candidates.iter().filter(|c| c.via != NameKind::Title));
    by_title
        .map(|c| c.id.0)
        .find(|id| layer.record(*id).is_ok_and(|record| title_key(&record.title) == wanted))
}

/// Adds what a lower layer knows; what the upper one says stays.
fn complete(record: &mut Record, lower: Record) {
    if record.description.is_empty() {
        record.description = lower.description;
    } else if !lower.description.is_empty() && lower.description != record.description {
        record.phrases.push(Phrase { kind: PhraseKind::What, text: lower.description });
    }
    if record.kind == EntityKind::Other {
        record.kind = lower.kind;
    }
    for phrase in lower.phrases {
        if !record.phrases.contains(&phrase) {
            record.phrases.push(phrase);
        }
    }
    for alias in lower.aliases {
        if !record.aliases.contains(&alias) {
            record.aliases.push(alias);
        }
    }
    record.popularity = record.popularity.max(lower.popularity);
}

/// Lower-case words that also are someone's name when written in capitals: "us", "it", "who".
fn is_function_word(surface: &str) -> bool {
    FUNCTION_WORDS.contains(surface) || surface == "go"
}
