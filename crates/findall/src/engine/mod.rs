//! The engine: models and knowledge enter once; then documents are prepared and queries answered, from any number of
//! threads. Its methods are the pipeline, in order.
//!
//! ```
//! # use findall::testing::{small_encoder, small_knowledge, small_tagger};
//! use findall::{Document, Engine, FindOptions};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let (encoder, tagger, knowledge) = (small_encoder(), small_tagger(), small_knowledge());
//! let document = Document::from_text("WeChat is everywhere. Lyon is not.");
//! let engine = Engine::new(encoder, tagger, knowledge);
//! let prepared = engine.prepare(&document)?;
//! for found in engine.find(&document, &prepared, "messaging app", &FindOptions::default())?.matches {
//!     println!("{} because {}", &document.text()[found.span.start..found.span.end], found.why);
//! }
//! # Ok(())
//! # }
//! ```

mod books;
mod likeness;
mod preparing;

pub use preparing::KnownEntity;

use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use crate::ask::{
    Answers, AskError, AskOptions, AskProgress, AskWatcher, Asker, ListAnswers, Reader, check_question,
    list_query_of,
};
use crate::cache::{Cache, Shards};
use crate::document::Document;
use crate::encode::{Encoder, ModelError, TextKind};
use crate::find::judging::{CachedJudge, Verdicts};
use crate::find::{FindError, FindOptions, Findings, Mix, Searcher};
#[cfg(not(target_arch = "wasm32"))]
use crate::index::Embeddings;
use crate::index::{CachedTagger, PrepareOptions, PreparedDocument, Provenance};
use crate::judge::Judge;
use crate::knowledge::KnowledgeBase;
use crate::like::WordVectors;
use crate::mentions::MentionTagger;

/// Finds by meaning. Cheap to share and to clone: all methods take `&self`.
#[derive(Clone)]
pub struct Engine {
    encoder: Arc<dyn Encoder>,
    tagger: Arc<dyn MentionTagger>,
    knowledge: Arc<KnowledgeBase>,
    reader: Option<Arc<dyn Reader>>,
    judge: Option<Arc<dyn Judge>>,
    verdicts: Arc<Verdicts>,
    kept: Option<Arc<EngineCache>>,
    options: PrepareOptions,
    mix: Mix,
    /// Made when first asked for.
    words: Arc<OnceLock<Arc<WordVectors>>>,
}

/// What is kept on disk.
struct EngineCache {
    cache: Cache,
    tags: Shards,
    embeddings: Shards,
    /// Made with the first judge.
    verdicts: OnceLock<Shards>,
}

impl Engine {
    /// An engine that keeps nothing on disk.
    pub fn new(
        encoder: Arc<dyn Encoder>,
        tagger: Arc<dyn MentionTagger>,
        knowledge: Arc<KnowledgeBase>,
    ) -> Self {
        Self {
            encoder,
            tagger,
            knowledge,
            reader: None,
            judge: None,
            verdicts: Arc::default(),
            kept: None,
            options: PrepareOptions::default(),
            mix: Mix::default(),
            words: Arc::default(),
        }
    }

    /// The same engine with a reader: what [`ask`](Self::ask) needs.
    pub fn with_reader(mut self, reader: Arc<dyn Reader>) -> Self {
        self.reader = Some(reader);
        self
    }

    /// The same engine with a judge, which decides what [`find`](Self::find) finds unless it is to be fast.
    pub fn with_judge(mut self, judge: Arc<dyn Judge>) -> Self {
        self.judge = Some(judge);
        self.verdicts = Arc::default();
        self
    }

    /// The same engine, keeping what it works out in this cache.
    pub fn with_cache(mut self, cache: Cache) -> Self {
        let tags = cache.shards("tags", self.tagger.id());
        let embeddings = cache.shards("embeddings", self.encoder.id());
        self.kept = Some(Arc::new(EngineCache { cache, tags, embeddings, verdicts: OnceLock::new() }));
        self
    }

    /// The same engine, keeping nothing on disk.
    pub fn without_cache(&self) -> Self {
        Self { kept: None, ..self.clone() }
    }

    /// The same engine with other limits.
    pub fn with_options(mut self, options: PrepareOptions) -> Self {
        self.options = options;
        self
    }

    /// The same engine with another mix of evidence.
    pub fn with_mix(mut self, mix: Mix) -> Self {
        self.mix = mix;
        self
    }

    /// Everything in a prepared document that the query means.
    pub fn find(
        &self,
        document: &Document,
        prepared: &PreparedDocument,
        query: &str,
        options: &FindOptions,
    ) -> Result<Findings, FindError> {
        let cached_judge = self.cached_judge();
        let searcher =
            Searcher { encoder: &*self.encoder, knowledge: &self.knowledge, mix: self.mix, cached_judge };
        searcher.find(document, prepared, query, options)
    }

