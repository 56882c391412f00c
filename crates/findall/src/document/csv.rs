//! Comma-separated values to text: a row a line, cells apart by tabs, quotes taken off; each cell is a place of its own.
//! The separator is the one that the first lines agree on.

use super::builder::TextBuilder;
use super::limits::Limits;
use super::places::PlaceMark;
use crate::error::DocumentError;

/// How much of the file is looked at to find the separator.
const MAX_DELIMITER_SAMPLE_BYTES: usize = 8 * 1024;
/// The longest quoted cell; a quote that is open for longer is a quote and nothing more.
const MAX_CELL_BYTES: usize = 256 * 1024;

/// Reads the decoded file into the builder.
pub(super) fn read(text: &str, builder: &mut TextBuilder, limits: &Limits) -> Result<(), DocumentError> {
    let separator = separator(text);
    let sheet = builder.add_place_name("");
    let bytes = text.as_bytes();
    let (mut at, mut row, mut column) = (0, 1u32, 1u32);
    while at < bytes.len() {
        builder.start_place(PlaceMark::Cell { sheet, row, column });
        at = write_cell(text, at, separator, builder);
        match bytes.get(at) {
            Some(&byte) if byte == separator => {
                builder.end_cell();
                column = column.saturating_add(1);
                at += 1;
            }
            Some(_) => {
                at += if bytes[at..].starts_with(b"\r\n") { 2 } else { 1 };
                builder.end_block(1);
                (row, column) = (row.saturating_add(1), 1);
            }
            None => {}
        }
        builder.check(limits)?;
    }
    Ok(())
}

/// Writes the cell that starts here; gives where it ends.
fn write_cell(text: &str, start: usize, separator: u8, builder: &mut TextBuilder) -> usize {
    let bytes = text.as_bytes();
    let ends = |byte: &u8| *byte == separator || matches!(byte, b'\n' | b'\r');
    let mut at = start;
    if bytes[at] == b'"' && is_closing_quote(bytes, at + 1, separator) {
        at += 1;
        // A quote within is doubled.
        while let Some(quote) = memchr::memchr(b'"', &bytes[at..]).map(|quote| at + quote) {
            builder.lines(&text[at..quote], at);
            at = quote + 1;
            if bytes.get(at) != Some(&b'"') {
                break;
            }
            builder.push_replaced("\"", quote..quote + 2);
            at += 1;
        }
    }
    let end = bytes[at..].iter().position(ends).map_or(bytes.len(), |end| at + end);
    builder.lines(&text[at..end], at);
    end
}

/// True when a quote stands before the end of the file at the end of a cell; else it is a quote and nothing more.
fn is_closing_quote(bytes: &[u8], from: usize, separator: u8) -> bool {
    let bytes = &bytes[..bytes.len().min(from + MAX_CELL_BYTES)];
    let mut at = from;
    while let Some(quote) =
        bytes.get(at..).and_then(|rest| memchr::memchr(b'"', rest)).map(|quote| at + quote)
    {
        match bytes.get(quote + 1) {
            Some(b'"') => at = quote + 2,
            Some(&next) => return next == separator || matches!(next, b'\n' | b'\r' | b' '),
            None => return true,
        }
    }
    false
}

/// The separator that stands in most of the first lines, and the most often.
fn separator(text: &str) -> u8 {
    let mut end = text.len().min(MAX_DELIMITER_SAMPLE_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let sample = &text[..end];
    let count = |separator: &u8| {
        let lines = sample.lines().filter(|line| !line.is_empty());
        let counts: Vec<usize> =
            lines.map(|line| line.bytes().filter(|byte| byte == separator).count()).collect();
        let with = counts.iter().filter(|&&count| count > 0).count();
        (with, counts.iter().sum::<usize>())
    };
    // The first of equals wins, so a file of one column is read with commas.
    [b'|', b';', b'\t', b','].into_iter().max_by_key(count).unwrap_or(b',')
}
