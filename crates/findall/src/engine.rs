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

use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use crate::ask::{
    Answers, AskError, AskOptions, AskProgress, Asker, ListAnswers, Reader, Watch, check_question,
    list_query_of,
};
use crate::cache::{Cache, MAX_CACHED_FILE_BYTES, Shards, read_private, write_whole};
use crate::document::Document;
use crate::encode::{Embedding, Encoder, ModelError, TextKind};
use crate::find::judging::{Bench, Verdicts};
use crate::find::{FindError, FindOptions, Findings, Mix, Searcher};
use crate::index::{
    Embeddings, Found, GivenEntity, MadeBy, Occurrence, Preparation, PrepareOptions, PreparedDocument,
    Preparer, Progress, Tagging, VectorSource,
};
use crate::judge::Judge;
use crate::knowledge::{KnowledgeBase, Record};
use crate::like;
use crate::like::{
    Alike, Analyser, Corpus, Example, Knowing, LikeOptions, Method, Paper, Suggestion, Suggestions,
    WordVectors,
};
use crate::linking::Linker;
use crate::list::{Book, STRETCH_OPTIONS, Stage};
use crate::mentions::{Mention, MentionTagger, MentionType};
use crate::names::Cast;
use crate::span::Span;

/// Stretches of a book encoded between two words to the watcher.
const BOOK_CHUNK_STRETCHES: usize = 64;

/// How often a name must mean an entity to stand for it without its context.
const MIN_PRIOR_WITHOUT_CONTEXT: f32 = 0.5;

/// Finds by meaning. Cheap to share and to clone: all methods take `&self`.
#[derive(Clone)]
pub struct Engine {
    encoder: Arc<dyn Encoder>,
    tagger: Arc<dyn MentionTagger>,
    knowledge: Arc<KnowledgeBase>,
    reader: Option<Arc<dyn Reader>>,
    judge: Option<Arc<dyn Judge>>,
    verdicts: Arc<Verdicts>,
    kept: Option<Arc<Kept>>,
    options: PrepareOptions,
    mix: Mix,
    /// Made when first asked for.
    words: Arc<OnceLock<Arc<WordVectors>>>,
}

/// What is kept on disk.
struct Kept {
    cache: Cache,
    tags: Shards,
    embeddings: Shards,
    /// Made with the first judge.
    verdicts: OnceLock<Shards>,
}

