//! Days, months, years and times of day, in the order and with the signs of several countries.

use super::read::{
    char_after, char_before, digits, ends, is_listed, is_one, skip_blank, skip_sign, word, word_after,
    word_before,
};
use super::words::{
    ALSO_WORDS, CAPITAL_MONTHS, COUNTED_NOUNS, SMALL_MONTHS, WORDS_AFTER_NO_YEAR, WORDS_BEFORE_MONTH,
    WORDS_BEFORE_YEAR,
};
use super::{ValueEnd, ValueKind};

pub(super) fn date(text: &str, at: usize) -> ValueEnd {
    let c = char_after(text, at)?;
    // "COVID-19", "B2B" and "1.2021" hold no date; "mid-1990s" does.
    let glued =
        char_before(text, at).is_some_and(|c| matches!(c, '.' | '/' | '#' | '_' | ':' | '$' | '€' | '£'));
    if c.is_alphabetic() {
        return month_first(text, at);
    }
    if !c.is_ascii_digit() || glued {
        return None;
    }
    year_first(text, at)
        .or_else(|| year_last(text, at))
        .or_else(|| day_and_month(text, at))
        .or_else(|| year_alone(text, at))
}

fn value(digits: &str) -> u32 {
    digits.parse().unwrap_or(u32::MAX)
}

fn is_day(digits: &str) -> bool {
    (1..=2).contains(&digits.len()) && (1..=31).contains(&value(digits))
}

fn is_month_number(digits: &str) -> bool {
    (1..=2).contains(&digits.len()) && (1..=12).contains(&value(digits))
}

fn is_year(digits: &str) -> bool {
    digits.len() == 4 && (1000..=2100).contains(&value(digits))
}

/// "2021-03-12", "2021/03/12", "2021.03.12", "2021-03".
fn year_first(text: &str, at: usize) -> ValueEnd {
    let year = digits(text, at);
    let sign = text[at + year.len()..].chars().next().filter(|c| matches!(c, '-' | '/' | '.'))?;
    let from = at + year.len() + 1;
    let month = digits(text, from);
    let end = from + month.len();
    if !is_year(year) || month.len() != 2 || !is_month_number(month) {
        return None;
    }
    if char_after(text, end) == Some(sign) {
        let day = digits(text, end + 1);
        let end = end + 1 + day.len();
        // "2021-03-12T14:05:30Z" is one value.
        let timed = matches!(char_after(text, end), Some('T' | 't')).then(|| time(text, end + 1)).flatten();
        let end = timed.map_or(end, |(end, _)| end);
        return (is_day(day) && ends(text, end)).then_some((end, ValueKind::Date));
    }
    (sign == '-' && ends(text, end)).then_some((end, ValueKind::Month))
}

/// "12/03/2021", "3/12/21", "12.03.2021", "12. 3. 2021", "12-03-2021".
fn year_last(text: &str, at: usize) -> ValueEnd {
    let one = digits(text, at);
    let sign = text[at + one.len()..].chars().next().filter(|c| matches!(c, '-' | '/' | '.'))?;
    let gap = |at: usize| if sign == '.' { skip_blank(text, at) } else { at };
    let from = gap(at + one.len() + 1);
    let other = digits(text, from);
    let from = gap(skip_sign(text, from + other.len(), sign.encode_utf8(&mut [0; 4]))?);
    let year = digits(text, from);
    let end = from + year.len();
    let days =
        (is_day(one) && is_month_number(other)) || (sign != '.' && is_month_number(one) && is_day(other));
    // Short numbers with points and a short year are versions rather than days.
    let short = year.len() == 2 && one.len() == 2 && other.len() == 2 || (year.len() == 2 && sign == '/');
    let goes_on = matches!(char_after(text, end), Some(c) if c == sign && !digits(text, end + 1).is_empty());
    (days && (is_year(year) || short) && ends(text, end) && !goes_on).then_some((end, ValueKind::Date))
}

/// One past the name of a month, a full stop after a short one included.
fn month_name(text: &str, at: usize) -> Option<usize> {
    let name = word(text, at);
    let capital = name.starts_with(char::is_uppercase) && is_listed(name, &CAPITAL_MONTHS);
    if !capital && !SMALL_MONTHS.contains(name) {
        return None;
    }
    let end = at + name.len();
    let short = name.chars().count() <= 4
        && !is_one(name, &["may", "mai", "june", "july", "juni", "juli", "mars", "märz", "août", "mei"]);
    Some(skip_sign(text, end, ".").filter(|_| short).unwrap_or(end))
}

