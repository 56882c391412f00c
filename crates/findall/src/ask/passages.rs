//! Which passages to read, and in which order: documents and a question in, the passages likeliest to answer out. Words
//! (BM25) look at everything, because they cost next to nothing; the encoder looks at the sentences of the best.

use std::collections::HashMap;

use super::answers::Place;
use crate::document::{Document, PassageOptions};
use crate::encode::{Embedding, Encoder, ModelError, TextKind, probability};
use crate::index::Embeddings;
use crate::retrieval::{Bm25, RankedPassage, fuse};
use crate::span::Span;

/// The encoder looks at so many times the passages that are read.
const ENCODED_PASSAGES_FOR_EACH_READ: usize = 2;
/// What is read at a time: whole paragraphs, as long as the reader can read at once.
const READER_PASSAGE: PassageOptions =
    PassageOptions { sentences: 12, chars: 700, overlap: 150, paragraph: 300 };

/// All passages of the documents, and how they fit the question.
pub(super) struct Passages<'d> {
    documents: &'d [Document],
    pub all: Vec<Place>,
    index: Bm25,
    words: Vec<f32>,
    question: String,
    /// Log-odds that a sentence is what was asked for, for sentences that the encoder looked at.
    sentences: HashMap<Place, f32>,
}

impl<'d> Passages<'d> {
    /// Cuts the documents, and weighs every passage by its words.
    pub fn cut(documents: &'d [Document], question: &str) -> Self {
        let mut all = Vec::new();
        for (document, read) in documents.iter().enumerate() {
            let spans = read.passages(&READER_PASSAGE);
            all.extend(spans.into_iter().map(|span| Place { document, span }));
        }
        let index = Bm25::new(
            all.iter().map(|place| &documents[place.document].text()[place.span.start..place.span.end]),
        );
        let words = index.shares(question);
        Self { documents, all, index, words, question: question.to_owned(), sentences: HashMap::new() }
    }

    pub fn text(&self, place: Place) -> &'d str {
        place.span.slice(self.documents[place.document].text()).unwrap_or_default()
    }

    /// Every passage in the order of its words alone: what can be read at once. Those that share no word with the
    /// question come last, as they stand.
    pub fn order_by_words(&self) -> Vec<usize> {
        let mut order: Vec<usize> =
            self.index.rank(&self.question).iter().map(|ranked| ranked.passage).collect();
        let mut ranked = vec![false; self.all.len()];
        order.iter().for_each(|&passage| ranked[passage] = true);
        order.extend((0..self.all.len()).filter(|&passage| !ranked[passage]));
        order
    }

    /// The `most` passages likeliest to answer, by words and meaning, in the order in which to read them.
    pub fn rank(
        &mut self,
        embeddings: &mut Embeddings<'_>,
        encoder: &dyn Encoder,
        most: usize,
    ) -> Result<Vec<usize>, ModelError> {
        let mut looked_at = self.order_by_words();
        looked_at.truncate(ENCODED_PASSAGES_FOR_EACH_READ * most);
        self.look_at(&looked_at, embeddings, encoder)?;
        let ranked = |passage: usize| RankedPassage { passage, rank_weight: self.best_sentence(passage) };
        let by_words: Vec<RankedPassage> = looked_at.iter().map(|&passage| ranked(passage)).collect();
        let mut by_meaning = by_words.clone();
        by_meaning.sort_by(|a, b| b.rank_weight.total_cmp(&a.rank_weight).then(a.passage.cmp(&b.passage)));
        let fused = fuse(&[&by_words, &by_meaning]);
        Ok(fused.iter().map(|ranked| ranked.passage).take(most).collect())
    }

    /// Has the encoder look at the sentences of these passages.
    fn look_at(
        &mut self,
        passages: &[usize],
        embeddings: &mut Embeddings<'_>,
        encoder: &dyn Encoder,
    ) -> Result<(), ModelError> {
        let mut places: Vec<Place> = Vec::new();
        for &passage in passages {
            places.extend(self.sentences_of(passage).filter(|place| !self.sentences.contains_key(place)));
        }
        places.sort_unstable();
        places.dedup();
        let texts: Vec<&str> = places.iter().map(|&place| self.text(place)).collect();
        embeddings.learn(&[self.question.as_str()], TextKind::Query)?;
        embeddings.learn(&texts, TextKind::Passage)?;
        let (none, calibration) = (Embedding::default(), encoder.calibration());
        let question = embeddings.get(&self.question, TextKind::Query).unwrap_or(&none);
        for (place, text) in places.into_iter().zip(texts) {
            let sentence = embeddings.get(text, TextKind::Passage).unwrap_or(&none);
            self.sentences.insert(place, calibration.log_odds(question, sentence));
        }
        Ok(())
    }

    fn sentences_of(&self, passage: usize) -> impl Iterator<Item = Place> + use<'d> {
        let Place { document, span } = self.all[passage];
        let sentences = self.documents[document].sentences();
        let first = sentences.partition_point(|sentence| sentence.end <= span.start);
        let inside = sentences[first..].iter().take_while(move |sentence| sentence.start < span.end);
        inside.map(move |&span| Place { document, span })
    }

    /// How well the best sentence of a passage fits, where the encoder looked.
    fn best_sentence(&self, passage: usize) -> f32 {
        let scores = self.sentences_of(passage).filter_map(|place| self.sentences.get(&place).copied());
        scores.fold(f32::MIN, f32::max)
    }

    /// A sentence with the one before and the one after it.
    pub fn widen_to_neighbours(&self, sentence: Place) -> Place {
        let sentences = self.documents[sentence.document].sentences();
        let at = sentences.partition_point(|other| other.end <= sentence.span.start);
        let first = sentences.get(at.saturating_sub(1)).unwrap_or(&sentence.span);
        let last = sentences.get(at + 1).unwrap_or(&sentence.span);
        Place { span: Span::new(first.start, last.end), ..sentence }
    }

    /// Share of the question's words, by weight, that the passage has.
    pub fn word_share(&self, passage: usize) -> f32 {
        self.words[passage]
    }

    /// The largest share that any passage has.
    pub fn largest_word_share(&self) -> f32 {
        self.words.iter().copied().fold(0.0, f32::max)
    }

    /// Share of the question's words that any stretch of text has.
    pub fn word_share_of(&self, place: Place) -> f32 {
        self.index.share_in(&self.question, self.text(place))
    }

    /// The sentences nearest to the question, best first, and how near each is, 0 to 1: as the encoder sees it where it
    /// looked, by shared words where all was read.
    pub fn best_sentences(&self, most: usize) -> Vec<(Place, f32)> {
        let mut scored: Vec<(Place, f32)> = match self.sentences.is_empty() {
            true => {
                let mut places: Vec<Place> =
                    (0..self.all.len()).flat_map(|passage| self.sentences_of(passage)).collect();
                places.sort_unstable();
                places.dedup();
                places.into_iter().map(|place| (place, self.word_share_of(place))).collect()
            }
            false => {
                self.sentences.iter().map(|(&place, &log_odds)| (place, probability(log_odds))).collect()
            }
        };
        scored.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        scored.truncate(most);
        scored
    }

    /// The passage that holds a sentence.
    pub fn passage_of(&self, sentence: Place) -> Place {
        let holds = |passage: &&Place| {
            passage.document == sentence.document
                && passage.span.start <= sentence.span.start
                && passage.span.end >= sentence.span.end
        };
        self.all.iter().find(holds).copied().unwrap_or(sentence)
    }
}
