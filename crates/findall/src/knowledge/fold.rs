//! Folding: every way of writing a name meets in one key. Case, accents, punctuation, a leading "the" and a possessive
//! go; letters, digits and single spaces stay.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Names longer than this are not names.
pub const MAX_NAME_BYTES: usize = 400;

/// The key of a name as it is stored. Empty when nothing of the name is left.
pub fn fold(name: &str) -> String {
    let folded = fold_keeping_article(name);
    for article in ["the ", "a ", "an "] {
        // "The The" and "A A" stay what they are.
        if let Some(rest) = folded.strip_prefix(article)
            && rest.len() > 1
        {
            return rest.to_owned();
        }
    }
    folded
}

fn fold_keeping_article(name: &str) -> String {
    let name = &name[..name.floor_char_boundary(MAX_NAME_BYTES)];
    let mut folding = FoldedName { key: String::with_capacity(name.len()), gap: false };
    // Most names are ASCII, where nothing has to be taken apart.
    match name.is_ascii() {
        true => name.chars().for_each(|character| folding.push(character)),
        false => name.nfkd().filter(|&c| !is_combining_mark(c)).for_each(|character| folding.push(character)),
    }
    folding.key
}

/// A key as far as it is made.
struct FoldedName {
    key: String,
    /// Whether the next letter begins a word.
    gap: bool,
}

impl FoldedName {
    fn push(&mut self, character: char) {
        if matches!(character, '\'' | '’' | '‘' | 'ʻ' | 'ʼ' | '`' | '.' | '\u{ad}' | '"' | '“' | '”')
        {
            return;
        }
        if character == '&' || character == '+' {
            push_word(&mut self.key, if character == '&' { "and" } else { "plus" });
            self.gap = true;
            return;
        }
        if !character.is_alphanumeric() {
            self.gap = true;
            return;
        }
        if self.gap && !self.key.is_empty() && !self.key.ends_with(' ') {
            self.key.push(' ');
        }
        self.gap = false;
        match character {
            'ß' | 'ẞ' => self.key.push_str("ss"),
            'æ' | 'Æ' => self.key.push_str("ae"),
            'œ' | 'Œ' => self.key.push_str("oe"),
            'ø' | 'Ø' => self.key.push('o'),
            'ł' | 'Ł' => self.key.push('l'),
            'đ' | 'Đ' | 'ð' | 'Ð' => self.key.push('d'),
            'þ' | 'Þ' => self.key.push_str("th"),
            'ı' | 'İ' => self.key.push('i'),
            _ if character.is_ascii() => self.key.push(character.to_ascii_lowercase()),
            _ => self.key.extend(character.to_lowercase()),
        }
    }
}

fn push_word(key: &mut String, word: &str) {
    if !key.is_empty() && !key.ends_with(' ') {
        key.push(' ');
    }
    key.push_str(word);
}

/// The keys to try for a surface form, best first: as written, without its possessive, its last word in the singular,
/// or in the plural.
pub(super) fn lookup_keys(surface: &str) -> Vec<String> {
    let mut keys = vec![fold(surface)];
    let trimmed = surface.trim_end();
    let bare = ["'s", "’s", "'", "’"].iter().find_map(|ending| trimmed.strip_suffix(ending));
    if let Some(bare) = bare {
        keys.push(fold(bare));
    }
    let last = keys.last().cloned().unwrap_or_default();
    keys.extend(singular(&last));
    // "a Girl Scout" for the Girl Scouts: only tried when nothing else is known.
    if last.contains(' ') && !last.ends_with('s') {
        keys.push(format!("{last}s"));
    }
    keys.retain(|key| !key.is_empty());
    keys.dedup();
    keys
}

/// The key with its last word in the singular, if that word looks like a plural.
fn singular(key: &str) -> Vec<String> {
    let word = key.rsplit(' ').next().unwrap_or("");
    if word.len() < 4
        || !word.is_ascii()
        || !word.ends_with('s')
        || word.ends_with("ss")
        || word.ends_with("us")
    {
        return Vec::new();
    }
    let mut out = Vec::new();
    if let Some(stem) = key.strip_suffix("ies") {
        out.push(format!("{stem}y"));
    }
    if let Some(stem) = key.strip_suffix("es")
        && ["s", "x", "z", "ch", "sh", "o"].iter().any(|end| stem.ends_with(end))
    {
        out.push(stem.to_owned());
    }
    out.extend(key.strip_suffix('s').map(str::to_owned));
    out
}

/// The key under which sources agree on a title: case, accents and underscores folded, disambiguator kept.
pub fn title_key(title: &str) -> String {
    let mut key = String::with_capacity(title.len());
    for character in title.nfkd() {
        match character {
            _ if is_combining_mark(character) => {}
            '_' | ' ' | '\u{a0}' | '\t' => {
                if !key.ends_with(' ') && !key.is_empty() {
                    key.push(' ');
                }
            }
            '–' | '—' | '‐' | '‑' | '−' => key.push('-'),
            '’' | '‘' | '`' => key.push('\''),
            _ => key.extend(character.to_lowercase()),
        }
    }
    key.truncate(key.trim_end().len());
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_of_writing_meet() {
        for (written, key) in [
            ("The Beatles", "beatles"),
            ("the   beatles", "beatles"),
            ("U.S.", "us"),
            ("São Paulo", "sao paulo"),
            ("Łódź", "lodz"),
            ("O'Neil", "oneil"),
            ("O’Neil", "oneil"),
            ("AT&T", "at and t"),
            ("Spider-Man", "spider man"),
            ("Democratic_Party (United States)", "democratic party united states"),
            ("The The", "the"),
            ("A", "a"),
            ("!!!", ""),
            ("ＩＢＭ", "ibm"),
        ] {
            assert_eq!(fold(written), key, "{written}");
        }
    }

    #[test]
    fn possessive_and_plural_are_tried_after_the_name_itself() {
        assert_eq!(lookup_keys("McDonald's"), ["mcdonalds", "mcdonald"]);
        assert_eq!(lookup_keys("Trump’s")[..2], ["trumps", "trump"]);
        assert_eq!(lookup_keys("mobile apps"), ["mobile apps", "mobile app"]);
        assert_eq!(lookup_keys("universities"), ["universities", "university", "universitie"]);
        assert_eq!(lookup_keys("girl scout"), ["girl scout", "girl scouts"]);
        assert_eq!(lookup_keys("Texas"), ["texas", "texa"]);
        assert!(lookup_keys("…").is_empty());
    }

    #[test]
    fn folding_is_stable_and_bounded() {
        for name in ["Zoë & Co.", "İstanbul", "ﬁlm", "A+ (band)", &"x".repeat(10_000)] {
            let once = fold(name);
            assert_eq!(fold(&once), once);
            assert!(once.len() <= 2 * MAX_NAME_BYTES);
        }
    }

    #[test]
    fn titles_agree_without_losing_their_disambiguator() {
        assert_eq!(title_key("Mercury_(planet)"), title_key("mercury (Planet)"));
        assert_ne!(title_key("Mercury (planet)"), title_key("Mercury"));
        assert_eq!(title_key("Lone Star College–North Harris"), title_key("lone star college-north harris"));
    }
}
