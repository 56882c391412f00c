//! One knowledge base file, mapped into memory: names to candidates, numbers to records.

use std::fs::File;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use memmap2::Mmap;
use xxhash_rust::xxh3::xxh3_64;

use super::automaton::Automaton;
use super::coding::{Cursor, popularity_of};
use super::error::KnowledgeError;
use super::layout::{Section, SectionTable, read_u64};
use super::record::{EntityId, EntityKind, Phrase, PhraseKind, Record};
use super::unpack::Unpacker;
use super::{Candidate, NameKind};

/// Records in one compressed block.
pub const BLOCK_RECORDS: usize = 32;
/// No honest block unpacks to more: a record's texts are bounded by the writer.
const MAX_BLOCK_BYTES: usize = 4 << 20;
/// Unpacked blocks kept; popular entities share blocks, so few serve most reads.
const MAX_CACHED_BLOCKS: usize = 256;
const MAX_META_BYTES: usize = 1 << 20;

/// What a file says about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Entities.
    pub entities: usize,
    /// Entities with a description or a phrase.
    pub described: usize,
    /// Distinct folded names.
    pub names: usize,
    /// Lines for people: sources, licences, options of the build.
    pub notes: Vec<(String, String)>,
}

type Block = Arc<Vec<u8>>;

/// A mapped file, or bytes that came another way (a browser has no files to map).
enum FileBytes {
    Map(Mmap),
    Buffer(Vec<u8>),
}

impl std::ops::Deref for FileBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Map(map) => map,
            Self::Buffer(bytes) => bytes,
        }
    }
}

pub(super) struct Layer {
    path: PathBuf,
    data: FileBytes,
    layout: SectionTable,
    summary: Summary,
    unpacker: Mutex<Unpacker>,
    cache: Vec<Mutex<Option<(usize, Block)>>>,
}

