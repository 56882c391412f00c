//! What a font's codes mean: to text by its ToUnicode map, else by its encoding, glyph names and the embedded font
//! itself; to widths, so that gaps between runs can be told from kerning.

use std::collections::HashMap;

use lopdf::{Dictionary, Document as Pdf, Object};

use super::cmap::ToUnicode;
use super::codes::{Code, CodeReader, Collection};
use super::glyphs::{self, TexEncoding, number_of_glyph, push_letters, text_of_glyph};
use super::program::FontProgram;
use super::standard::standard_widths;
use super::streams::unpack_stream;

/// Most bytes that one ToUnicode map, or one map from characters to glyphs, may unpack to.
const MAX_MAP_BYTES: usize = 8 * 1024 * 1024;

/// A font made ready.
pub(super) struct Font {
    to_unicode: Option<ToUnicode>,
    /// Its ToUnicode is the name of an identity: codes are UTF-16.
    codes_are_unicode: bool,
    /// For codes that the map leaves out, and fonts without one.
    meaning: CodeMeaning,
    widths: HashMap<u32, f32>,
    default_width: f32,
    /// Widths to thousandths of the letter size; Type 3 fonts have their own unit.
    width_unit: f32,
    /// Letters stand below each other.
    pub vertical: bool,
}

enum CodeMeaning {
    /// A simple font: one string for each byte, empty where nothing is known.
    Bytes(Box<[String; 256]>),
    Composite(Box<CompositeMeaning>),
}

/// How a composite font reads its codes.
struct CompositeMeaning {
    codes: CodeReader,
    collection: Option<Collection>,
    glyphs: Option<GlyphLookup>,
}

/// From character identifiers to glyphs of an embedded font.
struct GlyphLookup {
    program: FontProgram,
    /// `CIDToGIDMap`, when it is not the identity.
    glyph_of_cid: Option<Vec<u8>>,
}

impl GlyphLookup {
    fn text(&self, cid: u32) -> Option<&str> {
        let glyph = match &self.glyph_of_cid {
            Some(map) => {
                let at = 2 * cid as usize;
                map.get(at..at + 2).map(|pair| u32::from(pair[0]) << 8 | u32::from(pair[1]))?
            }
            None => cid,
        };
        self.program.glyph_text(glyph)
    }
}

/// See [`Font::show`].
#[derive(Debug, Default)]
pub(super) struct ShownText {
    pub text: String,
    pub width: f32,
    pub codes: usize,
    pub spaces: usize,
    /// Codes that nobody says the meaning of.
    pub unknown: usize,
}

impl Font {
    pub fn new(font: &Dictionary, pdf: &Pdf) -> Font {
        let subtype = font.get_deref(b"Subtype", pdf).and_then(Object::as_name).unwrap_or(b"");
        let composite = subtype == b"Type0";
        let (widths, default_width) =
            if composite { wide_widths(font, pdf) } else { narrow_widths(font, pdf) };
        let to_unicode = font.get_deref(b"ToUnicode", pdf).ok();
        let meaning = match composite {
            true => composite_meaning(font, pdf),
            false => CodeMeaning::Bytes(Box::new(byte_table(font, subtype, pdf))),
        };
        let vertical = matches!(&meaning, CodeMeaning::Composite(composite) if composite.codes.vertical);
        Font {
            to_unicode: to_unicode.and_then(|map| read_to_unicode(map, pdf)),
            codes_are_unicode: matches!(to_unicode, Some(Object::Name(name)) if name.starts_with(b"Identity")),
            meaning,
            widths,
            default_width,
            width_unit: if subtype == b"Type3" { type3_unit(font, pdf) } else { 1.0 },
            vertical,
        }
    }

