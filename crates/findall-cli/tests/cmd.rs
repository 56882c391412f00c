//! Runs the real program on data files: every `.toml` is one run with its arguments, folder, and what must come out.
//! `TRYCMD=overwrite cargo test -p findall-cli --test cmd` brings them up to date; read the difference.

fn cases() -> trycmd::TestCases {
    let cases = trycmd::TestCases::new();
    cases
        .env("XDG_CONFIG_HOME", "/nonexistent")
        .env("XDG_DATA_HOME", "/nonexistent")
        .env("HOME", "/nonexistent");
    cases
}

#[test]
fn by_words() {
    // What is installed where the tests run must not change what words find.
    cases().env("FINDALL_MEANING", "false").case("tests/cmd/*.toml").case("tests/cmd/*.trycmd");
}

#[test]
fn in_a_row() {
    // Runs that build on each other's files.
    cases().case("tests/cmd/*.trycmd");
}

#[test]
fn by_meaning() {
    // With the models and the knowledge base of this repository.
    cases().env("FINDALL_CACHE", "false").case("tests/cmd-meaning/*.toml");
}
