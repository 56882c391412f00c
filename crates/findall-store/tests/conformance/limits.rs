//! Limits: privacy, hostile input, forgetting, concurrency.

use findall_store::{
    ForgetTarget, Pattern, PatternUse, Question, QuestionRecord, Reading, Refusal, Selector, Store,
    StoreError, Vector, Verdict, WriteOutcome,
};

use super::*;

fn try_ask(store: &dyn Store, key: &str) -> WriteOutcome {
    let question = Question { text: "Who?", normalised: "who" };
    let asked =
        QuestionRecord { page: page(key), question, vector: None, reading: Some(Reading::default()), at: 1 };
    store.record(&asked).unwrap()
}

pub fn privacy(store: &dyn Store) {
    share_all(store);
    let deny = Pattern::new("*.bank.example").unwrap();
    assert!(store.add_pattern(PatternUse::Deny, &deny).unwrap());
    assert!(!store.add_pattern(PatternUse::Deny, &deny).unwrap(), "it is there");
    assert_eq!(try_ask(store, "https://my.bank.example/"), WriteOutcome::Refused(Refusal::Denied));
    assert!(matches!(try_ask(store, "https://example.org/"), WriteOutcome::Kept(_)));
    store.set_remember(false).unwrap();
    assert_eq!(try_ask(store, "https://example.org/"), WriteOutcome::Refused(Refusal::Off));
    assert!(!store.settings().unwrap().remember);
    let word = findall_store::Feedback {
        page: page("https://example.org/"),
        question: Question { text: "Who?", normalised: "who" },
        vector: None,
        verdict: Verdict::Right(place("Ada")),
        passage: "",
        at: 1,
    };
    assert_eq!(store.record_feedback(&word).unwrap(), WriteOutcome::Refused(Refusal::Off));
    store.set_remember(true).unwrap();
    assert!(store.remove_pattern(PatternUse::Deny, " *.bank.example ").unwrap());
    assert!(!store.remove_pattern(PatternUse::Deny, "*.bank.example").unwrap());
    assert!(matches!(try_ask(store, "https://my.bank.example/"), WriteOutcome::Kept(_)));
    assert_eq!(store.statistics().unwrap().asked, 2, "nothing was written where it was refused");
    let settings = store.settings().unwrap();
    assert!(settings.remember);
    let patterns: Vec<_> = settings.patterns.iter().map(|(purpose, one)| (*purpose, one.as_str())).collect();
    assert_eq!(patterns, [(PatternUse::Share, "*")]);
}

pub fn hostile(store: &dyn Store) {
    share_all(store);
    let long = "x".repeat(20_000);
    let record = |key: &str, title: Option<&str>, text: &str, selector: Selector, values: Option<&[f32]>| {
        let reading = Reading { answers: vec![(selector, 0.5)], ..Reading::default() };
        store.record(&QuestionRecord {
            page: findall_store::Page { key, title, content: [0; 32] },
            question: Question { text, normalised: "q" },
            vector: values.map(|values| Vector { encoder: "e", values }),
            reading: Some(reading),
            at: 1,
        })
    };
    let too_long = |result| matches!(result, Err(StoreError::TooLong { .. }));
    assert!(too_long(record(&long, None, "q", place("a"), None)));
    assert!(too_long(record("k", None, &long, place("a"), None)));
    assert!(too_long(record("k", None, "q", place(&long), None)));
    let nul = |result| matches!(result, Err(StoreError::Unstorable { .. }));
    assert!(nul(record("k\0", None, "q", place("a"), None)));
    assert!(nul(record("k", Some("\0"), "q", place("a"), None)));
    assert!(nul(record("k", None, "q\0", place("a"), None)));
    assert!(nul(record("k", None, "q", place("a\0"), None)));
    let zero = vec![0.0; 384];
    let mut nan = zero.clone();
    nan[3] = f32::NAN;
    for values in [&zero[..], &nan[..], &zero[..3], &[]] {
        let result = record("k", None, "q", place("a"), Some(values));
        assert!(matches!(result, Err(StoreError::Vector { .. })), "{} values", values.len());
    }
    assert_eq!(store.statistics().unwrap().pages, 0, "nothing of it was written");
    assert!(record("k", Some(&long), "q", place("a"), None).is_ok(), "a long title is cut");
    let many = Reading { answers: vec![(place("a"), 0.5); 201], ..Reading::default() };
    let question = Question { text: "q", normalised: "q" };
    assert!(too_long(store.record(&QuestionRecord {
        page: page("k"),
        question,
        vector: None,
        reading: Some(many),
        at: 1
    })));
}

