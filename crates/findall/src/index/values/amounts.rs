//! Numbers and what they count: money, shares, units, or nothing.

use super::read::{char_after, char_before, digits, ends, is_listed, number, skip_blank, skip_sign, word};
use super::words::{CURRENCIES, CURRENCY_CODES, SCALES, SHORT_SCALES, UNIT_WORDS, UNITS};
use super::{ValueEnd, ValueKind};

/// A sign of money.
pub(super) fn is_symbol(c: char) -> bool {
    matches!(c, '$' | '€' | '£' | '¥' | '₹' | '₽' | '₩' | '₺' | '₴' | '₪' | '฿')
}

pub(super) fn is_unit(word: &str) -> bool {
    UNITS.contains(word) || is_listed(word, &UNIT_WORDS)
}

pub(super) fn is_currency(word: &str) -> bool {
    CURRENCY_CODES.contains(word) && word != "US" || is_listed(word, &CURRENCIES)
}

pub(super) fn amount(text: &str, at: usize) -> ValueEnd {
    let c = char_after(text, at)?;
    if is_symbol(c) || c.is_alphabetic() {
        return money_first(text, at);
    }
    // A sign is part of a value only where nothing else stands before it: "-5 %", but not "3-5 %".
    let free = !char_before(text, at).is_some_and(|c| c.is_alphanumeric() || matches!(c, ')' | '.' | '-'));
    let from = match c {
        '+' | '-' | '\u{2212}' if free => at + c.len_utf8(),
        '+' | '(' | '-' | '\u{2212}' => return None,
        _ => at,
    };
    // "COVID-19" and "F-16" are names.
    let named =
        char_before(text, at) == Some('-') && char_before(text, at - 1).is_some_and(char::is_alphabetic);
    if named || matches!(char_before(text, at), Some('#' | '_')) {
        return None;
    }
    if is_symbol(char_after(text, from)?) {
        return money_first(text, from);
    }
    let end = number(text, from)?;
    money_last(text, end)
        .or_else(|| percent(text, end))
        .or_else(|| quantity(text, end))
        .or_else(|| plain(text, from, end).filter(|_| from == at))
}

/// Past one word that says how large the number is, its full stop included.
fn scale(text: &str, end: usize) -> usize {
    let from = skip_blank(text, end);
    let name = word(text, from);
    if !is_listed(name, &SCALES) {
        return end;
    }
    let end = from + name.len();
    if name.len() <= 3 { skip_sign(text, end, ".").unwrap_or(end) } else { end }
}

/// "€ 12.50", "US$5m", "EUR 12,50", "$5.2 million", "CHF 20.–".
fn money_first(text: &str, at: usize) -> ValueEnd {
    let name = word(text, at);
    let mut from = at + name.len();
    if name.is_empty() || matches!(name, "US" | "A" | "C" | "R" | "HK" | "NZ" | "AU" | "CA") {
        let symbol = char_after(text, from).filter(|c| is_symbol(*c))?;
        from += symbol.len_utf8();
    } else if !CURRENCY_CODES.contains(name) {
        return None;
    } else {
        from = skip_sign(text, from, ".").unwrap_or(from);
    }
    let from = skip_blank(text, from);
    let from = skip_sign(text, from, "-").unwrap_or(from);
    let mut end = skip_cents_dash(text, number(text, from)?);
    let short = word(text, end);
    if is_listed(short, &SHORT_SCALES) || short == "B" || short == "T" {
        end += short.len();
    } else {
        end = scale(text, scale(text, end));
    }
    ends(text, end).then_some((end, ValueKind::Money))
}

/// Past the dash that stands for no cents: "12,–", "20.-".
fn skip_cents_dash(text: &str, end: usize) -> usize {
    let cents = [",-", ",–", ",—", ".-", ".–", ".—"].iter().find_map(|dash| skip_sign(text, end, dash));
    cents.filter(|end| !char_after(text, *end).is_some_and(char::is_alphanumeric)).unwrap_or(end)
}

