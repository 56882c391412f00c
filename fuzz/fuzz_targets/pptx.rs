//! Any bytes as a PPTX archive; then as the parts of a well-formed archive.
#![no_main]

use findall::document::Format;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    findall_fuzz::check(bytes, Format::Pptx);
    let relations: &[u8] = b"<Relationship Id=\"a\" Type=\"x/notesSlide\" Target=\"slides/s.xml\"/>";
    for (presentation, related) in [(&b"<sldId r:id=\"a\"/>"[..], relations), (bytes, relations), (bytes, bytes)] {
        let archive = findall_fuzz::zip(&[
            ("ppt/presentation.xml", presentation),
            ("ppt/_rels/presentation.xml.rels", related),
            ("ppt/slides/s.xml", bytes),
            ("ppt/slides/_rels/s.xml.rels", related),
        ]);
        findall_fuzz::check(&archive, Format::Pptx);
    }
});
