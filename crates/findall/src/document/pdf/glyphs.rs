//! What glyph names mean: the Adobe Glyph List and its rules for composed names, what TeX fonts add to them, and names
//! that are nothing but a code.

use lopdf::{Dictionary, Document as Pdf, Object};

/// Most bytes that lopdf may unpack while it looks up a name; it has nothing to unpack.
const MAX_LOOKUP_BYTES: usize = 1024;

/// What a glyph's name says it is (Adobe Glyph List specification): parts joined by `_`, a suffix after `.`.
pub(super) fn text_of_glyph(name: &str) -> Option<String> {
    let bare = name.split('.').next().filter(|bare| !bare.is_empty())?;
    let mut text = String::new();
    for part in bare.split('_') {
        text.push_str(&text_of_part(part)?);
    }
    (!text.is_empty()).then_some(text)
}

fn text_of_part(name: &str) -> Option<String> {
    if let Some(hex) = name.strip_prefix("uni").filter(|hex| hex.len() >= 4 && is_hex(hex)) {
        let units: Vec<u16> = (0..hex.len() / 4)
            .filter_map(|at| u16::from_str_radix(hex.get(4 * at..4 * at + 4)?, 16).ok())
            .collect();
        return String::from_utf16(&units).ok();
    }
    if let Some(hex) = name.strip_prefix('u').filter(|hex| (4..=6).contains(&hex.len()) && is_hex(hex)) {
        return u32::from_str_radix(hex, 16).ok().and_then(char::from_u32).map(String::from);
    }
    let own = match name {
        "dotlessj" => "\u{237}",
        "nbspace" | "visiblespace" | "visualspace" => " ",
        "Dcroat" => "\u{110}",
        "suppress" | "cwm" => "",
        "SS" => "SS",
        "perthousandzero" => "\u{2030}",
        "ct" => "ct",
        "st" => "st",
        "fj" => "fj",
        "ft" => "ft",
        "Th" => "Th",
        "tt" => "tt",
        "hyphenchar" => "-",
        _ => return look_up_name(name),
    };
    Some(own.to_owned())
}

fn is_hex(digits: &str) -> bool {
    digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// lopdf holds Adobe's list of names but shows it only through a font's differences.
fn look_up_name(name: &str) -> Option<String> {
    let mut encoding = Dictionary::new();
    encoding.set("Differences", vec![Object::Integer(1), Object::Name(name.as_bytes().to_vec())]);
    let mut font = Dictionary::new();
    font.set("Type", Object::Name(b"Font".to_vec()));
    font.set("Encoding", encoding);
    let none = Pdf::new();
    let decoded = font.get_font_encoding_with_limit(&none, MAX_LOOKUP_BYTES).ok()?;
    decoded.bytes_to_string(&[1]).ok().filter(|text| !text.is_empty() && text != "\u{1}")
}

/// Fonts that were made from pictures of letters number them: `a65`, `G41`, `c101`.
pub(super) fn number_of_glyph(name: &str) -> Option<u8> {
    let at = name.find(|c: char| c.is_ascii_digit()).filter(|&at| at <= 2)?;
    name[at..].parse().ok()
}

/// The encoding that the numbers of such a font are of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum TexEncoding {
    /// The first one, of seven bits, with accents apart from their letters.
    Ot1,
    /// The one from Cork, of eight bits.
    T1,
}

/// The upper half of the Cork encoding before it agrees with Latin-1.
const CORK: &str = "ĂĄĆČĎĚĘĞĹĽŁŃŇŊŐŔŘŚŠŞŤŢŰŮŸŹŽŻĲİđ§ăąćčďěęğĺľłńňŋőŕřśšşťţűůÿźžżĳ¡¿£";

impl TexEncoding {
    /// The encoding that has all these numbers, and ligatures where they are.
    pub fn of(numbers: &[u8]) -> TexEncoding {
        let has = |range: std::ops::RangeInclusive<u8>| numbers.iter().any(|number| range.contains(number));
        if has(128..=255) || has(27..=31) && !has(11..=15) { TexEncoding::T1 } else { TexEncoding::Ot1 }
    }

