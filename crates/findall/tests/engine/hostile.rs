//! Hostile and broken files: each gives a typed error or what can be read, never a panic, in bounded time and memory.

use std::time::{Duration, Instant};

use findall::Document;
use findall::document::{Format, Limits};
use findall::error::DocumentError;
use lopdf::{Object, Stream, dictionary};

use crate::fixtures;

/// What is linear takes a few seconds at most in a debug build, what is not takes hours; between them is room for a machine with
/// other work.
const MAX_TIME: Duration = Duration::from_secs(600);

fn error(bytes: &[u8], format: Format) -> DocumentError {
    Document::from_bytes(bytes, Some(format), &Limits::default()).expect_err("refused")
}

#[test]
fn protected_pdf_asks_for_a_copy_without_password() {
    let bytes = fixtures::protected_pdf(&[&["Secret text."]], "hunter2");
    assert_eq!(error(&bytes, Format::Pdf), DocumentError::Encrypted { format: Format::Pdf });
}

#[test]
fn pdf_with_an_empty_password_opens() {
    let bytes = fixtures::protected_pdf(&[&["Open text."]], "");
    let document = Document::from_bytes(&bytes, None, &Limits::default()).expect("readable");
    assert_eq!(document.text(), "Open text.");
    let bytes = fixtures::aes256_pdf(&[&["Open text."]]);
    let document = Document::from_bytes(&bytes, None, &Limits::default()).expect("readable");
    assert_eq!(document.text(), "Open text.");
}

#[test]
fn truncated_pdf_is_damaged_wherever_it_is_cut() {
    let bytes = fixtures::pdf(&[&["One line."], &["Another."]]);
    for cut in (8..bytes.len() - 20).step_by(37) {
        let error = error(&bytes[..cut], Format::Pdf);
        assert!(matches!(error, DocumentError::Damaged { .. }), "{cut}: {error}");
    }
}

#[test]
fn pdf_stream_bomb_is_not_unpacked() {
    let bytes = fixtures::pdf_bomb(200 << 20);
    assert!(bytes.len() < 1 << 20);
    assert!(matches!(error(&bytes, Format::Pdf), DocumentError::ZipBomb { .. }));
}

#[test]
fn pdf_forms_that_call_each_other_end() {
    let mut pdf = fixtures::pdf_document(&[&["Page text."]]);
    let form = pdf.new_object_id();
    let content = b"/Me Do /Me Do BT /F1 9 Tf (x) Tj ET".to_vec();
    let resources = dictionary! { "XObject" => dictionary! { "Me" => form } };
    let mut dictionary = dictionary! { "Type" => "XObject", "Subtype" => "Form" };
    dictionary.set("Resources", resources.clone());
    pdf.objects.insert(form, Object::Stream(Stream::new(dictionary, content.clone())));
    let page = pdf.page_iter().next().expect("a page");
    let contents = pdf.add_object(Stream::new(dictionary! {}, content));
    let page = pdf.get_object_mut(page).and_then(Object::as_dict_mut).expect("the page");
    page.set("Contents", contents);
    page.set("Resources", resources);
    let bytes = fixtures::save(&mut pdf);
    let started = Instant::now();
    Document::from_bytes(&bytes, Some(Format::Pdf), &Limits::default()).expect("readable");
    assert!(started.elapsed() < MAX_TIME);
}

#[test]
fn pdf_time_limit_is_kept() {
    let line = "word ".repeat(50);
    let lines: Vec<&str> = vec![line.as_str(); 2000];
    let bytes = fixtures::pdf(&[lines.as_slice(); 20]);
    let limits = Limits { time: Duration::ZERO, ..Limits::default() };
    let error = Document::from_bytes(&bytes, None, &limits).expect_err("too slow");
    assert!(matches!(error, DocumentError::TimedOut { .. }), "{error}");
}

