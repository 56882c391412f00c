//! A page as words with what stands between them: the form in which the rules read it.

use crate::span::Span;

/// What stands before a word, seen from the word before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gap {
    /// A blank.
    Space,
    /// A blank and an opening quotation mark.
    Quote,
    Comma,
    Colon,
    Dash,
    /// An opening parenthesis.
    Open,
    /// A closing parenthesis, whatever follows.
    Close,
    /// A full stop that ends no sentence.
    Dot,
    /// The end of a sentence, a line or a cell, or anything else.
    Break,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct TextWord {
    pub span: Span,
    pub before: Gap,
}

/// All words of a text.
pub(super) struct TextWords<'t> {
    pub text: &'t str,
    pub words: Vec<TextWord>,
}

/// A line at least this long may be wrapped: what goes on in lower case on the next line belongs to it.
const MIN_WRAPPED_LINE: usize = 50;

impl<'t> TextWords<'t> {
    /// Splits a text; `sentences` are where nothing runs over.
    pub fn of(text: &'t str, sentences: &[Span]) -> Self {
        let mut words: Vec<TextWord> = Vec::with_capacity(text.len() / 5);
        let mut at = 0;
        let mut sentence = 0;
        let mut line_start = 0;
        while let Some(start) = text[at..].find(char::is_alphanumeric).map(|from| at + from) {
            let end = word_end(text, start);
            let gap = &text[at..start];
            while sentences.get(sentence).is_some_and(|one| one.end <= start) {
                sentence += 1;
            }
            let begins = sentences.get(sentence).is_some_and(|one| one.start >= at && one.start <= start);
            let mut before = if words.is_empty() { Gap::Break } else { classify(gap) };
            if let Some(newline) = gap.rfind('\n') {
                let wrapped = text[start..].starts_with(char::is_lowercase)
                    && at.saturating_sub(line_start) >= MIN_WRAPPED_LINE
                    && gap.trim_matches([' ', '\n']).is_empty()
                    && gap.matches('\n').count() == 1;
                before = if wrapped { Gap::Space } else { Gap::Break };
                line_start = at + newline + 1;
            }
            if begins && !matches!(before, Gap::Space | Gap::Quote | Gap::Open) {
                before = Gap::Break;
            }
            words.push(TextWord { span: Span::new(start, end), before });
            at = end;
        }
        Self { text, words }
    }

    pub fn get(&self, at: usize) -> Option<&'t str> {
        self.words.get(at)?.span.slice(self.text)
    }

    /// What stands between the words `at - 1` and `at`; the end of the text breaks.
    pub fn gap_before(&self, at: usize) -> Gap {
        self.words.get(at).map_or(Gap::Break, |word| word.before)
    }

    /// The words from `from` to before `to`, as they stand in the text but for line ends.
    pub fn phrase(&self, from: usize, to: usize) -> String {
        let (Some(first), Some(last)) =
            (self.words.get(from), to.checked_sub(1).and_then(|at| self.words.get(at)))
        else {
            return String::new();
        };
        let mut end = last.span.end;
        // An abbreviation keeps its full stop when it is short and has a capital, and a quotation its mark.
        if self.text[end..].starts_with(['”', '"']) {
            end += self.text[end..].chars().next().map_or(0, char::len_utf8);
        }
        let slice = self.text.get(first.span.start..end).unwrap_or_default();
        slice.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// True when what stands before a word ends a clause: punctuation, a line end, the end of the text.
    pub fn is_clause_end_before(&self, at: usize) -> bool {
        let Some(last) = at.checked_sub(1).and_then(|at| self.words.get(at)) else { return false };
        let rest = self.text[last.span.end..].trim_start_matches(' ');
        rest.is_empty() || rest.starts_with(|c: char| ",.;:!?)—–-”\"’\n\t".contains(c))
    }

    /// The words that a span covers, as numbers from and to.
    pub fn covered_words(&self, span: Span) -> Option<(usize, usize)> {
        let from = self.words.partition_point(|word| word.span.end <= span.start);
        let to = self.words.partition_point(|word| word.span.start < span.end);
        (from < to).then_some((from, to))
    }
}

/// Letters and digits with what may stand inside a word: "award-winning", "U.S", "AT&T", "company's".
fn word_end(text: &str, start: usize) -> usize {
    let mut end = start;
    let mut chars = text[start..].char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let inside = matches!(c, '\'' | '’' | '-' | '‑' | '.' | '&' | '/' | '\u{ad}');
        let goes_on = chars.peek().is_some_and(|(_, next)| next.is_alphanumeric());
        if c.is_alphanumeric() || inside && goes_on {
            end = start + at + c.len_utf8();
        } else {
            break;
        }
    }
    end
}

fn classify(gap: &str) -> Gap {
    let bare = gap.trim();
    match bare {
        "" if gap.contains('\t') => Gap::Break,
        "" => Gap::Space,
        "\"" | "“" | "‘" | "'" | "«" if gap.starts_with(' ') => Gap::Quote,
        "," => Gap::Comma,
        ":" => Gap::Colon,
        "." if gap.len() > 1 => Gap::Dot,
        "—" | "–" | "--" | "-" => Gap::Dash,
        "(" => Gap::Open,
        _ if bare.starts_with(')') => Gap::Close,
        _ if bare.starts_with(".,") => Gap::Comma,
        _ => Gap::Break,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_told_apart() {
        let text = "Dr. Ann Roe, of the U.S. (born 1950), said: \"Yes\".\nNo way";
        let words = TextWords::of(text, &[Span::new(0, 50), Span::new(51, 57)]);
        let seen: Vec<(&str, Gap)> =
            (0..words.words.len()).map(|at| (words.get(at).unwrap(), words.gap_before(at))).collect();
        use Gap::*;
        let expected = [
            ("Dr", Break),
            ("Ann", Dot),
            ("Roe", Space),
            ("of", Comma),
            ("the", Space),
            ("U.S", Space),
            ("born", Break),
            ("1950", Space),
            ("said", Close),
            ("Yes", Break),
            ("No", Break),
            ("way", Space),
        ];
        assert_eq!(seen, expected);
        assert_eq!(words.phrase(3, 6), "of the U.S");
        assert_eq!(words.covered_words(Span::new(4, 11)), Some((1, 3)));
    }

    #[test]
    fn wrapped_lines_go_on_and_short_ones_do_not() {
        let text = "A line of a text file that was wrapped at sixty letters or\nso goes on here\nand a heading does not";
        let words = TextWords::of(text, &[]);
        let gaps: Vec<Gap> = words.words.iter().map(|word| word.before).collect();
        assert_eq!(gaps.iter().filter(|gap| **gap == Gap::Break).count(), 2);
    }
}