    /// The two codes of a string that has no more.
    pub fn pair<'b>(&self, bytes: &'b [u8]) -> Option<(&'b [u8], &'b [u8])> {
        let first = self.first(bytes)?;
        let (one, two) = bytes.split_at(first.length);
        (self.first(two)?.length == two.len()).then_some((one, two))
    }

    fn first(&self, bytes: &[u8]) -> Option<Code> {
        let number = u32::from(*bytes.first()?);
        Some(match &self.meaning {
            CodeMeaning::Bytes(_) => Code { number, length: 1 },
            CodeMeaning::Composite(composite) => composite.codes.first(bytes),
        })
    }

    /// The text of a shown string, its codes' summed widths in thousandths of the letter size, how many codes there
    /// are, how many of them are the one-byte space that word spacing stretches, and how many mean nothing.
    pub fn show(&self, bytes: &[u8]) -> ShownText {
        let mut shown = ShownText::default();
        let mut rest = bytes;
        while let Some(code) = self.first(rest) {
            let (own, after) = rest.split_at(code.length.clamp(1, rest.len()));
            rest = after;
            shown.unknown += usize::from(!self.write(code, &mut shown.text));
            let width = self.widths.get(&self.width_key(code)).copied().unwrap_or(self.default_width);
            shown.width += width * self.width_unit;
            shown.codes += 1;
            shown.spaces += usize::from(own == b" ");
        }
        shown
    }

    fn width_key(&self, code: Code) -> u32 {
        match &self.meaning {
            CodeMeaning::Bytes(_) => code.number,
            CodeMeaning::Composite(composite) => composite.codes.cid(code),
        }
    }

    /// Writes what a code means; false when nobody says.
    fn write(&self, code: Code, out: &mut String) -> bool {
        let mut mapped = String::new();
        if self.to_unicode.as_ref().is_some_and(|map| map.write(code.number, &mut mapped)) {
            push_letters(&mapped, out);
            return true;
        }
        if self.codes_are_unicode
            && let Some(c) = char::from_u32(code.number).filter(|c| !c.is_control())
        {
            push_letters(c.encode_utf8(&mut [0; 4]), out);
            return true;
        }
        match &self.meaning {
            CodeMeaning::Bytes(table) => {
                let text = &table[(code.number & 0xFF) as usize];
                push_letters(text, out);
                !text.is_empty()
            }
            CodeMeaning::Composite(composite) => {
                let CompositeMeaning { codes, collection, glyphs } = composite.as_ref();
                let cid = codes.cid(code);
                let found = codes
                    .unicode_text(code)
                    .or_else(|| collection.as_ref()?.text(cid))
                    .or_else(|| glyphs.as_ref()?.text(cid).map(str::to_owned));
                push_letters(found.as_deref().unwrap_or(""), out);
                found.is_some()
            }
        }
    }
}

fn composite_meaning(font: &Dictionary, pdf: &Pdf) -> CodeMeaning {
    let codes = CodeReader::new(font, pdf);
    let descendant = descendant(font, pdf);
    let collection = descendant.and_then(|descendant| Collection::new(descendant, pdf));
    let glyphs = descendant.filter(|_| codes.is_identity() || collection.is_none()).and_then(|descendant| {
        let program = FontProgram::of_descendant(descendant, pdf)?;
        let map = descendant.get_deref(b"CIDToGIDMap", pdf).and_then(Object::as_stream).ok();
        let glyph_of_cid = map.and_then(|map| unpack_stream(map, pdf, MAX_MAP_BYTES).ok());
        Some(GlyphLookup { program, glyph_of_cid })
    });
    CodeMeaning::Composite(Box::new(CompositeMeaning { codes, collection, glyphs }))
}

fn descendant<'p>(font: &'p Dictionary, pdf: &'p Pdf) -> Option<&'p Dictionary> {
    let fonts = font.get_deref(b"DescendantFonts", pdf).and_then(Object::as_array).ok()?;
    pdf.dereference(fonts.first()?).ok()?.1.as_dict().ok()
}

fn read_to_unicode(map: &Object, pdf: &Pdf) -> Option<ToUnicode> {
    let stream = map.as_stream().ok()?;
    Some(ToUnicode::parse(&unpack_stream(stream, pdf, MAX_MAP_BYTES).ok()?))
}

/// How long a thousandth is in a Type 3 font's own unit.
fn type3_unit(font: &Dictionary, pdf: &Pdf) -> f32 {
    let matrix = font.get_deref(b"FontMatrix", pdf).and_then(Object::as_array).ok();
    let across = matrix.and_then(|matrix| number(pdf.dereference(matrix.first()?).ok()?.1));
    across.map_or(1.0, |across| (1000.0 * across).abs())
}

