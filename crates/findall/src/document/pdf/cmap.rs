//! ToUnicode maps: what a font's codes mean as text (ISO 32000-1, 9.10.3). Producers take liberties with everything
//! around the mappings, so only those are read: `bfchar` and `bfrange` sections, wherever they stand.

use std::collections::HashMap;

/// Most mappings kept; no font has more glyphs.
const MAX_MAPPINGS: usize = 1 << 17;
/// Code spaces kept; no encoding has more.
const MAX_CODE_SPACES: usize = 256;

/// A map from codes to text.
#[derive(Debug, Default, PartialEq)]
pub(super) struct ToUnicode {
    chars: HashMap<u32, String>,
    /// Sorted by first code.
    ranges: Vec<CodeRange>,
}

/// Codes of one length: each of their bytes lies between the low and the high one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CodeSpace {
    low: Vec<u8>,
    high: Vec<u8>,
}

impl CodeSpace {
    /// How many bytes a code has.
    pub fn length(&self) -> usize {
        self.low.len()
    }

    /// True when the bytes begin with a code of this space.
    pub fn matches(&self, bytes: &[u8]) -> bool {
        bytes.len() >= self.length()
            && bytes
                .iter()
                .zip(&self.low)
                .zip(&self.high)
                .all(|((byte, low), high)| low <= byte && byte <= high)
    }

    /// The code spaces that an embedded CMap declares, the shortest first.
    pub fn parse_all(cmap: &[u8]) -> Vec<CodeSpace> {
        let mut spaces = Vec::new();
        let mut low: Option<Vec<u8>> = None;
        let mut inside = false;
        let mut tokens = Tokens { bytes: cmap, at: 0 };
        while let Some(token) = tokens.next() {
            match token {
                CmapToken::Word(b"begincodespacerange") => inside = true,
                CmapToken::Word(b"endcodespacerange") => (inside, low) = (false, None),
                CmapToken::Hex(bytes) if inside && (1..=4).contains(&bytes.len()) => match low.take() {
                    Some(low) if low.len() == bytes.len() => spaces.push(CodeSpace { low, high: bytes }),
                    _ => low = Some(bytes),
                },
                _ => {}
            }
            if spaces.len() >= MAX_CODE_SPACES {
                break;
            }
        }
        spaces.sort_by_key(CodeSpace::length);
        spaces
    }
}

/// Codes that map to consecutive characters.
#[derive(Debug, PartialEq)]
struct CodeRange {
    first: u32,
    last: u32,
    /// UTF-16 of the first code's text; the last unit counts up.
    text: Vec<u16>,
}

#[derive(Debug, PartialEq)]
enum CmapToken<'b> {
    Hex(Vec<u8>),
    Open,
    Close,
    Word(&'b [u8]),
}

#[derive(Clone, Copy, PartialEq)]
enum CmapSection {
    Other,
    Chars,
    Ranges,
}

impl ToUnicode {
    /// Reads what mappings there are.
    pub fn parse(bytes: &[u8]) -> ToUnicode {
        let mut map = ToUnicode::default();
        let mut section = CmapSection::Other;
        let mut pending: Vec<Vec<u8>> = Vec::new();
        let mut tokens = Tokens { bytes, at: 0 };
        while let Some(token) = tokens.next() {
            match (token, section) {
                (CmapToken::Word(b"beginbfchar"), _) => section = CmapSection::Chars,
                (CmapToken::Word(b"beginbfrange"), _) => section = CmapSection::Ranges,
                (CmapToken::Word(b"endbfchar" | b"endbfrange"), _) => {
                    section = CmapSection::Other;
                    pending.clear();
                }
                (CmapToken::Hex(hex), CmapSection::Chars | CmapSection::Ranges) => {
                    pending.push(hex);
                    let wanted = if section == CmapSection::Chars { 2 } else { 3 };
                    if pending.len() == wanted {
                        map.add(&pending);
                        pending.clear();
                    }
                }
                (CmapToken::Open, CmapSection::Ranges) if pending.len() == 2 => {
                    let first = code(&pending[0]);
                    let texts = std::iter::from_fn(|| match tokens.next() {
                        Some(CmapToken::Hex(hex)) => Some(hex),
                        _ => None,
                    });
                    for (offset, text) in texts.enumerate() {
                        map.add_char(first.saturating_add(offset as u32), &text);
                    }
                    pending.clear();
                }
                _ => {}
            }
            if map.chars.len() + map.ranges.len() > MAX_MAPPINGS {
                break;
            }
        }
        map.ranges.sort_by_key(|range| range.first);
        map
    }

    fn add(&mut self, tokens: &[Vec<u8>]) {
        match tokens {
            [from, text] => self.add_char(code(from), text),
            [first, last, text] if first == last => self.add_char(code(first), text),
            [first, last, text] => {
                self.ranges.push(CodeRange { first: code(first), last: code(last), text: utf16(text) });
            }
            _ => {}
        }
    }

