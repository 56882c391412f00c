//! Asking the base itself, and correcting it: what is found, what a report changes from the next query on, and every way
//! it can go wrong. With a small base of its own; what asks models uses those of this repository.

use std::path::Path;
use std::process::{Command, Output};

const GLOSSARY: &str = "title\tkind\tdescription\taliases\n\
    Zorbium\tsubstance\trare metal mined on the island of Tarn\tZb\n\
    Tarn Motors\torganization\tcar maker of the island of Tarn\tTM\n\
    Quellmark\torganization\tcar maker of the island of Tarn, in Port Quell\t\n\
    Tarn Times\twork\tdaily newspaper of the island of Tarn\t\n";

fn findall(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_findall"))
        .args(args)
        .current_dir(folder)
        .env("XDG_CONFIG_HOME", "/nonexistent")
        .env("XDG_DATA_HOME", folder.join("data"))
        .env("XDG_CACHE_HOME", folder.join("cache"))
        .env_remove("FINDALL_CACHE")
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap()
}

#[track_caller]
fn check(folder: &Path, args: &[&str], code: i32, out: &str, err: &str) -> String {
    let output = findall(folder, args);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{stdout}{stderr}");
    assert!(stdout.contains(out), "{stdout:?} lacks {out:?}");
    assert!(stderr.contains(err) && stderr.lines().count() <= 1, "{stderr:?} is not one line with {err:?}");
    stdout
}

fn folder_with_base() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("glossary.tsv"), GLOSSARY).unwrap();
    check(folder.path(), &["kb", "build", "--out", "mine.kb", "--tsv", "glossary.tsv"], 0, "4 entities", "");
    folder
}

#[test]
fn reports_and_additions_win_from_the_next_query_on() {
    let folder = folder_with_base();
    let run =
        |args: &[&str], out: &str| check(folder.path(), &[args, &["--kb", "mine.kb"]].concat(), 0, out, "");
    run(&["kb", "report", "zb", "it is no metal"], "Zorbium: its text is no longer used");
    assert!(!run(&["kb", "show", "Zorbium"], "Zorbium (substance)").contains("metal"));
    run(
        &["kb", "report", "Tarn Motors", "that is Time Magazine", "--not-meant=TM"],
        "no longer what \"TM\" means",
    );
    check(folder.path(), &["kb", "show", "TM", "--kb", "mine.kb"], 1, "", "nothing is known as \"TM\"");
    run(&["kb", "show", "Tarn Motors"], "car maker");

    let add = ["kb", "add", "Zorbium", "--description", "liquid of the island", "--alias", "Zorb"];
    check(folder.path(), &add, 0, "Zorbium: known from the next query on", "");
    run(&["kb", "show", "Zorb"], "liquid of the island");
    check(
        folder.path(),
        &["kb", "corrections"],
        0,
        "Tarn Motors · not meant by \"TM\": that is Time Magazine",
        "",
    );
    check(
        folder.path(),
        &["kb", "corrections", "--json"],
        0,
        r#"{"correction":"text","title":"Zorbium""#,
        "",
    );
    run(&["kb", "report", "Zorbium", "--withdraw"], "is taken back");
    run(&["kb", "show", "Zorbium"], "rare metal");
}

