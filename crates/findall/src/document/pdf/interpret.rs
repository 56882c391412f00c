//! The drawing operators that place text (ISO 32000-1, 9.4), and those that move or call: matrices, saved states,
//! forms. Everything else a page draws is passed over.

use std::collections::HashMap;

use lopdf::{Dictionary, Document as Pdf, Object, ObjectId, Stream};

use super::content::{Operand, Operator, Operators};
use super::coverage::PageCoverage;
use super::font::Font;
use super::layout::{Matrix, PdfLayout};
use super::streams::unpack_stream;
use super::{Deadline, explain};
use crate::document::builder::TextBuilder;
use crate::document::limits::Limits;
use crate::error::DocumentError;

/// Most bytes that one page's content may unpack to.
const MAX_CONTENT_BYTES: usize = 64 * 1024 * 1024;
/// Forms within forms are followed this deep.
const MAX_FORM_DEPTH: usize = 8;
/// A page's parents are followed this far up; a tree that is deeper goes round in circles.
const MAX_PAGE_DEPTH: usize = 64;
/// Letters set further apart than this share of their size are two words, when they come in twos.
const MIN_WORD_GAP_SHARE: f32 = 0.2;
/// Saved graphics states kept; a page that saves more without restoring is broken.
const MAX_SAVED_STATES: usize = 256;
/// Operators between looks at the clock.
const OPERATORS_BETWEEN_CHECKS: usize = 1024;
/// Marked stretches of text within each other that are told apart.
const MAX_MARKS: usize = 64;
/// A picture of fewer pixels than this is an ornament, not a scanned page.
const MIN_SCAN_PIXELS: i64 = 200 * 200;

/// Reading one file's pages, with the fonts met so far.
pub(super) struct PageInterpreter<'p> {
    pub pdf: &'p Pdf,
    limits: &'p Limits,
    deadline: &'p Deadline,
    /// Fonts by where their dictionary lies, which stays while the file is open.
    fonts: HashMap<*const Dictionary, Font>,
    operators: usize,
}

/// What `q` saves and `Q` restores.
#[derive(Clone, Copy)]
struct Graphics<'p> {
    page: Matrix,
    font: Option<&'p Dictionary>,
    size: f32,
    char_spacing: f32,
    word_spacing: f32,
    stretch: f32,
    leading: f32,
    rise: f32,
}

/// The state of drawing one page.
pub(super) struct Painter<'p> {
    now: Graphics<'p>,
    saved: Vec<Graphics<'p>>,
    text: Matrix,
    line: Matrix,
    layout: PdfLayout,
    /// Stretches that are open; true for those that say themselves what their text is.
    marks: Vec<bool>,
    /// The text of such a stretch, until something is drawn in it.
    replacement: Option<String>,
    pub coverage: PageCoverage,
}

impl<'p> PageInterpreter<'p> {
    pub fn new(pdf: &'p Pdf, limits: &'p Limits, deadline: &'p Deadline) -> Self {
        PageInterpreter { pdf, limits, deadline, fonts: HashMap::new(), operators: 0 }
    }

    /// Writes one page's text, and says how much of the page that is.
    pub fn page(&mut self, page: ObjectId, builder: &mut TextBuilder) -> Result<PageCoverage, DocumentError> {
        let mut painter = Painter::new();
        let (content, damaged) = self.page_content(page)?;
        painter.coverage.damaged = damaged;
        let resources = self.page_resources(page);
        let mut result = self.content(&content, &resources, &mut painter, 0, builder);
        if result.is_ok() {
            painter.reset();
            result = self.annotations(page, &resources, &mut painter, builder);
        }
        painter.layout.finish(builder);
        result.map(|()| painter.coverage)
    }

    /// The content streams of a page, one after the other, and whether some of them cannot be unpacked. One unreadable
    /// page does not make the others so.
    fn page_content(&self, page: ObjectId) -> Result<(Vec<u8>, bool), DocumentError> {
        // A page that the tree names and the file does not hold.
        let (mut content, mut damaged) = (Vec::new(), self.pdf.get_dictionary(page).is_err());
        for id in self.pdf.get_page_contents(page) {
            let Ok(stream) = self.pdf.get_object(id).and_then(Object::as_stream) else {
                damaged = true;
                continue;
            };
            match unpack_stream(stream, self.pdf, MAX_CONTENT_BYTES.saturating_sub(content.len())) {
                Ok(bytes) => content.extend(bytes),
                Err(error @ lopdf::Error::Decompress(_)) => return Err(explain(&error)),
                Err(_) => damaged = true,
            }
            content.push(b'\n');
        }
        Ok((content, damaged))
    }

