//! What the real program keeps is its owner's alone, and gone when it is forgotten; a database that is stopped stops nothing.
#![cfg(unix)]

mod support;

use std::io::{BufRead, BufReader};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;
use support::{MAX_WAIT, Server, findall};

const TEXT: &str =
    "The lamp in the harbour was lit by Ida Brandt in 1904. Her brother Otto kept the quicksilver books.";

fn run(folder: &Path, args: &[&str]) -> Output {
    findall(folder).args(args).env("HOME", folder).stdin(Stdio::null()).output().unwrap()
}

fn whole_output(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr].concat()).into_owned()
}

/// Everything under a folder.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(inside) = std::fs::read_dir(folder) else { return Vec::new() };
    let inside = inside.flatten().map(|entry| entry.path());
    inside.flat_map(|path| [vec![path.clone()], entries(&path)].concat()).collect()
}

fn loose(folder: &Path) -> Vec<PathBuf> {
    let mode = |path: &Path| std::fs::symlink_metadata(path).unwrap().permissions().mode();
    let mut found = entries(folder);
    found.push(folder.to_owned());
    found.retain(|path| mode(path) & 0o077 != 0);
    found
}

fn holders(folder: &Path, words: &str) -> Vec<PathBuf> {
    let mut found = entries(folder);
    found.retain(|path| {
        let bytes = std::fs::read(path).unwrap_or_default();
        bytes.windows(words.len()).any(|window| window.eq_ignore_ascii_case(words.as_bytes()))
    });
    found
}

/// A folder in which a page was asked and indexed.
fn used() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("page.txt"), TEXT).unwrap();
    for args in [&["ask", "Who lit the lamp in the harbour?", "page.txt"][..], &["index", "page.txt"]] {
        let output = run(folder.path(), args);
        assert_eq!(output.status.code(), Some(0), "{}", whole_output(&output));
    }
    folder
}

#[test]
fn nothing_that_is_kept_can_be_read_by_others() {
    let folder = used();
    let (cache, data) = (folder.path().join("cache/findall"), folder.path().join("data/findall"));
    assert!(cache.join("library/words").is_dir() && data.join("store.db").is_file());
    assert_eq!((loose(&cache), loose(&data)), (vec![], vec![]));
    let exported = run(folder.path(), &["store", "export", "backup.jsonl"]);
    assert_eq!(exported.status.code(), Some(0), "{}", whole_output(&exported));
    assert_eq!(loose(&folder.path().join("backup.jsonl")), Vec::<PathBuf>::new());

    // As an earlier version left it.
    for path in entries(&cache).into_iter().chain([cache.clone(), data.join("store.db")]) {
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let again = run(folder.path(), &["ask", "Who lit the lamp in the harbour?", "page.txt", "--fresh"]);
    assert_eq!((loose(&cache), loose(&data)), (vec![], vec![]), "{}", whole_output(&again));
    assert!(
        whole_output(&again).contains("store.db could be read by others; from now on only by you"),
        "{}",
        whole_output(&again)
    );
}

#[test]
fn what_is_forgotten_is_nowhere_on_the_disk() {
    for forget in [&["--everything"][..], &["--page", "page.txt"]] {
        let folder = used();
        let (cache, data) = (folder.path().join("cache"), folder.path().join("data"));
        assert!(!holders(&cache, "quicksilv").is_empty() && !holders(&data, "Ida Brandt").is_empty());
        let output = run(folder.path(), &[&["store", "forget"][..], forget].concat());
        assert_eq!(output.status.code(), Some(0), "{}", whole_output(&output));
        assert!(
            whole_output(&output).contains("taken out of the library: 1 documents"),
            "{}",
            whole_output(&output)
        );
        for words in ["quicksilv", "Ida Brandt", "Who lit the lamp", "page.txt"] {
            let left: Vec<PathBuf> = [holders(&cache, words), holders(&data, words)].concat();
            assert_eq!(left, Vec::<PathBuf>::new(), "{words} after {forget:?}");
        }
    }
}

#[test]
fn what_the_server_forgets_is_nowhere_on_the_disk_and_in_no_answer() {
    for everything in [true, false] {
        let folder = used();
        let page = folder.path().join("page.txt").canonicalize().unwrap();
        let (cache, data) = (folder.path().join("cache"), folder.path().join("data"));
        let library = cache.join("findall/library");
        let server = Server::start(folder.path(), &["--library", &library.to_string_lossy()]);
        let token = server.pair(&server.code.clone().unwrap());
        let example = json!({"entity": "Ida Brandt", "text": "Ida Brandt lit the lamp."}).to_string();
        let like = || server.call("POST", "/v1/like", Some(&token), &example);
        assert!(like().body.contains("page.txt"), "{}", like().body);
        assert!(!holders(&cache, "quicksilv").is_empty() && !holders(&data, "Ida Brandt").is_empty());
        let what = match everything {
            true => json!({"everything": true}),
            false => json!({"url": format!("file://{}", page.display())}),
        };
        let forgotten = server.post("/v1/forget", &token, what.clone());
        assert_eq!(forgotten["documents"], 1, "{forgotten}");
        assert!(!like().body.contains("page.txt"), "{}", like().body);
        for words in ["quicksilv", "Ida Brandt", "Who lit the lamp", "page.txt"] {
            let left: Vec<PathBuf> = [holders(&cache, words), holders(&data, words)].concat();
            assert_eq!(left, Vec::<PathBuf>::new(), "{words} after {what}");
        }
        assert_eq!(server.post("/v1/forget", &token, what)["documents"], 0);
    }
}

#[test]
fn a_file_is_reported_once_its_analysis_is_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("page.txt"), TEXT).unwrap();
    let mut child =
        findall(folder.path()).args(["index", "page.txt"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(first.starts_with("page.txt: "), "{first}");
    let status = whole_output(&run(folder.path(), &["index", "status", "--json"]));
    assert!(status.contains("\"analysed\":1"), "{status}");
}

#[test]
fn odd_file_names_are_indexed_and_cannot_drive_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("notes")).unwrap();
    let names: [&[u8]; 2] = [b"notes/bell\x1b]0;owned\x07.txt", b"notes/caf\xe9.txt"];
    for name in names {
        std::fs::write(folder.path().join(std::ffi::OsStr::from_bytes(name)), TEXT).unwrap();
    }
    let output = run(folder.path(), &["index", "notes"]);
    assert_eq!(output.status.code(), Some(0), "{}", whole_output(&output));
    assert!(!output.stdout.contains(&0x1b) && !output.stderr.contains(&0x1b), "{}", whole_output(&output));
    assert!(whole_output(&output).contains("2 read, 0 unchanged"), "{}", whole_output(&output));
    let again = whole_output(&run(folder.path(), &["index", "notes"]));
    assert!(again.contains("0 read, 2 unchanged, 0 removed"), "{again}");
}