#[test]
fn zip_bombs_are_refused() {
    let bomb = vec![b'a'; 64 << 20];
    let parts: [(&str, &[u8]); 1] = [("word/document.xml", &bomb)];
    let refused = error(&fixtures::zip(&parts), Format::Docx);
    assert!(matches!(refused, DocumentError::ZipBomb { .. }), "{refused}");

    let chapter = format!("<p>{}</p>", "a".repeat(32 << 20));
    let refused = error(&fixtures::epub(&[&chapter]), Format::Epub);
    assert!(matches!(refused, DocumentError::ZipBomb { .. }), "{refused}");

    let many: Vec<(String, &[u8])> = (0..30_000).map(|n| (format!("{n}"), &b""[..])).collect();
    let many: Vec<(&str, &[u8])> = many.iter().map(|(name, bytes)| (name.as_str(), *bytes)).collect();
    let refused = error(&fixtures::zip(&many), Format::Docx);
    assert!(matches!(refused, DocumentError::TooLarge { .. }), "{refused}");
}

#[test]
fn archives_without_their_parts_say_which() {
    let refused = error(&fixtures::zip(&[("hello.txt", b"hi")]), Format::Docx);
    assert!(refused.to_string().contains("word/document.xml"), "{refused}");
    let refused = error(&fixtures::zip(&[("mimetype", b"application/epub+zip")]), Format::Epub);
    assert!(refused.to_string().contains("container.xml"), "{refused}");
    let whole = fixtures::docx("<w:p><w:r><w:t>x</w:t></w:r></w:p>");
    assert!(matches!(error(&whole[..whole.len() / 2], Format::Docx), DocumentError::Damaged { .. }));
    assert_eq!(
        error(b"\xd0\xcf\x11\xe0 ole", Format::Docx),
        DocumentError::Encrypted { format: Format::Docx }
    );
}

#[test]
fn bought_epub_is_encrypted() {
    let locked = fixtures::zip(&[
        ("mimetype", b"application/epub+zip"),
        ("META-INF/container.xml", br#"<rootfile full-path="b.opf"/>"#),
        ("META-INF/encryption.xml", br#"<CipherReference URI="c.xhtml"/>"#),
        (
            "b.opf",
            br#"<manifest><item id="c" href="c.xhtml"/></manifest><spine><itemref idref="c"/></spine>"#,
        ),
        ("c.xhtml", b"\x01\x02"),
    ]);
    assert_eq!(error(&locked, Format::Epub), DocumentError::Encrypted { format: Format::Epub });
}

#[test]
fn limits_speak_before_memory_does() {
    let limits = Limits { source_bytes: 10, ..Limits::default() };
    let error = Document::from_bytes(b"eleven bytes", None, &limits).expect_err("too large");
    assert!(error.to_string().contains("over the limit of 10"), "{error}");
    let limits = Limits { text_bytes: 100, ..Limits::default() };
    let html = "<p>word</p>".repeat(100);
    assert!(Document::from_bytes(html.as_bytes(), Some(Format::Html), &limits).is_err());
    let docx = fixtures::docx(&"<w:p><w:r><w:t>word</w:t></w:r></w:p>".repeat(100));
    assert!(Document::from_bytes(&docx, Some(Format::Docx), &limits).is_err());
}

#[test]
fn deep_html_is_only_long() {
    for tag in ["div", "b", "table", "ul><li", "span hidden", "p><a", "td"] {
        let html = format!("{}x{}", format!("<{tag}>").repeat(100_000), format!("</{tag}>").repeat(100_000));
        let document = Document::from_bytes(html.as_bytes(), Some(Format::Html), &Limits::default());
        let expected = if tag.contains("hidden") { "" } else { "x" };
        assert!(document.expect("readable").text().starts_with(expected), "{tag}");
    }
}

#[test]
fn deep_markdown_is_only_long() {
    for mark in ["> ", "* ", "[", "*", "`", "<b>", "![", "- - ", "(", "1. "] {
        let markdown = mark.repeat(20_000);
        let started = Instant::now();
        let document = Document::from_bytes(markdown.as_bytes(), Some(Format::Markdown), &Limits::default());
        document.expect("readable");
        assert!(started.elapsed() < MAX_TIME, "{mark}: {:?}", started.elapsed());
    }
}

#[test]
fn hostile_lines_stay_linear() {
    let texts = [
        ".".repeat(2 << 20),
        "a. ".repeat(1 << 20),
        "\n".repeat(2 << 20),
        " ".repeat(2 << 20),
        "(".repeat(2 << 20),
    ];
    for text in texts {
        let started = Instant::now();
        let document = Document::from_text(text);
        document.passages(&Default::default());
        assert!(started.elapsed() < MAX_TIME, "{:?}", &document.text()[..10]);
    }
}
