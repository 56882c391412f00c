//! LaTeX to text: what the reader of the printed page sees, as far as that can be told without running it. Comments,
//! commands and their settings are left out, the words in them stay; formulas stay as they are written.

use super::builder::TextBuilder;
use super::limits::Limits;
use crate::error::DocumentError;

/// Commands whose argument is no text.
const SILENT_COMMANDS: [&str; 35] = [
    "documentclass",
    "usepackage",
    "begin",
    "end",
    "label",
    "ref",
    "eqref",
    "pageref",
    "autoref",
    "cref",
    "cite",
    "citep",
    "citet",
    "nocite",
    "bibliography",
    "bibliographystyle",
    "includegraphics",
    "input",
    "include",
    "vspace",
    "hspace",
    "setlength",
    "pagestyle",
    "thispagestyle",
    "newcommand",
    "renewcommand",
    "setcounter",
    "addtocounter",
    "index",
    "hypersetup",
    "graphicspath",
    "bibitem",
    "fontsize",
    "selectlanguage",
    "geometry",
];
/// Commands that end a block.
const BLOCKS: [&str; 16] = [
    "par",
    "part",
    "chapter",
    "section",
    "subsection",
    "subsubsection",
    "paragraph",
    "subparagraph",
    "item",
    "caption",
    "title",
    "author",
    "date",
    "maketitle",
    "footnote",
    "bibitem",
];

/// The longest argument or setting that is passed over; a bracket that is open for longer is a mistake.
const MAX_ARGUMENT_BYTES: usize = 4096;
/// Headings and notes within each other.
const MAX_OPEN_BLOCKS: usize = 64;

struct LatexReader<'t, 'b> {
    text: &'t str,
    at: usize,
    builder: &'b mut TextBuilder,
    /// Braces that are open.
    depth: usize,
    /// Depths at which a heading or a note ends.
    blocks: Vec<usize>,
}

/// Reads the decoded file into the builder.
pub(super) fn read(text: &str, builder: &mut TextBuilder, limits: &Limits) -> Result<(), DocumentError> {
    let mut reader = LatexReader { text, at: 0, builder, depth: 0, blocks: Vec::new() };
    // Before the document starts there are only settings; a part of a document has none.
    if let Some(start) = text.find("\\begin{document}") {
        reader.preamble(&text[..start]);
        reader.at = start;
    }
    while reader.at < text.len() {
        reader.step();
        reader.builder.check(limits)?;
    }
    Ok(())
}

