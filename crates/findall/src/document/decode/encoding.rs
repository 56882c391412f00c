//! Which encoding bytes are in: what their first bytes show, what markup says of itself, and statistics.

use encoding_rs::{Encoding, MACINTOSH, UTF_8, UTF_16BE, UTF_16LE};

/// The byte order of a file that begins with UTF-32's mark and is long enough to be nothing else.
pub(crate) fn utf32_order(bytes: &[u8]) -> Option<bool> {
    let whole = bytes.len() >= 8 && bytes.len().is_multiple_of(4);
    match bytes.get(..4)? {
        [0xFF, 0xFE, 0, 0] if whole => Some(false),
        [0, 0, 0xFE, 0xFF] if whole => Some(true),
        _ => None,
    }
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
pub(super) fn find_declared(bytes: &[u8]) -> Option<&'static Encoding> {
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
pub(super) fn guess_encoding(bytes: &[u8]) -> &'static Encoding {
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
    let sample = &bytes[..bytes.len().min(MAX_MAC_SAMPLE_BYTES)];
    if count_implausible(sample, MACINTOSH) * 4 < count_implausible(sample, guessed) {
        MACINTOSH
    } else {
        guessed
    }
}

/// Bytes that are looked at to tell the Macintosh's encoding from others.
const MAX_MAC_SAMPLE_BYTES: usize = 1 << 16;

/// Characters beyond ASCII that stand where a word in Latin letters would not have them: capitals after small letters, signs
/// between letters, letters of other scripts, codes without a character.
fn count_implausible(sample: &[u8], encoding: &'static Encoding) -> usize {
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
