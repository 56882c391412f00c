//! What holds for any input of any format: spans in range and on char boundaries, slices that are what they claim,
//! positions exact both ways, and source maps that go forward.

mod checks;
mod marks;

use findall::Document;
use findall::document::{Format, Limits};
use findall::lexical::{LexicalOptions, find};
use proptest::prelude::*;

use self::checks::{check_bytes, check_document, check_positions};
use self::marks::{
    BOOK, HTML, LATEX, MAIL, MARKDOWN, NOTEBOOK, OPEN_DOCUMENT, RICH_TEXT, SHEETS, SUBTITLES, TABLE, WORD,
};
use crate::fixtures;

/// Text with the characters that make offsets hard.
fn awkward_text() -> impl Strategy<Value = String> {
    let pieces = prop_oneof![
        8 => "[a-zA-Z ]{0,8}",
        2 => "\\PC{0,4}",
        1 => prop::sample::select(vec![
            "\r\n", "\n", "\n\n", "\t", "\0", "\u{ad}", "e\u{301}", "👍🏽", "שָׁלוֹם", "ß", "ﬁ", "\u{feff}", "\u{200d}", ". ", "? ",
            "- ", "1. ", "-\n", "Dr. ", "U.S. ", "…", "。", "\u{2028}", "\u{3000}", "İ", "𝔘", "한", "\u{1100}\u{1161}", "नि",
        ]).prop_map(str::to_owned),
    ];
    prop::collection::vec(pieces, 0..40).prop_map(|pieces| pieces.concat())
}

