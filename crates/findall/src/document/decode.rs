//! Bytes to text: the encoding is found (BOM, UTF-8 validity, the markup's own word, statistics), and a map leads back
//! from the decoded text to the bytes.

use std::ops::Range;
use std::sync::Arc;

use encoding_rs::{Encoding, MACINTOSH, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use super::limits::Limits;
use crate::error::DocumentError;

/// Decoded text and the way back.
#[derive(Debug)]
pub(crate) struct Decoded {
    pub text: String,
    pub bytes: ByteMap,
}

/// Leads from ranges of the decoded text to ranges of the bytes it was decoded from.
#[derive(Clone, Debug)]
pub(crate) enum ByteMap {
    /// The bytes are the text, after `skipped` bytes of BOM.
    Same { skipped: usize },
    /// Another encoding: the bytes are kept and short chunks of them decoded anew when asked.
    /// A table of every character would weigh more than the text.
    Other { source: Arc<[u8]>, encoding: &'static Encoding, chunks: Vec<Chunk> },
    /// UTF-32, which the web has no decoder for: where every so many characters of the text start, and how long each
    /// character is in the text.
    Utf32 { steps: Vec<u32>, lengths: Arc<[u8]> },
    /// UTF-8 with stray bytes in it: where each stands and what it became.
    Mixed { strays: Vec<Stray> },
}

/// Bytes that are no UTF-8, in the text and in the source.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stray {
    text: u32,
    source: u32,
    text_len: u8,
    source_len: u8,
}

/// A stretch of bytes that decodes on its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chunk {
    text: usize,
    source: usize,
}

/// Chunks end at the first safe byte after this many.
const CHUNK_BYTES: usize = 2048;
/// Characters of UTF-32 between two that are noted.
const UTF32_STEP: usize = 256;

impl ByteMap {
    /// The bytes that the given range of decoded text came from.
    pub fn source(&self, range: Range<usize>) -> Range<usize> {
        match self {
            ByteMap::Same { skipped } => range.start + skipped..range.end + skipped,
            ByteMap::Utf32 { steps, lengths } => {
                let start = utf32_char_at(steps, lengths, range.start);
                let end = match range.is_empty() {
                    true => start,
                    false => utf32_char_at(steps, lengths, range.end - 1) + 1,
                };
                4 * (start + 1)..4 * (end + 1)
            }
            ByteMap::Mixed { strays } => {
                let start = mixed_offset(strays, range.start, Side::Start);
                start..mixed_offset(strays, range.end, Side::End).max(start)
            }
            ByteMap::Other { .. } => {
                let start = self.offset(range.start, Side::Start);
                let end = self.offset(range.end, Side::End);
                start..end.max(start)
            }
        }
    }

    fn offset(&self, text_offset: usize, side: Side) -> usize {
        let ByteMap::Other { source, encoding, chunks } = self else { return text_offset };
        let at = chunks.partition_point(|chunk| chunk.text <= text_offset).saturating_sub(1);
        let Some(&chunk) = chunks.get(at) else { return 0 };
        let end = chunks.get(at + 1).map_or(source.len(), |next| next.source);
        let bytes = &source[chunk.source..end];
        chunk.source + offset_in_chunk(bytes, encoding, text_offset - chunk.text, side)
    }
}

/// Which edge of a range is sought; a character that straddles the offset is taken in whole.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Start,
    End,
}

/// Decodes byte by byte until `wanted` bytes of text are out. Chunks are short, so this stays cheap.
fn offset_in_chunk(bytes: &[u8], encoding: &'static Encoding, wanted: usize, side: Side) -> usize {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut buffer = [0u8; 64];
    let (mut written, mut char_start) = (0, 0);
    if wanted == 0 {
        return 0;
    }
    for at in 0..bytes.len() {
        let (_, _, out, _) = decoder.decode_to_utf8(&bytes[at..=at], &mut buffer, false);
        if out == 0 {
            continue;
        }
        if written + out > wanted && side == Side::Start {
            return char_start;
        }
        written += out;
        char_start = at + 1;
        if written >= wanted {
            return char_start;
        }
    }
    bytes.len()
}

