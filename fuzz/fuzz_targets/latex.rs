//! Any bytes as a file of the format `latex`.
#![no_main]

use findall::document::Format;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| findall_fuzz::check(bytes, Format::Latex));
