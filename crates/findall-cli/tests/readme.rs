//! The README keeps its word: every command it shows in a `console` block is run from the root of the repository, and
//! must print what the README says. `TRYCMD=overwrite cargo test -p findall-cli --test readme` brings it up to date.

#[test]
fn the_readme_shows_what_findall_prints() {
    std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
    trycmd::TestCases::new()
        .env("XDG_CONFIG_HOME", "/nonexistent")
        .env("XDG_DATA_HOME", "/nonexistent")
        .env("HOME", "/nonexistent")
        .env("FINDALL_CACHE", "false")
        .env("FINDALL_REMEMBER", "false")
        .case("README.md");
}
