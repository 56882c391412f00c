//! What is checked of any document: sentences, positions, pages, matches, and the way back to its bytes.

use findall::document::{Format, Limits, PassageOptions};
use findall::lexical::{LexicalKind, LexicalOptions, find};
use findall::{Document, Span};

pub fn check_document(document: &Document, source_length: Option<usize>) {
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

pub fn check_positions(document: &Document) {
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

pub fn check_bytes(bytes: &[u8], format: Format) {
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
