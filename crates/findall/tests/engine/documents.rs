//! Documents of every format: what text they give and how it leads back to the bytes.

use findall::document::{Format, Limits, PassageOptions, ReadOptions};
use findall::{Document, Span};

use crate::fixtures;

fn read(bytes: &[u8], format: Format) -> Document {
    Document::from_bytes(bytes, Some(format), &Limits::default()).expect("readable")
}

/// The source bytes behind the first occurrence of `needle` in the text.
fn source_of<'s>(document: &Document, source: &'s [u8], needle: &str) -> Vec<&'s str> {
    let start = document.text().find(needle).expect("needle in text");
    let ranges = document.source_range(Span::new(start, start + needle.len()));
    ranges.into_iter().map(|range| std::str::from_utf8(&source[range.bytes]).expect("UTF-8")).collect()
}

#[test]
fn html_reads_as_a_browser_shows_it() {
    let cases = [
        ("<p>One  two\n three</p><p>Four", "One two three\n\nFour"),
        ("<div>a</div><div>b<br>c</div>", "a\nb\nc"),
        ("a<b>b</b> <i> c</i>", "ab c"),
        (
            "x &amp; y &lt;z&gt; &eacute;&#233;&#xe9; &copy 1 &notit; &bogus;",
            "x & y <z> ééé © 1 ¬it; &bogus;",
        ),
        ("<script>no</script><style>no</style><noscript>no</noscript><template>no</template>yes", "yes"),
        ("<p hidden>no</p><p>yes</p><span style='DISPLAY : none'>no</span>", "yes"),
        ("<i aria-hidden=true>menu_open</i>yes<div aria-hidden=true>page</div>", "yes\npage"),
        ("<ul><li>one<li>two</ul>", "one\ntwo"),
        ("<table><tr><td>a<td>b<tr><td>c<td>d</table>", "a\tb\nc\td"),
        ("<pre>a\n  b</pre>c  d", "a\n  b\n\nc d"),
        ("<p hidden>no<p>yes", "yes"),
        ("a<!-- no -->b", "ab"),
        ("<p>a</p>&nbsp;<p>b&nbsp;c</p>", "a\n\n\u{a0}\n\nb\u{a0}c"),
        ("<textarea>&lt;x></textarea>", "<x>"),
        ("&#xD800; &#0; &#x110000;", "\u{fffd} \u{fffd} \u{fffd}"),
        ("<xmp>&amp;</xmp>", "&amp;"),
        ("line\r\nend", "line end"),
        ("<span hidden>a<span>b</span>c</span>d", "d"),
        ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp>字<rt>ji</rt></ruby>", "漢字"),
        (
            "extra<wbr>ordinary, in&shy;side, 5&nbsp;&times;&nbsp;3",
            "extraordinary, in\u{ad}side, 5\u{a0}×\u{a0}3",
        ),
        ("<details><summary>More</summary><p>Inside</p></details>after", "More\n\nInside\n\nafter"),
        ("<button>Save</button><button>Cancel</button>", "Save\tCancel"),
        (
            "<table><caption>Ports</caption><tr><th>Name<th>Depth<tr><td>Os<b>lo</b></td><td></td><td>9 m</table>",
            "Ports\nName\tDepth\nOslo\t9 m",
        ),
        ("<dl><dt>Ebb<dd>out<dt>Flow<dd>in</dl>", "Ebb\nout\nFlow\nin"),
        ("un<b hidden>x</b>broken <i>it</i><b>al</b>ic H<sub>2</sub>O", "unbroken italic H2O"),
        ("<dialog>shut</dialog><dialog open>open</dialog>", "open"),
        ("<p hidden=until-found>folded away</p>", "folded away"),
        ("<select><option>Red<option>Blue</select>", "Red\nBlue"),
        (
            "<svg><title>no</title><text>in picture</text></svg> <math><mi>x</mi><mo>=</mo></math>",
            "in picture x=",
        ),
        ("", ""),
    ];
    for (html, expected) in cases.into_iter().chain(TOUCHING_ELEMENTS) {
        assert_eq!(read(html.as_bytes(), Format::Html).text(), expected, "{html}");
    }
}