/// Decodes any bytes to text. Nothing is refused: what no encoding explains becomes U+FFFD.
pub(crate) fn decode(bytes: Vec<u8>, markup: Markup, limits: &Limits) -> Result<Decoded, DocumentError> {
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
                .or_else(|| if markup == Markup::Yes { declared(bytes) } else { None })
                .unwrap_or_else(|| guess(bytes))
        },
        limits,
    )
}

/// Where an offset of a mixed text lies in its bytes.
fn mixed_offset(strays: &[Stray], offset: usize, side: Side) -> usize {
    let at = strays.partition_point(|stray| stray.text as usize <= offset);
    let Some(stray) = at.checked_sub(1).map(|at| strays[at]) else { return offset };
    let (text, source) = (stray.text as usize, stray.source as usize);
    match (offset - text).checked_sub(usize::from(stray.text_len)) {
        Some(beyond) => source + usize::from(stray.source_len) + beyond,
        None if side == Side::Start || offset == text => source,
        None => source + usize::from(stray.source_len),
    }
}

/// UTF-8 in which some bytes are not: those that make a letter of a word are read as Windows-1252, which is what such files
/// were joined or pasted from; the others become U+FFFD.
fn decode_mixed(bytes: &[u8], limits: &Limits) -> Result<Decoded, DocumentError> {
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
            strays.push(Stray {
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
    Ok(Decoded { text, bytes: ByteMap::Mixed { strays } })
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

/// The byte order of a file that begins with UTF-32's mark and is long enough to be nothing else.
pub(crate) fn utf32_order(bytes: &[u8]) -> Option<bool> {
    let whole = bytes.len() >= 8 && bytes.len().is_multiple_of(4);
    match bytes.get(..4)? {
        [0xFF, 0xFE, 0, 0] if whole => Some(false),
        [0, 0, 0xFE, 0xFF] if whole => Some(true),
        _ => None,
    }
}

fn decode_utf32(bytes: &[u8], big_endian: bool, limits: &Limits) -> Result<Decoded, DocumentError> {
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
    Ok(Decoded { text, bytes: ByteMap::Utf32 { steps, lengths: lengths.into() } })
}

/// The number of the character that holds this byte of the text.
fn utf32_char_at(steps: &[u32], lengths: &[u8], byte: usize) -> usize {
    let step = steps.partition_point(|&start| start as usize <= byte).saturating_sub(1);
    let mut start = steps.get(step).map_or(0, |&start| start as usize);
    let mut number = step * UTF32_STEP;
    while let Some(&length) = lengths.get(number).filter(|&&length| start + usize::from(length) <= byte) {
        start += usize::from(length);
        number += 1;
    }
    number
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
) -> Result<Decoded, DocumentError> {
    // UTF-16 without a BOM is valid UTF-8 when it is all ASCII, so its NULs must speak first.
    let is_utf16 = skipped == 0 && utf16_shape(&bytes[..bytes.len().min(8192)]).is_some();
    if !is_utf16 {
        match String::from_utf8(bytes) {
            Ok(mut text) => {
                text.drain(..skipped);
                limits.check_text(text.len())?;
                return Ok(Decoded { text, bytes: ByteMap::Same { skipped } });
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
) -> Result<Decoded, DocumentError> {
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
    Ok(Decoded { text, bytes: ByteMap::Other { source: bytes.into(), encoding, chunks } })
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

/// UTF-16 without a BOM shows as NULs on one side of most pairs.
pub(crate) fn utf16_shape(head: &[u8]) -> Option<&'static Encoding> {
    if head.starts_with(b"\xff\xfe") {
        return Some(UTF_16LE);
    }
    if head.starts_with(b"\xfe\xff") {
        return Some(UTF_16BE);
    }
    let pairs = head.len() / 2;
    if pairs < 2 {
        return None;
    }
    let zeros =
        |side: usize| head.chunks_exact(2).filter(|pair| pair[side] == 0 && pair[1 - side] != 0).count();
    let (high_first, low_first) = (zeros(0), zeros(1));
    if low_first * 10 >= pairs * 7 && high_first * 20 <= pairs {
        Some(UTF_16LE)
    } else if high_first * 10 >= pairs * 7 && low_first * 20 <= pairs {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// The encoding that markup names in its first kilobyte: `<meta charset=…>` or `<?xml … encoding="…"?>`.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = bytes[..bytes.len().min(1024)].to_ascii_lowercase();
    [&b"charset="[..], b"encoding="].iter().find_map(|key| {
        let rest = &head[memchr::memmem::find(&head, key)? + key.len()..];
        let rest = rest.strip_prefix(b"\"").or_else(|| rest.strip_prefix(b"'")).unwrap_or(rest);
        let end = rest.iter().position(|b| !b.is_ascii_alphanumeric() && !b"-_:.".contains(b))?;
        let named = Encoding::for_label(&rest[..end])?;
        // A page that could be read this far is not UTF-16, whatever it says (WHATWG encoding sniffing).
        Some(if named == UTF_16LE || named == UTF_16BE { UTF_8 } else { named })
    })
}

/// Statistics, with what they do not know: a few bad bytes in a UTF-8 file do not make it Latin-1, a file can be both, and
/// old Macintoshes had an encoding of their own.
fn guess(bytes: &[u8]) -> &'static Encoding {
    let sample = &bytes[..bytes.len().min(1 << 20)];
    let (mut good, mut western, mut bad) = (0usize, 0usize, 0usize);
    for chunk in sample.utf8_chunks() {
        for c in chunk.valid().chars().filter(|c| !c.is_ascii()) {
            good += 1;
            western += usize::from(c < '\u{250}' || ('\u{2010}'..='\u{20ac}').contains(&c));
        }
        bad += usize::from(!chunk.invalid().is_empty());
    }
    if good > bad * 4 {
        return UTF_8;
    }
    let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Allow);
    detector.feed(sample, true);
    let guessed = detector.guess(None, chardetng::Utf8Detection::Deny);
    // Letters of two bytes that make sense in UTF-8 hardly come about by chance in a western text.
    if guessed.is_single_byte() && western == good && good * 4 > bad {
        return UTF_8;
    }
    let sample = &bytes[..bytes.len().min(MAC_SAMPLE_BYTES)];
    if implausible(sample, MACINTOSH) * 4 < implausible(sample, guessed) { MACINTOSH } else { guessed }
}

/// Bytes that are looked at to tell the Macintosh's encoding from others.
const MAC_SAMPLE_BYTES: usize = 1 << 16;

/// Characters beyond ASCII that stand where a word in Latin letters would not have them: capitals after small letters, signs
/// between letters, letters of other scripts, codes without a character.
fn implausible(sample: &[u8], encoding: &'static Encoding) -> usize {
    let (decoded, _) = encoding.decode_without_bom_handling(sample);
    let mut count = 0;
    let mut before = ' ';
    let mut chars = decoded.chars().peekable();
    while let Some(c) = chars.next() {
        let after = chars.peek().copied().unwrap_or(' ');
        if !c.is_ascii() {
            let in_word = before.is_ascii_alphabetic() && after.is_ascii_alphabetic();
            let touches = before.is_ascii_alphabetic() || after.is_ascii_alphabetic();
            count += usize::from(match c {
                '\u{80}'..='\u{9f}' | '\u{fffd}' | '\u{e000}'..='\u{f8ff}' => true,
                '’' | '\u{ad}' | '·' => false,
                c if !c.is_alphabetic() => in_word,
                c if c.is_uppercase() => before.is_ascii_lowercase(),
                c => touches && c > '\u{24f}' && !('\u{fb00}'..='\u{fb06}').contains(&c),
            });
        }
        before = c;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], markup: Markup, text: &str) -> Decoded {
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
