//! The common case of exact find: an ASCII query over ASCII text, compared byte by byte. What could still match in a
//! roundabout way (a line end, a hyphen, a letter outside ASCII nearby) is left to the careful walk.

use crate::lexical::fold::is_mark;
use crate::span::Span;

/// A folded query in ASCII, and where its anchor stands in it.
#[derive(Clone, Debug)]
pub(super) struct PlainPattern {
    bytes: Box<[u8]>,
    anchor: usize,
}

/// What the bytes alone say about one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ByteVerdict {
    /// The query stands there, up to case.
    Fits(Span),
    /// Nothing can make it stand there.
    Never,
    /// The bytes alone cannot tell.
    Unsure,
}

impl PlainPattern {
    /// `None` when the query has characters outside ASCII.
    pub fn new(chars: &[char], anchor: usize) -> Option<PlainPattern> {
        let bytes =
            chars.iter().map(|&c| u8::try_from(c).ok().filter(u8::is_ascii)).collect::<Option<_>>()?;
        Some(PlainPattern { bytes, anchor })
    }

    /// Compares outwards from the anchor at byte `at`.
    pub fn compare_at(&self, text: &str, at: usize) -> ByteVerdict {
        let bytes = text.as_bytes();
        if !bytes[at].is_ascii() {
            return ByteVerdict::Unsure;
        }
        let after = self.bytes[self.anchor + 1..].iter().zip(&bytes[at + 1..]);
        let before = self.bytes[..self.anchor].iter().rev().zip(bytes[..at].iter().rev());
        for (wanted, found) in after.chain(before) {
            if found.to_ascii_lowercase() != *wanted {
                // A visible ASCII sign other than a hyphen stands for itself and nothing else.
                return if found.is_ascii_graphic() && *found != b'-' {
                    ByteVerdict::Never
                } else {
                    ByteVerdict::Unsure
                };
            }
        }
        let end = at - self.anchor.min(at) + self.bytes.len();
        if self.anchor > at || end > bytes.len() {
            // The text ends first, and what walks around a line end needs no fewer bytes.
            return ByteVerdict::Never;
        }
        ByteVerdict::Fits(Span::new(at - self.anchor, end + marks_length(&text[end..])))
    }
}

/// Bytes of the accents that stand on the last letter.
fn marks_length(rest: &str) -> usize {
    if rest.as_bytes().first().is_none_or(u8::is_ascii) {
        return 0;
    }
    rest.chars().take_while(|&c| is_mark(c)).map(char::len_utf8).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_bytes_can_say() {
        let chars: Vec<char> = "the lamp".chars().collect();
        let pattern = PlainPattern::new(&chars, 7).unwrap();
        let lay = |text: &str| pattern.compare_at(text, text.rfind(['p', 'P']).unwrap());
        assert_eq!(lay("see The LAMP"), ByteVerdict::Fits(Span::new(4, 12)));
        assert_eq!(lay("the lamp\u{301}s"), ByteVerdict::Fits(Span::new(0, 10)));
        assert_eq!(lay("the lump"), ByteVerdict::Never);
        assert_eq!(lay("lamp"), ByteVerdict::Never);
        assert_eq!(lay("the\nlamp"), ByteVerdict::Unsure);
        assert_eq!(lay("the la-\nmp"), ByteVerdict::Unsure);
        assert_eq!(lay("the l\u{e1}mp"), ByteVerdict::Unsure);
        assert_eq!(PlainPattern::new(&['\u{e9}'], 0).map(|_| ()), None);
    }
}
