//! How a knowledge base is made: drafts of entities enter in any order and number, one file leaves.
//!
//! ```text
//! drafts ─▶ sort by title ─▶ merge sources ─▶ sort by popularity ─▶ records in blocks
//!                                                               └▶ names ─▶ sort ─▶ transducer, postings
//! ```
//! Every sort spills past its budget, so memory stays bounded whatever the size of the dump. The same drafts give the
//! same bytes.

mod demonyms;
mod draft;
mod given_names;
mod merge;
mod names;
mod short_forms;
mod sorter;
mod writer;

use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

pub use demonyms::demonyms;
pub use draft::{Draft, Name, NameOrigin};
pub use writer::BaseCounts;

use findall::knowledge::{EntityId, KnowledgeError, MAX_NAME_BYTES, Record, title_key};
use findall::word_list::WordList;
use sorter::Sorter;

const BUILD_WORD_LISTS: &str = include_str!("words.txt");

/// Words that begin what stands behind the comma of a person's name.
static RANKS: WordList = WordList::new(BUILD_WORD_LISTS, "rank");

/// How to build.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// Bytes each of the sorters may hold.
    pub memory: usize,
    /// Words of phrases kept for a popular entity, besides its description; rare ones get about half.
    pub phrase_words: usize,
    /// Names shown in a record; all of them are looked up.
    pub shown_names: usize,
    /// An entity about which nothing is known but its title needs this popularity to be kept.
    pub bare_popularity: f32,
    /// Lines about the base for people: sources, licences.
    pub notes: Vec<(String, String)>,
}

impl Default for BuildOptions {
    fn default() -> Self {
        Self { memory: 96 << 20, phrase_words: 40, shown_names: 8, bare_popularity: 0.0, notes: Vec::new() }
    }
}

/// Why a draft was refused; the rest of its source is not affected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The title is empty or has no letter or digit.
    #[error("the title has no letter or digit")]
    NoTitle,
    /// The title is longer than a name can be.
    #[error("the title has {0} bytes, a title has at most {MAX_NAME_BYTES}")]
    LongTitle(usize),
}

/// Longest text kept in one field of a record.
const MAX_FIELD_BYTES: usize = 600;
/// Records that teach the compression dictionary.
const MAX_SAMPLES: usize = 24_000;

/// Takes drafts, then writes the file.
pub struct Builder {
    folder: PathBuf,
    options: BuildOptions,
    drafts: Sorter,
}

impl Builder {
    /// Works in `folder`, which must exist and is emptied of this builder's files at the end.
    pub fn new(folder: impl Into<PathBuf>, options: BuildOptions) -> Self {
        let folder = folder.into();
        let drafts = Sorter::new(&folder, "drafts", options.memory);
        Self { folder, options, drafts }
    }

    /// Takes up the sorted runs that an interrupted build had [`checkpoint`](Self::checkpoint)ed.
    pub fn resume(&mut self, runs: usize) {
        self.drafts.resume(runs);
    }

    /// Puts everything added so far on disk; gives the number of runs to [`resume`](Self::resume) from.
    pub fn checkpoint(&mut self) -> Result<usize, KnowledgeError> {
        self.drafts.spill().map_err(|source| KnowledgeError::io("write into", &self.folder, source))?;
        Ok(self.drafts.runs())
    }

    /// Takes one draft.
    pub fn add(&mut self, draft: &Draft) -> Result<Result<(), Refusal>, KnowledgeError> {
        if draft.title.len() > MAX_NAME_BYTES {
            return Ok(Err(Refusal::LongTitle(draft.title.len())));
        }
        let mut key = title_key(&draft.title);
        if !key.chars().any(char::is_alphanumeric) {
            return Ok(Err(Refusal::NoTitle));
        }
        if let Some(own) = draft.own_key() {
            key.push('\0');
            key.push_str(own);
        }
        let encoded = draft.encode();
        self.drafts
            .push(key.as_bytes(), &encoded)
            .map_err(|source| KnowledgeError::io("write into", &self.folder, source))?;
        Ok(Ok(()))
    }

