//! A folder as a library, with the shipped models and knowledge base: indexed, asked, compared, changed, and killed.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const FILES: [(&str, &str); 3] = [
    (
        "space.txt",
        "Neil Armstrong was an American astronaut and the first person to walk on the Moon.\n\nBuzz Aldrin is an American astronaut who walked on the Moon.",
    ),
    ("music.txt", "Johann Sebastian Bach was a German composer of the Baroque period.\n"),
    (
        "sea.txt",
        "Yuri Gagarin was a Soviet cosmonaut who flew into space in 1961. The ferry from Oslo leaves at nine.\n",
    ),
];

fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_findall"));
    command
        .args(args)
        .current_dir(folder)
        .env("XDG_CACHE_HOME", folder.join(".cache"))
        .env("XDG_CONFIG_HOME", "/nonexistent")
        .env("XDG_DATA_HOME", "/nonexistent")
        .stdin(Stdio::null());
    command
}

fn findall(folder: &Path, args: &[&str]) -> Output {
    command(folder, args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in FILES {
        std::fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

#[test]
fn a_library_is_indexed_compared_asked_and_kept_up_to_date() {
    let folder = folder();
    let run = |args: &[&str]| {
        let output = findall(folder.path(), args);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{args:?}: {}{}",
            text(&output.stdout),
            text(&output.stderr)
        );
        text(&output.stdout)
    };
    let said = run(&["index", ".", "--library", "shelf"]);
    assert!(said.contains("3 read, 0 unchanged, 0 removed; words at "), "{said}");
    assert!(said.contains("; meaning of 3 at "), "{said}");
    let status = run(&["index", "status", "--library", "shelf", "--json"]);
    assert!(status.contains("\"documents\":3,\"analysed\":3,\"sentences\":5"), "{status}");

    let example = ["--entity", "Neil Armstrong", "--sentence", FILES[0].1.lines().next().unwrap()];
    let like = [&["like", "shelf"][..], &example, &["--term", "astronaut=3", "--term", "Moon=2"]].concat();
    let found = run(&like);
    assert!(found.starts_with(" 1. Buzz Aldrin (person)\n"), "{found}");
    assert!(found.contains("space.txt:3: Buzz Aldrin is an American astronaut"), "{found}");
    assert!(!found.contains(". Neil Armstrong ("), "{found}");
    let json = run(&[&like[..], &["--json", "--method", "SE"]].concat());
    assert!(json.lines().next().unwrap().contains("\"method\":\"SE\""), "{json}");
    assert!(json.contains("\"name\":\"Yuri Gagarin\""), "{json}");
    let suggested = run(&[&["like", "shelf", "--suggest"][..], &example].concat());
    assert!(suggested.contains("astronaut=2") && suggested.contains("moon=2"), "{suggested}");

    let answer = run(&["ask", "When does the ferry from Oslo leave?", "--library", "shelf", "--top", "1"]);
    assert!(answer.contains("nine") && answer.contains("sea.txt"), "{answer}");

    // By what is known about what is named: no word of that file says astronaut.
    let astronauts = run(&["astronauts", "--library", "shelf", "-n"]);
    assert!(astronauts.contains("sea.txt:1:Yuri Gagarin was"), "{astronauts}");
    assert!(
        astronauts.contains("space.txt:3:Buzz Aldrin is") && !astronauts.contains("Bach"),
        "{astronauts}"
    );
    let by_words = run(&["ferries", "--library", "shelf", "--no-meaning", "-l"]);
    assert!(by_words.trim_end().ends_with("sea.txt") && by_words.lines().count() == 1, "{by_words}");
    let nothing = findall(folder.path(), &["zebra crossing", "--library", "shelf", "--exact"]);
    assert_eq!((nothing.status.code(), text(&nothing.stdout)), (Some(1), String::new()));
    let nowhere = findall(folder.path(), &["astronauts", "--library", "nowhere"]);
    assert_eq!(nowhere.status.code(), Some(2));
    assert!(text(&nowhere.stderr).contains("findall index FOLDER --library"), "{}", text(&nowhere.stderr));

    std::fs::write(folder.path().join("music.txt"), "Clara Schumann was a German pianist.\n").unwrap();
    std::fs::remove_file(folder.path().join("sea.txt")).unwrap();
    let again = run(&["index", ".", "--library", "shelf", "--words-only"]);
    assert!(again.starts_with("1 read, 1 unchanged, 1 removed"), "{again}");
}

#[test]
fn an_example_over_a_limit_is_refused_before_anything_is_read() {
    let folder = folder();
    let refused = |more: &[&str]| {
        let output = findall(folder.path(), &[&["like", "nowhere", "--entity", "Ida"], more].concat());
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(2), String::new()));
        text(&output.stderr)
    };
    let long = refused(&["--sentence", &"Ida sang. ".repeat(1001)]);
    assert_eq!(long, "findall: --entity, --sentence: the example is too long; send one sentence\n");
    let terms = ["--term", "song"].repeat(101);
    let many = refused(&[&["--sentence", "Ida sang."][..], &terms].concat());
    assert_eq!(many, "findall: --term: at most 100 words, each with a weight from 0 to 9\n");
}

