//! A preparation in steps: it ends as one in one go does, it can be put aside and gone on with, and what it costs grows
//! with the document, not with the number of steps.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use findall::encode::{Calibration, DecisionRule, Embedding, Encoder, ModelError, TextKind};
use findall::index::{Preparation, TextTask};
use findall::mentions::{Mention, MentionTagger};
use findall::testing::{BagOfWords, Capitals, small_encoder, small_knowledge, small_tagger};
use findall::{Cache, Document, Engine, FindOptions, PreparedDocument, Span};

/// A model that counts the texts it reads.
#[derive(Default)]
struct Counting<M> {
    model: M,
    texts: AtomicUsize,
}

impl<M> Counting<M> {
    fn new(model: M) -> Arc<Self> {
        Arc::new(Self { model, texts: AtomicUsize::new(0) })
    }

    fn count(&self) -> usize {
        self.texts.load(Ordering::SeqCst)
    }
}

impl MentionTagger for Counting<Capitals> {
    fn id(&self) -> &str {
        self.model.id()
    }

    fn tag(&self, texts: &[&str]) -> Result<Vec<Vec<Mention>>, ModelError> {
        self.texts.fetch_add(texts.len(), Ordering::SeqCst);
        self.model.tag(texts)
    }
}

impl Encoder for Counting<BagOfWords> {
    fn id(&self) -> &str {
        self.model.id()
    }

    fn dims(&self) -> usize {
        self.model.dims()
    }

    fn encode(&self, texts: &[&str], kind: TextKind) -> Result<Vec<Embedding>, ModelError> {
        self.texts.fetch_add(texts.len(), Ordering::SeqCst);
        self.model.encode(texts, kind)
    }

    fn calibration(&self) -> Calibration {
        self.model.calibration()
    }

    fn words(&self) -> Vec<&str> {
        self.model.words()
    }

    fn knows_word(&self, word: &str) -> bool {
        self.model.knows_word(word)
    }

    fn decision(&self) -> DecisionRule {
        self.model.decision()
    }
}

fn engine() -> Engine {
    Engine::new(small_encoder(), small_tagger(), small_knowledge())
}

/// A text of so many paragraphs, each a passage or so, with names that come again, new ones, and one that grows fuller.
fn text_of(paragraphs: usize) -> String {
    let mut text = String::new();
    for number in 0..paragraphs {
        let name = ["Weibo", "Baidu", "WeChat", "Lyon"][number % 4];
        text.push_str(&format!(
            "In chapter {number} they met Ada{number} near {name}. Rivera{} Delgado is a baker there, for {} days. ",
            number / 3,
            number * 7
        ));
        text.push_str(&"Nothing else happened in the long grey days that came after it and went. ".repeat(9));
        text.push_str("\n\n");
    }
    text
}

/// Prepares in steps of so many texts.
fn in_steps(engine: &Engine, document: &Document, max_texts: usize) -> (PreparedDocument, usize) {
    let mut preparation = engine.begin(document);
    let mut steps = 0;
    while !preparation.is_finished() {
        engine.advance(document, &mut preparation, max_texts).unwrap();
        steps += 1;
    }
    (preparation.into_prepared(), steps)
}

/// Does what is wanted as a browser does: elsewhere, a few tasks at a time, with a look at the page after each.
fn by_tasks(engine: &Engine, document: &Document, seen: Span, at_a_time: usize) -> (Preparation, usize) {
    let mut preparation = engine.begin(document);
    preparation.focus_on(seen);
    let mut looks = 0;
    while !preparation.is_finished() {
        engine.refresh(document, &mut preparation);
        looks += 1;
        for task in preparation.next_tasks(document, 64).into_iter().take(at_a_time) {
            match task {
                TextTask::Tag(text) => {
                    let mentions = Capitals.tag(&[&text]).unwrap().remove(0);
                    preparation.take_mentions(&text, mentions);
                }
                TextTask::Embed(kind, text) => {
                    let embedding = BagOfWords.encode(&[&text], kind).unwrap().remove(0);
                    preparation.take_embedding(kind, &text, embedding);
                }
            }
        }
    }
    (preparation, looks)
}

#[test]
fn any_number_of_steps_ends_alike() {
    let engine = engine();
    for text in [text_of(23), "Lyon is far away.".to_owned(), String::new(), "\n \n".to_owned()] {
        let document = Document::from_text(text.as_str());
        let whole = engine.prepare(&document).unwrap();
        for max_texts in [0, 1, 3, 8, 1000] {
            let (prepared, steps) = in_steps(&engine, &document, max_texts);
            assert_eq!(prepared, whole, "{steps} steps of {max_texts}");
        }
        let middle = text.len() / 2;
        for (seen, at_a_time) in
            [(Span::new(0, 0), 1), (Span::new(middle, middle + 10), 3), (Span::new(0, 0), 99)]
        {
            let (preparation, looks) = by_tasks(&engine, &document, seen, at_a_time);
            assert_eq!(preparation.prepared(), &whole, "{looks} looks, {at_a_time} tasks at a time");
        }
    }
}

