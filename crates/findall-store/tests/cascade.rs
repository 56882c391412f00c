//! The cascade on a real store, with an encoder and a reader that count how often they are called.

use std::cell::Cell;

use findall::Span;
use findall_store::cascade::{CascadeOutcome, FreshReading, Inquiry, Source};
use findall_store::{
    Feedback, ForgetReport, ForgetTarget, Origin, Page, Question, QuestionRecord, SqliteStore, Store,
    StoreError, Vector, Verdict, WriteOutcome,
};
use findall_store::{Selector, exchange};

const TEXT: &str =
    "The lamp was lit by Ada in 1901. Ben only watched. The second lamp was lit by Cay in 1902.";

fn span(words: &str) -> Span {
    let start = TEXT.find(words).unwrap();
    Span::new(start, start + words.len())
}

/// One direction for the lamp's lighter, another for everything else.
fn encode(question: &str) -> Vec<f32> {
    let mut values = vec![0.0; 384];
    values[if question.contains("lit") || question.contains("lighted") { 0 } else { 1 }] = 1.0;
    values[2] = question.len() as f32 / 1000.0;
    values
}

struct Bench {
    _folder: tempfile::TempDir,
    store: SqliteStore,
    encoded: Cell<u32>,
    read: Cell<u32>,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(&folder.path().join("store.db")).unwrap();
        Self { _folder: folder, store, encoded: Cell::new(0), read: Cell::new(0) }
    }

    fn inquiry<'a>(&'a self, question: &'a str, text: &'a str, content: u8) -> Inquiry<'a> {
        Inquiry {
            store: &self.store,
            page: Page { key: "https://example.org/", title: None, content: [content; 32] },
            text,
            question,
            encoder: "encoder",
            reader: "reader",
            recall: true,
            remember: true,
        }
    }

    /// Asks a reader that finds Ada and Ben, less what persons rejected.
    fn ask(&self, inquiry: &Inquiry<'_>) -> CascadeOutcome<Vec<Span>> {
        inquiry
            .ask::<_, StoreError>(
                || {
                    self.encoded.set(self.encoded.get() + 1);
                    Ok(encode(inquiry.question))
                },
                |said| {
                    self.read.set(self.read.get() + 1);
                    let found = [span("Ada"), span("Ben")];
                    let kept =
                        found.into_iter().filter(|span| !said.rejects(&Selector::of(TEXT, *span).unwrap()));
                    let kept: Vec<Span> = kept.collect();
                    let answers = kept.iter().map(|span| (*span, 0.75)).collect();
                    Ok((kept, Some(FreshReading { answers, no_answer: 0.1, ..FreshReading::default() })))
                },
            )
            .unwrap()
    }

    fn counts(&self) -> (u32, u32) {
        (self.encoded.take(), self.read.take())
    }

    fn say(&self, question: &str, verdict: Verdict) {
        let normalised = findall::ask::question::normalise(question);
        let page = Page { key: "https://example.org/", title: None, content: [1; 32] };
        let question = Question { text: question, normalised: &normalised };
        let feedback = Feedback { page, question, vector: None, verdict, passage: "", at: 1 };
        assert!(matches!(self.store.record_feedback(&feedback).unwrap(), WriteOutcome::Kept(_)));
    }
}

fn spans(answered: &CascadeOutcome<Vec<Span>>) -> Vec<Span> {
    match &answered.answer {
        Ok(recalled) => recalled.answers.iter().map(|found| found.span).collect(),
        Err(read) => read.clone(),
    }
}

#[test]
fn read_once_then_remembered_then_in_other_words() {
    let bench = Bench::new();
    let first = bench.ask(&bench.inquiry("Who lit the lamp?", TEXT, 1));
    assert_eq!((first.source.clone(), bench.counts()), (Source::Read, (1, 1)));
    let again = bench.ask(&bench.inquiry("who lit  the lamp", TEXT, 1));
    assert_eq!((again.source.clone(), bench.counts()), (Source::Remembered, (0, 0)), "not even encoded");
    assert_eq!(spans(&again), [span("Ada"), span("Ben")]);
    let other = bench.ask(&bench.inquiry("Who lit this lamp?", TEXT, 1));
    assert_eq!(bench.counts(), (1, 0));
    assert!(
        matches!(other.source, Source::OtherWords { ref asked, likeness } if asked == "who lit  the lamp" && likeness > 0.95),
        "{:?}",
        other.source
    );
    assert_eq!(spans(&other), [span("Ada"), span("Ben")]);
    let different = bench.ask(&bench.inquiry("Who lit the lamp in 1902?", TEXT, 1));
    assert_eq!(
        (different.source, bench.counts()),
        (Source::Read, (1, 1)),
        "a number more is another question"
    );
    let top = bench.store.top_questions("https://example.org/", 9).unwrap();
    assert_eq!((top[0].count, top.len()), (2, 3), "every asking was counted");
    assert!(again.trouble.is_none());
}

