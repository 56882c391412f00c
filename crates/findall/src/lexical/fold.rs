//! Folding: what a character counts as when spelling details do not matter. Case, accents, ligatures, typographic
//! quotes and dashes fold away; invisible characters vanish; all whitespace is one space.

use unicode_normalization::char::decompose_compatible;

/// Longest folding kept; the few longer ones (Arabic phrases in one character) stand for themselves.
const MAX_FOLDING_CHARS: usize = 4;

/// What one character folds to: nothing, or a few characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FoldedChar {
    chars: [char; MAX_FOLDING_CHARS],
    length: usize,
}

impl FoldedChar {
    const EMPTY: FoldedChar = FoldedChar { chars: ['\0'; MAX_FOLDING_CHARS], length: 0 };

    fn from_char(c: char) -> FoldedChar {
        let mut folded = FoldedChar::EMPTY;
        folded.push(c);
        folded
    }

    fn push(&mut self, c: char) {
        if let Some(slot) = self.chars.get_mut(self.length) {
            *slot = c;
        }
        self.length += 1;
    }

    pub fn as_slice(&self) -> &[char] {
        &self.chars[..self.length]
    }
}

/// Folds one character.
pub(super) fn fold(c: char) -> FoldedChar {
    if c.is_ascii() {
        return FoldedChar::from_char(if is_space(c) { ' ' } else { c.to_ascii_lowercase() });
    }
    if is_ignored(c) {
        return FoldedChar::EMPTY;
    }
    if let Some(plain) = plain_form(c) {
        return FoldedChar::from_char(plain);
    }
    let mut folded = FoldedChar::EMPTY;
    decompose_compatible(c, |part| {
        if is_mark(part) {
            return;
        }
        match part {
            'ß' | 'ẞ' => "ss".chars().for_each(|c| folded.push(c)),
            'æ' | 'Æ' => "ae".chars().for_each(|c| folded.push(c)),
            'œ' | 'Œ' => "oe".chars().for_each(|c| folded.push(c)),
            _ => match plain_form(part) {
                Some(plain) => folded.push(plain),
                None => part.to_lowercase().filter(|&c| !is_mark(c)).for_each(|c| folded.push(c)),
            },
        }
    });
    // A spacing accent decomposes to a space and a mark, and nothing may fold to a space that is none.
    if folded.length == 0 || folded.length > MAX_FOLDING_CHARS || folded.as_slice().contains(&' ') {
        return FoldedChar::from_char(c);
    }
    folded
}

/// Letters without a decomposition and signs that have an everyday twin.
fn plain_form(c: char) -> Option<char> {
    Some(match c {
        c if is_space(c) => ' ',
        '‐'..='―' | '−' | '﹣' | '－' => '-',
        '‘'..='‛' | '′' | 'ʼ' | '＇' => '\'',
        '“'..='‟' | '″' | '«' | '»' | '＂' => '"',
        'ø' | 'Ø' => 'o',
        'ł' | 'Ł' => 'l',
        'đ' | 'Đ' | 'ð' | 'Ð' => 'd',
        'ħ' | 'Ħ' => 'h',
        'ı' => 'i',
        'ŧ' | 'Ŧ' => 't',
        'ς' => 'σ',
        _ => return None,
    })
}

/// Whitespace of any kind.
pub(super) fn is_space(c: char) -> bool {
    c.is_whitespace()
}

/// Characters that show nothing: soft hyphens, joiners, direction marks, variation selectors, accents on their own.
pub(super) fn is_ignored(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{206f}' | '\u{feff}' | '\u{fe00}'..='\u{fe0f}')
        || is_mark(c)
}

/// Accents and vowel points that a reader may leave out. Marks of other scripts (Indic vowels, kana voicing) are part
/// of the word and stay.
pub(super) fn is_mark(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{487}' | '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}' | '\u{5c2}'
        | '\u{5c4}' | '\u{5c5}' | '\u{5c7}' | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{670}'
        | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}')
}

/// Folds a whole string, whitespace collapsed and trimmed. For queries and short strings only.
pub(crate) fn fold_str(text: &str) -> Vec<char> {
    let mut folded: Vec<char> = Vec::with_capacity(text.len());
    for c in text.chars() {
        for &part in fold(c).as_slice() {
            if part != ' ' || folded.last().is_some_and(|&last| last != ' ') {
                folded.push(part);
            }
        }
    }
    if folded.last() == Some(&' ') {
        folded.pop();
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_what_readers_ignore() {
        let cases = [
            ("Café", "cafe"),
            ("cafe\u{301}", "cafe"),
            ("STRASSE straße", "strasse strasse"),
            ("ﬁnal ﬀ", "final ff"),
            ("in\u{ad}for\u{200b}mation", "information"),
            ("a\u{a0}\r\n\t b", "a b"),
            ("“Don’t” — «x»", "\"don't\" - \"x\""),
            ("Øresund Łódź Æsir", "oresund lodz aesir"),
            ("ＦＵＬＬ", "full"),
            ("İstanbul", "istanbul"),
            ("שָׁלוֹם", "שלום"),
            ("हिन्दी", "हिन्दी"),
            ("¨", "¨"),
        ];
        for (text, expected) in cases {
            assert_eq!(fold_str(text).into_iter().collect::<String>(), expected, "{text}");
        }
    }
}
