//! What was typed enters, as today's grammar has it in today's order leaves. Flags of the whole program may stand before a
//! verb. Spellings of earlier versions work for one release, with a line that says what to type from now on; a new one is a
//! row of [`OLD_SPELLINGS`].

use std::ffi::OsString;

use crate::failure::complain;

/// The flag that every verb obeys, wherever it stands. The parser takes a word for a verb only where no flag stands before it.
const GLOBAL_FLAG: &str = "--offline";

/// A flag that is called otherwise now, after these words.
struct OldSpelling {
    verb: &'static [&'static str],
    flag: &'static str,
    /// Takes the flag's place, or that of a subcommand.
    new: NewSpelling,
}

/// What stands for an old flag.
#[derive(Clone, Copy)]
enum NewSpelling {
    /// Another flag, in the same place.
    Switch(&'static str),
    /// Another flag, in the same place, with the same value.
    ValueFlag(&'static str),
    /// A word after the verb.
    Subcommand(&'static str),
}

use NewSpelling::{Subcommand, Switch, ValueFlag};

const OLD_SPELLINGS: &[OldSpelling] = &[
    OldSpelling { verb: &["index"], flag: "--status", new: Subcommand("status") },
    OldSpelling { verb: &["index"], flag: "--clean", new: Subcommand("clean") },
    OldSpelling { verb: &["index"], flag: "--worker", new: Subcommand("worker") },
    OldSpelling { verb: &["index"], flag: "--load", new: Subcommand("load") },
    OldSpelling { verb: &["like"], flag: "-i", new: Switch("--interactive") },
    OldSpelling { verb: &["list"], flag: "--format", new: ValueFlag("--output-format") },
    OldSpelling { verb: &["list"], flag: "--top", new: ValueFlag("--passages") },
    OldSpelling { verb: &["store", "top"], flag: "-n", new: ValueFlag("-m") },
    OldSpelling { verb: &["store", "top"], flag: "--limit", new: ValueFlag("--max-count") },
    OldSpelling { verb: &["store", "similar"], flag: "-n", new: ValueFlag("-m") },
    OldSpelling { verb: &["store", "similar"], flag: "--limit", new: ValueFlag("--max-count") },
    OldSpelling { verb: &["kb", "find"], flag: "--max", new: ValueFlag("--max-count") },
    OldSpelling { verb: &["kb", "show"], flag: "--most", new: ValueFlag("--max-count") },
    OldSpelling { verb: &["kb", "search"], flag: "--most", new: ValueFlag("--max-count") },
    OldSpelling { verb: &["kb", "layer"], flag: "--most", new: ValueFlag("--max-count") },
    OldSpelling { verb: &["kb", "merge"], flag: "--most", new: ValueFlag("--max-count") },
    OldSpelling { verb: &["kb", "merge"], flag: "-o", new: ValueFlag("--out") },
    OldSpelling { verb: &["kb", "build"], flag: "-o", new: ValueFlag("--out") },
];

/// The words of a command line, the program's name first, in today's spelling and the parser's order.
pub fn modernise(typed: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut words = move_global_flag_back(typed.collect());
    for old in OLD_SPELLINGS {
        let verb_end = 1 + old.verb.len();
        let is_verb = words.get(1..verb_end).is_some_and(|said| said.iter().eq(old.verb));
        if !is_verb {
            continue;
        }
        let is_old = |word: &OsString| word == old.flag || old.value_in(word).is_some();
        let Some(at) = (verb_end..flags_end(&words)).find(|at| is_old(&words[*at])) else { continue };
        let verb = old.verb.join(" ");
        match old.new {
            Switch(new) | ValueFlag(new) => {
                let value = old.value_in(&words[at]).map(|value| format!("{new}={value}"));
                words[at] = value.map_or_else(|| new.into(), OsString::from);
                complain(&format!("findall {verb} {} is now findall {verb} {new}", old.flag));
            }
            Subcommand(new) => {
                words.remove(at);
                words.insert(verb_end, new.into());
                complain(&format!("findall {verb} {} is now findall {verb} {new}", old.flag));
            }
        }
    }
    words
}

/// Puts the global flag after all other flags, however often it was typed.
fn move_global_flag_back(mut words: Vec<OsString>) -> Vec<OsString> {
    let rest = words.split_off(flags_end(&words));
    let (moved, others): (Vec<_>, Vec<_>) = words.into_iter().partition(|word| word == GLOBAL_FLAG);
    others.into_iter().chain(moved).chain(rest).collect()
}

/// Where flags end: what follows "--" is none.
fn flags_end(words: &[OsString]) -> usize {
    words.iter().position(|word| word == "--").unwrap_or(words.len())
}

impl OldSpelling {
    /// "html" of "--format=html", "3" of "-n3" and "-n=3".
    fn value_in<'w>(&self, word: &'w OsString) -> Option<&'w str> {
        let rest = word.to_str()?.strip_prefix(self.flag)?;
        let is_short = !self.flag.starts_with("--");
        match rest.strip_prefix('=') {
            Some(value) => Some(value),
            None if is_short && matches!(self.new, ValueFlag(_)) && !rest.is_empty() => Some(rest),
            None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::args::RawArgs;

    fn modern_of(line: &str) -> String {
        let words = modernise(line.split(' ').map(OsString::from));
        words.iter().map(|word| word.to_str().unwrap()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn old_spellings_mean_what_they_meant() {
        for (old, new) in [
            ("findall index --library x --status", "findall index status --library x"),
            ("findall index --load a b --into c", "findall index load a b --into c"),
            ("findall like notes -i --entity Jo", "findall like notes --interactive --entity Jo"),
            ("findall list b.txt --format=html", "findall list b.txt --output-format=html"),
            ("findall list b.txt --format html", "findall list b.txt --output-format html"),
            ("findall list b.txt --top 9", "findall list b.txt --passages 9"),
            ("findall store top page -n 3", "findall store top page -m 3"),
            ("findall store top page -n3", "findall store top page -m=3"),
            ("findall store similar who? --limit=3", "findall store similar who? --max-count=3"),
            ("findall kb find cars --max 3", "findall kb find cars --max-count 3"),
            ("findall kb merge a.kb -om.kb --most 9", "findall kb merge a.kb --out=m.kb --max-count 9"),
            ("findall kb build -o m.kb", "findall kb build --out m.kb"),
            ("findall --offline index --status", "findall index status --offline"),
        ] {
            assert_eq!(modern_of(old), new);
        }
    }

    #[test]
    fn what_is_no_old_spelling_is_left_alone() {
        for line in [
            "findall --format html -i index",
            "findall index notes -- --status",
            "findall -n lamp",
            "findall store status",
            "findall like notes --interactive",
            "findall index status",
            "findall names b.txt --top 3",
            "findall lamp notes -o",
            "findall like notes -in",
        ] {
            assert_eq!(modern_of(line), line);
        }
    }

    #[test]
    fn the_global_flag_may_stand_before_a_verb() {
        for (typed, parsed) in [
            ("findall --offline ask who? a.txt", "findall ask who? a.txt --offline"),
            ("findall index --offline status", "findall index status --offline"),
            ("findall --offline lamp", "findall lamp --offline"),
            ("findall --offline -- ask", "findall --offline -- ask"),
            ("findall lamp -- --offline", "findall lamp -- --offline"),
        ] {
            assert_eq!(modern_of(typed), parsed);
        }
    }

    #[test]
    fn the_global_flag_is_the_only_one_and_takes_no_value() {
        let command = RawArgs::command();
        let global: Vec<_> = command.get_arguments().filter(|flag| flag.is_global_set()).collect();
        let names: Vec<_> = global.iter().filter_map(|flag| flag.get_long()).collect();
        assert_eq!(names, [GLOBAL_FLAG.trim_start_matches("--")]);
        assert!(!global[0].get_action().takes_values());
    }
}