    /// What a number stands for.
    pub fn text(self, code: u8) -> Option<String> {
        let text = match (self, code) {
            (_, b'\'') => "\u{2019}",
            (_, b'`') => "\u{2018}",
            (TexEncoding::T1, 27) | (TexEncoding::Ot1, 11) => "ff",
            (TexEncoding::T1, 28) | (TexEncoding::Ot1, 12) => "fi",
            (TexEncoding::T1, 29) | (TexEncoding::Ot1, 13) => "fl",
            (TexEncoding::T1, 30) | (TexEncoding::Ot1, 14) => "ffi",
            (TexEncoding::T1, 31) | (TexEncoding::Ot1, 15) => "ffl",
            (TexEncoding::T1, 25) | (TexEncoding::Ot1, 16) => "\u{131}",
            (TexEncoding::T1, 16) | (TexEncoding::Ot1, 92) => "\u{201c}",
            (TexEncoding::T1, 17) | (TexEncoding::Ot1, 34) => "\u{201d}",
            (TexEncoding::T1, 21) | (TexEncoding::Ot1, 123) => "\u{2013}",
            (TexEncoding::T1, 22) | (TexEncoding::Ot1, 124) => "\u{2014}",
            (TexEncoding::T1, 0xD7) => "\u{152}",
            (TexEncoding::T1, 0xDF) => "SS",
            (TexEncoding::T1, 0xF7) | (TexEncoding::Ot1, 27) => "\u{153}",
            (TexEncoding::T1, 0xFF) | (TexEncoding::Ot1, 25) => "\u{df}",
            (TexEncoding::T1, 127) => "-",
            (TexEncoding::Ot1, 18) => "`",
            (TexEncoding::Ot1, 19) => "\u{b4}",
            (TexEncoding::Ot1, 20) => "\u{2c7}",
            (TexEncoding::Ot1, 21) => "\u{2d8}",
            (TexEncoding::Ot1, 22) => "\u{af}",
            (TexEncoding::Ot1, 23) => "\u{2da}",
            (TexEncoding::Ot1, 24) => "\u{b8}",
            (TexEncoding::Ot1, 26) => "\u{e6}",
            (TexEncoding::Ot1, 28) => "\u{f8}",
            (TexEncoding::Ot1, 60) => "\u{a1}",
            (TexEncoding::Ot1, 62) => "\u{bf}",
            (TexEncoding::Ot1, 94) => "\u{2c6}",
            (TexEncoding::Ot1, 95) => "\u{2d9}",
            (TexEncoding::Ot1, 125) => "\u{2dd}",
            (TexEncoding::Ot1, 126) => "\u{2dc}",
            (TexEncoding::Ot1, 127) => "\u{a8}",
            (_, 33..=126) | (TexEncoding::T1, 192..) => return Some(char::from(code).to_string()),
            (TexEncoding::T1, 128..) => return CORK.chars().nth(usize::from(code - 128)).map(String::from),
            _ => return None,
        };
        Some(text.to_owned())
    }
}

/// What each byte of one of PDF's named encodings stands for; `StandardEncoding` when the name is not known.
pub(super) fn named_encoding(name: &[u8]) -> [String; 256] {
    let known: [&[u8]; 3] = [b"WinAnsiEncoding", b"MacRomanEncoding", b"MacExpertEncoding"];
    let name = if known.contains(&name) { name } else { b"StandardEncoding" };
    let mut font = Dictionary::new();
    font.set("Type", Object::Name(b"Font".to_vec()));
    font.set("Encoding", Object::Name(name.to_vec()));
    let none = Pdf::new();
    let base = font.get_font_encoding_with_limit(&none, MAX_LOOKUP_BYTES).ok();
    std::array::from_fn(|byte| {
        let decoded = base.as_ref().and_then(|base| base.bytes_to_string(&[byte as u8]).ok());
        decoded.unwrap_or_default()
    })
}

/// The Symbol font's own encoding, from code 32 on; `\u{0}` where it has no letter.
const SYMBOL: &str =
    " !∀#∃%&∍()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_\u{203e}αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼";

/// The Symbol font's meaning of a byte.
pub(super) fn text_of_symbol(byte: u8) -> Option<String> {
    SYMBOL.chars().nth(usize::from(byte.checked_sub(32)?)).map(String::from)
}

/// Writes text with its ligatures taken apart, as people type them.
pub(super) fn push_letters(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '\u{fb00}' => out.push_str("ff"),
            '\u{fb01}' => out.push_str("fi"),
            '\u{fb02}' => out.push_str("fl"),
            '\u{fb03}' => out.push_str("ffi"),
            '\u{fb04}' => out.push_str("ffl"),
            '\u{fb05}' | '\u{fb06}' => out.push_str("st"),
            '\t' | '\n' | '\r' | '\u{2000}'..='\u{200a}' | '\u{3000}' => out.push(' '),
            _ => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_composed() {
        let cases = [
            ("A", Some("A")),
            ("fi", Some("\u{fb01}")),
            ("f_f_i", Some("ffi")),
            ("eacute.sc", Some("\u{e9}")),
            ("uni00660069", Some("fi")),
            ("u1F600", Some("\u{1f600}")),
            (".notdef", None),
            ("g123", None),
        ];
        for (name, text) in cases {
            assert_eq!(text_of_glyph(name).as_deref(), text, "{name}");
        }
        assert_eq!((number_of_glyph("a65"), number_of_glyph("plus")), (Some(65), None));
        assert_eq!(TexEncoding::of(&[12, 65]).text(12).as_deref(), Some("fi"));
        assert_eq!(TexEncoding::of(&[28, 65]).text(28).as_deref(), Some("fi"));
        assert_eq!(TexEncoding::of(&[0xFC]).text(0x8A).as_deref(), Some("Ł"));
        assert_eq!(CORK.chars().count(), 192 - 128);
        assert_eq!(text_of_symbol(b'a').as_deref(), Some("α"));
        assert_eq!(SYMBOL.chars().count(), 127 - 32);
    }
}
