//! How a composite font reads a string: bytes to codes, codes to character identifiers (ISO 32000-1, 9.7.5). The CMap is
//! the identity, one that the file holds, or one of Adobe's by name, which come with hayro-cmap.

use hayro_cmap::{BfString, CMap, CMapName, CidFamily};
use lopdf::{Dictionary, Document as Pdf, Object};

use super::cmap::CodeSpace;
use super::streams::unpack_stream;

/// Most bytes that an embedded CMap may unpack to.
const MAX_CMAP_BYTES: usize = 8 * 1024 * 1024;

/// From bytes to codes and character identifiers (CIDs).
pub(super) struct CodeReader {
    cmap: Option<CMap>,
    /// What an embedded CMap declares; empty for the others.
    spaces: Vec<CodeSpace>,
    /// Codes are Unicode in this form.
    unicode: Option<UnicodeForm>,
    pub vertical: bool,
}

/// How a Unicode CMap writes its codes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum UnicodeForm {
    Utf8,
    /// UTF-16 and UCS-2.
    Utf16,
    Utf32,
}

/// One code of a string.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Code {
    pub number: u32,
    pub length: usize,
}

impl CodeReader {
    /// The reader that a composite font's `Encoding` names or holds.
    pub fn new(font: &Dictionary, pdf: &Pdf) -> CodeReader {
        match font.get_deref(b"Encoding", pdf) {
            Ok(Object::Stream(stream)) => {
                let bytes = unpack_stream(stream, pdf, MAX_CMAP_BYTES).unwrap_or_default();
                let named = stream.dict.get_deref(b"UseCMap", pdf).and_then(Object::as_name).ok();
                let vertical =
                    stream.dict.get_deref(b"WMode", pdf).and_then(Object::as_i64).is_ok_and(|mode| mode == 1);
                let cmap = CMap::parse(&bytes, hayro_cmap::load_embedded)
                    .or_else(|| named.and_then(|name| load_predefined(CMapName::from_bytes(name))));
                CodeReader { cmap, spaces: CodeSpace::parse_all(&bytes), unicode: None, vertical }
            }
            Ok(Object::Name(name)) => CodeReader::from_name(name),
            _ => CodeReader::from_name(b"Identity-H"),
        }
    }

    fn from_name(name: &[u8]) -> CodeReader {
        let holds = |part: &[u8]| memchr::memmem::find(name, part).is_some();
        let unicode = if holds(b"UTF16") || holds(b"UCS2") {
            Some(UnicodeForm::Utf16)
        } else if holds(b"UTF8") {
            Some(UnicodeForm::Utf8)
        } else if holds(b"UTF32") {
            Some(UnicodeForm::Utf32)
        } else {
            None
        };
        let cmap =
            if name.starts_with(b"Identity") { None } else { load_predefined(CMapName::from_bytes(name)) };
        CodeReader { cmap, spaces: Vec::new(), unicode, vertical: name.ends_with(b"-V") }
    }

    /// The first code of a string that is not empty.
    pub fn first(&self, bytes: &[u8]) -> Code {
        let length = self.first_length(bytes).clamp(1, bytes.len().max(1));
        Code { number: number(&bytes[..length.min(bytes.len())]), length }
    }

    fn first_length(&self, bytes: &[u8]) -> usize {
        if let Some(space) = self.spaces.iter().find(|space| space.matches(bytes)) {
            return space.length();
        }
        if let Some(shortest) = self.spaces.first() {
            return shortest.length();
        }
        match (self.unicode, &self.cmap) {
            (Some(UnicodeForm::Utf32), _) => 4,
            (Some(UnicodeForm::Utf16), _) => {
                if matches!(bytes[0], 0xD8..=0xDB) {
                    4
                } else {
                    2
                }
            }
            (Some(UnicodeForm::Utf8), _) => match bytes[0] {
                ..=0xBF => 1,
                0xC0..=0xDF => 2,
                0xE0..=0xEF => 3,
                _ => 4,
            },
            (None, Some(cmap)) => {
                let known = |length: &usize| {
                    let code = bytes.get(..*length).map(number);
                    code.is_some_and(|code| cmap.lookup_cid_code(code, *length as u8).is_some())
                };
                // A code that no range holds: ASCII is one byte in all of these encodings, the rest mostly two.
                (1..=4).find(known).unwrap_or(if bytes[0] < 0x80 { 1 } else { 2 })
            }
            (None, None) => 2,
        }
    }

