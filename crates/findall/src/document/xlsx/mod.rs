//! XLSX to text: the visible sheets in order, a row a line, cells apart by tabs, each cell a place of its own. Texts come
//! from the shared list, numbers as they are shown when the style says that they are dates.

mod dates;

use std::collections::HashMap;
use std::ops::Range;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::archive::Archive;
use super::builder::TextBuilder;
use super::decode::{self, DecodedText, Markup};
use super::format::Format;
use super::limits::Limits;
use super::places::PlaceMark;
use super::xml::{attribute, entity_text, first_text, relations};
use crate::error::DocumentError;
use dates::DateStyles;

const WORKBOOK: &str = "xl/workbook.xml";
/// Sheets read; the format allows more, memory decides.
const MAX_SHEETS: usize = 10_000;

/// Reads an XLSX archive into the builder.
pub(super) fn read(bytes: &[u8], builder: &mut TextBuilder, limits: &Limits) -> Result<(), DocumentError> {
    let mut archive = Archive::open(bytes, Format::Xlsx, limits)?;
    let text = |bytes: Vec<u8>| decode::decode(bytes, Markup::Yes, limits).map(|decoded| decoded.text);
    if let Some(properties) = archive.read("docProps/core.xml")? {
        builder.title = first_text(&text(properties)?, "title");
    }
    let workbook = text(archive.require(WORKBOOK)?)?;
    let parts = match archive.read("xl/_rels/workbook.xml.rels")? {
        Some(relations_part) => relations(&text(relations_part)?, "xl"),
        None => HashMap::new(),
    };
    let shared = match archive.read("xl/sharedStrings.xml")? {
        Some(strings) => shared_strings(&text(strings)?, limits)?,
        None => Vec::new(),
    };
    let styles = match archive.read("xl/styles.xml")? {
        Some(styles) => DateStyles::parse(&text(styles)?, &workbook),
        None => DateStyles::default(),
    };
    for (at, sheet) in sheets(&workbook).into_iter().enumerate().take(MAX_SHEETS) {
        let part = match parts.get(&sheet.relation) {
            Some(relation) => relation.part.clone(),
            None => format!("xl/worksheets/sheet{}.xml", at + 1),
        };
        let Some(bytes) = archive.read(&part)? else { continue };
        let DecodedText { text, bytes } = decode::decode(bytes, Markup::Yes, limits)?;
        builder.end_block(2);
        builder.start_part(Some(part.clone()), bytes);
        let name = builder.add_place_name(&sheet.name);
        read_sheet(&part, &text, name, &shared, &styles, builder, limits)?;
    }
    Ok(())
}

struct Sheet {
    name: String,
    relation: String,
}

/// The sheets that are not hidden.
fn sheets(workbook: &str) -> Vec<Sheet> {
    let mut sheets = Vec::new();
    let mut reader = Reader::from_str(workbook);
    reader.config_mut().check_end_names = false;
    while let Ok(event) = reader.read_event() {
        match event {
            Event::Start(tag) | Event::Empty(tag) if tag.local_name().as_ref() == "sheet" => {
                let hidden = attribute(&tag, "state").is_some_and(|state| state != "visible");
                if !hidden {
                    sheets.push(Sheet {
                        name: attribute(&tag, "name").unwrap_or_default(),
                        relation: attribute(&tag, "id").unwrap_or_default(),
                    });
                }
            }
            Event::Eof => break,
            _ => {}
        }
    }
    sheets
}

/// The texts that cells refer to by number: those of `t`, without the readings of `rPh`.
fn shared_strings(xml: &str, limits: &Limits) -> Result<Vec<String>, DocumentError> {
    let mut strings: Vec<String> = Vec::new();
    let mut reader = Reader::from_str(xml);
    reader.config_mut().check_end_names = false;
    let (mut inside, mut reading, mut size) = (false, false, 0);
    while let Ok(event) = reader.read_event() {
        match event {
            Event::Start(tag) => match tag.local_name().as_ref() {
                "si" => strings.push(String::new()),
                "t" => inside = !reading,
                "rPh" => reading = true,
                _ => {}
            },
            Event::Empty(tag) if tag.local_name().as_ref() == "si" => strings.push(String::new()),
            Event::End(tag) => match tag.local_name().as_ref() {
                "t" => inside = false,
                "rPh" => reading = false,
                _ => {}
            },
            Event::Text(piece) if inside => push(&mut strings, &piece, &mut size),
            Event::CData(piece) if inside => push(&mut strings, &piece, &mut size),
            Event::GeneralRef(reference) if inside => push(&mut strings, &entity_text(&reference), &mut size),
            Event::Eof => break,
            _ => {}
        }
        limits.check_text(size)?;
    }
    Ok(strings)
}

