//! Bytes to text: the encoding is found (BOM, UTF-8 validity, the markup's own word, statistics), and a map leads back
//! from the decoded text to the bytes.

mod byte_map;
mod encoding;

pub(crate) use byte_map::ByteMap;
pub(crate) use encoding::utf16_shape;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use self::byte_map::{Chunk, StrayBytes, UTF32_STEP};
use self::encoding::{find_declared, guess_encoding, utf32_order};
use super::limits::Limits;
use crate::error::DocumentError;

/// Decoded text and the way back.
#[derive(Debug)]
pub(crate) struct DecodedText {
    pub text: String,
    pub bytes: ByteMap,
}

/// Chunks end at the first safe byte after this many.
const CHUNK_BYTES: usize = 2048;

/// Decodes any bytes to text. Nothing is refused: what no encoding explains becomes U+FFFD.
pub(crate) fn decode(bytes: Vec<u8>, markup: Markup, limits: &Limits) -> Result<DecodedText, DocumentError> {
    limits.check_source(bytes.len())?;
    if let Some(big_endian) = utf32_order(&bytes) {
        return decode_utf32(&bytes, big_endian, limits);
    }
    if let Some((encoding, bom)) = Encoding::for_bom(&bytes) {
        if encoding != UTF_8 {
            return decode_other(&bytes, bom, encoding, limits);
        }
        return decode_utf8_or(bytes, bom, |_| UTF_8, limits);
    }
    decode_utf8_or(
        bytes,
        0,
        |bytes| {
            utf16_shape(&bytes[..bytes.len().min(8192)])
                .or_else(|| if markup == Markup::Yes { find_declared(bytes) } else { None })
                .unwrap_or_else(|| guess_encoding(bytes))
        },
        limits,
    )
}

/// UTF-8 in which some bytes are not: those that make a letter of a word are read as Windows-1252, which is what such files
/// were joined or pasted from; the others become U+FFFD.
fn decode_mixed(bytes: &[u8], limits: &Limits) -> Result<DecodedText, DocumentError> {
    let mut text = String::with_capacity(bytes.len());
    let mut strays = Vec::new();
    let mut source = 0;
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        source += chunk.valid().len();
        let mut rest = chunk.invalid();
        let end = source + rest.len();
        while let Some(&first) = rest.first() {
            let next = bytes.get(source + 1).copied();
            let (c, taken) = match western_letter(first, &text, next) {
                Some(letter) => (letter, 1),
                None => (char::REPLACEMENT_CHARACTER, rest.len()),
            };
            strays.push(StrayBytes {
                text: text.len() as u32,
                source: source as u32,
                text_len: c.len_utf8() as u8,
                source_len: taken as u8,
            });
            text.push(c);
            source += taken;
            rest = &rest[taken..];
        }
        debug_assert_eq!(source, end);
        limits.check_text(text.len())?;
    }
    Ok(DecodedText { text, bytes: ByteMap::Mixed { strays } })
}

/// The letter or mark that a stray byte stands for in Windows-1252, where it touches a letter or a space as such do.
fn western_letter(byte: u8, before: &str, after: Option<u8>) -> Option<char> {
    let (decoded, _) = WINDOWS_1252.decode_without_bom_handling(std::slice::from_ref(&byte));
    let c = decoded.chars().next().filter(|c| !c.is_control())?;
    let before = before.chars().next_back();
    let touches_letter = before.is_some_and(char::is_alphabetic) && before.is_none_or(|b| b <= '\u{24f}')
        || after.is_some_and(|b| b.is_ascii_alphabetic());
    // What begins a longer character of UTF-8 and has no next byte was cut off.
    let is_whole = after.map_or(byte < 0xC2, |b| b.is_ascii());
    (is_whole && touches_letter).then_some(c)
}

fn decode_utf32(bytes: &[u8], big_endian: bool, limits: &Limits) -> Result<DecodedText, DocumentError> {
    let mut text = String::with_capacity(bytes.len() / 4);
    let (mut steps, mut lengths) = (Vec::new(), Vec::with_capacity(bytes.len() / 4));
    for (at, unit) in bytes[4..].chunks_exact(4).enumerate() {
        if at.is_multiple_of(UTF32_STEP) {
            steps.push(text.len() as u32);
            limits.check_text(text.len())?;
        }
        let unit = [unit[0], unit[1], unit[2], unit[3]];
        let number = if big_endian { u32::from_be_bytes(unit) } else { u32::from_le_bytes(unit) };
        let c = char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER);
        lengths.push(c.len_utf8() as u8);
        text.push(c);
    }
    limits.check_text(text.len())?;
    Ok(DecodedText { text, bytes: ByteMap::Utf32 { steps, lengths: lengths.into() } })
}

