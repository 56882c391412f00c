//! Formats beside the first six, each on files made here: what is read, where it leads back to, and which place it has.

use std::io::Write;
use std::path::Path;

use findall::document::{Format, Limits};
use findall::error::DocumentError;
use findall::{Document, Span};
use flate2::Compression;

use crate::fixtures::{self, zip};

fn read(bytes: &[u8], name: &str) -> Document {
    let format = Format::guess(bytes, Some(Path::new(name))).expect("a known format");
    Document::from_bytes(bytes, Some(format), &Limits::default()).expect("readable")
}

fn place(document: &Document, needle: &str) -> String {
    let at = document.text().find(needle).expect("in the text");
    document.place_at(at).expect("a place").to_string()
}

/// The file's own bytes that a word was made from.
fn source<'s>(document: &Document, bytes: &'s [u8], needle: &str) -> Vec<&'s [u8]> {
    let start = document.text().find(needle).expect("in the text");
    let ranges = document.source_range(Span::new(start, start + needle.len()));
    ranges.into_iter().map(|range| &bytes[range.bytes]).collect()
}

fn gzip(bytes: &[u8], name: &str) -> Vec<u8> {
    let mut encoder = flate2::GzBuilder::new().filename(name).write(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("packed")
}

fn xlsx(sheet: &str) -> Vec<u8> {
    zip(&[
        ("[Content_Types].xml", b"<Types/>"),
        (
            "xl/workbook.xml",
            br#"<workbook><sheets><sheet name="Ships &amp; ports" sheetId="1" r:id="r1"/>
                <sheet name="Secret" sheetId="2" state="hidden" r:id="r2"/></sheets></workbook>"#,
        ),
        (
            "xl/_rels/workbook.xml.rels",
            br#"<Relationships><Relationship Id="r1" Type="t/worksheet" Target="worksheets/one.xml"/>
                <Relationship Id="r2" Target="worksheets/two.xml"/></Relationships>"#,
        ),
        (
            "xl/sharedStrings.xml",
            b"<sst><si><t>Northern Star</t></si><si><r><t>Ber</t></r><r><t>gen</t></r><rPh><t>x</t></rPh></si></sst>",
        ),
        ("xl/styles.xml", br#"<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>"#),
        ("xl/worksheets/one.xml", sheet.as_bytes()),
        ("xl/worksheets/two.xml", b"<worksheet><c t=\"inlineStr\"><is><t>hidden</t></is></c></worksheet>"),
    ])
}

#[test]
fn xlsx_cells_are_read_as_they_are_shown() {
    let file = xlsx(
        r#"<worksheet><sheetData><row r="2"><c r="A2" t="s"><v>0</v></c><c r="C2" t="s"><v>1</v></c></row>
           <row r="5"><c r="B5" s="1"><v>45413</v></c><c r="D5"><f>SUM(1)</f><v>0.30000000000000004</v></c>
           <c r="E5" t="inlineStr"><is><t>Fish &amp; chips</t></is></c><c r="F5" t="b"><v>1</v></c></row></sheetData></worksheet>"#,
    );
    let document = read(&file, "ships.xlsx");
    assert_eq!(document.format(), Format::Xlsx);
    assert_eq!(document.text(), "Northern Star\tBergen\n2024-05-01\t0.3\tFish & chips\tTRUE");
    assert_eq!(place(&document, "Bergen"), "Ships & ports!C2");
    assert_eq!(place(&document, "Fish"), "Ships & ports!E5");
    let at = document.text().find("0.3").expect("there");
    assert_eq!(document.source_range(Span::new(at, at + 3))[0].part, Some("xl/worksheets/one.xml"));
}

#[test]
fn pptx_slides_come_in_the_order_they_are_shown() {
    let slide = |text: &str| format!("<p:sld><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:sld>");
    let (first, second) = (slide("Harbour plan"), slide("Tide &amp; time"));
    let file = zip(&[
        ("[Content_Types].xml", b"<Types/>"),
        (
            "ppt/presentation.xml",
            br#"<p:presentation><p:sldIdLst><p:sldId id="256" r:id="b"/><p:sldId id="257" r:id="a"/></p:sldIdLst></p:presentation>"#,
        ),
        (
            "ppt/_rels/presentation.xml.rels",
            br#"<Relationships><Relationship Id="a" Target="slides/slide1.xml"/>
                <Relationship Id="b" Target="slides/slide2.xml"/></Relationships>"#,
        ),
        ("ppt/slides/slide1.xml", second.as_bytes()),
        ("ppt/slides/slide2.xml", first.as_bytes()),
        (
            "ppt/slides/_rels/slide2.xml.rels",
            br#"<Relationships><Relationship Id="n" Type="x/notesSlide" Target="../notes/n1.xml"/></Relationships>"#,
        ),
        ("ppt/notes/n1.xml", slide("Say hello").as_bytes()),
    ]);
    let document = read(&file, "talk.pptx");
    assert_eq!(document.text(), "Harbour plan\n\nSay hello\n\nTide & time");
    assert_eq!(place(&document, "Tide"), "slide 2");
    assert_eq!(document.positions().page_of(document.text().find("Tide").expect("there")), Some(2));
}

fn open_document(kind: &str, body: &str) -> Vec<u8> {
    let content =
        format!("<office:document-content><office:body>{body}</office:body></office:document-content>");
    let media = format!("application/vnd.oasis.opendocument.{kind}");
    zip(&[
        ("mimetype", media.as_bytes()),
        ("content.xml", content.as_bytes()),
        ("meta.xml", b"<office:meta><dc:title>Sea &amp; salt</dc:title></office:meta>"),
    ])
}

#[test]
fn open_documents_are_read() {
    let file = open_document(
        "text",
        "<office:text><text:tracked-changes><text:p>deleted</text:p></text:tracked-changes><text:h>The   lamp</text:h>\
         <text:p>One<text:s text:c=\"2\"/>two<text:line-break/>th<text:span>ree</text:span> &lt;4&gt;\
         <office:annotation><text:p>remark</text:p></office:annotation></text:p></office:text>",
    );
    let document = read(&file, "note");
    assert_eq!((document.format(), document.title()), (Format::Odt, Some("Sea & salt")));
    assert_eq!(document.text(), "The lamp\nOne  two\nthree <4>");

    let file = open_document(
        "spreadsheet",
        "<table:table table:name=\"Ports\"><table:table-row table:number-rows-repeated=\"3\"><table:table-cell/></table:table-row>\
         <table:table-row><table:table-cell table:number-columns-repeated=\"2\"/><table:table-cell><text:p>Bergen</text:p></table:table-cell>\
         <table:table-cell><text:p>one</text:p><text:p>two</text:p></table:table-cell></table:table-row></table:table>",
    );
    let document = read(&file, "ports.ods");
    assert_eq!(document.text(), "Bergen\tone\ntwo");
    assert_eq!(place(&document, "Bergen"), "Ports!C4");
    assert_eq!(place(&document, "two"), "Ports!D4");

    let file = open_document(
        "presentation",
        "<draw:page><text:p>First</text:p></draw:page><draw:page><text:p>Second</text:p></draw:page>",
    );
    let document = read(&file, "talk.odp");
    assert_eq!(place(&document, "Second"), "slide 2");

    let locked = zip(&[
        ("mimetype", b"application/vnd.oasis.opendocument.text"),
        ("META-INF/manifest.xml", b"<manifest:encryption-data/>"),
        ("content.xml", b"\x01\x02"),
    ]);
    let refused = Document::from_bytes(&locked, None, &Limits::default()).expect_err("locked");
    assert_eq!(refused, DocumentError::Encrypted { format: Format::Odt });
}

#[test]
fn rtf_shows_what_a_word_processor_shows() {
    let file = br"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fcharset0 Times;}{\f1\fcharset204 Arial Cyr;}}{\info{\title Sea}}
{\*\generator Word}\uc1 Caf\'e9 \u8212? \b bold\b0  {\f1\'cf\'f0\'e8\'e2\'e5\'f2}\par
{\field{\*\fldinst HYPERLINK x}{\fldrslt a link}} \{ok\}\line next\tab x{\v hidden}{\pict 0102ab}\u-10179?\u-8704?\par}";
    let document = read(file, "a.rtf");
    assert_eq!(document.title(), Some("Sea"));
    assert_eq!(document.text(), "Café — bold Привет\na link {ok}\nnext\tx😀");
    assert_eq!(source(&document, file, "Привет"), [br"\'cf\'f0\'e8\'e2\'e5\'f2"]);
    assert_eq!(source(&document, file, "bold"), [b"bold"]);
}

#[test]
fn mail_is_read_with_headers_bodies_and_names_of_attachments() {
    let file = b"From: =?utf-8?Q?J=C3=B8rgen?= <j@example.org>\r\nTo: a@example.org\r\nSubject: =?iso-8859-1?B?Q2Fm6Q==?=\r\n\
        Date: Mon, 1 Jan 2024 10:00:00 +0000\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n\
        --x\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n\
        Gr=FCsse from the har=\r\nbour\r\n--x\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>Second <b>part</b></p>\r\n\
        --x\r\nContent-Type: application/pdf; name=tides.pdf\r\nContent-Disposition: attachment; filename=\"tides.pdf\"\r\n\
        Content-Transfer-Encoding: base64\r\n\r\nAAAA\r\n--x--\r\n";
    let document = read(file, "letter");
    assert_eq!((document.format(), document.title()), (Format::Mail, Some("Café")));
    for words in [
        "From: Jørgen <j@example.org>",
        "Subject: Café",
        "Grüsse from the harbour",
        "Second part",
        "tides.pdf",
    ] {
        assert!(document.text().contains(words), "{words}: {:?}", document.text());
    }
    assert_eq!(source(&document, file, "Second"), [b"Second"]);

    let mailbox =
        b"From a@b Mon Jan  1 10:00:00 2024\nFrom: a@b\nTo: c@d\nSubject: One\n\nFirst body\n>From here\n\n\
        From c@d Tue Jan  2 10:00:00 2024\nFrom: c@d\nSubject: Two\nDate: x\n\nSecond body\n";
    let document = read(mailbox, "archive");
    assert_eq!(document.format(), Format::Mbox);
    assert_eq!(place(&document, "Second body"), "message 2");
    assert_eq!(source(&document, mailbox, "Second body"), [b"Second body"]);
}

#[test]
fn books_notebooks_titles_and_tables_are_read() {
    let book = "<?xml version=\"1.0\" encoding=\"windows-1251\"?><FictionBook><description><title-info><book-title>Salt</book-title>\
        </title-info></description><body><section><title><p>One</p></title><p>The  <emphasis>sea</emphasis> &amp; salt.</p></section></body>\
        <binary>AAAA</binary></FictionBook>";
    let document = read(book.as_bytes(), "book.fb2");
    assert_eq!((document.title(), document.text()), (Some("Salt"), "One\n\nThe sea & salt."));

    let notebook = br##"{"cells": [{"cell_type": "markdown", "source": ["# Tides\n", "of the \"bay\""]},
        {"cell_type": "code", "source": "print(\u00e9)", "outputs": [{"text": ["42\n"], "data": {"image/png": "iVBOR", "text/plain": ["done"]}}]}],
        "metadata": {"title": "no"}}"##;
    let document = read(notebook, "n.ipynb");
    assert_eq!(document.text(), "# Tides\nof the \"bay\"\n\nprint(é)\n42\ndone");
    assert_eq!(place(&document, "42"), "cell 2");
    assert_eq!(source(&document, notebook, "Tides"), [b"Tides"]);

    let titles = "1\r\n00:00:01,000 --> 00:00:02,000\r\n<i>The lamp</i> went\r\n\r\n2\r\n00:01:05,500 --> 00:01:06,000\r\n{\\an8}out at 1 < 2.\r\n";
    let document = read(titles.as_bytes(), "film.srt");
    assert_eq!(document.text(), "The lamp went\nout at 1 < 2.");
    assert_eq!(place(&document, "out"), "0:01:05");
    assert_eq!(document.sentences().len(), 1, "a sentence runs over titles");
    let document =
        read(b"WEBVTT\n\nNOTE a remark\n\nid\n01:02.000 --> 01:03.000 align:start\nHello there\n", "film");
    assert_eq!(document.text(), "Hello there");

    let table = "Ship;Port\r\n\"Northern \"\"Star\"\"\";Bergen\r\n\"two\nlines\";x\r\n\"not quoted; y\r\n";
    let document = read(table.as_bytes(), "ships.csv");
    assert_eq!(document.text(), "Ship\tPort\nNorthern \"Star\"\tBergen\ntwo\nlines\tx\n\"not quoted\t y");
    assert_eq!(place(&document, "Bergen"), "B2");
    assert_eq!(source(&document, table.as_bytes(), "Bergen"), [b"Bergen"]);
}

