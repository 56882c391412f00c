//! Asking with small stand-ins for the models: where answers come from, what is said when there is none, how much is
//! read.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use findall::ask::{
    Answer, AskError, AskOptions, Confidence, Outcome, QuestionKind, Reader, Reading, enumeration,
};
use findall::encode::ModelError;
use findall::mentions::{Mention, MentionTagger, MentionType};
use findall::testing::{small_encoder, small_knowledge, small_reader, small_tagger};
use findall::{Answers, Document, Engine, Span};

const PAGE: &str = "The harbour of Sundvik froze in 1893. The lighthouse was designed by Margit Sorensen. \
    Fishing boats leave at dawn. The bakery was founded by Anders in the same street.";

fn engine() -> Engine {
    Engine::new(small_encoder(), small_tagger(), small_knowledge()).with_reader(small_reader())
}

fn ask(text: &str, question: &str) -> (Answers, Document) {
    let document = Document::from_text(text);
    (engine().ask(&document, question, &AskOptions::default()).unwrap(), document)
}

fn words(answers: &Answers, document: &Document) -> Vec<String> {
    answers.answers.iter().map(|a| a.place.span.slice(document.text()).unwrap().to_owned()).collect()
}

#[test]
fn an_answer_has_its_sentence_and_passage() {
    let (answers, document) = ask(PAGE, "Who designed the lighthouse?");
    assert_eq!(
        (answers.outcome, words(&answers, &document)),
        (Outcome::Answered, vec!["Margit Sorensen".to_owned()])
    );
    let answer = &answers.answers[0];
    let slice = |span: findall::Span| span.slice(document.text()).unwrap();
    assert_eq!(slice(answer.sentence), "The lighthouse was designed by Margit Sorensen.");
    assert_eq!(slice(answer.passage), PAGE);
    assert!(answer.confidence > 0.9, "{}", answer.confidence);
    assert_eq!(answers.coverage.to_string(), "read it all");
    assert_eq!(slice(answers.evidence[0].place.span), slice(answer.sentence));
}

#[test]
fn a_text_that_does_not_answer_says_so() {
    let (answers, _) = ask(PAGE, "Which orchestra plays Brahms tomorrow evening?");
    assert_eq!(answers.outcome, Outcome::NotAnsweredHere);
    assert!(answers.answers.is_empty() && !answers.ranking.is_empty(), "what is unlikely is kept, not given");
    let (nothing, _) = ask("", "Who designed the lighthouse?");
    assert_eq!((nothing.outcome, nothing.coverage.passages), (Outcome::NotAnsweredHere, 0));
}

#[test]
fn what_is_not_sure_is_a_guess() {
    let question = "Who designed the wooden theatre?";
    let (answers, document) = ask(PAGE, question);
    assert_eq!(
        (answers.outcome, words(&answers, &document)),
        (Outcome::Guessed, vec!["Margit Sorensen".to_owned()])
    );
    assert!(answers.is_unsure() && answers.answers[0].confidence < 0.5, "{}", answers.answers[0].confidence);
    let strict = AskOptions { threshold: Some(0.5), ..AskOptions::default() };
    let strict = engine().ask(&document, question, &strict).unwrap();
    assert_eq!((strict.outcome, strict.answers.len()), (Outcome::NotAnsweredHere, 0));
    let (number, _) = ask(PAGE, "How many designed wooden theatres?");
    assert_ne!(number.outcome, Outcome::Guessed, "a name is no number");
}

#[test]
fn yes_or_no_and_counting_show_evidence() {
    let (answers, document) = ask(PAGE, "Was the lighthouse designed by Margit?");
    assert_eq!(answers.outcome, Outcome::YesOrNo);
    assert_eq!(
        answers.evidence[0].place.span.slice(document.text()),
        Some("The lighthouse was designed by Margit Sorensen.")
    );
    let (counted, document) = ask(
        "The bridges crossing the river are Alder and Birch.",
        "How many bridges are crossing the river?",
    );
    assert_eq!((counted.outcome, words(&counted, &document)), (Outcome::Counted, vec!["Alder".to_owned()]));
    let (stated, document) =
        ask("The bridges number 12; 1200 boats pass below.", "How many boats pass below the bridges?");
    assert_eq!((stated.outcome, words(&stated, &document)), (Outcome::Answered, vec!["1200".to_owned()]));
}

#[test]
fn a_typing_error_is_corrected_from_the_page() {
    let (answers, document) = ask(PAGE, "Wo designed the lighthuose?");
    assert_eq!((answers.question.as_str(), answers.corrections.len()), ("Who designed the lighthouse?", 2));
    assert_eq!(words(&answers, &document), ["Margit Sorensen"]);
    let typed = AskOptions { correct_typos: false, ..AskOptions::default() };
    assert!(engine().ask(&document, "Wo designed the lighthuose?", &typed).unwrap().corrections.is_empty());
}

