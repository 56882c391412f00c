//! Changing a library: files in, out, or read again when their stamp changed; then, at its own pace, their analysis.
//! What was committed is on disk before anyone is told.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use findall::document::{Document, PassageOptions};
use findall::encode::ModelError;
use findall::index::Provenance;
use findall::like::Analyser;
use tantivy::indexer::{LogMergePolicy, UserOperation};
use tantivy::{IndexWriter, TantivyDocument, TantivyError, Term};

use crate::files::{Content, KnownFile, Stamp, content_of};
use crate::meaning::{Appender, MEANING_LOG, Meaning, compact, forget_others};
use crate::schema::{FILE, Fields};
use crate::snapshot::maker;
use crate::{Library, LibraryError, tighten_library};

/// Memory that each of the index's threads fills before it writes.
const MAX_THREAD_BYTES: usize = 64 << 20;
const MAX_THREADS: usize = 4;

/// A commit is due after so much text: rarely enough to be cheap, often enough that little is lost.
const MIN_COMMIT_BYTES: u64 = 48 << 20;

/// Segments of about one size that are joined into one. With fewer every text is written more often while a folder is
/// read; with more a query visits more of them.
const MIN_MERGED_SEGMENTS: usize = 16;

/// Passages of the words part: nothing twice.
const PASSAGE: PassageOptions =
    PassageOptions { sentences: 15, chars: 1000, overlap: 0, paragraph: usize::MAX };

/// Sentences that are analysed at a time, in whole documents.
const MAX_BATCH_SENTENCES: usize = 512;

/// The one who changes a library. Dropped without a commit, it leaves the library as it was.
pub struct Writer<'l> {
    pub(crate) library: &'l Library,
    index: IndexWriter,
    known: HashMap<String, KnownFile>,
    next: AtomicU64,
}

/// What is on disk now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CommitProgress {
    /// Files read since the writer began.
    pub files: usize,
    /// Of how many.
    pub of: usize,
    /// Bytes of their texts.
    pub text_bytes: u64,
    /// Sentences of these texts.
    pub sentences: usize,
}

/// Reads a file: nothing for one that has no text, a complaint for one that could not be read.
pub type DocumentOpener<'o> = dyn Fn(&Path) -> Result<Option<Document>, String> + Sync + 'o;

impl<'l> Writer<'l> {
    pub(crate) fn new(library: &'l Library) -> Result<Self, LibraryError> {
        let threads = std::thread::available_parallelism().map_or(1, |n| n.get().min(MAX_THREADS));
        let index = library.index.writer_with_num_threads(threads, threads * MAX_THREAD_BYTES);
        let index = index.map_err(|error| match error {
            TantivyError::LockFailure(..) => LibraryError::Busy(library.folder.clone()),
            error => LibraryError::of(&library.folder, error),
        })?;
        let mut policy = LogMergePolicy::default();
        policy.set_min_num_segments(MIN_MERGED_SEGMENTS);
        index.set_merge_policy(Box::new(policy));
        let files = library.snapshot()?.files().to_vec();
        let next = files.iter().map(|known| known.number + 1).max().unwrap_or(0);
        let known = files.into_iter().map(|known| (known.path.clone(), known)).collect();
        Ok(Self { library, index, known, next: AtomicU64::new(next) })
    }

    /// What is in it, the changes of this writer not counted.
    pub fn find_file(&self, path: &str) -> Option<&KnownFile> {
        self.known.get(path)
    }