/// A phrase and what another element says beside it are two things; parts of one word are not.
const TOUCHING_ELEMENTS: [(&str, &str); 5] = [
    ("<cite><span>Ada Kovács</span><span>Head of press</span></cite>", "Ada Kovács Head of press"),
    ("<a href=x><b>Ada Kovács</b></a><i>Head</i>", "Ada Kovács Head"),
    ("<b>Hand</b><i>Made</i> and <b>two hand</b><i>made</i>", "HandMade and two handmade"),
    ("<b>made by Hand</b>Made", "made by HandMade"),
    ("<pre><b>let mut get</b><i>Name</i></pre>", "let mut getName"),
];

#[test]
fn html_hidden_by_the_page_s_own_style_sheet_is_not_read() {
    let html = b"<head><style>.gone { display: none } .tab{display:none} .tab.on{display:block} body{display:none}</style></head>\
        <body><p class='x gone'>not seen <b>at all</b></p><p class=tab>closed</p><p class='tab on'>open</p><p>seen</p>";
    assert_eq!(read(html, Format::Html).text(), "open\n\nseen");
}

#[test]
fn html_gives_descriptions_and_values_on_request() {
    let html = "<p>See<img alt='The  old &amp; tall lamp'>here</p><img alt=''><form><input value='Ada Ware' placeholder=no>\
        <input placeholder='Your town'><input type=hidden value=no><input type=Password value=no>\
        <textarea placeholder='Say more'>typed</textarea></form><div hidden><img alt=no></div><b alt=no>end</b>";
    let options = |alt_texts| ReadOptions { alt_texts, ..ReadOptions::default() };
    let read = |alt_texts| {
        let bytes = html.as_bytes().to_vec();
        Document::from_vec_with(bytes, Some(Format::Html), &options(alt_texts)).expect("readable")
    };
    assert_eq!(read(false).text(), "Seehere\n\ntyped\nend");
    let document = read(true);
    assert_eq!(document.text(), "See The old & tall lamp here\n\nAda Ware Your town\nSay more typed\nend");
    assert_eq!(source_of(&document, html.as_bytes(), "The old & tall lamp"), ["The  old &amp; tall lamp"]);
    assert_eq!(source_of(&document, html.as_bytes(), "Ada Ware"), ["Ada Ware"]);
    let book = fixtures::epub(&["<p>One<img src='x' alt='A lighthouse'/></p>"]);
    let book = Document::from_vec_with(book, Some(Format::Epub), &options(true)).expect("readable");
    assert!(book.text().contains("One A lighthouse"), "{}", book.text());
}

#[test]
fn html_leads_back_to_its_bytes() {
    let html = "<title>T &amp; U</title><p>Caf&eacute; <b>and</b>\n\n tea &amp; milk</p>";
    let document = read(html.as_bytes(), Format::Html);
    assert_eq!(document.title(), Some("T & U"));
    assert_eq!(document.text(), "Café and tea & milk");
    let source = |needle| source_of(&document, html.as_bytes(), needle);
    assert_eq!(source("Café"), ["Caf&eacute;"]);
    assert_eq!(source("é"), ["&eacute;"]);
    assert_eq!(source("Café and"), ["Caf&eacute; ", "and"]);
    assert_eq!(source("and tea"), ["and", "\n\n tea"]);
    assert_eq!(source("ilk"), ["ilk"]);
}

#[test]
fn html_tells_furniture_from_main_text() {
    let html =
        "<header>Site</header><nav>Menu</nav><main><header>Title</header>Body</main><footer>Legal</footer>";
    let document = read(html.as_bytes(), Format::Html);
    let is_main = |needle: &str| {
        let start = document.text().find(needle).expect("there");
        document.is_main(Span::new(start, start + needle.len()))
    };
    assert!(!is_main("Site") && !is_main("Menu") && !is_main("Legal"));
    assert!(is_main("Title") && is_main("Body"));
}

