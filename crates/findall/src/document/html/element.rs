//! What elements do to the text: hide it, keep its spaces, break lines around it, or set it aside; and the stack of
//! those now open.

use std::collections::HashMap;

use crate::document::builder::TextBuilder;

/// The attributes that decide whether an element shows.
#[derive(Debug, Default)]
pub(super) struct Attributes {
    hidden: bool,
    hidden_by_style: bool,
    aria_hidden: bool,
    open: bool,
    navigation: bool,
    /// What style sheets may name it by.
    pub id: Vec<u8>,
    pub classes: Vec<u8>,
}

impl Attributes {
    /// Takes note of one attribute; called with an empty value when the name is read.
    pub fn note(&mut self, name: &[u8], value: &[u8]) {
        match name {
            // `hidden=until-found` is exactly text that a search should find.
            b"hidden" => self.hidden = !value.eq_ignore_ascii_case(b"until-found"),
            b"aria-hidden" => self.aria_hidden = value.eq_ignore_ascii_case(b"true"),
            b"open" => self.open = true,
            b"id" => self.id = value.to_vec(),
            b"class" => self.classes = value.to_vec(),
            b"style" => self.hidden_by_style = style_hides(value),
            b"role" => {
                self.navigation = [&b"navigation"[..], b"banner", b"contentinfo", b"search", b"menu"]
                    .iter()
                    .any(|role| value.eq_ignore_ascii_case(role));
            }
            _ => {}
        }
    }
}

fn style_hides(style: &[u8]) -> bool {
    let compact: Vec<u8> =
        style.iter().filter(|b| !b.is_ascii_whitespace()).map(u8::to_ascii_lowercase).collect();
    compact.split(|&b| b == b';').any(|rule| {
        rule.starts_with(b"display:none")
            || rule.starts_with(b"visibility:hidden")
            || rule.starts_with(b"visibility:collapse")
    })
}

/// What one element does to the text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Display {
    /// Its text is left out.
    pub hidden: bool,
    /// Where its text starts.
    pub start: usize,
    preformatted: bool,
    /// Its text is not the page's main text.
    pub secondary: bool,
    /// It only separates words, or nothing: no need to remember it unless it hides.
    inline: bool,
    cell: bool,
    newlines: usize,
}

impl Display {
    pub fn of(name: &[u8], attributes: &Attributes) -> Display {
        let mut display = Display { secondary: attributes.navigation, ..Display::default() };
        match name {
            b"script" | b"style" | b"template" | b"noscript" | b"iframe" | b"object" | b"noembed"
            | b"noframes" | b"datalist" | b"annotation" | b"audio" | b"video" | b"canvas" => {
                display.hidden = true;
            }
            // Readings stand above the line; between the letters they would break every word.
            b"rp" | b"rt" | b"rtc" => display.hidden = true,
            b"dialog" => {
                display.hidden = !attributes.open;
                display.newlines = 1;
            }
            b"pre" | b"textarea" | b"listing" | b"xmp" | b"plaintext" => {
                display.preformatted = true;
                display.newlines = if name == b"textarea" { 1 } else { 2 };
            }
            b"nav" | b"footer" | b"aside" | b"menu" | b"header" => {
                display.secondary = true;
                display.newlines = 1;
            }
            b"p" | b"h1" | b"h2" | b"h3" | b"h4" | b"h5" | b"h6" | b"ul" | b"ol" | b"dl" | b"blockquote"
            | b"table" | b"figure" | b"hr" => display.newlines = 2,
            b"address" | b"article" | b"body" | b"center" | b"caption" | b"dd" | b"details" | b"dir"
            | b"div" | b"dt" | b"fieldset" | b"figcaption" | b"form" | b"hgroup" | b"html" | b"legend"
            | b"li" | b"main" | b"optgroup" | b"option" | b"search" | b"section" | b"select" | b"summary"
            | b"tbody" | b"tfoot" | b"thead" | b"tr" => display.newlines = 1,
            b"td" | b"th" | b"button" => display.cell = true,
            _ => display.inline = true,
        }
        display.hidden |= attributes.hidden || attributes.hidden_by_style;
        // Icons and ornaments; but whole pages behind an open dialog carry the mark too, and those are to be read.
        display.hidden |= attributes.aria_hidden && display.inline;
        display
    }

    /// What comes before its text.
    pub fn write_start(&self, builder: &mut TextBuilder) {
        if self.newlines > 0 {
            builder.end_block(self.newlines);
        }
    }

    /// What comes after its text.
    pub fn write_end(&self, builder: &mut TextBuilder) {
        if self.newlines > 0 {
            builder.end_block(self.newlines);
        }
        if self.cell {
            builder.end_cell();
        }
        if self.secondary {
            builder.mark_secondary(self.start);
        }
    }
}

/// Elements without content.
pub(super) fn is_void(name: &[u8]) -> bool {
    matches!(
        name,
        b"area"
            | b"base"
            | b"basefont"
            | b"bgsound"
            | b"br"
            | b"col"
            | b"embed"
            | b"frame"
            | b"hr"
            | b"img"
            | b"input"
            | b"keygen"
            | b"link"
            | b"meta"
            | b"param"
            | b"source"
            | b"track"
            | b"wbr"
    )
}

