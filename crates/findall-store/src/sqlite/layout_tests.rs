//! Opening: every earlier layout, foreign files, newer files, several processes' worth of first openings at once.

use super::*;
use crate::sqlite::SqliteStore;
use crate::{SimilarQuestionSearch, Store, Vector};

/// A store as a program of layout `steps` left it, with a question in it.
fn store_of_layout(path: &Path, steps: usize) {
    let connection = Connection::open(path).unwrap();
    configure(&connection).unwrap();
    connection.pragma_update(None, "journal_mode", "WAL").unwrap();
    for step in &STEPS[..steps] {
        connection.execute_batch(&step.for_sqlite()).unwrap();
    }
    connection.pragma_update(None, "application_id", APPLICATION).unwrap();
    connection.pragma_update(None, "user_version", steps as i64).unwrap();
    connection
        .execute_batch(
            "INSERT INTO pages (key, title, first_seen, last_seen) VALUES ('https://example.org/', 'Lamps', 1, 1);
             INSERT INTO questions (page_id, normalised, text) VALUES (1, 'who lit it', 'Who lit it?');
             INSERT INTO asked (question_id, source, count, last_asked) VALUES (1, 'a', 3, 1);",
        )
        .unwrap();
    let vector: Vec<u8> =
        (0..384).flat_map(|at| (if at == 5 { 1.0f32 } else { 0.0 }).to_le_bytes()).collect();
    connection
        .execute("INSERT INTO vectors (question_id, encoder, vector) VALUES (1, 'e', ?1)", [vector])
        .unwrap();
    if steps >= 2 {
        scan::encode_all(&connection).unwrap();
    }
}

#[test]
fn every_earlier_layout_is_brought_up_to_date() {
    for steps in 1..=STEPS.len() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.db");
        store_of_layout(&path, steps);
        let store = SqliteStore::open(&path).unwrap();
        let top = store.top_questions("https://example.org/", 5).unwrap();
        assert_eq!((top[0].text.as_str(), top[0].count), ("Who lit it?", 3), "layout {steps}");
        let mut values = vec![0.0; 384];
        values[5] = 2.0;
        let wanted = SimilarQuestionSearch {
            vector: Vector { encoder: "e", values: &values },
            threshold: 0.9,
            limit: 3,
            except_page: None,
            answered: false,
        };
        let similar = store.find_similar_questions(&wanted).unwrap();
        assert_eq!(similar.len(), 1, "layout {steps}");
        assert!(similar[0].likeness > 0.999);
        assert_eq!(store.statistics().unwrap().layout, LAYOUT);
        Store::verify(&store).unwrap();
    }
}

#[test]
fn a_newer_store_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    drop(SqliteStore::open(&path).unwrap());
    let connection = Connection::open(&path).unwrap();
    connection.pragma_update(None, "user_version", LAYOUT + 1).unwrap();
    drop(connection);
    let before = std::fs::read(&path).unwrap();
    let error = SqliteStore::open(&path).err().unwrap();
    assert!(matches!(error, StoreError::Newer { .. }), "{error}");
    assert!(error.to_string().ends_with("update findall"));
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn foreign_files_are_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("notes.txt");
    std::fs::write(&text, "a letter of some length that nobody wants to lose").unwrap();
    let database = folder.path().join("other.db");
    Connection::open(&database).unwrap().execute_batch("CREATE TABLE theirs (a)").unwrap();
    let torn = folder.path().join("torn.db");
    std::fs::write(&torn, [MAGIC, &[0; 84]].concat()).unwrap();
    for path in [text, database, torn] {
        let before = std::fs::read(&path).unwrap();
        let error = SqliteStore::open(&path).err().unwrap();
        assert!(matches!(error, StoreError::Foreign { .. }), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), before);
    }
    let error = SqliteStore::open(folder.path()).err().unwrap();
    assert!(matches!(error, StoreError::Unreachable { .. }), "a folder: {error}");
}

#[test]
fn many_open_a_new_store_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/er/store.db");
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| SqliteStore::open(&path).unwrap().statistics().unwrap());
        }
    });
    Store::verify(&SqliteStore::open(&path).unwrap()).unwrap();
}

#[cfg(unix)]
#[test]
fn only_the_owner_can_read_a_store() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data/store.db");
    let store = SqliteStore::open(&path).unwrap();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&path), 0o600);
    assert_eq!(mode(path.parent().unwrap()), 0o700);
    store.set_remember(true).unwrap();
    for beside in ["store.db-wal", "store.db-shm"] {
        assert_eq!(mode(&path.with_file_name(beside)), 0o600, "{beside}");
    }
}

#[cfg(unix)]
#[test]
fn a_store_that_others_can_read_is_mended_and_a_foreign_file_is_not() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let loosen = |path: &Path| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o644)).unwrap();
    };
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let held = SqliteStore::open(&path).unwrap();
    let log = folder.path().join("store.db-wal");
    loosen(&path);
    loosen(&log);
    assert!(is_open_to_others(&path));
    SqliteStore::open(&path).unwrap();
    assert_eq!((mode(&path), mode(&log)), (0o600, 0o600));
    drop(held);
    let foreign = folder.path().join("letter.txt");
    std::fs::write(&foreign, "a letter of some length that many may read").unwrap();
    loosen(&foreign);
    assert!(SqliteStore::open(&foreign).is_err());
    assert_eq!(mode(&foreign), 0o644);
}

#[test]
fn many_first_openings_at_once_make_one_store() {
    for round in 0..40 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.db");
        let start = std::sync::Barrier::new(6);
        std::thread::scope(|scope| {
            for _ in 0..6 {
                scope.spawn(|| {
                    start.wait();
                    if let Err(error) = SqliteStore::open(&path) {
                        panic!("round {round}: {error}");
                    }
                });
            }
        });
    }
}

#[test]
fn who_looks_while_a_store_is_made_sees_all_of_it_or_nothing() {
    for round in 0..20 {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.db");
        prepare_file(&path).unwrap();
        let mut connection = Connection::open(&path).unwrap();
        configure(&connection).unwrap();
        std::thread::scope(|scope| {
            let making = scope.spawn(|| SqliteStore::open(&path).map(drop));
            // As often as can be, so that one look falls together with the moment at which it is there.
            while !making.is_finished() {
                let seen = read_layout(&path, &mut connection);
                assert!(matches!(seen, Ok(0 | LAYOUT)), "round {round}: {seen:?}");
            }
            making.join().unwrap().unwrap();
        });
    }
}
