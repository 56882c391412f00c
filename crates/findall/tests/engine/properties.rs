//! What holds for any input of any format: spans in range and on char boundaries, slices that are what they claim,
//! positions exact both ways, and source maps that go forward.

use findall::document::{Format, Limits, PassageOptions};
use findall::lexical::{LexicalKind, LexicalOptions, find};
use findall::{Document, Span};
use proptest::prelude::*;

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

const HTML: &[&str] = &[
    "<p>",
    "</p>",
    "<div>",
    "</div>",
    "<b>",
    "</b>",
    "<br>",
    "<pre>",
    "</pre>",
    "<script>",
    "</script>",
    "<td>",
    "<li>",
    "<span hidden>",
    "</span>",
    "&amp;",
    "&eacute",
    "&#x1F600;",
    "&#xD800;",
    "&notit;",
    "&nGg;",
    "<!--",
    "-->",
    "<title>",
    "</title>",
    "<nav>",
    "</nav>",
    "<",
    ">",
    "&",
    "<p style='display:none'>",
    "<textarea>",
    "</textarea>",
    "<![CDATA[",
    "]]>",
    "<svg>",
    "<table><tr>",
    "</table>",
    "<x/>",
    "<title/>",
    "<?xml?>",
    "\r",
];

const MARKDOWN: &[&str] = &[
    "# ",
    "## ",
    "* ",
    "> ",
    "`",
    "```\n",
    "**",
    "_",
    "[",
    "](",
    ")",
    "|",
    "\n|---|---|\n",
    "&lt;",
    "\\*",
    "<div>\n",
    "</div>\n",
    "[^1]",
    "[^1]: ",
    "---\n",
    "    ",
    "\n\n",
    "![",
    "- [ ] ",
    "~~",
    "<!--",
    "-->",
    "$",
];

const WORD: &[&str] = &[
    "<w:p>",
    "</w:p>",
    "<w:r>",
    "</w:r>",
    "<w:t>",
    "</w:t>",
    "<w:tab/>",
    "<w:br/>",
    "<w:rPr><w:vanish/></w:rPr>",
    "&amp;",
    "&#65;",
    "&#xD800;",
    "<![CDATA[x]]>",
    "<!--c-->",
    "<w:tc>",
    "</w:tc>",
    "<w:tr>",
    "</w:tr>",
];

const SHEETS: &[&str] = &[
    "<row>",
    "</row>",
    "<row r=\"7\"/>",
    "<c t=\"inlineStr\">",
    "<c r=\"B2\">",
    "<c t=\"s\">",
    "</c>",
    "<v>",
    "</v>",
    "<is><t>",
    "</t></is>",
    "0",
    "&amp;",
    "&#xD800;",
    "<![CDATA[x]]>",
    "<rPh>",
    "</rPh>",
    "<c/>",
];

const OPEN_DOCUMENT: &[&str] = &[
    "<text:p>",
    "</text:p>",
    "<text:h>",
    "</text:h>",
    "<text:s text:c=\"3\"/>",
    "<text:tab/>",
    "<text:line-break/>",
    "<table:table table:name=\"n\">",
    "</table:table>",
    "<table:table-row>",
    "</table:table-row>",
    "<table:table-cell>",
    "</table:table-cell>",
    "<draw:page>",
    "</draw:page>",
    "<office:annotation>",
    "</office:annotation>",
    "&lt;",
    "&x;",
];

const BOOK: &[&str] = &[
    "<FictionBook>",
    "<body>",
    "</body>",
    "<p>",
    "</p>",
    "<v>",
    "</v>",
    "<empty-line/>",
    "<td>",
    "</td>",
    "<section>",
    "</section>",
    "&amp;",
    "&#0;",
    "<binary>",
];

const RICH_TEXT: &[&str] = &[
    "{",
    "}",
    "\\",
    "\\par ",
    "\\'e9",
    "\\'",
    "\\u8212?",
    "\\u-10179?",
    "\\u-8704?",
    "\\uc0 ",
    "\\uc9 ",
    "\\*",
    "\\fonttbl",
    "\\f1\\fcharset128 ",
    "\\f1 ",
    "\\bin3 ",
    "\\cell ",
    "\\row ",
    "\\v ",
    "\\info",
    "\\title ",
    "\\line ",
    "\\~",
];

