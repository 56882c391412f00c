//! Stage 1, generation: batches of passages enter, the candidates that they give leave, each with the paper's score:
//! the sum, over the batches that name it, of how likely the batch says so. Names come from the tagger and the
//! resolver; how likely is judged from what stands around them.

use std::collections::{BTreeMap, BTreeSet};

use super::book::{Book, Question};
use super::pool::to_unit;
use super::rerank;
use super::{Batching, LargerModelReport, Relation, RerankMethod};
use crate::ask::Reader;
use crate::encode::{ModelError, TextKind, cosine};
use crate::retrieval::{RankedPassage, fuse};
use crate::tuning::tuning;

/// An object that stage 1 found.
#[derive(Clone, Debug, Default)]
pub(super) struct ListCandidate {
    pub member: usize,
    /// The paper's score(O).
    pub score: f32,
    /// Windows that gave it, the best first.
    pub windows: Vec<usize>,
    /// How sure the reader is that it answers the relation's question, at most.
    pub read: f32,
    /// True when no batch named it, and it follows from other ties.
    pub inferred: bool,
}

/// Words looked at for `amp`'s keywords.
const MAX_KEYWORD_CANDIDATES: usize = 150;

/// What stage 1 gave.
pub(super) struct GeneratedCandidates {
    /// All candidates, the best score first.
    pub candidates: Vec<ListCandidate>,
    /// What a larger model said besides, where one was asked.
    pub larger: Option<LargerModelReport>,
}

/// The passages to generate from, the best first: of all templates together, or of one.
pub(super) fn rank_passages(
    book: &Book<'_>,
    question: &Question<'_>,
    template: Option<usize>,
) -> Result<Vec<RankedPassage>, ModelError> {
    let options = question.options;
    let mut ranking =
        book.pool.rank(&question.aliases, question.relation, options, template, book.encoder)?;
    if options.rerank == RerankMethod::Amp {
        for _ in 0..options.rounds {
            let first = &ranking[..ranking.len().min(options.top.min(20))];
            ranking = amplify_ranking(book, question, first)?;
        }
    }
    if options.rerank == RerankMethod::Num {
        let kind = question.relation.object_kind();
        rerank::order_by_names(&book.pool, &mut ranking, |member| {
            kind.is_none_or(|kind| book.cast.members[member].kind == kind)
        });
    }
    ranking.truncate(options.top);
    if options.rerank == RerankMethod::Div {
        ranking = rerank::diversify_ranking(&book.pool, &ranking, options.batch);
    }
    Ok(ranking)
}

/// All candidates that the passages give.
pub(super) fn candidates(
    book: &Book<'_>,
    question: &Question<'_>,
) -> Result<GeneratedCandidates, ModelError> {
    let options = question.options;
    let ranking = rank_passages(book, question, None)?;
    let answers = match question.reader.filter(|_| options.read > 0) {
        Some(reader) => read(book, question, reader, &ranking[..ranking.len().min(options.read)])?,
        None => BTreeMap::new(),
    };
    let mut found: BTreeMap<usize, ListCandidate> = BTreeMap::new();
    for batch in batches(book, question, &ranking) {
        for (member, likely, window) in names(book, question, &batch, &answers) {
            let candidate =
                found.entry(member).or_insert_with(|| ListCandidate { member, ..ListCandidate::default() });
            candidate.score += likely;
            candidate.windows.push(window);
        }
    }
    let implied = book.implied_objects(question.subject, question.relation);
    for member in implied.into_iter().filter(|&member| !book.cast.members[member].ambiguous) {
        found.entry(member).or_insert_with(|| ListCandidate {
            member,
            inferred: true,
            ..ListCandidate::default()
        });
    }
    let mut candidates: Vec<ListCandidate> = found.into_values().collect();
    for candidate in &mut candidates {
        candidate.read = answers.get(&candidate.member).copied().unwrap_or(0.0);
    }
    candidates.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.member.cmp(&b.member)));
    Ok(GeneratedCandidates { candidates, larger: None })
}

pub(super) fn batches(
    book: &Book<'_>,
    question: &Question<'_>,
    ranking: &[RankedPassage],
) -> Vec<Vec<usize>> {
    let size = question.options.batch;
    match question.options.batching {
        Batching::Ranked => rerank::batches(ranking, size, None),
        Batching::Neo => {
            let sketches: BTreeMap<usize, _> = ranking
                .iter()
                .map(|ranked| (ranked.passage, rerank::sketch(&book.pool.named[ranked.passage])))
                .collect();
            rerank::batches(ranking, size, Some(&|a, b| rerank::jaccard(&sketches[&a], &sketches[&b])))
        }
        Batching::Sim => {
            let vectors: BTreeMap<usize, Vec<f32>> =
                ranking.iter().map(|ranked| (ranked.passage, book.pool.vector(ranked.passage))).collect();
            rerank::batches(ranking, size, Some(&|a, b| cosine(&vectors[&a], &vectors[&b])))
        }
    }
}