    /// The page's own resources first, then those that its parents hand down.
    fn page_resources(&self, page: ObjectId) -> Vec<&'p Dictionary> {
        let pdf = self.pdf;
        let parent = |node: &&'p Dictionary| node.get_deref(b"Parent", pdf).and_then(Object::as_dict).ok();
        std::iter::successors(pdf.get_dictionary(page).ok(), parent)
            .take(MAX_PAGE_DEPTH)
            .filter_map(|node| node.get_deref(b"Resources", pdf).and_then(Object::as_dict).ok())
            .collect()
    }

    fn resource(&self, resources: &[&'p Dictionary], kind: &[u8], name: &[u8]) -> Option<&'p Object> {
        resources.iter().find_map(|resources| {
            let named = resources.get_deref(kind, self.pdf).ok()?.as_dict().ok()?;
            named.get_deref(name, self.pdf).ok()
        })
    }

    fn content(
        &mut self,
        content: &[u8],
        resources: &[&'p Dictionary],
        painter: &mut Painter<'p>,
        depth: usize,
        builder: &mut TextBuilder,
    ) -> Result<(), DocumentError> {
        for operator in Operators::new(content) {
            self.operators += 1;
            if self.operators.is_multiple_of(OPERATORS_BETWEEN_CHECKS) {
                self.deadline.check()?;
                builder.check(self.limits)?;
            }
            match operator.name {
                b"Tf" => {
                    let font = self.resource(resources, b"Font", operator.first_name());
                    painter.now.font = font.and_then(|font| font.as_dict().ok());
                    painter.now.size = operator.number(1);
                }
                b"Do" => self.draw(&operator, resources, painter, depth, builder)?,
                b"BDC" | b"BMC" => painter.open_mark(self.replacement(&operator, resources)),
                b"Tj" | b"'" | b"\"" | b"TJ" => self.show(&operator, painter, builder),
                _ => painter.operate(&operator),
            }
        }
        Ok(())
    }

    /// What a marked stretch says that its text is: `ActualText`, written out or among the resources.
    fn replacement(&self, operator: &Operator<'_>, resources: &[&'p Dictionary]) -> Option<String> {
        let properties = operator.operands.get(1)?;
        let text = match properties {
            Operand::Name(name) => {
                let named = self.resource(resources, b"Properties", name)?.as_dict().ok()?;
                named.get_deref(b"ActualText", self.pdf).and_then(Object::as_str).ok()?
            }
            properties => match properties.entry(b"ActualText")? {
                Operand::Text(text) => text,
                _ => return None,
            },
        };
        lopdf::decode_text_string(&Object::string_literal(text)).ok()
    }

    /// Draws a form or a picture by its name.
    fn draw(
        &mut self,
        operator: &Operator<'_>,
        resources: &[&'p Dictionary],
        painter: &mut Painter<'p>,
        depth: usize,
        builder: &mut TextBuilder,
    ) -> Result<(), DocumentError> {
        let drawn = self.resource(resources, b"XObject", operator.first_name());
        let Some(Object::Stream(drawn)) = drawn else { return Ok(()) };
        let kind = drawn.dict.get_deref(b"Subtype", self.pdf).and_then(Object::as_name).unwrap_or(b"");
        if kind == b"Image" {
            let side = |key: &[u8]| drawn.dict.get_deref(key, self.pdf).and_then(Object::as_i64).unwrap_or(0);
            let pixels = side(b"Width").saturating_mul(side(b"Height"));
            painter.coverage.pictures += usize::from(pixels >= MIN_SCAN_PIXELS);
        }
        if kind != b"Form" {
            return Ok(());
        }
        self.form(drawn, resources, Matrix::IDENTITY, painter, depth, builder)
    }

    /// Draws a form: a piece of content with resources of its own.
    pub fn form(
        &mut self,
        form: &'p Stream,
        resources: &[&'p Dictionary],
        place: Matrix,
        painter: &mut Painter<'p>,
        depth: usize,
        builder: &mut TextBuilder,
    ) -> Result<(), DocumentError> {
        if depth >= MAX_FORM_DEPTH {
            return Ok(());
        }
        let Ok(content) = unpack_stream(form, self.pdf, MAX_CONTENT_BYTES) else { return Ok(()) };
        let own = form.dict.get_deref(b"Resources", self.pdf).and_then(Object::as_dict).ok();
        let resources: Vec<&'p Dictionary> = own.into_iter().chain(resources.iter().copied()).collect();
        let before = painter.now;
        let saved = std::mem::take(&mut painter.saved);
        painter.now.page = place.then(painter.now.page);
        if let Ok(matrix) = form.dict.get_deref(b"Matrix", self.pdf).and_then(Object::as_array) {
            painter.now.page = Matrix::from_objects(matrix).then(painter.now.page);
        }
        let result = self.content(&content, &resources, painter, depth + 1, builder);
        painter.now = before;
        painter.saved = saved;
        result
    }

    fn show(&mut self, operator: &Operator<'_>, painter: &mut Painter<'p>, builder: &mut TextBuilder) {
        match operator.name {
            b"'" => painter.next_line(),
            b"\"" => {
                painter.now.word_spacing = operator.number(0);
                painter.now.char_spacing = operator.number(1);
                painter.next_line();
            }
            _ => {}
        }
        let Some(last) = operator.operands.last() else { return };
        let Some(dictionary) = painter.now.font else {
            painter.coverage.note_fontless(last);
            return;
        };
        let pdf = self.pdf;
        let font =
            self.fonts.entry(std::ptr::from_ref(dictionary)).or_insert_with(|| Font::new(dictionary, pdf));
        match last {
            Operand::Text(bytes) => painter.show(font, bytes, builder),
            Operand::List(items) => {
                for item in items {
                    match item {
                        Operand::Text(bytes) => painter.show(font, bytes, builder),
                        other => painter.kern(other.number(), font.vertical),
                    }
                }
            }
            _ => {}
        }
    }
}

impl<'p> Painter<'p> {
    fn new() -> Self {
        Painter {
            now: Graphics::initial(),
            saved: Vec::new(),
            text: Matrix::IDENTITY,
            line: Matrix::IDENTITY,
            layout: PdfLayout::default(),
            marks: Vec::new(),
            replacement: None,
            coverage: PageCoverage::default(),
        }
    }

    /// Forgets what the page's own content has set, before something else is drawn on the page.
    fn reset(&mut self) {
        self.now = Graphics::initial();
        self.saved.clear();
        self.marks.clear();
        self.replacement = None;
    }

    /// Writes text that has no place among the lines: the value of a form field.
    pub fn write_aside(&mut self, text: &str, builder: &mut TextBuilder) {
        let text = text.trim();
        if !text.is_empty() {
            self.layout.finish(builder);
            builder.end_block(1);
            self.layout = PdfLayout::default();
            text.lines().for_each(|line| {
                builder.push_inserted(line);
                builder.end_block(1);
            });
            self.coverage.letters += text.len();
        }
    }

    /// A stretch of content begins that may say what its text is.
    fn open_mark(&mut self, replacement: Option<String>) {
        let replaces = replacement.is_some() && !self.is_replaced();
        if self.marks.len() < MAX_MARKS {
            if replaces {
                self.replacement = replacement;
            }
            self.marks.push(replaces);
        }
    }

    fn close_mark(&mut self) {
        if self.marks.pop() == Some(true) {
            self.replacement = None;
        }
    }

    /// True inside a stretch whose letters are not its text.
    fn is_replaced(&self) -> bool {
        self.marks.contains(&true)
    }

    fn operate(&mut self, operator: &Operator<'_>) {
        let value = |at| operator.number(at);
        match operator.name {
            b"q" if self.saved.len() < MAX_SAVED_STATES => self.saved.push(self.now),
            b"Q" => self.now = self.saved.pop().unwrap_or(self.now),
            b"cm" => self.now.page = Matrix::from_operands(&operator.operands).then(self.now.page),
            b"BT" => self.set_line(Matrix::IDENTITY),
            b"Tm" => self.set_line(Matrix::from_operands(&operator.operands)),
            b"Td" => self.move_line(value(0), value(1)),
            b"TD" => {
                self.now.leading = -value(1);
                self.move_line(value(0), value(1));
            }
            b"T*" => self.next_line(),
            b"TL" => self.now.leading = value(0),
            b"Tc" => self.now.char_spacing = value(0),
            b"Tw" => self.now.word_spacing = value(0),
            b"Tz" => self.now.stretch = value(0) / 100.0,
            b"Ts" => self.now.rise = value(0),
            b"EMC" => self.close_mark(),
            b"ID" => self.coverage.pictures += usize::from(inline_pixels(operator) >= MIN_SCAN_PIXELS),
            _ => {}
        }
    }

    fn set_line(&mut self, matrix: Matrix) {
        self.line = matrix;
        self.text = matrix;
    }

    fn move_line(&mut self, x: f32, y: f32) {
        self.set_line(Matrix([1.0, 0.0, 0.0, 1.0, x, y]).then(self.line));
    }

    fn next_line(&mut self) {
        self.move_line(0.0, -self.now.leading);
    }

    /// A number in a shown array: moves back by so many thousandths of the letter size.
    fn kern(&mut self, thousandths: f32, vertical: bool) {
        let stretch = if vertical { 1.0 } else { self.now.stretch };
        self.advance(-thousandths / 1000.0 * self.now.size * stretch, vertical);
    }

    fn advance(&mut self, width: f32, vertical: bool) {
        let (x, y) = if vertical { (0.0, -width) } else { (width, 0.0) };
        self.text = Matrix([1.0, 0.0, 0.0, 1.0, x, y]).then(self.text);
    }

    fn show(&mut self, font: &Font, bytes: &[u8], builder: &mut TextBuilder) {
        // Ghostscript writes the end of one word and the start of the next as two letters far apart.
        if let Some((first, second)) =
            font.pair(bytes).filter(|_| self.now.char_spacing > MIN_WORD_GAP_SHARE * self.now.size)
        {
            let spacing = std::mem::take(&mut self.now.char_spacing);
            self.show(font, first, builder);
            self.advance(spacing * self.now.stretch, font.vertical);
            self.show(font, second, builder);
            self.advance(spacing * self.now.stretch, font.vertical);
            self.now.char_spacing = spacing;
            return;
        }
        let mut shown = font.show(bytes);
        self.coverage.note_shown(&shown);
        if self.is_replaced() {
            shown.text = self.replacement.take().unwrap_or_default();
        }
        let now = self.now;
        let glyphs = if font.vertical { shown.codes as f32 * 1000.0 } else { shown.width };
        let spacing = shown.codes as f32 * now.char_spacing + shown.spaces as f32 * now.word_spacing;
        let stretch = if font.vertical { 1.0 } else { now.stretch };
        let width = (glyphs / 1000.0 * now.size + spacing) * stretch;
        let upright = Matrix([1.0, 0.0, 0.0, 1.0, 0.0, now.rise]);
        let turned = if font.vertical { Matrix([0.0, -1.0, 1.0, 0.0, 0.0, now.rise]) } else { upright };
        self.layout.run(&shown.text, turned.then(self.text).then(now.page), now.size, width, builder);
        self.advance(width, font.vertical);
    }
}

impl Graphics<'_> {
    fn initial() -> Self {
        Graphics {
            page: Matrix::IDENTITY,
            font: None,
            size: 0.0,
            char_spacing: 0.0,
            word_spacing: 0.0,
            stretch: 1.0,
            leading: 0.0,
            rise: 0.0,
        }
    }
}

/// The size of an inline image, from the keys before its pixels.
fn inline_pixels(operator: &Operator<'_>) -> i64 {
    let side = |short: &[u8], long: &[u8]| {
        let mut pairs = operator.operands.windows(2);
        let found = pairs.find(|pair| matches!(pair[0].name(), Some(key) if key == short || key == long));
        found.map_or(0, |pair| pair[1].number() as i64)
    };
    side(b"W", b"Width").saturating_mul(side(b"H", b"Height"))
}
