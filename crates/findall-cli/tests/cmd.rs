//! Runs the real program on data files: every `cmd/*.toml` is one run with its arguments, folder, and what must come
//! out. `TRYCMD=overwrite cargo test -p findall-cli --test cmd` brings them up to date; read the difference.

#[test]
fn every_case() {
    trycmd::TestCases::new()
        .env("XDG_CONFIG_HOME", "/nonexistent")
        .env("XDG_DATA_HOME", "/nonexistent")
        // What is installed where the tests run must not change what words find.
        .env("FINDALL_MEANING", "false")
        .case("tests/cmd/*.toml");
}
