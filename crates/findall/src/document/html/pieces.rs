//! A run of character data to text: what the source spells literally is kept verbatim, entities are replaced, and
//! whitespace collapses unless the run is preformatted.

use html5gum::{Token, Tokenizer};

use crate::document::builder::TextBuilder;

/// Longest stretch after `&` that can belong to a character reference; the longest name has 31 letters.
const MAX_REFERENCE_BYTES: usize = 40;

/// Writes one run: `raw` as the source has it, `value` as the tokenizer decoded it, `start` its place in the source.
pub(super) fn write(raw: &str, value: &str, start: usize, preformatted: bool, builder: &mut TextBuilder) {
    if raw == value {
        return literal(raw, start, preformatted, builder);
    }
    // Somewhere an entity, a carriage return or a NUL: go from one to the next.
    let mut at = 0;
    let mut left = value;
    while at < raw.len() {
        let plain = raw[at..].find(['&', '\r', '\0']).unwrap_or(raw.len() - at);
        if plain > 0 {
            literal(&raw[at..at + plain], start + at, preformatted, builder);
            left = left.get(plain..).unwrap_or("");
            at += plain;
            continue;
        }
        let length = special_length(&raw[at..]);
        let spelled = &raw[at..at + length];
        let decoded = decode(spelled);
        // In raw text elements (`<xmp>`, `<plaintext>`) an ampersand is only that; the tokenizer knew.
        let decoded = if left.starts_with(decoded.as_str()) { decoded } else { spelled.to_owned() };
        left = left.get(decoded.len()..).unwrap_or("");
        push_entity(&decoded, start + at..start + at + length, preformatted, builder);
        at += length;
    }
}

fn special_length(raw: &str) -> usize {
    let bytes = raw.as_bytes();
    match bytes[0] {
        b'&' => {
            let body = bytes[1..]
                .iter()
                .take(MAX_REFERENCE_BYTES)
                .take_while(|b| b.is_ascii_alphanumeric() || **b == b'#')
                .count();
            1 + body + usize::from(bytes.get(1 + body) == Some(&b';'))
        }
        b'\r' if bytes.get(1) == Some(&b'\n') => 2,
        _ => 1,
    }
}

/// What one reference means; the tokenizer holds the table of names.
fn decode(spelled: &str) -> String {
    match spelled {
        "\r" | "\r\n" => return "\n".to_owned(),
        "\0" | "&" => return spelled.to_owned(),
        "&amp;" => return "&".to_owned(),
        "&nbsp;" => return "\u{a0}".to_owned(),
        "&lt;" => return "<".to_owned(),
        "&gt;" => return ">".to_owned(),
        "&quot;" => return "\"".to_owned(),
        _ => {}
    }
    let mut decoded = String::new();
    for Ok(token) in Tokenizer::new(spelled) {
        if let Token::String(string) = token {
            decoded.push_str(&String::from_utf8_lossy(&string));
        }
    }
    decoded
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\x0c')
}

fn literal(raw: &str, start: usize, preformatted: bool, builder: &mut TextBuilder) {
    if preformatted {
        return builder.push_verbatim(raw, start);
    }
    let mut at = 0;
    while at < raw.len() {
        let rest = &raw[at..];
        let word = rest.find(is_space).unwrap_or(rest.len());
        if word > 0 {
            builder.push_verbatim(&rest[..word], start + at);
        }
        at += word;
        let rest = &raw[at..];
        let spaces = rest.find(|c| !is_space(c)).unwrap_or(rest.len());
        if spaces > 0 {
            builder.space(start + at..start + at + spaces);
        }
        at += spaces;
    }
}

fn push_entity(decoded: &str, source: std::ops::Range<usize>, preformatted: bool, builder: &mut TextBuilder) {
    if !preformatted && decoded.chars().all(is_space) {
        builder.space(source);
    } else {
        builder.push_replaced(decoded, source);
    }
}