/// `scripts/postgres.sh`, as the store's own tests use it.
fn postgres(verb: &str, folder: &Path, more: &[&str]) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/postgres.sh");
    let output = Command::new(script).arg(verb).arg(folder).args(more).output().unwrap();
    assert!(output.status.success(), "{}", whole_output(&output));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

#[test]
fn a_frozen_database_holds_up_nothing_and_the_server_ends_well() {
    if std::env::var("FINDALL_TEST_POSTGRES").is_ok_and(|value| value == "off") {
        return;
    }
    let database = std::env::temp_dir().join(format!("findall-private-{}", std::process::id()));
    let url = postgres("start", &database, &[&std::process::id().to_string()]);
    let folder = tempfile::tempdir().unwrap();
    let shared = run(folder.path(), &["store", "settings", "--share", "example.org", "--store", &url]);
    assert_eq!(shared.status.code(), Some(0), "{}", whole_output(&shared));
    let server = Server::start(folder.path(), &["--store", &url]);
    let token = server.pair(&server.code.clone().unwrap());
    let page = json!({"text": TEXT, "url": "https://example.org/harbour"});
    let document = server.post("/v1/documents", &token, page)["document"].clone();
    let ask =
        |question: &str| server.post("/v1/ask", &token, json!({"document": document, "question": question}));
    let find = || server.post("/v1/find", &token, json!({"document": document, "query": "lamp"}));
    let suggest = || server.post("/v1/suggest", &token, json!({"document": document, "prefix": "ida"}));
    let answer = |reply: serde_json::Value| reply["answers"][0]["text"].clone();
    assert_eq!(answer(ask("Who lit the lamp in the harbour?")), "Ida Brandt");

    postgres("freeze", &database, &[]);
    let health = server.call("GET", "/health", None, "");
    assert!(health.status == 200 && health.head.starts_with("HTTP/1.1 200"), "{}", health.body);
    let started = Instant::now();
    let answers: Vec<_> = std::thread::scope(|scope| {
        let asks: Vec<_> =
            (0..6).map(|_| scope.spawn(|| answer(ask("Who lit the lamp in the harbour?")))).collect();
        assert_eq!(find()["matches"][0]["text"], "lamp");
        assert_eq!(suggest()["suggestions"][0]["text"], "Ida Brandt");
        asks.into_iter().map(|ask| ask.join().unwrap()).collect()
    });
    let took = started.elapsed();
    postgres("thaw", &database, &[]);
    assert!(answers.iter().all(|answer| answer == "Ida Brandt"), "{answers:?}");
    // Two calls' limits and six readings by models that are built for tests take seconds; nothing waits for the database for good.
    assert!(took < MAX_WAIT, "{took:?}");
    // It ends well with connections that are open, too: there are some once it remembers again.
    let deadline = Instant::now() + MAX_WAIT;
    while ask("Who lit the lamp in the harbour?")["answers"][0]["origin"] != "remembered" {
        assert!(Instant::now() < deadline, "the database is asked again");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(server.end("-TERM"), Some(0));
    postgres("remove", &database, &[]);
}
