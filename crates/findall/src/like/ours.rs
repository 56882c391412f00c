//! Our method. One vector stands for what is asked: the example's sentence without the name, the weighted words read as a
//! query, and what the knowledge base says the entity is. Sentences near to it and sentences that share words with the
//! example, above all the weighted ones, are candidates; what is known about the entity of each is held against the
//! weighted words; the best teach the vector (pseudo relevance feedback, one sentence an entity); then every entity's
//! best sentence comes before any second one.
//! That a sentence names something of the example's kind speaks for it and decides nothing: taggers err.

use std::collections::{HashMap, HashSet};

use serde::Deserialize;

use super::Example;
use super::corpus::Corpus;
use super::entities::{Subject, Subjects, key, order_by_novelty};
use super::vectors::{PackedVector, add};
use crate::encode::{Encoder, ModelError, TextKind};
use crate::knowledge::{KnowledgeBase, Record};
use crate::retrieval::{RankedPassage, terms_with_words};
use crate::tuning::tuning;

/// How much each part counts; chosen on a plateau of the development queries.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LikeWeights {
    pub sentence: f32,
    pub asked: f32,
    pub known: f32,
    /// Of the words against the vector.
    pub words: f32,
    /// Of what is known about a candidate.
    pub facts: f32,
    /// Of the feedback against the query's own vector.
    pub feedback: f32,
    /// For naming something of the example's kind.
    pub kind: f32,
}

/// How much a weighted word counts for each of its weight, where every other word of the sentence counts once.
const WORD_WEIGHT_FACTOR: usize = 5;

/// Candidates whose entity is looked up.
const MAX_LOOKED_UP_CANDIDATES: usize = 300;

/// Entities whose best sentences teach the vector.
const MAX_FEEDBACK_SENTENCES: usize = 5;

/// What our method needs.
pub(crate) struct KnowledgeMethod<'c> {
    pub corpus: &'c Corpus,
    pub encoder: &'c dyn Encoder,
    pub knowledge: &'c KnowledgeBase,
    pub record: Option<Record>,
}

