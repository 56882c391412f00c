//! The paper's methods (section 3 and 4.2): sentences ranked by the cosine of averaged word vectors, the query's own
//! vector averaged with those of the best sentences by words. Averages are plain ones, as the paper has them: a sentence
//! whose words point in many directions has a short vector, and moves the query little.

use super::corpus::{Corpus, TopPassages};
use super::suggest::{MAX_WORDS_BY_NAME, rank_by_name};
use super::vectors::{PackedVector, WordVectors};
use super::{Example, Method};
use crate::encode::{Encoder, ModelError};
use crate::retrieval::RankedPassage;

/// Sentences that pseudo relevance feedback takes in. The paper does not say how many; of 5 and 10 the better on the
/// development queries.
const MAX_PAPER_FEEDBACK_SENTENCES: usize = 5;

/// What the paper's methods need.
pub(crate) struct Paper<'c> {
    pub corpus: &'c Corpus,
    pub words: &'c WordVectors,
    pub encoder: &'c dyn Encoder,
}

impl Paper<'_> {
    /// Sentences, best first, of those that name one of `kinds`.
    pub fn rank(
        &self,
        example: &Example,
        method: Method,
        kinds: Option<u8>,
        most: usize,
    ) -> Result<Vec<RankedPassage>, ModelError> {
        let own = self.words.average(&example.sentence);
        let mut query = own.unwrap_or_else(|| vec![0.0; self.words.dims()]);
        if method != Method::Se {
            for vector in self.feedback(&self.expand_sentence(example, method)?, example, kinds) {
                query.iter_mut().zip(&vector).for_each(|(sum, v)| *sum += v);
            }
        }
        let query = PackedVector::of(&query).floats();
        let mut best = TopPassages::new(most);
        for (sentence, vector) in self.corpus.average_vectors(self.words).iter().enumerate() {
            if kinds.is_none_or(|wanted| wanted & self.corpus.kinds(sentence) != 0) {
                let product = query.iter().zip(&vector.bytes).map(|(a, &b)| a * f32::from(b)).sum::<f32>();
                best.offer(sentence, product * vector.unit);
            }
        }
        Ok(best.finish())
    }

    /// Q_e: the sentence, then every chosen word as often as it counts.
    fn expand_sentence(&self, example: &Example, method: Method) -> Result<String, ModelError> {
        let mut query = example.sentence.clone();
        let mut say = |word: &str, times: u8| (0..times).for_each(|_| query.extend([" ", word]));
        match method {
            Method::SePrfSim => rank_by_name(&example.entity, &example.sentence, self.encoder)?
                .iter()
                .take(MAX_WORDS_BY_NAME)
                .for_each(|word| say(word, 1)),
            Method::SePrfCw => example.terms.iter().for_each(|term| say(&term.word, 1)),
            Method::SePrfCwWeighted => example.terms.iter().for_each(|term| say(&term.word, term.weight)),
            Method::Se | Method::SePrf | Method::Findall => {}
        }
        Ok(query)
    }

    /// The vectors of the best sentences by words, the example's own sentence left out.
    fn feedback(&self, query: &str, example: &Example, kinds: Option<u8>) -> Vec<Vec<f32>> {
        let found = self.corpus.words().rank(query, 20 * MAX_PAPER_FEEDBACK_SENTENCES);
        let fitting = found
            .iter()
            .map(|ranked| ranked.passage)
            .filter(|&sentence| kinds.is_none_or(|wanted| wanted & self.corpus.kinds(sentence) != 0));
        let texts = fitting.filter_map(|sentence| self.corpus.words().text(sentence));
        let others = texts.filter(|text| text.trim() != example.sentence);
        others.take(MAX_PAPER_FEEDBACK_SENTENCES).filter_map(|text| self.words.average(&text)).collect()
    }
}
