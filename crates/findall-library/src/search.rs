//! Sentences and passages by their words: BM25 with k1 = 1.2 and b = 0.75, a word counting as often as it stands in the
//! query.

use std::collections::{BTreeMap, HashMap};

use findall::like::CorpusWords;
use findall::retrieval::{RankedPassage, TermReader};
use findall::span::Span;
use tantivy::collector::TopDocs;
use tantivy::query::{Bm25StatisticsProvider, BooleanQuery, BoostQuery, Occur, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocAddress, Term};

use crate::snapshot::{Snapshot, SnapshotData};

/// A passage of a file, found by its words.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoundPassage {
    /// Its file, as a place in [`Snapshot::files`].
    pub file: usize,
    /// Where in the file's text.
    pub span: Span,
    /// How well it fits; comparable within one ranking only.
    pub score: f32,
}

impl Snapshot {
    /// The best passages by words, best first.
    pub fn passages(&self, query: &str, most: usize) -> Vec<FoundPassage> {
        let inner = &*self.0;
        let hits = inner.find_hits(inner.fields.passage, query, most, usize::MAX);
        let mut columns = Columns::default();
        hits.into_iter()
            .filter_map(|(score, address)| {
                let [owner, at, until] = columns.read(inner, address)?;
                let file = inner.files.binary_search_by_key(&owner, |known| known.number).ok()?;
                Some(FoundPassage { file, span: Span::new(at as usize, until.max(at) as usize), score })
            })
            .collect()
    }
}

impl SnapshotData {
    fn find_hits(&self, field: Field, query: &str, most: usize, sentences: usize) -> Vec<(f32, DocAddress)> {
        let mut times: BTreeMap<String, f32> = BTreeMap::new();
        TermReader::default().read(query, |_, term| *times.entry(term.to_owned()).or_default() += 1.0);
        if times.is_empty() || most == 0 {
            return Vec::new();
        }
        let clauses = times.into_iter().map(|(term, times)| {
            let term = TermQuery::new(Term::from_field_text(field, &term), IndexRecordOption::WithFreqs);
            (Occur::Should, Box::new(BoostQuery::new(Box::new(term), times)) as Box<dyn Query>)
        });
        let query = BooleanQuery::new(clauses.collect());
        let counted = EntryCounts { inner: self, sentences };
        let collector = TopDocs::with_limit(most).order_by_score();
        // A damaged index finds nothing by words; opening it checks what can be checked.
        self.searcher.search_with_statistics_provider(&query, &collector, &counted).unwrap_or_default()
    }
}

/// Counts for BM25 that leave out entries of the other sorts.
struct EntryCounts<'s> {
    inner: &'s SnapshotData,
    /// Entries that have the field, as far as known.
    sentences: usize,
}

impl Bm25StatisticsProvider for EntryCounts<'_> {
    fn total_num_tokens(&self, field: Field) -> tantivy::Result<u64> {
        Bm25StatisticsProvider::total_num_tokens(&self.inner.searcher, field)
    }

    /// Never below the number of entries that have a term, deleted ones included, as the formula demands.
    fn total_num_docs(&self) -> tantivy::Result<u64> {
        let all = Bm25StatisticsProvider::total_num_docs(&self.inner.searcher)?;
        let deleted = all.saturating_sub(self.inner.searcher.num_docs());
        Ok(all.min(deleted.saturating_add(self.sentences as u64)))
    }

    fn doc_freq(&self, term: &Term) -> tantivy::Result<u64> {
        self.inner.searcher.doc_freq(term)
    }
}

type Column = std::sync::Arc<dyn tantivy::columnar::ColumnValues<u64>>;

/// Where entries stand, read from columns that are opened once a segment.
#[derive(Default)]
struct Columns(HashMap<u32, Option<[Column; 3]>>);

impl Columns {
    /// Owner, place, end.
    fn read(&mut self, inner: &SnapshotData, address: DocAddress) -> Option<[u64; 3]> {
        let columns = self.0.entry(address.segment_ord).or_insert_with(|| {
            let fast = inner.searcher.segment_reader(address.segment_ord).fast_fields();
            let column = |name: &str| fast.column_first_or_default::<u64>(name).ok();
            Some([column("owner")?, column("at")?, column("until")?])
        });
        columns.as_ref().map(|columns| columns.each_ref().map(|column| column.get_val(address.doc_id)))
    }
}

/// The sentences of some of a library's files, numbered through.
pub(crate) struct LibraryWords {
    snapshot: Snapshot,
    /// Files and their first sentences.
    firsts: Vec<(usize, usize)>,
    by_number: HashMap<u64, usize>,
    sentences: usize,
}

impl LibraryWords {
    pub fn new(snapshot: Snapshot, chosen: &[usize]) -> Self {
        let files = &snapshot.0.files;
        let mut sentences = 0;
        let mut firsts = Vec::with_capacity(chosen.len());
        let mut by_number = HashMap::with_capacity(chosen.len());
        for &file in chosen {
            firsts.push((file, sentences));
            by_number.insert(files[file].number, sentences);
            sentences += files[file].sentences;
        }
        Self { firsts, by_number, sentences, snapshot }
    }
}

/// Sentences asked of the index for each one wanted, when only some files count.
const MIN_ASKED_A_WANTED: usize = 8;

impl CorpusWords for LibraryWords {
    fn rank(&self, query: &str, most: usize) -> Vec<RankedPassage> {
        let inner = &*self.snapshot.0;
        let all: usize = inner.files.iter().map(|known| known.sentences).sum();
        let wanted = if self.sentences < all { most.saturating_mul(MIN_ASKED_A_WANTED) } else { most };
        let hits = inner.find_hits(inner.fields.sentence, query, wanted, all);
        let mut columns = Columns::default();
        let ranked = hits.into_iter().filter_map(|(rank_weight, address)| {
            let [owner, at, _] = columns.read(inner, address)?;
            Some(RankedPassage { passage: self.by_number.get(&owner)? + at as usize, rank_weight })
        });
        ranked.take(most).collect()
    }

    fn text(&self, sentence: usize) -> Option<String> {
        let place = self.firsts.partition_point(|(_, first)| *first <= sentence).checked_sub(1)?;
        let (file, first) = self.firsts[place];
        let (text, spans) = self.snapshot.0.read_stored(file)?;
        spans.get(sentence - first)?.slice(&text).map(str::to_owned)
    }

    fn each(&self, visit: &mut dyn FnMut(&str)) {
        for &(file, _) in &self.firsts {
            let (text, spans) = self.snapshot.0.read_stored(file).unwrap_or_default();
            let count = self.snapshot.0.files[file].sentences;
            (0..count)
                .for_each(|at| visit(spans.get(at).and_then(|span| span.slice(&text)).unwrap_or_default()));
        }
    }
}