#[test]
fn what_is_seen_is_read_first_and_found_before_the_rest_is_read() {
    let document = Document::from_text(text_of(40));
    let engine = engine();
    let at = document.text().find("Ada31").unwrap();
    let mut preparation = engine.begin(&document);
    preparation.focus_on(Span::new(at, at + 5));
    let wanted = preparation.next_tasks(&document, 2);
    let TextTask::Tag(first) = &wanted[0] else { panic!("{wanted:?}") };
    assert!(first.contains("Ada31"), "{first}");
    assert_eq!(wanted.len(), 2);

    engine.advance(&document, &mut preparation, 1).unwrap();
    engine.refresh(&document, &mut preparation);
    assert!(preparation.prepared().entities.iter().any(|entity| entity.name.contains("Ada31")));
    assert!(preparation.progress().awaited > 0, "vectors are awaited");
    let progress = preparation.progress();
    assert!(progress.bytes < progress.total / 4 && !progress.finished, "{progress:?}");
    assert!(!preparation.prepared().coverage.is_whole());
    let find =
        |query| engine.find(&document, preparation.prepared(), query, &FindOptions::default()).unwrap();
    assert_eq!(find("Ada31").matches.len(), 1);
}

#[test]
fn the_cost_grows_with_the_document_and_not_with_the_steps() {
    let document = Document::from_text(text_of(120));
    let (tagger, encoder) = (Counting::new(Capitals), Counting::new(BagOfWords));
    let counted = Engine::new(encoder.clone(), tagger.clone(), small_knowledge());
    counted.prepare(&document).unwrap();
    let (passages, texts) = (tagger.count(), encoder.count());
    assert!(passages >= 100 && texts >= 100, "{passages} passages, {texts} texts");

    // One text a step: as many texts as in one go, and linked once.
    let mut preparation = counted.begin(&document);
    while !preparation.is_finished() {
        counted.advance(&document, &mut preparation, 1).unwrap();
    }
    assert_eq!((tagger.count(), encoder.count()), (2 * passages, 2 * texts));
    assert_eq!(preparation.cost().linked, passages);

    // A look after every task: a page that is linked at each of them is linked a hundred times over.
    let (preparation, looks) = by_tasks(&engine(), &document, Span::new(0, 0), 1);
    let cost = preparation.cost();
    assert!(looks > passages, "{looks}");
    assert_eq!(cost.tagged, passages);
    assert!(cost.linked <= 6 * passages, "{cost:?} for {passages} passages");
    assert!(cost.embedded <= 2 * texts, "{cost:?} for {texts} texts");
}

#[test]
fn what_was_stopped_is_gone_on_with() {
    let document = Document::from_text(text_of(60));
    let tagger = Counting::new(Capitals);
    let engine = Engine::new(small_encoder(), tagger.clone(), small_knowledge());
    let whole = engine.prepare(&document).unwrap();
    let passages = tagger.count();

    let mut preparation = engine.begin(&document);
    let mut read = Vec::new();
    while !preparation.is_finished() {
        let mut watch = |progress: findall::index::Progress<'_>| {
            read.push(progress.bytes);
            ControlFlow::Break(())
        };
        engine.advance_streaming(&document, &mut preparation, &mut watch).unwrap();
        engine.settle(&document, &mut preparation).unwrap();
        let so_far = preparation.prepared();
        assert_eq!(so_far.coverage.is_whole(), preparation.is_finished());
        assert!(so_far.entities.iter().any(|entity| entity.name.contains("Weibo")), "it can be searched");
    }
    assert!(read.len() > 3 && read.is_sorted(), "{read:?}");
    assert_eq!(preparation.prepared(), &whole);
    assert_eq!(tagger.count(), 2 * passages, "no passage is read twice");
}

#[test]
fn another_text_begins_anew_and_what_is_finished_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let engine = engine().with_cache(Cache::new(folder.path()));
    let (one, other) = (Document::from_text(text_of(9)), Document::from_text(text_of(5)));
    let mut preparation = engine.begin(&one);
    engine.advance(&one, &mut preparation, 2).unwrap();
    assert!(engine.load_saved(&one).is_none(), "nothing half done is kept");
    while !preparation.is_finished() {
        engine.advance(&other, &mut preparation, 7).unwrap();
    }
    assert_eq!(preparation.prepared().content_hash, other.content_hash());
    assert!(engine.load_saved(&other).is_some());
    let again = engine.begin(&other);
    assert!(again.is_finished());
    assert_eq!(again.prepared().coverage, preparation.prepared().coverage);
}