/// What each byte stands for: the base encoding or the font's own, changed by the differences that the font lists.
fn byte_table(font: &Dictionary, subtype: &[u8], pdf: &Pdf) -> [String; 256] {
    let encoding = font.get_deref(b"Encoding", pdf).ok();
    let dictionary = encoding.and_then(|encoding| encoding.as_dict().ok());
    let base = match dictionary {
        Some(dictionary) => dictionary.get_deref(b"BaseEncoding", pdf).ok(),
        None => encoding,
    };
    let base = base.and_then(|base| base.as_name().ok());
    let program = FontProgram::of_simple(font, pdf);
    let mut table = base_table(font, base, subtype, program.as_ref(), pdf);
    let differences = dictionary.and_then(|dictionary| dictionary.get_deref(b"Differences", pdf).ok());
    let differences = differences.and_then(|list| list.as_array().ok()).map_or(&[][..], Vec::as_slice);
    let tex = if subtype == b"Type3" { Some(tex_encoding(differences)) } else { None };
    let mut code = 0usize;
    for item in differences {
        match pdf.dereference(item).map(|(_, item)| item) {
            Ok(Object::Integer(number)) => code = usize::try_from(*number).unwrap_or(256),
            Ok(Object::Name(name)) => {
                if let Some(slot) = table.get_mut(code) {
                    *slot = difference_text(name, code as u8, tex, program.as_ref());
                }
                code += 1;
            }
            _ => {}
        }
    }
    table
}

/// The encoding of a font whose glyphs are only numbered.
fn tex_encoding(differences: &[Object]) -> TexEncoding {
    let names = differences.iter().filter_map(|item| item.as_name().ok());
    let numbers: Vec<u8> =
        names.filter_map(|name| number_of_glyph(std::str::from_utf8(name).ok()?)).collect();
    TexEncoding::of(&numbers)
}

fn difference_text(name: &[u8], code: u8, tex: Option<TexEncoding>, program: Option<&FontProgram>) -> String {
    let name = String::from_utf8_lossy(name);
    text_of_glyph(&name)
        .or_else(|| tex?.text(number_of_glyph(&name)?))
        .or_else(|| program?.byte_text(code))
        .unwrap_or_default()
}

/// The table before differences. A font that is embedded knows its own codes best, unless the file names an encoding;
/// bytes that neither explains are read as the standard encoding when they are plain letters.
fn base_table(
    font: &Dictionary,
    base: Option<&[u8]>,
    subtype: &[u8],
    program: Option<&FontProgram>,
    pdf: &Pdf,
) -> [String; 256] {
    let own = |byte: usize| program?.byte_text(byte as u8);
    if let Some(name) = base {
        let mut table = glyphs::named_encoding(name);
        for (byte, slot) in table.iter_mut().enumerate().filter(|(_, slot)| slot.is_empty()) {
            *slot = own(byte).unwrap_or_default();
        }
        return table;
    }
    let name = font.get_deref(b"BaseFont", pdf).and_then(Object::as_name).unwrap_or(b"");
    if program.is_none() && memchr::memmem::find(name, b"Symbol").is_some() {
        return std::array::from_fn(|byte| glyphs::text_of_symbol(byte as u8).unwrap_or_default());
    }
    if subtype == b"Type3" {
        return std::array::from_fn(|_| String::new());
    }
    let standard =
        glyphs::named_encoding(if subtype == b"TrueType" { b"WinAnsiEncoding" } else { b"StandardEncoding" });
    let mut byte = 0usize;
    standard.map(|letter| {
        byte += 1;
        own(byte - 1).unwrap_or(letter)
    })
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
    let widths: HashMap<u32, f32> = widths.collect();
    if widths.is_empty() {
        let name = font.get_deref(b"BaseFont", pdf).and_then(Object::as_name).unwrap_or(b"");
        return standard_widths(name);
    }
    let missing = font
        .get_deref(b"FontDescriptor", pdf)
        .and_then(Object::as_dict)
        .ok()
        .and_then(|descriptor| number(descriptor.get_deref(b"MissingWidth", pdf).ok()?));
    (widths, missing.unwrap_or(0.0))
}

/// Widths of a composite font: `[first [w w w] first last w …]` in its descendant's `W`.
fn wide_widths(font: &Dictionary, pdf: &Pdf) -> (HashMap<u32, f32>, f32) {
    let mut widths = HashMap::new();
    let Some(descendant) = descendant(font, pdf) else { return (widths, 1000.0) };
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