/// "12,50 €", "30 euros", "2 Mio. Euro", "12,– €", "3 millones de euros".
fn money_last(text: &str, end: usize) -> ValueEnd {
    let whole = skip_cents_dash(text, end);
    let scaled = scale(text, scale(text, whole));
    let from = skip_blank(text, scaled);
    let from = if scaled > whole {
        ["de ", "d’", "d'"].iter().find_map(|small| skip_sign(text, from, small)).unwrap_or(from)
    } else {
        from
    };
    if let Some(symbol) = char_after(text, from).filter(|c| is_symbol(*c)) {
        let end = from + symbol.len_utf8();
        // "5 $10 notes": the sign belongs to what follows.
        return digits(text, end).is_empty().then_some((end, ValueKind::Money));
    }
    let name = word(text, from);
    if is_currency(name) && !matches!(name, "Fr" | "US") {
        return Some((from + name.len(), ValueKind::Money));
    }
    (whole > end).then_some((whole, ValueKind::Money))
}

/// "7%", "7 %", "8 percent", "8 per cent", "7 Prozent", "2 percentage points".
fn percent(text: &str, end: usize) -> ValueEnd {
    let from = skip_blank(text, end);
    if let Some(end) = skip_sign(text, from, "%").or_else(|| skip_sign(text, from, "‰")) {
        return Some((end, ValueKind::Percent));
    }
    const PERCENT_PHRASES: &[&str] = &[
        "percentage points",
        "percentage point",
        "per cent",
        "percent",
        "pct",
        "Prozentpunkte",
        "Prozent",
        "pour cent",
        "por ciento",
        "per cento",
        "procent",
        "por cento",
    ];
    let end =
        PERCENT_PHRASES.iter().find_map(|word| skip_sign(text, from, word)).filter(|end| ends(text, *end))?;
    Some((end, ValueKind::Percent))
}

/// "5 km", "20 °C", "12 m²", "90 km/h", "6 ft 2 in" as two.
fn quantity(text: &str, end: usize) -> ValueEnd {
    let from = skip_blank(text, scale(text, end));
    if let Some(end) =
        ["°C", "°F", "° C", "° F", "℃", "°"].iter().find_map(|unit| skip_sign(text, from, unit))
    {
        return ends(text, end).then_some((end, ValueKind::Quantity));
    }
    let square =
        ["square ", "sq ", "sq. ", "cubic ", "nautical "].iter().find_map(|word| skip_sign(text, from, word));
    let from =
        skip_sign(text, from, "-").filter(|next| is_listed(word(text, *next), &UNIT_WORDS)).unwrap_or(from);
    let start = square.unwrap_or(from);
    let name = word(text, start);
    if !is_unit(name) {
        return None;
    }
    let mut end = start + name.len();
    if let Some(power) = char_after(text, end).filter(|c| matches!(c, '²' | '³' | '2' | '3')) {
        end += power.len_utf8();
    }
    if let Some(below) = skip_sign(text, end, "/") {
        let below = below + word(text, below).len();
        if is_unit(word(text, skip_sign(text, end, "/")?)) {
            end = below;
        }
    }
    // "5 m. p.h." and "3 s’il" are no units; a sentence may end after one.
    let goes_on = matches!(char_after(text, end), Some('\'' | '’')) && name.len() == 1;
    (ends(text, end) && !goes_on).then_some((end, ValueKind::Quantity))
}

/// A number that counts what no list knows: "12,000", "2nd", "3 million".
fn plain(text: &str, from: usize, end: usize) -> ValueEnd {
    let ordinal = ["st", "nd", "rd", "th", "er", "ème", "e", "º", "ª"]
        .iter()
        .find_map(|ending| skip_sign(text, end, ending));
    let end = ordinal.filter(|end| ends(text, *end)).unwrap_or_else(|| scale(text, scale(text, end)));
    // What goes on is a name or a version.
    let goes_on = !ends(text, end) || char_before(text, from) == Some('.');
    (!goes_on).then_some((end, ValueKind::Number))
}