/// Everybody or everything of the right kind that a batch names, how likely it is an object, and where it stands best.
fn names(
    book: &Book<'_>,
    question: &Question<'_>,
    batch: &[usize],
    answers: &BTreeMap<usize, f32>,
) -> Vec<(usize, f32, usize)> {
    let kind = question.relation.object_kind();
    let mut best: BTreeMap<usize, (f32, usize)> = BTreeMap::new();
    for &window in batch {
        let here = book.sentences_of(window);
        let with_subject = book.pool.named[window].binary_search(&question.subject).is_ok();
        for (members, has_cue) in here.map(|sentence| book.read_names_and_cue(sentence, question.cues)) {
            let together = members.contains(&question.subject);
            for &member in members.iter().filter(|&&member| member != question.subject) {
                let known = &book.cast.members[member];
                if known.ambiguous || kind.is_some_and(|kind| known.kind != kind) {
                    continue;
                }
                let weights = tuning().list.batch;
                let odds = weights.bias
                    + if with_subject { weights.with_subject } else { 0.0 }
                    + if together { weights.same_sentence } else { 0.0 }
                    + if has_cue { weights.cue } else { 0.0 }
                    + weights.reader * answers.get(&member).copied().unwrap_or(0.0);
                let entry = best.entry(member).or_insert((f32::NEG_INFINITY, window));
                if odds > entry.0 {
                    *entry = (odds, window);
                }
            }
        }
    }
    best.into_iter()
        .map(|(member, (odds, window))| (member, crate::encode::probability(odds), window))
        .collect()
}

/// Asks the reader the relation's question about each passage; whom its answers name, and how surely.
fn read(
    book: &Book<'_>,
    question: &Question<'_>,
    reader: &dyn Reader,
    ranking: &[RankedPassage],
) -> Result<BTreeMap<usize, f32>, ModelError> {
    let windows: Vec<usize> = ranking.iter().map(|ranked| ranked.passage).collect();
    let mut sure: BTreeMap<usize, f32> = BTreeMap::new();
    for (member, likely) in book.read_each(question, reader, &windows)?.into_iter().flatten() {
        let best = sure.entry(member).or_default();
        *best = best.max(likely);
    }
    Ok(sure)
}

/// Retrieval again, with what the first passages say of the relation added to the query: words by their likeness to
/// the relation, vectors of the passages with all names hidden.
fn amplify_ranking(
    book: &Book<'_>,
    question: &Question<'_>,
    first: &[RankedPassage],
) -> Result<Vec<RankedPassage>, ModelError> {
    let options = question.options;
    let support: Vec<usize> = (first.iter().map(|ranked| ranked.passage))
        .filter(|&window| book.pool.named[window].binary_search(&question.subject).is_ok())
        .collect();
    let masked: Vec<String> = support.iter().map(|&window| book.mask_names(window, &[])).collect();
    let mut words: BTreeMap<&str, usize> = BTreeMap::new();
    for word in masked.iter().flat_map(|text| text.split(|c: char| !c.is_alphabetic())) {
        if word.len() > 3 && word.chars().all(char::is_lowercase) {
            *words.entry(word).or_default() += 1;
        }
    }
    let mut words: Vec<(&str, usize)> = words.into_iter().collect();
    words.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    words.truncate(MAX_KEYWORD_CANDIDATES);
    let words: Vec<&str> = words.into_iter().map(|(word, _)| word).collect();
    let relation = question.cues.iter().map(String::as_str).collect::<Vec<_>>().join(" ");
    let about = book.encoder.encode(&[&relation], TextKind::Query)?;
    let mut near: Vec<(&str, f32)> = words
        .iter()
        .zip(book.encoder.encode(&words, TextKind::Query)?)
        .map(|(word, embedding)| {
            (*word, about.first().map_or(0.0, |about| cosine(&about.pooled, &embedding.pooled)))
        })
        .collect();
    near.sort_by(|a, b| b.1.total_cmp(&a.1));
    let keywords: BTreeSet<&str> = near.iter().take(options.keywords).map(|(word, _)| *word).collect();
    let query = format!(
        "{} {relation} {}",
        question.aliases.join(" "),
        keywords.into_iter().collect::<Vec<_>>().join(" ")
    );
    let by_words = book.pool.rank_by_words(&query, options.pool);
    let queries = question.relation.queries(question.aliases.first().copied().unwrap_or_default());
    let first_query = book.encoder.encode(&[queries[0].as_str()], TextKind::Query)?;
    let masked: Vec<&str> = masked.iter().map(String::as_str).collect();
    let feedback = book.encoder.encode(&masked, TextKind::Passage)?;
    let mut vector: Vec<f32> = first_query.first().map_or_else(Vec::new, |query| query.pooled.clone());
    vector.iter_mut().for_each(|value| *value *= options.alpha);
    for embedding in &feedback {
        vector
            .iter_mut()
            .zip(&embedding.pooled)
            .for_each(|(sum, value)| *sum += (1.0 - options.alpha) * value);
    }
    to_unit(&mut vector);
    let by_vector = book.pool.rank_by_vector(&vector, options.pool);
    let mut ranking = fuse(&[&by_words, &by_vector]);
    ranking.truncate(options.pool);
    Ok(ranking)
}

impl Relation {
    /// The question that a reader is asked: the first template.
    pub(super) fn question(&self, subject: &str) -> String {
        self.queries(subject).into_iter().next().unwrap_or_default()
    }
}
