//! Small helpers for formats made of XML: attributes by their local names, entities, the relations between parts of an
//! Office file.

use std::collections::HashMap;

use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

/// The value of an attribute, by its name without prefix.
pub(super) fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = tag.attributes().flatten().find(|attribute| attribute.key.local_name().as_ref() == name)?;
    Some(
        quick_xml::escape::unescape(&found.value)
            .map_or_else(|_| found.value.to_string(), |text| text.into_owned()),
    )
}

/// What an entity stands for; `U+FFFD` for a lone surrogate or an entity that nobody declared.
pub(super) fn entity_text(reference: &BytesRef<'_>) -> String {
    let name = reference.xml_content(XmlVersion::Explicit1_0);
    match (reference.resolve_char_ref(), quick_xml::escape::resolve_predefined_entity(&name)) {
        (Ok(Some(c)), _) => c.to_string(),
        (_, Some(text)) => text.to_owned(),
        _ => "\u{fffd}".to_owned(),
    }
}

/// The text of the first element of a name, wherever it stands.
pub(super) fn first_text(xml: &str, element: &str) -> Option<String> {
    let mut reader = Reader::from_str(xml);
    reader.config_mut().check_end_names = false;
    let mut text: Option<String> = None;
    let mut inside = false;
    loop {
        match reader.read_event().ok()? {
            Event::Start(tag) if !inside => inside = tag.local_name().as_ref() == element,
            Event::End(tag) if inside && tag.local_name().as_ref() == element => return text,
            Event::Text(piece) if inside => text.get_or_insert_default().push_str(&piece),
            Event::GeneralRef(reference) if inside => {
                text.get_or_insert_default().push_str(&entity_text(&reference));
            }
            Event::Eof => return None,
            _ => {}
        }
    }
}

/// The relations of an Office part: identifiers to the parts they lead to, by the folder that the part lies in.
pub(super) fn relations(xml: &str, folder: &str) -> HashMap<String, PartRelation> {
    let mut relations = HashMap::new();
    let mut reader = Reader::from_str(xml);
    reader.config_mut().check_end_names = false;
    while let Ok(event) = reader.read_event() {
        match event {
            Event::Start(tag) | Event::Empty(tag) if tag.local_name().as_ref() == "Relationship" => {
                let (id, target) = (attribute(&tag, "Id"), attribute(&tag, "Target"));
                if let (Some(id), Some(target)) = (id, target) {
                    let kind = attribute(&tag, "Type").unwrap_or_default();
                    relations.insert(id, PartRelation { part: resolve(folder, &target), kind });
                }
            }
            Event::Eof => break,
            _ => {}
        }
    }
    relations
}

/// Where a relation leads, and what it is.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PartRelation {
    pub part: String,
    pub kind: String,
}

/// The archive's name for a target: from the root when it starts with a slash, else from the folder.
fn resolve(folder: &str, target: &str) -> String {
    let path = match target.strip_prefix('/') {
        Some(absolute) => absolute.to_owned(),
        None => format!("{folder}/{target}"),
    };
    resolve_dots(&path)
}

/// A path in an archive without its dots; none leads out of it.
pub(super) fn resolve_dots(path: &str) -> String {
    let mut steps: Vec<&str> = Vec::new();
    for step in path.split('/') {
        match step {
            "" | "." => {}
            ".." => {
                steps.pop();
            }
            _ => steps.push(step),
        }
    }
    steps.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relations_lead_to_parts() {
        let xml = r#"<Relationships><Relationship Id="r1" Type="x/slide" Target="slides/slide1.xml"/>
            <Relationship Id="r2" Type="x/notesSlide" Target="../notes/n1.xml"/><Relationship Id="r3" Target="/a/b.xml"/>"#;
        let relations = relations(xml, "ppt");
        let parts: Vec<&str> = ["r1", "r2", "r3"].iter().map(|id| relations[*id].part.as_str()).collect();
        assert_eq!(parts, ["ppt/slides/slide1.xml", "notes/n1.xml", "a/b.xml"]);
        assert_eq!(
            first_text("<a><dc:title>Salt &amp; Sea</dc:title></a>", "title").as_deref(),
            Some("Salt & Sea")
        );
    }
}