const MAIL: &[&str] = &[
    "From: a@b\n",
    "Subject: =?utf-8?Q?=C3=A9?=\n",
    "\n",
    "\n\n",
    "Content-Type: multipart/mixed; boundary=x\n",
    "--x\n",
    "--x--\n",
    "Content-Type: text/html\n",
    "Content-Transfer-Encoding: base64\n",
    "Content-Type: message/rfc822\n",
    "Content-Disposition: attachment; filename=a\n",
    "From a@b Mon Jan  1 10:00:00 2024\n",
    "<p>",
    "aGVsbG8gd29ybGQ=",
    "\r\n",
    "Content-Transfer-Encoding: quoted-printable\n",
    "=C3=A9",
];

const NOTEBOOK: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "\"cells\":",
    "\"source\":",
    "\"text\":",
    "\"",
    ",",
    "\\n",
    "\\",
    "\\u00e9",
    "\\ud83d\\ude00",
    "1.5e3",
    "null",
    "{\"cells\":[{\"source\":[\"",
    "\"]}",
];

const SUBTITLES: &[&str] = &[
    "1\n",
    "00:00:01,000 --> 00:00:02,000\n",
    "01:02.5 --> x\n",
    "\n",
    "\r\n",
    "<i>",
    "</i>",
    "<",
    "{\\an8}",
    "{",
    "WEBVTT\n",
    "-->",
];

const LATEX: &[&str] = &[
    "\\begin{document}",
    "\\section{",
    "\\section*[",
    "{",
    "}",
    "[",
    "]",
    "\\'e",
    "\\\"{\\i}",
    "\\c{c}",
    "\\",
    "%",
    "%\n",
    "\n\n",
    "~",
    "&",
    "--",
    "---",
    "``",
    "''",
    "\\%",
    "\\\\",
    "\\title{",
    "\\verb|",
    "\\ss",
    "\\href{x}{",
    "\\begin{tabular}{ll}",
    "\\cite{",
    "\\v",
];

const TABLE: &[&str] = &["\"", "\"\"", ",", ";", "\t", "|", "\n", "\r\n", "\r", "\","];

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

fn check_document(document: &Document, source_length: Option<usize>) {
    let text = document.text();
    check_sentences(document);
    check_positions(document);
    check_pages(document);
    check_matches(document);
    // The source map goes forward within a part and stays in the file.
    let mut last: Option<(Option<String>, usize)> = None;
    for (at, c) in text.char_indices() {
        for range in document.source_range(Span::new(at, at + c.len_utf8())) {
            assert!(range.bytes.start <= range.bytes.end);
            if let Some(length) = source_length {
                assert!(range.bytes.end <= length, "{range:?} of {length}");
            }
            if let Some((part, start)) = &last {
                assert!(
                    part.as_deref() != range.part || *start <= range.bytes.start,
                    "{start} then {range:?}"
                );
            }
            last = Some((range.part.map(str::to_owned), range.bytes.start));
        }
    }
    for span in document.secondary() {
        assert!(span.slice(text).is_some());
    }
    assert_eq!(document.content_hash(), *blake3::hash(text.as_bytes()).as_bytes());
}

fn check_sentences(document: &Document) {
    let text = document.text();
    let mut end = 0;
    for sentence in document.sentences() {
        let slice = sentence.slice(text).expect("in range, on boundaries");
        assert_eq!(slice, slice.trim());
        assert!(!slice.is_empty());
        let between = text.get(end..sentence.start).expect("in order");
        assert!(between.trim().is_empty(), "only whitespace is left out: {between:?}");
        end = sentence.end;
    }
    assert!(text[end..].trim().is_empty());
    let options = PassageOptions { sentences: 3, chars: 40, overlap: 10, paragraph: usize::MAX };
    let mut end = 0;
    for passage in document.passages(&options) {
        let slice = passage.slice(text).expect("in range, on boundaries");
        assert!(slice.chars().count() <= 40);
        assert!(text[end..passage.start.max(end)].trim().is_empty());
        assert!(passage.end > end);
        end = passage.end;
    }
    assert!(text[end..].trim().is_empty());
    for window in document.windows(&options) {
        assert!(window.slice(text).expect("in range").chars().count() <= 40);
    }
}

/// Pages lie end to end, and each place of the text is on the page that holds it.
fn check_pages(document: &Document) {
    let (text, positions) = (document.text(), document.positions());
    if positions.page_count() == 0 {
        assert!(positions.page_of(0).is_none() && positions.page_span(1).is_none());
        return;
    }
    let mut end = 0;
    for page in 1..=positions.page_count() {
        let span = positions.page_span(page).expect("a page");
        assert_eq!(span.start, end);
        end = span.end;
        for (at, _) in span.slice(text).expect("in range, on boundaries").char_indices() {
            assert_eq!(positions.page_of(span.start + at), Some(page));
        }
    }
    assert_eq!(end, text.len());
    assert_eq!(positions.page_span(positions.page_count() + 1), None);
    assert_eq!(positions.page_of(text.len() + 1), None);
}

