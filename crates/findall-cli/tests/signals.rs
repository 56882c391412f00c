//! How a run ends early: the reader of the output goes away, or the person presses Ctrl-C.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};

fn findall(args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_findall"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn errors(child: &mut Child) -> String {
    let mut text = String::new();
    child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
    text
}

#[test]
fn a_reader_that_stops_reading_is_no_error() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..8 {
        // More than a pipe holds, so that writing must fail.
        std::fs::write(folder.path().join(format!("{number}.txt")), "a lamp\n".repeat(20_000)).unwrap();
    }
    let mut child = findall(&["--exact", "lamp", folder.path().to_str().unwrap()]);
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.ends_with(":a lamp\n"), "{line}");
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(errors(&mut child), "");
}

#[test]
fn ctrl_c_keeps_what_was_found_and_exits_with_130() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.txt");
    std::fs::write(&file, "a lamp\n").unwrap();
    // Standard input never ends, so the run would not either.
    let mut child = findall(&["-I", "lamp", file.to_str().unwrap(), "-"]);
    let endless = child.stdin.take();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    // Once the first file is out, the handler is in place.
    output.read_line(&mut line).unwrap();
    assert_eq!(line, "a lamp\n");
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    drop(endless);
    assert_eq!(errors(&mut child), "");
}
