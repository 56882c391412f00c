//! Matches as lines, the way ripgrep prints them.

use std::io::Write;
use std::path::Path;

use anstyle::Style;
use findall::Span;
use findall::document::Positions;
use findall::find::MatchKind;

use super::terminal::{excerpt, push};
use super::{FileReport, Mode, PrintConfig};
use crate::config::color::Palette;
use crate::hit::Hit;

/// Hits that are shown together because their lines touch.
struct Group<'r> {
    first_line: usize,
    last_line: usize,
    hits: &'r [Hit],
}

/// Writes the file's name alone.
pub fn file_name(path: &Path, config: &PrintConfig, out: &mut Vec<u8>) {
    name(path, config, b'\n', out);
}

/// Writes a file's name as the system has it, whatever its bytes are; for a person what can be shown of it.
fn name(path: &Path, config: &PrintConfig, separator: u8, out: &mut Vec<u8>) {
    let style = config.palette.path;
    match config.pretty {
        true => push_painted(out, style, &path.display().to_string(), true),
        false => {
            let _ = write!(out, "{style}");
            out.extend_from_slice(path.as_os_str().as_encoded_bytes());
            let _ = write!(out, "{style:#}");
        }
    }
    out.push(if config.null { 0 } else { separator });
}

/// Writes a number, after the file's name when there are several files.
pub fn count(path: &Path, config: &PrintConfig, number: usize, out: &mut Vec<u8>) {
    if config.file_name {
        name(path, config, b':', out);
    }
    let _ = writeln!(out, "{number}");
}

/// Writes the matching lines, or with [`Mode::OnlyMatching`] the matches alone.
pub fn matches(report: &FileReport<'_>, config: &PrintConfig, out: &mut Vec<u8>) {
    let printer =
        Printer { report, config, text: report.document.text(), positions: report.document.positions() };
    if config.pretty && config.file_name {
        file_name(report.path, config, out);
    }
    match config.mode {
        Mode::OnlyMatching => report.hits.iter().for_each(|hit| printer.push_match(hit, out)),
        _ => printer.push_lines(out),
    }
}

struct Printer<'r> {
    report: &'r FileReport<'r>,
    config: &'r PrintConfig,
    text: &'r str,
    positions: Positions<'r>,
}

