//! What every store must do, as cases that take a fresh store. Each backend's test runs all of them.

#![allow(dead_code, reason = "each backend's test uses some of the helpers")]

mod learn;
mod limits;
mod look;
mod travel;

use findall_store::{
    Answer, Feedback, Page, Pattern, PatternUse, Question, QuestionRecord, Reading, Selector, Store, Vector,
    Verdict, WriteOutcome,
};

/// A case and its name.
pub type Case = (&'static str, fn(&dyn Store));

/// All cases.
pub const CASES: &[Case] = &[
    ("exact question on exact content", look::exact),
    ("a page that does not answer is remembered too", look::not_here),
    ("a guess is remembered as one", look::guess),
    ("a copy under another address", look::copy),
    ("the same question in other words", look::other_words),
    ("top questions", look::top),
    ("similar questions across pages", look::similar),
    ("similar: nearest of many, and exactly those", look::similar_among_many),
    ("similar: filters never cut the result", look::similar_filtered),
    ("a newer reading replaces, another model's does not count", look::readings),
    ("pages are known by one key", look::keys),
    ("wrong changes later answers at once", learn::wrong),
    ("right outlives an edit of the page", learn::right),
    ("the latest word counts", learn::latest_word),
    ("corrections as training data", learn::training),
    ("privacy settings", limits::privacy),
    ("too long, NUL, no direction", limits::hostile),
    ("strange but allowed texts come back as they were", limits::strange),
    ("forget", limits::forget),
    ("statistics of an empty store", limits::empty),
    ("export and import are whole and can be repeated", travel::there_and_back),
    ("counts of several stores add up once", travel::counts),
    ("import obeys privacy", travel::privacy),
    ("many writers", limits::many_writers),
];

/// The reader's name in all cases.
pub const READER: &str = "reader-1";

/// A page whose content is named after its key.
pub fn page(key: &str) -> Page<'_> {
    Page { key, title: Some("A page"), content: [1; 32] }
}

/// A place of a word.
pub fn place(quote: &str) -> Selector {
    Selector { quote: quote.into(), prefix: "before ".into(), suffix: " after".into(), start: 7 }
}

/// As simple as a normaliser can be.
pub fn normalised(text: &str) -> String {
    text.trim_end_matches('?').to_lowercase()
}

/// A direction near axis `number % 384`; higher numbers lean to a second axis.
pub fn vector(number: usize) -> Vec<f32> {
    let mut values = vec![0.0; 384];
    values[number % 384] = 1.0;
    values[(number / 384 + number + 1) % 384] += 0.25;
    values
}

/// Makes a team's store take pages, as a person would have to.
pub fn share_all(store: &dyn Store) {
    store.add_pattern(PatternUse::Share, &Pattern::new("*").unwrap()).unwrap();
}

/// Asks and records what was read.
pub fn ask(store: &dyn Store, key: &str, text: &str, quotes: &[&str], values: Option<&[f32]>) -> i64 {
    ask_at(store, page(key), text, quotes, values, 1000)
}

/// The same of a given page at a given time.
pub fn ask_at(
    store: &dyn Store,
    page: Page<'_>,
    text: &str,
    quotes: &[&str],
    values: Option<&[f32]>,
    at: i64,
) -> i64 {
    let reading = Reading {
        answers: quotes.iter().map(|quote| (place(quote), 0.75)).collect(),
        no_answer: if quotes.is_empty() { 0.9 } else { 0.1 },
        model: READER.into(),
        ..Reading::default()
    };
    let normalised = normalised(text);
    let asked = QuestionRecord {
        page,
        question: Question { text, normalised: &normalised },
        vector: values.map(|values| Vector { encoder: "encoder-1", values }),
        reading: Some(reading),
        at,
    };
    match store.record(&asked).unwrap() {
        WriteOutcome::Kept(id) => id,
        WriteOutcome::Refused(refusal) => panic!("refused: {refusal:?}"),
    }
}

/// A person's word.
pub fn say(store: &dyn Store, page: Page<'_>, text: &str, verdict: Verdict, at: i64) {
    let normalised = normalised(text);
    let feedback = Feedback {
        page,
        question: Question { text, normalised: &normalised },
        vector: None,
        verdict,
        passage: "Text before Ada after that.",
        at,
    };
    assert!(matches!(store.record_feedback(&feedback).unwrap(), WriteOutcome::Kept(_)));
}

/// Quotes of some answers.
pub fn quotes(answers: &[Answer]) -> Vec<&str> {
    answers.iter().map(|answer| answer.selector.quote.as_str()).collect()
}

/// What the store shows for a question, as quotes; `None` when it knows nothing.
pub fn recall_texts(store: &dyn Store, page: Page<'_>, text: &str) -> Option<Vec<String>> {
    let known = store.recall_exact(&page, &normalised(text), Some(READER)).unwrap()?;
    Some(quotes(&known.answers).into_iter().map(str::to_owned).collect())
}
