//! OpenDocument to text: texts (ODT), sheets (ODS) and slides (ODP) are the same XML, so one reader serves all three.
//! Paragraphs are blocks; cells and slides are places of their own.

use std::ops::Range;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::archive::Archive;
use super::builder::TextBuilder;
use super::decode::{self, DecodedText, Markup};
use super::format::Format;
use super::limits::Limits;
use super::places::PlaceMark;
use super::xml::{attribute, entity_text, first_text};
use crate::error::DocumentError;

const CONTENT: &str = "content.xml";
/// Spaces that one `text:s` may stand for.
const MAX_SPACES: usize = 1000;

/// Reads an OpenDocument archive into the builder.
pub(super) fn read(
    format: Format,
    bytes: &[u8],
    builder: &mut TextBuilder,
    limits: &Limits,
) -> Result<(), DocumentError> {
    let mut archive = Archive::open(bytes, format, limits)?;
    let text = |bytes: Vec<u8>| decode::decode(bytes, Markup::Yes, limits).map(|decoded| decoded.text);
    if let Some(manifest) = archive.read("META-INF/manifest.xml")?
        && text(manifest)?.contains("encryption-data")
    {
        return Err(DocumentError::Encrypted { format });
    }
    if let Some(meta) = archive.read("meta.xml")? {
        builder.title = first_text(&text(meta)?, "title");
    }
    let DecodedText { text, bytes } = decode::decode(archive.require(CONTENT)?, Markup::Yes, limits)?;
    builder.start_part(Some(CONTENT.to_owned()), bytes);
    let mut state = OdfState::new(format);
    let mut reader = Reader::from_str(&text);
    reader.config_mut().check_end_names = false;
    loop {
        let start = reader.buffer_position() as usize;
        let event = reader
            .read_event()
            .map_err(|error| DocumentError::Damaged { format, detail: format!("part {CONTENT}: {error}") })?;
        let source = start..reader.buffer_position() as usize;
        match event {
            Event::Start(tag) => state.start(&tag, source, builder),
            Event::Empty(tag) => {
                state.start(&tag, source, builder);
                state.end(tag.local_name().as_ref(), builder);
            }
            Event::End(tag) => state.end(tag.local_name().as_ref(), builder),
            // Spaces that are meant have elements of their own.
            Event::Text(_) if state.shows() => {
                builder.push_collapsed(text.get(source.clone()).unwrap_or(""), source.start);
            }
            Event::CData(piece) if state.shows() => builder.push_replaced(&piece, source),
            Event::GeneralRef(reference) if state.shows() => {
                builder.push_replaced(&entity_text(&reference), source)
            }
            Event::Eof => return Ok(()),
            _ => {}
        }
        builder.check(limits)?;
    }
}

/// What the reader is inside of.
struct OdfState {
    format: Format,
    /// Depth of paragraphs: notes stand within them.
    paragraphs: usize,
    /// Depth of elements that are not shown: deleted text, comments, names of events.
    hidden: usize,
    /// Paragraphs of the open cell so far; they do not end its row.
    cell_paragraphs: Option<usize>,
    sheet: u32,
    row: u32,
    column: u32,
    /// How many rows and columns the open row and cell stand for.
    row_repeat: u32,
    column_repeat: u32,
    slide: u32,
}

impl OdfState {
    fn new(format: Format) -> OdfState {
        OdfState {
            format,
            paragraphs: 0,
            hidden: 0,
            cell_paragraphs: None,
            sheet: 0,
            row: 0,
            column: 0,
            row_repeat: 1,
            column_repeat: 1,
            slide: 0,
        }
    }

    fn shows(&self) -> bool {
        self.paragraphs > 0 && self.hidden == 0
    }

    fn start(&mut self, tag: &BytesStart<'_>, source: Range<usize>, builder: &mut TextBuilder) {
        let name = tag.local_name();
        let repeated = |name: &str| attribute(tag, name).and_then(|count| count.parse().ok()).unwrap_or(1u32);
        match name.as_ref() {
            "tracked-changes" | "annotation" | "scripts" | "forms" | "event-listeners" => self.hidden += 1,
            "p" | "h" => {
                self.paragraphs += 1;
                match &mut self.cell_paragraphs {
                    Some(before) if self.paragraphs == 1 => {
                        if *before > 0 {
                            builder.line_break(source.start..source.start);
                        }
                        *before += 1;
                    }
                    None if self.paragraphs == 1 => builder.end_block(1),
                    _ => {}
                }
            }
            "s" if self.shows() => {
                let spaces = (repeated("c") as usize).min(MAX_SPACES);
                builder.push_replaced(&" ".repeat(spaces), source);
            }
            "tab" if self.shows() => builder.push_replaced("\t", source),
            "line-break" if self.shows() => builder.line_break(source),
            "table" => {
                builder.end_block(2);
                let title = attribute(tag, "name").unwrap_or_default();
                self.sheet = builder.add_place_name(&title);
                (self.row, self.row_repeat) = (0, 1);
            }
            "table-row" => {
                self.row = self.row.saturating_add(1);
                self.row_repeat = repeated("number-rows-repeated");
                self.column = 0;
            }
            "table-cell" | "covered-table-cell" => {
                self.column = self.column.saturating_add(1);
                self.column_repeat = repeated("number-columns-repeated");
                self.cell_paragraphs = Some(0);
                builder.end_cell();
                if self.format == Format::Ods {
                    let (sheet, row, column) = (self.sheet, self.row, self.column);
                    builder.start_place(PlaceMark::Cell { sheet, row, column });
                }
            }
            "page" => {
                self.slide = self.slide.saturating_add(1);
                builder.start_page();
                builder.start_place(PlaceMark::Slide(self.slide));
            }
            _ => {}
        }
    }

    fn end(&mut self, name: &str, builder: &mut TextBuilder) {
        match name {
            "tracked-changes" | "annotation" | "scripts" | "forms" | "event-listeners" => {
                self.hidden = self.hidden.saturating_sub(1);
            }
            "p" | "h" => {
                self.paragraphs = self.paragraphs.saturating_sub(1);
                if self.paragraphs == 0 && self.cell_paragraphs.is_none() {
                    builder.end_block(1);
                }
            }
            "table-cell" | "covered-table-cell" => {
                self.column = self.column.saturating_add(self.column_repeat.saturating_sub(1));
                self.cell_paragraphs = None;
            }
            "table-row" => {
                self.row = self.row.saturating_add(self.row_repeat.saturating_sub(1));
                builder.end_block(1);
            }
            "table" => builder.end_block(2),
            _ => {}
        }
    }
}
