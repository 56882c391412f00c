//! Wikipedia's XML dumps: abstracts (`<doc>` with title and abstract) and pages (`<page>` with wikitext). Both stream.
//!
//! Of a page the opening paragraph is read for facts, `{{Short description}}` is kept as the description, and a redirect becomes a
//! name of its target. Pages outside the article namespace are passed over.

use std::io::BufRead;

use crate::build::{Draft, Name, NameOrigin};
use quick_xml::Reader;
use quick_xml::events::Event;

use super::reading::{Position, open};
use super::{Sink, Source, SourceError, io_error, wikitext};

/// Of one element no more than this is kept; an opening paragraph lies well before.
const MAX_TEXT_BYTES: usize = 256 << 10;

/// The parts of a `<doc>` or `<page>` that matter.
#[derive(Debug, Default)]
struct Entry {
    title: String,
    text: String,
    namespace: String,
    redirect: Option<String>,
}

/// Reads the abstracts of all pages.
pub fn read_abstracts(source: &Source, sink: &mut dyn Sink, position: &Position) -> Result<(), SourceError> {
    for_each(source, "doc", "abstract", sink, position, &mut |sink, entry| {
        let title = entry.title.strip_prefix("Wikipedia: ").unwrap_or(&entry.title);
        let mut draft = Draft { authority: source.authority, popularity: 1.0, ..Draft::new(title.trim()) };
        draft.read_text(&entry.text, &sink.extract());
        sink.take_draft(&draft)
    })
}

/// Reads the openings of all pages.
pub fn read_pages(source: &Source, sink: &mut dyn Sink, position: &Position) -> Result<(), SourceError> {
    for_each(source, "page", "text", sink, position, &mut |sink, entry| {
        if !matches!(entry.namespace.trim(), "" | "0") || entry.title.trim().is_empty() {
            sink.skip_row();
            return Ok(());
        }
        if let Some(target) = &entry.redirect {
            return sink.take_draft(&Draft {
                names: vec![Name { text: entry.title.trim().to_owned(), origin: NameOrigin::Redirect }],
                attaches_only: true,
                ..Draft::new(target.split('#').next().unwrap_or("").trim())
            });
        }
        if wikitext::is_disambiguation(&entry.text) {
            sink.skip_row();
            return Ok(());
        }
        let mut draft = Draft {
            authority: source.authority,
            popularity: 1.0,
            description: wikitext::short_description(&entry.text).unwrap_or_default(),
            ..Draft::new(entry.title.trim())
        };
        draft.kind = crate::extract::kind_of_description(&draft.description);
        draft.read_text(&wikitext::first_paragraph(&entry.text), &sink.extract());
        sink.take_draft(&draft)
    })
}

type EachEntry<'e> = dyn FnMut(&mut dyn Sink, &Entry) -> Result<(), SourceError> + 'e;

/// Calls `each` for every element `row`; `body` is the element whose text is kept.
fn for_each(
    source: &Source,
    row: &'static str,
    body: &str,
    sink: &mut dyn Sink,
    position: &Position,
    each: &mut EachEntry<'_>,
) -> Result<(), SourceError> {
    let input: Box<dyn BufRead> = open(&source.path, position).map_err(io_error(&source.path, 0))?;
    let mut reader = Reader::from_reader(input);
    let mut buffer = Vec::new();
    let mut entry: Option<Entry> = None;
    let mut element = String::new();
    let mut depth = 0usize;
    let mut seen_root = false;
    let mut wanted = false;
    loop {
        buffer.clear();
        let event =
            reader.read_event_into(&mut buffer).map_err(|error| bad_xml(source, sink.rows(), row, error))?;
        match event {
            Event::Start(start) => {
                depth += 1;
                seen_root = true;
                let name = start.name().as_ref().to_owned();
                if name == row {
                    entry = Some(Entry::default());
                    wanted = sink.wants_row();
                } else if name == "redirect" {
                    set_redirect(&start, &mut entry);
                }
                element = name;
            }
            Event::Empty(start) if start.name().as_ref() == "redirect" => set_redirect(&start, &mut entry),
            Event::Text(text) => {
                if let Some(entry) = entry.as_mut().filter(|_| wanted) {
                    append(entry, &element, body, &text);
                }
            }
            Event::CData(text) => {
                if let Some(entry) = entry.as_mut().filter(|_| wanted) {
                    append(entry, &element, body, &text);
                }
            }
            Event::GeneralRef(reference) => {
                if let Some(entry) = entry.as_mut().filter(|_| wanted) {
                    let text = match reference.resolve_char_ref() {
                        Ok(Some(character)) => character.to_string(),
                        _ => {
                            quick_xml::escape::resolve_predefined_entity(&reference).unwrap_or(" ").to_owned()
                        }
                    };
                    append(entry, &element, body, &text);
                }
            }
            Event::End(end) => {
                depth = depth.saturating_sub(1);
                element.clear();
                if end.name().as_ref() == row
                    && let Some(done) = entry.take()
                    && wanted
                {
                    each(sink, &done)?;
                }
            }
            Event::Eof => {
                if depth > 0 {
                    return Err(SourceError::Cut { path: source.path.clone(), rows: sink.rows() });
                }
                if !seen_root {
                    return Err(SourceError::Format {
                        path: source.path.clone(),
                        expected: "a Wikipedia XML dump",
                        found: "no element".into(),
                    });
                }
                return Ok(());
            }
            _ => {}
        }
    }
}

fn set_redirect(start: &quick_xml::events::BytesStart<'_>, entry: &mut Option<Entry>) {
    if let (Some(entry), Ok(Some(target))) = (entry.as_mut(), start.try_get_attribute("title")) {
        entry.redirect = target
            .normalized_value(quick_xml::XmlVersion::Implicit1_0)
            .ok()
            .map(std::borrow::Cow::into_owned);
    }
}

fn append(entry: &mut Entry, element: &str, body: &str, text: &str) {
    let field = match element {
        "title" => &mut entry.title,
        "ns" => &mut entry.namespace,
        name if name == body => &mut entry.text,
        _ => return,
    };
    let room = MAX_TEXT_BYTES.saturating_sub(field.len());
    field.push_str(&text[..text.floor_char_boundary(room)]);
}

fn bad_xml(source: &Source, rows: u64, row: &'static str, error: quick_xml::Error) -> SourceError {
    match error {
        quick_xml::Error::Io(error) => {
            io_error(&source.path, rows)(std::io::Error::new(error.kind(), error.to_string()))
        }
        quick_xml::Error::Syntax(_) => SourceError::Cut { path: source.path.clone(), rows },
        other => SourceError::Format {
            path: source.path.clone(),
            expected: if row == "doc" { "Wikipedia abstracts" } else { "Wikipedia pages" },
            found: other.to_string(),
        },
    }
}