    /// Merges, sorts and writes. `progress` is told how many of how many entities are written.
    pub fn finish(
        self,
        path: &Path,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<BaseCounts, KnowledgeError> {
        let Self { folder, options, drafts } = self;
        let io = |source| KnowledgeError::io("sort in", &folder, source);
        let mut ranked = Sorter::new(&folder, "ranked", options.memory);
        let mut samples = Samples::default();
        let mut total = 0u64;
        merge::merge_drafts(drafts.finish().map_err(io)?, |mut draft| {
            draft.read_title();
            let known = !draft.description.is_empty() || !draft.phrases.is_empty();
            if !known && draft.popularity < options.bare_popularity {
                return Ok(());
            }
            let words = phrase_words(&options, draft.popularity);
            merge::trim(&mut draft, words, MAX_FIELD_BYTES);
            // Most popular first, then by title, so that equal input gives equal files.
            let mut key = (u32::MAX - (draft.popularity.max(0.0) * 16.0) as u32).to_be_bytes().to_vec();
            key.extend_from_slice(title_key(&draft.title).as_bytes());
            key.push(0);
            key.extend_from_slice(draft.key.as_bytes());
            let (record, _) = finish_record(&draft, &options);
            samples.offer(xxh3_64(&key), || writer::encode_record(&record));
            total += 1;
            ranked.push(&key, &draft.encode()).map_err(io)
        })
        .map_err(|error| match error {
            merge::MergeError::Io(source) => io(source),
            merge::MergeError::Knowledge(error) => error,
        })?;
        let mut writer = writer::Writer::new(path, &folder, &samples.into_sorted(), options.memory)?;
        for (done, pair) in ranked.finish().map_err(io)?.enumerate() {
            let (_, encoded) = pair.map_err(io)?;
            let draft = Draft::decode(&encoded).ok_or(KnowledgeError::Damaged("draft"))?;
            let (record, names) = finish_record(&draft, &options);
            writer.push(&record, &names)?;
            if done % 4096 == 0 {
                progress(done as u64, total);
            }
        }
        let written = writer.finish(&options.notes)?;
        progress(total, total);
        Ok(written)
    }
}

/// What is often referred to is worth more words: a few for the rarest, all of them from a hundred references on.
fn phrase_words(options: &BuildOptions, popularity: f32) -> usize {
    let share = 0.45 + 0.08 * (1.0 + popularity.max(0.0)).log2();
    (options.phrase_words as f32 * share.min(1.0)).round() as usize
}

fn finish_record(draft: &Draft, options: &BuildOptions) -> (Record, Vec<writer::WeighedName>) {
    let kind = draft.kind.unwrap_or_default();
    let (names, mut shown) = names::names_of(draft, kind);
    // The rare ones are known by few names.
    let worth = (2.0 + (1.0 + draft.popularity.max(0.0)).log2()) as usize;
    shown.truncate(options.shown_names.min(worth));
    let record = Record {
        id: EntityId(0),
        key: draft.key.clone(),
        title: draft.title.clone(),
        kind,
        description: draft.description.clone(),
        phrases: draft.phrases.clone(),
        aliases: shown,
        popularity: draft.popularity,
    };
    (record, names)
}

/// The records with the smallest hashes: a sample that depends on nothing but the records.
#[derive(Default)]
struct Samples {
    heap: std::collections::BinaryHeap<(u64, Vec<u8>)>,
}

impl Samples {
    fn offer(&mut self, hash: u64, encode: impl FnOnce() -> Vec<u8>) {
        if self.heap.len() < MAX_SAMPLES || self.heap.peek().is_some_and(|(worst, _)| hash < *worst) {
            self.heap.push((hash, encode()));
            if self.heap.len() > MAX_SAMPLES {
                self.heap.pop();
            }
        }
    }

    fn into_sorted(self) -> Vec<Vec<u8>> {
        self.heap.into_sorted_vec().into_iter().map(|(_, sample)| sample).collect()
    }
}