/// Whether the text may name its own encoding, as HTML and XML do.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Markup {
    Yes,
    No,
}

fn decode_utf8_or(
    mut bytes: Vec<u8>,
    skipped: usize,
    otherwise: impl FnOnce(&[u8]) -> &'static Encoding,
    limits: &Limits,
) -> Result<DecodedText, DocumentError> {
    // UTF-16 without a BOM is valid UTF-8 when it is all ASCII, so its NULs must speak first.
    let is_utf16 = skipped == 0 && utf16_shape(&bytes[..bytes.len().min(8192)]).is_some();
    if !is_utf16 {
        match String::from_utf8(bytes) {
            Ok(mut text) => {
                text.drain(..skipped);
                limits.check_text(text.len())?;
                return Ok(DecodedText { text, bytes: ByteMap::Same { skipped } });
            }
            Err(error) => bytes = error.into_bytes(),
        }
    }
    let encoding = otherwise(&bytes[skipped..]);
    if encoding == UTF_8 && skipped == 0 {
        return decode_mixed(&bytes, limits);
    }
    decode_other(&bytes, skipped, encoding, limits)
}

fn decode_other(
    bytes: &[u8],
    skipped: usize,
    encoding: &'static Encoding,
    limits: &Limits,
) -> Result<DecodedText, DocumentError> {
    let mut text = String::with_capacity(bytes.len() - skipped);
    let mut chunks = Vec::with_capacity(bytes.len() / CHUNK_BYTES + 1);
    let mut at = skipped;
    while at < bytes.len() {
        let end = chunk_end(bytes, at, encoding);
        chunks.push(Chunk { text: text.len(), source: at });
        let (decoded, _) = encoding.decode_without_bom_handling(&bytes[at..end]);
        text.push_str(&decoded);
        limits.check_text(text.len())?;
        at = end;
    }
    Ok(DecodedText { text, bytes: ByteMap::Other { source: bytes.into(), encoding, chunks } })
}

/// Where the chunk that starts at `start` may end: after a unit that cannot be the middle of a character.
fn chunk_end(bytes: &[u8], start: usize, encoding: &'static Encoding) -> usize {
    let earliest = start + CHUNK_BYTES;
    if earliest >= bytes.len() {
        return bytes.len();
    }
    if encoding == UTF_16LE || encoding == UTF_16BE {
        let high = usize::from(encoding == UTF_16LE);
        // CHUNK_BYTES is even, so units stay aligned with the start.
        return (earliest..bytes.len().saturating_sub(1))
            .step_by(2)
            .find(|&at| !(0xD8..=0xDF).contains(&bytes[at + high]))
            .unwrap_or(bytes.len());
    }
    if encoding.is_single_byte() {
        return earliest;
    }
    if encoding == UTF_8 {
        // Never between a lead byte and its continuation bytes; after three of those no character goes on.
        let continues = |at: usize| bytes[at] & 0xC0 == 0x80;
        return (earliest..bytes.len())
            .find(|&at| !continues(at) || (at - 3..at).all(continues))
            .unwrap_or(bytes.len());
    }
    // In every multi-byte legacy encoding, bytes below 0x21 are never part of a longer character.
    (earliest..bytes.len()).find(|&at| bytes[at] < 0x21).map_or(bytes.len(), |at| at + 1)
}

#[cfg(test)]
mod tests {
    use encoding_rs::MACINTOSH;

    use super::*;

    fn check(bytes: &[u8], markup: Markup, text: &str) -> DecodedText {
        let decoded = decode(bytes.to_vec(), markup, &Limits::default()).expect("decodes");
        assert_eq!(decoded.text, text);
        decoded
    }

