//! How the engine finds what is like an example: documents read for a corpus, entities ranked, weights suggested.

use std::sync::Arc;

use super::Engine;
use crate::cache::{MAX_CACHED_FILE_BYTES, read_private, write_whole};
use crate::encode::ModelError;
use crate::knowledge::Record;
use crate::like;
use crate::like::{
    Analyser, Corpus, Example, KnowledgeMethod, LikeFindings, LikeOptions, Method, Paper, Suggestion,
    Suggestions, WordVectors,
};
use crate::linking::Linker;

/// How often a name must mean an entity to stand for it without its context.
const MIN_PRIOR_WITHOUT_CONTEXT: f32 = 0.5;

impl Engine {
    /// Reads documents for a corpus.
    pub fn analyser(&self) -> Analyser<'_> {
        Analyser {
            encoder: &*self.encoder,
            tagging: self.cached_tagger(),
            embeddings: self.kept.as_ref().map(|kept| &kept.embeddings),
            knowledge: &self.knowledge,
            linker: Linker::new(&self.knowledge),
        }
    }

    /// The entities of a corpus that are like an example.
    pub fn like(
        &self,
        corpus: &Corpus,
        example: &Example,
        options: &LikeOptions,
    ) -> Result<LikeFindings, ModelError> {
        let kind = like::kind_of_example(&*self.tagger, example)?;
        let kinds = kind.filter(|_| options.same_kind).map(like::kinds_like);
        let sentences = match options.method {
            Method::Findall => {
                let knowing = KnowledgeMethod {
                    corpus,
                    encoder: &*self.encoder,
                    knowledge: &self.knowledge,
                    record: self.record_of_example(&example.entity),
                };
                knowing.rank(example, kinds, options.depth)?
            }
            method => {
                let words = self.word_vectors()?;
                let paper = Paper { corpus, words: &words, encoder: &*self.encoder };
                paper.rank(example, method, kinds, options.depth)?
            }
        };
        Ok(LikeFindings::of(corpus, kind, kinds, sentences, example, options.top))
    }

    /// Weights for the words of a sentence, for the person to accept or change.
    pub fn suggest_terms(
        &self,
        entity: &str,
        sentence: &str,
        how: Suggestions,
    ) -> Result<Vec<Suggestion>, ModelError> {
        let record = self.record_of_example(entity);
        like::suggest(how, entity, sentence, &*self.encoder, record.as_ref())
    }

    /// What the knowledge base says of an example: by its title, or by a name that mostly means one entity.
    fn record_of_example(&self, entity: &str) -> Option<Record> {
        let by_name = || {
            let best = self.knowledge.candidates(entity).into_iter().next();
            best.filter(|best| best.prior >= MIN_PRIOR_WITHOUT_CONTEXT).map(|best| best.id)
        };
        self.knowledge.record(self.knowledge.find_title(entity).or_else(by_name)?).ok()
    }

    /// Vectors of single words, worked out once a model.
    fn word_vectors(&self) -> Result<Arc<WordVectors>, ModelError> {
        if let Some(words) = self.words.get() {
            return Ok(words.clone());
        }
        let kept = self.kept.as_ref().map(|kept| kept.cache.words_path(self.encoder.id()));
        let read = kept.as_ref().and_then(|path| read_private(path, MAX_CACHED_FILE_BYTES).ok());
        let words = match read.and_then(|bytes| WordVectors::from_bytes(&bytes, self.encoder.dims())) {
            Some(words) => words,
            None => {
                let words = WordVectors::build(&*self.encoder)?;
                if let Some(path) = kept {
                    // A folder that cannot be written costs time later, not the answer now.
                    let _ = write_whole(&path, &words.to_bytes());
                }
                words
            }
        };
        Ok(self.words.get_or_init(|| Arc::new(words)).clone())
    }
}