    fn add_char(&mut self, from: u32, text: &[u8]) {
        if self.chars.len() < MAX_MAPPINGS {
            self.chars.insert(from, String::from_utf16_lossy(&utf16(text)));
        }
    }

    /// Writes what the code means; false when the map does not say, or says that it means nothing.
    pub fn write(&self, code: u32, out: &mut String) -> bool {
        let before = out.len();
        if !self.look_up(code, out) {
            return false;
        }
        let means_nothing = |c: char| matches!(c, '\0' | '\u{fffd}' | '\u{ffff}' | '\u{feff}');
        if out[before..].chars().all(means_nothing) {
            out.truncate(before);
            return false;
        }
        true
    }

    fn look_up(&self, code: u32, out: &mut String) -> bool {
        if let Some(text) = self.chars.get(&code) {
            out.push_str(text);
            return true;
        }
        let after = self.ranges.partition_point(|range| range.first <= code);
        let Some(range) = after.checked_sub(1).map(|at| &self.ranges[at]).filter(|range| code <= range.last)
        else {
            return false;
        };
        let mut text = range.text.clone();
        if let Some(last) = text.last_mut() {
            *last = last.wrapping_add((code - range.first) as u16);
        }
        out.push_str(&String::from_utf16_lossy(&text));
        true
    }
}

/// A code of up to four bytes.
fn code(bytes: &[u8]) -> u32 {
    bytes.iter().take(4).fold(0, |code, &byte| code << 8 | u32::from(byte))
}

/// Big-endian units; a lone byte is a unit of its own, as some producers write them.
fn utf16(bytes: &[u8]) -> Vec<u16> {
    bytes.chunks(2).map(|unit| unit.iter().fold(0, |value, &byte| value << 8 | u16::from(byte))).collect()
}

struct Tokens<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Tokens<'b> {
    fn next(&mut self) -> Option<CmapToken<'b>> {
        loop {
            let rest = &self.bytes[self.at..];
            match rest.first()? {
                b'<' if rest.get(1) != Some(&b'<') => {
                    let end = memchr::memchr(b'>', rest).unwrap_or(rest.len());
                    self.at += (end + 1).min(rest.len());
                    return Some(CmapToken::Hex(bytes_of_hex(&rest[1..end])));
                }
                b'[' => {
                    self.at += 1;
                    return Some(CmapToken::Open);
                }
                b']' => {
                    self.at += 1;
                    return Some(CmapToken::Close);
                }
                b'%' => self.at += memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len()),
                byte if byte.is_ascii_alphanumeric() => {
                    let length = rest.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
                    self.at += length;
                    return Some(CmapToken::Word(&rest[..length]));
                }
                _ => self.at += 1,
            }
        }
    }
}

/// Hexadecimal digits to bytes; others are passed over, a missing last digit is zero.
pub(super) fn bytes_of_hex(digits: &[u8]) -> Vec<u8> {
    let values: Vec<u8> =
        digits.iter().filter_map(|&digit| char::from(digit).to_digit(16)).map(|value| value as u8).collect();
    values.chunks(2).map(|pair| pair[0] << 4 | pair.get(1).copied().unwrap_or(0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_spaces_tell_how_long_a_code_is() {
        let spaces = CodeSpace::parse_all(
            b"3 begincodespacerange <8140> <9FFC> <00><7F> <E08080> <EFBFBF> <01> endcodespacerange <00> <FF>",
        );
        assert_eq!(spaces.iter().map(CodeSpace::length).collect::<Vec<_>>(), [1, 2, 3]);
        assert!(spaces[1].matches(&[0x82, 0xA0, 0x41]) && !spaces[1].matches(&[0x82, 0x3F]));
        assert!(!spaces[2].matches(&[0xE0, 0x80]));
    }

    #[test]
    fn reads_mappings_whatever_stands_around_them() {
        let map = ToUnicode::parse(
            b"begincmap % comment <00> beginbfchar\n1 begincodespacerange <0000><FFFF> endcodespacerange\n\
              2 beginbfchar<0004><D83DDE00>\r<0005> <00660066>endbfchar\n2 beginbfrange <0010> <0012> <0041>\n\
              <0020><0022>[<0061> <0062><0063>] endbfrange",
        );
        let text = |code| {
            let mut out = String::new();
            map.write(code, &mut out).then_some(out)
        };
        assert_eq!(text(4).as_deref(), Some("\u{1f600}"));
        assert_eq!(text(5).as_deref(), Some("ff"));
        assert_eq!(text(0x12).as_deref(), Some("C"));
        assert_eq!(text(0x22).as_deref(), Some("c"));
        assert_eq!(text(0x13), None);
        assert_eq!(ToUnicode::parse(b"beginbfrange <00 <01"), ToUnicode::default());
    }
}
