//! The slow part of a library: append-only files of what models made, each record under a hash and the models that made it:
//! analysed documents under the hash of their text, what is known about entities under that of their title. A record is written at once and its checksum stands behind it; a process that dies leaves at most one torn
//! record at the end, which readers stop at and the next writer cuts off. Files that move or are touched keep their record.
//!
//! ```text
//! magic u32 · length u32 · content 16 · maker 8 · body · xxh3 of all before, 8
//! ```

use std::collections::HashMap;
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use findall::cache::{open_private, private_options};
use findall::like::Bytes;
use tantivy::directory::{Directory, MmapDirectory, OwnedBytes};
use xxhash_rust::xxh3::xxh3_64;

use crate::LibraryError;
use crate::files::Content;

/// Analysed documents.
pub(crate) const MEANING_LOG: &str = "meaning.log";
/// What is known about entities.
pub(crate) const KNOWLEDGE_LOG: &str = "knowledge.log";
const MAGIC: u32 = 0x3166_616c;
const HEAD: usize = 4 + 4 + 16 + 8;
const SUM: usize = 8;

/// Which models and knowledge made a record.
pub(crate) type Maker = u64;

/// Records that are there, by content and maker.
pub(crate) struct Meaning {
    bytes: Option<Bytes>,
    records: HashMap<(Content, Maker), Range<usize>>,
    contents: HashMap<Content, ()>,
    /// Where the first torn record begins, or the end.
    sound: usize,
}

impl Meaning {
    /// Maps the file as it is now.
    pub fn open(folder: &Path, name: &str) -> Result<Self, LibraryError> {
        let mut meaning = Self { bytes: None, records: HashMap::new(), contents: HashMap::new(), sound: 0 };
        if std::fs::metadata(folder.join(name)).map_or(0, |data| data.len()) == 0 {
            return Ok(meaning);
        }
        let failed = |error: String| LibraryError::of(folder, error);
        let directory = MmapDirectory::open(folder).map_err(|error| failed(error.to_string()))?;
        let file = directory.open_read(Path::new(name)).map_err(|error| failed(error.to_string()))?;
        let bytes: OwnedBytes = file.read_bytes().map_err(|error| failed(error.to_string()))?;
        let mut at = 0;
        while let Some((key, body, next)) = parse(&bytes, at) {
            meaning.contents.insert(key.0, ());
            meaning.records.insert(key, body);
            at = next;
        }
        // Checksums of all records would mean reading gigabytes at every start; what can be torn is the end.
        meaning.sound = at;
        meaning.bytes = Some(Arc::new(MappedBytes(bytes)));
        Ok(meaning)
    }

    /// True when some models have analysed this content.
    pub fn has(&self, content: &Content) -> bool {
        self.contents.contains_key(content)
    }

    /// True when these have.
    pub fn has_by(&self, content: &Content, maker: Maker) -> bool {
        self.records.contains_key(&(*content, maker))
    }

    /// The record of a content made by these models.
    pub fn get(&self, content: &Content, maker: Maker) -> Option<(Bytes, Range<usize>)> {
        let range = self.records.get(&(*content, maker))?.clone();
        Some((self.bytes.as_ref()?.clone(), range))
    }

    /// Checks the sum of every record up to the first torn one.
    pub fn is_whole(&self) -> bool {
        let bytes = self.bytes.as_ref().map_or(&[] as &[u8], |bytes| (**bytes).as_ref());
        let mut at = 0;
        while at < self.sound {
            let Some((_, body, next)) = parse(bytes, at) else { return false };
            if bytes[body.end..next] != xxh3_64(&bytes[at..body.end]).to_le_bytes() {
                return false;
            }
            at = next;
        }
        true
    }

    /// Bytes of records that none of `wanted` needs.
    fn count_garbage_bytes(&self, wanted: &HashMap<Content, ()>, maker: Maker) -> usize {
        let dead =
            self.records.iter().filter(|((content, by), _)| *by != maker || !wanted.contains_key(content));
        dead.map(|(_, range)| range.len()).sum()
    }
}

/// The mapped file.
struct MappedBytes(OwnedBytes);

impl AsRef<[u8]> for MappedBytes {
    fn as_ref(&self) -> &[u8] {
        self.0.as_slice()
    }
}