impl KnowledgeMethod<'_> {
    /// Sentences, best first: the first of every entity before all others.
    pub fn rank(
        &self,
        example: &Example,
        kinds: Option<u8>,
        most: usize,
    ) -> Result<Vec<RankedPassage>, ModelError> {
        let mix = tuning().like;
        let (mut query, near, by_words) = std::thread::scope(|scope| {
            let by_words = || rank_by_words(self.corpus, example, most);
            // Words need no model, so a large corpus is asked for them meanwhile.
            let aside = (self.corpus.threads() > 1).then(|| scope.spawn(by_words));
            let query = self.query(example, mix)?;
            let near = self.corpus.nearest(&query, most);
            let by_words = aside.map_or_else(by_words, |thread| thread.join().unwrap_or_default());
            Ok((query, near, by_words))
        })?;
        let mut subjects = Subjects::new(self.corpus, kinds);
        let sentences: Vec<usize> = {
            let mut seen = HashSet::new();
            let all = near.iter().map(|ranked| ranked.passage).chain(by_words.keys().copied());
            all.filter(|sentence| seen.insert(*sentence)).collect()
        };
        let mut facts: HashMap<String, f32> = HashMap::new();
        let mut ranking = self.score_candidates(&sentences, &query, &by_words, kinds, mix);
        for round in 0..2 {
            for ranked in ranking.iter_mut().take(MAX_LOOKED_UP_CANDIDATES) {
                if let Some(subject) = subjects.of(ranked.passage) {
                    let share = *facts
                        .entry(subject.key.clone())
                        .or_insert_with(|| self.share_of_facts(example, &subject));
                    ranked.rank_weight += mix.facts * share;
                }
            }
            sort(&mut ranking);
            if round == 0 {
                self.learn(&mut query, &ranking, &mut subjects, example, mix);
                ranking = self.score_candidates(&sentences, &query, &by_words, kinds, mix);
            }
        }
        ranking.truncate(most);
        Ok(order_by_novelty(&mut subjects, ranking, &example.entity))
    }

    fn query(&self, example: &Example, mix: LikeWeights) -> Result<Vec<f32>, ModelError> {
        let mut query = vec![0.0; self.encoder.dims()];
        let mut take = |text: &str, kind: TextKind, weight: f32| -> Result<(), ModelError> {
            if !text.trim().is_empty()
                && let Some(one) = self.encoder.encode(&[text], kind)?.first()
            {
                add(&mut query, &one.pooled, weight);
            }
            Ok(())
        };
        take(&strip_name(example), TextKind::Passage, mix.sentence)?;
        take(&join_weighted_words(example), TextKind::Query, mix.asked)?;
        let known = self.record.as_ref().map(|record| record.description.as_str()).unwrap_or_default();
        take(known, TextKind::Query, mix.known)?;
        Ok(query)
    }

    fn score_candidates(
        &self,
        sentences: &[usize],
        query: &[f32],
        by_words: &HashMap<usize, f32>,
        kinds: Option<u8>,
        mix: LikeWeights,
    ) -> Vec<RankedPassage> {
        let query = PackedVector::of(query);
        let mut ranking: Vec<RankedPassage> = sentences
            .iter()
            .map(|&passage| {
                let near = self.corpus.cosine(passage, &query).unwrap_or(0.0);
                let words = by_words.get(&passage).copied().unwrap_or(0.0);
                let fits = kinds.is_some_and(|wanted| wanted & self.corpus.kinds(passage) != 0);
                let kind = if fits { mix.kind } else { 0.0 };
                RankedPassage { passage, rank_weight: near + mix.words * words + kind }
            })
            .collect();
        sort(&mut ranking);
        ranking
    }

    /// The share of the weighted words that what is known about a candidate has.
    fn share_of_facts(&self, example: &Example, subject: &Subject) -> f32 {
        let found = subject.known.then(|| self.knowledge.find_title(&subject.name)).flatten();
        let Some(record) = found.and_then(|id| self.knowledge.record(id).ok()) else { return 0.0 };
        let text = record.knowledge_text();
        let here: HashSet<String> = terms_with_words(&text).map(|(_, term)| term).collect();
        let (mut shared, mut whole) = (0.0, 0.0);
        for term in &example.terms {
            for (_, stem) in terms_with_words(&term.word) {
                whole += f32::from(term.weight);
                shared += if here.contains(&stem) { f32::from(term.weight) } else { 0.0 };
            }
        }
        if whole > 0.0 { shared / whole } else { 0.0 }
    }

    /// Moves the query towards the best sentences of the best entities.
    fn learn(
        &self,
        query: &mut [f32],
        ranking: &[RankedPassage],
        subjects: &mut Subjects<'_>,
        example: &Example,
        mix: LikeWeights,
    ) {
        let mut seen = HashSet::from([key(&example.entity)]);
        let mut centre = vec![0.0; query.len()];
        for ranked in ranking {
            if seen.len() > MAX_FEEDBACK_SENTENCES {
                break;
            }
            let Some(subject) = subjects.of(ranked.passage) else { continue };
            if seen.insert(subject.key)
                && let Some(vector) = self.corpus.vector(ranked.passage)
            {
                add(&mut centre, &vector, 1.0);
            }
        }
        let length = query.iter().map(|v| v * v).sum::<f32>().sqrt();
        add(query, &centre, mix.feedback * length);
    }
}

/// Sentences that share words with the example, each as a share of the best: the words of its sentence, and many times the
/// weighted ones.
fn rank_by_words(corpus: &Corpus, example: &Example, most: usize) -> HashMap<usize, f32> {
    let mut query = strip_name(example);
    for term in &example.terms {
        (0..WORD_WEIGHT_FACTOR * usize::from(term.weight))
            .for_each(|_| query.extend([" ", term.word.as_str()]));
    }
    let ranking = corpus.words().rank(&query, most);
    let best = ranking.first().map_or(1.0, |ranked| ranked.rank_weight.max(f32::MIN_POSITIVE));
    ranking.into_iter().map(|ranked| (ranked.passage, ranked.rank_weight / best)).collect()
}

fn sort(ranking: &mut [RankedPassage]) {
    ranking.sort_by(|a, b| b.rank_weight.total_cmp(&a.rank_weight).then(a.passage.cmp(&b.passage)));
}

/// The sentence without the example's name: what is said, not of whom.
fn strip_name(example: &Example) -> String {
    let named: Vec<String> = terms_with_words(&example.entity).map(|(word, _)| word).collect();
    let is_name = |word: &&str| {
        let own = terms_with_words(word).next().map(|(word, _)| word);
        own.is_some_and(|own| named.contains(&own))
    };
    let words = example.sentence.split_whitespace().filter(|word| !is_name(word));
    words.collect::<Vec<_>>().join(" ")
}

/// The weighted words as a person would type them: the heaviest first.
fn join_weighted_words(example: &Example) -> String {
    let mut terms: Vec<&super::Term> = example.terms.iter().filter(|term| term.weight > 0).collect();
    terms.sort_by_key(|term| std::cmp::Reverse(term.weight));
    terms.iter().map(|term| term.word.as_str()).collect::<Vec<_>>().join(" ")
}
