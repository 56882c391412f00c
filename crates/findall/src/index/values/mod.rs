//! Values: what a query may ask for that no name answers. Numbers, money, shares and measures (`amounts`), days, months
//! and times (`dates`), addresses, links and telephone numbers (`contacts`), as they are written in several countries.
//! A text enters, values in order leave. `read` has the steps that all of them take, `words` the words they know.

mod amounts;
mod contacts;
mod dates;
mod read;
mod words;

use crate::span::Span;

/// What a value is. The numbers are written into saved documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ValueKind {
    /// A day or a year.
    Date = 0,
    /// An amount of money.
    Money = 1,
    /// A percentage.
    Percent = 2,
    /// Any other number.
    Number = 3,
    /// A time of day.
    Time = 4,
    /// A month without a day, with or without its year.
    Month = 5,
    /// An e-mail address.
    Email = 6,
    /// A telephone number.
    Phone = 7,
    /// The address of a page.
    Link = 8,
    /// A number with its unit.
    Quantity = 9,
}

impl ValueKind {
    /// All kinds, each at its number.
    pub(super) const ALL: [ValueKind; 10] = [
        Self::Date,
        Self::Money,
        Self::Percent,
        Self::Number,
        Self::Time,
        Self::Month,
        Self::Email,
        Self::Phone,
        Self::Link,
        Self::Quantity,
    ];
}

/// One value in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// Where.
    pub span: Span,
    /// Of what kind.
    pub kind: ValueKind,
}

/// What a reader makes of the text at a place: where the value ends, and its kind.
type ValueEnd = Option<(usize, ValueKind)>;

/// Readers in the order in which they are tried: an address holds numbers, a date looks like one.
const READERS: [fn(&str, usize) -> ValueEnd; 6] =
    [contacts::link, contacts::email, dates::date, dates::time, contacts::phone, amounts::amount];

/// All values of a text, in order, not overlapping.
pub(crate) fn scan(text: &str) -> Vec<Value> {
    let mut values = Vec::new();
    let mut at = 0;
    while let Some(start) = next_start(text, at) {
        match READERS.iter().find_map(|reader| reader(text, start)) {
            Some((end, kind)) => {
                values.push(Value { span: Span::new(start, end), kind });
                at = end;
            }
            None => at = read::skip_piece(text, start),
        }
    }
    values
}

/// The next place where a value may start: a letter or digit that no other stands before, or a sign of its own.
fn next_start(text: &str, from: usize) -> Option<usize> {
    let mut before = read::char_before(text, from);
    for (offset, c) in text[from..].char_indices() {
        let first = c.is_alphanumeric() && !before.is_some_and(char::is_alphanumeric);
        let sign = matches!(c, '+' | '(' | '-' | '\u{2212}') || amounts::is_symbol(c);
        if first || sign {
            return Some(from + offset);
        }
        before = Some(c);
    }
    None
}

#[cfg(test)]
mod tests;