#[test]
fn of_a_long_text_the_likeliest_passages_are_read() {
    let filler = "Nothing of note happened on that quiet day in the village by the sea. ".repeat(3000);
    let text = format!("{filler}\n\n{PAGE}\n\n{filler}");
    let document = Document::from_text(text);
    let options = AskOptions { passages: 16, ..AskOptions::default() };
    let answers = engine().ask(&document, "Who designed the lighthouse?", &options).unwrap();
    assert_eq!(words(&answers, &document), ["Margit Sorensen"]);
    let reach = answers.coverage;
    assert_eq!(reach.read, 16);
    assert!(reach.passages > 300 && reach.bytes_read < reach.bytes / 10, "{reach:?}");
    assert!(reach.to_string().starts_with("read the 16 likeliest of "), "{reach}");
}

#[test]
fn several_documents_are_asked_as_one_and_a_watcher_can_stop() {
    let many: Vec<Document> = (0..40)
        .map(|n| {
            Document::from_text(format!("Page {n} is about boats. The lighthouse is far away from page {n}."))
        })
        .chain([Document::from_text(PAGE)])
        .collect();
    let question = "Who designed the lighthouse?";
    let mut seen = Vec::new();
    let whole = AskOptions { passages: 48, ..AskOptions::default() };
    let answers = engine()
        .ask_streaming(&many, question, &whole, &mut |now| {
            seen.push((now.read, now.best.is_some()));
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(answers.answers[0].place.document, 40);
    assert_eq!(seen[0], (4, true), "the likeliest passage is among the first");
    assert_eq!(seen.last().unwrap().0, 41);
    let stopped = engine()
        .ask_streaming(&many, question, &AskOptions::default(), &mut |_| ControlFlow::Break(()))
        .unwrap();
    assert!(stopped.coverage.stopped && stopped.coverage.read == 4);
    assert_eq!(stopped.outcome, Outcome::Answered, "what was found stays found");
}

#[test]
fn answers_are_whole() {
    let (answers, document) =
        ask("The plan saved more than 5000 lives in spring.", "What did the plan save in spring?");
    assert_eq!(words(&answers, &document), ["more than 5000"], "with what qualifies it");
    let (answers, document) = ask(
        "The strike closed Oldham Works, Perth Mill and Quarn in spring.",
        "Which factories closed in the spring strike?",
    );
    assert_eq!(words(&answers, &document), ["Oldham Works, Perth Mill and Quarn"], "all that is enumerated");
    let items = enumeration::items(document.text(), answers.answers[0].place.span);
    assert_eq!(items.len(), 3);
}

/// A tagger that knows a name only where a text tells more of it than one sentence.
struct WellRead;

impl MentionTagger for WellRead {
    fn id(&self) -> &str {
        "well-read-1"
    }

    fn tag(&self, texts: &[&str]) -> Result<Vec<Vec<Mention>>, ModelError> {
        let name = |text: &&str| {
            let start = text.find("Margit Sorensen").filter(|_| text.contains("Sundvik"))?;
            let span = Span::new(start, start + "Margit Sorensen".len());
            Some(Mention { span, kind: MentionType::Person, confidence: 0.9 })
        };
        Ok(texts.iter().map(|text| name(text).into_iter().collect()).collect())
    }
}

#[test]
fn names_have_the_bounds_that_the_document_s_names_have() {
    let document = Document::from_text(PAGE);
    let engine = Engine::new(small_encoder(), Arc::new(WellRead), small_knowledge());
    let answers = engine.with_reader(small_reader());
    let answers = answers.ask(&document, "Who designed the lighthouse?", &AskOptions::default()).unwrap();
    assert_eq!(words(&answers, &document), ["Margit Sorensen"]);
}

/// A reader that marks these words wherever they stand, as sure as it is told.
struct Marker(&'static [(&'static str, f32)]);

impl Reader for Marker {
    fn id(&self) -> &str {
        "marker-1"
    }

    fn read(&self, _: &str, passages: &[&str]) -> Result<Vec<Reading>, ModelError> {
        let marked = |passage: &&str, &(word, confidence): &(&str, f32)| {
            let start = passage.find(word)?;
            Some(Answer { span: Span::new(start, start + word.len()), confidence })
        };
        let read = |passage: &&str| Reading {
            answers: self.0.iter().filter_map(|word| marked(passage, word)).collect(),
            no_answer: 0.1,
        };
        Ok(passages.iter().map(read).collect())
    }
}

#[test]
fn what_moves_up_is_whole_too() {
    let document = Document::from_text("The day Ann Byron Clay met Dora Evans.");
    let reader = Marker(&[("Ann", 0.9), ("Byron", 0.8), ("Clay", 0.7), ("Dora", 0.6)]);
    let engine = Engine::new(small_encoder(), small_tagger(), small_knowledge());
    let answers = engine.with_reader(Arc::new(reader));
    let answers = answers.ask(&document, "Who met whom there?", &AskOptions::default()).unwrap();
    let ranking = answers.ranking.iter().map(|answer| answer.place.span.slice(document.text()).unwrap());
    assert_eq!(ranking.collect::<Vec<_>>(), ["Ann Byron Clay", "Dora Evans"]);
}

