//! What a font's codes mean: to text by its ToUnicode map, else by its encoding and glyph names; to widths, so that
//! gaps between runs can be told from kerning.

use std::collections::HashMap;

use lopdf::{Dictionary, Document as Pdf, Object};

use super::cmap::ToUnicode;

/// Most bytes that one ToUnicode map may unpack to.
const MAP_LIMIT: usize = 8 * 1024 * 1024;

/// A font made ready.
pub(super) struct Font {
    to_unicode: Option<ToUnicode>,
    /// For codes that the map leaves out, and fonts without one.
    encoding: CodeMeaning,
    widths: HashMap<u32, f32>,
    default_width: f32,
    /// Codes are two bytes rather than one.
    wide: bool,
}

enum CodeMeaning {
    /// One string for each byte.
    Bytes(Box<[String; 256]>),
    /// Codes are UTF-16.
    Utf16,
    /// Nothing is known about the codes.
    Unknown,
}

impl Font {
    pub fn new(font: &Dictionary, pdf: &Pdf) -> Font {
        let wide =
            font.get_deref(b"Subtype", pdf).and_then(Object::as_name).is_ok_and(|name| name == b"Type0");
        let (widths, default_width) = if wide { wide_widths(font, pdf) } else { narrow_widths(font, pdf) };
        Font {
            to_unicode: to_unicode(font, pdf),
            encoding: CodeMeaning::new(font, wide, pdf),
            widths,
            default_width,
            wide,
        }
    }

    /// The two codes of a string that has no more.
    pub fn pair<'b>(&self, bytes: &'b [u8]) -> Option<(&'b [u8], &'b [u8])> {
        let length = if self.wide { 2 } else { 1 };
        (bytes.len() == 2 * length).then(|| bytes.split_at(length))
    }

    /// The text of a shown string, its codes' summed widths in thousandths of the letter size, how many codes there
    /// are and how many of them are the one-byte space that word spacing stretches.
    pub fn show(&self, bytes: &[u8]) -> Shown {
        let mut shown = Shown::default();
        for code in bytes.chunks(if self.wide { 2 } else { 1 }) {
            let number = code.iter().fold(0, |number, &byte| number << 8 | u32::from(byte));
            let known = self.to_unicode.as_ref().is_some_and(|map| map.write(number, &mut shown.text));
            if !known {
                self.encoding.write(number, &mut shown.text);
            }
            shown.width += self.widths.get(&number).copied().unwrap_or(self.default_width);
            shown.codes += 1;
            shown.spaces += usize::from(code == b" ");
        }
        shown
    }
}

/// See [`Font::show`].
#[derive(Debug, Default)]
pub(super) struct Shown {
    pub text: String,
    pub width: f32,
    pub codes: usize,
    pub spaces: usize,
}

impl CodeMeaning {
    fn new(font: &Dictionary, wide: bool, pdf: &Pdf) -> CodeMeaning {
        let encoding = font.get_deref(b"Encoding", pdf).ok();
        if wide {
            let name = encoding.and_then(|encoding| encoding.as_name().ok()).unwrap_or(b"");
            let unicode =
                [&b"UCS2"[..], b"UTF16"].iter().any(|part| memchr::memmem::find(name, part).is_some());
            return if unicode { CodeMeaning::Utf16 } else { CodeMeaning::Unknown };
        }
        CodeMeaning::Bytes(Box::new(byte_table(encoding, pdf)))
    }

    fn write(&self, code: u32, out: &mut String) {
        match self {
            CodeMeaning::Bytes(table) => out.push_str(&table[(code & 0xFF) as usize]),
            CodeMeaning::Utf16 => {
                let unit = u16::try_from(code).unwrap_or(0xFFFD);
                out.extend(char::decode_utf16([unit]).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)));
            }
            CodeMeaning::Unknown => {}
        }
    }
}

fn to_unicode(font: &Dictionary, pdf: &Pdf) -> Option<ToUnicode> {
    let stream = font.get_deref(b"ToUnicode", pdf).and_then(Object::as_stream).ok()?;
    Some(ToUnicode::parse(&stream.decompressed_content_with_limit(MAP_LIMIT).ok()?))
}

