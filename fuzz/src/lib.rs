//! What every target checks: whatever was read, its spans, sentences, positions and source map hold together.

pub mod targets;

use std::io::{Cursor, Write};
use std::time::Duration;

use findall::document::{Format, Limits, PassageOptions};
use findall::{Document, Span};

/// Limits small enough that a fuzzer's memory and patience last.
pub fn limits() -> Limits {
    Limits {
        source_bytes: 4 << 20,
        text_bytes: 8 << 20,
        archive_bytes: 8 << 20,
        time: Duration::from_secs(10),
        ..Limits::default()
    }
}

/// Reads bytes as a format and checks the document, if there is one.
pub fn check(bytes: &[u8], format: Format) {
    if let Ok(document) = Document::from_bytes(bytes, Some(format), &limits()) {
        check_document(&document);
    }
}

/// Panics when something does not hold.
pub fn check_document(document: &Document) {
    let text = document.text();
    let mut end = 0;
    for sentence in document.sentences() {
        assert!(sentence.start >= end && sentence.slice(text).is_some_and(|slice| !slice.is_empty()));
        assert!(text[end..sentence.start].trim().is_empty());
        end = sentence.end;
    }
    assert!(text[end..].trim().is_empty());
    let options = PassageOptions::default();
    for passage in document.passages(&options) {
        assert!(passage.slice(text).is_some_and(|slice| slice.chars().count() <= options.chars));
    }
    let positions = document.positions();
    let mut source = (None, 0);
    for (at, c) in text.char_indices().step_by(text.len() / 256 + 1) {
        let char_at = positions.char_of(at).expect("a boundary");
        assert_eq!(positions.byte_of_char(char_at), Some(at));
        let utf16 = positions.utf16_of(at).expect("a boundary");
        assert_eq!(positions.byte_of_utf16(utf16), Some(at));
        let place = positions.line_column(at).expect("a boundary");
        assert_eq!(positions.byte_of(place), Some(at));
        for range in document.source_range(Span::new(at, at + c.len_utf8())) {
            let part = range.part.map(str::to_owned);
            assert!(range.bytes.start <= range.bytes.end);
            assert!(part != source.0 || source.1 <= range.bytes.start);
            source = (part, range.bytes.start);
        }
    }
}

/// A zip of these parts.
pub fn archive(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, bytes) in parts {
        writer.start_file(*name, options).expect("a new part");
        writer.write_all(bytes).expect("memory");
    }
    writer.finish().expect("a whole archive").into_inner()
}