    /// Paths of everything in it.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.known.keys().map(String::as_str)
    }

    /// Puts a document in under a path, in the place of what was there.
    pub fn put(&self, path: &str, stamp: Stamp, document: &Document) -> Result<usize, LibraryError> {
        let fields = &self.library.fields;
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let mut changes: Vec<UserOperation> = Vec::with_capacity(document.sentences().len() + 8);
        if let Some(old) = self.known.get(path) {
            changes.push(UserOperation::Delete(Term::from_field_u64(fields.owner, old.number)));
        }
        changes.extend(entries(fields, number, path, stamp, document).into_iter().map(UserOperation::Add));
        self.index.run(changes).map_err(|error| LibraryError::of(&self.library.folder, error))?;
        Ok(document.sentences().len())
    }

    /// Takes a path out; false when it was not in.
    pub fn remove(&self, path: &str) -> bool {
        let Some(old) = self.known.get(path) else { return false };
        self.index.delete_term(Term::from_field_u64(self.library.fields.owner, old.number));
        true
    }

    /// Reads files into the library on all cores, committing as it goes; `watch` is told after each commit, and of every
    /// complaint. Breaking stops after the last commit.
    pub fn read(
        &mut self,
        paths: &[(String, Stamp)],
        open: &DocumentOpener<'_>,
        watch: &mut dyn FnMut(Result<CommitProgress, String>) -> ControlFlow<()>,
    ) -> Result<CommitProgress, LibraryError> {
        let mut done = CommitProgress { of: paths.len(), ..CommitProgress::default() };
        let mut rest = paths;
        while !rest.is_empty() {
            let mut bytes = 0;
            let due = rest.iter().position(|(_, stamp)| {
                bytes += stamp.size;
                bytes >= MIN_COMMIT_BYTES
            });
            let (batch, after) = rest.split_at(due.map_or(rest.len(), |at| at + 1));
            rest = after;
            let (read, complaints) = self.read_batch(batch, open)?;
            self.commit()?;
            done.files += batch.len();
            done.text_bytes += read.text_bytes;
            done.sentences += read.sentences;
            let told = complaints.into_iter().map(Err).chain([Ok(done)]);
            if told.map(&mut *watch).any(|flow| flow.is_break()) {
                break;
            }
        }
        Ok(done)
    }

    fn read_batch(
        &self,
        batch: &[(String, Stamp)],
        open: &DocumentOpener<'_>,
    ) -> Result<(CommitProgress, Vec<String>), LibraryError> {
        let next = AtomicUsize::new(0);
        let gathered: Mutex<(CommitProgress, Vec<String>, Option<LibraryError>)> = Mutex::default();
        let work = || {
            while let Some((path, stamp)) = batch.get(next.fetch_add(1, Ordering::Relaxed)) {
                let opened = open(Path::new(path));
                let put = opened.map(|document| {
                    document.map(|document| {
                        let sentences = self.put(path, *stamp, &document);
                        (sentences, document.text().len())
                    })
                });
                let mut gathered = gathered.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                match put {
                    Ok(None) => {}
                    Ok(Some((Ok(sentences), bytes))) => {
                        gathered.0.sentences += sentences;
                        gathered.0.text_bytes += bytes as u64;
                    }
                    Ok(Some((Err(error), _))) => gathered.2 = Some(error),
                    Err(complaint) => gathered.1.push(complaint),
                }
                if gathered.2.is_some() {
                    return;
                }
            }
        };
        std::thread::scope(|scope| {
            let threads = std::thread::available_parallelism().map_or(1, |n| n.get().min(MAX_THREADS));
            for _ in 0..threads {
                scope.spawn(work);
            }
        });
        let (read, complaints, failed) =
            gathered.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        failed.map_or(Ok((read, complaints)), Err)
    }

    /// Makes all changes so far last.
    pub fn commit(&mut self) -> Result<(), LibraryError> {
        self.index.commit().map_err(|error| LibraryError::of(&self.library.folder, error))?;
        tighten_library(&self.library.folder);
        Ok(())
    }

    /// Makes all changes so far last, and deletes what was taken out from the disk: text that is only marked as deleted
    /// can still be read there.
    pub fn purge(mut self) -> Result<(), LibraryError> {
        let library = self.library;
        let folder = &library.folder;
        let failed = |error: TantivyError| LibraryError::of(folder, error);
        self.index.commit().map_err(failed)?;
        // By their ids: whoever holds on to what is known of a segment keeps its files.
        let segments = library.index.searchable_segment_metas().map_err(failed)?.into_iter();
        let holed: Vec<_> = segments.filter(|one| one.has_deletes()).map(|one| one.id()).collect();
        for segment in holed {
            self.index.merge(&[segment]).wait().map_err(failed)?;
        }
        self.index.garbage_collect_files().wait().map_err(failed)?;
        let files = library.snapshot()?;
        forget_others(folder, &files.files().iter().map(|known| (known.content, ())).collect())?;
        drop(files);
        self.finish()
    }

    /// Waits for the index to tidy up behind itself.
    pub fn finish(self) -> Result<(), LibraryError> {
        let folder = &self.library.folder;
        self.index.wait_merging_threads().map_err(|error| LibraryError::of(folder, error))?;
        tighten_library(folder);
        Ok(())
    }

    /// Analyses what is not yet, short documents first, keeping each batch on disk before `watch` hears of it.
    /// `also` may do its own with each document. Breaking stops; a later call goes on from there.
    pub fn analyse(
        &self,
        analyser: &Analyser<'_>,
        made_by: &Provenance,
        also: &mut dyn FnMut(&str, &Document) -> Result<(), ModelError>,
        watch: &mut dyn FnMut(CommitProgress) -> ControlFlow<()>,
    ) -> Result<CommitProgress, AnalyseError> {
        let snapshot = self.library.snapshot()?;
        let maker = maker(made_by);
        let folder = &self.library.folder;
        let meaning = Meaning::open(folder, MEANING_LOG)?;
        let mut appender = Appender::new(folder, MEANING_LOG)?;
        let files = snapshot.files();
        let mut taken: HashMap<Content, ()> = HashMap::new();
        let missing = (0..files.len()).filter(|&at| {
            !meaning.has_by(&files[at].content, maker) && taken.insert(files[at].content, ()).is_none()
        });
        let mut missing: Vec<usize> = missing.collect();
        // Short ones first: no long document keeps the others waiting.
        missing.sort_by_key(|&at| files[at].text_bytes);
        drop(meaning);
        let mut done = CommitProgress { of: missing.len(), ..CommitProgress::default() };
        let mut rest = missing.as_slice();
        while !rest.is_empty() {
            let mut sentences = 0;
            let full = rest.iter().position(|&at| {
                sentences += files[at].sentences;
                sentences >= MAX_BATCH_SENTENCES
            });
            let (batch, after) = rest.split_at(full.map_or(rest.len(), |at| at + 1));
            rest = after;
            let documents: Vec<(usize, Document)> =
                batch.iter().filter_map(|&at| Some((at, snapshot.document(at)?))).collect();
            for (at, document) in &documents {
                also(&files[*at].path, document)?;
            }
            let read: Vec<&Document> = documents.iter().map(|(_, document)| document).collect();
            let analysed = analyser.analyse(&read)?;
            let records: Vec<_> = documents
                .iter()
                .zip(&analysed)
                .map(|((at, _), analysed)| (files[*at].content, maker, analysed.to_bytes()))
                .collect();
            appender.append(&records)?;
            done.files += batch.len();
            done.sentences += analysed.iter().map(|one| one.sentences.len()).sum::<usize>();
            done.text_bytes += read.iter().map(|document| document.text().len() as u64).sum::<u64>();
            if watch(done).is_break() {
                break;
            }
        }
        Ok(done)
    }

    /// Keeps analyses that were made elsewhere; what is there already stays as it is.
    pub fn keep(&self, analysed: &[(Provenance, Document, Vec<u8>)]) -> Result<(), LibraryError> {
        let meaning = Meaning::open(&self.library.folder, MEANING_LOG)?;
        let mut taken = HashMap::new();
        let mut new = Vec::new();
        for (made_by, document, bytes) in analysed {
            let (content, maker) = (content_of(&document.content_hash()), maker(made_by));
            if !meaning.has_by(&content, maker) && taken.insert((content, maker), ()).is_none() {
                new.push((content, maker, bytes.clone()));
            }
        }
        Appender::new(&self.library.folder, MEANING_LOG)?.append(&new)
    }

    /// Lets go of analyses that no file needs any more, when they take more room than the others.
    pub fn tidy(&self, made_by: &Provenance) -> Result<(), LibraryError> {
        let files = self.library.snapshot()?;
        let wanted = files.files().iter().map(|known| (known.content, ())).collect();
        compact(&self.library.folder, &wanted, maker(made_by))
    }
}

