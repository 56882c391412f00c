//! Which cells hold dates: a spreadsheet keeps a date as a number of days, and only the style of the cell says so.
//! Styles and numbers in, dates as ISO 8601 writes them out.

use std::collections::HashSet;

use quick_xml::Reader;
use quick_xml::events::Event;

use crate::document::xml::attribute;

/// Days from 1 January 1970 back to the day before the first one of a workbook.
const EPOCH_1900_DAYS: i64 = 25_569;
/// The same for workbooks that count as the first Macintosh did.
const EPOCH_1904_DAYS: i64 = 24_107;
/// The last day that a spreadsheet can show, 31 December 9999.
const MAX_DAY: f64 = 2_958_465.0;

/// What kind of moment a style shows.
#[derive(Clone, Copy, Debug, PartialEq)]
struct DateStyle {
    day: bool,
    time: bool,
}

/// The styles of a workbook, as far as dates go.
#[derive(Debug, Default)]
pub(super) struct DateStyles {
    /// By the number that cells refer to.
    styles: Vec<Option<DateStyle>>,
    epoch_days: i64,
}

impl DateStyles {
    pub fn parse(styles: &str, workbook: &str) -> DateStyles {
        let epoch_days = if workbook.contains("date1904=\"1\"") || workbook.contains("date1904=\"true\"") {
            EPOCH_1904_DAYS
        } else {
            EPOCH_1900_DAYS
        };
        let mut found = DateStyles { styles: Vec::new(), epoch_days };
        let (mut days, mut times) =
            (HashSet::from([14, 15, 16, 17, 22]), HashSet::from([18, 19, 20, 21, 22, 45, 46, 47]));
        let mut inside = false;
        let mut reader = Reader::from_str(styles);
        reader.config_mut().check_end_names = false;
        while let Ok(event) = reader.read_event() {
            match event {
                Event::Start(tag) | Event::Empty(tag) => match tag.local_name().as_ref() {
                    "numFmt" => {
                        let id = attribute(&tag, "numFmtId").and_then(|id| id.parse::<u32>().ok());
                        let (Some(id), Some(code)) = (id, attribute(&tag, "formatCode")) else { continue };
                        let shows = shows(&code);
                        if shows.day {
                            days.insert(id);
                        }
                        if shows.time {
                            times.insert(id);
                        }
                    }
                    "cellXfs" => inside = true,
                    "xf" if inside => {
                        let id = attribute(&tag, "numFmtId").and_then(|id| id.parse().ok()).unwrap_or(0);
                        let shows = DateStyle { day: days.contains(&id), time: times.contains(&id) };
                        found.styles.push(Some(shows).filter(|shows| shows.day || shows.time));
                    }
                    _ => {}
                },
                Event::End(tag) if tag.local_name().as_ref() == "cellXfs" => inside = false,
                Event::Eof => break,
                _ => {}
            }
        }
        found
    }

    /// A number as the style shows it, as far as dates and rounding go.
    pub fn format_number(&self, style: usize, value: &str) -> String {
        let Ok(number) = value.parse::<f64>() else { return value.to_owned() };
        match self.styles.get(style).copied().flatten() {
            Some(shows) if (0.0..=MAX_DAY).contains(&number) => self.moment(number, shows),
            _ => plain_number(number, value),
        }
    }

    fn moment(&self, number: f64, shows: DateStyle) -> String {
        let seconds = (number * 86_400.0).round() as i64;
        let (year, month, day) = civil_date(seconds.div_euclid(86_400) - self.epoch_days);
        let date = format!("{year:04}-{month:02}-{day:02}");
        let rest = seconds.rem_euclid(86_400);
        let time = match rest % 60 {
            0 => format!("{:02}:{:02}", rest / 3600, rest / 60 % 60),
            second => format!("{:02}:{:02}:{second:02}", rest / 3600, rest / 60 % 60),
        };
        match shows {
            DateStyle { day: true, time: true } => format!("{date} {time}"),
            DateStyle { day: true, .. } => date,
            _ => time,
        }
    }
}

/// What a format's code shows: letters outside of quotes and brackets.
fn shows(code: &str) -> DateStyle {
    let (mut quoted, mut bracketed) = (false, false);
    let mut shows = DateStyle { day: false, time: false };
    let mut escaped = false;
    for c in code.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => quoted = !quoted,
            '[' => bracketed = true,
            ']' => bracketed = false,
            _ if quoted || bracketed => {}
            'y' | 'Y' | 'd' | 'D' => shows.day = true,
            'h' | 'H' | 's' | 'S' => shows.time = true,
            _ => {}
        }
    }
    shows
}

/// A number without the noise that binary fractions leave after the fifteenth digit.
fn plain_number(number: f64, value: &str) -> String {
    if value.len() <= 15 || !number.is_finite() || number == 0.0 {
        return value.to_owned();
    }
    let before_point = number.abs().log10().floor() as i32 + 1;
    let decimals = (15 - before_point).clamp(0, 17) as usize;
    let rounded = format!("{number:.decimals$}");
    match rounded.contains('.') {
        true => rounded.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => rounded,
    }
}

/// Year, month and day of a day counted from 1 January 1970 (Hinnant, "chrono-compatible low-level date algorithms").
fn civil_date(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_index = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_index + 2) / 5 + 1;
    let month = if month_index < 10 { month_index + 3 } else { month_index - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_told_from_numbers_by_their_style() {
        let styles = r#"<numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy\ hh:mm"/>
            <numFmt numFmtId="165" formatCode="0.00 &quot;days&quot;"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
            <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs>"#;
        let styles = DateStyles::parse(styles, "<workbook/>");
        assert_eq!(styles.format_number(0, "45413"), "45413");
        assert_eq!(styles.format_number(1, "45413"), "2024-05-01");
        assert_eq!(styles.format_number(2, "45413.75"), "2024-05-01 18:00");
        assert_eq!(styles.format_number(3, "2.5"), "2.5");
        assert_eq!(styles.format_number(0, "0.30000000000000004"), "0.3");
        assert_eq!(styles.format_number(9, "1e400"), "1e400");
    }
}
