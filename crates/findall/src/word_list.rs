//! Word lists as data: what a rule knows by heart is a text file beside its module. A name in brackets begins a list, a name in
//! two brackets one whose entries are whole lines; `#` begins a comment. A file and a name enter, the entries leave, read when
//! they are first wanted. They stand in order, each once, so that looking one up halves the list; a test of every file sees to
//! it (`testing::check_word_lists`). What a format defines, the commands of LaTeX for one, is no such list and stays in its reader.

use std::sync::OnceLock;

/// One list of a file.
#[derive(Debug)]
pub struct WordList {
    file: &'static str,
    name: &'static str,
    entries: OnceLock<Vec<&'static str>>,
}

impl WordList {
    /// The list of this name in the text of a file.
    pub const fn new(file: &'static str, name: &'static str) -> Self {
        Self { file, name, entries: OnceLock::new() }
    }

    /// All entries, in order.
    pub fn entries(&self) -> &[&'static str] {
        self.entries.get_or_init(|| {
            let own = listed_words(self.file).filter(|(list, _)| *list == self.name);
            let entries: Vec<_> = own.map(|(_, entry)| entry).collect();
            debug_assert!(!entries.is_empty(), "no list is called {}", self.name);
            entries
        })
    }

    /// Whether the list has this entry.
    pub fn contains(&self, entry: &str) -> bool {
        self.entries().binary_search(&entry).is_ok()
    }

    /// What stands behind the equals sign of an entry.
    pub fn meaning(&self, word: &str) -> Option<&'static str> {
        self.entries().iter().find_map(|entry| entry.strip_prefix(word)?.strip_prefix('='))
    }
}

/// Words that the lists of a file tell apart: each list says the same of all its words.
#[derive(Debug)]
pub struct LabelledWords<T: 'static> {
    file: &'static str,
    lists: &'static [(&'static str, T)],
    /// Each with the number of its list.
    words: OnceLock<Vec<(&'static str, usize)>>,
}

impl<T: Copy> LabelledWords<T> {
    /// The lists of these names in the text of a file, and what each says.
    pub const fn new(file: &'static str, lists: &'static [(&'static str, T)]) -> Self {
        Self { file, lists, words: OnceLock::new() }
    }

    /// What is said of a word.
    pub fn get(&self, word: &str) -> Option<T> {
        let words = self.words.get_or_init(|| {
            let number = |list| self.lists.iter().position(|(name, _)| *name == list);
            let mut words: Vec<(&str, usize)> =
                listed_words(self.file).filter_map(|(list, word)| Some((word, number(list)?))).collect();
            words.sort_unstable();
            debug_assert!(words.windows(2).all(|pair| pair[0].0 < pair[1].0), "a word stands in two lists");
            words
        });
        let at = words.binary_search_by_key(&word, |(word, _)| *word).ok()?;
        Some(self.lists[words[at].1].1)
    }
}

/// The entries of a file of lists, each with the name of its list.
pub(crate) fn listed_words(file: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let (mut list, mut whole_lines) = ("", false);
    file.lines().filter(|line| !line.starts_with('#')).flat_map(move |line| {
        let begun = line.strip_prefix('[').and_then(|rest| rest.split_once(']'));
        if let Some((name, _)) = begun {
            whole_lines = name.starts_with('[');
            list = name.trim_start_matches('[');
        }
        let (name, cuts) = (list, !whole_lines);
        let entries = if begun.is_some() { "" } else { line };
        let entries = entries.split(move |c: char| cuts && c == ' ').filter(|entry| !entry.is_empty());
        entries.map(move |entry| (name, entry))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check_word_lists, find_word_list_offence};

    const FILE: &str = "# words\n\n[one] of two lists\na b\nc\n\n[[two]] of lines\na b\nd=e f\n";

    #[test]
    fn entries_are_words_or_lines() {
        let (one, two) = (WordList::new(FILE, "one"), WordList::new(FILE, "two"));
        assert_eq!(one.entries(), ["a", "b", "c"]);
        assert_eq!(two.entries(), ["a b", "d=e f"]);
        assert!(one.contains("b") && !one.contains("a b") && !one.contains("") && two.contains("a b"));
        assert_eq!(two.meaning("d"), Some("e f"));
        assert_eq!(two.meaning("a"), None);
    }

    #[test]
    fn lists_tell_words_apart() {
        let table = LabelledWords::new("[x]\nb d\n[y]\na c\n[z]\ne\n", &[("y", 1), ("x", 2)]);
        let said: Vec<_> = ["a", "b", "c", "d", "e"].iter().map(|word| table.get(word)).collect();
        assert_eq!(said, [Some(1), Some(2), Some(1), Some(2), None]);
    }

    #[test]
    fn every_list_is_in_order() {
        check_word_lists(concat!(env!("CARGO_MANIFEST_DIR"), "/src"));
        for wrong in ["[x]\na b b", "[x]\nb a", "[x]\na=1 a=2", "[x]", "a", "[[x]]\na \nb", "[x]\na\n[x]\nb"]
        {
            assert!(find_word_list_offence(wrong).is_some(), "{wrong}");
        }
        assert_eq!(find_word_list_offence(FILE), None);
    }
}
