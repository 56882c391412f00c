//! EPUB to text: the chapters in the order of the book's spine, each read as HTML and mapped to its own part.

use std::collections::HashMap;

use quick_xml::Reader;
use quick_xml::events::Event;

use super::archive::Archive;
use super::builder::TextBuilder;
use super::decode::{self, DecodedText, Markup};
use super::format::Format;
use super::html;
use super::limits::Limits;
use super::xml::{attribute, resolve_dots};
use crate::error::DocumentError;

const CONTAINER: &str = "META-INF/container.xml";
const ENCRYPTION: &str = "META-INF/encryption.xml";

/// Reads an EPUB archive into the builder.
pub(super) fn read(bytes: &[u8], builder: &mut TextBuilder, limits: &Limits) -> Result<(), DocumentError> {
    let mut archive = Archive::open(bytes, Format::Epub, limits)?;
    let container = xml(archive.require(CONTAINER)?, limits)?;
    let package_path = find_attribute(&container, "rootfile", "full-path")
        .ok_or_else(|| damage_error("META-INF/container.xml names no package"))?;
    let package = Package::parse(&xml(archive.require(&package_path)?, limits)?);
    if package.chapters.is_empty() {
        return Err(damage_error("the package lists no chapters"));
    }
    let folder = package_path.rfind('/').map_or("", |at| &package_path[..=at]);
    let locked =
        if archive.contains(ENCRYPTION) { xml(archive.require(ENCRYPTION)?, limits)? } else { String::new() };
    builder.title = package.title;
    let mut found = 0;
    for href in package.chapters {
        let name = resolve(folder, &href);
        // Fonts are often scrambled in free books too; a scrambled chapter means a bought one.
        if locked.contains(&format!("\"{name}\"")) || locked.contains(&format!("\"{href}\"")) {
            return Err(DocumentError::Encrypted { format: Format::Epub });
        }
        let Some(chapter) = archive.read(&name)? else { continue };
        found += 1;
        let DecodedText { text, bytes } = decode::decode(chapter, Markup::Yes, limits)?;
        builder.end_block(2);
        builder.start_part(Some(name), bytes);
        html::read_xhtml(&text, builder, limits)?;
    }
    if found == 0 {
        return Err(damage_error("none of its chapters is in the archive"));
    }
    Ok(())
}

fn damage_error(detail: &str) -> DocumentError {
    DocumentError::Damaged { format: Format::Epub, detail: detail.to_owned() }
}

fn xml(bytes: Vec<u8>, limits: &Limits) -> Result<String, DocumentError> {
    Ok(decode::decode(bytes, Markup::Yes, limits)?.text)
}

/// What the package document says: the title and the chapters' places, in reading order.
#[derive(Default)]
struct Package {
    title: Option<String>,
    chapters: Vec<String>,
}

impl Package {
    /// Takes what it can; a broken tail does not undo what was read.
    fn parse(xml: &str) -> Package {
        let mut package = Package::default();
        let mut places: HashMap<String, String> = HashMap::new();
        let mut in_title = false;
        let mut reader = Reader::from_str(xml);
        reader.config_mut().check_end_names = false;
        while let Ok(event) = reader.read_event() {
            match event {
                Event::Eof => break,
                Event::Start(tag) | Event::Empty(tag) => match tag.local_name().as_ref() {
                    "title" => in_title = package.title.is_none(),
                    "item" => {
                        if let (Some(id), Some(href)) = (attribute(&tag, "id"), attribute(&tag, "href")) {
                            places.insert(id, href);
                        }
                    }
                    "itemref" => {
                        let place = attribute(&tag, "idref").and_then(|id| places.get(&id).cloned());
                        package.chapters.extend(place);
                    }
                    _ => {}
                },
                Event::End(tag) if tag.local_name().as_ref() == "title" => in_title = false,
                Event::Text(text) if in_title => package.title.get_or_insert_default().push_str(&text),
                Event::GeneralRef(reference) if in_title => {
                    let decoded = quick_xml::escape::resolve_predefined_entity(&reference);
                    package.title.get_or_insert_default().push_str(decoded.unwrap_or(""));
                }
                _ => {}
            }
        }
        // A book that names a chapter twice, or a thousand times, is read once.
        let mut seen = std::collections::HashSet::new();
        package.chapters.retain(|chapter| seen.insert(chapter.clone()));
        package
    }
}

fn find_attribute(xml: &str, element: &str, name: &str) -> Option<String> {
    let mut reader = Reader::from_str(xml);
    loop {
        match reader.read_event().ok()? {
            Event::Start(tag) | Event::Empty(tag) if tag.local_name().as_ref() == element => {
                return attribute(&tag, name);
            }
            Event::Eof => return None,
            _ => {}
        }
    }
}

/// The archive's name for a reference relative to a folder: without fragment, percent signs decoded, dots resolved.
fn resolve(folder: &str, href: &str) -> String {
    let href = href.split(['#', '?']).next().unwrap_or("");
    resolve_dots(&format!("{folder}{}", decode_percent(href)))
}

fn decode_percent(href: &str) -> String {
    let bytes = href.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = href.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                decoded.push(byte);
                at += 3;
            }
            None => {
                decoded.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resolves_references() {
        assert_eq!(resolve("OEBPS/", "text/a%20b.xhtml#c1"), "OEBPS/text/a b.xhtml");
        assert_eq!(resolve("OEBPS/", "../x.html"), "x.html");
        assert_eq!(resolve("", "100%.html"), "100%.html");
        assert_eq!(resolve("a/", "../../../etc/passwd"), "etc/passwd");
    }
}
