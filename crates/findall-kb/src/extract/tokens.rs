//! Prose cut into sentences of words: asides in parentheses set apart, footnote marks and quotes dropped.

use super::EXTRACT_WORD_LISTS;
use findall::word_list::WordList;

/// A word and what follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word<'t> {
    /// The word without punctuation at its ends.
    pub text: &'t str,
    /// A comma, semicolon, colon or dash follows.
    pub pause: bool,
}

impl Word<'_> {
    /// Begins with a capital letter or a digit followed by one ("3D").
    pub fn is_name(&self) -> bool {
        let mut chars = self.text.chars();
        match chars.next() {
            Some(first) if first.is_uppercase() => true,
            Some(first) if first.is_ascii_digit() => chars.any(char::is_uppercase),
            _ => false,
        }
    }

    /// A year from 1000 to 2099, or a decade such as "1980s".
    pub fn is_year(&self) -> bool {
        let digits = self.text.strip_suffix('s').unwrap_or(self.text);
        digits.len() == 4
            && digits.bytes().all(|b| b.is_ascii_digit())
            && (digits.starts_with('1') || digits.starts_with("20"))
    }

    /// Holds a digit.
    pub fn is_number(&self) -> bool {
        self.text.bytes().any(|b| b.is_ascii_digit())
    }
}

/// The text without brackets and parentheses, and what stood in the parentheses.
pub(super) fn set_asides_apart(text: &str) -> (String, Vec<String>) {
    let mut plain = String::with_capacity(text.len());
    let mut asides = Vec::new();
    let mut aside = String::new();
    let (mut round, mut square) = (0usize, 0usize);
    for character in text.chars() {
        match character {
            '(' => {
                round += 1;
                if round == 1 {
                    aside.clear();
                }
            }
            ')' if round > 0 => {
                round -= 1;
                if round == 0 && !aside.trim().is_empty() {
                    asides.push(aside.trim().to_owned());
                }
            }
            '[' => square += 1,
            ']' if square > 0 => square -= 1,
            _ if square > 0 => {}
            '\u{ad}' | '\u{200b}' | '"' | '“' | '”' => {}
            _ if round > 0 => aside.push(character),
            '\n' | '\t' | '\u{a0}' => plain.push(' '),
            _ => plain.push(character),
        }
    }
    (plain, asides)
}

static ABBREVIATIONS: WordList = WordList::new(EXTRACT_WORD_LISTS, "abbreviation");

/// Sentences as byte ranges of `text`.
fn sentences(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut start = 0;
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        if !matches!(byte, b'.' | b'!' | b'?') || bytes.get(at + 1) != Some(&b' ') {
            continue;
        }
        let next = text[at + 1..].trim_start().chars().next();
        if !next.is_some_and(|c| c.is_uppercase() || c.is_ascii_digit() || c == '\'') {
            continue;
        }
        if *byte == b'.' {
            let last = text[start..at].rsplit(' ').next().unwrap_or("").to_lowercase();
            let initial = last.chars().count() == 1 && !last.bytes().all(|b| b.is_ascii_digit());
            if initial || ABBREVIATIONS.contains(&last) {
                continue;
            }
        }
        out.push(&text[start..at]);
        start = at + 1;
    }
    if !text[start..].trim().is_empty() {
        out.push(&text[start..]);
    }
    out
}

/// The words of each sentence; of a date only the year stays.
pub(super) fn sentences_of_words(text: &str) -> Vec<Vec<Word<'_>>> {
    sentences(text)
        .into_iter()
        .map(|sentence| without_days(words(sentence)))
        .filter(|words| !words.is_empty())
        .collect()
}

const MONTHS: &[&str] = &[
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// "July 9, 2005" and "9 July 2005" become "2005".
fn without_days(words: Vec<Word<'_>>) -> Vec<Word<'_>> {
    let is_day = |word: &Word<'_>| word.text.len() <= 2 && word.text.bytes().all(|b| b.is_ascii_digit());
    let is_month = |word: &Word<'_>| MONTHS.contains(&word.text);
    let mut out: Vec<Word<'_>> = Vec::with_capacity(words.len());
    let mut at = 0;
    while at < words.len() {
        let next: Vec<&Word<'_>> = words[at..].iter().take(3).collect();
        let before_year = match next[..] {
            [a, b, year] if year.is_year() && (is_month(a) && is_day(b) || is_day(a) && is_month(b)) => 2,
            [a, year, ..] if year.is_year() && is_month(a) => 1,
            _ => 0,
        };
        if before_year > 0
            && let Some(last) = out.last_mut()
            && last.text == "on"
        {
            last.text = "in";
        }
        at += before_year;
        out.push(words[at]);
        at += 1;
    }
    out
}

fn words(sentence: &str) -> Vec<Word<'_>> {
    let mut out: Vec<Word<'_>> = Vec::new();
    for piece in sentence.split_whitespace() {
        if piece == "&" {
            out.push(Word { text: piece, pause: false });
            continue;
        }
        let lead = piece
            .trim_start_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '$' | '£' | '€' | '.' | '#'));
        let text =
            lead.trim_end_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '!' | '%' | '+' | '#'));
        let tail = &lead[text.len()..];
        // Initials and "Jr." keep their full stop; a sentence's own stop is gone already.
        let text = if tail.starts_with('.')
            && (text.contains('.') || text.chars().count() == 1 || text == "Jr" || text == "St")
        {
            &lead[..=text.len()]
        } else {
            text
        };
        if text.is_empty() {
            // A dash or comma standing alone is a pause after the word before it.
            if let Some(last) = out.last_mut() {
                last.pause |= piece.chars().any(|c| matches!(c, ',' | ';' | ':' | '-' | '–' | '—'));
            }
            continue;
        }
        if lead.len() < piece.len()
            && piece.starts_with([',', ';', ':', '–', '—'])
            && let Some(last) = out.last_mut()
        {
            last.pause = true;
        }
        out.push(Word { text, pause: tail.chars().any(|c| matches!(c, ',' | ';' | ':' | '–' | '—')) });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asides_and_notes_leave_the_text() {
        let (plain, asides) = set_asides_apart("Ada (born 1815 (London)) [1] wrote.");
        assert_eq!(plain, "Ada   wrote.");
        assert_eq!(asides, ["born 1815 London"]);
    }

    #[test]
    fn sentences_survive_abbreviations() {
        let found = sentences_of_words("J. R. Smith of Acme Inc. Ltd lived in St. Ives. He wrote, slowly.");
        assert_eq!(found.len(), 2);
        let last: Vec<_> = found[1].iter().map(|w| (w.text, w.pause)).collect();
        assert_eq!(last, [("He", false), ("wrote", true), ("slowly", false)]);
        assert_eq!(found[0][0].text, "J.");
    }

    #[test]
    fn torn_parentheses_do_not_break_it() {
        for text in ["((((", "))))", "a ( b", "a ] b", "", "—", "…"] {
            let (plain, _) = set_asides_apart(text);
            sentences_of_words(&plain);
        }
    }
}
