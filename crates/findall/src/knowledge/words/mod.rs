//! The words of a whole base, indexed: a query's words in, the entities whose names and texts share most with it out
//! (BM25, and a little for being well known). A file beside the base, mapped into memory; no model is needed for it.
//!
//! ```text
//! "findallW"  u32 format  u32 segments  u64 base  u64 terms in all
//! per segment: u32 first entity  u32 entities  u64 offset  u64 length  u64 xxh3
//! u64 xxh3 of all the above
//! segments: u8 × entities (terms of each)  u64 length of the fst  fst (term → place among the postings)  postings
//! ```
//! All numbers little-endian. A posting is a varint: entities since the last one, times four, plus how often up to four
//! times the term stands there, less one.

mod build;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::path::{Path, PathBuf};

use memmap2::Mmap;
use xxhash_rust::xxh3::xxh3_64;

use super::automaton::Automaton;
use super::coding::Cursor;
use super::layout::{read_u32, read_u64};
use super::{EntityId, KnowledgeBase};
use crate::cache::{open_private, private_options};
use crate::retrieval::terms_of;

pub use build::BuildStep;

const WORD_INDEX_MAGIC: &[u8; 8] = b"findallW";
const WORD_INDEX_FORMAT: u32 = 1;
const WORD_INDEX_HEADER_BYTES: usize = 32;
const WORD_INDEX_ENTRY_BYTES: usize = 32;
/// Segments at most: four billion entities would need so many.
const MAX_SEGMENTS: usize = 1 << 16;

/// Words of a query that say how it is put, not what is asked.
const ASKING_WORDS: &[&str] =
    &["give", "list", "show", "all", "name", "find", "tell", "every", "each", "kind", "type"];

/// Why an index of words cannot be used or made.
#[derive(Debug, thiserror::Error)]
pub enum WordIndexError {
    /// The operating system refused.
    #[error("{}: {error}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// It is not whole, not ours, or of another base.
    #[error("{} does not fit this knowledge base; make it again with findall kb index", path.display())]
    Unfit {
        /// Which file.
        path: PathBuf,
    },
    /// The base itself.
    #[error(transparent)]
    Base(#[from] super::KnowledgeError),
    /// Somebody wanted it to stop; what is done is kept.
    #[error("stopped; the next findall kb index goes on from here")]
    Stopped,
}

/// The words of a base, ready to be asked.
#[derive(Debug)]
pub struct WordIndex {
    data: Data,
    segments: Vec<Segment>,
    entities: usize,
    mean_length: f32,
}

#[derive(Debug)]
enum Data {
    Map(Mmap),
    Buffer(Vec<u8>),
}

impl std::ops::Deref for Data {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Map(map) => map,
            Self::Buffer(bytes) => bytes,
        }
    }
}

/// Where the parts of a segment lie in the file.
#[derive(Debug)]
struct Segment {
    first: u32,
    entities: usize,
    lengths: usize,
    fst: std::ops::Range<usize>,
    postings: std::ops::Range<usize>,
    checksum: u64,
}

/// How shared words are weighed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankWeights {
    /// How soon repeating a word stops to help (BM25's k1).
    pub repeating: f32,
    /// How much long texts are held back, 0 to 1 (BM25's b).
    pub length: f32,
    /// What the best known entity of a base has over the least known, in units of BM25: of two that share as many words
    /// with the query, people mean the one they know.
    pub fame: f32,
}

impl RankWeights {
    /// BM25 as it is usually set, and nothing else: what the ranking is measured against.
    pub const PLAIN: Self = Self { repeating: 1.2, length: 0.75, fame: 0.0 };
}

impl Default for RankWeights {
    /// Chosen by hand; `findall-eval kb-find --fit` shows others over the training pools.
    fn default() -> Self {
        Self { repeating: 1.2, length: 0.3, fame: 3.0 }
    }
}

/// An entity that shares words with a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedEntity {
    /// Which.
    pub id: EntityId,
    /// How much: the higher the better, comparable within one query only.
    pub score: f32,
}

