//! Writes one knowledge base file: records in order of popularity and the names that lead to them.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::Xxh3;
use zstd::bulk::Compressor;

use super::sorter::Sorter;
use findall::knowledge::KnowledgeError;
use findall::knowledge::NameKind;
use findall::knowledge::Record;
use findall::knowledge::format::{BLOCK_RECORDS, prior_level, stored_key};
use findall::knowledge::format::{Section, SectionTable};
use findall::knowledge::format::{popularity_level, put_number, put_text};

/// Candidates kept for one name.
const MAX_CANDIDATES: usize = 20;
/// Of a name's weight, what is left to entities the base does not hold.
const UNKNOWN_SHARE: f32 = 0.08;
const COMPRESSION_LEVEL: i32 = 19;
const NAMES: &str = "names.fst";
const POSTINGS: &str = "postings";

/// A folded name of a record and how much it counts.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct WeighedName {
    pub key: String,
    pub weight: f32,
    pub via: NameKind,
}

/// A file being written, section after section.
struct Sections {
    out: BufWriter<File>,
    path: PathBuf,
    digest: Xxh3,
    length: u64,
    done: Vec<(u64, u64)>,
}

impl Sections {
    fn write(&mut self, bytes: &[u8]) -> Result<(), KnowledgeError> {
        self.digest.update(bytes);
        self.length += bytes.len() as u64;
        self.out.write_all(bytes).map_err(|source| KnowledgeError::io("write", &self.path, source))
    }

    fn close_section(&mut self) {
        self.done.push((self.length, self.digest.digest()));
        self.digest = Xxh3::new();
        self.length = 0;
    }
}

/// Collects records, then writes the file.
pub(super) struct Writer {
    path: PathBuf,
    partial: PathBuf,
    folder: PathBuf,
    records: BufWriter<File>,
    records_path: PathBuf,
    packer: Compressor<'static>,
    dictionary: Vec<u8>,
    block: Vec<u8>,
    in_block: usize,
    offsets: Vec<u64>,
    offset: u64,
    names: Sorter,
    entities: u32,
    described: u64,
}

/// What was written.
#[derive(Clone, Copy, Debug, Default)]
pub struct BaseCounts {
    /// Entities.
    pub entities: u64,
    /// Of those, with a description or a phrase.
    pub described: u64,
    /// Distinct folded names.
    pub names: u64,
    /// Bytes of the file.
    pub bytes: u64,
}

impl Writer {
    /// `samples` are encoded records from which a compression dictionary is learnt.
    pub(super) fn new(
        path: &Path,
        folder: &Path,
        samples: &[Vec<u8>],
        memory: usize,
    ) -> Result<Self, KnowledgeError> {
        let records_path = folder.join("records");
        let file = File::create(&records_path)
            .map_err(|source| KnowledgeError::io("create", &records_path, source))?;
        let dictionary = learn_dictionary(samples);
        let packer = Compressor::with_dictionary(COMPRESSION_LEVEL, &dictionary)
            .map_err(|source| KnowledgeError::io("compress", path, source))?;
        let mut partial = path.as_os_str().to_owned();
        partial.push(".partial");
        Ok(Self {
            path: path.to_owned(),
            partial: partial.into(),
            folder: folder.to_owned(),
            records: BufWriter::new(file),
            records_path,
            packer,
            dictionary,
            block: Vec::new(),
            in_block: 0,
            offsets: vec![0],
            offset: 0,
            names: Sorter::new(folder, "names", memory),
            entities: 0,
            described: 0,
        })
    }

