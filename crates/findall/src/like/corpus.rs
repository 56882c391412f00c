//! A corpus: the analysed documents, one after another, their sentences numbered through, and an index of their words.

use std::sync::{Arc, OnceLock};

use super::analysed::{AnalysedDocument, AnalysedView, Names};
use super::vectors::{PackedVector, WordVectors};
use crate::retrieval::{Bm25, RankedPassage};

/// Bytes that lie somewhere: in memory, or in a mapped file.
pub type Bytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// Where the words of sentences stand. BM25 with k1 = 1.2 and b = 0.75; a word that stands in the query several times
/// counts as often.
pub trait CorpusWords: Send + Sync {
    /// The best sentences by words, best first.
    fn rank(&self, query: &str, most: usize) -> Vec<RankedPassage>;

    /// The text of a sentence.
    fn text(&self, sentence: usize) -> Option<String>;

    /// Hands over every sentence, in order.
    fn each(&self, visit: &mut dyn FnMut(&str));
}

/// One document of a corpus.
pub struct Part {
    /// How many sentences it has.
    pub sentences: usize,
    /// What was analysed, if it was: where the bytes lie, from where to where.
    pub analysed: Option<(Bytes, std::ops::Range<usize>)>,
}

impl Part {
    fn view(&self) -> Option<AnalysedView<'_>> {
        let (bytes, range) = self.analysed.as_ref()?;
        AnalysedView::of((**bytes).as_ref().get(range.clone())?).filter(|view| view.count == self.sentences)
    }
}

/// Documents that can be searched for entities.
pub struct Corpus {
    parts: Vec<Part>,
    /// The number of each part's first sentence, and at the end that of all sentences.
    firsts: Vec<usize>,
    words: Box<dyn CorpusWords>,
    /// Averages of word vectors, which only the paper's methods need; made when first asked for.
    averaged: OnceLock<Vec<PackedVector>>,
}

impl std::fmt::Debug for Corpus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (documents, sentences) = (self.parts.len(), self.len());
        f.debug_struct("Corpus").field("documents", &documents).field("sentences", &sentences).finish()
    }
}

impl Corpus {
    /// A corpus of parts whose sentences the index numbers through in the same order.
    pub fn new(parts: Vec<Part>, words: Box<dyn CorpusWords>) -> Self {
        let mut firsts = vec![0];
        firsts.extend(parts.iter().scan(0, |sum, part| {
            *sum += part.sentences;
            Some(*sum)
        }));
        Self { parts, firsts, words, averaged: OnceLock::new() }
    }

    /// A corpus in memory.
    pub fn in_memory(documents: &[(String, AnalysedDocument)]) -> Self {
        let texts: Vec<String> = documents
            .iter()
            .flat_map(|(text, analysed)| {
                analysed.sentences.iter().map(|span| span.slice(text).unwrap_or_default().to_owned())
            })
            .collect();
        let part = |analysed: &AnalysedDocument| {
            let bytes = analysed.to_bytes();
            let range = 0..bytes.len();
            Part { sentences: analysed.sentences.len(), analysed: Some((Arc::new(bytes) as Bytes, range)) }
        };
        let parts = documents.iter().map(|(_, analysed)| part(analysed)).collect();
        Self::new(parts, Box::new(MemoryWords::new(texts)))
    }

    /// How many sentences there are.
    pub fn len(&self) -> usize {
        self.firsts.last().copied().unwrap_or(0)
    }

    /// True when there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Documents, and how many of them are analysed.
    pub fn documents(&self) -> (usize, usize) {
        (self.parts.len(), self.parts.iter().filter(|part| part.analysed.is_some()).count())
    }

    /// Its index of words.
    pub fn words(&self) -> &dyn CorpusWords {
        &*self.words
    }

    /// The document of a sentence, and which of its sentences it is.
    pub fn place(&self, sentence: usize) -> Option<(usize, usize)> {
        if sentence >= self.len() {
            return None;
        }
        let part = self.firsts.partition_point(|&first| first <= sentence) - 1;
        Some((part, sentence - self.firsts[part]))
    }

    /// The number of a document's sentence among all.
    pub fn number(&self, document: usize, sentence: usize) -> Option<usize> {
        (sentence < self.parts.get(document)?.sentences).then(|| self.firsts[document] + sentence)
    }