impl WordIndex {
    /// Opens the index of this base. Header, table and sizes are checked, what is read later as it is read.
    pub fn open(path: &Path, base: &KnowledgeBase) -> Result<Self, WordIndexError> {
        let io = |error| WordIndexError::Io { path: path.to_owned(), error };
        let file: File = open_private(path, private_options().read(true)).map_err(io)?;
        if file.metadata().map_err(io)?.len() == 0 {
            return Err(WordIndexError::Unfit { path: path.to_owned() });
        }
        #[expect(
            unsafe_code,
            reason = "the map is read-only; a file changed under us is caught by checked reads, as any hostile file is"
        )]
        let map = unsafe { Mmap::map(&file) }.map_err(io)?;
        Self::read(Data::Map(map), base).ok_or_else(|| WordIndexError::Unfit { path: path.to_owned() })
    }

    /// The index of this base held in memory.
    pub fn from_bytes(bytes: Vec<u8>, base: &KnowledgeBase) -> Option<Self> {
        Self::read(Data::Buffer(bytes), base)
    }

    fn read(data: Data, base: &KnowledgeBase) -> Option<Self> {
        if data.get(..8)? != WORD_INDEX_MAGIC || read_u32(&data, 8)? != WORD_INDEX_FORMAT {
            return None;
        }
        let count = read_u32(&data, 12)? as usize;
        if count > MAX_SEGMENTS || read_u64(&data, 16)? != fingerprint(base) {
            return None;
        }
        let terms = read_u64(&data, 24)?;
        let end = WORD_INDEX_HEADER_BYTES + WORD_INDEX_ENTRY_BYTES * count;
        if read_u64(&data, end)? != xxh3_64(data.get(..end)?) {
            return None;
        }
        let mut segments = Vec::with_capacity(count);
        let mut entities = 0usize;
        for entry in data[WORD_INDEX_HEADER_BYTES..end].chunks_exact(WORD_INDEX_ENTRY_BYTES) {
            let segment = Segment::read(&data, entry)?;
            if segment.first as usize != entities {
                return None;
            }
            entities += segment.entities;
            segments.push(segment);
        }
        let mean_length = (terms as f64 / entities.max(1) as f64).max(1.0) as f32;
        (entities == base.len()).then_some(Self { data, segments, entities, mean_length })
    }

    /// What a file with the index of this base is called.
    pub fn file_name(base: &KnowledgeBase) -> String {
        format!("{:016x}.words", fingerprint(base))
    }

    /// How many entities it covers.
    pub fn len(&self) -> usize {
        self.entities
    }

    /// True when the base has none.
    pub fn is_empty(&self) -> bool {
        self.entities == 0
    }

    /// Its size in bytes.
    pub fn size(&self) -> usize {
        self.data.len()
    }

    /// Checks every byte of the segments.
    pub fn is_whole(&self) -> bool {
        let whole = |segment: &Segment| {
            let bytes = self.data.get(segment.lengths..segment.postings.end);
            bytes.is_some_and(|bytes| xxh3_64(bytes) == segment.checksum)
        };
        self.segments.iter().all(whole)
    }

    /// The `most` entities that share most with a query, best first.
    pub fn rank(&self, query: &str, most: usize) -> Vec<RankedEntity> {
        self.rank_by(query, most, RankWeights::default())
    }

    /// The same with other weights.
    pub fn rank_by(&self, query: &str, most: usize, weights: RankWeights) -> Vec<RankedEntity> {
        self.rank_terms(&query_terms(query), most, weights)
    }

    /// As [`rank`](Self::rank) for terms with weights of their own.
    pub(crate) fn rank_weighed(&self, terms: &[(String, f32)], most: usize) -> Vec<RankedEntity> {
        self.rank_terms(terms, most, RankWeights::default())
    }

    /// How rare a term is among the entities: the higher the rarer; nothing for a term that none has.
    pub fn rarity(&self, term: &str) -> Option<f32> {
        let having: usize = self.segments.iter().filter_map(|it| it.count(&self.data, term)).sum();
        (having > 0).then(|| rarity(self.entities, having))
    }

    fn rank_terms(&self, terms: &[(String, f32)], most: usize, weights: RankWeights) -> Vec<RankedEntity> {
        let RankWeights { repeating, length: held_back, fame } = weights;
        let weighed: Vec<(&str, f32)> = terms
            .iter()
            .filter_map(|(term, weight)| Some((term.as_str(), weight * self.rarity(term)?)))
            .collect();
        let mut best: Vec<RankedEntity> = Vec::new();
        let mut scores: Vec<f32> = Vec::new();
        let last = (self.entities.max(2) as f32).ln();
        for segment in &self.segments {
            scores.clear();
            scores.resize(segment.entities, 0.0);
            let lengths = &self.data[segment.lengths..segment.lengths + segment.entities];
            for &(term, weight) in &weighed {
                segment.each_posting(&self.data, term, |entity, count| {
                    let length = f32::from(lengths[entity]) / self.mean_length;
                    let below = count + repeating * (1.0 - held_back + held_back * length);
                    scores[entity] += weight * count * (repeating + 1.0) / below;
                });
            }
            for (entity, &score) in scores.iter().enumerate().filter(|(_, score)| **score > 0.0) {
                let number = segment.first + entity as u32;
                // A base numbers its entities by how well known they are.
                let known = fame * (1.0 - (number as f32 + 1.0).ln() / last);
                best.push(RankedEntity { id: EntityId(number), score: score + known });
            }
            keep_best(&mut best, most);
        }
        best.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.id.cmp(&b.id)));
        best
    }
}

