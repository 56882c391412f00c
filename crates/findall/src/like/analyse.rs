//! Documents to [`Analysed`]: many at a time, so that short ones fill the models' batches together.

use super::analysed::{Analysed, AnalysedEntity, AnalysedMention};
use super::vectors::Packed;
use crate::document::Document;
use crate::encode::{Encoder, ModelError, TextKind};
use crate::index::{PASSAGE, gather};
use crate::knowledge::KnowledgeBase;
use crate::linking::Linker;
use crate::mentions::{Mention, MentionTagger};
use crate::span::Span;

/// Texts handed to a model at a time: enough to fill its batches, little enough to bound memory.
const CHUNK: usize = 256;

/// Reads documents for a corpus.
pub struct Analyser<'e> {
    pub(crate) encoder: &'e dyn Encoder,
    pub(crate) tagger: &'e dyn MentionTagger,
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
            for ((at, passage), mentions) in chunk.iter().zip(self.tagger.tag(&texts)?) {
                // Nothing is believed about a span that cannot be shown.
                let text = documents[*at].text();
                let here = mentions
                    .into_iter()
                    .map(|one| Mention { span: one.span.shifted(passage.start), ..one })
                    .filter(|one| one.span.slice(text).is_some_and(|name| !name.is_empty()));
                found[*at].extend(here);
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