/// A year after what may stand between it and its month: a blank, a comma, "de".
fn year_after(text: &str, end: usize) -> Option<usize> {
    let blank = skip_blank(text, skip_sign(text, end, ",").unwrap_or(end));
    let from = ["de ", "of ", "del "].iter().find_map(|small| skip_sign(text, blank, small)).unwrap_or(blank);
    let year = digits(text, from);
    let joined = from == end && !text[..end].ends_with('-');
    (!joined && is_year(year) && ends(text, from + 4)).then_some(from + 4)
}

/// One past a day of a month: "12", "12.", "12th", "1er", "1º".
fn day_end(text: &str, at: usize) -> Option<usize> {
    let day = digits(text, at);
    if !is_day(day) {
        return None;
    }
    let end = at + day.len();
    let ending =
        ["st", "nd", "rd", "th", "er", "º", "°", "."].iter().find_map(|ending| skip_sign(text, end, ending));
    Some(ending.filter(|end| ends(text, *end)).unwrap_or(end))
}

/// "12 March 2021", "12th of March", "12. März 2021", "1er mai 2021", "12 de marzo de 2021".
fn day_and_month(text: &str, at: usize) -> ValueEnd {
    let day = day_end(text, at)?;
    let from = skip_blank(text, day);
    let from = ["of ", "de "].iter().find_map(|small| skip_sign(text, from, small)).unwrap_or(from);
    let from = skip_sign(text, from, "-").filter(|_| day == from).unwrap_or(from);
    if from == day && ends(text, day) {
        return None;
    }
    let end = month_name(text, from)?;
    let end = skip_sign(text, end, "-")
        .and_then(|next| year_after(text, next))
        .or_else(|| year_after(text, end))
        .unwrap_or(end);
    ends(text, end).then_some((trim_full_stop(text, end), ValueKind::Date))
}

/// A full stop that ends the sentence rather than a short name stays outside.
fn trim_full_stop(text: &str, end: usize) -> usize {
    if text[..end].ends_with('.') { end - 1 } else { end }
}

/// "March 12, 2021", "March 12th", "March 2021", and the month alone.
fn month_first(text: &str, at: usize) -> ValueEnd {
    let name = word(text, at);
    let end = month_name(text, at)?;
    let small = !name.starts_with(char::is_uppercase);
    if !small && let Some(day) = day_end(text, skip_blank(text, end)).filter(|_| skip_blank(text, end) > end)
    {
        let day = if text[..day].ends_with('.') { day - 1 } else { day };
        // "March 12,000" and "March 12:30" are no days.
        let more = char_after(text, day).is_some_and(|c| matches!(c, ',' | '.' | ':'))
            && !digits(text, day + 1).is_empty();
        if ends(text, day) && !more {
            return Some((year_after(text, day).unwrap_or(day), ValueKind::Date));
        }
    }
    if let Some(year) =
        year_after(text, end).filter(|_| !(small && name == "mars" && char_before(text, at).is_none()))
    {
        return Some((year, ValueKind::Month));
    }
    if small || !ends(text, at + name.len()) {
        return None;
    }
    let announced = is_listed(word_before(text, at), &WORDS_BEFORE_MONTH);
    // "Next May came home" is rarer than "May came home".
    (announced || !is_listed(name, &ALSO_WORDS)).then_some((at + name.len(), ValueKind::Month))
}

/// A year that stands alone. A number of four digits is one when it lies in our times and counts nothing, or when a
/// word of time announces it.
fn year_alone(text: &str, at: usize) -> ValueEnd {
    let year = digits(text, at);
    let end = at + year.len();
    let decade = skip_sign(text, end, "s")
        .or_else(|| skip_sign(text, end, "’s"))
        .or_else(|| skip_sign(text, end, "er"));
    if year.len() == 4
        && is_year(year)
        && let Some(end) = decade.filter(|end| ends(text, *end))
    {
        return Some((end, ValueKind::Date));
    }
    if year.len() == 2 && year.ends_with('0') && matches!(char_before(text, at), Some('\'' | '’')) {
        return skip_sign(text, end, "s").filter(|end| ends(text, *end)).map(|end| (end, ValueKind::Date));
    }
    let era = word_after(text, end);
    if year.len() <= 4 && matches!(era, "AD" | "BC" | "CE" | "BCE") {
        return Some((skip_blank(text, end) + era.len(), ValueKind::Date));
    }
    if !is_year(year) || !ends(text, end) {
        return None;
    }
    let follows = char_after(text, end);
    let joined = follows.is_some_and(|c| matches!(c, '.' | ',' | ':' | '\'' | '’' | '/'))
        && !digits(text, end + follows.map_or(0, char::len_utf8)).is_empty();
    let hyphen = matches!(char_before(text, at), Some('-'))
        && char_before(text, at - 1).is_some_and(char::is_alphanumeric);
    let ranged = matches!(char_before(text, at), Some('-' | '–' | '—')) && ends_with_year(text, at);
    let priced = matches!(follows, Some('%' | '€' | '$' | '£' | '°'))
        || matches!(char_after(text, skip_blank(text, end)), Some('%' | '€' | '$' | '£' | '°'));
    if joined || priced || (hyphen && !ranged && !text[..at].ends_with("mid-")) {
        return None;
    }
    let next = word_after(text, end);
    if super::amounts::is_unit(next) || super::amounts::is_currency(next) {
        return None;
    }
    let ahead = word_before(text, at);
    let bracketed =
        char_before(text, at) == Some('(') && matches!(follows, Some(')' | '–' | '-' | ',' | ';'));
    let announced = is_listed(ahead, &WORDS_BEFORE_YEAR) || bracketed || ranged;
    let counts = is_listed(next, &COUNTED_NOUNS);
    let ours = (1800..=2100).contains(&value(year))
        && !is_listed(ahead, &WORDS_AFTER_NO_YEAR)
        && char_before(text, at) != Some('-');
    let both = is_one(ahead, &["and", "to", "or"]) && (1500..=2100).contains(&value(year));
    (!counts && (announced || ours || both)).then_some((end, ValueKind::Date))
}