#[test]
fn markdown_keeps_the_words() {
    let markdown = "# Big *title*\n\nSome `code` and [link](http://x) &amp; more\\*\nnext line\n\n- one\n- two\n\n\
                    | a | b |\n|---|---|\n| c | d |\n\n<div>html <b>bold</b></div>\n\nnote[^1]\n\n[^1]: Foot.\n";
    let document = read(markdown.as_bytes(), Format::Markdown);
    assert_eq!(document.title(), Some("Big title"));
    assert_eq!(
        document.text(),
        "Big title\n\nSome code and link & more*\nnext line\n\none\ntwo\n\na\tb\nc\td\n\nhtml bold\n\nnote[1]\n\nFoot."
    );
    let source = |needle| source_of(&document, markdown.as_bytes(), needle);
    assert_eq!(source("code"), ["code"]);
    assert_eq!(source("link &"), ["link", " &amp;"]);
    assert_eq!(source("bold"), ["bold"]);
}

/// Found by fuzzing: the parser reports the indentation of an HTML block after the block, as text.
#[test]
fn markdown_indented_html_is_read_once() {
    let document = read(b"words\n\n <div>html</div>\n\nmore", Format::Markdown);
    assert_eq!(document.text(), "words\n\nhtml\n\nmore");
}

#[test]
fn text_keeps_every_byte() {
    let text = "\u{feff}line one\r\nline\0two 👍 e\u{301}\r\n";
    let document = read(text.as_bytes(), Format::Text);
    assert_eq!(document.text(), &text[3..]);
    assert_eq!(source_of(&document, text.as_bytes(), "👍"), ["👍"]);
}

#[test]
fn sentences_end_where_readers_stop() {
    let cases: &[(&str, &[&str])] = &[
        (
            "Mr. Smith met Dr. J. K. Rowling. They talked.",
            &["Mr. Smith met Dr. J. K. Rowling.", "They talked."],
        ),
        ("He lives in the U.S. The weather is fine.", &["He lives in the U.S.", "The weather is fine."]),
        ("The U.S. Senate met. Pi is 3.14 today.", &["The U.S. Senate met.", "Pi is 3.14 today."]),
        ("\"Stop!\" he said. \"Why?\" She ran.", &["\"Stop!\" he said.", "\"Why?\"", "She ran."]),
        ("Wait... what? Yes… No.", &["Wait... what?", "Yes…", "No."]),
        ("A heading\n\nBody text\nwraps here.", &["A heading", "Body text\nwraps here."]),
        ("Buy:\n- milk\n- eggs", &["Buy:", "- milk", "- eggs"]),
        ("1. First thing. 2. Second.", &["1. First thing.", "2. Second."]),
        (
            "Apple Inc. was founded. See No. 5 and p. 12.",
            &["Apple Inc. was founded.", "See No. 5 and p. 12."],
        ),
        ("This is known.[1] Next one.[a][2]", &["This is known.[1]", "Next one.[a][2]"]),
        ("これは文です。次の文です。", &["これは文です。", "次の文です。"]),
        ("E.g. this, i.e. that. Done", &["E.g. this, i.e. that.", "Done"]),
        ("At 5 p.m. He left. At 5 p.m. on Monday.", &["At 5 p.m.", "He left.", "At 5 p.m. on Monday."]),
        ("Visit example.com today! OK?", &["Visit example.com today!", "OK?"]),
        (" \n ", &[]),
    ];
    for (text, expected) in cases {
        let document = Document::from_text(*text);
        let sentences: Vec<_> =
            document.sentences().iter().map(|span| span.slice(text).expect("in range")).collect();
        assert_eq!(&sentences, expected, "{text}");
    }
}