#[test]
fn latex_is_read_as_it_is_printed() {
    let file = r#"\documentclass[a4paper]{article}
\usepackage{times}
\title{Sea \& Salt}
\begin{document}
\section{The \emph{lamp}} \label{sec:lamp}
It wasn't lit --- ``dark'' caf\'e, M\"{u}nchen, \c{c}a, na\"{\i}ve,\LaTeX{} % a remark
50\% of it~\cite{smith}.

Second \textbf{paragraph}, \href{http://x}{a link}, $x^2$\\ next.
\begin{tabular}{ll} one & two \end{tabular}
\end{document}"#;
    let document = read(file.as_bytes(), "a.tex");
    assert_eq!(
        document.text(),
        "Sea & Salt\n\nThe lamp\nIt wasn't lit \u{2014} \u{201c}dark\u{201d} café, München, ça, naïve,LaTeX 50% of it .\n\n\
         Second paragraph, a link, $x^2$\nnext.\none\ttwo"
    );
    assert_eq!(source(&document, file.as_bytes(), "paragraph"), [b"paragraph"]);
}

#[test]
fn packed_documents_are_read_where_they_lie() {
    let document = read(&gzip(b"The lamp is lit.", "a.txt"), "a.txt.gz");
    assert_eq!((document.format(), document.text()), (Format::Text, "The lamp is lit."));
    let document = read(&gzip(b"<p>The <b>lamp</b></p>", "a.html"), "unknown");
    assert_eq!((document.format(), document.text()), (Format::Html, "The lamp"));

    let inner = fixtures::docx("<w:p><w:r><w:t>Word text</w:t></w:r></w:p>");
    let pdf = fixtures::pdf(&[&["Page text."]]);
    let file = zip(&[
        ("notes/a.txt", b"Plain text"),
        ("notes/b.docx", &inner),
        ("c.pdf", &pdf),
        ("d.bin", b"\0\x01\x02"),
        ("e.txt.gz", &gzip(b"Packed twice", "e.txt")),
        ("broken.docx", b"PK\x03\x04 word/document.xml [Content_Types].xml"),
    ]);
    let document = read(&file, "all.zip");
    assert_eq!(document.format(), Format::Zip);
    assert_eq!(document.text(), "Page text.\n\nPacked twice\n\nPlain text\n\nWord text");
    for (word, path) in
        [("Page", "c.pdf"), ("Packed", "e.txt.gz"), ("Plain", "notes/a.txt"), ("Word", "notes/b.docx")]
    {
        assert_eq!(place(&document, word), path);
    }
    let at = document.text().find("Word").expect("there");
    assert_eq!(document.source_range(Span::new(at, at + 4))[0].part, Some("notes/b.docx/word/document.xml"));
}

/// A file of the format that says "The lamp is lit", and a name it could have.
fn sample(format: Format) -> (Vec<u8>, &'static str) {
    const SAID: &str = "The lamp is lit";
    let around = |before: &str, after: &str| format!("{before}{SAID}{after}").into_bytes();
    let cell = format!("<worksheet><row><c t=\"inlineStr\"><is><t>{SAID}</t></is></c></row></worksheet>");
    let table = format!(
        "<table:table-row><table:table-cell><text:p>{SAID}</text:p></table:table-cell></table:table-row>"
    );
    let page = format!("<draw:page><text:p>{SAID}</text:p></draw:page>");
    let slide = format!("<p:sld><a:p><a:r><a:t>{SAID}</a:t></a:r></a:p></p:sld>");
    match format {
        Format::Text => (around("", "."), "a.txt"),
        Format::Markdown => (around("# One\n\n*", "*\n"), "a.md"),
        Format::Html => (around("<!DOCTYPE html><p>", "</p>"), "a.html"),
        Format::Pdf => (fixtures::pdf(&[&[SAID]]), "a.pdf"),
        Format::Epub => (fixtures::epub(&[&format!("<p>{SAID}</p>")]), "a.epub"),
        Format::Docx => (fixtures::docx(&format!("<w:p><w:r><w:t>{SAID}</w:t></w:r></w:p>")), "a.docx"),
        Format::Xlsx => (xlsx(&cell), "a.xlsx"),
        Format::Pptx => {
            let relation =
                "<Relationships><Relationship Id=\"a\" Target=\"slides/slide1.xml\"/></Relationships>";
            let parts: [(&str, &[u8]); 4] = [
                ("[Content_Types].xml", b"<Types/>"),
                (
                    "ppt/presentation.xml",
                    b"<p:presentation><p:sldId id=\"256\" r:id=\"a\"/></p:presentation>",
                ),
                ("ppt/_rels/presentation.xml.rels", relation.as_bytes()),
                ("ppt/slides/slide1.xml", slide.as_bytes()),
            ];
            (zip(&parts), "a.pptx")
        }
        Format::Odt => (open_document("text", &format!("<text:p>{SAID}</text:p>")), "a.odt"),
        Format::Ods => {
            (open_document("spreadsheet", &format!("<table:table>{table}</table:table>")), "a.ods")
        }
        Format::Odp => (open_document("presentation", &page), "a.odp"),
        Format::Rtf => (around("{\\rtf1 ", "\\par}"), "a.rtf"),
        Format::Mail => (around("From: a@b\nTo: c@d\nSubject: x\n\n", "\n"), "a.eml"),
        Format::Mbox => {
            (around("From a@b Mon Jan  1 10:00:00 2024\nFrom: a@b\nTo: c@d\nSubject: x\n\n", "\n"), "a.mbox")
        }
        Format::Fb2 => (around("<FictionBook><body><p>", "</p></body></FictionBook>"), "a.fb2"),
        Format::Notebook => {
            (around("{\"cells\": [{\"cell_type\": \"markdown\", \"source\": \"", "\"}]}"), "a.ipynb")
        }
        Format::Subtitles => (around("1\n00:00:01,000 --> 00:00:02,000\n", "\n"), "a.srt"),
        Format::Latex => (around("\\begin{document}\n", "\n\\end{document}\n"), "a.tex"),
        Format::Csv => (around("a,b\n1,", "\n"), "a.csv"),
        Format::Gzip => (gzip(SAID.as_bytes(), "a.txt"), "a.txt.gz"),
        Format::Zip => (zip(&[("b.txt", SAID.as_bytes())]), "a.zip"),
    }
}

#[test]
fn every_format_is_recognised_read_and_survives_damage() {
    for format in Format::ALL {
        let (file, name) = sample(format);
        assert_eq!(Format::guess(&file, Some(Path::new(name))), Ok(format), "{name}");
        let document = read(&file, name);
        assert!(document.text().contains("The lamp is lit"), "{name}: {:?}", document.text());
        // Cut short, or with a byte that is another one, it is read or refused.
        for at in (0..file.len()).step_by(file.len() / 60 + 1) {
            let mut damaged = file.clone();
            damaged[at] ^= 0x55;
            for bytes in [file[..at].to_vec(), damaged] {
                let _ = Document::from_vec(bytes, Some(format), &Limits::default());
            }
        }
    }
}

#[test]
fn a_page_saved_as_mail_is_read_as_a_page() {
    let file = b"From: <Saved by a browser>\r\nSubject: Tides\r\nMIME-Version: 1.0\r\n\
        Content-Type: multipart/related; type=\"text/html\"; boundary=\"x\"\r\n\r\n\
        --x\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n\
        <style>.no{display:none}</style><p>High =\r\ntide at <b>n=C3=BCne</b></p><p class=3Dno>hidden</p>\r\n\
        --x\r\nContent-Type: image/png\r\nContent-Transfer-Encoding: base64\r\nContent-Location: a.png\r\n\r\nAAAA\r\n--x--\r\n";
    let document = read(file, "page.mhtml");
    assert_eq!((document.format(), document.title()), (Format::Mail, Some("Tides")));
    assert!(document.text().contains("High tide at n\u{fc}ne"), "{:?}", document.text());
    assert!(
        !document.text().contains("hidden") && !document.text().contains("AAAA"),
        "{:?}",
        document.text()
    );
}

#[test]
fn old_formats_are_refused_by_name() {
    let mut bytes = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec();
    bytes.extend("WordDocument".encode_utf16().flat_map(u16::to_le_bytes));
    let refused = Format::guess(&bytes, Some(Path::new("letter.doc"))).expect_err("refused");
    assert_eq!(
        refused.to_string(),
        "a Word 97-2003 document (.doc), which is not read; save it as .docx (soffice --convert-to docx FILE) and search that"
    );
    // An old file under a new name is not a locked one; a locked one is.
    let renamed = Format::guess(&bytes, Some(Path::new("letter.docx")));
    assert!(matches!(renamed, Err(DocumentError::Legacy { .. })), "{renamed:?}");
    let mut bytes = b"\xd0\xcf\x11\xe0".to_vec();
    bytes.extend("EncryptedPackage".encode_utf16().flat_map(u16::to_le_bytes));
    assert_eq!(Format::guess(&bytes, Some(Path::new("letter.docx"))), Ok(Format::Docx));
}

#[test]
fn hostile_files_of_all_formats_are_refused_or_read() {
    let limits = Limits { text_bytes: 4 << 20, archive_bytes: 8 << 20, ..Limits::default() };
    let deep = |open: &str| open.repeat(200_000);
    let cell = "<c t=\"s\"><v>0</v></c>".repeat(200_000);
    let bomb = gzip(&vec![b'a'; 64 << 20], "a.txt");
    let inner = zip(&[("a.txt", &vec![b'a'; 700 << 10][..])]);
    let files: Vec<(Format, Vec<u8>)> = vec![
        (Format::Xlsx, xlsx(&format!("<worksheet><row>{cell}</row></worksheet>"))),
        (Format::Xlsx, xlsx(&deep("<c><row>"))),
        (Format::Odt, open_document("text", &deep("<text:p><table:table>"))),
        (
            Format::Ods,
            open_document("spreadsheet", "<table:table-row table:number-rows-repeated=\"4294967295\"/>"),
        ),
        (Format::Rtf, deep("{\\b").into_bytes()),
        (
            Format::Rtf,
            format!("{{\\rtf1 \\bin99999999999 \\u99999999999 \\uc-5 {}", deep("\\'e")).into_bytes(),
        ),
        (
            Format::Mail,
            format!("A: b\nContent-Type: multipart/mixed; boundary=x\n\n{}", deep("--x\n\n")).into_bytes(),
        ),
        (Format::Mbox, deep("From \n\n").into_bytes()),
        (Format::Fb2, format!("<FictionBook><body>{}", deep("<p><section>")).into_bytes()),
        (Format::Notebook, deep("{\"cells\":[").into_bytes()),
        (Format::Subtitles, deep("1\n00:00:00,0 --> 1\n<\n").into_bytes()),
        (Format::Latex, deep("\\begin{\\'").into_bytes()),
        (Format::Latex, deep("[{\\section[").into_bytes()),
        (Format::Csv, deep("\"\",\"").into_bytes()),
        (Format::Gzip, bomb),
        (Format::Zip, zip(&[("1", &inner[..]), ("2", &inner[..])])),
        (Format::Zip, zip(&[("a.gz", &gzip(&gzip(b"x", "x.gz"), "y.gz"))])),
    ];
    for (format, bytes) in files {
        // Whatever comes out, it comes without a panic and within the limits.
        if let Ok(document) = Document::from_vec(bytes, Some(format), &limits) {
            assert!(document.text().len() <= limits.text_bytes, "{format}");
        }
    }
    let refused = Document::from_vec(gzip(&vec![b'a'; 64 << 20], "a"), None, &limits).expect_err("a bomb");
    assert!(matches!(refused, DocumentError::ZipBomb { .. }), "{refused}");
}