impl Layer {
    pub(super) fn open(path: &Path) -> Result<Self, KnowledgeError> {
        let file = File::open(path).map_err(|source| KnowledgeError::io("open", path, source))?;
        let length = file.metadata().map_err(|source| KnowledgeError::io("open", path, source))?.len();
        if length == 0 {
            return Err(KnowledgeError::Foreign(path.to_owned()));
        }
        #[expect(
            unsafe_code,
            reason = "the map is read-only; a file changed under us is caught by checked reads, as any hostile file is"
        )]
        let data = unsafe { Mmap::map(&file) }.map_err(|source| KnowledgeError::io("map", path, source))?;
        Self::read(FileBytes::Map(data), path)
    }

    /// A base held in memory.
    pub(super) fn from_bytes(bytes: Vec<u8>) -> Result<Self, KnowledgeError> {
        Self::read(FileBytes::Buffer(bytes), Path::new("(memory)"))
    }

    fn read(data: FileBytes, path: &Path) -> Result<Self, KnowledgeError> {
        let layout = SectionTable::read(&data, path)?;
        let meta = &data[layout.range(Section::Meta)];
        if meta.len() > MAX_META_BYTES || xxh3_64(meta) != layout.checksum(Section::Meta) {
            return Err(KnowledgeError::Damaged("meta"));
        }
        let summary = read_meta(meta).ok_or(KnowledgeError::Damaged("meta"))?;
        let blocks = data[layout.range(Section::Blocks)].len() / 8;
        if blocks != summary.entities.div_ceil(BLOCK_RECORDS) + 1 || u32::try_from(summary.entities).is_err()
        {
            return Err(KnowledgeError::Damaged("block table"));
        }
        if Automaton::new(&data[layout.range(Section::Names)]).is_none() {
            return Err(KnowledgeError::Damaged("names"));
        }
        let unpacker = Unpacker::new(&data[layout.range(Section::Dictionary)])
            .ok_or(KnowledgeError::Damaged("dictionary"))?;
        let cache = (0..MAX_CACHED_BLOCKS).map(|_| Mutex::new(None)).collect();
        Ok(Self { path: path.to_owned(), data, layout, summary, unpacker: Mutex::new(unpacker), cache })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn summary(&self) -> &Summary {
        &self.summary
    }

    pub(super) fn fingerprint(&self) -> u64 {
        self.layout.fingerprint
    }

    pub(super) fn len(&self) -> usize {
        self.summary.entities
    }

    fn names(&self) -> Option<Automaton<'_>> {
        Automaton::new(&self.data[self.layout.range(Section::Names)])
    }

    /// Candidates for a folded name, numbers local to this file.
    pub(super) fn candidates(&self, key: &str) -> Vec<Candidate> {
        let Some(at) = self.names().and_then(|names| names.get(&stored_key(key))) else {
            return Vec::new();
        };
        self.postings(at).unwrap_or_default()
    }

    fn postings(&self, at: u64) -> Option<Vec<Candidate>> {
        let postings = &self.data[self.layout.range(Section::Postings)];
        let mut cursor = Cursor::new(postings.get(usize::try_from(at).ok()?..)?);
        let mut out = Vec::new();
        loop {
            let head = cursor.byte()?;
            let id = u32::try_from(cursor.number()?).ok().filter(|id| (*id as usize) < self.len())?;
            out.push(Candidate {
                id: EntityId(id),
                prior: prior_of(head & 31),
                via: NameKind::from_number(head >> 5 & 3),
            });
            if head & 128 == 0 || out.len() >= 256 {
                return Some(out);
            }
        }
    }

    /// Names that begin with `prefix` (folded), with their candidates.
    pub(super) fn names_from(&self, prefix: &str, most: usize) -> Vec<(String, Vec<Candidate>)> {
        let mut out = Vec::new();
        self.walk_names(prefix, most.saturating_mul(64).saturating_add(1024), &mut |name, candidates| {
            out.push((name.to_owned(), std::mem::take(candidates)));
            out.len() < most
        });
        out
    }

    /// Every name with its candidates, until `visit` says stop.
    pub(super) fn each_name(&self, visit: &mut dyn FnMut(&str, &mut Vec<Candidate>) -> bool) {
        self.walk_names("", self.data.len().saturating_mul(4), visit);
    }

    fn walk_names(
        &self,
        prefix: &str,
        most_steps: usize,
        visit: &mut dyn FnMut(&str, &mut Vec<Candidate>) -> bool,
    ) {
        if let Some(names) = self.names() {
            names.walk(&stored_key(prefix), most_steps, &mut |key, at| {
                let name = String::from_utf8_lossy(key).replace('_', " ");
                let mut candidates = self.postings(at).unwrap_or_default();
                if visit(&name, &mut candidates) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
        }
    }

    /// The record with a number local to this file.
    pub(super) fn record(&self, local: u32) -> Result<Record, KnowledgeError> {
        let number = local as usize;
        if number >= self.len() {
            return Err(KnowledgeError::NoSuchEntity(local, self.len()));
        }
        let block = self.block(number / BLOCK_RECORDS)?;
        let damaged = || KnowledgeError::Damaged("record");
        let mut cursor = Cursor::new(&block);
        for _ in 0..number % BLOCK_RECORDS {
            cursor.bytes().ok_or_else(damaged)?;
        }
        let bytes = cursor.bytes().ok_or_else(damaged)?;
        read_record(bytes, local).ok_or_else(damaged)
    }

    fn block(&self, number: usize) -> Result<Block, KnowledgeError> {
        let slot = self.cache.get(number % MAX_CACHED_BLOCKS).ok_or(KnowledgeError::Damaged("block"))?;
        let mut slot = slot.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some((cached, block)) = slot.as_ref()
            && *cached == number
        {
            return Ok(Arc::clone(block));
        }
        let block = Arc::new(self.unpack(number)?);
        *slot = Some((number, Arc::clone(&block)));
        Ok(block)
    }

    fn unpack(&self, number: usize) -> Result<Vec<u8>, KnowledgeError> {
        let damaged = || KnowledgeError::Damaged("block");
        let table = &self.data[self.layout.range(Section::Blocks)];
        let at =
            |n: usize| read_u64(table, n * 8).and_then(|at| usize::try_from(at).ok()).ok_or_else(damaged);
        let records = &self.data[self.layout.range(Section::Records)];
        let packed = records.get(at(number)?..at(number + 1)?).ok_or_else(damaged)?;
        let mut unpacker = self.unpacker.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        unpacker.unpack(packed, MAX_BLOCK_BYTES).ok_or_else(damaged)
    }

    /// Reads everything once: checksums, every name, every record.
    pub(super) fn verify(&self) -> Result<(), KnowledgeError> {
        for section in Section::ALL {
            if xxh3_64(&self.data[self.layout.range(section)]) != self.layout.checksum(section) {
                return Err(KnowledgeError::Damaged(section.name()));
            }
        }
        let names = self.names().ok_or(KnowledgeError::Damaged("names"))?;
        let (mut count, mut sound) = (0u64, true);
        let steps = self.data.len().saturating_mul(4);
        let walked = names.walk(b"", steps, &mut |_, at| {
            count += 1;
            sound &=
                self.postings(at).is_some_and(|found| found.iter().map(|c| c.prior).sum::<f32>() <= 1.001);
            if sound && count <= names.len() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        if walked.is_none() || !sound || count != names.len() {
            return Err(KnowledgeError::Damaged("names"));
        }
        for number in 0..self.len() {
            self.record(number as u32)?;
        }
        Ok(())
    }
}

/// A folded name as it is stored: the `fst` crate codes '_' in fewer bits than a space.
pub fn stored_key(key: &str) -> Vec<u8> {
    key.bytes().map(|byte| if byte == b' ' { b'_' } else { byte }).collect()
}

/// Priors are stored in quarter octaves, rounded down, so that those of a name never sum over 1.
fn prior_of(level: u8) -> f32 {
    (-f32::from(level) / 4.0).exp2()
}

/// The level that stands for a prior: quarter octaves, rounded down, so that those of a name never sum over 1.
pub fn prior_level(prior: f32) -> u8 {
    (-4.0 * prior.max(1e-6).log2() - 1e-4).ceil().clamp(0.0, 31.0) as u8
}

fn read_record(bytes: &[u8], local: u32) -> Option<Record> {
    let mut cursor = Cursor::new(bytes);
    let kind = EntityKind::from_number(cursor.byte()?)?;
    let popularity = popularity_of(cursor.byte()?);
    let key = cursor.text()?.to_owned();
    let title = cursor.text()?.to_owned();
    let description = cursor.text()?.to_owned();
    let mut phrases = Vec::new();
    for _ in 0..cursor.number()? {
        phrases
            .push(Phrase { kind: PhraseKind::from_number(cursor.byte()?)?, text: cursor.text()?.to_owned() });
    }
    let mut aliases = Vec::new();
    while !cursor.is_empty() {
        aliases.push(cursor.text()?.to_owned());
    }
    Some(Record { id: EntityId(local), key, title, kind, description, phrases, aliases, popularity })
}

fn read_meta(bytes: &[u8]) -> Option<Summary> {
    let mut cursor = Cursor::new(bytes);
    let mut count = || usize::try_from(cursor.number()?).ok();
    let mut summary = Summary { entities: count()?, described: count()?, names: count()?, notes: Vec::new() };
    while !cursor.is_empty() {
        summary.notes.push((cursor.text()?.to_owned(), cursor.text()?.to_owned()));
    }
    Some(summary)
}
