//! FB2 to text: the bodies of an electronic book in one XML file; paragraphs and verses are blocks, pictures are left out.

use quick_xml::Reader;
use quick_xml::events::Event;

use super::builder::TextBuilder;
use super::format::Format;
use super::limits::Limits;
use super::xml::{entity_text, first_text};
use crate::error::DocumentError;

/// Reads the decoded file into the builder.
pub(super) fn read(xml: &str, builder: &mut TextBuilder, limits: &Limits) -> Result<(), DocumentError> {
    builder.title = first_text(xml, "book-title");
    let mut reader = Reader::from_str(xml);
    reader.config_mut().check_end_names = false;
    let (mut body, mut block) = (false, 0usize);
    loop {
        let start = reader.buffer_position() as usize;
        let event = reader
            .read_event()
            .map_err(|error| DocumentError::Damaged { format: Format::Fb2, detail: error.to_string() })?;
        let source = start..reader.buffer_position() as usize;
        match event {
            Event::Start(tag) => match tag.local_name().as_ref() {
                "body" => body = true,
                name if is_block(name) => {
                    block += 1;
                    builder.end_block(1);
                }
                _ => {}
            },
            Event::End(tag) => match tag.local_name().as_ref() {
                "body" => body = false,
                "title" | "section" | "stanza" | "poem" | "epigraph" => builder.end_block(2),
                "th" | "td" => {
                    block = block.saturating_sub(1);
                    builder.end_cell();
                }
                name if is_block(name) => {
                    block = block.saturating_sub(1);
                    builder.end_block(1);
                }
                _ => {}
            },
            Event::Empty(tag) if tag.local_name().as_ref() == "empty-line" => builder.end_block(2),
            Event::Text(_) if body && block > 0 => {
                builder.push_collapsed(xml.get(source.clone()).unwrap_or(""), source.start);
            }
            Event::CData(piece) if body && block > 0 => builder.push_replaced(&piece, source),
            Event::GeneralRef(reference) if body && block > 0 => {
                builder.push_replaced(&entity_text(&reference), source);
            }
            Event::Eof => return Ok(()),
            _ => {}
        }
        builder.check(limits)?;
    }
}

fn is_block(name: &str) -> bool {
    matches!(name, "p" | "v" | "subtitle" | "text-author" | "date" | "th" | "td")
}