/// Why an analysis stopped.
#[derive(Debug, thiserror::Error)]
pub enum AnalyseError {
    /// The library.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// A model.
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// The entries of one document: the file, its sentences, its passages.
fn entries(
    fields: &Fields,
    number: u64,
    path: &str,
    stamp: Stamp,
    document: &Document,
) -> Vec<TantivyDocument> {
    let (text, sentences) = (document.text(), document.sentences());
    let content = content_of(&document.content_hash());
    let half = |part: &[u8]| part.try_into().map_or(0, u64::from_le_bytes);
    let mut file = TantivyDocument::new();
    file.add_text(fields.sort, FILE);
    file.add_u64(fields.owner, number);
    file.add_text(fields.path, path);
    file.add_u64(fields.size, stamp.size);
    file.add_u64(fields.modified, stamp.modified);
    file.add_u64(fields.hash_high, half(&content[..8]));
    file.add_u64(fields.hash_low, half(&content[8..]));
    file.add_u64(fields.sentences, sentences.len() as u64);
    file.add_u64(fields.text_bytes, text.len() as u64);
    file.add_text(fields.text, text);
    let spans = sentences.iter().flat_map(|span| [span.start as u32, span.end as u32]);
    file.add_bytes(fields.spans, &spans.flat_map(u32::to_le_bytes).collect::<Vec<_>>());

    let mut entries = vec![file];
    for (at, span) in sentences.iter().enumerate() {
        let mut entry = TantivyDocument::new();
        entry.add_u64(fields.owner, number);
        entry.add_u64(fields.at, at as u64);
        entry.add_text(fields.sentence, span.slice(text).unwrap_or_default());
        entries.push(entry);
    }
    for span in document.passages(&PASSAGE) {
        let mut entry = TantivyDocument::new();
        entry.add_u64(fields.owner, number);
        entry.add_u64(fields.at, span.start as u64);
        entry.add_u64(fields.until, span.end as u64);
        entry.add_text(fields.passage, span.slice(text).unwrap_or_default());
        entries.push(entry);
    }
    entries
}
