//! The file: a header, a table of sections, and the sections, each with its checksum.
//!
//! ```text
//! "findallK"  u32 format  u32 sections  u64 file length
//! per section: u32 tag  u32 0  u64 offset  u64 length  u64 xxh3
//! u64 xxh3 of all the above
//! sections: META · NAMES (fst: folded name → offset in POSTINGS) · POSTINGS · BLOCKS (u64 offsets) · RECORDS (zstd) · DICTIONARY
//! ```
//! All numbers little-endian.

use std::ops::Range;
use std::path::Path;

use xxhash_rust::xxh3::xxh3_64;

use super::error::KnowledgeError;

const BASE_MAGIC: &[u8; 8] = b"findallK";
/// The format this code writes, and the newest it reads.
pub const BASE_FORMAT: u32 = 1;
const BASE_HEADER_BYTES: usize = 24;
const BASE_ENTRY_BYTES: usize = 32;
const MAX_SECTIONS: usize = 32;

/// The parts of a file, numbered in its order from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// What the file says about itself.
    Meta = 1,
    /// Folded names, each with the place of its candidates.
    Names,
    /// The candidates of every name.
    Postings,
    /// Where each block of records begins.
    Blocks,
    /// Records, packed in blocks.
    Records,
    /// What the packing of all blocks shares.
    Dictionary,
}

impl Section {
    /// In the order of the file.
    pub const ALL: [Section; 6] =
        [Self::Meta, Self::Names, Self::Postings, Self::Blocks, Self::Records, Self::Dictionary];

    /// What messages call it.
    pub fn name(self) -> &'static str {
        const SECTION_NAMES: [&str; 6] = ["meta", "names", "postings", "blocks", "records", "dictionary"];
        SECTION_NAMES[self as usize - 1]
    }
}

/// Where the sections lie, checked against the file's length.
#[derive(Clone, Debug)]
pub struct SectionTable {
    places: [(Range<usize>, u64); 6],
    /// Digest of header and table, which hold the digests of everything else.
    pub fingerprint: u64,
}

impl SectionTable {
    /// The size of header and table.
    pub const SIZE: usize = BASE_HEADER_BYTES + BASE_ENTRY_BYTES * Section::ALL.len() + 8;

    /// Where a section lies.
    pub fn range(&self, section: Section) -> Range<usize> {
        self.places[section as usize - 1].0.clone()
    }

    /// The digest that a section must have.
    pub fn checksum(&self, section: Section) -> u64 {
        self.places[section as usize - 1].1
    }

    /// Header and table for sections of these lengths and checksums, in the order of [`Section::ALL`].
    pub fn encode(sections: &[(u64, u64); 6]) -> Vec<u8> {
        let mut out = Vec::with_capacity(Self::SIZE);
        let mut offset = Self::SIZE as u64;
        let total = offset + sections.iter().map(|(length, _)| length).sum::<u64>();
        out.extend_from_slice(BASE_MAGIC);
        out.extend_from_slice(&BASE_FORMAT.to_le_bytes());
        out.extend_from_slice(&(sections.len() as u32).to_le_bytes());
        out.extend_from_slice(&total.to_le_bytes());
        for (section, (length, checksum)) in Section::ALL.into_iter().zip(sections) {
            out.extend_from_slice(&(section as u32).to_le_bytes());
            out.extend_from_slice(&0u32.to_le_bytes());
            out.extend_from_slice(&offset.to_le_bytes());
            out.extend_from_slice(&length.to_le_bytes());
            out.extend_from_slice(&checksum.to_le_bytes());
            offset += length;
        }
        out.extend_from_slice(&xxh3_64(&out).to_le_bytes());
        out
    }

    /// Reads and checks header and table.
    pub fn read(data: &[u8], path: &Path) -> Result<Self, KnowledgeError> {
        let damaged = || KnowledgeError::Damaged("header");
        if data.len() < BASE_HEADER_BYTES || data[..8] != *BASE_MAGIC {
            return Err(KnowledgeError::Foreign(path.to_owned()));
        }
        let format = read_u32(data, 8).ok_or_else(damaged)?;
        if format > BASE_FORMAT {
            return Err(KnowledgeError::Newer {
                path: path.to_owned(),
                found: format,
                supported: BASE_FORMAT,
            });
        }
        let expected = read_u64(data, 16).ok_or_else(damaged)?;
        if expected != data.len() as u64 {
            return Err(KnowledgeError::Torn { path: path.to_owned(), expected, found: data.len() as u64 });
        }
        let count = read_u32(data, 12).ok_or_else(damaged)? as usize;
        if format == 0 || count > MAX_SECTIONS {
            return Err(damaged());
        }
        let table_end = BASE_HEADER_BYTES + BASE_ENTRY_BYTES * count;
        let table = data.get(..table_end).ok_or_else(damaged)?;
        if read_u64(data, table_end) != Some(xxh3_64(table)) {
            return Err(KnowledgeError::Damaged("table of sections"));
        }
        let mut places: [Option<(Range<usize>, u64)>; 6] = Default::default();
        for entry in table[BASE_HEADER_BYTES..].chunks_exact(BASE_ENTRY_BYTES) {
            let tag = read_u32(entry, 0).ok_or_else(damaged)? as usize;
            let start = read_u64(entry, 8).and_then(|n| usize::try_from(n).ok()).ok_or_else(damaged)?;
            let length = read_u64(entry, 16).and_then(|n| usize::try_from(n).ok()).ok_or_else(damaged)?;
            let end = start.checked_add(length).filter(|end| *end <= data.len()).ok_or_else(damaged)?;
            let checksum = read_u64(entry, 24).ok_or_else(damaged)?;
            // A later minor version may add sections that this one need not know.
            if let Some(place) = tag.checked_sub(1).and_then(|at| places.get_mut(at)) {
                *place = Some((start..end, checksum));
            }
        }
        let fingerprint = xxh3_64(table);
        let [Some(a), Some(b), Some(c), Some(d), Some(e), Some(f)] = places else {
            return Err(KnowledgeError::Damaged("a section is missing"));
        };
        Ok(Self { places: [a, b, c, d, e, f], fingerprint })
    }
}

pub(super) fn read_u64(data: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(data.get(at..at.checked_add(8)?)?.try_into().ok()?))
}

pub(super) fn read_u32(data: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(data.get(at..at.checked_add(4)?)?.try_into().ok()?))
}
