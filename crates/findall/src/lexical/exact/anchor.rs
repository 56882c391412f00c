//! The anchor: the character of a query that is rarest in ordinary text, and the scan for places where it stands.

use std::iter::Peekable;
use std::ops::Range;

use crate::lexical::fold;

/// One character of the query and its place in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Anchor {
    c: char,
    index: usize,
}

/// ASCII from common to rare in prose; what is not named is rarer still.
const COMMON_TEXT_BYTES: &[u8] = b"etaoinsrhldcumfpgwyb,.vk-'\"01x2j5934q8z67";

impl Anchor {
    /// Picks the rarest character; one outside ASCII counts as rare, because such are scanned for anyway.
    pub fn choose(chars: &[char]) -> Anchor {
        let rarity = |c: char| match u8::try_from(c) {
            Ok(byte) if c.is_ascii() => {
                COMMON_TEXT_BYTES.iter().position(|&b| b == byte).unwrap_or(COMMON_TEXT_BYTES.len())
            }
            _ => COMMON_TEXT_BYTES.len() + 1,
        };
        let best = chars.iter().enumerate().filter(|(_, c)| **c != ' ').max_by_key(|(_, c)| rarity(**c));
        let (index, &c) = best.unwrap_or((0, &' '));
        Anchor { c, index }
    }

    pub fn char(&self) -> char {
        self.c
    }

    pub fn index(&self) -> usize {
        self.index
    }
}

/// Offsets of all characters in a window of the text whose folding holds the anchor, in order.
#[derive(Debug)]
pub(super) struct Candidates<'p, 't> {
    plain: Peekable<AsciiPlaces<'t>>,
    other: Peekable<NonAsciiAnchor<'p, 't>>,
}

impl<'p, 't> Candidates<'p, 't> {
    /// The window's ends stand on characters.
    pub fn new(anchor: &'p Anchor, text: &'t str, window: Range<usize>) -> Self {
        let text = &text[..window.end];
        let other = NonAsciiAnchor { anchor, text, at: window.start, known: AnchorCache::default() };
        Candidates {
            plain: AsciiPlaces::new(anchor.c, text, window.start).peekable(),
            other: other.peekable(),
        }
    }
}

impl Iterator for Candidates<'_, '_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        match (self.plain.peek(), self.other.peek()) {
            (Some(plain), Some(other)) if other < plain => self.other.next(),
            (Some(_), _) => self.plain.next(),
            (None, _) => self.other.next(),
        }
    }
}

/// Places of the anchor in its ASCII forms.
#[derive(Debug)]
struct AsciiPlaces<'t> {
    forms: AsciiForms<'t>,
    /// Where the scan began.
    offset: usize,
}

#[derive(Debug)]
enum AsciiForms<'t> {
    None,
    One(memchr::Memchr<'t>),
    Two(memchr::Memchr2<'t>),
}

impl<'t> AsciiPlaces<'t> {
    fn new(anchor: char, text: &'t str, offset: usize) -> Self {
        let bytes = &text.as_bytes()[offset..];
        let forms = match u8::try_from(anchor) {
            Ok(byte) if byte.is_ascii_lowercase() => {
                AsciiForms::Two(memchr::memchr2_iter(byte, byte.to_ascii_uppercase(), bytes))
            }
            Ok(byte) if byte.is_ascii() => AsciiForms::One(memchr::memchr_iter(byte, bytes)),
            _ => AsciiForms::None,
        };
        AsciiPlaces { forms, offset }
    }
}

impl Iterator for AsciiPlaces<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let place = match &mut self.forms {
            AsciiForms::None => None,
            AsciiForms::One(places) => places.next(),
            AsciiForms::Two(places) => places.next(),
        };
        place.map(|place| self.offset + place)
    }
}

/// Places of characters outside ASCII that fold to the anchor.
#[derive(Debug)]
struct NonAsciiAnchor<'p, 't> {
    anchor: &'p Anchor,
    text: &'t str,
    at: usize,
    known: AnchorCache,
}

impl Iterator for NonAsciiAnchor<'_, '_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        loop {
            self.at += ascii_prefix(&self.text.as_bytes()[self.at..]);
            let c = self.text[self.at..].chars().next()?;
            let place = self.at;
            self.at += c.len_utf8();
            if self.known.holds(c, self.anchor.c) {
                return Some(place);
            }
        }
    }
}

/// Length of the ASCII bytes at the start, looked at eight at a time.
fn ascii_prefix(bytes: &[u8]) -> usize {
    const HIGH_BITS: u64 = 0x8080_8080_8080_8080;
    let mut at = 0;
    while let Some(word) = bytes.get(at..at + 8) {
        let word = u64::from_le_bytes(word.try_into().unwrap_or_default()) & HIGH_BITS;
        if word != 0 {
            return at + (word.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    at + bytes[at..].iter().take_while(|b| b.is_ascii()).count()
}

/// Remembers which characters of the basic plane hold the anchor, so that each is folded once.
#[derive(Debug, Default)]
struct AnchorCache {
    asked: Vec<u64>,
    holding: Vec<u64>,
}

impl AnchorCache {
    fn holds(&mut self, c: char, anchor: char) -> bool {
        let compute = || {
            let folded = fold::fold(c);
            c == anchor || folded.as_slice().contains(&anchor)
        };
        let code = c as usize;
        if code > 0xFFFF {
            return compute();
        }
        if self.asked.is_empty() {
            self.asked = vec![0; 1024];
            self.holding = vec![0; 1024];
        }
        let (word, bit) = (code / 64, 1u64 << (code % 64));
        if self.asked[word] & bit == 0 {
            self.asked[word] |= bit;
            if compute() {
                self.holding[word] |= bit;
            }
        }
        self.holding[word] & bit != 0
    }
}
