//! Stage 1, retrieval: the passages of a book, all overlapping windows of it, ranked for a subject and a relation by
//! words and by meaning.

use crate::document::{Document, PassageOptions};
use crate::encode::{Embedding, Encoder, ModelError, TextKind, cosine};
use crate::list::{ListOptions, Relation, Retriever};
use crate::names::Cast;
use crate::retrieval::{Bm25, RankedPassage, fuse};
use crate::span::Span;

/// What is encoded: stretches of whole sentences that cover the book once. A window is as near to a query as the
/// stretches that it lies in, so the book is encoded once and not fifteen times.
pub(crate) const STRETCH_OPTIONS: PassageOptions =
    PassageOptions { sentences: 15, chars: 900, overlap: 0, paragraph: usize::MAX };

/// The passages of a book, ready to be searched.
pub(crate) struct Pool {
    /// All windows of 15 sentences or 1000 characters.
    pub windows: Vec<Span>,
    /// Members of the cast named in each window, each once, in order of number.
    pub named: Vec<Vec<usize>>,
    words: Bm25,
    stretches: Vec<Span>,
    /// One vector a stretch; empty when the book was not encoded.
    vectors: Vec<Vec<f32>>,
}

impl Pool {
    /// Makes the windows and counts their words. `vectors` has one embedding for each stretch, or none at all.
    pub fn of(document: &Document, cast: &Cast, vectors: Vec<Embedding>) -> Pool {
        let text = document.text();
        let windows: Vec<Span> = document.windows(&PassageOptions::default()).collect();
        let occurrences = cast.occurrences();
        let named = windows
            .iter()
            .map(|window| {
                let from = occurrences.partition_point(|(span, _)| span.start < window.start);
                let until = occurrences.partition_point(|(span, _)| span.end <= window.end).max(from);
                let mut members: Vec<usize> =
                    occurrences[from..until].iter().map(|(_, member)| *member).collect();
                members.sort_unstable();
                members.dedup();
                members
            })
            .collect();
        let words = Bm25::new(windows.iter().map(|window| window.slice(text).unwrap_or_default()));
        let vectors = vectors.into_iter().map(|embedding| embedding.pooled).collect();
        Pool { windows, named, words, stretches: document.passages(&STRETCH_OPTIONS), vectors }
    }

    /// The best windows for a subject and a relation, at most `options.pool`. All templates are fused, or words and the
    /// one that is asked for.
    pub fn rank(
        &self,
        aliases: &[&str],
        relation: &Relation,
        options: &ListOptions,
        template: Option<usize>,
        encoder: &dyn Encoder,
    ) -> Result<Vec<RankedPassage>, ModelError> {
        let mut rankings: Vec<Vec<RankedPassage>> = Vec::new();
        if options.retriever != Retriever::Dense {
            let cues = relation.cues().join(" ");
            rankings.push(self.rank_by_words(&format!("{} {cues}", aliases.join(" ")), options.pool));
        }
        if options.retriever != Retriever::Words && !self.vectors.is_empty() {
            let queries = relation.queries(aliases.first().copied().unwrap_or_default());
            let chosen = queries.iter().enumerate().filter(|(at, _)| template.is_none_or(|one| one == *at));
            let queries: Vec<&str> = chosen.map(|(_, query)| query.as_str()).collect();
            for embedding in encoder.encode(&queries, TextKind::Query)? {
                rankings.push(self.rank_by_vector(&embedding.pooled, options.pool));
            }
        }
        let rankings: Vec<&[RankedPassage]> = rankings.iter().map(Vec::as_slice).collect();
        let mut fused = fuse(&rankings);
        fused.truncate(options.pool);
        Ok(fused)
    }

    /// The best windows for a query of words.
    pub fn rank_by_words(&self, query: &str, most: usize) -> Vec<RankedPassage> {
        let mut ranking = self.words.rank(query);
        ranking.truncate(most);
        ranking
    }

    /// The windows nearest to a vector.
    pub fn rank_by_vector(&self, query: &[f32], most: usize) -> Vec<RankedPassage> {
        let near: Vec<f32> = self.vectors.iter().map(|vector| cosine(query, vector)).collect();
        let mut ranking: Vec<RankedPassage> = (self.windows.iter().enumerate())
            .map(|(passage, window)| RankedPassage {
                passage,
                rank_weight: self.mean_over(window, |at| near[at]),
            })
            .collect();
        ranking.sort_by(|a, b| b.rank_weight.total_cmp(&a.rank_weight).then(a.passage.cmp(&b.passage)));
        ranking.truncate(most);
        ranking
    }

    /// The vector of a window: of the stretches that it lies in, by how much of it lies there.
    pub fn vector(&self, window: usize) -> Vec<f32> {
        let span = self.windows[window];
        let width = self.vectors.first().map_or(0, Vec::len);
        let mut out = vec![0.0; width];
        for (at, share) in self.shares(&span) {
            if let Some(vector) = self.vectors.get(at) {
                out.iter_mut().zip(vector).for_each(|(sum, value)| *sum += share * value);
            }
        }
        to_unit(&mut out);
        out
    }

    fn mean_over(&self, window: &Span, value: impl Fn(usize) -> f32) -> f32 {
        self.shares(window).map(|(at, share)| share * value(at)).sum()
    }

    /// The stretches that a window overlaps, and the share of the window in each.
    fn shares<'p>(&'p self, window: &'p Span) -> impl Iterator<Item = (usize, f32)> + 'p {
        let first = self.stretches.partition_point(|stretch| stretch.end <= window.start);
        let here = self.stretches[first..].iter().take_while(|stretch| stretch.start < window.end);
        here.enumerate().map(move |(step, stretch)| {
            let shared = stretch.end.min(window.end) - stretch.start.max(window.start);
            (first + step, shared as f32 / window.len().max(1) as f32)
        })
    }
}

/// Scales a vector to length 1; one of length 0 stays.
pub(crate) fn to_unit(vector: &mut [f32]) {
    let length = vector.iter().map(|v| v * v).sum::<f32>().sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|v| *v /= length);
    }
}
