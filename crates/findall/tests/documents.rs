//! Documents of every format: what text they give and how it leads back to the bytes.

use findall::document::{Format, Limits, PassageOptions};
use findall::{Document, Span};

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
        ("", ""),
    ];
    for (html, expected) in cases {
        assert_eq!(read(html.as_bytes(), Format::Html).text(), expected, "{html}");
    }
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
fn deep_html_is_only_long() {
    for tag in ["div", "b", "table", "ul><li", "span hidden"] {
        let html = format!("{}x", format!("<{tag}>").repeat(100_000));
        let document = read(html.as_bytes(), Format::Html);
        assert_eq!(document.text(), if tag.contains("hidden") { "" } else { "x" });
    }
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
