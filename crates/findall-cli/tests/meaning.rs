//! Indexing and searching by meaning, with the shipped models and knowledge base and a cache of its own.

use std::path::Path;
use std::process::{Command, Output};

fn findall(folder: &Path, cache: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_findall"))
        .args(args)
        .current_dir(folder)
        .env("XDG_CACHE_HOME", cache)
        .env("XDG_CONFIG_HOME", "/nonexistent")
        .env("XDG_DATA_HOME", "/nonexistent")
        .env_remove("FINDALL_CACHE")
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn an_indexed_folder_is_searched_by_meaning_and_another_by_words() {
    let (folder, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(folder.path().join("trip.txt"), "We flew from Lisbon to Oslo in June.\n").unwrap();
    let search = ["--explain", "cities in Portugal", "."];

    let output = findall(folder.path(), cache.path(), &search);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    assert!(
        text(&output.stderr).contains("findall index PATH makes them searchable"),
        "{}",
        text(&output.stderr)
    );

    let output = findall(folder.path(), cache.path(), &["index", "."]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).starts_with("trip.txt: read 36 bytes"), "{}", text(&output.stdout));

    let output = findall(folder.path(), cache.path(), &search);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("    Lisbon · meaning"), "{}", text(&output.stdout));

    let output = findall(folder.path(), cache.path(), &["doctor"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    let place = cache.path().join("findall");
    assert!(text(&output.stdout).contains(&format!("ok cache        {}, ", place.display())));
}

#[test]
fn without_a_cache_nothing_is_kept() {
    let (folder, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(folder.path().join("trip.txt"), "We flew from Lisbon to Oslo in June.\n").unwrap();
    let output =
        findall(folder.path(), cache.path(), &["--no-cache", "-o", "cities in Portugal", "trip.txt"]);
    assert_eq!(text(&output.stdout), "Lisbon\n", "{}", text(&output.stderr));
    assert_eq!(std::fs::read_dir(cache.path()).unwrap().count(), 0);
}