/// True when a year ends before the dash that stands before this place.
fn ends_with_year(text: &str, at: usize) -> bool {
    let head = text[..at].trim_end_matches(['-', '–', '—']);
    let start = head.len() - head.chars().rev().take_while(char::is_ascii_digit).count();
    is_year(&head[start..])
}

/// "14:05", "14:05:30", "2:30 pm", "2 p.m.", "14h30", "14.30 Uhr", "14 Uhr".
pub(super) fn time(text: &str, at: usize) -> ValueEnd {
    let hour = digits(text, at);
    if hour.is_empty() || hour.len() > 2 || value(hour) > 24 {
        return None;
    }
    let dated =
        char_before(text, at).is_some_and(|c| matches!(c, '.' | ':' | '/' | '-' | '#' | '$' | '€' | '£'));
    let from = at + hour.len();
    let sixtieth = |at: usize| {
        let part = digits(text, at);
        (part.len() == 2 && value(part) < 60).then_some(at + 2)
    };
    if dated {
        return None;
    }
    if let Some(minute) = skip_sign(text, from, ":").and_then(sixtieth) {
        let end = skip_sign(text, minute, ":").and_then(sixtieth).unwrap_or(minute);
        let zone = skip_sign(text, end, "Z").unwrap_or(end);
        let end = half_of_day(text, zone).or_else(|| clock_word(text, zone)).unwrap_or(zone);
        let more = char_after(text, end) == Some(':');
        return (ends(text, end) && !more).then_some((end, ValueKind::Time));
    }
    if let Some(minute) =
        ["h", "\u{a0}h\u{a0}", " h "].iter().find_map(|sign| skip_sign(text, from, sign)).and_then(sixtieth)
    {
        return ends(text, minute).then_some((minute, ValueKind::Time));
    }
    // "à 20h", but "il dure 2h".
    if let Some(end) = skip_sign(text, from, "h").filter(|end| ends(text, *end))
        && is_one(word_before(text, at), &["à", "de", "vers", "dès", "jusqu’à"])
    {
        return Some((end, ValueKind::Time));
    }
    if let Some(minute) = skip_sign(text, from, ".").and_then(sixtieth) {
        let end = clock_word(text, minute).or_else(|| half_of_day(text, minute))?;
        return Some((end, ValueKind::Time));
    }
    let end = clock_word(text, from).or_else(|| half_of_day(text, from).filter(|_| value(hour) <= 12))?;
    Some((end, ValueKind::Time))
}

fn clock_word(text: &str, at: usize) -> Option<usize> {
    ["Uhr", "o’clock", "o'clock", "uur"]
        .iter()
        .find_map(|word| skip_sign(text, skip_blank(text, at), word))
        .filter(|end| ends(text, *end))
}

fn half_of_day(text: &str, at: usize) -> Option<usize> {
    let from = skip_blank(text, at);
    let rest = text[from..].get(..4).unwrap_or(&text[from..]);
    if ["a.m.", "p.m."].iter().any(|half| rest.eq_ignore_ascii_case(half)) {
        return Some(from + 4);
    }
    let half = word(text, from);
    // "am" is a word in two languages; after a blank it is one half of the day in English only where digits precede.
    (half.eq_ignore_ascii_case("am") || half.eq_ignore_ascii_case("pm")).then_some(from + 2)
}
