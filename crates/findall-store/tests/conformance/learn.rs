//! Learning from persons.

use findall_store::exchange::write_corrections;
use findall_store::{Origin, Page, Selector, Store, Vector, Verdict};

use super::*;

pub fn wrong(store: &dyn Store) {
    share_all(store);
    let here = page("https://example.org/");
    ask(store, here.key, "Who lit it?", &["Ben", "Ada"], Some(&vector(3)));
    say(store, here, "Who lit it?", Verdict::Wrong(place("Ben")), 2000);
    assert_eq!(recall_texts(store, here, "Who lit it?"), Some(vec!["Ada".into()]));
    let near = store
        .recall_same_question(&here, Vector { encoder: "encoder-1", values: &vector(3) }, 0.9, None)
        .unwrap();
    assert_eq!(quotes(&near[0].remembered.answers), ["Ada"], "in other words too");
    assert_eq!(quotes(&store.top_questions(here.key, 1).unwrap()[0].answers), ["Ada"]);
    // The same word in another place is another answer.
    let elsewhere = Selector { prefix: "later ".into(), suffix: " too".into(), ..place("Ben") };
    let said = store.corrections(here.key, "who lit it").unwrap();
    assert!(said.rejects(&place("Ben")) && !said.rejects(&elsewhere));
    say(store, here, "Who lit it?", Verdict::Wrong(place("Ada")), 3000);
    assert_eq!(recall_texts(store, here, "Who lit it?"), None, "all rejected: it must be read anew");
    ask_at(store, here, "Who lit it?", &["Ada", "Cay"], None, 4000);
    assert_eq!(
        recall_texts(store, here, "Who lit it?"),
        Some(vec!["Cay".into()]),
        "and the new reading is filtered"
    );
}

pub fn right(store: &dyn Store) {
    share_all(store);
    let here = page("https://example.org/");
    ask(store, here.key, "Who lit it?", &["Ben"], None);
    say(store, here, "Who lit it?", Verdict::Right(place("Ada")), 2000);
    let known = store.recall_exact(&here, "who lit it", Some(READER)).unwrap().unwrap();
    assert_eq!(quotes(&known.answers), ["Ada"]);
    assert_eq!(
        (known.answers[0].origin, known.answers[0].confidence, known.answers[0].at),
        (Origin::Person, 1.0, 2000)
    );
    let edited = Page { content: [9; 32], ..here };
    assert_eq!(recall_texts(store, edited, "Who lit it?"), Some(vec!["Ada".into()]), "the page was edited");
    assert_eq!(recall_texts(store, edited, "Who else?"), None);
    say(store, here, "Who lit it?", Verdict::Right(place("Cay")), 3000);
    assert_eq!(
        recall_texts(store, here, "Who lit it?"),
        Some(vec!["Ada".into(), "Cay".into()]),
        "several can be right"
    );
    say(store, page("https://example.org/new"), "Never asked?", Verdict::Right(place("yes")), 1);
    assert_eq!(
        recall_texts(store, page("https://example.org/new"), "Never asked?"),
        Some(vec!["yes".into()])
    );
}

pub fn latest_word(store: &dyn Store) {
    share_all(store);
    let here = page("https://example.org/");
    ask(store, here.key, "Who?", &["Ada"], None);
    say(store, here, "Who?", Verdict::Wrong(place("Ada")), 2000);
    say(store, here, "Who?", Verdict::Right(place("Ada")), 3000);
    assert_eq!(recall_texts(store, here, "Who?"), Some(vec!["Ada".into()]));
    assert!(!store.corrections(here.key, "who").unwrap().rejects(&place("Ada")));
    say(store, here, "Who?", Verdict::Wrong(place("Ada")), 4000);
    assert_eq!(recall_texts(store, here, "Who?"), None);
}

pub fn training(store: &dyn Store) {
    share_all(store);
    let here = page("https://example.org/");
    ask(store, here.key, "Who lit it?", &["Ben"], None);
    ask(store, here.key, "Not corrected?", &["Ben"], None);
    say(store, here, "Who lit it?", Verdict::Wrong(place("Ben")), 2000);
    say(store, here, "Who lit it?", Verdict::Right(place("Ada")), 3000);
    say(store, here, "Taken back?", Verdict::Right(place("Dot")), 3000);
    say(store, here, "Taken back?", Verdict::Wrong(place("Dot")), 4000);
    let mut out = Vec::new();
    assert_eq!(write_corrections(store, &mut out).unwrap(), 1);
    let row: serde_json::Value = serde_json::from_slice(&out).unwrap();
    assert_eq!(row["question"], "Who lit it?");
    assert_eq!(row["title"], "A page");
    assert_eq!(row["context"], "Text before Ada after that.");
    assert_eq!(row["answers"], serde_json::json!({"text": ["Ada"], "answer_start": [12]}));
    assert_eq!((&row["is_impossible"], &row["wrong"]), (&false.into(), &serde_json::json!(["Ben"])));
}
