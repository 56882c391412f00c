//! A library by its public face: files in, out and changed; words found; what was committed is there for the next one.

use std::ops::ControlFlow;
use std::path::Path;

use findall::document::Document;
use findall::engine::Engine;
use findall::like::{Example, LikeOptions, Term};
use findall::testing::{small_encoder, small_knowledge, small_tagger};
use findall_library::{Library, LibraryError, Stamp};

const FILES: [(&str, &str); 3] = [
    ("/d/a.txt", "Ada Reed taught music at a school in Lyon. She moved away."),
    ("/d/b.txt", "Dora Lind taught music in a large school. The school closed."),
    ("/e/c.txt", "Cara Holt sold fish on the market."),
];

fn engine() -> Engine {
    Engine::new(small_encoder(), small_tagger(), small_knowledge())
}

fn filled(folder: &Path) -> Library {
    let library = Library::create(folder).unwrap();
    let mut writer = library.writer().unwrap();
    for (path, text) in FILES {
        writer.put(path, Stamp::of_text(text), &Document::from_text(text)).unwrap();
    }
    writer.commit().unwrap();
    writer.finish().unwrap();
    library
}

fn analyse(library: &Library, engine: &Engine) -> usize {
    let writer = library.writer().unwrap();
    let done = writer.analyse(&engine.analyser(), &engine.made_by(), &mut |_, _| Ok(()), &mut |_| {
        ControlFlow::Continue(())
    });
    done.unwrap().files
}

#[test]
fn words_are_found_after_a_commit_and_only_then() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::create(folder.path()).unwrap();
    let mut writer = library.writer().unwrap();
    writer.put("x", Stamp::of_text("a"), &Document::from_text("The ferry leaves at nine.")).unwrap();
    assert!(library.snapshot().unwrap().files().is_empty());
    writer.commit().unwrap();
    let snapshot = Library::open(folder.path()).unwrap().snapshot().unwrap();
    let found = snapshot.passages("when do ferries leave", 10);
    assert_eq!(found.len(), 1);
    let document = snapshot.document(found[0].file).unwrap();
    assert_eq!(found[0].span.slice(document.text()), Some("The ferry leaves at nine."));
    assert!(snapshot.passages("the of and", 10).is_empty());
    assert!(snapshot.passages("zebra", 10).is_empty());
}

#[test]
fn a_changed_file_replaces_itself_and_a_removed_one_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let library = filled(folder.path());
    let mut writer = library.writer().unwrap();
    assert_eq!(writer.find_file("/d/a.txt").unwrap().stamp, Stamp::of_text(FILES[0].1));
    writer.put("/d/a.txt", Stamp::of_text("new"), &Document::from_text("Ada Reed sings.")).unwrap();
    assert!(writer.remove("/e/c.txt") && !writer.remove("/nowhere"));
    writer.commit().unwrap();
    drop(writer);
    let snapshot = library.snapshot().unwrap();
    let mut paths: Vec<&str> = snapshot.files().iter().map(|known| known.path.as_str()).collect();
    paths.sort_unstable();
    assert_eq!(paths, ["/d/a.txt", "/d/b.txt"]);
    assert!(snapshot.passages("Lyon", 5).is_empty() && snapshot.passages("fish", 5).is_empty());
    assert_eq!(snapshot.passages("sings", 5).len(), 1);
}

#[test]
fn alike_entities_come_from_all_documents_or_from_under_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let (library, engine) = (filled(folder.path()), engine());
    assert_eq!(library.status().unwrap().analysed, 0);
    assert_eq!(analyse(&library, &engine), 3);
    assert_eq!(analyse(&library, &engine), 0, "everything is there");
    let status = library.status().unwrap();
    assert_eq!((status.documents, status.analysed, status.sentences), (3, 3, 5));
    let example = Example {
        entity: "Ada Reed".into(),
        sentence: "Ada Reed taught music at a school in Lyon.".into(),
        terms: vec![Term { word: "school".into(), weight: 3 }],
    };
    let names = |root: Option<&Path>| -> Vec<String> {
        let (corpus, _) = library.snapshot().unwrap().corpus(&engine.made_by(), root).unwrap();
        let alike = engine.like(&corpus, &example, &LikeOptions::default()).unwrap();
        alike.entities.into_iter().map(|entity| entity.name).collect()
    };
    assert_eq!(names(None), ["Dora Lind", "Cara Holt"]);
    assert_eq!(names(Some(Path::new("/e"))), ["Cara Holt"]);
    assert!(names(Some(Path::new("/nowhere"))).is_empty());
}