fn push(strings: &mut [String], piece: &str, size: &mut usize) {
    if let Some(last) = strings.last_mut() {
        last.push_str(piece);
        *size += piece.len();
    }
}

/// The cell being read.
#[derive(Default)]
struct Cell {
    row: u32,
    column: u32,
    /// `s` shared, `inlineStr`, `str` of a formula, `b` true or false, `e` an error; a number without.
    kind: String,
    style: usize,
    /// In `v`, or in `t` of an inline text.
    inside: bool,
    reading: bool,
    value: String,
    source: Option<Range<usize>>,
}

fn read_sheet(
    part: &str,
    xml: &str,
    sheet: u32,
    shared: &[String],
    styles: &DateStyles,
    builder: &mut TextBuilder,
    limits: &Limits,
) -> Result<(), DocumentError> {
    let mut reader = Reader::from_str(xml);
    reader.config_mut().check_end_names = false;
    let mut cell = Cell::default();
    loop {
        let start = reader.buffer_position() as usize;
        let event = reader.read_event().map_err(|error| DocumentError::Damaged {
            format: Format::Xlsx,
            detail: format!("part {part}: {error}"),
        })?;
        let source = start..reader.buffer_position() as usize;
        match event {
            Event::Start(tag) => match tag.local_name().as_ref() {
                "row" => cell.start_row(&tag),
                "c" => cell.start(&tag),
                "v" | "t" => cell.inside = !cell.reading,
                "rPh" => cell.reading = true,
                _ => {}
            },
            Event::Empty(tag) if tag.local_name().as_ref() == "c" => cell.column += 1,
            Event::Empty(tag) if tag.local_name().as_ref() == "row" => cell.start_row(&tag),
            Event::End(tag) => match tag.local_name().as_ref() {
                "row" => builder.end_block(1),
                "c" => cell.write(sheet, shared, styles, builder),
                "v" | "t" => cell.inside = false,
                "rPh" => cell.reading = false,
                _ => {}
            },
            Event::Text(piece) if cell.inside => cell.add(&piece, source),
            Event::CData(piece) if cell.inside => cell.add(&piece, source),
            Event::GeneralRef(reference) if cell.inside => cell.add(&entity_text(&reference), source),
            Event::Eof => return Ok(()),
            _ => {}
        }
        builder.check(limits)?;
    }
}

impl Cell {
    fn start_row(&mut self, tag: &BytesStart<'_>) {
        let given = attribute(tag, "r").and_then(|row| row.parse().ok());
        self.row = given.unwrap_or(self.row.saturating_add(1));
        self.column = 0;
    }

    fn start(&mut self, tag: &BytesStart<'_>) {
        let given = attribute(tag, "r").and_then(|name| column_number(&name));
        let (row, column) = (self.row, given.unwrap_or(self.column.saturating_add(1)));
        let kind = attribute(tag, "t").unwrap_or_default();
        let style = attribute(tag, "s").and_then(|style| style.parse().ok()).unwrap_or(0);
        *self = Cell { row, column, kind, style, ..Cell::default() };
    }

    fn add(&mut self, piece: &str, source: Range<usize>) {
        self.value.push_str(piece);
        let start = self.source.as_ref().map_or(source.start, |before| before.start);
        self.source = Some(start..source.end);
    }

    /// Writes the cell as it is shown.
    fn write(&mut self, sheet: u32, shared: &[String], styles: &DateStyles, builder: &mut TextBuilder) {
        let Some(source) = self.source.take() else { return };
        let shown = match self.kind.as_str() {
            "s" => self.value.trim().parse().ok().and_then(|at: usize| shared.get(at).cloned()),
            "b" => Some(if self.value.trim() == "1" { "TRUE" } else { "FALSE" }.to_owned()),
            "inlineStr" | "str" | "e" => Some(std::mem::take(&mut self.value)),
            "d" => Some(std::mem::take(&mut self.value)),
            _ => Some(styles.format_number(self.style, self.value.trim())),
        };
        let Some(shown) = shown.filter(|shown| !shown.trim().is_empty()) else { return };
        builder.end_cell();
        builder.start_place(PlaceMark::Cell { sheet, row: self.row, column: self.column });
        // A cell may hold lines of its own.
        for (at, line) in shown.split('\n').enumerate() {
            if at > 0 {
                builder.line_break(source.end..source.end);
            }
            builder.push_replaced(line.trim_end_matches('\r'), source.clone());
        }
    }
}

/// The column of a cell's name: 28 of `AB3`.
fn column_number(name: &str) -> Option<u32> {
    let letters = name.bytes().take_while(u8::is_ascii_alphabetic);
    let number = letters
        .take(4)
        .fold(0u32, |number, letter| number * 26 + u32::from(letter.to_ascii_uppercase() - b'A') + 1);
    (number > 0).then_some(number)
}
