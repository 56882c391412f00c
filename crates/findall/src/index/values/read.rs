//! Small steps that reading a value takes: what stands before and after a place, one word, one number with its
//! separators. Places are bytes into the text, on character boundaries.

use crate::word_list::WordList;

/// The character that ends before a place.
pub(super) fn char_before(text: &str, at: usize) -> Option<char> {
    text[..at].chars().next_back()
}

/// The character that starts at a place.
pub(super) fn char_after(text: &str, at: usize) -> Option<char> {
    text[at..].chars().next()
}

/// Past one blank, if one stands there; a line end is none.
pub(super) fn skip_blank(text: &str, at: usize) -> usize {
    match char_after(text, at) {
        Some(c @ (' ' | '\u{a0}' | '\u{202f}' | '\u{2009}')) => at + c.len_utf8(),
        _ => at,
    }
}

/// Past a sign, if it stands there.
pub(super) fn skip_sign(text: &str, at: usize, sign: &str) -> Option<usize> {
    text[at..].starts_with(sign).then_some(at + sign.len())
}

/// The letters that stand at a place, as they are.
pub(super) fn word(text: &str, at: usize) -> &str {
    let rest = &text[at..];
    &rest[..rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len())]
}

/// The digits that stand at a place.
pub(super) fn digits(text: &str, at: usize) -> &str {
    let rest = &text[at..];
    &rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())]
}

/// The word before a place, with at most one blank and a full stop between.
pub(super) fn word_before(text: &str, at: usize) -> &str {
    let rest = text[..at].trim_end_matches([' ', '\u{a0}', '(', '"', '“']);
    let rest = rest.strip_suffix('.').unwrap_or(rest);
    let start = rest
        .char_indices()
        .rev()
        .take_while(|(_, c)| c.is_alphabetic() || *c == '©')
        .last()
        .map_or(rest.len(), |(at, _)| at);
    &rest[start..]
}

/// The word after a place, with at most one blank between.
pub(super) fn word_after(text: &str, at: usize) -> &str {
    word(text, skip_blank(text, at))
}

/// True where no letter or digit goes on.
pub(super) fn ends(text: &str, at: usize) -> bool {
    !char_after(text, at).is_some_and(char::is_alphanumeric)
}

/// True when one of the words is this one, in any case.
pub(super) fn is_one(word: &str, words: &[&str]) -> bool {
    !word.is_empty() && words.contains(&word.to_lowercase().as_str())
}

/// True when a list has the word, in any case.
pub(super) fn is_listed(word: &str, list: &WordList) -> bool {
    !word.is_empty() && list.contains(&word.to_lowercase())
}

/// Past what cannot be a value: a sign, a word, or digits and letters joined by what joins them in versions and
/// addresses of machines.
pub(super) fn skip_piece(text: &str, start: usize) -> usize {
    let mut at = start + char_after(text, start).map_or(1, char::len_utf8);
    if !char_before(text, at).is_some_and(char::is_alphanumeric) {
        return at;
    }
    while let Some(c) = char_after(text, at) {
        let next = at + c.len_utf8();
        let joins = matches!(c, '.' | ',' | ':' | '\'' | '’' | '-')
            && char_before(text, at).is_some_and(|c| c.is_ascii_digit())
            && char_after(text, next).is_some_and(|c| c.is_ascii_digit());
        if !c.is_alphanumeric() && !joins {
            break;
        }
        at = next;
    }
    at
}

/// Signs between groups of three digits that are not decimal signs.
fn is_group_sign(c: char) -> bool {
    matches!(c, '\'' | '’' | ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}')
}

/// One past a number: "1,299.99", "1.299,99", "1 299,99", "1'299.99", "12,50", "12,34,567". `None` for what only looks
/// like one: versions, addresses of machines.
pub(super) fn number(text: &str, at: usize) -> Option<usize> {
    let first = digits(text, at);
    if first.is_empty() {
        return None;
    }
    let mut end = at + first.len();
    // Signs and the digits after each.
    let mut groups: Vec<(char, usize)> = Vec::new();
    while let Some(sign) = char_after(text, end) {
        let from = end + sign.len_utf8();
        let group = if sign == '.' || sign == ',' || is_group_sign(sign) { digits(text, from) } else { "" };
        let joins = match sign {
            '.' | ',' => !group.is_empty(),
            _ => {
                group.len() == 3
                    && first.len() <= 3
                    && !groups.iter().any(|(sign, _)| matches!(sign, '.' | ','))
            }
        };
        if !joins {
            break;
        }
        groups.push((sign, group.len()));
        end = from + group.len();
    }
    is_number(first.len(), &groups).then_some(end)
}

fn is_number(first: usize, groups: &[(char, usize)]) -> bool {
    let Some(&(last, length)) = groups.last() else { return true };
    let (grouped, decimals) = match groups {
        [_] => (&groups[..0], true),
        // The last sign differs from the others: it is the decimal one.
        [others @ .., _] if others.iter().all(|(sign, _)| *sign != last) => (others, !is_group_sign(last)),
        _ => (groups, false),
    };
    let one_sign = grouped.windows(2).all(|pair| pair[0].0 == pair[1].0);
    let threes = grouped.iter().all(|(_, length)| *length == 3);
    // Lakhs and crores.
    let indian = grouped.len() > 1
        && grouped.iter().rev().skip(1).all(|(_, length)| *length == 2)
        && grouped.last().is_some_and(|(sign, length)| *length == 3 && *sign == ',');
    one_sign && (threes || indian) && (grouped.is_empty() || first <= 3) && (decimals || length == 3)
}
