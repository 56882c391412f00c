//! How an index of words is made: the base's entities enter segment by segment, each segment is put on disk as it is
//! done, and the whole is written aside and renamed. A build that was stopped goes on after its last segment.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::super::coding::put_number;
use super::super::{EntityId, KnowledgeBase, KnowledgeError, Record};
use super::{
    WORD_INDEX_ENTRY_BYTES, WORD_INDEX_FORMAT, WORD_INDEX_HEADER_BYTES, WORD_INDEX_MAGIC, WordIndex,
    WordIndexError, fingerprint,
};
use crate::cache::{make_private_folder, read_private, write_whole};
use crate::retrieval::TermReader;

/// Entities of one segment: half a second's work, and little memory.
const SEGMENT_ENTITIES: usize = 1 << 16;
/// A count of a term beyond which it says nothing more.
const MAX_COUNT: u64 = 4;
/// Largest segment that is taken up again.
const MAX_SEGMENT_BYTES: u64 = 256 << 20;

/// How far a build is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuildStep {
    /// Entities read.
    pub done: usize,
    /// Entities in all.
    pub total: usize,
}

/// The bytes of a segment, and what the table says of it.
struct SegmentPart {
    entities: usize,
    terms: u64,
    bytes: Vec<u8>,
}

impl WordIndex {
    /// Makes the index of a base at `path` and opens it. `watch` is told after each segment and may stop the build by
    /// breaking: what is done stays in a folder beside `path`, from which the next build goes on.
    pub fn build(
        base: &KnowledgeBase,
        path: &Path,
        watch: &mut dyn FnMut(BuildStep) -> ControlFlow<()>,
    ) -> Result<Self, WordIndexError> {
        let folder = parts_folder(path);
        let io = |error| WordIndexError::Io { path: path.to_owned(), error };
        make_private_folder(&folder).map_err(io)?;
        let bytes = build_bytes(base, Some(&folder), watch)?;
        write_whole(path, &bytes).map_err(io)?;
        // A folder that cannot be removed costs space, not the index.
        let _ = std::fs::remove_dir_all(&folder);
        Self::open(path, base)
    }

    /// The index of a base: the one at `path`, or one made there now, or in memory where nothing can be written.
    pub fn open_or_build(
        base: &KnowledgeBase,
        path: Option<&Path>,
        watch: &mut dyn FnMut(BuildStep) -> ControlFlow<()>,
    ) -> Result<Self, WordIndexError> {
        let Some(path) = path else { return Self::build_in_memory(base, watch) };
        if let Ok(index) = Self::open(path, base) {
            return Ok(index);
        }
        match Self::build(base, path, watch) {
            Err(WordIndexError::Io { .. }) => Self::build_in_memory(base, watch),
            built => built,
        }
    }

    /// Makes the index of a base in memory, where nothing may be kept.
    pub fn build_in_memory(
        base: &KnowledgeBase,
        watch: &mut dyn FnMut(BuildStep) -> ControlFlow<()>,
    ) -> Result<Self, WordIndexError> {
        let bytes = build_bytes(base, None, watch)?;
        Self::from_bytes(bytes, base).ok_or_else(|| WordIndexError::Unfit { path: "(memory)".into() })
    }
}

fn parts_folder(path: &Path) -> PathBuf {
    let mut folder = path.as_os_str().to_owned();
    folder.push(".building");
    PathBuf::from(folder)
}

/// The bytes of the whole file.
fn build_bytes(
    base: &KnowledgeBase,
    folder: Option<&Path>,
    watch: &mut dyn FnMut(BuildStep) -> ControlFlow<()>,
) -> Result<Vec<u8>, WordIndexError> {
    let total = base.len();
    let mut reader = SegmentReader::default();
    let mut parts = Vec::new();
    for first in (0..total).step_by(SEGMENT_ENTITIES) {
        let last = (first + SEGMENT_ENTITIES).min(total);
        let place = folder.map(|folder| folder.join(format!("{:05}", parts.len())));
        let kept = place.as_deref().and_then(|place| SegmentPart::take_up(place, base, first, last));
        let part = match kept {
            Some(part) => part,
            None => {
                let part = reader.read(base, first..last)?;
                if let Some(place) = &place {
                    let io = |error| WordIndexError::Io { path: place.clone(), error };
                    write_whole(place, &part.to_file_bytes(base, first)).map_err(io)?;
                }
                part
            }
        };
        parts.push(part);
        if watch(BuildStep { done: last, total }).is_break() {
            return Err(WordIndexError::Stopped);
        }
    }
    Ok(join(base, &parts))
}

/// Header, table and segments, one after another.
fn join(base: &KnowledgeBase, parts: &[SegmentPart]) -> Vec<u8> {
    let mut out = Vec::new();
    out.extend_from_slice(WORD_INDEX_MAGIC);
    out.extend_from_slice(&WORD_INDEX_FORMAT.to_le_bytes());
    out.extend_from_slice(&(parts.len() as u32).to_le_bytes());
    out.extend_from_slice(&fingerprint(base).to_le_bytes());
    out.extend_from_slice(&parts.iter().map(|part| part.terms).sum::<u64>().to_le_bytes());
    let mut offset = (WORD_INDEX_HEADER_BYTES + WORD_INDEX_ENTRY_BYTES * parts.len() + 8) as u64;
    let mut first = 0u32;
    for part in parts {
        out.extend_from_slice(&first.to_le_bytes());
        out.extend_from_slice(&(part.entities as u32).to_le_bytes());
        out.extend_from_slice(&offset.to_le_bytes());
        out.extend_from_slice(&(part.bytes.len() as u64).to_le_bytes());
        out.extend_from_slice(&xxh3_64(&part.bytes).to_le_bytes());
        offset += part.bytes.len() as u64;
        first += part.entities as u32;
    }
    out.extend_from_slice(&xxh3_64(&out).to_le_bytes());
    parts.iter().for_each(|part| out.extend_from_slice(&part.bytes));
    out
}

