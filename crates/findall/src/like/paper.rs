//! The paper's methods (section 3 and 4.2): sentences ranked by the cosine of averaged word vectors, the query's own
//! vector averaged with those of the best sentences by words.

use super::corpus::{Best, Corpus};
use super::suggest::by_name;
use super::vectors::{Packed, WordVectors, add};
use super::{Example, Method};
use crate::encode::{Encoder, ModelError};
use crate::retrieval::Ranked;

/// Sentences that pseudo relevance feedback takes in. The paper does not say how many; of 5 and 10 the better on the
/// development queries.
const FEEDBACK: usize = 5;

/// Words that Sim(entity, token) adds; the paper's number.
const SIMILAR: usize = 5;

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
    ) -> Result<Vec<Ranked>, ModelError> {
        let mut query = vec![0.0; self.words.dims()];
        if let Some(own) = self.words.average(&example.sentence) {
            add(&mut query, &own, 1.0);
        }
        if method != Method::Se {
            for vector in self.feedback(&self.expanded(example, method)?, example, kinds) {
                add(&mut query, &vector, 1.0);
            }
        }
        let query = Packed::of(&query).floats();
        let mut best = Best::new(most);
        for (sentence, vector) in self.corpus.averaged(self.words).iter().enumerate() {
            if kinds.is_none_or(|wanted| wanted & self.corpus.kinds(sentence) != 0) {
                let product = query.iter().zip(&vector.bytes).map(|(a, &b)| a * f32::from(b)).sum::<f32>();
                best.offer(sentence, product * vector.unit);
            }
        }
        Ok(best.finish())
    }

    /// Q_e: the sentence, then every chosen word as often as it counts.
    fn expanded(&self, example: &Example, method: Method) -> Result<String, ModelError> {
        let mut query = example.sentence.clone();
        let mut say = |word: &str, times: u8| (0..times).for_each(|_| query.extend([" ", word]));
        match method {
            Method::SePrfSim => by_name(&example.entity, &example.sentence, self.encoder)?
                .iter()
                .take(SIMILAR)
                .for_each(|word| say(word, 1)),
            Method::SePrfCw => example.terms.iter().for_each(|term| say(&term.word, 1)),
            Method::SePrfCwWeighted => example.terms.iter().for_each(|term| say(&term.word, term.weight)),
            Method::Se | Method::SePrf | Method::Findall => {}
        }
        Ok(query)
    }

    /// The vectors of the best sentences by words, the example's own sentence left out.
    fn feedback(&self, query: &str, example: &Example, kinds: Option<u8>) -> Vec<Vec<f32>> {
        let found = self.corpus.words().rank(query, 20 * FEEDBACK);
        let fitting = found.iter().map(|ranked| ranked.passage).filter(|&sentence| {
            kinds.is_none_or(|wanted| wanted & self.corpus.kinds(sentence) != 0)
                && self.corpus.words().text(sentence).as_deref().map(str::trim) != Some(&example.sentence)
        });
        let averaged = self.corpus.averaged(self.words);
        fitting.filter_map(|sentence| averaged.get(sentence)).map(Packed::floats).take(FEEDBACK).collect()
    }
}