impl<'t> LatexReader<'t, '_> {
    /// The title, if the settings name one.
    fn preamble(&mut self, settings: &str) {
        let Some(brace) = settings.find("\\title{").map(|at| at + "\\title".len()) else { return };
        let end = brace + bracket_length(&settings[brace..], b'{', b'}');
        let title = settings.get(brace + 1..end.saturating_sub(1)).unwrap_or("");
        self.builder.title = Some(title.replace("\\\\", " ").replace('\\', ""));
        self.at = brace + 1;
        while self.at + 1 < end {
            self.step();
        }
        self.builder.end_block(2);
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn step(&mut self) {
        let (text, start) = (self.text, self.at);
        let Some(first) = self.rest().chars().next() else {
            self.at = text.len();
            return;
        };
        match first {
            '%' => {
                let line = self.rest().find('\n').unwrap_or(self.rest().len());
                self.at += line;
                // The end of the line belongs to the comment, unless a paragraph ends.
                if !self.rest().starts_with("\n\n") {
                    self.at = (self.at + 1).min(text.len());
                }
            }
            '\\' => self.command(),
            '{' => {
                self.at += 1;
                self.depth += 1;
            }
            '}' => {
                self.at += 1;
                self.depth = self.depth.saturating_sub(1);
                if self.blocks.last() == Some(&self.depth) {
                    self.blocks.pop();
                    self.builder.end_block(1);
                }
            }
            '~' => {
                self.at += 1;
                self.builder.push_replaced(" ", start..self.at);
            }
            '&' => {
                self.at += 1;
                self.builder.end_cell();
            }
            '-' if self.rest().starts_with("---") => self.replace(3, "\u{2014}"),
            '-' if self.rest().starts_with("--") => self.replace(2, "\u{2013}"),
            '`' if self.rest().starts_with("``") => self.replace(2, "\u{201c}"),
            '\'' if self.rest().starts_with("''") => self.replace(2, "\u{201d}"),
            '`' => self.replace(1, "\u{2018}"),
            '\n' if is_blank_line(&self.rest()[1..]) => {
                self.at += 1;
                self.builder.end_block(2);
            }
            c if c.is_ascii_whitespace() => {
                let spaces = self
                    .rest()
                    .bytes()
                    .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
                    .count()
                    .max(1);
                self.at += spaces;
                self.builder.space(start..self.at);
            }
            _ => {
                let special = |c: char| {
                    matches!(c, '%' | '\\' | '{' | '}' | '~' | '&' | '-' | '`' | '\'')
                        || c.is_ascii_whitespace()
                };
                let length = self.rest().find(special).unwrap_or(self.rest().len());
                self.at += length.max(first.len_utf8());
                self.builder.push_verbatim(&text[start..self.at], start);
            }
        }
    }

    fn replace(&mut self, length: usize, by: &str) {
        self.builder.push_replaced(by, self.at..self.at + length);
        self.at += length;
    }

    fn command(&mut self) {
        let start = self.at;
        self.at += 1;
        let length = self.rest().bytes().take_while(u8::is_ascii_alphabetic).count();
        if length == 0 {
            return self.sign(start);
        }
        let name = self.rest()[..length].to_owned();
        self.at += length;
        if self.rest().starts_with('*') {
            self.at += 1;
        }
        if let Some(letter) = letter_of(&name) {
            self.skip_spaces();
            if self.rest().starts_with("{}") {
                self.at += 2;
            }
            return self.builder.push_replaced(letter, start..self.at);
        }
        if let Some(mark) = accent_of(&name).filter(|_| self.rest().starts_with([' ', '{', '\\'])) {
            self.skip_spaces();
            return self.accent(mark, start);
        }
        if BLOCKS.contains(&name.as_str()) {
            self.builder.end_block(1);
        }
        if name == "verb" {
            return self.verbatim_text();
        }
        self.skip_settings();
        match name.as_str() {
            "begin" | "end" => {
                self.builder.end_block(1);
                // These say how their columns look or how wide they are.
                const SHAPED_ENVIRONMENTS: [&str; 6] =
                    ["tabular", "tabularx", "array", "longtable", "minipage", "multicols"];
                let rest = self.rest().strip_prefix('{').unwrap_or("");
                if name == "begin"
                    && SHAPED_ENVIRONMENTS.iter().any(|shaped| rest.starts_with(&format!("{shaped}}}")))
                {
                    self.skip_argument();
                    self.skip_settings();
                }
            }
            // The address of a link is not what is printed.
            "href" | "textcolor" | "color" | "hyperref" => self.skip_argument(),
            _ => {}
        }
        if BLOCKS.contains(&name.as_str())
            && self.rest().starts_with('{')
            && self.blocks.len() < MAX_OPEN_BLOCKS
        {
            self.blocks.push(self.depth);
        }
        if SILENT_COMMANDS.contains(&name.as_str()) {
            self.skip_argument();
            self.skip_settings();
            if matches!(
                name.as_str(),
                "newcommand" | "renewcommand" | "setlength" | "setcounter" | "addtocounter"
            ) {
                self.skip_argument();
            }
        } else if !self.rest().starts_with('{') {
            self.skip_spaces();
        }
    }

    /// A command of one sign: an escaped one, an accent, a line's end.
    fn sign(&mut self, start: usize) {
        let Some(sign) = self.rest().chars().next() else { return };
        self.at += sign.len_utf8();
        match sign {
            '%' | '&' | '#' | '_' | '$' | '{' | '}' => {
                self.builder.push_replaced(sign.encode_utf8(&mut [0; 4]), start..self.at);
            }
            '\\' => {
                self.skip_settings();
                self.builder.line_break(start..self.at);
            }
            ',' | ' ' | ';' | ':' | '\n' => self.builder.space(start..self.at),
            sign => {
                if let Some(mark) = accent_of(sign.encode_utf8(&mut [0; 4])) {
                    self.accent(mark, start);
                }
            }
        }
    }

    /// A letter with a mark over it: `\'e`, `\'{e}`, `\"{\i}`.
    fn accent(&mut self, mark: char, start: usize) {
        let braced = self.rest().starts_with('{');
        self.at += usize::from(braced);
        let letter = match self.rest().strip_prefix('\\') {
            Some(rest) if rest.starts_with(['i', 'j']) => {
                self.at += 2;
                rest[..1].chars().next()
            }
            _ => {
                let letter = self.rest().chars().next().filter(|c| c.is_alphabetic());
                self.at += letter.map_or(0, char::len_utf8);
                letter
            }
        };
        if braced && self.rest().starts_with('}') {
            self.at += 1;
        }
        if let Some(letter) = letter {
            let composed = unicode_normalization::char::compose(letter, mark);
            let text = composed.map_or_else(|| format!("{letter}{mark}"), String::from);
            self.builder.push_replaced(&text, start..self.at);
        }
    }

    fn verbatim_text(&mut self) {
        let Some(quote) = self.rest().chars().next().filter(|c| !c.is_alphanumeric()) else { return };
        self.at += quote.len_utf8();
        let length = self.rest().find([quote, '\n']).unwrap_or(self.rest().len());
        let (start, text) = (self.at, self.text);
        self.builder.push_verbatim(&text[start..start + length], start);
        self.at += length;
        self.at += if self.rest().starts_with(quote) { quote.len_utf8() } else { 0 };
    }

    fn skip_spaces(&mut self) {
        self.at += self.rest().bytes().take_while(|byte| *byte == b' ').count();
    }

    /// Passes over `[…]`.
    fn skip_settings(&mut self) {
        if self.rest().starts_with('[') {
            self.at += bracket_length(self.rest(), b'[', b']');
        }
    }

    /// Passes over `{…}`.
    fn skip_argument(&mut self) {
        if self.rest().starts_with('{') {
            self.at += bracket_length(self.rest(), b'{', b'}');
        }
    }
}

