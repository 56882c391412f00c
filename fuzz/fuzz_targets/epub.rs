//! Any bytes as an EPUB archive; then as the package and the one chapter of a well-formed archive.
#![no_main]

use findall::document::Format;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    findall_fuzz::check(bytes, Format::Epub);
    let package = br#"<manifest><item id="c" href="c.xhtml"/></manifest><spine><itemref idref="c"/></spine>"#;
    for package in [&package[..], bytes] {
        let archive = findall_fuzz::zip(&[
            ("META-INF/container.xml", br#"<rootfile full-path="b.opf"/>"#),
            ("b.opf", package),
            ("c.xhtml", bytes),
        ]);
        findall_fuzz::check(&archive, Format::Epub);
    }
});