#[test]
fn what_is_wrong_costs_one_line_and_nothing_is_lost() {
    let folder = folder_with_base();
    let report = |name: &str, words: &str, code, err: &str| {
        check(folder.path(), &["kb", "report", name, words, "--kb", "mine.kb"], code, "", err)
    };
    report("Atlantis", "sunk", 1, "nothing is known as \"Atlantis\"");
    report("Zorbium", " ", 2, "say in a few words what is wrong");
    let withdraw = ["kb", "report", "Zorbium", "--withdraw", "--kb", "mine.kb"];
    check(folder.path(), &withdraw, 1, "", "nothing was reported or added about \"Zorbium\"");
    check(folder.path(), &["kb", "corrections"], 1, "", "nothing was reported or added");
    check(folder.path(), &["kb", "add", "…"], 2, "", "a name needs a letter or a digit");
    let layer = folder.path().join("data/findall/corrections.tsv");
    assert!(!layer.exists());

    check(folder.path(), &["kb", "add", "Oslo", "--kind", "place"], 0, "Oslo", "");
    let mut bytes = std::fs::read(&layer).unwrap();
    bytes.extend_from_slice(b"half a li\n\xff\xfe\n");
    std::fs::write(&layer, &bytes).unwrap();
    let show = ["kb", "show", "Oslo", "--kb", "mine.kb"];
    check(folder.path(), &show, 0, "Oslo (place)", "corrections.tsv: lines 3, 4 cannot be read");

    let mut locked = layer.metadata().unwrap().permissions();
    locked.set_readonly(true);
    std::fs::set_permissions(&layer, locked).unwrap();
    let add = ["kb", "add", "Bergen"];
    check(folder.path(), &add, 2, "", "corrections.tsv is read-only; nothing was changed");
    assert_eq!(std::fs::read(&layer).unwrap(), bytes);
}

#[test]
fn the_base_answers_list_queries_and_keeps_its_index() {
    let folder = folder_with_base();
    let query = ["kb", "find", "car makers of Tarn", "--kb", "mine.kb"];
    let found =
        check(folder.path(), &query, 0, "Tarn Motors (organization): car maker of the island of Tarn", "");
    assert!(
        found.contains("Quellmark") && !found.contains("Tarn Times") && !found.contains("Zorbium"),
        "{found}"
    );
    let index = folder.path().join("cache/findall/base-words");
    let made = std::fs::read_dir(&index).unwrap().next().unwrap().unwrap();
    let first = made.metadata().unwrap().modified().unwrap();
    check(folder.path(), &["kb", "index", "--kb", "mine.kb"], 0, "is up to date, words of 4 entities", "");

    // A file that is not what was written is made again.
    std::fs::write(made.path(), b"torn").unwrap();
    let json =
        check(folder.path(), &[&query[..], &["--json", "-m", "1"]].concat(), 0, "\"probability\":0.", "");
    assert_eq!(json.lines().count(), 1, "{json}");
    assert!(
        made.path().metadata().unwrap().modified().unwrap() > first
            && made.path().metadata().unwrap().len() > 72
    );

    check(folder.path(), &["kb", "report", "Quellmark", "closed", "--kb", "mine.kb"], 0, "Quellmark", "");
    assert!(!check(folder.path(), &query, 0, "Tarn Motors", "").contains("Quellmark"));
    check(
        folder.path(),
        &["kb", "find", "volcanoes", "--kb", "mine.kb"],
        1,
        "",
        "nothing in the knowledge base",
    );
    check(
        folder.path(),
        &["kb", "find", "cars", "-m", "0", "--kb", "mine.kb"],
        2,
        "",
        "--max-count: must be 1 to 200",
    );
    check(folder.path(), &["kb", "find", "cars", "--kb", "none.kb"], 2, "", "none.kb is not there");
}

#[test]
fn find_in_documents_obeys_corrections() {
    let folder = folder_with_base();
    std::fs::write(folder.path().join("page.txt"), "We met Tarn Motors at the harbour.\n").unwrap();
    let find = ["-o", "car makers", "page.txt", "--kb", "mine.kb"];
    check(folder.path(), &find, 0, "Tarn Motors", "");
    let report = ["kb", "report", "Tarn Motors", "another one", "--kb", "mine.kb"];
    check(folder.path(), &report, 0, "Tarn Motors", "");
    let add =
        ["kb", "add", "Tarn Motors", "--kind", "organization", "--description", "football club of a town"];
    check(folder.path(), &add, 0, "Tarn Motors", "");
    let explained = findall(folder.path(), &["--explain", "football clubs", "page.txt", "--kb", "mine.kb"]);
    let explained = String::from_utf8_lossy(&explained.stdout).into_owned();
    assert!(explained.contains("football club of a town"), "{explained}");
}
