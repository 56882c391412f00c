//! RTF to text: what a word processor shows of the groups and control words; fonts, pictures, styles and fields' codes
//! are left out. Letters beyond ASCII come as escapes in the code page of their font, or as Unicode numbers.

use std::collections::HashMap;
use std::ops::Range;

use encoding_rs::{Encoding, WINDOWS_1252};

use super::builder::TextBuilder;
use super::format::Format;
use super::limits::Limits;
use crate::error::DocumentError;

/// Groups within groups; a file with more is broken.
const MAX_GROUPS: usize = 10_000;
/// Letters of one code page that are decoded together.
const MAX_PENDING_BYTES: usize = 4096;

/// Groups whose words are not the document's.
const HIDDEN_GROUPS: [&str; 27] = [
    "fonttbl",
    "colortbl",
    "stylesheet",
    "listtable",
    "listoverridetable",
    "revtbl",
    "rsidtbl",
    "info",
    "pict",
    "object",
    "objdata",
    "themedata",
    "colorschememapping",
    "datastore",
    "latentstyles",
    "generator",
    "xmlnstbl",
    "fldinst",
    "filetbl",
    "bkmkstart",
    "bkmkend",
    "pntext",
    "shppict",
    "nonshppict",
    "mmathPr",
    "pgptbl",
    "datafield",
];

/// What a group changes and its end restores.
#[derive(Clone, Copy)]
struct Group {
    hidden: bool,
    /// In the font table, where fonts say their character set.
    fonts: bool,
    /// In the title of the file's description.
    title: bool,
    encoding: &'static Encoding,
    /// Characters that stand after a Unicode number for programs that know none.
    fallback: usize,
}

struct RtfReader<'b> {
    bytes: &'b [u8],
    at: usize,
    groups: Vec<Group>,
    now: Group,
    default_encoding: &'static Encoding,
    font_encodings: HashMap<i32, &'static Encoding>,
    font: i32,
    /// Bytes of a code page, until something else comes.
    pending: Vec<u8>,
    pending_source: Range<usize>,
    /// The first half of a pair of Unicode numbers.
    surrogate: Option<(u16, usize)>,
    /// Fallback characters still to be passed over.
    skip: usize,
    title: Vec<u8>,
}

/// Reads an RTF file into the builder.
pub(super) fn read(bytes: &[u8], builder: &mut TextBuilder, limits: &Limits) -> Result<(), DocumentError> {
    let now = Group { hidden: false, fonts: false, title: false, encoding: WINDOWS_1252, fallback: 1 };
    let mut reader = RtfReader {
        bytes,
        at: 0,
        groups: Vec::new(),
        now,
        default_encoding: WINDOWS_1252,
        font_encodings: HashMap::new(),
        font: 0,
        pending: Vec::new(),
        pending_source: 0..0,
        surrogate: None,
        skip: 0,
        title: Vec::new(),
    };
    while reader.at < bytes.len() {
        reader.step(builder)?;
        builder.check(limits)?;
    }
    reader.flush(builder);
    if reader.title.iter().any(|byte| !byte.is_ascii_whitespace()) {
        builder.title =
            Some(reader.default_encoding.decode_without_bom_handling(&reader.title).0.into_owned());
    }
    Ok(())
}