impl Printer<'_> {
    fn push_match(&self, hit: &Hit, out: &mut Vec<u8>) {
        let line = self.line_of(hit.span.start);
        self.push_prefix(line, b':', out);
        let words = hit.span.slice(self.text).unwrap_or_default();
        // One match, one line, whatever it spans.
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
        push_painted(out, style_of(&self.config.palette, hit.kind), &words, self.config.pretty);
        self.push_remark(std::slice::from_ref(hit), out);
        out.push(b'\n');
        self.push_explanation(hit, out);
    }

    fn push_lines(&self, out: &mut Vec<u8>) {
        let (before, after) = (self.config.before, self.config.after);
        // What follows the last line break is no line when it is empty.
        let last_line = self.positions.line_count() - usize::from(self.text.ends_with('\n'));
        let groups = self.groups();
        let mut printed: Option<usize> = None;
        for (number, group) in groups.iter().enumerate() {
            let from = group.first_line.saturating_sub(before).max(1);
            // Ordered by score, the next line may stand anywhere; in document order it continues this one.
            let continued = printed.is_some_and(|line| from <= line + 1 && group.first_line > line);
            if printed.is_some() && !continued && before + after > 0 {
                push_painted(out, self.config.palette.dim, "--", false);
                out.push(b'\n');
            }
            let from = if continued { from.max(printed.map_or(1, |line| line + 1)) } else { from };
            for line in from..group.first_line {
                self.push_line(line, &[], out);
            }
            for line in group.first_line..=group.last_line {
                self.push_line(line, group.hits, out);
            }
            group.hits.iter().for_each(|hit| self.push_explanation(hit, out));
            let next =
                groups.get(number + 1).map(|next| next.first_line).filter(|&line| line > group.last_line);
            let to = (group.last_line + after).min(last_line).min(next.map_or(usize::MAX, |line| line - 1));
            for line in group.last_line + 1..=to {
                self.push_line(line, &[], out);
            }
            printed = Some(to);
            if self.report.spill(out).is_break() {
                return;
            }
        }
    }

    /// Neighbouring hits whose lines overlap; hits ordered by score mostly stay alone.
    fn groups(&self) -> Vec<Group<'_>> {
        let hits = self.report.hits;
        let mut groups: Vec<Group<'_>> = Vec::new();
        let mut start = 0;
        for (number, hit) in hits.iter().enumerate() {
            let first = self.line_of(hit.span.start);
            let last = self.line_of(hit.span.end.saturating_sub(1).max(hit.span.start)).max(first);
            match groups.last_mut() {
                Some(group) if (group.first_line..=group.last_line).contains(&first) => {
                    group.last_line = group.last_line.max(last);
                    group.hits = &hits[start..=number];
                }
                _ => {
                    start = number;
                    groups.push(Group { first_line: first, last_line: last, hits: &hits[number..=number] });
                }
            }
        }
        groups
    }

    fn line_of(&self, byte: usize) -> usize {
        let byte = self.text.floor_char_boundary(byte);
        self.positions.line_of(byte).unwrap_or(1)
    }

    /// One line with its matches highlighted; a line without matches is context.
    fn push_line(&self, number: usize, hits: &[Hit], out: &mut Vec<u8>) {
        let Some(line) = self.positions.line_span(number) else { return };
        let content = line.slice(self.text).unwrap_or_default().trim_end_matches(['\n', '\r']);
        let line = Span::new(line.start, line.start + content.len());
        let mut here: Vec<&Hit> =
            hits.iter().filter(|hit| hit.span.start <= line.end && hit.span.end > line.start).collect();
        here.sort_by_key(|hit| hit.span);
        self.push_prefix(number, if here.is_empty() { b'-' } else { b':' }, out);
        let pieces = match self.config.pretty {
            true => excerpt(self.text, line, here.iter().map(|hit| hit.span)),
            false => vec![line],
        };
        for (number, piece) in pieces.iter().enumerate() {
            if number > 0 || piece.start > line.start {
                push_painted(out, self.config.palette.dim, if number > 0 { " … " } else { "… " }, false);
            }
            self.push_piece(*piece, &here, out);
        }
        if pieces.last().is_some_and(|piece| piece.end < line.end) {
            push_painted(out, self.config.palette.dim, " …", false);
        }
        let begun: Vec<Hit> =
            here.iter().filter(|hit| hit.span.start >= line.start).map(|&hit| hit.clone()).collect();
        self.push_remark(&begun, out);
        out.push(b'\n');
    }

    fn push_piece(&self, piece: Span, hits: &[&Hit], out: &mut Vec<u8>) {
        let mut at = piece.start;
        for hit in hits {
            let start = hit.span.start.max(at);
            let end = hit.span.end.min(piece.end);
            if start >= end {
                continue;
            }
            push(out, &self.text[at..start], self.config.pretty);
            push_painted(
                out,
                style_of(&self.config.palette, hit.kind),
                &self.text[start..end],
                self.config.pretty,
            );
            at = end;
        }
        push(out, &self.text[at..piece.end], self.config.pretty);
    }

    fn push_prefix(&self, line: usize, separator: u8, out: &mut Vec<u8>) {
        if self.config.file_name && !self.config.pretty {
            name(self.report.path, self.config, separator, out);
        }
        if self.config.line_numbers {
            push_painted(out, self.config.palette.line, &line.to_string(), false);
            out.push(separator);
        }
    }

    /// On a terminal, what is not an exact match says so at the end of its line.
    fn push_remark(&self, hits: &[Hit], out: &mut Vec<u8>) {
        if !self.config.pretty || self.config.explain {
            return;
        }
        let mut labels: Vec<&str> = Vec::new();
        for hit in hits.iter().filter(|hit| hit.kind != MatchKind::Exact) {
            if !labels.contains(&hit.kind.name()) {
                labels.push(hit.kind.name());
            }
        }
        if !labels.is_empty() {
            push_painted(out, self.config.palette.dim, &format!("  [{}]", labels.join(", ")), false);
        }
    }

    fn push_explanation(&self, hit: &Hit, out: &mut Vec<u8>) {
        if !self.config.explain {
            return;
        }
        let words = hit.span.slice(self.text).unwrap_or_default();
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
        out.extend_from_slice(b"    ");
        let style = style_of(&self.config.palette, hit.kind);
        push_painted(out, style, &words, self.config.pretty);
        let remark = format!(" · {} {:.2} · {}", hit.kind.name(), hit.score, hit.why);
        push_painted(out, self.config.palette.dim, &remark, self.config.pretty);
        out.push(b'\n');
    }
}

fn style_of(palette: &Palette, kind: MatchKind) -> Style {
    match kind {
        MatchKind::Exact => palette.exact,
        MatchKind::Fuzzy => palette.fuzzy,
        MatchKind::Meaning | MatchKind::Value => palette.meaning,
    }
}

pub(super) fn push_painted(out: &mut Vec<u8>, style: Style, text: &str, shield: bool) {
    // Writing into memory cannot fail.
    let _ = write!(out, "{style}");
    push(out, text, shield);
    let _ = write!(out, "{style:#}");
}