    /// The character identifier of a code.
    pub fn cid(&self, code: Code) -> u32 {
        match &self.cmap {
            Some(cmap) => cmap.lookup_cid_code(code.number, code.length as u8).unwrap_or(0),
            None => code.number,
        }
    }

    /// The text of a code when the CMap's codes are Unicode.
    pub fn unicode_text(&self, code: Code) -> Option<String> {
        let bytes = &code.number.to_be_bytes()[4 - code.length.min(4)..];
        match self.unicode? {
            UnicodeForm::Utf8 => std::str::from_utf8(bytes).ok().map(str::to_owned),
            UnicodeForm::Utf32 => char::from_u32(code.number).map(String::from),
            UnicodeForm::Utf16 => {
                let units: Vec<u16> = bytes.chunks(2).map(|unit| number(unit) as u16).collect();
                String::from_utf16(&units).ok()
            }
        }
    }

    /// True when codes are the identifiers themselves.
    pub fn is_identity(&self) -> bool {
        self.cmap.is_none() && self.unicode.is_none()
    }
}

fn load_predefined(name: CMapName<'_>) -> Option<CMap> {
    CMap::parse(hayro_cmap::load_embedded(name)?, hayro_cmap::load_embedded)
}

fn number(bytes: &[u8]) -> u32 {
    bytes.iter().take(4).fold(0, |code, &byte| code << 8 | u32::from(byte))
}

/// What Adobe's character collections mean: identifiers to text.
pub(super) struct Collection(CMap);

impl Collection {
    /// The collection that a descendant font's `CIDSystemInfo` names.
    pub fn new(descendant: &Dictionary, pdf: &Pdf) -> Option<Collection> {
        let info = descendant.get_deref(b"CIDSystemInfo", pdf).and_then(Object::as_dict).ok()?;
        let entry = |key: &[u8]| info.get_deref(key, pdf).and_then(Object::as_str).unwrap_or(b"");
        let family = CidFamily::from_registry_ordering(entry(b"Registry"), entry(b"Ordering"));
        load_predefined(family.ucs2_cmap()?).map(Collection)
    }

    pub fn text(&self, cid: u32) -> Option<String> {
        Some(match self.0.lookup_bf_string(cid)? {
            BfString::Char(c) => c.to_string(),
            BfString::String(text) => text,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(reader: &CodeReader, mut bytes: &[u8]) -> Vec<(u32, usize)> {
        let mut codes = Vec::new();
        while !bytes.is_empty() {
            let code = reader.first(bytes);
            codes.push((code.number, code.length));
            bytes = &bytes[code.length..];
        }
        codes
    }

    #[test]
    fn mixed_lengths_are_told_apart() {
        let shift_jis = CodeReader::from_name(b"90ms-RKSJ-H");
        assert_eq!(codes(&shift_jis, b"a\x82\xa0b"), [(0x61, 1), (0x82A0, 2), (0x62, 1)]);
        let identity = CodeReader::from_name(b"Identity-H");
        assert_eq!(codes(&identity, b"\x00a\x01"), [(0x61, 2), (1, 1)]);
        let utf8 = CodeReader::from_name(b"UniJIS-UTF8-H");
        assert_eq!(utf8.unicode_text(utf8.first("あ".as_bytes())).as_deref(), Some("あ"));
    }
}