impl RtfReader<'_> {
    fn step(&mut self, builder: &mut TextBuilder) -> Result<(), DocumentError> {
        let start = self.at;
        self.at += 1;
        match self.bytes[start] {
            b'{' => {
                self.flush(builder);
                if self.groups.len() >= MAX_GROUPS {
                    return Err(DocumentError::Damaged {
                        format: Format::Rtf,
                        detail: format!("over {MAX_GROUPS} groups within each other"),
                    });
                }
                self.groups.push(self.now);
            }
            b'}' => {
                self.flush(builder);
                self.now = self.groups.pop().unwrap_or(self.now);
                self.skip = 0;
            }
            b'\\' => self.control(start, builder),
            b'\r' | b'\n' | 0 => {}
            byte if byte.is_ascii() => self.letters(start, builder),
            byte => self.byte(byte, start..start + 1),
        }
        Ok(())
    }

    /// Plain letters, as many as there are.
    fn letters(&mut self, start: usize, builder: &mut TextBuilder) {
        let plain = |byte: &u8| byte.is_ascii() && !matches!(byte, b'{' | b'}' | b'\\' | b'\r' | b'\n' | 0);
        let length = self.bytes[start..].iter().take_while(|byte| plain(byte)).count();
        self.at = start + length;
        let skipped = self.skip.min(length);
        self.skip -= skipped;
        let Ok(piece) = std::str::from_utf8(&self.bytes[start + skipped..self.at]) else { return };
        if self.now.title {
            self.title.extend(piece.bytes());
        }
        if !self.now.hidden && !piece.is_empty() {
            self.flush(builder);
            builder.push_verbatim(piece, start + skipped);
        }
    }

    /// A byte of the font's code page; they wait for each other, because some pages take two.
    fn byte(&mut self, byte: u8, source: Range<usize>) {
        if self.skip > 0 {
            self.skip -= 1;
            return;
        }
        if self.now.title {
            self.title.push(byte);
        }
        if self.now.hidden || self.pending.len() >= MAX_PENDING_BYTES {
            return;
        }
        if self.pending.is_empty() {
            self.pending_source.start = source.start;
        }
        self.pending_source.end = source.end;
        self.pending.push(byte);
    }

    fn flush(&mut self, builder: &mut TextBuilder) {
        if !self.pending.is_empty() {
            let text = self.now.encoding.decode_without_bom_handling(&self.pending).0;
            builder.push_replaced(&text, self.pending_source.clone());
            self.pending.clear();
        }
    }

    fn control(&mut self, start: usize, builder: &mut TextBuilder) {
        let Some(&first) = self.bytes.get(self.at) else { return };
        if first == b'\'' {
            let hex = self.bytes.get(self.at + 1..self.at + 3).and_then(|hex| std::str::from_utf8(hex).ok());
            let byte = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok());
            self.at += if byte.is_some() { 3 } else { 1 };
            if let Some(byte) = byte {
                self.byte(byte, start..self.at);
            }
            return;
        }
        if !first.is_ascii_alphabetic() {
            self.at += 1;
            return self.symbol(first, start..self.at, builder);
        }
        let length = self.bytes[self.at..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let word = String::from_utf8_lossy(&self.bytes[self.at..self.at + length]).into_owned();
        self.at += length;
        let digits = self.bytes[self.at..]
            .iter()
            .enumerate()
            .take_while(|(at, byte)| byte.is_ascii_digit() || *at == 0 && **byte == b'-')
            .count();
        let digits = &self.bytes[self.at..self.at + digits];
        self.at += digits.len();
        let number: Option<i32> = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok());
        // One space ends the word and belongs to it.
        self.at += usize::from(self.bytes.get(self.at) == Some(&b' '));
        self.word(&word, number, start..self.at, builder);
    }

    fn symbol(&mut self, symbol: u8, source: Range<usize>, builder: &mut TextBuilder) {
        let text = match symbol {
            b'*' => {
                self.now.hidden = true;
                return;
            }
            b'\r' | b'\n' => return self.end_paragraph(builder),
            b'~' => "\u{a0}",
            b'_' => "\u{2011}",
            b'-' => "\u{ad}",
            b'{' => "{",
            b'}' => "}",
            b'\\' => "\\",
            _ => return,
        };
        self.put(text, source, builder);
    }

    fn put(&mut self, text: &str, source: Range<usize>, builder: &mut TextBuilder) {
        if self.skip > 0 {
            self.skip -= 1;
        } else if !self.now.hidden {
            self.flush(builder);
            builder.push_replaced(text, source);
        }
    }

    fn end_paragraph(&mut self, builder: &mut TextBuilder) {
        if !self.now.hidden {
            self.flush(builder);
            builder.end_block(1);
        }
    }

    fn word(&mut self, word: &str, number: Option<i32>, source: Range<usize>, builder: &mut TextBuilder) {
        if word != "u" {
            self.flush(builder);
            self.surrogate = None;
        }
        match word {
            "par" | "sect" | "page" | "row" => self.end_paragraph(builder),
            "line" if !self.now.hidden => builder.line_break(source),
            "cell" | "nestcell" if !self.now.hidden => builder.end_cell(),
            "tab" => self.put("\t", source, builder),
            "emdash" => self.put("\u{2014}", source, builder),
            "endash" => self.put("\u{2013}", source, builder),
            "lquote" => self.put("\u{2018}", source, builder),
            "rquote" => self.put("\u{2019}", source, builder),
            "ldblquote" => self.put("\u{201c}", source, builder),
            "rdblquote" => self.put("\u{201d}", source, builder),
            "bullet" => self.put("\u{2022}", source, builder),
            "emspace" | "enspace" => self.put(" ", source, builder),
            "u" => self.unicode(number.unwrap_or(0), source, builder),
            "uc" => self.now.fallback = usize::try_from(number.unwrap_or(1)).unwrap_or(1).min(16),
            "bin" => {
                self.at = self
                    .at
                    .saturating_add(usize::try_from(number.unwrap_or(0)).unwrap_or(0))
                    .min(self.bytes.len())
            }
            "v" => self.now.hidden |= number != Some(0),
            "ansicpg" => self.set_default(code_page(number.unwrap_or(1252))),
            "mac" => self.set_default(Some(encoding_rs::MACINTOSH)),
            "f" | "af" if self.now.fonts => self.font = number.unwrap_or(0),
            "f" => {
                let named = self.font_encodings.get(&number.unwrap_or(0));
                self.now.encoding = named.copied().unwrap_or(self.default_encoding);
            }
            "plain" => self.now.encoding = self.default_encoding,
            "fcharset" if self.now.fonts => {
                if let Some(encoding) = character_set(number.unwrap_or(0)) {
                    self.font_encodings.insert(self.font, encoding);
                }
            }
            // A field's code is hidden by its mark, its result is seen.
            "fldrslt" => self.now.hidden = self.groups.last().is_some_and(|outer| outer.hidden),
            "title" if self.now.hidden => self.now.title = true,
            _ if HIDDEN_GROUPS.contains(&word) => {
                self.now.hidden = true;
                self.now.fonts = word == "fonttbl";
            }
            _ => {}
        }
    }

    fn set_default(&mut self, encoding: Option<&'static Encoding>) {
        if let Some(encoding) = encoding {
            self.default_encoding = encoding;
            self.now.encoding = encoding;
        }
    }

    /// `\u8212?`: a UTF-16 unit as a signed number, and what stands there for older programs.
    fn unicode(&mut self, number: i32, source: Range<usize>, builder: &mut TextBuilder) {
        self.flush(builder);
        self.skip = 0;
        let unit = number as u16;
        match (self.surrogate.take(), unit) {
            (None, 0xD800..=0xDBFF) => self.surrogate = Some((unit, source.start)),
            (Some((high, start)), _) => {
                self.put(&String::from_utf16_lossy(&[high, unit]), start..source.end, builder);
            }
            (None, _) => self.put(&String::from_utf16_lossy(&[unit]), source, builder),
        }
        self.skip = self.now.fallback;
    }
}

/// A Windows code page by its number.
fn code_page(number: i32) -> Option<&'static Encoding> {
    let label = match number {
        932 => "shift_jis".to_owned(),
        936 => "gbk".to_owned(),
        949 => "euc-kr".to_owned(),
        950 => "big5".to_owned(),
        10000 => "macintosh".to_owned(),
        65001 => "utf-8".to_owned(),
        number => format!("windows-{number}"),
    };
    Encoding::for_label(label.as_bytes())
}

/// A font's character set, as Windows numbers them.
fn character_set(number: i32) -> Option<&'static Encoding> {
    code_page(match number {
        0 => 1252,
        77 => 10000,
        128 => 932,
        129 => 949,
        134 => 936,
        136 => 950,
        161 => 1253,
        162 => 1254,
        163 => 1258,
        177 => 1255,
        178 => 1256,
        186 => 1257,
        204 => 1251,
        222 => 874,
        238 => 1250,
        _ => return None,
    })
}
