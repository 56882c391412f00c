//! Any bytes as an XLSX archive; then as the parts of a well-formed archive.
#![no_main]

use findall::document::Format;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    findall_fuzz::check(bytes, Format::Xlsx);
    let sheet: &[u8] = b"<worksheet><row><c t=\"s\"><v>0</v></c><c s=\"1\"><v>45413.5</v></c></row></worksheet>";
    for (workbook, shared, styles, rows) in [
        (bytes, &b""[..], &b""[..], sheet),
        (&b"<sheet name=\"s\"/>"[..], bytes, bytes, sheet),
        (&b"<sheet name=\"s\"/>"[..], &b"<si><t>x</t></si>"[..], &b""[..], bytes),
    ] {
        let archive = findall_fuzz::zip(&[
            ("xl/workbook.xml", workbook),
            ("xl/sharedStrings.xml", shared),
            ("xl/styles.xml", styles),
            ("xl/worksheets/sheet1.xml", rows),
        ]);
        findall_fuzz::check(&archive, Format::Xlsx);
    }
});
