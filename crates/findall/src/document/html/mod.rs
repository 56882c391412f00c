//! HTML to text, as a browser would show it: what is hidden is left out, blocks break lines, whitespace collapses,
//! entities are decoded, and every piece remembers its bytes. One pass over html5gum's tokens with a stack on the
//! heap, so that nesting of any depth costs no more than the text.

mod alt_texts;
mod element;
mod pieces;
mod styles;

use std::ops::Range;

use html5gum::Tokenizer;
use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};

use super::builder::TextBuilder;
use super::limits::Limits;
use crate::error::DocumentError;
use alt_texts::AltTexts;
use element::{Attributes, Display, OpenElements};
use styles::StyleSheet;

/// Reads `html` into the builder; `offset` is where it starts in the part that the builder is in.
pub(crate) fn read(
    html: &str,
    offset: usize,
    builder: &mut TextBuilder,
    limits: &Limits,
) -> Result<(), DocumentError> {
    let mut reader = HtmlReader {
        html,
        offset,
        builder,
        open: OpenElements::default(),
        pending: None,
        title: None,
        styles: StyleSheet::default(),
        neighbour: Neighbour::None,
        last_start: 0,
    };
    let mut emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, span: html5gum::Span<usize>| {
        reader.event(event, span.start..span.end);
        // The limit must stop the loop below, and only a token gets out of the tokenizer.
        reader.builder.check(limits).err()
    });
    emitter.naively_switch_states(true);
    if let Some(Ok(error)) = Tokenizer::new_with_emitter(html, emitter).next() {
        return Err(error);
    }
    reader.close_all();
    Ok(())
}

/// Reads XHTML, where `<title/>` and `<script/>` are whole elements. To an HTML tokenizer they would swallow the rest
/// of the file, so they get another name of the same length first.
pub(crate) fn read_xhtml(
    xhtml: &str,
    builder: &mut TextBuilder,
    limits: &Limits,
) -> Result<(), DocumentError> {
    let mut renamed: Option<String> = None;
    for (at, _) in xhtml.match_indices("/>") {
        let Some(open) = xhtml[..at].rfind(['<', '>']).filter(|&open| xhtml.as_bytes()[open] == b'<') else {
            continue;
        };
        let name = xhtml[open + 1..at].split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or("");
        if element::is_raw_text(name.to_ascii_lowercase().as_bytes()) {
            renamed.get_or_insert_with(|| xhtml.to_owned()).replace_range(open + 1..open + 2, "x");
        }
    }
    read(renamed.as_deref().unwrap_or(xhtml), 0, builder, limits)
}

struct HtmlReader<'h, 'b> {
    html: &'h str,
    offset: usize,
    builder: &'b mut TextBuilder,
    open: OpenElements,
    /// The start tag being read.
    pending: Option<StartTag>,
    /// The `<title>` being read.
    title: Option<String>,
    /// What the page's own style sheets hide.
    styles: StyleSheet,
    /// What stands right before the text to come.
    neighbour: Neighbour,
    /// Where the text of the element that started last begins.
    last_start: usize,
}

/// Characters in which the first word of a phrase ends.
const MAX_PHRASE_END_CHARS: usize = 64;

/// What stands right before a text. Pages set a name and a role side by side as two elements that a script or a style sheet
/// places apart; read as they stand, they are one word: "Ada KovácsHead of press".
#[derive(Clone, Copy, PartialEq, Eq)]
enum Neighbour {
    /// Text, or nothing worth noting.
    None,
    /// An element of several words that ended.
    EndedPhrase,
    /// The same, and the start of another element.
    OtherElement,
}

struct StartTag {
    name: Vec<u8>,
    source: Range<usize>,
    attribute: Vec<u8>,
    attributes: Attributes,
    /// What stands for it where it cannot be seen.
    instead: AltTexts,
}

impl HtmlReader<'_, '_> {
    fn event(&mut self, event: CallbackEvent<'_>, source: Range<usize>) {
        match event {
            CallbackEvent::OpenStartTag { name } => {
                self.pending = Some(StartTag {
                    name: name.to_vec(),
                    source,
                    attribute: Vec::new(),
                    attributes: Attributes::default(),
                    instead: AltTexts::default(),
                });
            }
            CallbackEvent::AttributeName { name } => {
                if let Some(tag) = &mut self.pending {
                    tag.attribute = name.to_ascii_lowercase();
                    tag.attributes.note(&tag.attribute, b"");
                }
            }
            CallbackEvent::AttributeValue { value } => {
                if let Some(tag) = &mut self.pending {
                    tag.attributes.note(&tag.attribute, value);
                    if self.builder.alt_texts {
                        tag.instead.note(&tag.attribute, value, source);
                    }
                }
            }
            CallbackEvent::CloseStartTag { self_closing } => {
                if let Some(tag) = self.pending.take() {
                    self.start(&tag, self_closing);
                }
            }
            CallbackEvent::EndTag { name } => {
                self.pending = None;
                self.end(name, source);
            }
            CallbackEvent::String { value } => self.text(value, source),
            CallbackEvent::Comment { .. } | CallbackEvent::Doctype { .. } | CallbackEvent::Error(_) => {}
        }
    }

