//! Documents to [`AnalysedDocument`]: many at a time, so that short ones fill the models' batches together.

use super::analysed::{AnalysedDocument, AnalysedEntity, AnalysedMention};
use super::vectors::PackedVector;
use crate::cache::Shards;
use crate::document::Document;
use crate::encode::{Encoder, ModelError, TextKind};
use crate::index::{CachedTagger, Embeddings, ReadingPlan, choose_passages, gather};
use crate::knowledge::KnowledgeBase;
use crate::linking::Linker;
use crate::mentions::Mention;
use crate::span::Span;

/// Texts handed to a model at a time: enough to fill its batches, little enough to bound memory.
const CHUNK_SENTENCES: usize = 256;

/// Reads documents for a corpus.
pub struct Analyser<'e> {
    pub(crate) encoder: &'e dyn Encoder,
    pub(crate) tagging: CachedTagger<'e>,
    pub(crate) embeddings: Option<&'e Shards>,
    pub(crate) knowledge: &'e KnowledgeBase,
    pub(crate) linker: Linker<'e>,
}

impl Analyser<'_> {
    /// Tags, links and encodes documents, in the order given.
    pub fn analyse(&self, documents: &[&Document]) -> Result<Vec<AnalysedDocument>, ModelError> {
        let readings: Vec<ReadingPlan> = documents.iter().map(|document| choose_passages(document)).collect();
        let mentions = self.tag(documents, &readings)?;
        let mut vectors = self.sentence_vectors(documents, &readings)?.into_iter();
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
            AnalysedDocument {
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
    pub fn knowledge(&self, titles: &[&str]) -> Result<Vec<Option<PackedVector>>, ModelError> {
        let known = |title: &&str| {
            let record = self.knowledge.record(self.knowledge.find_title(title)?).ok()?;
            Some(record.knowledge_text()).filter(|text| *text != record.title)
        };
        let texts: Vec<Option<String>> = titles.iter().map(known).collect();
        let mut embeddings = Embeddings::new(self.encoder, self.embeddings);
        embeddings
            .learn(&texts.iter().flatten().map(String::as_str).collect::<Vec<_>>(), TextKind::Knowledge)?;
        let vector = |text: &Option<String>| {
            embeddings.get(text.as_ref()?, TextKind::Knowledge).map(|one| PackedVector::of(&one.pooled))
        };
        Ok(texts.iter().map(vector).collect())
    }

    /// A vector for every sentence of every document. Short lines of a long list share that of the lines around them, and
    /// those that are not read have none.
    fn sentence_vectors(
        &self,
        documents: &[&Document],
        readings: &[ReadingPlan],
    ) -> Result<Vec<PackedVector>, ModelError> {
        let mut texts: Vec<&str> = Vec::new();
        let mut places: Vec<Option<usize>> = Vec::new();
        for (document, reading) in documents.iter().zip(readings) {
            for (text, sentences) in windows_of(document, reading) {
                places.extend(std::iter::repeat_n(text.map(|_| texts.len()), sentences));
                texts.extend(text);
            }
        }
        let mut vectors: Vec<PackedVector> = Vec::with_capacity(texts.len());
        for chunk in texts.chunks(CHUNK_SENTENCES) {
            let encoded = self.encoder.encode(chunk, TextKind::Passage)?;
            vectors.extend(encoded.iter().map(|one| PackedVector::of(&one.pooled)));
        }
        let nothing = PackedVector::of(&vec![0.0; self.encoder.dims()]);
        Ok(places.into_iter().map(|place| place.map_or(&nothing, |at| &vectors[at]).clone()).collect())
    }

    fn tag(
        &self,
        documents: &[&Document],
        readings: &[ReadingPlan],
    ) -> Result<Vec<Vec<Mention>>, ModelError> {
        let passages: Vec<(usize, Span)> = readings
            .iter()
            .enumerate()
            .flat_map(|(number, reading)| reading.passages.iter().map(move |passage| (number, *passage)))
            .collect();
        let mut found: Vec<Vec<Mention>> = vec![Vec::new(); documents.len()];
        for chunk in passages.chunks(CHUNK_SENTENCES) {
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

/// Bytes of a line that is encoded together with its neighbours, and of what they make together, in a long list.
const MAX_SHORT_LINE_BYTES: usize = 40;
const MAX_ENCODED_WINDOW_BYTES: usize = 240;

/// What is encoded at a time, and for how many sentences it stands: each for itself, unless the document has lists that are
/// too long to be read whole.
fn windows_of<'d>(document: &'d Document, reading: &ReadingPlan) -> Vec<(Option<&'d str>, usize)> {
    let (text, sentences) = (document.text(), document.sentences());
    if reading.left_out == 0 {
        return sentences.iter().map(|span| (Some(span.slice(text).unwrap_or_default()), 1)).collect();
    }
    let passage_of = |span: &Span| {
        let at = reading.passages.partition_point(|passage| passage.end <= span.start);
        reading.passages.get(at).filter(|passage| passage.start <= span.start).map(|_| at)
    };
    let mut windows = Vec::new();
    let mut at = 0;
    while at < sentences.len() {
        let (first, passage) = (at, passage_of(&sentences[at]));
        at += 1;
        let joins = |next: &Span| {
            next.len() <= MAX_SHORT_LINE_BYTES
                && next.end - sentences[first].start <= MAX_ENCODED_WINDOW_BYTES
                && passage_of(next) == passage
        };
        while at < sentences.len() && joins(&sentences[at]) {
            at += 1;
        }
        let whole = Span::new(sentences[first].start, sentences[at - 1].end);
        windows.push((passage.and_then(|_| whole.slice(text)), at - first));
    }
    windows
}

fn sentence_of(sentences: &[Span], span: Span) -> Option<usize> {
    let at = sentences.partition_point(|sentence| sentence.end <= span.start);
    sentences.get(at).filter(|sentence| sentence.start <= span.start).map(|_| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_long_list_share_a_vector_and_those_unread_have_none() {
        let short = Document::from_text("Ada met Bob. They left.\n\nA new day came.");
        let windows = windows_of(&short, &choose_passages(&short));
        assert_eq!(
            windows.iter().map(|(text, count)| (*text, *count)).collect::<Vec<_>>(),
            [(Some("Ada met Bob."), 1), (Some("They left."), 1), (Some("A new day came."), 1),]
        );

        let text: String = (0..15_000).map(|number| format!("word{number}\n\n")).collect();
        let long = Document::from_text(text);
        let reading = choose_passages(&long);
        let windows = windows_of(&long, &reading);
        assert_eq!(windows.iter().map(|(_, count)| count).sum::<usize>(), long.sentences().len());
        let read: usize = windows.iter().filter(|(text, _)| text.is_some()).map(|(_, count)| count).sum();
        assert!(read > 1000 && read < long.sentences().len() / 2, "{read}");
        assert!(windows.len() < long.sentences().len() / 5, "{}", windows.len());
        let texts = windows.iter().filter_map(|(text, _)| *text);
        assert!(texts.map(str::len).all(|length| length <= MAX_ENCODED_WINDOW_BYTES));
    }
}
