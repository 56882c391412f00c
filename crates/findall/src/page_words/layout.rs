//! Where a name stands: under which heading, in which list, in which column of a table; all read off the lines.

use super::LINES;
use super::NamedThing;
use crate::span::Span;
use crate::word_list::WordList;

/// What a line that is no heading begins with.
static FURNITURE: WordList = WordList::new(LINES, "furniture");

/// Characters of a heading, an introduction or a column's head that are shown.
const MAX_SHOWN_CHARS: usize = 70;

/// A heading has at most so many characters and words.
const MAX_HEADING_CHARS: usize = 90;
const MAX_HEADING_WORDS: usize = 14;

/// A line under a heading has at least so many characters, unless it is an item of a list.
const MIN_BODY_CHARS: usize = 90;

/// The first line of a page is its title when it is not longer.
const MAX_TITLE_CHARS: usize = 140;

/// An introduction of at most so many characters heads what follows, list or not.
const MAX_SHORT_INTRODUCTION: usize = 50;

/// Lines of a table at least, its head included.
const MIN_TABLE_LINES: usize = 3;

/// Words of a list item before the name that the list is of, at most.
const MAX_WORDS_BEFORE_NAME: usize = 2;

/// Lines between a list's introduction and an item at most.
const MAX_LIST_LINES: usize = 60;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum LineKind {
    /// A paragraph.
    #[default]
    Body,
    Heading,
    /// Ends with a colon: what follows is a list of it.
    Introduction,
    Item,
    /// Cells apart by tabs.
    Row(usize),
}

#[derive(Clone, Copy)]
struct Line {
    span: Span,
    sort: LineKind,
}

/// The lines of a page and what they are.
pub(super) struct PageLayout<'t> {
    text: &'t str,
    lines: Vec<Line>,
}

impl<'t> PageLayout<'t> {
    pub fn of(text: &'t str, names: &[NamedThing]) -> Self {
        let mut lines: Vec<Line> = Vec::new();
        let mut at = 0;
        for raw in text.split_inclusive('\n') {
            let start = at + (raw.len() - raw.trim_start_matches([' ', '\n', '\r']).len());
            let bare = raw.trim_matches([' ', '\n', '\r']);
            if !bare.trim().is_empty() {
                lines.push(Line { span: Span::new(start, start + bare.len()), sort: sort_of(bare) });
            }
            at += raw.len();
        }
        let mut layout = Self { text, lines };
        layout.find_headings(names);
        layout
    }

    /// The column, the list or the section in which a name stands, the most telling first.
    pub fn describe_place(&self, name: &NamedThing) -> Option<String> {
        let places = || name.places.iter().take(super::MAX_REMARKED_MENTIONS);
        let cell = places().find_map(|span| self.column(*span));
        if let Some(head) = cell {
            return Some(format!("column: {}", shorten(head)));
        }
        if let Some(intro) = places().find_map(|span| self.introduction(*span)) {
            return Some(format!("listed: {}", shorten(intro)));
        }
        let heading = places().find_map(|span| self.heading(*span))?;
        Some(format!("under: {}", shorten(heading)))
    }

