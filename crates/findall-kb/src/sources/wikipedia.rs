//! Wikipedia's XML dumps: abstracts (`<doc>` with title and abstract) and pages (`<page>` with wikitext). Both stream.
//!
//! Of a page the opening paragraph is read for facts, `{{Short description}}` is kept as the description, and a redirect becomes a
//! name of its target. Pages outside the article namespace are passed over.

use std::io::BufRead;

use crate::build::{Draft, Name, NameOrigin};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::reading::{Position, open};
use super::{Sink, Source, SourceError, io_error, wikitext};

/// Of one element no more than this is kept; an opening paragraph lies well before.
const MAX_ARTICLE_BYTES: usize = 256 << 10;

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
    let mut reading = DumpReading { row, body, ..DumpReading::default() };
    loop {
        buffer.clear();
        let event =
            reader.read_event_into(&mut buffer).map_err(|error| bad_xml(source, sink.rows(), row, error))?;
        match event {
            Event::Start(start) => reading.open_element(&start, sink),
            Event::Empty(start) if start.name().as_ref() == "redirect" => {
                set_redirect(&start, &mut reading.entry);
            }
            Event::Text(text) => reading.add_text(&text),
            Event::CData(text) => reading.add_text(&text),
            Event::GeneralRef(reference) => match reference.resolve_char_ref() {
                Ok(Some(character)) => reading.add_text(character.encode_utf8(&mut [0; 4])),
                _ => {
                    reading.add_text(quick_xml::escape::resolve_predefined_entity(&reference).unwrap_or(" "))
                }
            },
            Event::End(end) => {
                if let Some(done) = reading.close_element(end.name().as_ref()) {
                    each(sink, &done)?;
                }
            }
            Event::Eof => return reading.check_end(source, sink.rows()),
            _ => {}
        }
    }
}

/// Where in a dump the reader is, and the row that it is in.
#[derive(Default)]
struct DumpReading<'b> {
    /// The element that is a row.
    row: &'static str,
    /// The element whose text is kept.
    body: &'b str,
    entry: Option<Entry>,
    /// The innermost element.
    element: String,
    depth: usize,
    has_root: bool,
    /// Whether anybody wants the present row.
    is_wanted: bool,
}

impl DumpReading<'_> {
    fn open_element(&mut self, start: &BytesStart<'_>, sink: &mut dyn Sink) {
        self.depth += 1;
        self.has_root = true;
        let name = start.name().as_ref().to_owned();
        if name == self.row {
            self.entry = Some(Entry::default());
            self.is_wanted = sink.wants_row();
        } else if name == "redirect" {
            set_redirect(start, &mut self.entry);
        }
        self.element = name;
    }

    /// Adds text to the part of the row that the innermost element is.
    fn add_text(&mut self, text: &str) {
        let Some(entry) = self.entry.as_mut().filter(|_| self.is_wanted) else { return };
        let field = match self.element.as_str() {
            "title" => &mut entry.title,
            "ns" => &mut entry.namespace,
            name if name == self.body => &mut entry.text,
            _ => return,
        };
        let room = MAX_ARTICLE_BYTES.saturating_sub(field.len());
        field.push_str(&text[..text.floor_char_boundary(room)]);
    }

    /// The row that ends with this element, if it is wanted.
    fn close_element(&mut self, name: &str) -> Option<Entry> {
        self.depth = self.depth.saturating_sub(1);
        self.element.clear();
        if name != self.row {
            return None;
        }
        self.entry.take().filter(|_| self.is_wanted)
    }

    /// Whether the dump ends where it may.
    fn check_end(&self, source: &Source, rows: u64) -> Result<(), SourceError> {
        if self.depth > 0 {
            return Err(SourceError::Cut { path: source.path.clone(), rows });
        }
        if !self.has_root {
            return Err(SourceError::Format {
                path: source.path.clone(),
                expected: "a Wikipedia XML dump",
                found: "no element".into(),
            });
        }
        Ok(())
    }
}

fn set_redirect(start: &BytesStart<'_>, entry: &mut Option<Entry>) {
    if let (Some(entry), Ok(Some(target))) = (entry.as_mut(), start.try_get_attribute("title")) {
        entry.redirect = target
            .normalized_value(quick_xml::XmlVersion::Implicit1_0)
            .ok()
            .map(std::borrow::Cow::into_owned);
    }
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