impl SegmentPart {
    /// As it lies on disk until the whole is made: checksum, what it belongs to, and the segment.
    fn to_file_bytes(&self, base: &KnowledgeBase, first: usize) -> Vec<u8> {
        let mut body = Vec::with_capacity(self.bytes.len() + 32);
        body.extend_from_slice(&fingerprint(base).to_le_bytes());
        body.extend_from_slice(&u64::from(WORD_INDEX_FORMAT).to_le_bytes());
        body.extend_from_slice(&(first as u64).to_le_bytes());
        body.extend_from_slice(&self.terms.to_le_bytes());
        body.extend_from_slice(&self.bytes);
        let mut out = xxh3_64(&body).to_le_bytes().to_vec();
        out.extend_from_slice(&body);
        out
    }

    /// A segment that an earlier build left, if it is whole and of this base.
    fn take_up(place: &Path, base: &KnowledgeBase, first: usize, last: usize) -> Option<Self> {
        let kept = read_private(place, MAX_SEGMENT_BYTES).ok()?;
        let (checksum, body) = kept.split_first_chunk::<8>()?;
        let (head, bytes) = body.split_at_checked(32)?;
        let number = |at: usize| super::read_u64(head, at);
        let sound = u64::from_le_bytes(*checksum) == xxh3_64(body)
            && number(0)? == fingerprint(base)
            && number(8)? == u64::from(WORD_INDEX_FORMAT)
            && number(16)? == first as u64;
        sound.then_some(Self { entities: last - first, terms: number(24)?, bytes: bytes.to_vec() })
    }
}

/// Reads entities into segments; the words it has met are remembered from one to the next.
#[derive(Default)]
struct SegmentReader {
    terms: TermReader,
}

/// The postings of one term while they are gathered.
#[derive(Default)]
struct GatheredPostings {
    bytes: Vec<u8>,
    count: u64,
    last: u64,
}

impl SegmentReader {
    fn read(
        &mut self,
        base: &KnowledgeBase,
        entities: std::ops::Range<usize>,
    ) -> Result<SegmentPart, KnowledgeError> {
        let mut gathered: HashMap<Box<str>, GatheredPostings, foldhash::fast::RandomState> =
            HashMap::default();
        let mut lengths = Vec::with_capacity(entities.len());
        let (mut terms, mut counts) = (0u64, HashMap::<Box<str>, u64>::new());
        let first = entities.start;
        for number in entities {
            counts.clear();
            if let Some(record) = base.own_record(EntityId(number as u32))? {
                self.count(&record, &mut counts);
            }
            let length = counts.values().map(|count| (*count).min(MAX_COUNT)).sum::<u64>();
            terms += length;
            lengths.push(length.min(255) as u8);
            for (term, count) in counts.drain() {
                let postings = gathered.entry(term).or_default();
                let local = (number - first) as u64;
                put_number(&mut postings.bytes, (local - postings.last) << 2 | (count.min(MAX_COUNT) - 1));
                postings.last = local;
                postings.count += 1;
            }
        }
        let entities = lengths.len();
        let bytes = pack(lengths, gathered).ok_or(KnowledgeError::TooLarge("the words of a base"))?;
        Ok(SegmentPart { entities, terms, bytes })
    }

    /// How often each term stands in what is known about an entity.
    fn count(&mut self, record: &Record, counts: &mut HashMap<Box<str>, u64>) {
        let texts = [record.title.as_str(), record.kind.name(), record.description.as_str()];
        let phrases = record.phrases.iter().map(|phrase| phrase.text.as_str());
        let aliases = record.aliases.iter().map(String::as_str);
        for text in texts.into_iter().chain(phrases).chain(aliases) {
            self.terms.read(text, |_, term| match counts.get_mut(term) {
                Some(count) => *count += 1,
                None => drop(counts.insert(term.into(), 1)),
            });
        }
    }
}

/// The bytes of a segment.
fn pack(
    lengths: Vec<u8>,
    gathered: HashMap<Box<str>, GatheredPostings, foldhash::fast::RandomState>,
) -> Option<Vec<u8>> {
    let mut sorted: Vec<(Box<str>, GatheredPostings)> = gathered.into_iter().collect();
    sorted.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    let mut postings = Vec::new();
    let mut builder = fst::MapBuilder::memory();
    for (term, gathered) in &sorted {
        builder.insert(term.as_bytes(), postings.len() as u64).ok()?;
        put_number(&mut postings, gathered.count);
        postings.extend_from_slice(&gathered.bytes);
    }
    let fst = builder.into_inner().ok()?;
    let mut out = lengths;
    out.extend_from_slice(&(fst.len() as u64).to_le_bytes());
    out.extend_from_slice(&fst);
    out.extend_from_slice(&postings);
    Some(out)
}