    fn start(&mut self, tag: &StartTag, self_closing: bool) {
        if self.neighbour == Neighbour::EndedPhrase {
            self.neighbour = Neighbour::OtherElement;
        }
        self.last_start = self.builder.position();
        for closed in self.open.close_by_start(&tag.name) {
            self.end_element(closed);
        }
        let mut display = Display::of(&tag.name, &tag.attributes);
        let Attributes { id, classes, .. } = &tag.attributes;
        // A page that hides all of itself shows itself by a script.
        let is_page = matches!(tag.name.as_slice(), b"html" | b"body");
        display.hidden |= !is_page && self.styles.hides(&tag.name, id, classes);
        // In XHTML `<p/>` and `<a/>` are whole elements; in HTML the slash means nothing, but an element without an
        // end that hides the rest of the page is never what was meant.
        let void = element::is_void(&tag.name) || self_closing && display.hidden;
        if !self.open.is_hidden() && !display.hidden {
            match tag.name.as_slice() {
                b"br" => self.builder.line_break(self.to_source_range(tag.source.clone())),
                b"title" => self.title = Some(String::new()),
                // The header of an article holds its title and author; only a page's own header is furniture.
                b"header" | b"footer" if self.open.is_inside(b"article") || self.open.is_inside(b"main") => {
                    display.secondary = false;
                }
                _ => {}
            }
            display.write_start(self.builder);
            if let Some((words, source)) = tag.instead.of(&tag.name) {
                let source = self.to_source_range(source);
                self.builder.space(source.start..source.start);
                self.builder.push_replaced(&words, source.clone());
                self.builder.space(source.end..source.end);
            }
        }
        if !void {
            display.start = self.builder.position();
            self.open.push(&tag.name, display);
        }
    }

    fn end(&mut self, name: &[u8], source: Range<usize>) {
        if let Some(title) = self.title.take_if(|_| name == b"title") {
            let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
            // The first one is the page's; drawings have theirs too.
            self.builder.title.get_or_insert(title);
        }
        // `</br>` and `</p>` without a start make a break, as browsers have it.
        if name == b"br" && !self.open.is_hidden() {
            self.builder.line_break(self.to_source_range(source));
        }
        let text = self.builder.text_from(self.last_start).trim_start();
        let is_phrase = text.chars().take(MAX_PHRASE_END_CHARS).any(|c| c == ' ');
        self.neighbour = if is_phrase { Neighbour::EndedPhrase } else { Neighbour::None };
        for closed in self.open.close_by_end(name) {
            self.end_element(closed);
        }
    }

    fn end_element(&mut self, display: Display) {
        if !self.open.is_hidden() && !display.hidden {
            display.write_end(self.builder);
        }
    }

    fn close_all(&mut self) {
        for closed in self.open.drain() {
            self.end_element(closed);
        }
    }

    fn text(&mut self, value: &[u8], source: Range<usize>) {
        if let Some(title) = &mut self.title {
            title.push_str(&String::from_utf8_lossy(value));
            return;
        }
        if self.open.is_hidden() {
            if self.open.is_inside(b"style") {
                self.styles.add(&String::from_utf8_lossy(value));
            }
            return;
        }
        let preformatted = self.open.is_preformatted();
        let Some(raw) = self.html.get(source.clone()) else { return };
        let start = source.start + self.offset;
        let neighbour = std::mem::replace(&mut self.neighbour, Neighbour::None);
        if neighbour == Neighbour::OtherElement && !preformatted && raw.starts_with(char::is_uppercase) {
            let before = self.builder.text_from(0).chars().next_back();
            if before.is_some_and(char::is_lowercase) {
                self.builder.space(start..start);
            }
        }
        pieces::write(raw, &String::from_utf8_lossy(value), start, preformatted, self.builder);
    }

    fn to_source_range(&self, source: Range<usize>) -> Range<usize> {
        source.start + self.offset..source.end + self.offset
    }
}
