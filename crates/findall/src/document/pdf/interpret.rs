//! The drawing operators that place text (ISO 32000-1, 9.4), and those that move or call: matrices, saved states,
//! forms. Everything else a page draws is passed over.

use std::collections::HashMap;

use lopdf::content::{Content, Operation};
use lopdf::{Dictionary, Document as Pdf, Object, ObjectId};

use super::font::Font;
use super::layout::{Layout, Matrix};
use super::{Deadline, explain};
use crate::document::builder::TextBuilder;
use crate::document::limits::Limits;
use crate::error::DocumentError;

/// Most bytes that one page's content may unpack to.
const CONTENT_LIMIT: usize = 64 * 1024 * 1024;
/// Forms within forms are followed this deep.
const DEEPEST_FORM: usize = 8;
/// A page's parents are followed this far up; a tree that is deeper goes round in circles.
const DEEPEST_PAGE: usize = 64;
/// Letters set further apart than this share of their size are two words, when they come in twos.
const WORD_GAP: f32 = 0.2;
/// Saved graphics states kept; a page that saves more without restoring is broken.
const MOST_SAVED: usize = 256;
/// Operators between looks at the clock.
const BETWEEN_CHECKS: usize = 1024;

/// Reading one file's pages, with the fonts met so far.
pub(super) struct Work<'p> {
    pdf: &'p Pdf,
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

struct Painter<'p> {
    now: Graphics<'p>,
    saved: Vec<Graphics<'p>>,
    text: Matrix,
    line: Matrix,
    layout: Layout,
}

impl<'p> Work<'p> {
    pub fn new(pdf: &'p Pdf, limits: &'p Limits, deadline: &'p Deadline) -> Self {
        Work { pdf, limits, deadline, fonts: HashMap::new(), operators: 0 }
    }

    /// Writes one page's text.
    pub fn page(&mut self, page: ObjectId, builder: &mut TextBuilder) -> Result<(), DocumentError> {
        let content = match self.pdf.get_page_content_with_limit(page, CONTENT_LIMIT) {
            Ok(content) => content,
            Err(error @ lopdf::Error::Decompress(_)) => return Err(explain(&error)),
            // One unreadable page does not make the others so.
            Err(_) => return Ok(()),
        };
        let resources = self.page_resources(page);
        let mut painter = Painter::new();
        let result = self.content(&content, &resources, &mut painter, 0, builder);
        painter.layout.finish(builder);
        result
    }

    /// The page's own resources first, then those that its parents hand down.
    fn page_resources(&self, page: ObjectId) -> Vec<&'p Dictionary> {
        let pdf = self.pdf;
        let parent = |node: &&'p Dictionary| node.get_deref(b"Parent", pdf).and_then(Object::as_dict).ok();
        std::iter::successors(pdf.get_dictionary(page).ok(), parent)
            .take(DEEPEST_PAGE)
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
        for operation in Content::decode_iter(content) {
            // What follows a broken operator cannot be trusted; what came before it can.
            let Ok(operation) = operation else { break };
            self.operators += 1;
            if self.operators.is_multiple_of(BETWEEN_CHECKS) {
                self.deadline.check()?;
                builder.check(self.limits)?;
            }
            match operation.operator.as_str() {
                "Tf" => {
                    let name = operation.operands.first().and_then(|name| name.as_name().ok()).unwrap_or(b"");
                    painter.now.font =
                        self.resource(resources, b"Font", name).and_then(|font| font.as_dict().ok());
                    painter.now.size = operand(&operation, 1);
                }
                "Do" => self.form(&operation, resources, painter, depth, builder)?,
                "Tj" | "'" | "\"" | "TJ" => self.show(&operation, painter, builder),
                _ => painter.operate(&operation),
            }
        }
        Ok(())
    }

    /// Draws a form: a piece of content with resources of its own.
    fn form(
        &mut self,
        operation: &Operation,
        resources: &[&'p Dictionary],
        painter: &mut Painter<'p>,
        depth: usize,
        builder: &mut TextBuilder,
    ) -> Result<(), DocumentError> {
        let name = operation.operands.first().and_then(|name| name.as_name().ok()).unwrap_or(b"");
        let Some(Object::Stream(form)) = self.resource(resources, b"XObject", name) else { return Ok(()) };
        let is_form = form.dict.get(b"Subtype").and_then(Object::as_name).is_ok_and(|kind| kind == b"Form");
        if !is_form || depth >= DEEPEST_FORM {
            return Ok(());
        }
        let Ok(content) = form.get_plain_content_with_limit(CONTENT_LIMIT) else { return Ok(()) };
        let own = form.dict.get_deref(b"Resources", self.pdf).and_then(Object::as_dict).ok();
        let resources: Vec<&'p Dictionary> = own.into_iter().chain(resources.iter().copied()).collect();
        let before = painter.now;
        let saved = std::mem::take(&mut painter.saved);
        if let Ok(matrix) = form.dict.get_deref(b"Matrix", self.pdf).and_then(Object::as_array) {
            painter.now.page = matrix_of(matrix).then(painter.now.page);
        }
        let result = self.content(&content, &resources, painter, depth + 1, builder);
        painter.now = before;
        painter.saved = saved;
        result
    }

    fn show(&mut self, operation: &Operation, painter: &mut Painter<'p>, builder: &mut TextBuilder) {
        match operation.operator.as_str() {
            "'" => painter.next_line(),
            "\"" => {
                painter.now.word_spacing = operand(operation, 0);
                painter.now.char_spacing = operand(operation, 1);
                painter.next_line();
            }
            _ => {}
        }
        let Some(dictionary) = painter.now.font else { return };
        let pdf = self.pdf;
        let font =
            self.fonts.entry(std::ptr::from_ref(dictionary)).or_insert_with(|| Font::new(dictionary, pdf));
        let Some(last) = operation.operands.last() else { return };
        match last {
            Object::String(bytes, _) => painter.show(font, bytes, builder),
            Object::Array(items) => {
                for item in items {
                    match item {
                        Object::String(bytes, _) => painter.show(font, bytes, builder),
                        other => painter.kern(other.as_float().unwrap_or(0.0)),
                    }
                }
            }
            _ => {}
        }
    }
}

