//! The conformance suite on SQLite, and what only a file can do.

#![expect(clippy::print_stdout, reason = "which case failed")]

mod conformance;

use findall_store::exchange::{ImportOptions, Scope, import, write_all};
use findall_store::{ForgetTarget, SqliteStore, Store};

use conformance::{CASES, ask, vector};

#[test]
fn sqlite_conforms() {
    for (name, case) in CASES {
        let folder = tempfile::tempdir().unwrap();
        let store = SqliteStore::open(&folder.path().join("store.db")).unwrap();
        println!("{name}");
        case(&store);
        store.verify().unwrap();
    }
}

/// Bytes of the file and of the files that SQLite keeps beside it.
fn bytes_on_disk(folder: &std::path::Path) -> Vec<u8> {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| std::fs::read(entry.unwrap().path()).unwrap());
    files.flatten().collect()
}

#[test]
fn what_is_forgotten_is_gone_from_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&folder.path().join("store.db")).unwrap();
    let holds = |needle: &str| memmem(&bytes_on_disk(folder.path()), needle.as_bytes());
    for number in 0..300 {
        let key = format!("https://secret-{number}.example/");
        ask(
            &store,
            &key,
            &format!("Where is treasure {number}?"),
            &[&format!("under oak {number}")],
            Some(&vector(number)),
        );
    }
    assert!(holds("secret-7.example") && holds("under oak 7") && holds("treasure 7?"));
    let gone = store.forget(ForgetTarget::Pages("secret-7.example")).unwrap();
    assert_eq!((gone.pages, gone.questions, gone.wiped), (1, 1, true));
    for needle in ["secret-7.example", "under oak 7\0", "treasure 7?"] {
        assert!(!holds(needle), "{needle} is still on the disk");
    }
    assert!(holds("secret-70.example"));
    let gone = store.forget(ForgetTarget::Everything).unwrap();
    assert_eq!((gone.pages, gone.questions, gone.wiped), (299, 299, true));
    for needle in ["secret-", "under oak", "treasure"] {
        assert!(!holds(needle), "{needle} is still on the disk");
    }
}

fn memmem(bytes: &[u8], needle: &[u8]) -> bool {
    bytes.windows(needle.len()).any(|window| window == needle)
}

#[test]
fn two_stores_of_one_file_write_and_read_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let stores = [SqliteStore::open(&path).unwrap(), SqliteStore::open(&path).unwrap()];
    std::thread::scope(|scope| {
        for worker in 0..6 {
            let store = &stores[worker % 2];
            scope.spawn(move || {
                for round in 0..20 {
                    ask(
                        store,
                        &format!("https://example.org/{worker}"),
                        &format!("What is {round}?"),
                        &["it"],
                        None,
                    );
                    let own = format!("https://example.org/{worker}");
                    assert_eq!(store.top_questions(&own, 100).unwrap().len(), round + 1);
                }
            });
        }
    });
    let statistics = stores[0].statistics().unwrap();
    assert_eq!((statistics.pages, statistics.questions, statistics.asked), (6, 120, 120));
    stores[1].verify().unwrap();
}

#[test]
fn a_cut_off_export_says_so_and_keeps_what_came() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(&folder.path().join("a.db")).unwrap();
    for number in 0..3 {
        ask(&store, "https://example.org/", &format!("Question {number}?"), &["yes"], None);
    }
    let mut lines = Vec::new();
    write_all(&store, Scope::Everything, &mut lines).unwrap();
    let text = String::from_utf8(lines).unwrap();
    let cut: String = text.lines().take(5).map(|line| format!("{line}\n")).collect();
    let other = SqliteStore::open(&folder.path().join("b.db")).unwrap();
    let error = import(&other, &mut cut.as_bytes(), ImportOptions::default(), &mut |_| {}).unwrap_err();
    assert!(error.to_string().contains("cut off"), "{error}");
    assert_eq!(other.statistics().unwrap().questions, 2);
    for (bad, word) in [
        ("{\"kind\":\"store\",\"format\":99,\"store\":\"x\"}\n", "newer findall"),
        ("{\"kind\":\"end\",\"pages\":0,\"questions\":0}\n", "not the beginning"),
        ("hello\n", "line 1"),
        ("", "not the beginning"),
    ] {
        let error = import(&other, &mut bad.as_bytes(), ImportOptions::default(), &mut |_| {}).unwrap_err();
        assert!(error.to_string().contains(word), "{bad}: {error}");
    }
}
