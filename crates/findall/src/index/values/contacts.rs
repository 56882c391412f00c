//! How somebody can be reached: links, e-mail addresses, telephone numbers.

use super::read::{char_after, char_before, digits, ends, is_listed, skip_blank, skip_sign, word_before};
use super::words::{DOMAIN_ENDINGS, PHONE_WORDS};
use super::{ValueEnd, ValueKind};

const SCHEMES: &[&str] = &["https://", "http://", "ftp://", "www."];

pub(super) fn link(text: &str, at: usize) -> ValueEnd {
    let rest = &text[at..];
    if !rest.starts_with(|c: char| c.is_ascii_alphanumeric()) || char_before(text, at) == Some('@') {
        return None;
    }
    let scheme = SCHEMES
        .iter()
        .find(|scheme| rest.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)));
    let from = match scheme {
        Some(scheme) => at + scheme.len(),
        None => domain(text, at, true)?,
    };
    let mut end = from;
    if scheme.is_some() || matches!(char_after(text, from), Some('/' | ':' | '?')) {
        let stops = |c: char| c.is_whitespace() || c.is_control() || "<>\"“”„»«`|\\^{}".contains(c);
        end = from + text[from..].find(stops).unwrap_or(text.len() - from);
    }
    // What ends a sentence is no part of the address, nor is a bracket that was opened before it.
    loop {
        let last = char_before(text, end)?;
        let opened = text[at..end].matches('(').count() >= text[at..end].matches(')').count();
        if matches!(last, '.' | ',' | ';' | ':' | '!' | '?' | '\'' | '’' | ']' | '*')
            || (last == ')' && !opened)
        {
            end -= last.len_utf8();
        } else {
            break;
        }
    }
    (end > from || scheme.is_none()).then_some((end, ValueKind::Link))
}

/// One past a name like `example.org`; `known` wants one of the usual endings in small letters.
fn domain(text: &str, at: usize, known: bool) -> Option<usize> {
    let mut end = at;
    let mut labels = 0;
    loop {
        let label =
            text[end..].find(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).unwrap_or(text.len() - end);
        if label == 0 {
            return None;
        }
        let name = &text[end..end + label];
        end += label;
        labels += 1;
        match skip_sign(text, end, ".") {
            Some(next) if char_after(text, next).is_some_and(|c| c.is_ascii_alphanumeric()) => end = next,
            _ => {
                let ending = name.len() >= 2 && name.chars().all(|c| c.is_ascii_alphabetic());
                let wanted = !known || DOMAIN_ENDINGS.contains(name);
                let joins =
                    char_after(text, end).is_some_and(|c| c.is_alphanumeric() || c == '@' || c == '_');
                return (labels > 1 && ending && wanted && !joins).then_some(end);
            }
        }
    }
}

pub(super) fn email(text: &str, at: usize) -> ValueEnd {
    let rest = &text[at..];
    let local = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "._%+-".contains(c)))?;
    let starts = rest.starts_with(|c: char| c.is_ascii_alphanumeric());
    if !starts || local > 64 || rest[..local].ends_with('.') || char_before(text, at) == Some('@') {
        return None;
    }
    let from = skip_sign(text, at + local, "@")?;
    Some((domain(text, from, false)?, ValueKind::Email))
}

/// Digits of a telephone number in groups, the signs between them, and where it ends.
struct Groups {
    lengths: Vec<usize>,
    signs: Vec<char>,
    end: usize,
}

impl Groups {
    fn count(&self) -> usize {
        self.lengths.iter().sum()
    }

    fn signs_among(&self, wanted: &[char]) -> bool {
        self.signs.iter().all(|sign| wanted.contains(sign))
    }
}

fn groups(text: &str, at: usize) -> Groups {
    let mut groups = Groups { lengths: Vec::new(), signs: Vec::new(), end: at };
    let mut from = at;
    loop {
        let group = digits(text, from);
        if group.is_empty() {
            return groups;
        }
        groups.lengths.push(group.len());
        groups.end = from + group.len();
        let blank = skip_blank(text, groups.end);
        let (sign, next) = match char_after(text, blank) {
            Some(sign @ ('-' | '.' | '/' | '\u{2011}' | '–')) => {
                (if sign == '\u{2011}' || sign == '–' { '-' } else { sign }, blank + sign.len_utf8())
            }
            _ => (' ', blank),
        };
        from = skip_blank(text, next);
        if from == groups.end || !char_after(text, from).is_some_and(|c| c.is_ascii_digit()) {
            return groups;
        }
        groups.signs.push(sign);
    }
}

pub(super) fn phone(text: &str, at: usize) -> ValueEnd {
    if char_before(text, at).is_some_and(|c| c.is_alphanumeric() || matches!(c, '.' | '/' | '-' | '#' | '_'))
    {
        return None;
    }
    let announced = is_listed(word_before(text, at).trim_end_matches(':'), &PHONE_WORDS)
        || is_listed(word_before(text, text[..at].trim_end_matches([' ', ':']).len()), &PHONE_WORDS);
    let (from, plus) = skip_sign(text, at, "+").map_or((at, false), |from| (from, true));
    // "(0)" inside an international number, and an area code in brackets.
    let found = if let Some(open) = skip_sign(text, from, "(") {
        let area = digits(text, open);
        let close = skip_sign(text, open + area.len(), ")")?;
        let tail = groups(text, skip_blank(text, close));
        let count = area.len() + tail.count();
        let signs = tail.signs_among(&[' ', '-']);
        ((2..=5).contains(&area.len()) && signs && (7..=12).contains(&count)).then_some(tail.end)?
    } else {
        let head = groups(text, from);
        let opened = skip_sign(text, skip_blank(text, head.end), "(");
        let (end, count) = match opened {
            Some(open) if plus => {
                let area = digits(text, open);
                let close = skip_sign(text, open + area.len(), ")")?;
                let tail = groups(text, skip_blank(text, close));
                (tail.end, head.count() + area.len() + tail.count())
            }
            _ => (head.end, head.count()),
        };
        let lengths = head.lengths.as_slice();
        let first = lengths.first().copied().unwrap_or(0);
        let national = digits(text, from).starts_with('0')
            && first >= 2
            && lengths.len() > 1
            && (9..=13).contains(&count)
            && head.signs_among(&[' ', '-', '/']);
        let american = (matches!(lengths, [3, 3, 4])
            || (matches!(lengths, [1, 3, 3, 4]) && text[from..].starts_with('1')))
            && head.signs.windows(2).all(|pair| pair[0] == pair[1])
            && head.signs_among(&['-', '.', ' ']);
        let fits = (plus && (7..=15).contains(&count))
            || national
            || american
            || (announced && (6..=15).contains(&count) && head.signs_among(&[' ', '-', '/']));
        fits.then_some(end)?
    };
    ends(text, found).then_some((found, ValueKind::Phone))
}
