//! DOCX to text: the paragraphs of `word/document.xml`, then footnotes and endnotes, each part with its own offsets.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::archive::Archive;
use super::builder::TextBuilder;
use super::decode::{self, DecodedText, Markup};
use super::format::Format;
use super::limits::Limits;
use super::xml::{entity_text, first_text};
use crate::error::DocumentError;

const NOTES: [&str; 2] = ["word/footnotes.xml", "word/endnotes.xml"];

/// Reads a DOCX archive into the builder.
pub(super) fn read(bytes: &[u8], builder: &mut TextBuilder, limits: &Limits) -> Result<(), DocumentError> {
    let mut archive = Archive::open(bytes, Format::Docx, limits)?;
    if let Some(properties) = archive.read("docProps/core.xml")? {
        builder.title = first_text(&decode::decode(properties, Markup::Yes, limits)?.text, "title");
    }
    let body = archive.require("word/document.xml")?;
    read_part(Format::Docx, "word/document.xml", body, builder, limits)?;
    for name in NOTES {
        if let Some(notes) = archive.read(name)? {
            read_part(Format::Docx, name, notes, builder, limits)?;
        }
    }
    Ok(())
}

/// What the reader is inside of.
#[derive(Default)]
struct DocxState {
    /// In `w:t`, whose characters are the text.
    text: bool,
    /// In `w:rPr`, the properties of a run.
    properties: bool,
    /// In a run that is marked as hidden.
    vanished: bool,
    /// Depth inside `mc:Fallback`, which repeats what stands beside it.
    fallback: usize,
}

/// Reads one part of a DOCX or PPTX archive; both name paragraphs, runs and texts alike.
pub(super) fn read_part(
    format: Format,
    name: &str,
    bytes: Vec<u8>,
    builder: &mut TextBuilder,
    limits: &Limits,
) -> Result<(), DocumentError> {
    let DecodedText { text: xml, bytes } = decode::decode(bytes, Markup::Yes, limits)?;
    builder.end_block(2);
    builder.start_part(Some(name.to_owned()), bytes);
    let mut reader = Reader::from_str(&xml);
    reader.config_mut().check_end_names = false;
    let mut state = DocxState::default();
    loop {
        let start = reader.buffer_position() as usize;
        let event = reader
            .read_event()
            .map_err(|error| DocumentError::Damaged { format, detail: format!("part {name}: {error}") })?;
        let source = start..reader.buffer_position() as usize;
        match event {
            Event::Start(tag) => state.start(&tag, builder),
            Event::Empty(tag) => state.empty(&tag, source, builder),
            Event::End(tag) => state.end(tag.local_name().as_ref(), builder),
            Event::Text(_) | Event::CData(_) if !state.shows() => {}
            Event::Text(_) => builder.push_verbatim(xml.get(source.clone()).unwrap_or(""), source.start),
            Event::CData(text) => builder.push_replaced(&text, source),
            Event::GeneralRef(reference) if state.shows() => {
                builder.push_replaced(&entity_text(&reference), source);
            }
            Event::Eof => return Ok(()),
            _ => {}
        }
        builder.check(limits)?;
    }
}

impl DocxState {
    fn shows(&self) -> bool {
        self.text && !self.vanished && self.fallback == 0
    }

    fn start(&mut self, tag: &BytesStart<'_>, builder: &mut TextBuilder) {
        match tag.local_name().as_ref() {
            "Fallback" => self.fallback += 1,
            "t" => self.text = true,
            "r" => self.vanished = false,
            "rPr" => self.properties = true,
            "vanish" => self.vanish(tag),
            "p" => builder.end_block(1),
            _ => {}
        }
    }

    fn end(&mut self, name: &str, builder: &mut TextBuilder) {
        match name {
            "Fallback" => self.fallback = self.fallback.saturating_sub(1),
            "t" => self.text = false,
            "r" => self.vanished = false,
            "rPr" => self.properties = false,
            "p" | "tr" => builder.end_block(1),
            "tbl" => builder.end_block(2),
            "tc" => builder.end_cell(),
            _ => {}
        }
    }

    fn empty(&mut self, tag: &BytesStart<'_>, source: std::ops::Range<usize>, builder: &mut TextBuilder) {
        let name = tag.local_name();
        match name.as_ref() {
            "vanish" => self.vanish(tag),
            "p" => builder.end_block(2),
            _ if self.vanished || self.fallback > 0 || self.properties => {}
            "tab" | "ptab" => builder.push_replaced("\t", source),
            "br" | "cr" => builder.line_break(source),
            "noBreakHyphen" => builder.push_replaced("\u{2011}", source),
            "softHyphen" => builder.push_replaced("\u{ad}", source),
            _ => {}
        }
    }

    /// `<w:vanish/>` in a run's properties hides the run, unless it says `w:val="false"`.
    fn vanish(&mut self, tag: &BytesStart<'_>) {
        let off = tag.attributes().flatten().any(|attribute| {
            attribute.key.local_name().as_ref() == "val"
                && matches!(attribute.value.as_ref(), "0" | "false" | "off")
        });
        self.vanished |= self.properties && !off;
    }
}