    /// Adds the next record; its own id is given by order.
    pub(super) fn push(&mut self, record: &Record, names: &[WeighedName]) -> Result<(), KnowledgeError> {
        let encoded = encode_record(record);
        put_number(&mut self.block, encoded.len() as u64);
        self.block.extend_from_slice(&encoded);
        self.in_block += 1;
        if self.in_block == BLOCK_RECORDS {
            self.close_block()?;
        }
        for name in names {
            let mut value = Vec::with_capacity(9);
            value.extend_from_slice(&name.weight.to_le_bytes());
            value.push(name.via as u8);
            value.extend_from_slice(&self.entities.to_le_bytes());
            let io = |source| KnowledgeError::io("sort names for", &self.path, source);
            self.names.push(&stored_key(&name.key), &value).map_err(io)?;
        }
        self.described += u64::from(!record.description.is_empty() || !record.phrases.is_empty());
        self.entities =
            self.entities.checked_add(1).ok_or(KnowledgeError::TooLarge("over four billion entities"))?;
        Ok(())
    }

    fn close_block(&mut self) -> Result<(), KnowledgeError> {
        let io = |source| KnowledgeError::io("write", &self.records_path, source);
        let packed = self.packer.compress(&self.block).map_err(io)?;
        self.records.write_all(&packed).map_err(io)?;
        self.offset += packed.len() as u64;
        self.offsets.push(self.offset);
        self.block.clear();
        self.in_block = 0;
        Ok(())
    }

    /// Writes the file; it appears under its name only when whole.
    pub(super) fn finish(mut self, notes: &[(String, String)]) -> Result<BaseCounts, KnowledgeError> {
        if self.in_block > 0 {
            self.close_block()?;
        }
        let partial = self.partial.clone();
        let io = |doing: &'static str| move |source| KnowledgeError::io(doing, &partial, source);
        self.records.flush().map_err(io.clone()("write"))?;
        let names = self.write_names()?;

        let mut meta = Vec::new();
        for count in [u64::from(self.entities), self.described, names] {
            put_number(&mut meta, count);
        }
        for (label, text) in notes {
            put_text(&mut meta, label);
            put_text(&mut meta, text);
        }
        let file = File::create(&self.partial).map_err(io.clone()("create"))?;
        let mut out = Sections {
            out: BufWriter::new(file),
            path: self.partial.clone(),
            digest: Xxh3::new(),
            length: 0,
            done: Vec::new(),
        };
        out.out.write_all(&vec![0; SectionTable::SIZE]).map_err(io.clone()("write"))?;
        for section in Section::ALL {
            match section {
                Section::Meta => out.write(&meta)?,
                Section::Names => copy_into(&self.folder.join(NAMES), &mut out)?,
                Section::Postings => copy_into(&self.folder.join(POSTINGS), &mut out)?,
                Section::Blocks => {
                    for offset in &self.offsets {
                        out.write(&offset.to_le_bytes())?;
                    }
                }
                Section::Records => copy_into(&self.records_path, &mut out)?,
                Section::Dictionary => out.write(&self.dictionary)?,
            }
            out.close_section();
        }
        let sections: [(u64, u64); 6] =
            out.done.clone().try_into().map_err(|_| KnowledgeError::Damaged("sections"))?;
        let header = SectionTable::encode(&sections);
        let mut file = out.out.into_inner().map_err(|error| io.clone()("write")(error.into_error()))?;
        file.seek(SeekFrom::Start(0)).map_err(io.clone()("write"))?;
        file.write_all(&header).map_err(io.clone()("write"))?;
        file.sync_all().map_err(io.clone()("write"))?;
        drop(file);
        std::fs::rename(&self.partial, &self.path).map_err(io("rename"))?;
        let bytes = SectionTable::SIZE as u64 + sections.iter().map(|(length, _)| length).sum::<u64>();
        Ok(BaseCounts { entities: u64::from(self.entities), described: self.described, names, bytes })
    }