/// How long a bracket with all in it is; only the bracket when it does not close within the paragraph.
fn bracket_length(text: &str, open: u8, close: u8) -> usize {
    let mut depth = 0usize;
    let mut newlines = 0;
    for (at, byte) in text.bytes().enumerate().take(MAX_ARGUMENT_BYTES) {
        newlines = if byte == b'\n' { newlines + 1 } else { 0 };
        if byte == open {
            depth += 1;
        } else if byte == close {
            depth -= 1;
            if depth == 0 {
                return at + 1;
            }
        } else if newlines > 1 {
            break;
        }
    }
    1
}

fn is_blank_line(text: &str) -> bool {
    text.split('\n').next().is_some_and(|line| line.trim().is_empty()) && text.contains('\n')
}

/// Commands that are one letter.
fn letter_of(name: &str) -> Option<&'static str> {
    Some(match name {
        "ss" => "\u{df}",
        "ae" => "\u{e6}",
        "AE" => "\u{c6}",
        "oe" => "\u{153}",
        "OE" => "\u{152}",
        "aa" => "\u{e5}",
        "AA" => "\u{c5}",
        "o" => "\u{f8}",
        "O" => "\u{d8}",
        "l" => "\u{142}",
        "L" => "\u{141}",
        "i" => "\u{131}",
        "j" => "\u{237}",
        "dots" | "ldots" | "textellipsis" => "\u{2026}",
        "textendash" => "\u{2013}",
        "textemdash" => "\u{2014}",
        "LaTeX" => "LaTeX",
        "TeX" => "TeX",
        "textbackslash" => "\\",
        "textasciitilde" => "~",
        "pounds" => "\u{a3}",
        "euro" => "\u{20ac}",
        "S" => "\u{a7}",
        "copyright" => "\u{a9}",
        _ => return None,
    })
}

/// Commands that put a mark on the next letter.
fn accent_of(name: &str) -> Option<char> {
    Some(match name {
        "'" => '\u{301}',
        "`" => '\u{300}',
        "^" => '\u{302}',
        "\"" => '\u{308}',
        "~" => '\u{303}',
        "=" => '\u{304}',
        "." => '\u{307}',
        "c" => '\u{327}',
        "v" => '\u{30c}',
        "u" => '\u{306}',
        "H" => '\u{30b}',
        "r" => '\u{30a}',
        "k" => '\u{328}',
        _ => return None,
    })
}
