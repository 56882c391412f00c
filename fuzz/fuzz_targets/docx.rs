//! Any bytes as a DOCX archive; then as the parts of a well-formed archive.
#![no_main]

use findall::document::Format;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    findall_fuzz::check(bytes, Format::Docx);
    let archive = findall_fuzz::zip(&[
        ("docProps/core.xml", bytes),
        ("word/document.xml", bytes),
        ("word/footnotes.xml", bytes),
    ]);
    findall_fuzz::check(&archive, Format::Docx);
});
