//! Numbers, amounts of money, shares and dates: what a query may ask for that no name answers.

use crate::span::Span;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ValueKind {
    /// A day, month or year.
    Date,
    /// An amount of money.
    Money,
    /// A percentage.
    Percent,
    /// Any other number.
    Number,
}

/// One value in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// Where.
    pub span: Span,
    /// Of what kind.
    pub kind: ValueKind,
}

const MONTHS: &[&str] = &[
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "jan",
    "feb",
    "mar",
    "apr",
    "jun",
    "jul",
    "aug",
    "sep",
    "sept",
    "oct",
    "nov",
    "dec",
];

const SCALES: &[&str] = &["hundred", "thousand", "million", "billion", "trillion", "m", "bn", "k"];

const CURRENCIES: &[&str] =
    &["dollars", "dollar", "euros", "euro", "pounds", "pound", "yen", "yuan", "cents", "usd", "eur", "gbp"];

/// A word or number with what stands right around it.
struct Token<'t> {
    span: Span,
    text: &'t str,
    numeric: bool,
}

/// All values of a text, in order, not overlapping.
pub(super) fn scan(text: &str) -> Vec<Value> {
    let tokens = tokens(text);
    let mut values = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match value_at(text, &tokens, at) {
            Some((value, next)) => {
                values.push(value);
                at = next;
            }
            None => at += 1,
        }
    }
    values
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut out = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((start, c)) = chars.next() {
        if !c.is_alphanumeric() {
            continue;
        }
        let numeric = c.is_ascii_digit();
        let mut end = start + c.len_utf8();
        while let Some(&(at, c)) = chars.peek() {
            let inner = numeric
                && matches!(c, '.' | ',')
                && text[at + 1..].starts_with(|next: char| next.is_ascii_digit());
            // "2nd" and "90s" are one token, "$5m" gives 5 and m.
            if !(c.is_alphanumeric() || inner) {
                break;
            }
            end = at + c.len_utf8();
            chars.next();
        }
        out.push(Token { span: Span::new(start, end), text: &text[start..end], numeric });
    }
    out
}

fn value_at(text: &str, tokens: &[Token<'_>], at: usize) -> Option<(Value, usize)> {
    let token = &tokens[at];
    if is_month(token) {
        let end = date_end(text, tokens, at)?;
        return Some((
            Value { span: Span::new(token.span.start, tokens[end - 1].span.end), kind: ValueKind::Date },
            end,
        ));
    }
    if !token.numeric {
        return None;
    }
    // "4 July 2026", "4th of July".
    if is_day(token.text) {
        let month = if near(text, tokens, at) && tokens.get(at + 1).is_some_and(|next| next.text == "of") {
            at + 2
        } else {
            at + 1
        };
        if near(text, tokens, month - 1) && tokens.get(month).is_some_and(is_month) {
            let end = if near(text, tokens, month)
                && tokens.get(month + 1).is_some_and(|next| is_year(next.text))
            {
                month + 2
            } else {
                month + 1
            };
            return Some((
                Value { span: Span::new(token.span.start, tokens[end - 1].span.end), kind: ValueKind::Date },
                end,
            ));
        }
    }
    let before = text[..token.span.start].chars().next_back();
    let currency = before.filter(|c| matches!(c, '$' | '€' | '£' | '¥'));
    let start = token.span.start - currency.map_or(0, char::len_utf8);
    let mut end = at + 1;
    while near(text, tokens, end - 1)
        && tokens.get(end).is_some_and(|next| SCALES.contains(&next.text.to_ascii_lowercase().as_str()))
    {
        end += 1;
    }
    let paid = near(text, tokens, end - 1)
        && tokens.get(end).is_some_and(|next| CURRENCIES.contains(&next.text.to_ascii_lowercase().as_str()));
    if currency.is_some() || paid {
        end += usize::from(paid);
        return Some((
            Value { span: Span::new(start, tokens[end - 1].span.end), kind: ValueKind::Money },
            end,
        ));
    }
    let last = tokens[end - 1].span.end;
    if text[last..].starts_with('%') {
        return Some((Value { span: Span::new(start, last + 1), kind: ValueKind::Percent }, end));
    }
    if near(text, tokens, end - 1)
        && tokens.get(end).is_some_and(|next| next.text == "percent" || next.text == "per")
    {
        let end = if tokens[end].text == "per" { (end + 2).min(tokens.len()) } else { end + 1 };
        return Some((
            Value { span: Span::new(start, tokens[end - 1].span.end), kind: ValueKind::Percent },
            end,
        ));
    }
    let kind = if end == at + 1 && is_year(token.text) { ValueKind::Date } else { ValueKind::Number };
    Some((Value { span: Span::new(start, last), kind }, end))
}

/// One past the last token of a date that starts with a month: "July 4, 2026", "July 2026", "July 4th".
fn date_end(text: &str, tokens: &[Token<'_>], at: usize) -> Option<usize> {
    if !near(text, tokens, at) {
        return None;
    }
    let next = tokens.get(at + 1)?;
    if is_year(next.text) {
        return Some(at + 2);
    }
    if !is_day(next.text) {
        return None;
    }
    let year = near(text, tokens, at + 1) && tokens.get(at + 2).is_some_and(|next| is_year(next.text));
    Some(if year { at + 3 } else { at + 2 })
}

/// True when the next token follows after a space, a comma, a hyphen or nothing.
fn near(text: &str, tokens: &[Token<'_>], at: usize) -> bool {
    let (Some(this), Some(next)) = (tokens.get(at), tokens.get(at + 1)) else { return false };
    let between = &text[this.span.end..next.span.start];
    between.len() <= 2 && between.chars().all(|c| c == ' ' || c == ',' || c == '.' || c == '-')
}

fn is_month(token: &Token<'_>) -> bool {
    token.text.starts_with(char::is_uppercase) && MONTHS.contains(&token.text.to_ascii_lowercase().as_str())
}

fn is_day(text: &str) -> bool {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let ending = &text[digits.len()..];
    digits.len() <= 2
        && digits.parse::<u8>().is_ok_and(|day| (1..=31).contains(&day))
        && matches!(ending, "" | "st" | "nd" | "rd" | "th")
}

fn is_year(text: &str) -> bool {
    let digits = text.strip_suffix('s').unwrap_or(text);
    digits.len() == 4 && digits.parse::<u16>().is_ok_and(|year| (1000..=2100).contains(&year))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_values_and_their_kinds() {
        use ValueKind::*;
        let cases: &[(&str, &[(&str, ValueKind)])] = &[
            ("On July 4, 2026 it paid $5.2 million.", &[("July 4, 2026", Date), ("$5.2 million", Money)]),
            (
                "the 4th of July 1776, in May 2001, the 1990s",
                &[("4th of July 1776", Date), ("May 2001", Date), ("1990s", Date)],
            ),
            (
                "12,000 people, 7% or 8 percent, 30 euros",
                &[("12,000", Number), ("7%", Percent), ("8 percent", Percent), ("30 euros", Money)],
            ),
            ("She may 4 times march on.", &[("4", Number)]),
            ("£13m for 3 players; B2B", &[("£13m", Money), ("3", Number)]),
            ("", &[]),
        ];
        for (text, expected) in cases {
            let found: Vec<(&str, ValueKind)> =
                scan(text).iter().map(|value| (value.span.slice(text).unwrap(), value.kind)).collect();
            assert_eq!(&found, expected, "{text}");
        }
    }
}