    /// Who is named where in a document.
    pub(super) fn names(&self, document: usize) -> Option<Names<'_>> {
        self.parts.get(document)?.view()?.names()
    }

    /// Hands over every title of the knowledge base that a document names, with the document; once a document.
    pub fn each_title(&self, visit: &mut dyn FnMut(usize, &str)) {
        for (document, part) in self.parts.iter().enumerate() {
            if let Some(view) = part.view() {
                view.titles(&mut |title| visit(document, title));
            }
        }
    }

    /// The average of the word vectors of every sentence.
    pub(super) fn average_vectors(&self, words: &WordVectors) -> &[PackedVector] {
        self.averaged.get_or_init(|| {
            let mut averaged = Vec::with_capacity(self.len());
            let none = vec![0.0; words.dims()];
            self.words.each(&mut |text| {
                averaged.push(PackedVector::of(words.average(text).as_ref().unwrap_or(&none)));
            });
            averaged
        })
    }

    /// A sentence's vector.
    pub(super) fn vector(&self, sentence: usize) -> Option<Vec<f32>> {
        let (part, at) = self.place(sentence)?;
        let view = self.parts[part].view()?;
        let (values, units) = view.vectors();
        let unit = unit_at(units, at);
        let values = &values[at * view.dims..(at + 1) * view.dims];
        Some(values.iter().map(|v| f32::from(v.cast_signed()) * unit).collect())
    }

    /// Cosine of a sentence's vector with another.
    pub(super) fn cosine(&self, sentence: usize, query: &PackedVector) -> Option<f32> {
        let (part, at) = self.place(sentence)?;
        let view = self.parts[part].view().filter(|view| view.dims == query.bytes.len())?;
        let (values, units) = view.vectors();
        Some(query.cosine(&values[at * view.dims..(at + 1) * view.dims], unit_at(units, at)))
    }

    /// The kinds named in a sentence, one bit each; none where the document is not analysed.
    pub(super) fn kinds(&self, sentence: usize) -> u8 {
        let kinds = self.place(sentence).and_then(|(part, at)| Some(self.parts[part].view()?.kinds()[at]));
        kinds.unwrap_or(0)
    }

    /// How many threads are worth using on it.
    pub(super) fn threads(&self) -> usize {
        match self.len() < MIN_THREADED_SENTENCES {
            true => 1,
            false => std::thread::available_parallelism().map_or(1, |n| n.get().min(8)),
        }
    }

    /// The sentences whose meaning is nearest to a vector of the same encoder, best first.
    pub fn nearest(&self, vector: &[f32], most: usize) -> Vec<RankedPassage> {
        let query = &PackedVector::of(vector);
        let threads = self.threads();
        let share = self.len().div_ceil(threads).max(1);
        let bounds: Vec<usize> =
            (0..=threads).map(|n| self.firsts.partition_point(|&first| first < n * share)).collect();
        let scan = |from: usize, until: usize| {
            let mut best = TopPassages::new(most);
            for part in from..until.min(self.parts.len()) {
                let Some(view) = self.parts[part].view() else { continue };
                if view.dims != query.bytes.len() || view.dims == 0 {
                    continue;
                }
                let (values, units) = view.vectors();
                let rows = values.chunks_exact(view.dims).zip(units.chunks_exact(4));
                for (at, (row, unit)) in rows.enumerate() {
                    best.offer(self.firsts[part] + at, query.cosine(row, unit_at(unit, 0)));
                }
            }
            best
        };
        let found: Vec<TopPassages> = match threads == 1 {
            true => vec![scan(0, self.parts.len())],
            false => std::thread::scope(|scope| {
                let scan = &scan;
                let spans = bounds.windows(2).map(|pair| (pair[0], pair[1]));
                let workers: Vec<_> =
                    spans.map(|(from, until)| scope.spawn(move || scan(from, until))).collect();
                workers.into_iter().filter_map(|worker| worker.join().ok()).collect()
            }),
        };
        let mut all = TopPassages::new(most);
        all.kept = found.into_iter().flat_map(|best| best.kept).collect();
        all.finish()
    }
}

/// Corpora below this size are not worth a thread.
const MIN_THREADED_SENTENCES: usize = 20_000;

fn unit_at(units: &[u8], at: usize) -> f32 {
    units[4 * at..4 * at + 4].try_into().map_or(0.0, f32::from_le_bytes)
}

/// The best so far, a few more than asked for, sorted out now and then.
pub(super) struct TopPassages {
    most: usize,
    least: f32,
    kept: Vec<RankedPassage>,
}

impl TopPassages {
    pub fn new(most: usize) -> Self {
        Self { most: most.max(1), least: f32::NEG_INFINITY, kept: Vec::new() }
    }

    pub fn offer(&mut self, passage: usize, rank_weight: f32) {
        if rank_weight <= self.least {
            return;
        }
        self.kept.push(RankedPassage { passage, rank_weight });
        if self.kept.len() >= 4 * self.most {
            self.kept.select_nth_unstable_by(self.most - 1, |a, b| b.rank_weight.total_cmp(&a.rank_weight));
            self.kept.truncate(self.most);
            self.least = self.kept[self.most - 1].rank_weight;
        }
    }

    pub fn finish(mut self) -> Vec<RankedPassage> {
        self.kept.sort_by(|a, b| b.rank_weight.total_cmp(&a.rank_weight).then(a.passage.cmp(&b.passage)));
        self.kept.truncate(self.most);
        self.kept
    }
}

/// An index of the words of sentences in memory.
pub struct MemoryWords {
    index: Bm25,
    texts: Vec<String>,
}

impl MemoryWords {
    /// Indexes sentences.
    pub fn new(texts: Vec<String>) -> Self {
        Self { index: Bm25::new(texts.iter().map(String::as_str)), texts }
    }
}

impl CorpusWords for MemoryWords {
    fn rank(&self, query: &str, most: usize) -> Vec<RankedPassage> {
        let mut ranking = self.index.rank(query);
        ranking.truncate(most);
        ranking
    }

    fn text(&self, sentence: usize) -> Option<String> {
        self.texts.get(sentence).cloned()
    }

    fn each(&self, visit: &mut dyn FnMut(&str)) {
        self.texts.iter().for_each(|text| visit(text));
    }
}
