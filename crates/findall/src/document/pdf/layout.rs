//! Glyph runs to lines: from where each run starts and ends on the page, decides whether a space, a line end or a new
//! paragraph stands before it.

use super::content::Operand;
use super::direction;
use crate::document::builder::TextBuilder;

/// A transformation as PDF writes it: `[a b c d e f]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Matrix(pub [f32; 6]);

impl Matrix {
    pub const IDENTITY: Matrix = Matrix([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    /// A matrix of six numbers in a file.
    pub fn from_objects(numbers: &[lopdf::Object]) -> Matrix {
        Matrix::from_numbers(numbers.iter().map(|number| number.as_float().unwrap_or(0.0)))
    }

    /// A matrix that an operator is given.
    pub fn from_operands(numbers: &[Operand]) -> Matrix {
        Matrix::from_numbers(numbers.iter().map(Operand::number))
    }

    fn from_numbers(numbers: impl Iterator<Item = f32>) -> Matrix {
        let mut matrix = Matrix::IDENTITY;
        matrix.0.iter_mut().zip(numbers).for_each(|(slot, number)| *slot = number);
        matrix
    }

    /// First this one, then `next`.
    pub fn then(self, next: Matrix) -> Matrix {
        let ([a, b, c, d, e, f], [g, h, i, j, k, l]) = (self.0, next.0);
        Matrix([
            a * g + b * i,
            a * h + b * j,
            c * g + d * i,
            c * h + d * j,
            e * g + f * i + k,
            e * h + f * j + l,
        ])
    }

    /// Where the point lands.
    pub fn apply(self, x: f32, y: f32) -> (f32, f32) {
        let [a, b, c, d, e, f] = self.0;
        (a * x + c * y + e, b * x + d * y + f)
    }

    fn scale(self) -> f32 {
        let [_, _, c, d, ..] = self.0;
        (c * c + d * d).sqrt()
    }

    /// The direction that text runs in.
    fn direction(self) -> (f32, f32) {
        let [a, b, ..] = self.0;
        let length = (a * a + b * b).sqrt();
        if length > 0.0 { (a / length, b / length) } else { (1.0, 0.0) }
    }
}

/// Where the last run ended, and how far apart its lines are.
#[derive(Debug, Default)]
pub(super) struct PdfLayout {
    last: Option<Run>,
    leading: Option<f32>,
    ends_with_space: bool,
    /// An accent that was drawn, until it is known whether a letter is drawn under it.
    accent: Option<char>,
    /// Right-to-left text of this line as it is drawn, from left to right, until its last letter is known.
    drawn: String,
}

#[derive(Clone, Copy, Debug)]
struct Run {
    end: (f32, f32),
    size: f32,
}

impl Run {
    /// True when the next letter starts well before this run's end, but not before the run itself.
    fn is_drawn_over(self, start: (f32, f32), direction: (f32, f32), size: f32) -> bool {
        let (dx, dy) = (start.0 - self.end.0, start.1 - self.end.1);
        let along = dx * direction.0 + dy * direction.1;
        let across = (dy * direction.0 - dx * direction.1).abs();
        across < MAX_LINE_SHIFT_SHARE * size && along < -MIN_SPACE_SHARE * size && along > -size
    }
}

/// The text with its first letter under the accent, when there is such a letter.
fn compose(accent: char, text: &str) -> Option<String> {
    let mark = combining_mark(accent)?;
    let mut letters = text.chars();
    let letter = match letters.next()? {
        '\u{131}' => 'i',
        '\u{237}' => 'j',
        letter => letter,
    };
    let composed = unicode_normalization::char::compose(letter, mark)?;
    Some(format!("{composed}{}", letters.as_str()))
}

/// The mark that an accent puts on the letter under it.
fn combining_mark(accent: char) -> Option<char> {
    Some(match accent {
        '\u{b4}' => '\u{301}',
        '`' => '\u{300}',
        '^' | '\u{2c6}' => '\u{302}',
        '\u{a8}' => '\u{308}',
        '~' | '\u{2dc}' => '\u{303}',
        '\u{b8}' => '\u{327}',
        '\u{2c7}' => '\u{30c}',
        '\u{2d8}' => '\u{306}',
        '\u{2da}' => '\u{30a}',
        '\u{af}' | '\u{2c9}' => '\u{304}',
        '\u{2d9}' => '\u{307}',
        '\u{2dd}' => '\u{30b}',
        _ => return None,
    })
}

/// Wider gaps than this share of the letter size are spaces; kerning stays below.
const MIN_SPACE_SHARE: f32 = 0.15;
/// Runs shifted by less than this are on one line.
const MAX_LINE_SHIFT_SHARE: f32 = 0.5;
/// Smaller letters that follow closely may be shifted by this much: exponents and indices.
const MAX_RAISED_SHIFT_SHARE: f32 = 0.75;
/// A gap between lines that is this much larger than usual starts a paragraph.
const MIN_PARAGRAPH_GAP_RATIO: f32 = 1.4;

impl PdfLayout {
    /// Adds a run of text of letter size `size` that starts at the origin of `place` and is `width` long.
    pub fn run(&mut self, text: &str, place: Matrix, size: f32, width: f32, builder: &mut TextBuilder) {
        if text.is_empty() {
            return;
        }
        let start = place.apply(0.0, 0.0);
        let size = (place.scale() * size).abs().max(f32::MIN_POSITIVE);
        let under = self.last.is_some_and(|last| last.is_drawn_over(start, place.direction(), size));
        match self.accent.take().map(|accent| (accent, compose(accent, text).filter(|_| under))) {
            Some((_, Some(composed))) => self.write(&composed, builder),
            other => {
                if let Some((accent, _)) = other {
                    self.put_piece(accent.encode_utf8(&mut [0; 4]), builder);
                }
                if let Some(last) = self.last {
                    self.separate(last, start, place.direction(), size, builder);
                }
                self.write(text, builder);
            }
        }
        self.last = Some(Run { end: place.apply(width, 0.0), size });
    }

    fn separate(
        &mut self,
        last: Run,
        start: (f32, f32),
        direction: (f32, f32),
        size: f32,
        builder: &mut TextBuilder,
    ) {
        let (dx, dy) = (start.0 - last.end.0, start.1 - last.end.1);
        let along = dx * direction.0 + dy * direction.1;
        let across = (dy * direction.0 - dx * direction.1).abs();
        let (smaller, larger) = (size.min(last.size), size.max(last.size));
        let raised =
            smaller < 0.9 * larger && along.abs() < 0.5 * larger && across < MAX_RAISED_SHIFT_SHARE * larger;
        if across < MAX_LINE_SHIFT_SHARE * larger || raised {
            if along > MIN_SPACE_SHARE * smaller {
                self.space(builder);
            } else if along < -1.5 * larger {
                // Back on the same height: another column, or text drawn over other text.
                self.new_line(1, builder);
            } else if along < -MIN_SPACE_SHARE * smaller {
                self.turn(builder);
            }
            return;
        }
        let usual = self.leading.filter(|_| size > 0.8 * last.size && size < 1.25 * last.size);
        let paragraph = match usual {
            Some(leading) => across > MIN_PARAGRAPH_GAP_RATIO * leading,
            None => across > 2.5 * larger,
        };
        if !paragraph {
            self.leading = Some(across);
        }
        self.new_line(if paragraph { 2 } else { 1 }, builder);
    }

    fn space(&mut self, builder: &mut TextBuilder) {
        if !self.drawn.is_empty() {
            self.drawn.push(' ');
        } else if !self.ends_with_space {
            builder.push_inserted(" ");
            self.ends_with_space = true;
        }
    }

    fn new_line(&mut self, newlines: usize, builder: &mut TextBuilder) {
        self.turn(builder);
        if newlines > 1 {
            builder.end_block(newlines);
        } else {
            builder.push_inserted("\n");
        }
        self.ends_with_space = true;
    }

    /// Writes a run's characters; control characters that fonts map glyphs to are no text.
    fn write(&mut self, text: &str, builder: &mut TextBuilder) {
        let pieces = text.split(|c: char| c.is_control()).filter(|piece| !piece.is_empty());
        // Letters drawn from left to right that are read from right to left wait for those beside them.
        if direction::is_rightward(text) || !self.drawn.is_empty() && direction::is_neutral(text) {
            return self.drawn.extend(pieces);
        }
        self.turn(builder);
        pieces.for_each(|piece| self.put(piece, builder));
    }

    /// Writes what was drawn from left to right in the order that it is read.
    fn turn(&mut self, builder: &mut TextBuilder) {
        if !self.drawn.is_empty() {
            let read = direction::to_reading_order(&std::mem::take(&mut self.drawn));
            self.put(&read, builder);
        }
    }

    /// Writes a piece, but for an accent at its end, which may belong to the letter that is drawn next.
    fn put(&mut self, piece: &str, builder: &mut TextBuilder) {
        let last = piece.chars().next_back().filter(|&last| combining_mark(last).is_some());
        let before = piece.len() - last.map_or(0, char::len_utf8);
        if let Some(earlier) = self.accent.take() {
            self.put_piece(earlier.encode_utf8(&mut [0; 4]), builder);
        }
        self.put_piece(&piece[..before], builder);
        self.accent = last;
    }

    fn put_piece(&mut self, piece: &str, builder: &mut TextBuilder) {
        let piece = if self.ends_with_space { piece.trim_start_matches(' ') } else { piece };
        if !piece.is_empty() {
            builder.push_inserted(piece);
            self.ends_with_space = piece.ends_with(' ');
        }
    }

    /// The page is done.
    pub fn finish(&mut self, builder: &mut TextBuilder) {
        self.turn(builder);
        if let Some(accent) = self.accent.take() {
            self.put_piece(accent.encode_utf8(&mut [0; 4]), builder);
        }
    }
}
