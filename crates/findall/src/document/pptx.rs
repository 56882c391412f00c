//! PPTX to text: the slides in the order they are shown, each a page and a place of its own, its notes after it.

use super::archive::Archive;
use super::builder::TextBuilder;
use super::decode::{self, Markup};
use super::docx::read_part;
use super::format::Format;
use super::limits::Limits;
use super::places::PlaceMark;
use super::xml::{attribute, first_text, relations};
use crate::error::DocumentError;
use quick_xml::Reader;
use quick_xml::events::Event;

const PRESENTATION: &str = "ppt/presentation.xml";

/// Reads a PPTX archive into the builder.
pub(super) fn read(bytes: &[u8], builder: &mut TextBuilder, limits: &Limits) -> Result<(), DocumentError> {
    let mut archive = Archive::open(bytes, Format::Pptx, limits)?;
    let text = |bytes: Vec<u8>| decode::decode(bytes, Markup::Yes, limits).map(|decoded| decoded.text);
    if let Some(properties) = archive.read("docProps/core.xml")? {
        builder.title = first_text(&text(properties)?, "title");
    }
    let presentation = text(archive.require(PRESENTATION)?)?;
    let slides = relations(&text(archive.require("ppt/_rels/presentation.xml.rels")?)?, "ppt");
    let mut number = 0;
    for id in slide_ids(&presentation) {
        let Some(slide) = slides.get(&id) else { continue };
        let Some(bytes) = archive.read(&slide.part)? else { continue };
        number += 1;
        builder.start_page();
        builder.start_place(PlaceMark::Slide(number));
        read_part(Format::Pptx, &slide.part, bytes, builder, limits)?;
        let Some(notes) = notes_of(&slide.part, &mut archive, limits)? else { continue };
        if let Some(bytes) = archive.read(&notes)? {
            read_part(Format::Pptx, &notes, bytes, builder, limits)?;
        }
    }
    Ok(())
}

/// The relations of the slides, in the order they are shown.
fn slide_ids(presentation: &str) -> Vec<String> {
    let mut ids = Vec::new();
    let mut reader = Reader::from_str(presentation);
    reader.config_mut().check_end_names = false;
    while let Ok(event) = reader.read_event() {
        match event {
            Event::Start(tag) | Event::Empty(tag) if tag.local_name().as_ref() == "sldId" => {
                // Two attributes are called id; the one with a prefix names the relation.
                let named = tag.attributes().flatten().find(|attribute| {
                    attribute.key.local_name().as_ref() == "id" && attribute.key.prefix().is_some()
                });
                ids.extend(named.map(|named| named.value.to_string()).or_else(|| attribute(&tag, "id")));
            }
            Event::Eof => break,
            _ => {}
        }
    }
    ids
}

fn notes_of(
    slide: &str,
    archive: &mut Archive<'_>,
    limits: &Limits,
) -> Result<Option<String>, DocumentError> {
    let (folder, name) = slide.rsplit_once('/').unwrap_or(("", slide));
    let Some(bytes) = archive.read(&format!("{folder}/_rels/{name}.rels"))? else { return Ok(None) };
    let relations = relations(&decode::decode(bytes, Markup::Yes, limits)?.text, folder);
    let notes = relations.into_values().find(|relation| relation.kind.ends_with("/notesSlide"));
    Ok(notes.map(|relation| relation.part))
}