#[test]
fn a_document_is_found_by_what_is_known_about_what_it_names() {
    let folder = tempfile::tempdir().unwrap();
    let (library, engine) = (Library::create(folder.path()).unwrap(), engine());
    let mut writer = library.writer().unwrap();
    for (path, text) in
        [("a", "Lyon was far away."), ("b", "They used WeChat."), ("c", "WeChat is not Lyon.")]
    {
        writer.put(path, Stamp::of_text(text), &Document::from_text(text)).unwrap();
    }
    writer.commit().unwrap();
    drop(writer);
    assert_eq!(analyse(&library, &engine), 3);
    let made_by = engine.made_by();
    let found = |query: &str| -> Vec<String> {
        let snapshot = library.snapshot().unwrap();
        let (corpus, files) = snapshot.corpus(&made_by, None).unwrap();
        let query = engine.question_vector(query).unwrap();
        let ranking = snapshot.rank_by_knowledge(&corpus, &made_by, &query, 2).unwrap();
        ranking.iter().map(|ranked| snapshot.files()[files[ranked.passage]].path.clone()).collect()
    };
    assert!(found("messaging app").is_empty(), "nothing is learned yet");
    let learn = || {
        let writer = library.writer().unwrap();
        writer.learn(&engine.analyser(), &made_by, &mut |_, _| {}).unwrap()
    };
    assert_eq!((learn(), learn()), (2, 0), "each entity once");
    assert_eq!(found("messaging app"), ["b", "c"]);
    let log = folder.path().join("knowledge.log");
    let whole = std::fs::read(&log).unwrap();
    std::fs::write(&log, &whole[..whole.len() - 1]).unwrap();
    assert_eq!(learn(), 1, "the torn one is made again");
    assert_eq!(std::fs::read(&log).unwrap(), whole);
}

#[test]
fn an_analysis_that_was_stopped_or_torn_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let (library, engine) = (filled(folder.path()), engine());
    analyse(&library, &engine);
    let log = folder.path().join("meaning.log");
    let whole = std::fs::read(&log).unwrap();
    for length in [0, 1, 40, whole.len() / 3, whole.len() / 2, whole.len() - 1] {
        std::fs::write(&log, &whole[..length]).unwrap();
        let before = library.status().unwrap().analysed;
        assert!(before < 3, "a torn record is not believed");
        library.verify().unwrap();
        assert_eq!(analyse(&library, &engine), 3 - before);
        assert_eq!(library.status().unwrap().analysed, 3);
    }
    let mut changed = whole.clone();
    let last = changed.len() - 20;
    changed[last] ^= 1;
    std::fs::write(&log, &changed).unwrap();
    assert_eq!(library.status().unwrap().analysed, 2, "the checksum of the last record fails");
    changed = whole;
    changed[100] ^= 1;
    std::fs::write(&log, &changed).unwrap();
    assert!(library.verify().unwrap_err().to_string().contains("meaning.log is damaged"));
}

#[test]
fn one_writer_at_a_time_and_a_library_that_is_not_there_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let library = filled(folder.path());
    let first = library.writer().unwrap();
    let second = Library::open(folder.path()).unwrap();
    assert!(matches!(second.writer(), Err(LibraryError::Busy(_))));
    drop(first);
    assert!(second.writer().is_ok());
    let nowhere = folder.path().join("nowhere");
    let error = Library::open(&nowhere).err().unwrap().to_string();
    assert!(error.contains("findall index FOLDER --library"), "{error}");
    std::fs::write(folder.path().join("mine.txt"), "kept").unwrap();
    drop(second);
    drop(library);
    Library::remove(folder.path()).unwrap();
    assert!(folder.path().join("mine.txt").exists() && Library::open(folder.path()).is_err());
}

/// True when any file under a folder holds these bytes.
fn holds(folder: &Path, words: &str) -> bool {
    std::fs::read_dir(folder).unwrap().flatten().any(|entry| match entry.file_type().unwrap().is_dir() {
        true => holds(&entry.path(), words),
        false => {
            let bytes = std::fs::read(entry.path()).unwrap_or_default();
            bytes.windows(words.len()).any(|window| window.eq_ignore_ascii_case(words.as_bytes()))
        }
    })
}

#[test]
fn what_is_purged_is_gone_from_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let (library, engine) = (filled(folder.path()), engine());
    analyse(&library, &engine);
    assert!(holds(folder.path(), "fish") && holds(folder.path(), "music"));
    let writer = library.writer().unwrap();
    assert!(writer.remove("/e/c.txt"));
    writer.purge().unwrap();
    assert!(!holds(folder.path(), "fish") && !holds(folder.path(), "Cara Holt"));
    let snapshot = library.snapshot().unwrap();
    assert_eq!(snapshot.files().len(), 2);
    assert_eq!(snapshot.passages("music school", 5).len(), 2);
    library.verify().unwrap();
    assert_eq!(library.status().unwrap().analysed, 2);
    drop(snapshot);
    Library::remove(folder.path()).unwrap();
    assert!(!folder.path().join("words").exists() && !folder.path().join("meaning.log").exists());
}

#[cfg(unix)]
#[test]
fn a_library_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    fn modes(folder: &Path, found: &mut Vec<(std::path::PathBuf, u32)>) {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            found.push((entry.path(), entry.metadata().unwrap().permissions().mode() & 0o077));
            if entry.file_type().unwrap().is_dir() {
                modes(&entry.path(), found);
            }
        }
    }
    let loose = |folder: &Path| {
        let mut found = Vec::new();
        modes(folder, &mut found);
        found.retain(|(_, mode)| *mode != 0);
        found
    };
    let folder = tempfile::tempdir().unwrap();
    let (library, engine) = (filled(folder.path()), engine());
    analyse(&library, &engine);
    assert_eq!(loose(folder.path()), []);
    for name in ["words", "words/meta.json", "meaning.log"] {
        let path = folder.path().join(name);
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    Library::open(folder.path()).unwrap();
    assert_eq!(loose(folder.path()), []);
}
