//! What a page holds about things that are no text: descriptions of pictures, values and hints of inputs. Read on request
//! only, because a search in a page should find what is seen there.

use std::ops::Range;

/// A value, and where it stands.
type AttributeValue = Option<(Vec<u8>, Range<usize>)>;

/// The attributes of one element that may stand for it.
#[derive(Debug, Default)]
pub(super) struct AltTexts {
    alt: AttributeValue,
    value: AttributeValue,
    placeholder: AttributeValue,
    kind: Vec<u8>,
}

impl AltTexts {
    /// Takes note of one attribute.
    pub fn note(&mut self, name: &[u8], value: &[u8], source: Range<usize>) {
        let found = || Some((value.to_vec(), source));
        match name {
            b"alt" => self.alt = found(),
            b"value" => self.value = found(),
            b"placeholder" => self.placeholder = found(),
            b"type" => self.kind = value.to_ascii_lowercase(),
            _ => {}
        }
    }

    /// The words that stand for an element of this name, and where: what a person typed before a hint of what to type.
    pub fn of(&self, name: &[u8]) -> Option<(String, Range<usize>)> {
        let found = match (name, self.kind.as_slice()) {
            (b"img" | b"area", _) | (b"input", b"image") => self.alt.as_ref(),
            // Nobody sees these, or they are no words.
            (b"input", b"hidden" | b"password" | b"checkbox" | b"radio" | b"color" | b"range" | b"file") => {
                None
            }
            (b"input", _) => self.value.as_ref().or(self.placeholder.as_ref()),
            (b"textarea", _) => self.placeholder.as_ref(),
            _ => None,
        };
        let (value, source) = found?;
        let words = String::from_utf8_lossy(value).split_whitespace().collect::<Vec<_>>().join(" ");
        (!words.is_empty()).then(|| (words, source.clone()))
    }
}
