//! Name forms: the text of a mention enters; what the name is without title words, articles and possessives leaves.

use super::LINKING_WORD_LISTS;
use super::spellings::spellings;
use crate::knowledge::fold;
use crate::word_list::WordList;

/// Words that stand before a person's name and are no part of it.
static NAME_TITLES: WordList = WordList::new(LINKING_WORD_LISTS, "title");

/// Words that end a name and that people leave out.
const DROPPED_NAME_SUFFIXES: &[&str] = &[
    "co",
    "company",
    "corp",
    "corporation",
    "group",
    "holdings",
    "ii",
    "iii",
    "inc",
    "jr",
    "limited",
    "llc",
    "ltd",
    "plc",
    "sr",
];

/// What may be joined to a name by a hyphen without changing whose name it is: "anti-Trump", "ex-Google".
const NAME_PREFIXES: &[&str] = &["anti", "ex", "mid", "non", "post", "pre", "pro"];

/// Endings of addresses that are named for their owner: "Oreos.com".
const DOMAINS: &[&str] = &[".co.uk", ".com", ".net", ".org"];

/// Small words that an acronym skips.
const TITLE_PARTICLES: &[&str] = &["and", "de", "for", "in", "of", "on", "the", "to"];

/// A distinct way of naming something, folded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Form {
    /// Folded words of the name itself.
    pub words: Vec<String>,
    /// The words joined by spaces: equal keys are the same name.
    pub key: String,
    /// The name as written, without what was stripped.
    pub written: String,
    /// True when title words stood before it, which makes it a person's.
    pub titled: bool,
    /// True when it starts with a small letter.
    pub lower: bool,
    /// Capitals only, two to seven of them: "ESA", "U.S.".
    pub acronym: bool,
}

impl Form {
    /// The form of a mention's text.
    pub fn of(text: &str) -> Form {
        let (written, titled) = strip_titles(strip_affixes(text));
        Form::from_written(written, titled)
    }

    /// The form with its title words, for names that have one in them: "General Motors".
    pub fn with_titles(text: &str) -> Form {
        Form::from_written(strip_affixes(text), false)
    }

    /// The form with its possessive ending, for names that end so: "Macy's". `None` where there is none.
    pub fn with_possessive(text: &str) -> Option<Form> {
        let name = strip_article(text.trim());
        ends_in_possessive(name).then(|| Form::from_written(name, false))
    }

    fn from_written(written: &str, titled: bool) -> Form {
        let words: Vec<String> =
            fold(written).split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect();
        let letters = written.chars().filter(|c| *c != '.');
        let acronym = (2..=7).contains(&letters.clone().count()) && letters.clone().all(char::is_uppercase);
        Form {
            key: words.join(" "),
            words,
            titled,
            lower: written.chars().next().is_some_and(char::is_lowercase),
            acronym,
            written: written.to_owned(),
        }
    }

    /// The words without "Jr." or "Inc.".
    pub fn main_words(&self) -> &[String] {
        let mut words = self.words.as_slice();
        while let [rest @ .., last] = words
            && !rest.is_empty()
            && DROPPED_NAME_SUFFIXES.contains(&last.as_str())
        {
            words = rest;
        }
        words
    }

    /// The last word that is no suffix: a person's surname.
    pub fn last(&self) -> Option<&str> {
        self.main_words().last().map(String::as_str)
    }

    /// The initials by which a name of several words may be called, with and without its small words.
    pub fn initials(&self) -> Vec<String> {
        if self.words.len() < 2 {
            return Vec::new();
        }
        let initial = |word: &String| word.chars().next();
        let all: String = self.words.iter().filter_map(initial).collect();
        let main: String = self
            .words
            .iter()
            .filter(|word| !TITLE_PARTICLES.contains(&word.as_str()))
            .filter_map(initial)
            .collect();
        let mut out = vec![all];
        if main.len() >= 2 && main != out[0] {
            out.push(main);
        }
        out
    }

    /// Other ways to look the name up when the base does not know it: one of many, without its suffix, as a handle.
    pub fn variants(&self) -> Vec<String> {
        let main = self.main_words();
        let mut out = self.singulars();
        if let [first, rest @ ..] = self.words.as_slice()
            && first == "us"
            && !rest.is_empty()
        {
            out.push(format!("united states {}", rest.join(" ")));
        }
        if main.len() < self.words.len() {
            out.push(main.join(" "));
        }
        out.extend(spellings(&self.words, &self.written));
        out.extend(self.written.strip_prefix(['@', '#']).and_then(split_handle));
        let lower = self.written.to_lowercase();
        if let Some(owner) = DOMAINS.iter().find_map(|domain| lower.strip_suffix(domain))
            && owner.len() > 3
            && owner.chars().all(|c| c.is_alphanumeric() || c == '-')
        {
            out.push(owner.to_owned());
            out.extend(Form::with_titles(owner).singulars());
        }
        out
    }