pub fn strange(store: &dyn Store) {
    share_all(store);
    let texts = [
        "",
        " ",
        "'; DROP TABLE pages; --",
        "naïve \u{301}\u{202e}שלום 🏳️‍🌈",
        "\\x00 %s $1 {}",
        "line\r\n\ttab\u{1}\u{7f}",
    ];
    for (number, text) in texts.iter().enumerate() {
        let key = format!("key {number} {text}");
        ask(store, &key, text, &[text], None);
        let known = store.recall_exact(&page(&key), &normalised(text), None).unwrap().unwrap();
        assert_eq!(known.text, *text);
        assert_eq!(quotes(&known.answers), [*text]);
    }
    let extreme = Selector { start: u64::MAX, ..place("far") };
    let reading = Reading { answers: vec![(extreme, f32::MIN_POSITIVE)], ..Reading::default() };
    let question = Question { text: "Far?", normalised: "far" };
    let page = page("k");
    store
        .record(&QuestionRecord { page, question, vector: None, reading: Some(reading), at: i64::MIN })
        .unwrap();
    let known = store.recall_exact(&page, "far", None).unwrap().unwrap();
    assert_eq!(known.answers[0].selector.start, i64::MAX as u64, "as far as a store can count");
    assert_eq!(known.answers[0].at, i64::MIN);
}

pub fn forget(store: &dyn Store) {
    share_all(store);
    for key in ["https://a.example/1", "https://a.example/2?x=1", "https://b.example/", "https://c.example/"]
    {
        for text in ["Who?", "Why?"] {
            ask(store, key, text, &["x"], Some(&vector(1)));
        }
        say(store, page(key), "Who?", Verdict::Right(place("Ada")), 2000);
    }
    let gone = store.forget(ForgetTarget::Pages("https://a.example/2?x=1")).unwrap();
    assert_eq!((gone.pages, gone.questions), (1, 2), "a key is no glob where a page has it");
    assert!(store.top_questions("https://a.example/2?x=1", 5).unwrap().is_empty());
    let gone =
        store.forget(ForgetTarget::Question { normalised: "why", page: Some("https://b.example/") }).unwrap();
    assert_eq!((gone.pages, gone.questions), (0, 1));
    assert_eq!(store.top_questions("https://b.example/", 5).unwrap().len(), 1);
    assert_eq!(store.top_questions("https://a.example/1", 5).unwrap().len(), 2);
    let gone = store.forget(ForgetTarget::Question { normalised: "who", page: None }).unwrap();
    assert_eq!((gone.pages, gone.questions), (1, 3), "b has no question left");
    assert_eq!(store.forget(ForgetTarget::Pages("{a,c}.example")).unwrap().pages, 2);
    let statistics = store.statistics().unwrap();
    let left = [
        statistics.pages,
        statistics.versions,
        statistics.questions,
        statistics.asked,
        statistics.answers,
        statistics.corrections,
    ];
    assert_eq!(left, [0; 6], "nothing hangs on nothing");
    assert_eq!(store.forget(ForgetTarget::Pages("https://never.example/")).unwrap().pages, 0);
    ask(store, "https://a.example/", "Who?", &["x"], Some(&vector(1)));
    assert_eq!(store.forget(ForgetTarget::Everything).unwrap().pages, 1);
    assert_eq!(store.settings().unwrap().patterns.len(), 1, "settings stay");
    ask(store, "https://a.example/", "Who?", &["x"], Some(&vector(1)));
    assert_eq!(store.statistics().unwrap().asked, 1, "and it works as before");
}

pub fn empty(store: &dyn Store) {
    let statistics = store.statistics().unwrap();
    assert_eq!((statistics.pages, statistics.asked, statistics.layout), (0, 0, 3));
    assert!(statistics.bytes > 0 && !statistics.place.is_empty());
    assert!(store.settings().unwrap().remember);
}

pub fn many_writers(store: &dyn Store) {
    share_all(store);
    std::thread::scope(|scope| {
        for worker in 0..8 {
            scope.spawn(move || {
                for round in 0..10 {
                    // All write to the same page, half of them the same question.
                    let text =
                        if worker % 2 == 0 { "Shared?".to_owned() } else { format!("{worker} {round}?") };
                    ask(store, "https://example.org/", &text, &["x"], Some(&vector(worker)));
                    store.top_questions("https://example.org/", 3).unwrap();
                }
            });
        }
    });
    let top = store.top_questions("https://example.org/", 1).unwrap();
    assert_eq!((top[0].text.as_str(), top[0].count), ("Shared?", 40));
    let statistics = store.statistics().unwrap();
    assert_eq!((statistics.questions, statistics.asked, statistics.answers), (41, 80, 41));
}