    #[test]
    fn finds_the_encoding() {
        check(b"\xef\xbb\xbfcaf\xc3\xa9", Markup::No, "café");
        check(b"\xff\xfeh\0i\0", Markup::No, "hi");
        check(b"\xfe\xff\0h\0i", Markup::No, "hi");
        check(b"p\0l\0a\0i\0n\0", Markup::No, "plain");
        check(b"<meta charset=windows-1251>\xcc\xee", Markup::Yes, "<meta charset=windows-1251>Мо");
        check(b"na\xefve caf\xe9 words in french", Markup::No, "naïve café words in french");
        let mostly = "é".repeat(20);
        let broken = [mostly.as_bytes(), b"\xff"].concat();
        check(&broken, Markup::No, &format!("{mostly}\u{fffd}"));
    }

    #[test]
    fn an_old_macintosh_is_known_by_its_letters() {
        let text = "Le café était fermé à l’été; ça fait déjà une année. Die schönen Häuser über der Brücke.";
        // encoding_rs writes no such encoding: it is a table of one byte a letter.
        let byte =
            |c: char| (0..=255).find(|&byte| MACINTOSH.decode_without_bom_handling(&[byte]).0.starts_with(c));
        let bytes: Vec<u8> = text.chars().map(|c| byte(c).expect("there")).collect();
        let decoded = check(&bytes, Markup::No, text);
        let at = text.find('ö').expect("there");
        let letters = text[..at].chars().count();
        assert_eq!(decoded.bytes.source(at..at + 2), letters..letters + 1);
        check(b"caf\x8e", Markup::No, "café");
        let (western, _, _) = WINDOWS_1252.encode(text);
        check(&western, Markup::No, text);
    }

    #[test]
    fn a_file_may_be_both_utf8_and_latin1() {
        let bytes = b"caf\xc3\xa9 caf\xe9\nna\xc3\xafve na\xefve \xe2\x80\x94 end\xff\xfe";
        let text = "café café\nnaïve naïve — end\u{fffd}\u{fffd}";
        let decoded = check(bytes, Markup::No, text);
        for (at, _) in text.match_indices('é').chain(text.match_indices('ï')).chain(text.match_indices("end"))
        {
            let length = text[at..].chars().next().map_or(0, char::len_utf8);
            let source = &bytes[decoded.bytes.source(at..at + length)];
            assert!(
                matches!(source, b"\xc3\xa9" | b"\xe9" | b"\xc3\xaf" | b"\xef" | b"e"),
                "{at} {source:x?}"
            );
        }
        // A character cut off by the end of the file is nobody's letter.
        check("ééééé日".as_bytes().split_last().expect("bytes").1, Markup::No, "ééééé\u{fffd}");
    }

    #[test]
    fn utf32_leads_back_to_its_bytes() {
        let text = "aé漢😀\n".repeat(300);
        for big_endian in [false, true] {
            let order = |c: u32| if big_endian { c.to_be_bytes() } else { c.to_le_bytes() };
            let bytes: Vec<u8> =
                [0xFEFF].into_iter().chain(text.chars().map(u32::from)).flat_map(order).collect();
            let decoded = check(&bytes, Markup::No, &text);
            for (at, c) in text.char_indices().step_by(11) {
                let range = decoded.bytes.source(at..at + c.len_utf8());
                assert_eq!(bytes[range], order(u32::from(c)));
            }
        }
        assert_eq!(utf32_order(b"\xff\xfe\0\0a"), None);
    }

    #[test]
    fn leads_back_to_the_bytes() {
        let text = "Привет, мир. 漢字 and ASCII\r\n".repeat(400);
        let (bytes, _, _) = encoding_rs::GB18030.encode(&text);
        let decoded = decode_other(&bytes, 0, encoding_rs::GB18030, &Limits::default()).expect("decodes");
        assert_eq!(decoded.text, text);
        for (start, c) in text.char_indices().step_by(7) {
            let range = decoded.bytes.source(start..start + c.len_utf8());
            let (back, _) = encoding_rs::GB18030.decode_without_bom_handling(&bytes[range]);
            assert_eq!(back, c.to_string());
        }
    }

    #[test]
    fn utf16_surrogates_stay_together() {
        let text = "a😀b".repeat(2000);
        let bytes: Vec<u8> =
            [0xFEFF].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        let decoded = check(&bytes, Markup::No, &text);
        let at = text.rfind('😀').expect("there");
        let range = decoded.bytes.source(at..at + 4);
        assert_eq!(&bytes[range], [0x3d, 0xd8, 0x00, 0xde]);
    }
}