#[test]
fn a_list_is_answered_by_find() {
    let text = "WeChat is everywhere in China. Lyon is not. People like WeChat. Baidu is a search engine.";
    let (answers, document) = ask(text, "Which messaging apps are mentioned here?");
    assert_eq!((answers.kind, answers.outcome), (QuestionKind::List, Outcome::Answered));
    assert_eq!(words(&answers, &document)[0], "WeChat");
    assert_eq!(answers.answers[0].also.len(), 1, "every occurrence is given");
    assert!(!words(&answers, &document).contains(&"Lyon".to_owned()));
    let (none, _) = ask(PAGE, "Which messaging apps are mentioned here?");
    assert_ne!(none.kind, QuestionKind::List, "where find finds nothing, the text is read");
}

/// The small reader, which counts how often it is asked, and is sure from some look on.
struct Glancing {
    sure_look: f32,
    asked: AtomicUsize,
}

impl Reader for Glancing {
    fn id(&self) -> &str {
        "glancing-1"
    }

    fn read(&self, question: &str, passages: &[&str]) -> Result<Vec<Reading>, ModelError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        small_reader().read_all(question, passages)
    }

    fn confidence(&self) -> Confidence {
        Confidence { sure_look: self.sure_look, ..Confidence::default() }
    }
}

#[test]
fn who_is_sure_at_once_does_not_look_again_unless_more_waits() {
    let filler = "Nothing of note happened on that quiet day in the village by the sea. ".repeat(45);
    let longer = format!("{PAGE}\n\n{filler}");
    // The small reader's 0.98 is a look of 3.9; the longer text is read in two batches, and its answer looked at once.
    for (text, sure_look, asked) in [
        (PAGE, f32::INFINITY, 2),
        (PAGE, 4.0, 2),
        (PAGE, 3.0, 1),
        (&longer, f32::INFINITY, 3),
        (&longer, 3.0, 3),
    ] {
        let reader = Arc::new(Glancing { sure_look, asked: AtomicUsize::default() });
        let engine = engine().with_reader(reader.clone());
        let document = Document::from_text(text);
        let answers = engine.ask(&document, "Who designed the lighthouse?", &AskOptions::default()).unwrap();
        assert_eq!(words(&answers, &document), ["Margit Sorensen"]);
        assert_eq!(reader.asked.load(Ordering::Relaxed), asked, "{} bytes, {sure_look}", text.len());
    }
}

/// The small reader, which may stop as soon as an answer is sure.
struct Hasty(Arc<dyn Reader>);

impl Reader for Hasty {
    fn id(&self) -> &str {
        "hasty-1"
    }

    fn read(&self, question: &str, passages: &[&str]) -> Result<Vec<Reading>, ModelError> {
        self.0.read(question, passages)
    }

    fn read_all(&self, question: &str, passages: &[&str]) -> Result<Vec<Reading>, ModelError> {
        self.0.read_all(question, passages)
    }

    fn confidence(&self) -> Confidence {
        Confidence { reach: 1.0, words: 1.0, ..Confidence::default() }
    }
}

#[test]
fn reading_stops_when_no_other_passage_can_win() {
    let filler = "Nothing of note happened on that quiet day in the village by the sea. ".repeat(100);
    let document = Document::from_text(format!("{filler}\n\n{PAGE}\n\n{filler}"));
    let hasty = engine().with_reader(Arc::new(Hasty(small_reader())));
    let options = AskOptions::default();
    let answers = hasty.ask(&document, "Who designed the lighthouse?", &options).unwrap();
    assert_eq!(words(&answers, &document), ["Margit Sorensen"]);
    assert_eq!((answers.coverage.read, answers.coverage.stopped), (4, false));
    let all = hasty.ask(&document, "Which orchestra plays Brahms?", &options).unwrap();
    assert!(all.coverage.read > 4, "without an answer all is read");
    let thorough = engine().ask(&document, "Who designed the lighthouse?", &options).unwrap();
    assert_eq!(thorough.coverage.read, thorough.coverage.passages);
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let document = Document::from_text(PAGE);
    let options = AskOptions::default();
    assert!(matches!(engine().ask(&document, " ?! ", &options), Err(AskError::Question(_))));
    assert!(matches!(engine().ask(&document, &"why ".repeat(500), &options), Err(AskError::Question(_))));
    let without = Engine::new(small_encoder(), small_tagger(), small_knowledge());
    assert!(matches!(without.ask(&document, "Who?", &options), Err(AskError::NoReader)));
}