#[test]
fn an_edited_page_is_read_anew_but_corrections_hold() {
    let bench = Bench::new();
    bench.ask(&bench.inquiry("Who lit the lamp?", TEXT, 1));
    bench.say("Who lit the lamp?", Verdict::Wrong(Selector::of(TEXT, span("Ben")).unwrap()));
    assert_eq!(spans(&bench.ask(&bench.inquiry("Who lit the lamp?", TEXT, 1))), [span("Ada")], "at once");
    let other = bench.ask(&bench.inquiry("Who lit this lamp?", TEXT, 1));
    assert_eq!(spans(&other), [span("Ada")], "in other words too");
    bench.counts();
    let read = bench.ask(&Inquiry { recall: false, ..bench.inquiry("Who lit the lamp?", TEXT, 1) });
    assert_eq!((spans(&read), bench.counts()), (vec![span("Ada")], (1, 1)), "the reader is told");
    bench.say("Who lit the lamp?", Verdict::Right(Selector::of(TEXT, span("Cay")).unwrap()));
    let edited = format!("A new beginning. {}", TEXT.replace("only watched", "slept"));
    let found = bench.ask(&bench.inquiry("Who lit the lamp?", &edited, 2));
    let recalled = found.answer.unwrap();
    assert_eq!(recalled.answers[0].span.slice(&edited), Some("Cay"));
    assert_eq!((recalled.answers[0].origin, bench.counts()), (Origin::Person, (0, 0)));
    let gone = bench.ask(&bench.inquiry("Who lit the lamp?", "Another text altogether.", 3));
    assert_eq!(gone.source, Source::Read, "what cannot be found is not known");
    // A correction of the other wording holds for what is remembered under the first.
    bench.store.forget(ForgetTarget::Everything).unwrap();
    bench.ask(&bench.inquiry("Who lit the lamp?", TEXT, 1));
    bench.say("Who lit this lamp?", Verdict::Wrong(Selector::of(TEXT, span("Ada")).unwrap()));
    assert_eq!(spans(&bench.ask(&bench.inquiry("Who lit this lamp?", TEXT, 1))), [span("Ben")]);
    assert_eq!(spans(&bench.ask(&bench.inquiry("Who lit the lamp?", TEXT, 1))), [span("Ada"), span("Ben")]);
}

#[test]
fn nothing_is_written_unless_wanted() {
    let bench = Bench::new();
    let quiet = Inquiry { remember: false, ..bench.inquiry("Who lit the lamp?", TEXT, 1) };
    bench.ask(&quiet);
    assert_eq!(bench.store.statistics().unwrap().pages, 0);
    bench.ask(&bench.inquiry("Who lit the lamp?", TEXT, 1));
    assert_eq!(bench.ask(&quiet).source, Source::Remembered, "it may still look");
    assert_eq!(bench.store.statistics().unwrap().asked, 1);
}

/// A store that always fails.
struct BrokenStore;

fn broken<T>() -> Result<T, StoreError> {
    Err(StoreError::Failed { place: "broken".into(), reason: "on fire".into() })
}

impl Store for BrokenStore {
    fn record(&self, _: &QuestionRecord<'_>) -> Result<WriteOutcome, StoreError> {
        broken()
    }
    fn recall_exact(
        &self,
        _: &Page<'_>,
        _: &str,
        _: Option<&str>,
    ) -> Result<Option<findall_store::RememberedAnswers>, StoreError> {
        broken()
    }
    fn recall_same_question(
        &self,
        _: &Page<'_>,
        _: Vector<'_>,
        _: f32,
        _: Option<&str>,
    ) -> Result<Vec<findall_store::NearQuestion>, StoreError> {
        broken()
    }
    fn corrections(&self, _: &str, _: &str) -> Result<findall_store::Corrections, StoreError> {
        broken()
    }
    fn top_questions(&self, _: &str, _: usize) -> Result<Vec<findall_store::TopQuestion>, StoreError> {
        broken()
    }
    fn find_similar_questions(
        &self,
        _: &findall_store::SimilarQuestionSearch<'_>,
    ) -> Result<Vec<findall_store::SimilarQuestion>, StoreError> {
        broken()
    }
    fn record_feedback(&self, _: &Feedback<'_>) -> Result<WriteOutcome, StoreError> {
        broken()
    }
    fn settings(&self) -> Result<findall_store::Settings, StoreError> {
        broken()
    }
    fn set_remember(&self, _: bool) -> Result<(), StoreError> {
        broken()
    }
    fn add_pattern(
        &self,
        _: findall_store::PatternUse,
        _: &findall_store::Pattern,
    ) -> Result<bool, StoreError> {
        broken()
    }
    fn remove_pattern(&self, _: findall_store::PatternUse, _: &str) -> Result<bool, StoreError> {
        broken()
    }
    fn forget(&self, _: ForgetTarget<'_>) -> Result<ForgetReport, StoreError> {
        broken()
    }
    fn statistics(&self) -> Result<findall_store::Statistics, StoreError> {
        broken()
    }
    fn verify(&self) -> Result<(), StoreError> {
        broken()
    }
    fn export(
        &self,
        _: exchange::Scope,
        _: &mut dyn FnMut(exchange::Line) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        broken()
    }
    fn import(
        &self,
        _: &[exchange::Line],
        _: exchange::ImportOptions,
    ) -> Result<exchange::ImportCounts, StoreError> {
        broken()
    }
}

#[test]
fn a_store_that_fails_costs_its_memory_and_not_the_answer() {
    let bench = Bench::new();
    let answered = bench.ask(&Inquiry { store: &BrokenStore, ..bench.inquiry("Who lit the lamp?", TEXT, 1) });
    assert_eq!((spans(&answered), answered.source), (vec![span("Ada"), span("Ben")], Source::Read));
    assert!(answered.trouble.unwrap().to_string().contains("on fire"));
}
