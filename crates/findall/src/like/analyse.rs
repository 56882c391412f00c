//! Documents to [`Analysed`]: many at a time, so that short ones fill the models' batches together.

use super::analysed::{Analysed, AnalysedEntity, AnalysedMention};
use super::vectors::Packed;
use crate::cache::Shards;
use crate::document::Document;
use crate::encode::{Encoder, ModelError, TextKind};
use crate::index::{Embeddings, PASSAGE, Tagging, gather};
use crate::knowledge::KnowledgeBase;
use crate::linking::Linker;
use crate::mentions::Mention;
use crate::span::Span;

/// Texts handed to a model at a time: enough to fill its batches, little enough to bound memory.
const CHUNK: usize = 256;

/// Reads documents for a corpus.
pub struct Analyser<'e> {
    pub(crate) encoder: &'e dyn Encoder,
    pub(crate) tagging: Tagging<'e>,
    pub(crate) embeddings: Option<&'e Shards>,
    pub(crate) knowledge: &'e KnowledgeBase,
    pub(crate) linker: Linker<'e>,
}

impl Analyser<'_> {
    /// Tags, links and encodes documents, in the order given.
    pub fn analyse(&self, documents: &[&Document]) -> Result<Vec<Analysed>, ModelError> {
        let mentions = self.tag(documents)?;
        let texts: Vec<&str> = documents.iter().flat_map(|document| sentences_of(document)).collect();
        let mut vectors: Vec<Packed> = Vec::with_capacity(texts.len());
        for chunk in texts.chunks(CHUNK) {
            let encoded = self.encoder.encode(chunk, TextKind::Passage)?;
            vectors.extend(encoded.iter().map(|one| Packed::of(&one.pooled)));
        }
        let mut vectors = vectors.into_iter();
        let read = documents.iter().zip(&mentions).map(|(document, mentions)| {
            let sentences = document.sentences().to_vec();
            let linked = self.linker.link(document, mentions);
            let given = gather(document, &linked, self.knowledge);
            let mut found: Vec<AnalysedMention> = Vec::new();
            for (number, entity) in given.iter().enumerate() {
                found.extend(entity.mentions.iter().filter_map(|mention| {
                    let sentence = sentence_of(&sentences, mention.span)?;
                    Some(AnalysedMention { sentence, span: mention.span, entity: number })
                }));
            }
            found.sort_by_key(|mention| mention.span);
            Analysed {
                vectors: vectors.by_ref().take(sentences.len()).collect(),
                entities: given
                    .into_iter()
                    .map(|one| AnalysedEntity { known: one.id.is_some(), name: one.name, kind: one.kind })
                    .collect(),
                mentions: found,
                sentences,
            }
        });
        Ok(read.collect())
    }

    /// What is known about entities, as vectors that a query can be compared with: by their titles in the knowledge
    /// base, nothing for those of which it has the name only.
    pub fn knowledge(&self, titles: &[&str]) -> Result<Vec<Option<Packed>>, ModelError> {
        let known = |title: &&str| {
            let record = self.knowledge.record(self.knowledge.find_title(title)?).ok()?;
            Some(record.knowledge_text()).filter(|text| *text != record.title)
        };
        let texts: Vec<Option<String>> = titles.iter().map(known).collect();
        let mut embeddings = Embeddings::new(self.encoder, self.embeddings);
        embeddings
            .learn(&texts.iter().flatten().map(String::as_str).collect::<Vec<_>>(), TextKind::Knowledge)?;
        let vector = |text: &Option<String>| {
            embeddings.get(text.as_ref()?, TextKind::Knowledge).map(|one| Packed::of(&one.pooled))
        };
        Ok(texts.iter().map(vector).collect())
    }

    fn tag(&self, documents: &[&Document]) -> Result<Vec<Vec<Mention>>, ModelError> {
        let passages: Vec<(usize, Span)> = documents
            .iter()
            .enumerate()
            .flat_map(|(number, document)| document.passages(&PASSAGE).into_iter().map(move |p| (number, p)))
            .collect();
        let mut found: Vec<Vec<Mention>> = vec![Vec::new(); documents.len()];
        for chunk in passages.chunks(CHUNK) {
            let texts: Vec<&str> = chunk
                .iter()
                .map(|(at, span)| span.slice(documents[*at].text()).unwrap_or_default())
                .collect();
            for ((at, passage), mentions) in chunk.iter().zip(self.tagging.tag(&texts)?) {
                let shifted = mentions.into_iter();
                found[*at]
                    .extend(shifted.map(|one| Mention { span: one.span.shifted(passage.start), ..one }));
            }
        }
        Ok(found)
    }
}

fn sentences_of(document: &Document) -> impl Iterator<Item = &str> {
    let text = document.text();
    document.sentences().iter().map(move |span| span.slice(text).unwrap_or_default())
}

fn sentence_of(sentences: &[Span], span: Span) -> Option<usize> {
    let at = sentences.partition_point(|sentence| sentence.end <= span.start);
    sentences.get(at).filter(|sentence| sentence.start <= span.start).map(|_| at)
}
