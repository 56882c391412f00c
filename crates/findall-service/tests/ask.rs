//! Questions over a real store: what is remembered, what persons said, and when it is read again.

use std::cell::Cell;
use std::convert::Infallible;

use findall::Span;
use findall::ask::question::normalise;
use findall::ask::{Answers, AskOptions, FoundAnswer, Outcome, Place, QuestionKind, Reach, Signals};
use findall::built_in::built_in_data_id;
use findall::chat::{ChatError, ChatModel, Reply, Turn};
use findall::document::Document;
use findall_service::ask::{
    AnswerMemory, AnswerOrigin, AskQuery, Inquiry, InquiryOutcome, MAX_ANSWERS, check_page_limits,
};
use findall_store::{Feedback, Page, Question, Selector, Store, Verdict, now};

const TEXT: &str = "Duarte was the captain. The mate was called Ines.";
const QUESTION: &str = "Who was the captain?";
const KEY: &str = "file:///ship.txt";

struct Ship {
    document: Document,
    store: Box<dyn Store>,
    reads: Cell<usize>,
    _folder: tempfile::TempDir,
}

impl Ship {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = findall_store::open(folder.path().join("store.db").to_str().unwrap()).unwrap();
        Self { document: Document::from_text(TEXT), store, reads: Cell::new(0), _folder: folder }
    }

    fn span(&self, words: &str) -> Span {
        let start = TEXT.find(words).unwrap();
        Span::new(start, start + words.len())
    }

    /// Asks, with a reader that finds the captain and is this sure of it.
    fn ask(&self, confidence: f32, larger: Option<&dyn ChatModel>) -> InquiryOutcome {
        self.ask_for(None, &["Duarte"], confidence, larger)
    }

    /// Asks for so many answers, with a reader that finds as many of these words as it is to read for.
    fn ask_for(
        &self,
        top: Option<usize>,
        words: &[&str],
        confidence: f32,
        larger: Option<&dyn ChatModel>,
    ) -> InquiryOutcome {
        let query = AskQuery { top, ..AskQuery::new(QUESTION, MAX_ANSWERS) };
        let inquiry = Inquiry {
            query,
            documents: std::slice::from_ref(&self.document),
            memory: Some(AnswerMemory {
                store: &*self.store,
                key: KEY,
                title: None,
                encoder: "encoder",
                reader: "reader",
                remember: true,
            }),
            larger,
            before_larger: &|| (),
        };
        let encode = || {
            let mut vector = vec![0.0; 384];
            vector[0] = 1.0;
            Ok::<_, Infallible>(vector)
        };
        let read = |_: &_| {
            self.reads.set(self.reads.get() + 1);
            let found = words.iter().take(query.reading_options().top).map(|words| {
                let span = self.span(words);
                FoundAnswer {
                    place: Place { document: 0, span },
                    sentence: span,
                    passage: span,
                    confidence,
                    order: 0.0,
                    signals: Signals::default(),
                    also: Vec::new(),
                }
            });
            let found: Vec<FoundAnswer> = found.collect();
            Ok(Answers {
                question: QUESTION.into(),
                corrections: Vec::new(),
                kind: QuestionKind::of(QUESTION),
                outcome: if confidence < 0.5 { Outcome::Guessed } else { Outcome::Answered },
                answers: found.clone(),
                evidence: Vec::new(),
                ranking: found,
                read: vec![Place { document: 0, span: Span::new(0, TEXT.len()) }],
                coverage: Reach::default(),
            })
        };
        let answered = inquiry.ask(true, &encode, read).unwrap_or_else(|never| match never {});
        assert!(answered.trouble.is_none(), "{:?}", answered.trouble);
        answered
    }

    fn words(&self, answered: &InquiryOutcome) -> Vec<(String, AnswerOrigin)> {
        let word = |found: &FoundAnswer| found.place.span.slice(TEXT).unwrap().to_owned();
        answered.answers_with_origins().map(|(found, origin)| (word(found), origin)).collect()
    }

    fn say(&self, verdict: Verdict) {
        self.store
            .record_feedback(&Feedback {
                page: Page { key: KEY, title: None, content: self.document.content_hash() },
                question: Question { text: QUESTION, normalised: &normalise(QUESTION) },
                vector: None,
                verdict,
                passage: "",
                at: now(),
            })
            .unwrap();
    }
}

