//! Export and import, also from one kind of store to the other: the second store is always a fresh SQLite one.

use findall_store::exchange::{ImportCounts, ImportOptions, Scope, import, write_all};
use findall_store::{Pattern, PatternUse, SqliteStore, Store, Verdict};

use super::*;

fn exported(store: &dyn Store, scope: Scope) -> String {
    let mut out = Vec::new();
    write_all(store, scope, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn imported(store: &dyn Store, text: &str, settings: bool) -> ImportCounts {
    import(store, &mut text.as_bytes(), ImportOptions { settings }, &mut |_| {}).unwrap()
}

/// Lines without the header, which names the store.
fn body(text: &str) -> Vec<&str> {
    text.lines().skip(1).collect()
}

pub fn there_and_back(store: &dyn Store) {
    share_all(store);
    store.add_pattern(PatternUse::Deny, &Pattern::new("bank.example").unwrap()).unwrap();
    for number in 0..450 {
        let key = format!("https://example.org/{}", number % 7);
        let values = vector(number);
        ask(store, &key, &format!("Question {number}?"), &["x", "y"], (number % 3 > 0).then_some(&values));
    }
    let edited = findall_store::Page { content: [3; 32], ..page("https://example.org/1") };
    ask_at(store, edited, "Question 1?", &[], None, 5000);
    say(store, edited, "Question 1?", Verdict::Right(place("Ada")), 6000);
    say(store, edited, "Question 1?", Verdict::Wrong(place("x")), 6000);
    let text = exported(store, Scope::Everything);
    let folder = tempfile::tempdir().unwrap();
    let other = SqliteStore::open(&folder.path().join("other.db")).unwrap();
    let first = imported(&other, &text, true);
    assert_eq!(first, ImportCounts { pages: 7, questions: 450, readings: 451, corrections: 2, refused: 0 });
    let copy = exported(&other, Scope::Everything);
    assert_eq!(body(&copy), body(&text), "nothing is lost or changed on the way");
    assert_eq!(imported(&other, &text, true), ImportCounts::default(), "a second time brings nothing");
    assert_eq!(exported(&other, Scope::Everything), copy);
    assert_eq!(imported(store, &copy, true), ImportCounts::default(), "nor does the way back");
    assert_eq!(body(&exported(store, Scope::Everything)), body(&text));
}

pub fn counts(store: &dyn Store) {
    share_all(store);
    let folder = tempfile::tempdir().unwrap();
    let other = SqliteStore::open(&folder.path().join("other.db")).unwrap();
    share_all(&other);
    for _ in 0..2 {
        ask(store, "https://example.org/", "Who?", &["x"], None);
        ask(&other, "https://example.org/", "Who?", &["x"], None);
    }
    ask(&other, "https://example.org/", "Who?", &["x"], None);
    let count = |store: &dyn Store| store.top_questions("https://example.org/", 1).unwrap()[0].count;
    for _ in 0..2 {
        imported(store, &exported(&other, Scope::Everything), false);
        imported(&other, &exported(store, Scope::Everything), false);
        assert_eq!((count(store), count(&other)), (5, 5));
    }
    ask(store, "https://example.org/", "Who?", &["x"], None);
    imported(&other, &exported(store, Scope::Everything), false);
    assert_eq!(count(&other), 6);
}

pub fn privacy(store: &dyn Store) {
    store.add_pattern(PatternUse::Share, &Pattern::new("*.team.example").unwrap()).unwrap();
    ask(store, "https://wiki.team.example/", "Who?", &["x"], None);
    let folder = tempfile::tempdir().unwrap();
    let own = SqliteStore::open(&folder.path().join("own.db")).unwrap();
    for key in ["https://wiki.team.example/", "https://private.example/", "https://hr.team.example/"] {
        ask(&own, key, "Who?", &["x"], None);
    }
    assert!(
        !exported(&own, Scope::Shared).contains("https://"),
        "nothing is shared unless a pattern says so"
    );
    own.add_pattern(PatternUse::Share, &Pattern::new("*.team.example").unwrap()).unwrap();
    let shared = exported(&own, Scope::Shared);
    assert!(
        shared.contains("wiki.team") && !shared.contains("private.example") && !shared.contains("settings")
    );
    store.add_pattern(PatternUse::Deny, &Pattern::new("hr.*").unwrap()).unwrap();
    let brought = imported(store, &shared, false);
    assert_eq!((brought.pages, brought.refused), (0, 2), "hr is denied here: its page and its question");
    store.set_remember(false).unwrap();
    let all = exported(&own, Scope::Everything);
    imported(store, &all, false);
    assert!(!store.settings().unwrap().remember, "settings do not travel unless asked for");
    assert_eq!(store.settings().unwrap().patterns.len(), 2);
    imported(store, &all, true);
    assert!(store.settings().unwrap().remember);
}
