//! Subtitles (SubRip, WebVTT) to text: the words without numbers, times, settings and tags. Sentences run on from one
//! title to the next; each title is a place of its own.

use super::builder::TextBuilder;
use super::limits::Limits;
use super::places::PlaceMark;
use crate::error::DocumentError;

/// Reads the decoded file into the builder.
pub(super) fn read(text: &str, builder: &mut TextBuilder, limits: &Limits) -> Result<(), DocumentError> {
    let mut lines = Lines { text, at: 0 }.peekable();
    // Words count only after a time; what stands before (headers, notes, styles, numbers) is none.
    let mut inside = false;
    while let Some((at, line)) = lines.next() {
        if let Some(start) = cue_start(line) {
            inside = true;
            builder.end_line();
            builder.start_place(PlaceMark::Time(start));
        } else if line.trim().is_empty() {
            inside = false;
        } else if inside {
            // A number before the next time belongs to that, also where the empty line is missing.
            let is_number = line.trim().bytes().all(|byte| byte.is_ascii_digit())
                && lines.peek().is_some_and(|(_, next)| cue_start(next).is_some());
            if !is_number {
                write_line(line, at, builder);
                builder.end_line();
            }
        }
        builder.check(limits)?;
    }
    Ok(())
}

/// Lines without their ends, and where they start.
struct Lines<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Iterator for Lines<'t> {
    type Item = (usize, &'t str);

    fn next(&mut self) -> Option<(usize, &'t str)> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let start = self.at;
        let end = rest.find('\n').map_or(rest.len(), |end| end + 1);
        self.at += end;
        Some((start, rest[..end].trim_end_matches(['\n', '\r'])))
    }
}

/// Writes a line without `<i>` and `{\an8}`.
fn write_line(line: &str, at: usize, builder: &mut TextBuilder) {
    let mut from = 0;
    while let Some(open) = line[from..].find(['<', '{']).map(|open| from + open) {
        let (close, starts_tag): (char, fn(char) -> bool) = match line.as_bytes()[open] {
            b'<' => ('>', |c| c.is_ascii_alphanumeric() || c == '/'),
            _ => ('}', |c| c == '\\'),
        };
        let is_tag = line[open + 1..].chars().next().is_some_and(starts_tag);
        let end = line[open..].find(close).filter(|_| is_tag).map(|end| open + end + 1);
        let Some(end) = end else {
            builder.push_collapsed(&line[from..=open], at + from);
            from = open + 1;
            continue;
        };
        builder.push_collapsed(&line[from..open], at + from);
        from = end;
    }
    builder.push_collapsed(&line[from..], at + from);
}

/// The start of `00:01:02,500 --> 00:01:05,000`, in milliseconds; hours may be missing.
fn cue_start(line: &str) -> Option<u32> {
    let (start, _) = line.split_once("-->")?;
    let (time, fraction) = start.trim().rsplit_once([',', '.'])?;
    let mut seconds = 0u32;
    for part in time.split(':') {
        seconds = seconds.checked_mul(60)?.checked_add(part.trim().parse().ok()?)?;
    }
    let digits: String = fraction.chars().chain("000".chars()).take(3).collect();
    seconds.checked_mul(1000)?.checked_add(digits.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        assert_eq!(cue_start("00:01:02,500 --> 00:01:05,000"), Some(62_500));
        assert_eq!(cue_start("01:02.5 --> 01:03.0 align:start"), Some(62_500));
        assert_eq!(cue_start("a --> b"), None);
        assert_eq!(cue_start("99999999:00:00,0 --> x"), None);
    }
}