impl<'p> Painter<'p> {
    fn new() -> Self {
        let now = Graphics {
            page: Matrix::IDENTITY,
            font: None,
            size: 0.0,
            char_spacing: 0.0,
            word_spacing: 0.0,
            stretch: 1.0,
            leading: 0.0,
            rise: 0.0,
        };
        Painter {
            now,
            saved: Vec::new(),
            text: Matrix::IDENTITY,
            line: Matrix::IDENTITY,
            layout: Layout::default(),
        }
    }

    fn operate(&mut self, operation: &Operation) {
        let value = |at| operand(operation, at);
        match operation.operator.as_str() {
            "q" if self.saved.len() < MOST_SAVED => self.saved.push(self.now),
            "Q" => self.now = self.saved.pop().unwrap_or(self.now),
            "cm" => self.now.page = matrix_of(&operation.operands).then(self.now.page),
            "BT" => self.set_line(Matrix::IDENTITY),
            "Tm" => self.set_line(matrix_of(&operation.operands)),
            "Td" => self.move_line(value(0), value(1)),
            "TD" => {
                self.now.leading = -value(1);
                self.move_line(value(0), value(1));
            }
            "T*" => self.next_line(),
            "TL" => self.now.leading = value(0),
            "Tc" => self.now.char_spacing = value(0),
            "Tw" => self.now.word_spacing = value(0),
            "Tz" => self.now.stretch = value(0) / 100.0,
            "Ts" => self.now.rise = value(0),
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
    fn kern(&mut self, thousandths: f32) {
        self.advance(-thousandths / 1000.0 * self.now.size * self.now.stretch);
    }

    fn advance(&mut self, width: f32) {
        self.text = Matrix([1.0, 0.0, 0.0, 1.0, width, 0.0]).then(self.text);
    }

    fn show(&mut self, font: &Font, bytes: &[u8], builder: &mut TextBuilder) {
        // Ghostscript writes the end of one word and the start of the next as two letters far apart.
        if let Some((first, second)) =
            font.pair(bytes).filter(|_| self.now.char_spacing > WORD_GAP * self.now.size)
        {
            let spacing = std::mem::take(&mut self.now.char_spacing);
            self.show(font, first, builder);
            self.advance(spacing * self.now.stretch);
            self.show(font, second, builder);
            self.advance(spacing * self.now.stretch);
            self.now.char_spacing = spacing;
            return;
        }
        let shown = font.show(bytes);
        let now = self.now;
        let width = (shown.width / 1000.0 * now.size
            + shown.codes as f32 * now.char_spacing
            + shown.spaces as f32 * now.word_spacing)
            * now.stretch;
        let place = Matrix([1.0, 0.0, 0.0, 1.0, 0.0, now.rise]).then(self.text).then(now.page);
        self.layout.run(&shown.text, place, now.size, width, builder);
        self.advance(width);
    }
}

fn operand(operation: &Operation, at: usize) -> f32 {
    operation.operands.get(at).and_then(|object| object.as_float().ok()).unwrap_or(0.0)
}

fn matrix_of(operands: &[Object]) -> Matrix {
    let mut matrix = Matrix::IDENTITY;
    for (slot, object) in matrix.0.iter_mut().zip(operands) {
        *slot = object.as_float().unwrap_or(0.0);
    }
    matrix
}
