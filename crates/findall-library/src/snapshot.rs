//! What a library held at one moment: its files in the order in which they came, ready to be searched.

use std::path::Path;
use std::sync::Arc;

use findall::document::Document;
use findall::index::Provenance;
use findall::like::{Corpus, Part};
use findall::span::Span;
use tantivy::schema::{IndexRecordOption, Value};
use tantivy::{DocAddress, DocSet, ReloadPolicy, Searcher, TERMINATED, TantivyDocument, Term};

use crate::files::KnownFile;
use crate::meaning::{MEANING_LOG, Maker, Meaning};
use crate::schema::{FILE, Fields};
use crate::search::LibraryWords;
use crate::{Library, LibraryError};

/// A library at one moment. Cheap to clone.
#[derive(Clone)]
pub struct Snapshot(pub(crate) Arc<SnapshotData>);

pub(crate) struct SnapshotData {
    pub folder: std::path::PathBuf,
    pub searcher: Searcher,
    pub fields: Fields,
    pub files: Vec<KnownFile>,
    addresses: Vec<DocAddress>,
}

impl Snapshot {
    pub(crate) fn take(library: &Library) -> Result<Self, LibraryError> {
        let failed = |error: tantivy::TantivyError| LibraryError::of(&library.folder, error);
        let reader = library.index.reader_builder().reload_policy(ReloadPolicy::Manual);
        let searcher = reader.try_into().map_err(failed)?.searcher();
        let fields = library.fields;
        let mut found = files(&searcher, fields).map_err(failed)?;
        found.sort_by_key(|(known, _)| known.number);
        let (files, addresses) = found.into_iter().unzip();
        let folder = library.folder.clone();
        Ok(Self(Arc::new(SnapshotData { folder, searcher, fields, files, addresses })))
    }

    /// What is in it, in the order in which it came.
    pub fn files(&self) -> &[KnownFile] {
        &self.0.files
    }

    /// The document of a file as it was when it was put in, by its place in [`files`](Self::files).
    pub fn document(&self, file: usize) -> Option<Document> {
        let (text, spans) = self.0.read_stored(file)?;
        Document::from_sentences(text, spans)
    }

    /// Its sentences as a corpus, as far as `made_by` has analysed them; only files under `root`, if there is one. The
    /// numbers stand for the corpus' documents: places in [`files`](Self::files).
    pub fn corpus(
        &self,
        made_by: &Provenance,
        root: Option<&Path>,
    ) -> Result<(Corpus, Vec<usize>), LibraryError> {
        let meaning = Meaning::open(&self.0.folder, MEANING_LOG)?;
        let maker = maker(made_by);
        let wanted = |known: &KnownFile| root.is_none_or(|root| Path::new(&known.path).starts_with(root));
        let chosen: Vec<usize> = (0..self.0.files.len()).filter(|&at| wanted(&self.0.files[at])).collect();
        let part = |&at: &usize| {
            let known = &self.0.files[at];
            Part { sentences: known.sentences, analysed: meaning.get(&known.content, maker) }
        };
        let parts: Vec<Part> = chosen.iter().map(part).collect();
        let words = LibraryWords::new(self.clone(), &chosen);
        Ok((Corpus::new(parts, Box::new(words)), chosen))
    }
}

impl SnapshotData {
    /// The text of a file, and where its sentences stand.
    pub fn read_stored(&self, file: usize) -> Option<(String, Vec<Span>)> {
        let document: TantivyDocument = self.searcher.doc(*self.addresses.get(file)?).ok()?;
        let text = document.get_first(self.fields.text)?.as_str()?.to_owned();
        let packed = document.get_first(self.fields.spans)?;
        let spans = packed.as_bytes()?.as_chunks::<8>().0.iter().map(|pair| {
            let [start, end] =
                [&pair[..4], &pair[4..]].map(|half| half.try_into().map_or(0, u32::from_le_bytes) as usize);
            Span::new(start, end.max(start))
        });
        let spans = spans.collect();
        Some((text, spans))
    }
}

/// A short name for models and knowledge.
pub(crate) fn maker(made_by: &Provenance) -> Maker {
    let joined = [made_by.encoder.as_str(), &made_by.tagger, &made_by.knowledge].join("\n");
    xxhash_rust::xxh3::xxh3_64(joined.as_bytes())
}

fn files(searcher: &Searcher, fields: Fields) -> tantivy::Result<Vec<(KnownFile, DocAddress)>> {
    let mut found = Vec::new();
    let term = Term::from_field_text(fields.sort, FILE);
    for (at, segment) in searcher.segment_readers().iter().enumerate() {
        let index = segment.inverted_index(fields.sort)?;
        let Some(mut postings) = index.read_postings(&term, IndexRecordOption::Basic)? else { continue };
        let fast = segment.fast_fields();
        let column = |name: &str| fast.column_first_or_default::<u64>(name);
        let (owner, size, modified) = (column("owner")?, column("size")?, column("modified")?);
        let (high, low) = (column("hash_high")?, column("hash_low")?);
        let (sentences, text_bytes) = (column("sentences")?, column("text_bytes")?);
        let Some(paths) = fast.str("path")? else { continue };
        loop {
            let doc = postings.doc();
            if doc == TERMINATED {
                break;
            }
            postings.advance();
            if segment.is_deleted(doc) {
                continue;
            }
            let mut path = String::new();
            if let Some(ord) = paths.term_ords(doc).next() {
                paths.ord_to_str(ord, &mut path)?;
            }
            let mut content = [0; 16];
            content[..8].copy_from_slice(&high.get_val(doc).to_le_bytes());
            content[8..].copy_from_slice(&low.get_val(doc).to_le_bytes());
            let known = KnownFile {
                path,
                stamp: crate::Stamp { size: size.get_val(doc), modified: modified.get_val(doc) },
                sentences: sentences.get_val(doc) as usize,
                text_bytes: text_bytes.get_val(doc),
                number: owner.get_val(doc),
                content,
            };
            found.push((known, DocAddress::new(at as u32, doc)));
        }
    }
    Ok(found)
}
