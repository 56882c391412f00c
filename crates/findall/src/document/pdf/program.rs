//! The program of an embedded font, as far as it tells what letters its glyphs are: the built-in encoding of Type 1 and
//! CFF fonts, the character map and glyph names of TrueType ones. The outlines themselves are never read.

use std::collections::HashMap;

use lopdf::{Dictionary, Document as Pdf, Object};
use ttf_parser::{Face, GlyphId, PlatformId, cff};

use super::glyphs::text_of_glyph;
use super::streams::unpack_stream;

/// Most bytes that one font may unpack to.
const MAX_FONT_BYTES: usize = 32 * 1024 * 1024;
/// Glyphs that a character map may name; a font has no more.
const MAX_GLYPHS: usize = 1 << 16;

/// What an embedded font says about its glyphs.
pub(super) enum FontProgram {
    /// Type 1 and CFF: the names that the font's own encoding gives to bytes.
    GlyphNames(Box<[Option<String>; 256]>),
    /// TrueType, and CFF in an OpenType file.
    CharacterMap(GlyphMap),
    /// CFF whose glyphs are numbered in order: what their names mean.
    GlyphTexts(HashMap<u32, String>),
}

/// The character map of a TrueType font.
pub(super) struct GlyphMap {
    /// Glyphs to what they show.
    texts: HashMap<u32, String>,
    /// Bytes to glyphs, by the maps that symbolic fonts have.
    bytes: HashMap<u8, u32>,
}

impl FontProgram {
    /// The program that a simple font's descriptor holds.
    pub fn of_simple(font: &Dictionary, pdf: &Pdf) -> Option<FontProgram> {
        let bytes = font_file(font, pdf)?;
        if bytes.starts_with(b"%!") || bytes.first() == Some(&0x80) {
            return Some(FontProgram::GlyphNames(Box::new(type1_names(&bytes))));
        }
        if let Some(table) = cff::Table::parse(&bytes) {
            return Some(FontProgram::GlyphNames(Box::new(cff_names(&table))));
        }
        let face = Face::parse(&bytes, 0).ok()?;
        let mut map = GlyphMap::new(&face);
        if map.bytes.is_empty()
            && let Some(table) = face.tables().cff
        {
            return Some(FontProgram::GlyphNames(Box::new(cff_names(&table))));
        }
        map.bytes.retain(|_, glyph| map.texts.contains_key(glyph));
        Some(FontProgram::CharacterMap(map))
    }

    /// The program that a composite font's descendant holds.
    pub fn of_descendant(descendant: &Dictionary, pdf: &Pdf) -> Option<FontProgram> {
        let bytes = font_file(descendant, pdf)?;
        if let Some(table) = cff::Table::parse(&bytes) {
            return Some(FontProgram::GlyphTexts(cff_texts(&table)));
        }
        let face = Face::parse(&bytes, 0).ok()?;
        Some(FontProgram::CharacterMap(GlyphMap::new(&face)))
    }

    /// What a glyph shows, by its number.
    pub fn glyph_text(&self, glyph: u32) -> Option<&str> {
        match self {
            FontProgram::GlyphNames(_) => None,
            FontProgram::CharacterMap(map) => map.texts.get(&glyph).map(String::as_str),
            FontProgram::GlyphTexts(texts) => texts.get(&glyph).map(String::as_str),
        }
    }

    /// What a byte of a simple font shows, by the font's own encoding.
    pub fn byte_text(&self, byte: u8) -> Option<String> {
        match self {
            FontProgram::GlyphNames(names) => text_of_glyph(names[usize::from(byte)].as_deref()?),
            FontProgram::CharacterMap(map) => map.texts.get(map.bytes.get(&byte)?).cloned(),
            FontProgram::GlyphTexts(_) => None,
        }
    }
}

fn font_file(font: &Dictionary, pdf: &Pdf) -> Option<Vec<u8>> {
    let descriptor = font.get_deref(b"FontDescriptor", pdf).and_then(Object::as_dict).ok()?;
    let keys: [&[u8]; 3] = [b"FontFile3", b"FontFile2", b"FontFile"];
    let stream =
        keys.iter().find_map(|key| descriptor.get_deref(key, pdf).and_then(Object::as_stream).ok())?;
    unpack_stream(stream, pdf, MAX_FONT_BYTES).ok()
}