#[test]
fn workers_write_records_and_loading_them_twice_changes_nothing() {
    let folder = folder();
    let mut worker = command(folder.path(), &["index", "worker"]);
    let mut child = worker.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let documents = "{\"id\": \"a\", \"text\": \"Ada Lovelace lived in London. She wrote.\"}\nnonsense\n\
        {\"id\": \"b\", \"text\": \"\"}\n";
    child.stdin.take().unwrap().write_all(documents.as_bytes()).unwrap();
    let records = child.wait_with_output().unwrap().stdout;
    assert_eq!(text(&records).lines().count(), 3, "one record a line: {}", text(&records));
    std::fs::write(folder.path().join("records"), &records).unwrap();
    let load = ["index", "load", "records", "--library", "shelf"];
    let first = findall(folder.path(), &load);
    assert_eq!(text(&first.stdout), "2 put in, 0 there already, 1 refused\n", "{}", text(&first.stderr));
    assert_eq!(first.status.code(), Some(2));
    let second = findall(folder.path(), &load);
    assert_eq!(text(&second.stdout), "0 put in, 2 there already, 1 refused\n");
    let status = text(&findall(folder.path(), &["index", "status", "--library", "shelf", "--json"]).stdout);
    assert!(status.contains("\"documents\":2,\"analysed\":2,"), "{status}");
}

#[test]
fn only_a_file_that_was_named_makes_a_failure_of_one_that_cannot_be_read() {
    let folder = folder();
    std::fs::create_dir(folder.path().join("inner")).unwrap();
    std::fs::write(folder.path().join("inner/cut.pdf"), "%PDF-1.7 and no more").unwrap();
    let index = |paths: &[&str]| {
        let output =
            findall(folder.path(), &[&["index", "--words-only", "--library", "lib"], paths].concat());
        let told = text(&output.stderr);
        assert!(told.lines().count() == 1 && told.contains("cut.pdf: damaged or truncated PDF"), "{told}");
        output.status.code()
    };
    assert_eq!(index(&["inner"]), Some(0));
    assert_eq!(index(&["space.txt", "inner"]), Some(0), "the named file was read");
    assert_eq!(index(&["space.txt", "inner/cut.pdf"]), Some(2));
}

#[test]
fn which_files_are_indexed_is_said_with_the_flags_of_find() {
    let folder = folder();
    let walked = folder.path().join("walked");
    std::fs::create_dir(&walked).unwrap();
    for (name, content) in [("a.txt", "one"), ("b.txt", "two"), (".c.txt", "three"), (".ignore", "b.txt")] {
        std::fs::write(walked.join(name), content).unwrap();
    }
    let index = |flags: &[&str]| {
        let args = [&["index", "--words-only", "--library", "lib", "walked"], flags].concat();
        text(&findall(folder.path(), &args).stdout)
    };
    let said = index(&[]);
    assert!(said.starts_with("1 read, 0 unchanged, 0 removed"), "{said}");
    let said = index(&["--no-ignore"]);
    assert!(said.starts_with("1 read, 1 unchanged, 0 removed"), "{said}");
    let said = index(&["--hidden"]);
    assert!(said.starts_with("2 read, 1 unchanged, 1 removed"), "{said}");
}