    /// Parts of a long name that may stand for it: first and last word, all but the last, all but the first.
    pub fn parts(&self) -> Vec<String> {
        let main = self.main_words();
        let mut out = Vec::new();
        if main.len() >= 3 && !main.iter().any(|word| TITLE_PARTICLES.contains(&word.as_str())) {
            out.push(format!("{} {}", main[0], main[main.len() - 1]));
            out.push(main[..main.len() - 1].join(" "));
            out.push(main[1..].join(" "));
        }
        out
    }

    /// The name of one where this is the name of many: "Boomboxes", "Grammies".
    fn singulars(&self) -> Vec<String> {
        let key = self.key.as_str();
        let cut = |ending: &str, one: &str| key.strip_suffix(ending).map(|stem| format!("{stem}{one}"));
        let long = |name: &String| name.len() > 2;
        [cut("ies", "y"), cut("es", ""), cut("s", "")].into_iter().flatten().filter(long).collect()
    }
}

/// The words of a handle that tells them apart by capitals: "ErinAndrews". `None` where it is one word.
fn split_handle(handle: &str) -> Option<String> {
    let mut words = String::new();
    for (at, letter) in handle.char_indices() {
        let follows_small = handle[..at].ends_with(char::is_lowercase);
        match letter {
            '_' => words.push(' '),
            _ if letter.is_uppercase() && follows_small => words.extend([' ', letter]),
            _ => words.push(letter),
        }
    }
    let words = words.trim().to_owned();
    words.contains(' ').then_some(words)
}

/// True for a role that may stand before a name or in its place: "Mayor", "president", "schools chief".
pub(super) fn is_role(text: &str) -> bool {
    let words = fold(text);
    // "House Speaker" as well as "Speaker"; longer ones are names of offices.
    words.split(' ').count() <= 2 && words.rsplit(' ').next().is_some_and(|word| NAME_TITLES.contains(word))
}

fn strip_affixes(text: &str) -> &str {
    strip_prefix(strip_article(strip_possessive(text.trim())))
}

/// The name behind "anti-" and the like, where it is one: "pre-Columbian", but neither "pro-am" nor "Ex-Lax".
fn strip_prefix(text: &str) -> &str {
    match text.split_once(['-', '‑', '–']) {
        Some((prefix, name)) if NAME_PREFIXES.contains(&prefix) && name.starts_with(char::is_uppercase) => {
            name
        }
        _ => text,
    }
}

/// True for "Macy's", with either apostrophe.
pub(super) fn ends_in_possessive(text: &str) -> bool {
    text.ends_with("'s") || text.ends_with("’s")
}

fn strip_possessive(text: &str) -> &str {
    ["'s", "’s", "'", "’"].iter().find_map(|ending| text.strip_suffix(ending)).unwrap_or(text)
}

fn strip_article(text: &str) -> &str {
    match text.get(..4) {
        Some(start) if start.eq_ignore_ascii_case("the ") && text.len() > 5 => text[4..].trim_start(),
        _ => text,
    }
}

/// The text after its title words, unless they are all there is.
fn strip_titles(text: &str) -> (&str, bool) {
    let mut rest = text;
    while let Some((word, after)) = rest.split_once(char::is_whitespace) {
        let key = word.trim_end_matches(['.', ',']).to_lowercase();
        let after = after.trim_start();
        if !NAME_TITLES.contains(&key) || !after.starts_with(char::is_uppercase) {
            break;
        }
        rest = after;
    }
    (rest, rest.len() < text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_lose_what_is_no_part_of_the_name() {
        for (text, key, titled) in [
            ("the Fed", "fed", false),
            ("anti-Trump", "trump", false),
            ("pro-am", "pro am", false),
            ("Ex-Lax", "ex lax", false),
            ("Nick Saban’s", "nick saban", false),
            ("Sen. Tim Kaine", "tim kaine", true),
            ("President", "president", false),
            ("General Motors", "motors", true),
            ("Mr. and Mrs", "mr and mrs", false),
            ("", "", false),
        ] {
            let form = Form::of(text);
            assert_eq!((form.key.as_str(), form.titled), (key, titled), "{text}");
        }
        assert_eq!(Form::with_titles("the General Motors").key, "general motors");
        assert!(Form::of("U.S.").acronym);
        assert!(!Form::of("Usa").acronym);
    }

    #[test]
    fn initials_and_surnames_are_read_off_the_words() {
        let agency = Form::of("Bureau of Land Management");
        assert_eq!(agency.initials(), ["bolm", "blm"]);
        assert_eq!(Form::of("Walter White Jr.").last(), Some("white"));
        assert_eq!(Form::of("Goldman Sachs Group, Inc.").variants()[0], "goldman sachs");
        assert_eq!(Form::of("Grammies").variants()[0], "grammy");
        assert_eq!(Form::of("Oreos.com").variants(), ["oreos", "oreo"]);
        assert!(Form::of("www.example.com/page.html").variants().is_empty());
        assert_eq!(Form::of("@GretaThunberg").variants(), ["Greta Thunberg"]);
        assert_eq!(Form::of("#Lyon_Opera").variants(), ["Lyon Opera"]);
        assert!(Form::of("@lyon").variants().is_empty());
    }

    #[test]
    fn word_lists_are_sorted() {
        assert!(DROPPED_NAME_SUFFIXES.is_sorted());
    }
}