/// The encoding in the readable part of a Type 1 font: `dup 12 /fi put` for each code, or the standard one by name.
fn type1_names(font: &[u8]) -> [Option<String>; 256] {
    let mut names = std::array::from_fn(|_| None);
    let end = memchr::memmem::find(font, b"eexec").unwrap_or(font.len());
    let Some(start) = memchr::memmem::find(&font[..end], b"/Encoding") else { return names };
    let text = String::from_utf8_lossy(&font[start..end]);
    let text = text.split_once("readonly def").map_or(&*text, |(own, _)| own);
    let spread = text.replace('/', " /");
    let mut words = spread.split_ascii_whitespace();
    while let Some(word) = words.next() {
        if word != "dup" {
            continue;
        }
        let Some(code) = words.next().and_then(type1_number) else { continue };
        let Some(name) = words.next().and_then(|name| name.strip_prefix('/')) else { continue };
        names[usize::from(code)] = Some(name.to_owned());
    }
    names
}

/// A code in decimal, or as `8#101`.
fn type1_number(word: &str) -> Option<u8> {
    match word.split_once('#') {
        Some((base, digits)) => {
            let base = base.parse().ok().filter(|base| (2..=36).contains(base))?;
            u8::from_str_radix(digits, base).ok()
        }
        None => word.parse().ok(),
    }
}

fn cff_names(table: &cff::Table<'_>) -> [Option<String>; 256] {
    std::array::from_fn(|byte| {
        let glyph = table.glyph_index(byte as u8).filter(|glyph| glyph.0 > 0)?;
        table.glyph_name(glyph).map(str::to_owned)
    })
}

fn cff_texts(table: &cff::Table<'_>) -> HashMap<u32, String> {
    let glyphs = 1..table.number_of_glyphs();
    glyphs.filter_map(|n| Some((u32::from(n), text_of_glyph(table.glyph_name(GlyphId(n))?)?))).collect()
}

impl GlyphMap {
    fn new(face: &Face<'_>) -> GlyphMap {
        let mut map = GlyphMap { texts: HashMap::new(), bytes: HashMap::new() };
        for subtable in face.tables().cmap.iter().flat_map(|cmap| cmap.subtables) {
            let symbolic = subtable.platform_id == PlatformId::Windows && subtable.encoding_id == 0;
            let macintosh = subtable.platform_id == PlatformId::Macintosh;
            let mut seen = 0usize;
            subtable.codepoints(|code| {
                seen += 1;
                if seen > MAX_GLYPHS {
                    return;
                }
                let Some(glyph) = subtable.glyph_index(code).map(|glyph| u32::from(glyph.0)) else { return };
                if glyph == 0 {
                } else if symbolic || macintosh {
                    // Symbolic fonts put their bytes into a private row of Unicode.
                    let byte = if symbolic && code >= 0xF000 { code - 0xF000 } else { code };
                    if let Ok(byte) = u8::try_from(byte) {
                        map.bytes.entry(byte).or_insert(glyph);
                    }
                } else if subtable.is_unicode()
                    && let Some(c) = char::from_u32(code).filter(|&c| is_letter_of_its_own(c))
                {
                    map.texts.entry(glyph).or_insert_with(|| c.to_string());
                }
            });
        }
        for number in 1..face.number_of_glyphs() {
            let glyph = u32::from(number);
            if !map.texts.contains_key(&glyph)
                && let Some(text) = face.glyph_name(GlyphId(number)).and_then(text_of_glyph)
            {
                map.texts.insert(glyph, text);
            }
        }
        map
    }
}

/// Not a private character, nor a space that looks like another glyph's.
fn is_letter_of_its_own(c: char) -> bool {
    !matches!(c, '\0'..='\u{1f}' | '\u{e000}'..='\u{f8ff}' | '\u{fffd}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type1_fonts_name_their_codes() {
        let font = b"%!PS-AdobeFont-1.0: CMR10\n/Encoding 256 array\n0 1 255 {1 index exch /.notdef put} for\n\
                     dup 12 /fi put\ndup 8#101/A put\ndup 999 /x put\nreadonly def\ndup 13 /fl put\ncurrentfile eexec";
        let names = type1_names(font);
        assert_eq!((names[12].as_deref(), names[65].as_deref()), (Some("fi"), Some("A")));
        assert_eq!(names.iter().flatten().count(), 2);
        assert!(type1_names(b"/Encoding StandardEncoding def").iter().all(Option::is_none));
    }
}