#[test]
fn passages_are_short_whole_and_overlap() {
    let text = "This sentence has some forty characters. ".repeat(200);
    let document = Document::from_text(text.trim());
    let options = PassageOptions::default();
    let passages = document.passages(&options);
    assert_eq!(passages.first().map(|span| span.start), Some(0));
    assert_eq!(passages.last().map(|span| span.end), Some(document.text().len()));
    for pair in passages.windows(2) {
        let overlap = pair[0].end.saturating_sub(pair[1].start);
        assert!(overlap > 0 && overlap <= options.overlap, "{overlap}");
    }
    assert!(passages.iter().all(|span| span.len() <= options.chars));
    let windows: Vec<_> = document.windows(&options).collect();
    assert_eq!(windows.len(), 200 - 15 + 1);
    let long = Document::from_text("word ".repeat(1000));
    assert!(long.passages(&options).iter().all(|span| span.len() <= options.chars));
}

#[test]
fn passages_end_where_paragraphs_do() {
    let (short, middle, long) =
        ("A short one. ".repeat(3), "Rather longer. ".repeat(12), "Long. ".repeat(60));
    let paragraphs = [&short, &middle, &middle, &long, &short].map(|text| text.trim());
    let document = Document::from_text(paragraphs.join("\n\n"));
    let options = PassageOptions { sentences: 100, chars: 250, overlap: 50, paragraph: 100 };
    let passages: Vec<&str> =
        document.passages(&options).iter().map(|span| span.slice(document.text()).unwrap()).collect();
    assert_eq!(passages[0], format!("{}\n\n{}", paragraphs[0], paragraphs[1]), "too short to stand alone");
    assert_eq!(passages[1], paragraphs[2]);
    assert!(passages[2].len() <= options.chars && paragraphs[3].starts_with(passages[2]));
    assert!(passages.last().unwrap().ends_with(paragraphs[4]));
    let cut: usize = passages[2..].iter().map(|passage| passage.len()).sum();
    assert!(cut > paragraphs[3].len() + paragraphs[4].len(), "a paragraph that is cut repeats a little");
}

#[test]
fn epub_reads_chapters_in_spine_order() {
    let first = "<?xml version='1.0'?><html><head><title/><script src='x'/></head><body><h1>One</h1><p>Salt &#38; \
                 sea</p></body></html>";
    let book = fixtures::epub(&[first, "<p>Two <i>tides</i></p>"]);
    assert_eq!(Format::guess(&book, None), Ok(Format::Epub));
    let document = read(&book, Format::Epub);
    assert_eq!(document.title(), Some("Salt & Sea"));
    assert_eq!(document.text(), "One\n\nSalt & sea\n\nTwo tides");
    let at = document.text().find("Two").expect("there");
    let ranges = document.source_range(Span::new(at, at + 3));
    assert_eq!(ranges.len(), 1);
    assert_eq!(ranges[0].part, Some("OEBPS/text/chapter 1.xhtml"));
    assert_eq!(ranges[0].bytes, 3..6);
}

#[test]
fn docx_reads_paragraphs_tables_and_no_hidden_runs() {
    let body = "<w:p><w:r><w:t>Salt &amp; sea</w:t><w:tab/><w:t>tides</w:t></w:r></w:p>\
                <w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r><w:r><w:t>shown</w:t><w:br/>\
                <w:t>next</w:t></w:r></w:p><w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:p>\
                <w:r><w:t>b</w:t></w:r></w:p></w:tc></w:tr></w:tbl><w:p><w:del><w:r><w:delText>gone</w:delText></w:r>\
                </w:del><w:r><w:t>&#xD800;&#x1F600;</w:t></w:r></w:p>";
    let file = fixtures::docx(body);
    assert_eq!(Format::guess(&file, None), Ok(Format::Docx));
    let document = read(&file, Format::Docx);
    assert_eq!(document.title(), Some("Notes & Queries"));
    assert_eq!(document.text(), "Salt & sea\ttides\nshown\nnext\na\nb\n\n\u{fffd}\u{1f600}");
    let ranges = document.source_range(Span::new(5, 6));
    assert_eq!(ranges[0].part, Some("word/document.xml"));
    assert_eq!(ranges[0].bytes.len(), "&amp;".len());
}