/// A larger model that cannot be reached.
struct AbsentModel(std::sync::atomic::AtomicUsize);

impl ChatModel for AbsentModel {
    fn id(&self) -> &str {
        "absent"
    }

    fn chat(&self, _: &[Turn], _: u32) -> Result<Reply, ChatError> {
        self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Err(ChatError { endpoint: "absent".into(), message: "nobody answers".into() })
    }
}

/// A larger model that says this, and not how likely it is.
struct UnsureModel(&'static str);

impl ChatModel for UnsureModel {
    fn id(&self) -> &str {
        "unsure"
    }

    fn chat(&self, _: &[Turn], _: u32) -> Result<Reply, ChatError> {
        Ok(Reply { text: self.0.into(), ..Reply::default() })
    }
}

#[test]
fn an_unsure_larger_model_replaces_a_guess_but_no_answer() {
    let answered = |confidence, says| {
        let ship = Ship::new();
        let answered = ship.ask(confidence, Some(&UnsureModel(says)));
        assert!(matches!(answered.larger, Some(Ok(_))), "it was asked");
        (ship.words(&answered), answered.answers.outcome)
    };
    let by_reader = || vec![("Duarte".to_owned(), AnswerOrigin::Reader)];
    for says in ["Ines", "NONE", "Napoleon"] {
        assert_eq!(answered(0.55, says), (by_reader(), Outcome::Answered), "{says}");
    }
    assert_eq!(answered(0.2, "NONE"), (by_reader(), Outcome::Guessed));
    assert_eq!(answered(0.2, "Ines"), (vec![("Ines".to_owned(), AnswerOrigin::Larger)], Outcome::Guessed));
}

#[test]
fn a_question_is_read_once_and_then_remembered() {
    let ship = Ship::new();
    assert_eq!(ship.words(&ship.ask(0.9, None)), [("Duarte".to_owned(), AnswerOrigin::Reader)]);
    assert_eq!(ship.words(&ship.ask(0.9, None)), [("Duarte".to_owned(), AnswerOrigin::Remembered)]);
    assert_eq!(ship.reads.get(), 1);
}

#[test]
fn readings_are_remembered_with_the_fitted_numbers_they_were_made_by() {
    let ship = Ship::new();
    ship.ask(0.9, None);
    let page = Page { key: KEY, title: None, content: ship.document.content_hash() };
    let recalled = |reader: &str| ship.store.recall_exact(&page, &normalise(QUESTION), Some(reader)).unwrap();
    assert!(recalled(&format!("reader+{}", built_in_data_id())).is_some());
    assert!(recalled("reader").is_none(), "by whatever numbers");
    assert!(recalled("reader+0123456789abcdef").is_none(), "by other numbers");
}

#[test]
fn a_reading_by_other_rules_is_not_to_be_remembered() {
    let usual = AskQuery::new(QUESTION, MAX_ANSWERS);
    for top in [None, Some(1), Some(20)] {
        assert!(AskQuery { top, ..usual }.is_usual_reading());
    }
    for other in [
        AskQuery { threshold: Some(0.1), ..usual },
        AskQuery { passages: usual.passages + 1, ..usual },
        AskQuery { correct_typos: false, ..usual },
    ] {
        assert!(!other.is_usual_reading(), "{other:?}");
    }
}

#[test]
fn a_list_is_given_whole_and_of_other_answers_as_many_as_were_asked_for() {
    let given = |question, top, most| AskQuery { top, ..AskQuery::new(question, most) }.max_answers();
    let usual = AskOptions::default().top;
    for (question, whole) in [(QUESTION, usual), ("Which companies are mentioned?", MAX_ANSWERS)] {
        assert_eq!(given(question, None, MAX_ANSWERS), whole, "{question}");
        assert_eq!(given(question, Some(2), MAX_ANSWERS), 2, "{question}");
        assert_eq!(given(question, Some(50), MAX_ANSWERS), 50, "{question}");
    }
    assert_eq!(given("Which companies are mentioned?", None, 100), 100, "a page's");
}

#[test]
fn who_wants_fewer_answers_reads_as_usual_and_who_wants_more_reads_for_more() {
    let usual = AskOptions::default();
    let query = AskQuery::new(QUESTION, MAX_ANSWERS);
    for (top, read) in [(None, usual.top), (Some(1), usual.top), (Some(20), 20)] {
        let options = AskQuery { top, ..query }.reading_options();
        assert_eq!(options, AskOptions { top: read, ..usual });
    }
}

#[test]
fn who_wants_more_answers_than_were_read_for_is_not_given_the_few_that_are_remembered() {
    let ship = Ship::new();
    let words = ["Duarte", "captain", "mate", "called", "Ines", "The", "was"];
    let count = |top| ship.ask_for(top, &words, 0.9, None).answers.answers.len();
    assert_eq!((count(None), count(Some(2)), ship.reads.get()), (5, 2, 1));
    assert_eq!((count(Some(7)), ship.reads.get()), (7, 2), "read again, for more");
    assert_eq!((count(Some(7)), count(None), ship.reads.get()), (7, 5, 2), "and then remembered");
    let few = Ship::new();
    few.ask_for(None, &words[..3], 0.9, None);
    assert_eq!(
        few.ask_for(Some(7), &words[..3], 0.9, None).source,
        AnswerOrigin::Remembered,
        "there are no more"
    );
}

#[test]
fn a_persons_word_comes_first_and_what_they_rejected_is_gone() {
    let ship = Ship::new();
    ship.ask(0.9, None);
    ship.say(Verdict::Right(Selector::of(TEXT, ship.span("Ines")).unwrap()));
    assert_eq!(ship.words(&ship.ask(0.9, None))[0], ("Ines".to_owned(), AnswerOrigin::Person));
    ship.say(Verdict::Wrong(Selector::of(TEXT, ship.span("Duarte")).unwrap()));
    assert_eq!(ship.words(&ship.ask(0.9, None)), [("Ines".to_owned(), AnswerOrigin::Person)]);
}

#[test]
fn only_what_the_reader_was_unsure_of_goes_to_the_larger_model_and_its_failure_costs_nothing() {
    let model = AbsentModel(std::sync::atomic::AtomicUsize::new(0));
    let calls = || model.0.load(std::sync::atomic::Ordering::Relaxed);
    let sure = Ship::new();
    sure.ask(0.95, None);
    assert_eq!(sure.ask(0.95, Some(&model)).source, AnswerOrigin::Remembered);
    assert_eq!((sure.reads.get(), calls()), (1, 0));

    let unsure = Ship::new();
    unsure.ask(0.2, None);
    let answered = unsure.ask(0.2, Some(&model));
    assert_eq!((unsure.reads.get(), calls()), (2, 1));
    assert_eq!(unsure.words(&answered), [("Duarte".to_owned(), AnswerOrigin::Reader)]);
    assert!(matches!(answered.larger, Some(Err(_))));
}

#[test]
fn what_is_no_number_of_answers_and_no_probability_is_refused_by_what_would_be_one() {
    let refusal = |top, threshold| check_page_limits(top, threshold).map_err(|limit| limit.to_string());
    for (top, threshold) in [(None, None), (Some(1), Some(0.0)), (Some(100), Some(1.0))] {
        assert_eq!(refusal(top, threshold), Ok(()));
    }
    for top in [0, 101] {
        assert_eq!(refusal(Some(top), None), Err("must be 1 to 100".into()));
    }
    for threshold in [-0.1, 1.1, f32::NAN] {
        assert_eq!(refusal(None, Some(threshold)), Err("must lie between 0 and 1".into()));
    }
}