/// Markup soup around awkward text.
fn soup(marks: &'static [&'static str]) -> impl Strategy<Value = String> {
    let piece = prop_oneof![awkward_text(), prop::sample::select(marks).prop_map(str::to_owned)];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

/// A file of any of the formats that are not told by a signature, and of those made of XML around it.
fn any_format() -> impl Strategy<Value = (Format, Vec<u8>, bool)> {
    let text = |format: Format, marks| soup(marks).prop_map(move |soup| (format, soup.into_bytes(), true));
    let sheet = soup(SHEETS).prop_map(|soup| {
        let parts: [(&str, &[u8]); 3] = [
            ("xl/workbook.xml", b"<workbook><sheet name=\"s\"/></workbook>"),
            ("xl/sharedStrings.xml", b"<si><t>shared</t></si>"),
            ("xl/worksheets/sheet1.xml", soup.as_bytes()),
        ];
        (Format::Xlsx, fixtures::zip(&parts), false)
    });
    let open = (soup(OPEN_DOCUMENT), prop::sample::select(vec![Format::Odt, Format::Ods, Format::Odp]));
    let open =
        open.prop_map(|(soup, format)| (format, fixtures::zip(&[("content.xml", soup.as_bytes())]), false));
    let packed = (soup(HTML), soup(WORD)).prop_map(|(page, word)| {
        let docx = fixtures::docx(&word);
        (Format::Zip, fixtures::zip(&[("a.html", page.as_bytes()), ("b/c.docx", &docx)]), false)
    });
    prop_oneof![
        text(Format::Fb2, BOOK),
        text(Format::Rtf, RICH_TEXT),
        text(Format::Mail, MAIL),
        text(Format::Mbox, MAIL),
        text(Format::Notebook, NOTEBOOK),
        text(Format::Subtitles, SUBTITLES),
        text(Format::Latex, LATEX),
        text(Format::Csv, TABLE),
        sheet,
        open,
        packed,
    ]
}

proptest! {

    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_file_of_any_format_holds_together((format, file, is_plain) in any_format()) {
        let length = file.len();
        if let Ok(document) = Document::from_vec(file, Some(format), &Limits::default()) {
            // Bodies of messages that were decoded may be longer than the file.
            let plain = is_plain && !matches!(format, Format::Mail | Format::Mbox);
            check_document(&document, plain.then_some(length));
        }
    }

    #[test]
    fn text_of_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        check_bytes(&bytes, Format::Text);
        check_bytes(&bytes, Format::Markdown);
        check_bytes(&bytes, Format::Html);
    }

    #[test]
    fn awkward_texts(text in awkward_text()) {
        check_bytes(text.as_bytes(), Format::Text);
        let utf16: Vec<u8> = [0xFEFF].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        check_bytes(&utf16, Format::Text);
    }

    #[test]
    fn html_soup(html in soup(HTML)) {
        check_bytes(html.as_bytes(), Format::Html);
    }

    #[test]
    fn markdown_soup(markdown in soup(MARKDOWN)) {
        check_bytes(markdown.as_bytes(), Format::Markdown);
    }

    #[test]
    fn docx_soup(body in soup(WORD)) {
        check_bytes(&fixtures::docx(&body), Format::Docx);
    }

    #[test]
    fn epub_soup(one in soup(HTML), two in soup(HTML)) {
        check_bytes(&fixtures::epub(&[&one, &two]), Format::Epub);
    }

    #[test]
    fn pdf_lines(lines in prop::collection::vec("[ -~à-ÿ–—“”€]{0,30}", 0..6)) {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let bytes = fixtures::pdf(&[&lines, &[], &lines]);
        check_bytes(&bytes, Format::Pdf);
        let document = Document::from_bytes(&bytes, Some(Format::Pdf), &Limits::default()).expect("readable");
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let page = document.positions().page_span(3).expect("three pages");
        prop_assert_eq!(words(page.slice(document.text()).expect("in range")), words(&lines.join(" ")));
    }

    #[test]
    fn damaged_pdfs(lines in prop::collection::vec("[ -~]{0,30}", 0..4), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let mut file = fixtures::pdf(&[&lines]);
        let at = at.index(file.len());
        file[at] = byte;
        check_bytes(&file, Format::Pdf);
    }

    #[test]
    fn damaged_books(chapter in soup(HTML), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut file = fixtures::epub(&[&chapter]);
        let at = at.index(file.len());
        file[at] = byte;
        check_bytes(&file, Format::Epub);
    }

    #[test]
    fn damaged_archives(body in soup(WORD), at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        let mut file = fixtures::docx(&body);
        let at = at.index(file.len());
        file[at] = byte;
        check_bytes(&file, Format::Docx);
    }

    #[test]
    fn lexical_matches_are_sound(text in awkward_text(), query in awkward_text()) {
        let Ok(matches) = find(&text, &query, LexicalOptions::default()) else { return Ok(()) };
        for (at, found) in matches.iter().enumerate() {
            let slice = found.span.slice(&text).expect("in range, on boundaries");
            prop_assert!(!slice.is_empty());
            prop_assert!(found.score > 0.0 && found.score <= 1.0);
            prop_assert!(at == 0 || matches[at - 1].score >= found.score);
            prop_assert!(matches[at + 1..].iter().all(|other| !other.span.overlaps(&found.span)));
        }
    }

    #[test]
    fn a_slice_of_the_text_is_found_there(
        text in "[a-zA-Zéß’ .,-]{1,80}",
        from in any::<prop::sample::Index>(),
        length in 1usize..20,
    ) {
        let chars: Vec<char> = text.chars().collect();
        let from = from.index(chars.len());
        let query: String = chars[from..(from + length).min(chars.len())].iter().collect();
        prop_assume!(!query.trim().is_empty());
        let matches = find(&text, &query, LexicalOptions::default()).expect("a good query");
        prop_assert!(!matches.is_empty(), "{query:?} in {text:?}");
    }
}

proptest! {
    // Long enough for several strides between checkpoints.
    #![proptest_config(ProptestConfig { cases: 8, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn long_texts(text in awkward_text(), times in 50usize..100) {
        check_positions(&Document::from_text(text.repeat(times)));
    }
}