#[test]
fn pdf_reads_pages_and_lines() {
    let file = fixtures::pdf(&[&["Caf\u{e9} at high-", "tide \u{2013} open."], &[], &["Third page."]]);
    assert_eq!(Format::guess(&file, None), Ok(Format::Pdf));
    let document = read(&file, Format::Pdf);
    assert_eq!(document.title(), Some("Tide tables"));
    assert_eq!(document.text(), "Caf\u{e9} at high-\ntide \u{2013} open.\n\nThird page.");
    let positions = document.positions();
    assert_eq!(positions.page_count(), 3);
    let third = document.text().find("Third").expect("there");
    assert_eq!((positions.page_of(0), positions.page_of(third)), (Some(1), Some(3)));
    assert_eq!(positions.page_span(3), Some(Span::new(third, document.text().len())));
}

#[test]
fn pdf_text_is_read_as_it_is_seen() {
    let cases = [
        // Exponents stay in their line, whatever their height.
        ("(mc) Tj /F1 6 Tf 5.5 Ts (2) Tj /F1 10 Tf 0 Ts ( and) Tj 0 -12 Td (next) Tj", "mc2 and\nnext"),
        // Kerning is no space; a gap is one.
        ("[(Wa) 80 (ter) -250 (falls)] TJ", "Water falls"),
        // Two letters far apart are the end of a word and the start of the next.
        ("3.4 Tc (st) Tj 0 Tc 16.8 0 Td (ars) Tj", "s t ars"),
        ("1.5 Tc (SPACED) Tj", "SPACED"),
        // Drawn from left to right, read from right to left.
        ("(to ) Tj /F2 10 Tf [(C) 20 (BA)] TJ /F1 10 Tf ( end) Tj", "to \u{5d0}\u{5d1}\u{5d2} end"),
        (
            "/F2 10 Tf [(C) 20 (B)] TJ 12 0 Td (A) Tj 0 -12 Td (BA) Tj",
            "\u{5d0} \u{5d1}\u{5d2}\n\u{5d0}\u{5d1}",
        ),
    ];
    for (drawn, text) in cases {
        let file = fixtures::pdf_drawing(format!("BT /F1 10 Tf 72 700 Td {drawn} ET"));
        assert_eq!(read(&file, Format::Pdf).text(), text, "{drawn}");
    }
}

#[test]
fn pdf_pages_use_what_their_parents_hand_down() {
    let mut pdf = fixtures::pdf_document(&[&["Handed down."]]);
    let tree = pdf.catalog().and_then(|catalog| catalog.get(b"Pages")).and_then(|tree| tree.as_reference());
    let tree = tree.expect("a tree of pages");
    let shared =
        pdf.get_dictionary(tree).and_then(|tree| tree.get_deref(b"Resources", &pdf)).expect("shared");
    // Written out in the parent itself, as gropdf does.
    let written_out = shared.clone();
    pdf.get_object_mut(tree)
        .and_then(|tree| tree.as_dict_mut())
        .expect("a dictionary")
        .set("Resources", written_out);
    assert_eq!(read(&fixtures::save(&mut pdf), Format::Pdf).text(), "Handed down.");
}

#[test]
fn pdf_fonts_say_what_their_codes_mean() {
    let cases: [(&[u8], &str); 2] = [
        (include_bytes!("../../../../fuzz/seeds/pdf/simple.pdf"), "One\nTw o\nx\ny\n\nff"),
        (include_bytes!("../../../../fuzz/seeds/pdf/wide.pdf"), "ABC\u{1f600}\nA"),
    ];
    for (file, text) in cases {
        assert_eq!(read(file, Format::Pdf).text(), text);
    }
}
