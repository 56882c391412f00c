//! Documents by what is known about what they name: a document that only says "Debussy" is found by "French composers".
//! One vector an entity, made when a document first names it; a query is compared with each once, and a document is as near
//! as the nearest of its entities.

use std::collections::{HashMap, HashSet};

use findall::index::Provenance;
use findall::like::{Analyser, Corpus, PackedVector};
use findall::retrieval::RankedPassage;

use crate::files::Content;
use crate::meaning::{Appender, KNOWLEDGE_LOG, Maker, Meaning};
use crate::snapshot::{Snapshot, maker};
use crate::writer::AnalyseError;
use crate::{LibraryError, Writer};

/// Entities whose vectors are made at a time.
const MAX_BATCH_ENTITIES: usize = 256;

fn key(title: &str) -> Content {
    xxhash_rust::xxh3::xxh3_128(title.as_bytes()).to_le_bytes()
}

impl Writer<'_> {
    /// Makes the vectors of entities that have none yet; how many were made. Each batch is on disk before the next is
    /// begun; `watch` is told how many of how many are done.
    pub fn learn(
        &self,
        analyser: &Analyser<'_>,
        made_by: &Provenance,
        watch: &mut dyn FnMut(usize, usize),
    ) -> Result<usize, AnalyseError> {
        let folder = &self.library.folder;
        let (corpus, _) = self.library.snapshot()?.corpus(made_by, None)?;
        let maker = maker(made_by);
        let there = Meaning::open(folder, KNOWLEDGE_LOG)?;
        let mut seen: HashSet<Content> = HashSet::new();
        let mut missing: Vec<String> = Vec::new();
        corpus.each_title(&mut |_, title| {
            let key = key(title);
            if !there.has_by(&key, maker) && seen.insert(key) {
                missing.push(title.to_owned());
            }
        });
        drop(there);
        let mut appender = Appender::new(folder, KNOWLEDGE_LOG)?;
        for (number, batch) in missing.chunks(MAX_BATCH_ENTITIES).enumerate() {
            watch(number * MAX_BATCH_ENTITIES, missing.len());
            let titles: Vec<&str> = batch.iter().map(String::as_str).collect();
            let vectors = analyser.knowledge(&titles)?;
            // An entity that the base knows by name only has an empty record: it is not asked again.
            let records: Vec<(Content, Maker, Vec<u8>)> = titles
                .iter()
                .zip(vectors)
                .map(|(title, vector)| (key(title), maker, vector.map(|v| to_bytes(&v)).unwrap_or_default()))
                .collect();
            appender.append(&records)?;
        }
        Ok(missing.len())
    }
}

impl Snapshot {
    /// The documents of a corpus of this snapshot that name what is nearest to a query, by what is known about it; best
    /// first, as numbers of the corpus' documents with the cosine of the nearest.
    pub fn rank_by_knowledge(
        &self,
        corpus: &Corpus,
        made_by: &Provenance,
        query: &[f32],
        most: usize,
    ) -> Result<Vec<RankedPassage>, LibraryError> {
        let log = Meaning::open(&self.0.folder, KNOWLEDGE_LOG)?;
        let (query, maker) = (PackedVector::of(query), maker(made_by));
        let mut cosines: HashMap<Content, Option<f32>> = HashMap::new();
        let mut best: HashMap<usize, f32> = HashMap::new();
        corpus.each_title(&mut |document, title| {
            let key = key(title);
            let cosine = *cosines.entry(key).or_insert_with(|| {
                let (bytes, range) = log.get(&key, maker)?;
                let (unit, vector) = (*bytes).as_ref().get(range)?.split_first_chunk::<4>()?;
                (vector.len() == query.bytes.len()).then(|| query.cosine(vector, f32::from_le_bytes(*unit)))
            });
            if let Some(cosine) = cosine {
                let here = best.entry(document).or_insert(cosine);
                *here = here.max(cosine);
            }
        });
        let mut ranking: Vec<RankedPassage> =
            best.into_iter().map(|(passage, rank_weight)| RankedPassage { passage, rank_weight }).collect();
        ranking.sort_by(|a, b| b.rank_weight.total_cmp(&a.rank_weight).then(a.passage.cmp(&b.passage)));
        ranking.truncate(most);
        Ok(ranking)
    }
}

fn to_bytes(vector: &PackedVector) -> Vec<u8> {
    let mut bytes = vector.unit.to_le_bytes().to_vec();
    bytes.extend(vector.bytes.iter().map(|v| v.cast_unsigned()));
    bytes
}