/// Lets go of all but the `most` best, in any order.
fn keep_best(found: &mut Vec<RankedEntity>, most: usize) {
    if found.len() > most {
        found.select_nth_unstable_by(most, |a, b| b.score.total_cmp(&a.score).then(a.id.cmp(&b.id)));
        found.truncate(most);
    }
}

impl Segment {
    fn read(data: &[u8], entry: &[u8]) -> Option<Self> {
        let entities = read_u32(entry, 4)? as usize;
        let lengths = usize::try_from(read_u64(entry, 8)?).ok()?;
        let end = lengths.checked_add(usize::try_from(read_u64(entry, 16)?).ok()?)?;
        if end > data.len() {
            return None;
        }
        let fst_start = lengths.checked_add(entities)?.checked_add(8)?;
        let fst_length = usize::try_from(read_u64(data, fst_start - 8)?).ok()?;
        let fst = fst_start..fst_start.checked_add(fst_length).filter(|at| *at <= end)?;
        let postings = fst.end..end;
        Automaton::new(&data[fst.clone()])?;
        Some(Self {
            first: read_u32(entry, 0)?,
            entities,
            lengths,
            fst,
            postings,
            checksum: read_u64(entry, 24)?,
        })
    }

    /// The postings of a term, and how many there are.
    fn postings<'d>(&self, data: &'d [u8], term: &str) -> Option<(usize, Cursor<'d>)> {
        let at = Automaton::new(&data[self.fst.clone()])?.get(term.as_bytes())?;
        let bytes = data[self.postings.clone()].get(usize::try_from(at).ok()?..)?;
        let mut cursor = Cursor::new(bytes);
        let count = usize::try_from(cursor.number()?).ok()?;
        Some((count.min(self.entities), cursor))
    }

    fn count(&self, data: &[u8], term: &str) -> Option<usize> {
        self.postings(data, term).map(|(count, _)| count)
    }

    fn each_posting(&self, data: &[u8], term: &str, mut each: impl FnMut(usize, f32)) {
        let Some((count, mut cursor)) = self.postings(data, term) else { return };
        let mut entity = 0usize;
        for _ in 0..count {
            let Some(coded) = cursor.number() else { return };
            entity = entity.saturating_add((coded >> 2) as usize);
            if entity >= self.entities {
                return;
            }
            each(entity, (coded & 3) as f32 + 1.0);
        }
    }
}

/// The terms of a query, each once, with their weights.
pub(crate) fn query_terms(query: &str) -> Vec<(String, f32)> {
    let mut terms: Vec<(String, f32)> = Vec::new();
    let mut asking: Vec<(String, f32)> = Vec::new();
    for term in terms_of(query) {
        let side = if ASKING_WORDS.contains(&term.as_str()) { &mut asking } else { &mut terms };
        if side.iter().all(|(known, _)| *known != term) {
            side.push((term, 1.0));
        }
    }
    // "List" alone asks for lists.
    if terms.is_empty() { asking } else { terms }
}

fn rarity(all: usize, having: usize) -> f32 {
    (1.0 + (all as f32 - having as f32 + 0.5) / (having as f32 + 0.5)).ln()
}

/// What an index says about the base that it is of.
fn fingerprint(base: &KnowledgeBase) -> u64 {
    xxh3_64(base.base_id().as_bytes())
}
