//! Any bytes as an OpenDocument archive; then as the parts of well-formed ones.
#![no_main]

use findall::document::Format;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    findall_fuzz::check(bytes, Format::Odt);
    let archive = findall_fuzz::zip(&[("content.xml", bytes), ("meta.xml", bytes)]);
    for format in [Format::Odt, Format::Ods, Format::Odp] {
        findall_fuzz::check(&archive, format);
    }
});