    /// The entities of the knowledge base itself that satisfy a query; `words` is the index of that base.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn find_in_base(
        &self,
        words: &crate::knowledge::words::WordIndex,
        query: &str,
        options: &crate::find::BaseOptions,
    ) -> Result<crate::find::BaseFindings, FindError> {
        let searcher = crate::find::BaseSearcher {
            encoder: &*self.encoder,
            knowledge: &self.knowledge,
            words,
            embeddings: Embeddings::new(&*self.encoder, self.kept.as_ref().map(|kept| &kept.embeddings)),
            cached_judge: self.cached_judge(),
        };
        let found = searcher.find(query, options);
        self.flush();
        found
    }

    /// The judge with its memory.
    fn cached_judge(&self) -> Option<CachedJudge<'_>> {
        let judge = self.judge.as_deref()?;
        let kept = self.kept.as_deref();
        let disk = kept.map(|kept| kept.verdicts.get_or_init(|| kept.cache.shards("verdicts", judge.id())));
        Some(CachedJudge { judge, verdicts: &self.verdicts, disk })
    }

    /// What answers a question in a document, or that it does not. The document need not be prepared.
    pub fn ask(
        &self,
        document: &Document,
        question: &str,
        options: &AskOptions,
    ) -> Result<Answers, AskError> {
        self.answers(std::slice::from_ref(document), question, options, None)
    }

    /// As [`ask`](Self::ask) over several documents at once: the likeliest passages of all of them are read, and their
    /// answers stand in one list. `watch` is told after each batch of passages, the first one soon, and can stop the
    /// rest by breaking.
    pub fn ask_streaming(
        &self,
        documents: &[Document],
        question: &str,
        options: &AskOptions,
        watch: &mut dyn FnMut(AskProgress<'_>) -> ControlFlow<()>,
    ) -> Result<Answers, AskError> {
        self.answers(documents, question, options, Some(watch))
    }

    fn answers(
        &self,
        documents: &[Document],
        question: &str,
        options: &AskOptions,
        watch: Option<AskWatcher<'_>>,
    ) -> Result<Answers, AskError> {
        if let Some(query) = list_query_of(question)
            && let Some(answers) = self.list_answers(documents, question, &query)?
        {
            return Ok(answers);
        }
        let asker = Asker {
            encoder: &*self.encoder,
            tagging: self.cached_tagger(),
            reader: self.reader.as_deref().ok_or(AskError::NoReader)?,
            knowledge: &self.knowledge,
            embeddings: self.kept.as_ref().map(|kept| &kept.embeddings),
        };
        let answers = asker.ask(documents, question, options, watch)?;
        self.flush();
        Ok(answers)
    }

    /// What find answers to a question that wants a list; nothing where it finds nothing.
    fn list_answers(
        &self,
        documents: &[Document],
        question: &str,
        query: &str,
    ) -> Result<Option<Answers>, AskError> {
        check_question(question)?;
        let mut answers = ListAnswers::new(documents);
        for (number, document) in documents.iter().enumerate() {
            let prepared = self.prepare(document)?;
            match self.find(document, &prepared, query, &FindOptions::default()) {
                Ok(findings) => answers.add(number, &prepared, findings),
                Err(FindError::Model(error)) => return Err(error.into()),
                // A kind that cannot be searched for may still be read for.
                Err(FindError::Query(_) | FindError::OtherDocument) => return Ok(None),
            }
        }
        Ok(answers.finish(question))
    }

    /// Deletes all that is kept on disk about any text; an engine that keeps nothing has nothing to delete.
    pub fn clear_cache(&self) -> std::io::Result<()> {
        self.verdicts.forget();
        let Some(kept) = &self.kept else { return Ok(()) };
        kept.tags.forget();
        kept.embeddings.forget();
        if let Some(verdicts) = kept.verdicts.get() {
            verdicts.forget();
        }
        kept.cache.clear()
    }

    /// What a question means to the encoder, for comparing it with others.
    pub fn question_vector(&self, question: &str) -> Result<Vec<f32>, ModelError> {
        let encoded = self.encoder.encode(&[question], TextKind::Query)?;
        Ok(encoded.into_iter().next().map(|embedding| embedding.pooled).unwrap_or_default())
    }

    /// The reader, where there is one.
    pub fn reader(&self) -> Option<&dyn Reader> {
        self.reader.as_deref()
    }

    /// True when find can be judged.
    pub fn has_judge(&self) -> bool {
        self.judge.is_some()
    }

    /// How many tokens a text is to the encoder.
    pub fn count_tokens(&self, text: &str) -> usize {
        self.encoder.count_tokens(text)
    }

    /// Names the exact weights of the reader; nothing without one.
    pub fn reader_id(&self) -> Option<&str> {
        self.reader.as_deref().map(Reader::id)
    }

    /// What the engine knows.
    pub fn knowledge(&self) -> &KnowledgeBase {
        &self.knowledge
    }

    /// Which models and knowledge the engine works with.
    pub fn made_by(&self) -> Provenance {
        Provenance::new(&*self.encoder, &*self.tagger, &self.knowledge)
    }

    fn cached_tagger(&self) -> CachedTagger<'_> {
        CachedTagger { tagger: &*self.tagger, kept: self.kept.as_ref().map(|kept| &kept.tags) }
    }

    fn flush(&self) {
        if let Some(kept) = &self.kept {
            kept.tags.flush();
            kept.embeddings.flush();
        }
    }
}
