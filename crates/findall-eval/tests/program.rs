//! The real program: a table of figures from the definitions, and kill -9 while it writes to a store, ten rounds on each
//! database. Two hundred: `findall-eval store kill --rounds 200`.

use std::process::Command;

fn measured(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_findall-eval")).args(args).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    said
}

#[test]
fn definitions_give_a_table() {
    let definitions = concat!(env!("CARGO_MANIFEST_DIR"), "/../../eval/definitions/lexical");
    let table = measured(&["lexical", "--no-record", "--definitions", definitions]);
    let row = |system: &str| {
        let row = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        // "findall --exact" is another system than "findall".
        let is_system = |row: &[&str]| row.starts_with(&["all", system]) && !row[2].starts_with("--");
        row.into_iter().find(|row| is_system(row)).unwrap_or_default()
    };
    assert_eq!(row("ctrl-f")[2..], ["64", "30", "100.0", "46.9", "63.8", "100.0"], "{table}");
    assert_eq!(row("findall").len(), 8, "{table}");
}

#[test]
fn a_measurement_that_fails_says_why() {
    let run = Command::new(env!("CARGO_BIN_EXE_findall-eval"))
        .args(["lexical", "--no-record", "--definitions", "nowhere"])
        .output()
        .unwrap();
    assert_eq!(run.status.code(), Some(2));
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(said.starts_with("findall-eval: nowhere: ") && said.lines().count() == 1, "{said}");
}

fn ten_rounds(backend: &str) {
    let arguments = ["--rounds", "10", "--longest", "1500", "--no-record", "--backend", backend];
    let said = measured(&[&["store", "kill"], &arguments[..]].concat());
    // A run in which nothing was acknowledged would prove nothing.
    let figures: Vec<&str> = said.lines().last().unwrap_or_default().split_whitespace().collect();
    let acknowledged: u64 = figures.get(3).and_then(|figure| figure.parse().ok()).unwrap_or_default();
    assert!(acknowledged >= 10, "{said}");
}

#[test]
fn an_acknowledged_write_to_a_file_survives() {
    ten_rounds("sqlite");
}

#[test]
fn an_acknowledged_write_to_a_server_survives() {
    if std::env::var("FINDALL_TEST_POSTGRES").is_ok_and(|value| value == "off") {
        return;
    }
    ten_rounds("postgresql");
}
