//! kill -9 while the real program writes to a store: ten rounds on each database. Two hundred:
//! `findall eval store kill --rounds 200`.

use std::process::Command;

fn ten_rounds(backend: &str) {
    let output = Command::new(env!("CARGO_BIN_EXE_findall"))
        .args([
            "eval",
            "store",
            "kill",
            "--rounds",
            "10",
            "--longest",
            "1500",
            "--no-record",
            "--backend",
            backend,
        ])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
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
