//! Bytes of a text counted in UTF-16 units, as browsers count.

/// Bytes between checkpoints.
const STRIDE: usize = 4096;

/// The units before every so many bytes of a text that may still grow.
#[derive(Debug, Default)]
pub struct UnitIndex {
    checkpoints: Vec<usize>,
    /// Units and bytes of what is already counted.
    units: usize,
    bytes: usize,
}

impl UnitIndex {
    /// Counts what was added to the text since the last call.
    pub fn extend(&mut self, text: &str) {
        let bytes = text.as_bytes();
        while self.bytes < bytes.len() {
            if self.bytes.is_multiple_of(STRIDE) {
                self.checkpoints.push(self.units);
            }
            let end = (self.bytes - self.bytes % STRIDE + STRIDE).min(bytes.len());
            self.units += count(&bytes[self.bytes..end]);
            self.bytes = end;
        }
    }

    /// True when units and bytes are the same.
    fn is_plain(&self) -> bool {
        self.units == self.bytes
    }
}

/// Converts offsets that only ever grow, each from the nearest place that is known.
#[derive(Debug, Default)]
pub struct UnitCounter {
    at: usize,
    units: usize,
}

impl UnitCounter {
    /// How many units stand before this byte of a text that was indexed.
    pub fn units_before(&mut self, byte: usize, text: &str, index: &UnitIndex) -> usize {
        if index.is_plain() {
            return byte;
        }
        let near = byte / STRIDE;
        if let Some(&units) = index.checkpoints.get(near).filter(|_| near * STRIDE > self.at) {
            (self.at, self.units) = (near * STRIDE, units);
        }
        self.units += count(&text.as_bytes()[self.at..byte]);
        self.at = byte;
        self.units
    }
}

/// A character is counted at its first byte; one of four bytes is two units.
fn count(bytes: &[u8]) -> usize {
    let starts = bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
    starts + bytes.iter().filter(|&&byte| byte >= 0xF0).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_as_browsers_do() {
        let text = "né 😀 東京 ".repeat(2000) + &"plain ".repeat(2000);
        let mut index = UnitIndex::default();
        for end in [0, 1, 5000, 5003, text.len()] {
            index.extend(&text[..text.floor_char_boundary(end)]);
        }
        let mut counter = UnitCounter::default();
        let mut expected = 0;
        for (byte, c) in text.char_indices() {
            if byte % 7 == 0 {
                assert_eq!(counter.units_before(byte, &text, &index), expected, "{byte}");
            }
            expected += c.len_utf16();
        }
    }
}
