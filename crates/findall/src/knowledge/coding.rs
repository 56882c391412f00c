//! Numbers and strings as bytes: varints, length-prefixed text, and a checked cursor that never panics.

/// Appends an unsigned number, seven bits a byte.
pub fn put_number(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends a text with its length.
pub fn put_text(out: &mut Vec<u8>, text: &str) {
    put_number(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// Reads what the functions above wrote.
#[derive(Debug)]
pub struct Cursor<'d> {
    data: &'d [u8],
}

impl<'d> Cursor<'d> {
    /// At the beginning of `data`.
    pub fn new(data: &'d [u8]) -> Self {
        Self { data }
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// The next byte.
    pub fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.data.split_first()?;
        self.data = rest;
        Some(*first)
    }

    /// A number as [`put_number`] wrote it.
    pub fn number(&mut self) -> Option<u64> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    /// Bytes with their length before them.
    pub fn bytes(&mut self) -> Option<&'d [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (text, rest) = self.data.split_at_checked(length)?;
        self.data = rest;
        Some(text)
    }

    /// A text as [`put_text`] wrote it.
    pub fn text(&mut self) -> Option<&'d str> {
        std::str::from_utf8(self.bytes()?).ok()
    }
}

/// A popularity count as one byte, twelve steps to a doubling.
pub fn popularity_level(popularity: f32) -> u8 {
    (popularity.max(0.0) + 1.0).log2().mul_add(12.0, 0.5).clamp(0.0, 255.0) as u8
}

/// The count that a level stands for.
pub fn popularity_of(level: u8) -> f32 {
    (f32::from(level) / 12.0).exp2() - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_read() {
        let mut bytes = Vec::new();
        for value in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            put_number(&mut bytes, value);
        }
        put_text(&mut bytes, "été");
        let mut cursor = Cursor::new(&bytes);
        for value in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            assert_eq!(cursor.number(), Some(value));
        }
        assert_eq!(cursor.text(), Some("été"));
        assert!(cursor.is_empty());
    }

    #[test]
    fn torn_bytes_are_none() {
        assert_eq!(Cursor::new(&[0x80]).number(), None);
        assert_eq!(Cursor::new(&[0xff; 20]).number(), None);
        assert_eq!(Cursor::new(&[5, b'a']).text(), None);
        assert_eq!(Cursor::new(&[1, 0xff]).text(), None);
        assert_eq!(Cursor::new(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]).bytes(), None);
    }

    #[test]
    fn popularity_survives_roughly() {
        for count in [0.0f32, 1.0, 7.0, 100.0, 8000.0, 1e6] {
            let back = popularity_of(popularity_level(count));
            assert!((back - count).abs() <= 0.05 * count + 0.05, "{count} became {back}");
        }
    }
}
