//! The README and the guide keep their word: every command that they show in a `console` block is run from the root of the
//! repository, and must print what they say. `TRYCMD=overwrite cargo test -p findall-cli --test readme` brings them up to
//! date.

#[test]
fn the_readme_and_the_guide_show_what_findall_prints() {
    std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
    trycmd::TestCases::new()
        .env("XDG_CONFIG_HOME", "/nonexistent")
        .env("XDG_DATA_HOME", "/nonexistent")
        .env("HOME", "/nonexistent")
        .env("FINDALL_CACHE", "false")
        .env("FINDALL_REMEMBER", "false")
        .case("README.md")
        .case("docs/guide.md");
}

/// Links of a page to files of the repository lead somewhere.
#[test]
fn links_lead_to_files() {
    let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    for page in ["README.md", "docs/guide.md", "ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let path = root.join(page);
        let text = std::fs::read_to_string(&path).unwrap();
        let links = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
        for link in links.filter(|link| !link.is_empty() && !link.contains("://")) {
            assert!(path.parent().unwrap().join(link).exists(), "{page} links to {link}");
        }
    }
}