/// Key, body and end of the record at `at`, if it is whole.
fn parse(bytes: &[u8], at: usize) -> Option<((Content, Maker), Range<usize>, usize)> {
    let head = bytes.get(at..at.checked_add(HEAD)?)?;
    let number = |from: usize| Some(u32::from_le_bytes(head.get(from..from + 4)?.try_into().ok()?));
    if number(0)? != MAGIC {
        return None;
    }
    let body = at + HEAD..(at + HEAD).checked_add(number(4)? as usize)?;
    let end = body.end.checked_add(SUM)?;
    let sum = bytes.get(body.end..end)?;
    let is_last = end == bytes.len();
    if is_last && sum != xxh3_64(&bytes[at..body.end]).to_le_bytes() {
        return None;
    }
    let content: Content = head[8..24].try_into().ok()?;
    let maker = u64::from_le_bytes(head[24..32].try_into().ok()?);
    Some(((content, maker), body, end))
}

/// Appends records.
pub(crate) struct Appender {
    folder: PathBuf,
    file: File,
}

impl Appender {
    /// Cuts off what is torn. The caller holds the library's lock.
    pub fn new(folder: &Path, name: &str) -> Result<Self, LibraryError> {
        let failed = |error: std::io::Error| LibraryError::of(folder, error);
        let sound = Meaning::open(folder, name)?.sound as u64;
        let mut options = private_options();
        options.create(true).truncate(false).read(true).write(true);
        let mut file = open_private(&folder.join(name), &options).map_err(failed)?;
        file.set_len(sound).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        Ok(Self { folder: folder.to_owned(), file })
    }

    /// Writes records and waits until the disk has them.
    pub fn append(&mut self, records: &[(Content, Maker, Vec<u8>)]) -> Result<(), LibraryError> {
        let mut out = Vec::new();
        for (content, maker, body) in records {
            let Ok(length) = u32::try_from(body.len()) else { continue };
            let from = out.len();
            out.extend_from_slice(&MAGIC.to_le_bytes());
            out.extend_from_slice(&length.to_le_bytes());
            out.extend_from_slice(content);
            out.extend_from_slice(&maker.to_le_bytes());
            out.extend_from_slice(body);
            let sum = xxh3_64(&out[from..]);
            out.extend_from_slice(&sum.to_le_bytes());
        }
        let written = self.file.write_all(&out).and_then(|()| self.file.sync_data());
        written.map_err(|error| LibraryError::of(&self.folder, error))
    }
}

/// Writes the file anew without what nobody needs any more, when that is more than half of it.
pub(crate) fn compact(
    folder: &Path,
    wanted: &HashMap<Content, ()>,
    maker: Maker,
) -> Result<(), LibraryError> {
    let meaning = Meaning::open(folder, MEANING_LOG)?;
    if meaning.count_garbage_bytes(wanted, maker) * 2 <= meaning.sound {
        return Ok(());
    }
    rewrite(folder, &meaning, |content, by| by == maker && wanted.contains_key(content))
}

/// Writes the file anew without what was made of anything but `wanted`, however little that is.
pub(crate) fn forget_others(folder: &Path, wanted: &HashMap<Content, ()>) -> Result<(), LibraryError> {
    let meaning = Meaning::open(folder, MEANING_LOG)?;
    match meaning.contents.keys().all(|content| wanted.contains_key(content)) {
        true => Ok(()),
        false => rewrite(folder, &meaning, |content, _| wanted.contains_key(content)),
    }
}

fn rewrite(
    folder: &Path,
    meaning: &Meaning,
    keep: impl Fn(&Content, Maker) -> bool,
) -> Result<(), LibraryError> {
    let failed = |error: std::io::Error| LibraryError::of(folder, error);
    let aside = folder.join(".meaning.new");
    // Left behind by a process that died over it.
    let _ = std::fs::remove_file(&aside);
    let file = private_options().write(true).create_new(true).open(&aside).map_err(failed)?;
    let mut appender = Appender { folder: folder.to_owned(), file };
    for ((content, by), range) in &meaning.records {
        if keep(content, *by) {
            let body = meaning.bytes.as_ref().and_then(|bytes| (**bytes).as_ref().get(range.clone()));
            appender.append(&[(*content, *by, body.unwrap_or_default().to_vec())])?;
        }
    }
    drop(appender);
    std::fs::rename(aside, folder.join(MEANING_LOG)).map_err(failed)
}