/// Elements whose content is no markup.
pub(super) fn is_raw_text(name: &[u8]) -> bool {
    matches!(
        name,
        b"title"
            | b"textarea"
            | b"script"
            | b"style"
            | b"xmp"
            | b"iframe"
            | b"noembed"
            | b"noframes"
            | b"noscript"
            | b"plaintext"
    )
}

/// The elements now open that matter to the text.
#[derive(Debug, Default)]
pub(super) struct OpenElements {
    stack: Vec<OpenElement>,
    names: HashMap<Box<[u8]>, usize>,
    /// How many of each name are open, so that a stray end tag costs nothing.
    counts: Vec<usize>,
    hidden: usize,
    preformatted: usize,
}

#[derive(Debug)]
struct OpenElement {
    name: usize,
    display: Display,
}

impl OpenElements {
    /// True inside an element whose text is left out.
    pub fn is_hidden(&self) -> bool {
        self.hidden > 0
    }

    /// True where whitespace is kept as it stands.
    pub fn is_preformatted(&self) -> bool {
        self.preformatted > 0
    }

    /// True when an element of this name is open.
    pub fn is_inside(&self, name: &[u8]) -> bool {
        self.names.get(name).is_some_and(|&id| self.counts[id] > 0)
    }

    /// Remembers an element. Inline ones are remembered only where they hide or are hidden, so that their end tags,
    /// which people misplace most, cannot close a block.
    pub fn push(&mut self, name: &[u8], display: Display) {
        if display.inline && !display.hidden && !display.secondary && !self.is_hidden() {
            return;
        }
        let name = self.intern(name);
        self.counts[name] += 1;
        self.hidden += usize::from(display.hidden);
        self.preformatted += usize::from(display.preformatted);
        self.stack.push(OpenElement { name, display });
    }

    fn intern(&mut self, name: &[u8]) -> usize {
        if let Some(&known) = self.names.get(name) {
            return known;
        }
        let id = self.counts.len();
        self.names.insert(name.into(), id);
        self.counts.push(0);
        id
    }

    /// What an end tag closes, innermost first; nothing when no such element is open.
    pub fn close_by_end(&mut self, name: &[u8]) -> Vec<Display> {
        let Some(&id) = self.names.get(name) else { return Vec::new() };
        if self.counts[id] == 0 {
            return Vec::new();
        }
        let mut closed = Vec::new();
        while let Some(open) = self.pop() {
            closed.push(open.display);
            if open.name == id {
                break;
            }
        }
        closed
    }

    /// What a start tag closes because HTML lets its end tag be left out: `p`, `li`, `dt`, `dd`, `option`, `tr`, cells.
    pub fn close_by_start(&mut self, name: &[u8]) -> Vec<Display> {
        let (closes, barriers): (&[&[u8]], &[&[u8]]) = match name {
            b"li" => (&[b"li"], &[b"ul", b"ol", b"menu", b"dir"]),
            b"dt" | b"dd" => (&[b"dt", b"dd"], &[b"dl"]),
            b"option" | b"optgroup" => (&[b"option"], &[b"select", b"datalist"]),
            b"td" | b"th" => (&[b"td", b"th"], &[b"tr", b"table"]),
            b"tr" | b"tbody" | b"thead" | b"tfoot" => (&[b"tr"], &[b"table"]),
            b"address" | b"article" | b"aside" | b"blockquote" | b"details" | b"div" | b"dl"
            | b"fieldset" | b"figure" | b"footer" | b"form" | b"h1" | b"h2" | b"h3" | b"h4" | b"h5"
            | b"h6" | b"header" | b"hr" | b"main" | b"nav" | b"ol" | b"p" | b"pre" | b"section"
            | b"table" | b"ul" => {
                (&[b"p"], &[b"button", b"td", b"th", b"table", b"caption", b"object", b"template"])
            }
            _ => return Vec::new(),
        };
        let ids: Vec<usize> = closes.iter().filter_map(|name| self.names.get(*name).copied()).collect();
        if ids.iter().all(|&id| self.counts[id] == 0) {
            return Vec::new();
        }
        let barriers: Vec<usize> =
            barriers.iter().filter_map(|name| self.names.get(*name).copied()).collect();
        // Real pages nest a few inline elements here; looking no further keeps hostile ones linear.
        const MAX_OPEN_ELEMENTS_LOOKED_AT: usize = 16;
        let Some(depth) = self
            .stack
            .iter()
            .rev()
            .take(MAX_OPEN_ELEMENTS_LOOKED_AT)
            .take_while(|open| !barriers.contains(&open.name))
            .position(|open| ids.contains(&open.name))
        else {
            return Vec::new();
        };
        (0..=depth).filter_map(|_| self.pop()).map(|open| open.display).collect()
    }

    /// Closes everything, innermost first.
    pub fn drain(&mut self) -> Vec<Display> {
        std::iter::from_fn(|| self.pop()).map(|open| open.display).collect()
    }

    fn pop(&mut self) -> Option<OpenElement> {
        let open = self.stack.pop()?;
        self.counts[open.name] -= 1;
        self.hidden -= usize::from(open.display.hidden);
        self.preformatted -= usize::from(open.display.preformatted);
        Some(open)
    }
}