    /// Writes the transducer over names and the postings it points into, beside the records; gives the number of names.
    fn write_names(&mut self) -> Result<u64, KnowledgeError> {
        let path = self.path.clone();
        let io = |source| KnowledgeError::io("sort names for", &path, source);
        let create = |path: &Path| {
            File::create(path)
                .map(BufWriter::new)
                .map_err(|source| KnowledgeError::io("create", path, source))
        };
        let sorter = std::mem::replace(&mut self.names, Sorter::new(Path::new(""), "", 0));
        let mut fst = fst::MapBuilder::new(create(&self.folder.join(NAMES))?)
            .map_err(|_| KnowledgeError::Damaged("names"))?;
        let mut postings = create(&self.folder.join(POSTINGS))?;
        let (mut count, mut at) = (0u64, 0u64);
        let mut close = |key: &[u8], group: &mut Vec<(u32, f32, u8)>| -> Result<(), KnowledgeError> {
            let encoded = postings_of(group);
            fst.insert(key, at).map_err(|_| KnowledgeError::Damaged("order of names"))?;
            postings.write_all(&encoded).map_err(io)?;
            at += encoded.len() as u64;
            count += 1;
            group.clear();
            Ok(())
        };
        let mut group: Vec<(u32, f32, u8)> = Vec::new();
        let mut current: Option<Vec<u8>> = None;
        for pair in sorter.finish().map_err(io)? {
            let (key, value) = pair.map_err(io)?;
            if current.as_ref() != Some(&key)
                && let Some(done) = current.replace(key)
            {
                close(&done, &mut group)?;
            }
            let (Some(weight), Some(via), Some(id)) =
                (value.first_chunk::<4>(), value.get(4), value.last_chunk::<4>())
            else {
                return Err(KnowledgeError::Damaged("names"));
            };
            group.push((u32::from_le_bytes(*id), f32::from_le_bytes(*weight), *via));
        }
        if let Some(done) = current {
            close(&done, &mut group)?;
        }
        postings.flush().map_err(io)?;
        let mut fst = fst.into_inner().map_err(|_| KnowledgeError::Damaged("names"))?;
        fst.flush().map_err(io)?;
        Ok(count)
    }
}

/// The candidates of one name, best first, weights made into priors.
fn postings_of(group: &[(u32, f32, u8)]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut by_id: HashMap<u32, (f32, u8)> = HashMap::with_capacity(group.len());
    for &(id, weight, via) in group {
        let entry = by_id.entry(id).or_insert((weight, via));
        entry.0 = entry.0.max(weight);
        entry.1 = entry.1.min(via);
    }
    let mut ranked: Vec<(u32, f32, u8)> =
        by_id.into_iter().map(|(id, (weight, via))| (id, weight, via)).collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let total: f32 = ranked.iter().map(|(_, weight, _)| weight).sum::<f32>();
    ranked.truncate(MAX_CANDIDATES);
    for (at, (id, weight, via)) in ranked.iter().enumerate() {
        let more = at + 1 < ranked.len();
        let prior = weight / total.max(f32::MIN_POSITIVE) * (1.0 - UNKNOWN_SHARE);
        out.push(u8::from(more) << 7 | via << 5 | prior_level(prior));
        put_number(&mut out, u64::from(*id));
    }
    out
}

pub(super) fn encode_record(record: &Record) -> Vec<u8> {
    let mut out = vec![record.kind as u8, popularity_level(record.popularity)];
    put_text(&mut out, &record.key);
    put_text(&mut out, &record.title);
    put_text(&mut out, &record.description);
    put_number(&mut out, record.phrases.len() as u64);
    for phrase in &record.phrases {
        out.push(phrase.kind as u8);
        put_text(&mut out, &phrase.text);
    }
    for alias in &record.aliases {
        put_text(&mut out, alias);
    }
    out
}

/// A dictionary of at most 110 KB; small bases do without.
fn learn_dictionary(samples: &[Vec<u8>]) -> Vec<u8> {
    if samples.len() < 1000 {
        return Vec::new();
    }
    zstd::dict::from_samples(samples, 112_640).unwrap_or_default()
}

fn copy_into(path: &Path, out: &mut Sections) -> Result<(), KnowledgeError> {
    use io::Read;
    let io = |source| KnowledgeError::io("read", path, source);
    let mut file = File::open(path).map_err(io)?;
    let mut buffer = vec![0; 1 << 18];
    loop {
        match file.read(&mut buffer).map_err(io)? {
            0 => return Ok(()),
            length => out.write(&buffer[..length])?,
        }
    }
}
