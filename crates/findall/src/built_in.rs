//! What the engine decides by and has built in as data: the fitted numbers of `models/tuning.json` and every word list. One name
//! for all of it is part of the key of what is kept and depends on it, so that a changed number or word makes nothing stale.

use std::sync::LazyLock;

use crate::tuning::TUNING_FILE;

/// The files of word lists and tables that modules include; a test finds one that is missing here.
const LEXICON_FILES: [&str; 17] = [
    include_str!("ask/function_words.txt"),
    include_str!("ask/words.txt"),
    include_str!("document/sentences/words.txt"),
    include_str!("find/gender.txt"),
    include_str!("find/regions.tsv"),
    include_str!("index/values/words.txt"),
    include_str!("index/words.txt"),
    include_str!("knowledge/function_words.txt"),
    include_str!("knowledge/word_roles.txt"),
    include_str!("lexical/common_words.txt"),
    include_str!("linking/words.txt"),
    include_str!("list/words.txt"),
    include_str!("names/words.txt"),
    include_str!("page_words/lines.txt"),
    include_str!("page_words/words.txt"),
    include_str!("retrieval/common_words.txt"),
    include_str!("spelling/asked_words.txt"),
];

/// Names the fitted numbers and the word lists: others have another name.
pub fn built_in_data_id() -> &'static str {
    static ID: LazyLock<String> = LazyLock::new(|| name_data(TUNING_FILE, &LEXICON_FILES));
    &ID
}

fn name_data(tuning: &str, lexicons: &[&str]) -> String {
    let mut hasher = blake3::Hasher::new();
    for file in std::iter::once(&tuning).chain(lexicons) {
        // With its length: a word that moves from one file to the next is a change, too.
        hasher.update(&(file.len() as u64).to_le_bytes()).update(file.as_bytes());
    }
    hasher.finalize().to_hex()[..16].to_owned()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::{Path, PathBuf};

    use super::*;

    /// The files that the sources in a folder include, but those that only tests read.
    fn included_files(folder: &Path, found: &mut BTreeSet<PathBuf>) {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                included_files(&path, found);
            } else if path.extension().is_some_and(|end| end == "rs")
                && !["built_in.rs", "testing.rs", "tests.rs"].iter().any(|name| path.ends_with(name))
            {
                found.extend(inclusions(&path));
            }
        }
    }

    fn inclusions(source: &Path) -> Vec<PathBuf> {
        let text = std::fs::read_to_string(source).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        let macros = ["include_str!(", "include_bytes!("].map(|name| code.split(name).skip(1));
        let arguments = macros.into_iter().flatten().filter_map(|rest| rest.trim_start().strip_prefix('"'));
        arguments.map(|rest| source.with_file_name(rest.split('"').next().unwrap())).collect()
    }

    #[test]
    fn every_file_that_a_module_includes_is_in_the_name() {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut included = BTreeSet::new();
        included_files(&sources, &mut included);
        assert!(included.remove(&sources.join("../../../models/tuning.json")), "the fitted numbers");
        assert!(included.len() > 10, "{included:?}");
        let named = BTreeSet::from_iter(inclusions(&sources.join("built_in.rs")));
        assert_eq!(named, included);
        assert_eq!(LEXICON_FILES.len(), included.len(), "one stands twice");
    }

    #[test]
    fn another_number_or_word_has_another_name() {
        let name = name_data("{}", &["[a]\nb c", "[d]\ne"]);
        assert_eq!(name.len(), 16);
        assert_ne!(name_data("{ }", &["[a]\nb c", "[d]\ne"]), name, "a number");
        assert_ne!(name_data("{}", &["[a]\nb", "[d]\ne"]), name, "a word");
        assert_ne!(name_data("{}", &["[a]\nb", " c[d]\ne"]), name, "where a word stands");
        assert_ne!(name_data("{}", &LEXICON_FILES), built_in_data_id());
        assert_ne!(name_data(TUNING_FILE, &LEXICON_FILES[1..]), built_in_data_id());
    }
}