/// Something that a document is known to name, given from outside.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownEntity {
    /// Its title in the knowledge base, or any name.
    pub title: String,
    /// Where it is named.
    pub mentions: Vec<Span>,
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
        self.kept = Some(Arc::new(Kept { cache, tags, embeddings, verdicts: OnceLock::new() }));
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

    /// Tags, links and encodes a document; or reads what an earlier run saved about this very text.
    pub fn prepare(&self, document: &Document) -> Result<PreparedDocument, ModelError> {
        let mut preparation = self.begin(document);
        while !preparation.is_finished() {
            self.advance(document, &mut preparation, usize::MAX)?;
        }
        Ok(preparation.into_prepared())
    }

    /// A preparation of which nothing is done yet; or all, where an earlier run saved something about this very text.
    pub fn begin(&self, document: &Document) -> Preparation {
        match self.saved(document) {
            Some(saved) => Preparation::finished(document, saved),
            None => self.preparer().begin(document),
        }
    }

    /// One step of a preparation: so many texts at most are tagged or embedded. One that belongs to another text, or to
    /// other models or knowledge, begins anew.
    pub fn advance(
        &self,
        document: &Document,
        preparation: &mut Preparation,
        max_texts: usize,
    ) -> Result<(), ModelError> {
        self.renew(document, preparation);
        if !preparation.is_finished() {
            self.preparer().advance(document, preparation, max_texts)?;
            self.keep_finished(document, preparation);
        }
        Ok(())
    }

    /// Makes what a preparation was given since the last time searchable, where that is enough to be worth it; for who
    /// does the [`TextTask`](crate::index::TextTask)s elsewhere.
    pub fn refresh(&self, document: &Document, preparation: &mut Preparation) {
        self.renew(document, preparation);
        if !preparation.is_finished() {
            self.preparer().refresh(document, preparation);
            self.keep_finished(document, preparation);
        }
    }

    /// As [`prepare`](Self::prepare), telling `watch` about each batch of passages as it becomes ready, the first
    /// one soon. `watch` can search what is ready, and stop the rest by breaking.
    pub fn prepare_streaming(
        &self,
        document: &Document,
        watch: &mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
    ) -> Result<PreparedDocument, ModelError> {
        let mut preparation = self.begin(document);
        self.advance_streaming(document, &mut preparation, watch)?;
        self.settle(document, &mut preparation)?;
        Ok(preparation.into_prepared())
    }

    /// Makes all that was tagged searchable, whether or not the rest will ever be read.
    pub fn settle(&self, document: &Document, preparation: &mut Preparation) -> Result<(), ModelError> {
        self.renew(document, preparation);
        if preparation.is_finished() {
            return Ok(());
        }
        self.preparer().settle(document, preparation)?;
        self.keep_finished(document, preparation);
        self.flush();
        Ok(())
    }

    /// Goes on with a preparation to its end, telling `watch` about each batch. One that `watch` stopped can be gone on
    /// with, and searched as far as it went once it has been [settled](Self::settle).
    pub fn advance_streaming(
        &self,
        document: &Document,
        preparation: &mut Preparation,
        watch: &mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
    ) -> Result<(), ModelError> {
        self.renew(document, preparation);
        if preparation.is_finished() {
            let total = document.text().len();
            let _ = watch(Progress { bytes: total, total, ready: preparation.prepared() });
            return Ok(());
        }
        self.preparer().advance_streaming(document, preparation, watch)?;
        self.keep_finished(document, preparation);
        // What was stopped is gone on with from here, by another run, too.
        self.flush();
        Ok(())
    }

    /// What was begun for another text or by another engine is of no use.
    fn renew(&self, document: &Document, preparation: &mut Preparation) {
        if !preparation.is_of(document, &self.made_by()) {
            *preparation = self.begin(document);
        }
    }

    fn keep_finished(&self, document: &Document, preparation: &Preparation) {
        if preparation.is_finished() {
            self.keep(document, preparation.prepared());
        }
    }

    /// Prepares a document whose entities and mentions are already known; only their knowledge and context are read.
    pub fn prepare_known(
        &self,
        document: &Document,
        known: &[KnownEntity],
    ) -> Result<PreparedDocument, ModelError> {
        let text = document.text();
        let given = known.iter().filter_map(|entity| {
            let mut mentions: Vec<Occurrence> = (entity.mentions.iter())
                .filter(|span| span.slice(text).is_some_and(|slice| !slice.is_empty()))
                .map(|&span| Occurrence { span, found: Found::Tagged })
                .collect();
            mentions.sort_unstable();
            let id = self.knowledge.find_title(&entity.title);
            let confidence = if id.is_some() { 1.0 } else { 0.0 };
            let name = entity.title.clone();
            (!mentions.is_empty()).then_some(GivenEntity {
                name,
                id,
                confidence,
                kind: MentionType::Other,
                mentions,
            })
        });
        let given = given.collect();
        let prepared = self.preparer().prepare_known(document, given)?;
        self.flush();
        Ok(prepared)
    }

    /// Every mention that the tagger sees, in document order; what an earlier run saw is read back. `watch` is told
    /// the bytes done as the work goes on, and may stop it by breaking: then what was tagged so far comes back, and a
    /// later run with the same cache goes on from there.
    pub fn mentions(
        &self,
        document: &Document,
        watch: &mut dyn FnMut(usize) -> ControlFlow<()>,
    ) -> Result<Vec<Mention>, ModelError> {
        self.preparer().mentions(document, &mut |bytes| {
            self.flush();
            watch(bytes)
        })
    }

    /// Everybody and everything that a document names. `watch` as in [`mentions`](Self::mentions).
    pub fn cast(
        &self,
        document: &Document,
        watch: &mut dyn FnMut(Stage) -> ControlFlow<()>,
    ) -> Result<Cast, ModelError> {
        let mentions = self.mentions(document, &mut |bytes| watch(Stage::Tagging(bytes)))?;
        let _ = watch(Stage::Reading);
        Ok(Cast::of(document, &mentions))
    }

    /// A book that lists can be asked of. `watch` may stop the encoding by breaking: then passages are retrieved by
    /// words only.
    pub fn book<'d>(
        &'d self,
        document: &'d Document,
        cast: &'d Cast,
        watch: &mut dyn FnMut(Stage) -> ControlFlow<()>,
    ) -> Result<Book<'d>, ModelError> {
        let text = document.text();
        let stretches = document.passages(&STRETCH_OPTIONS);
        let texts: Vec<&str> = stretches.iter().map(|span| span.slice(text).unwrap_or_default()).collect();
        let mut embeddings = Embeddings::new(&*self.encoder, self.kept.as_ref().map(|kept| &kept.embeddings));
        let mut vectors = Vec::with_capacity(texts.len());
        for (texts, spans) in texts.chunks(BOOK_CHUNK_STRETCHES).zip(stretches.chunks(BOOK_CHUNK_STRETCHES)) {
            embeddings.learn(texts, TextKind::Passage)?;
            self.flush();
            let pooled = |text: &&str| {
                let known = embeddings.get(text, TextKind::Passage);
                Embedding { pooled: known.map(|e| e.pooled.clone()).unwrap_or_default(), tokens: Vec::new() }
            };
            vectors.extend(texts.iter().map(pooled));
            embeddings.forget();
            if watch(Stage::Encoding(spans.last().map_or(0, |last| last.end))).is_break() {
                vectors.clear();
                break;
            }
        }
        let _ = watch(Stage::Reading);
        Ok(Book::of(document, cast, vectors, &*self.encoder))
    }

    /// Everything in a prepared document that the query means.
    pub fn find(
        &self,
        document: &Document,
        prepared: &PreparedDocument,
        query: &str,
        options: &FindOptions,
    ) -> Result<Findings, FindError> {
        let bench = self.bench();
        let searcher = Searcher { encoder: &*self.encoder, knowledge: &self.knowledge, mix: self.mix, bench };
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
            bench: self.bench(),
        };
        let found = searcher.find(query, options);
        self.flush();
        found
    }

    /// The judge with its memory.
    fn bench(&self) -> Option<Bench<'_>> {
        let judge = self.judge.as_deref()?;
        let kept = self.kept.as_deref();
        let disk = kept.map(|kept| kept.verdicts.get_or_init(|| kept.cache.shards("verdicts", judge.id())));
        Some(Bench { judge, verdicts: &self.verdicts, disk })
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
        watch: Option<Watch<'_>>,
    ) -> Result<Answers, AskError> {
        if let Some(query) = list_query_of(question)
            && let Some(answers) = self.list_answers(documents, question, &query)?
        {
            return Ok(answers);
        }
        let asker = Asker {
            encoder: &*self.encoder,
            tagging: self.tagging(),
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

    /// Reads documents for a corpus.
    pub fn analyser(&self) -> Analyser<'_> {
        Analyser {
            encoder: &*self.encoder,
            tagging: self.tagging(),
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
    ) -> Result<Alike, ModelError> {
        let kind = like::kind_of_example(&*self.tagger, example)?;
        let kinds = kind.filter(|_| options.same_kind).map(like::kinds_like);
        let sentences = match options.method {
            Method::Findall => {
                let knowing = Knowing {
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
        Ok(Alike::of(corpus, kind, kinds, sentences, example, options.top))
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

    /// What an earlier run saved about this very text, made by these very models and this knowledge.
    pub fn saved(&self, document: &Document) -> Option<PreparedDocument> {
        let made_by = self.made_by();
        let path = self.kept.as_ref()?.cache.prepared_path(&made_by.file_name(document));
        PreparedDocument::from_bytes(&read_private(&path, MAX_CACHED_FILE_BYTES).ok()?, document, &made_by)
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
    pub fn made_by(&self) -> MadeBy {
        MadeBy::new(&*self.encoder, &*self.tagger, &self.knowledge)
    }

    fn tagging(&self) -> Tagging<'_> {
        Tagging { tagger: &*self.tagger, kept: self.kept.as_ref().map(|kept| &kept.tags) }
    }

    fn preparer(&self) -> Preparer<'_> {
        Preparer {
            tagging: self.tagging(),
            knowledge: &self.knowledge,
            linker: Linker::new(&self.knowledge),
            vectors: VectorSource {
                encoder: &*self.encoder,
                disk: self.kept.as_ref().map(|kept| &kept.embeddings),
            },
            options: self.options,
        }
    }

    /// Saves what can be read back; a folder that cannot be written costs time later, not the answer now.
    fn keep(&self, document: &Document, prepared: &PreparedDocument) {
        if let Some(kept) = &self.kept {
            let path = kept.cache.prepared_path(&prepared.made_by.file_name(document));
            let _ = write_whole(&path, &prepared.to_bytes());
        }
        self.flush();
    }

    fn flush(&self) {
        if let Some(kept) = &self.kept {
            kept.tags.flush();
            kept.embeddings.flush();
        }
    }
}