/// Runs of ASCII letters.
fn words(text: &str) -> impl Iterator<Item = Span> {
    let mut at = 0;
    text.split(|c: char| !c.is_ascii_alphabetic()).map(move |word| {
        let span = Span::new(at, at + word.len());
        at = span.end + text[span.end..].chars().next().map_or(0, char::len_utf8);
        span
    })
}

/// Words of the text are found where they stand, and lead back to source bytes that spell them.
fn check_matches(document: &Document) {
    let (text, positions) = (document.text(), document.positions());
    for place in words(text).filter(|word| word.len() > 2).take(4) {
        let word = &text[place.start..place.end];
        let matches = find(text, word, LexicalOptions::default()).expect("a good query");
        let exact = matches.iter().filter(|found| found.kind == LexicalKind::Exact);
        assert!(exact.clone().any(|found| found.span.overlaps(&place)), "{word} in {text:?}");
        for found in exact {
            let slice = found.span.slice(text).expect("in range, on boundaries");
            let letters: String = slice.chars().filter(char::is_ascii_alphabetic).collect();
            assert!(letters.eq_ignore_ascii_case(word) || !slice.is_ascii(), "{slice:?} for {word}");
            let chars = positions.char_of(found.span.start).zip(positions.char_of(found.span.end));
            let (start, end) = chars.expect("boundaries");
            assert_eq!(text.chars().skip(start).take(end - start).collect::<String>(), slice);
        }
    }
}

fn check_positions(document: &Document) {
    let text = document.text();
    let positions = document.positions();
    let (mut chars, mut utf16, mut line, mut column) = (0, 0, 1, 1);
    let boundaries = text.char_indices().map(|(at, c)| (at, Some(c))).chain([(text.len(), None)]);
    for (byte, c) in boundaries {
        assert_eq!(positions.char_of(byte), Some(chars));
        assert_eq!(positions.byte_of_char(chars), Some(byte));
        assert_eq!(positions.utf16_of(byte), Some(utf16));
        assert_eq!(positions.byte_of_utf16(utf16), Some(byte));
        let place = positions.line_column(byte).expect("a boundary");
        assert_eq!((place.line, place.column), (line, column));
        assert_eq!(positions.byte_of(place), Some(byte));
        let Some(c) = c else { break };
        for inside in byte + 1..byte + c.len_utf8() {
            assert_eq!(positions.char_of(inside), None);
        }
        if c.len_utf16() == 2 {
            assert_eq!(positions.byte_of_utf16(utf16 + 1), None);
        }
        chars += 1;
        utf16 += c.len_utf16();
        column += 1;
        if c == '\n' {
            assert_eq!(positions.byte_of(findall::document::LineColumn { line, column }), None);
            line += 1;
            column = 1;
        }
    }
    assert_eq!(positions.line_count(), line);
    assert_eq!(positions.char_of(text.len() + 1), None);
    assert_eq!(positions.byte_of_char(chars + 1), None);
    assert_eq!(positions.byte_of_utf16(utf16 + 1), None);
    assert_eq!(positions.line_span(line + 1), None);
}

fn check_bytes(bytes: &[u8], format: Format) {
    if let Ok(document) = Document::from_bytes(bytes, Some(format), &Limits::default()) {
        let plain = matches!(format, Format::Text | Format::Markdown | Format::Html);
        check_document(&document, plain.then_some(bytes.len()));
        if matches!(format, Format::Text | Format::Html) {
            check_source(&document, bytes);
        }
    }
}

/// The source bytes of a word spell it, unless an entity does.
fn check_source(document: &Document, source: &[u8]) {
    let text = document.text();
    if std::str::from_utf8(source).is_err() || source.contains(&0) {
        return;
    }
    for place in words(text) {
        let word = &text[place.start..place.end];
        let ranges = document.source_range(place);
        let spelled: Vec<u8> = ranges.into_iter().flat_map(|range| source[range.bytes].to_vec()).collect();
        let spelled = String::from_utf8(spelled).expect("whole characters");
        assert!(spelled.contains(word) || spelled.contains('&'), "{word:?} from {spelled:?}");
    }
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
