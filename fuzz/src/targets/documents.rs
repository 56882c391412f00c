//! Parsers: any bytes as a file of a format. What is made of parts is also given the bytes as each part of an archive that
//! is well-formed otherwise.

use findall::document::Format;

use crate::{archive, check};

pub fn csv(bytes: &[u8]) {
    check(bytes, Format::Csv);
}

pub fn docx(bytes: &[u8]) {
    check(bytes, Format::Docx);
    let parts = [("docProps/core.xml", bytes), ("word/document.xml", bytes), ("word/footnotes.xml", bytes)];
    check(&archive(&parts), Format::Docx);
}

pub fn epub(bytes: &[u8]) {
    check(bytes, Format::Epub);
    let package = br#"<manifest><item id="c" href="c.xhtml"/></manifest><spine><itemref idref="c"/></spine>"#;
    for package in [&package[..], bytes] {
        let parts = [
            ("META-INF/container.xml", &br#"<rootfile full-path="b.opf"/>"#[..]),
            ("b.opf", package),
            ("c.xhtml", bytes),
        ];
        check(&archive(&parts), Format::Epub);
    }
}

pub fn fb2(bytes: &[u8]) {
    check(bytes, Format::Fb2);
}

pub fn gzip(bytes: &[u8]) {
    check(bytes, Format::Gzip);
}

pub fn html(bytes: &[u8]) {
    check(bytes, Format::Html);
}

pub fn latex(bytes: &[u8]) {
    check(bytes, Format::Latex);
}

pub fn mail(bytes: &[u8]) {
    check(bytes, Format::Mail);
}

pub fn markdown(bytes: &[u8]) {
    check(bytes, Format::Markdown);
}

pub fn mbox(bytes: &[u8]) {
    check(bytes, Format::Mbox);
}

pub fn notebook(bytes: &[u8]) {
    check(bytes, Format::Notebook);
}

pub fn odf(bytes: &[u8]) {
    check(bytes, Format::Odt);
    let archive = archive(&[("content.xml", bytes), ("meta.xml", bytes)]);
    for format in [Format::Odt, Format::Ods, Format::Odp] {
        check(&archive, format);
    }
}

#[cfg(feature = "pdf")]
pub fn pdf(bytes: &[u8]) {
    check(bytes, Format::Pdf);
}

pub fn pptx(bytes: &[u8]) {
    check(bytes, Format::Pptx);
    let relations: &[u8] = b"<Relationship Id=\"a\" Type=\"x/notesSlide\" Target=\"slides/s.xml\"/>";
    for (presentation, related) in
        [(&b"<sldId r:id=\"a\"/>"[..], relations), (bytes, relations), (bytes, bytes)]
    {
        let parts = [
            ("ppt/presentation.xml", presentation),
            ("ppt/_rels/presentation.xml.rels", related),
            ("ppt/slides/s.xml", bytes),
            ("ppt/slides/_rels/s.xml.rels", related),
        ];
        check(&archive(&parts), Format::Pptx);
    }
}

pub fn rtf(bytes: &[u8]) {
    check(bytes, Format::Rtf);
}

pub fn subtitles(bytes: &[u8]) {
    check(bytes, Format::Subtitles);
}

pub fn text(bytes: &[u8]) {
    check(bytes, Format::Text);
}

pub fn xlsx(bytes: &[u8]) {
    check(bytes, Format::Xlsx);
    let sheet: &[u8] =
        b"<worksheet><row><c t=\"s\"><v>0</v></c><c s=\"1\"><v>45413.5</v></c></row></worksheet>";
    for (workbook, shared, styles, rows) in [
        (bytes, &b""[..], &b""[..], sheet),
        (&b"<sheet name=\"s\"/>"[..], bytes, bytes, sheet),
        (&b"<sheet name=\"s\"/>"[..], &b"<si><t>x</t></si>"[..], &b""[..], bytes),
    ] {
        let parts = [
            ("xl/workbook.xml", workbook),
            ("xl/sharedStrings.xml", shared),
            ("xl/styles.xml", styles),
            ("xl/worksheets/sheet1.xml", rows),
        ];
        check(&archive(&parts), Format::Xlsx);
    }
}

pub fn zip(bytes: &[u8]) {
    check(bytes, Format::Zip);
}