/// What each byte stands for: the base encoding, changed by the differences that the font lists.
fn byte_table(encoding: Option<&Object>, pdf: &Pdf) -> [String; 256] {
    let mut font = Dictionary::new();
    font.set("Type", Object::Name(b"Font".to_vec()));
    let dictionary = encoding.and_then(|encoding| encoding.as_dict().ok());
    let base = match dictionary {
        Some(dictionary) => dictionary.get_deref(b"BaseEncoding", pdf).ok(),
        None => encoding,
    };
    if let Some(base @ Object::Name(_)) = base {
        font.set("Encoding", base.clone());
    }
    let base = font.get_font_encoding_with_limit(pdf, MAP_LIMIT).ok();
    let mut table = std::array::from_fn(|byte| {
        let decoded = base.as_ref().and_then(|base| base.bytes_to_string(&[byte as u8]).ok());
        decoded.unwrap_or_default()
    });
    let differences = dictionary.and_then(|dictionary| dictionary.get_deref(b"Differences", pdf).ok());
    let mut code = 0usize;
    for item in differences.and_then(|list| list.as_array().ok()).into_iter().flatten() {
        match item {
            Object::Integer(number) => code = usize::try_from(*number).unwrap_or(256),
            Object::Name(name) => {
                if let Some(slot) = table.get_mut(code) {
                    *slot = glyph_text(name, pdf);
                }
                code += 1;
            }
            _ => {}
        }
    }
    table
}

/// What a glyph's name says it is (Adobe Glyph List specification): parts joined by `_`, a suffix after `.`.
fn glyph_text(name: &[u8], pdf: &Pdf) -> String {
    let name = String::from_utf8_lossy(name);
    let bare = name.split('.').next().unwrap_or("");
    bare.split('_').map(|part| glyph_part(part, pdf)).collect()
}

fn glyph_part(name: &str, pdf: &Pdf) -> String {
    let hex = name.strip_prefix("uni").or_else(|| name.strip_prefix('u'));
    if let Some(hex) = hex.filter(|hex| hex.len() >= 4 && hex.bytes().all(|b| b.is_ascii_hexdigit())) {
        return u32::from_str_radix(hex, 16)
            .ok()
            .and_then(char::from_u32)
            .map(String::from)
            .unwrap_or_default();
    }
    // lopdf holds the list of names but shows it only through a font's differences.
    let mut encoding = Dictionary::new();
    encoding.set("Differences", vec![Object::Integer(1), Object::Name(name.as_bytes().to_vec())]);
    let mut font = Dictionary::new();
    font.set("Type", Object::Name(b"Font".to_vec()));
    font.set("Encoding", encoding);
    let decoded = font.get_font_encoding_with_limit(pdf, MAP_LIMIT).ok();
    decoded.and_then(|encoding| encoding.bytes_to_string(&[1]).ok()).unwrap_or_default()
}

fn number(object: &Object) -> Option<f32> {
    object.as_float().ok()
}

fn narrow_widths(font: &Dictionary, pdf: &Pdf) -> (HashMap<u32, f32>, f32) {
    let first = font.get_deref(b"FirstChar", pdf).and_then(Object::as_i64).unwrap_or(0);
    let list = font.get_deref(b"Widths", pdf).and_then(Object::as_array);
    let widths = list.into_iter().flatten().take(256).enumerate().filter_map(|(at, width)| {
        let code = u32::try_from(first).ok()?.checked_add(at as u32)?;
        Some((code, number(pdf.dereference(width).ok()?.1)?))
    });
    // Half the letter size is about right for the standard fonts, which come without widths.
    (widths.collect(), 500.0)
}

/// Widths of a composite font: `[first [w w w] first last w …]` in its descendant's `W`.
fn wide_widths(font: &Dictionary, pdf: &Pdf) -> (HashMap<u32, f32>, f32) {
    let mut widths = HashMap::new();
    let descendant = font
        .get_deref(b"DescendantFonts", pdf)
        .and_then(Object::as_array)
        .ok()
        .and_then(|fonts| pdf.dereference(fonts.first()?).ok()?.1.as_dict().ok());
    let Some(descendant) = descendant else { return (widths, 1000.0) };
    let default = descendant.get_deref(b"DW", pdf).ok().and_then(number).unwrap_or(1000.0);
    let Ok(list) = descendant.get_deref(b"W", pdf).and_then(Object::as_array) else {
        return (widths, default);
    };
    let resolved =
        |at: usize| list.get(at).and_then(|object| pdf.dereference(object).ok()).map(|(_, object)| object);
    let mut at = 0;
    while let Some(first) =
        resolved(at).and_then(|object| object.as_i64().ok()).and_then(|n| u32::try_from(n).ok())
    {
        match resolved(at + 1) {
            Some(Object::Array(each)) => {
                for (offset, width) in each.iter().enumerate().take(0x1_0000) {
                    if let Some(width) = number(width) {
                        widths.insert(first.saturating_add(offset as u32), width);
                    }
                }
                at += 2;
            }
            Some(last) => {
                let last =
                    last.as_i64().ok().and_then(|n| u32::try_from(n).ok()).unwrap_or(first).min(0xFFFF);
                if let Some(width) = resolved(at + 2).and_then(number) {
                    widths.extend((first..=last).map(|code| (code, width)));
                }
                at += 3;
            }
            None => break,
        }
        // No font has more glyphs; a list that names more repeats itself.
        if widths.len() > 0x1_0000 || at > 0x4_0000 {
            break;
        }
    }
    (widths, default)
}
