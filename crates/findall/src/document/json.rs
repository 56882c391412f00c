//! JSON as a notebook is written in it: a walk over its values, with the place of every string in the file. Nothing is
//! kept but the way to the value, so depth costs a byte a level and size costs nothing.

use std::ops::Range;

/// Levels followed; deeper values are passed over.
const MAX_JSON_DEPTH: usize = 64;

/// One step of the walk.
#[derive(Debug, PartialEq)]
pub(super) enum JsonEvent {
    /// An object or an array starts.
    Open,
    /// It ends.
    Close,
    /// The name of the value that follows.
    Key(String),
    /// A string: the bytes between its quotes.
    Text(Range<usize>),
    /// A number, true, false or null.
    Other,
}

/// All steps of a file.
pub(super) struct JsonWalk<'t> {
    text: &'t str,
    at: usize,
    /// True for each open object, false for each array.
    open: Vec<bool>,
    /// In an object, the next string is a key.
    wants_key: bool,
}

impl<'t> JsonWalk<'t> {
    pub fn new(text: &'t str) -> Self {
        JsonWalk { text, at: 0, open: Vec::new(), wants_key: false }
    }

    fn string(&mut self) -> Range<usize> {
        let bytes = self.text.as_bytes();
        let start = self.at;
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b'"' => {
                    self.at += 1;
                    return start..self.at - 1;
                }
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        self.at = bytes.len();
        start..bytes.len()
    }
}

impl Iterator for JsonWalk<'_> {
    type Item = JsonEvent;

    fn next(&mut self) -> Option<JsonEvent> {
        let bytes = self.text.as_bytes();
        loop {
            let byte = *bytes.get(self.at)?;
            self.at += 1;
            return Some(match byte {
                b'{' | b'[' => {
                    if self.open.len() < MAX_JSON_DEPTH {
                        self.open.push(byte == b'{');
                    }
                    self.wants_key = byte == b'{';
                    JsonEvent::Open
                }
                b'}' | b']' => {
                    self.open.pop();
                    self.wants_key = false;
                    JsonEvent::Close
                }
                b',' => {
                    self.wants_key = self.open.last() == Some(&true);
                    continue;
                }
                b'"' => {
                    let range = self.string();
                    if std::mem::take(&mut self.wants_key) {
                        JsonEvent::Key(self.text.get(range).unwrap_or("").to_owned())
                    } else {
                        JsonEvent::Text(range)
                    }
                }
                byte if byte.is_ascii_alphanumeric() || byte == b'-' => {
                    let word = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.');
                    self.at += bytes[self.at..].iter().take_while(|b| word(b)).count();
                    JsonEvent::Other
                }
                _ => continue,
            });
        }
    }
}

/// One character of a string's text, and the bytes that spell it.
pub(super) fn unescape(text: &str, range: Range<usize>, mut write: impl FnMut(&str, Range<usize>)) {
    let bytes = text.as_bytes();
    let mut at = range.start;
    while at < range.end {
        let plain = memchr::memchr(b'\\', &bytes[at..range.end]).map_or(range.end, |escape| at + escape);
        if plain > at {
            write(text.get(at..plain).unwrap_or(""), at..plain);
            at = plain;
            continue;
        }
        let start = at;
        at += 2;
        let text = match bytes.get(start + 1) {
            Some(b'n') => "\n".to_owned(),
            Some(b't') => "\t".to_owned(),
            Some(b'r' | b'b' | b'f') | None => String::new(),
            Some(b'u') => {
                let unit = |from: usize| u16::from_str_radix(text.get(from..from + 4)?, 16).ok();
                let first = unit(at);
                at += 4;
                let pair = first.filter(|unit| (0xD800..0xDC00).contains(unit));
                let second =
                    pair.and_then(|_| (text.get(at..at + 2)? == "\\u").then(|| unit(at + 2)).flatten());
                at += if second.is_some() { 6 } else { 0 };
                String::from_utf16_lossy(&first.into_iter().chain(second).collect::<Vec<u16>>())
            }
            Some(&other) => char::from(other).to_string(),
        };
        at = at.min(range.end);
        while !text.is_empty() && at < range.end && !is_boundary(bytes, at) {
            at += 1;
        }
        write(&text, start..at);
    }
}

/// True where a character starts.
fn is_boundary(bytes: &[u8], at: usize) -> bool {
    bytes.get(at).is_none_or(|byte| byte & 0xC0 != 0x80)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_walked_in_order() {
        let text = r#"{"a": ["x\n\u00e9\ud83d\ude00", 1.5e3, null], "b": {}}"#;
        let events: Vec<JsonEvent> = JsonWalk::new(text).collect();
        assert_eq!(events.len(), 11, "{events:?}");
        let Some(JsonEvent::Text(range)) = events.into_iter().nth(3) else { panic!("a string") };
        let mut whole = String::new();
        unescape(text, range, |piece, _| whole.push_str(piece));
        assert_eq!(whole, "x\né😀");
    }

    #[test]
    fn broken_strings_end() {
        for broken in ["\"\\", "\"\\u", "\"\\ud83d\\u", "{\"é\\é", "[[[[\"", "\"\\u12é\""] {
            for event in JsonWalk::new(broken) {
                if let JsonEvent::Text(range) = event {
                    unescape(broken, range.start..range.end.min(broken.len()), |_, _| {});
                }
            }
        }
        assert!(JsonWalk::new(&"[".repeat(1 << 20)).count() > 1000);
    }
}