    fn line_text(&self, line: usize) -> &'t str {
        self.lines[line].span.slice(self.text).unwrap_or_default()
    }

    fn cells(&self, line: usize) -> impl Iterator<Item = &'t str> {
        self.line_text(line).trim_matches(['|', ' ']).split(SEPARATORS)
    }

    fn line_of(&self, span: Span) -> Option<usize> {
        let at = self.lines.partition_point(|line| line.span.end <= span.start);
        (at < self.lines.len() && self.lines[at].span.start <= span.start).then_some(at)
    }

    /// A short line without an end before a long one is a heading; one of many short lines in a row is not.
    fn find_headings(&mut self, names: &[NamedThing]) {
        let first_names: Vec<Span> = names.iter().flat_map(|name| name.places.iter().copied()).collect();
        for at in 0..self.lines.len().saturating_sub(1) {
            let text = self.line_text(at);
            let next = &self.lines[at + 1];
            let body = matches!(next.sort, LineKind::Body) && next.span.len() >= MIN_BODY_CHARS
                || next.sort == LineKind::Item;
            let crowded = at >= 2
                && (at - 2..at)
                    .all(|line| self.lines[line].sort == LineKind::Body && self.lines[line].span.len() < 40);
            let title = at == 0 && self.lines.len() > 3 && can_title(text);
            if self.lines[at].sort == LineKind::Body && (title || body && !crowded && can_head(text)) {
                // A line that is a name and nothing else is a byline or a caption as often as a heading.
                let span = self.lines[at].span;
                let only_name = first_names.iter().any(|name| {
                    name.start <= span.start + 3
                        && name.end + 1 >= span.end
                        && name.start < span.end
                        && name.end > span.start
                });
                if !only_name {
                    self.lines[at].sort = LineKind::Heading;
                }
            }
        }
    }

    /// The nearest heading above; a name in a heading stands under the one above that only.
    fn heading(&self, span: Span) -> Option<&'t str> {
        let line = self.line_of(span)?;
        if self.lines[line].sort == LineKind::Heading {
            return None;
        }
        let heads = |line: &Line| {
            line.sort == LineKind::Heading
                || line.sort == LineKind::Introduction && line.span.len() <= MAX_SHORT_INTRODUCTION
        };
        let at = self.lines[..line].iter().rposition(heads)?;
        let text = self.line_text(at).trim_end_matches(':').trim_end_matches("[edit]");
        (text.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit()) && !text.contains("=="))
            .then_some(text)
    }

    /// What introduces the list that a name is an item of.
    fn introduction(&self, span: Span) -> Option<&'t str> {
        let line = self.line_of(span)?;
        let own = self.lines[line];
        if own.sort != LineKind::Item {
            return None;
        }
        let before = self.text.get(own.span.start..span.start)?;
        if before.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).count()
            > MAX_WORDS_BEFORE_NAME
        {
            return None;
        }
        let from = line.saturating_sub(MAX_LIST_LINES);
        let above = (from..line).rev().find(|&at| self.lines[at].sort != LineKind::Item)?;
        if self.lines[above].sort != LineKind::Introduction {
            return None;
        }
        let whole = self.line_text(above).trim_end_matches(':');
        // The last sentence introduces it.
        Some(whole.rsplit(". ").next().unwrap_or(whole))
    }

    /// The head of the column in which a name begins a cell, or the label of a row of two cells.
    fn column(&self, span: Span) -> Option<&'t str> {
        let line = self.line_of(span)?;
        let LineKind::Row(cells) = self.lines[line].sort else { return None };
        let same = |at: &usize| self.lines[*at].sort == LineKind::Row(cells);
        let first = (0..line).rev().take_while(same).last().unwrap_or(line);
        let below = (line..self.lines.len()).take_while(same).count();
        if line - first + below < MIN_TABLE_LINES {
            return None;
        }
        let before = self.text.get(self.lines[line].span.start..span.start)?.trim_start_matches(['|', ' ']);
        let number = before.matches(SEPARATORS).count();
        let cell_start = before.rfind(SEPARATORS).map_or(0, |tab| tab + 1);
        if before[cell_start..].chars().filter(|c| c.is_alphanumeric()).count() > 0 {
            return None;
        }
        let head = if cells == 2 && number == 1 {
            self.cells(line).next()?
        } else if line > first {
            self.cells(first).nth(number)?
        } else {
            return None;
        };
        let head = head.trim();
        let fits = head.len() <= 40
            && head.chars().any(char::is_alphabetic)
            && !head.contains(|c: char| c.is_ascii_digit());
        fits.then_some(head)
    }
}

/// What stands between the cells of a row.
const SEPARATORS: [char; 2] = ['\t', '|'];

fn sort_of(line: &str) -> LineKind {
    let cells = line.trim_matches(['|', ' ']).matches(SEPARATORS).count() + 1;
    if cells >= 2 {
        return LineKind::Row(cells);
    }
    let numbered = || {
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        (1..=2).contains(&digits)
            && line[digits..].starts_with([')', '.'])
            && line[digits + 1..].starts_with(' ')
    };
    if line.starts_with(['•', '·', '●', '▪', '‣', '*'])
        || line.starts_with("- ")
        || line.starts_with("– ")
        || numbered()
    {
        return LineKind::Item;
    }
    if line.ends_with(':') && line.len() <= 300 { LineKind::Introduction } else { LineKind::Body }
}

/// Whether a line could be a heading by itself.
fn can_head(line: &str) -> bool {
    let words = line.split_whitespace().count();
    let ends = line.ends_with(['.', ',', ';', ':', '…', '”', '"', '’', '\'', ')', '|', '-', '—', '!']);
    let begins = line.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
    let letters = line.chars().filter(|c| c.is_alphabetic()).count();
    let furniture = line.contains(['|', '@', '/', '©', '»', '›', '"', '“']);
    let lower = line.to_lowercase();
    let furniture = furniture || begins_as_furniture(&lower);
    let year = line.split(|c: char| !c.is_ascii_digit()).any(|digits| digits.len() == 4) && words <= 6;
    line.len() <= MAX_HEADING_CHARS
        && (1..=MAX_HEADING_WORDS).contains(&words)
        && !ends
        && begins
        && letters * 2 > line.len()
        && !furniture
        && !year
}

fn begins_as_furniture(lower: &str) -> bool {
    lower.starts_with("by ")
        || lower.starts_with("view ")
        || FURNITURE.entries().iter().any(|begin| lower.starts_with(begin))
}

/// Whether the first line of a page could be its title.
fn can_title(line: &str) -> bool {
    let words = line.split_whitespace().count();
    let ends = line.ends_with(['.', ',', ';', ':', '…', '|', '-', '—']);
    let lower = line.to_lowercase();
    let furniture = line.contains(['@', '©', '»', '›']) || begins_as_furniture(&lower);
    line.len() <= MAX_TITLE_CHARS
        && words >= 3
        && !ends
        && !furniture
        && line.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit() || matches!(c, '“' | '"' | '‘'))
}

fn shorten(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    super::cut(&words, MAX_SHOWN_CHARS).to_owned()
}
