//! PDF text by cause: each way of writing text that files use and that is easy to miss, made here in its smallest form;
//! and what is said when a page cannot be read.

use findall::Document;
use findall::document::{Format, Limits, TextGaps};
use findall::error::DocumentError;
use lopdf::{Dictionary, Document as Pdf, Object, Stream, dictionary};

use crate::fixtures;

fn read(bytes: &[u8]) -> Document {
    Document::from_bytes(bytes, Some(Format::Pdf), &Limits::default()).expect("readable")
}

/// A page that shows `content`, with a font `F` and whatever else `change` puts into the file.
fn drawn(content: &[u8], change: impl FnOnce(&mut Pdf) -> Dictionary) -> Vec<u8> {
    let mut pdf = fixtures::pdf_document(&[&[]]);
    let font = change(&mut pdf);
    let font = pdf.add_object(font);
    let page = pdf.page_iter().next().expect("a page");
    let content = pdf.add_object(Stream::new(dictionary! {}, content.to_vec()));
    let page = pdf.get_object_mut(page).and_then(Object::as_dict_mut).expect("the page");
    page.set("Contents", content);
    page.set("Resources", dictionary! { "Font" => dictionary! { "F" => font } });
    fixtures::save(&mut pdf)
}

fn composite(pdf: &mut Pdf, encoding: impl Into<Object>, ordering: &str, more: Dictionary) -> Dictionary {
    let info = dictionary! {
        "Registry" => Object::string_literal("Adobe"), "Ordering" => Object::string_literal(ordering), "Supplement" => 0,
    };
    let mut descendant =
        dictionary! { "Type" => "Font", "Subtype" => "CIDFontType0", "CIDSystemInfo" => info };
    descendant.extend(&more);
    let descendant = pdf.add_object(descendant);
    let encoding: Object = encoding.into();
    dictionary! {
        "Type" => "Font", "Subtype" => "Type0", "BaseFont" => "X", "Encoding" => encoding,
        "DescendantFonts" => vec![Object::Reference(descendant)],
    }
}

fn to_unicode(pdf: &mut Pdf, map: &str) -> Object {
    pdf.add_object(Stream::new(dictionary! {}, map.as_bytes().to_vec())).into()
}

#[test]
fn embedded_code_spaces_tell_how_long_codes_are() {
    let cmap = b"/CMapName /OneByteIdentityH def 1 begincodespacerange <00> <FF> endcodespacerange\n\
        1 begincidrange <00> <FF> 0 endcidrange";
    let one_byte = drawn(b"BT /F 10 Tf 9 9 Td (\x01\x02\x01) Tj ET", |pdf| {
        let cmap = pdf.add_object(Stream::new(dictionary! {}, cmap.to_vec()));
        let mut font = composite(pdf, cmap, "Identity", dictionary! {});
        font.set("ToUnicode", to_unicode(pdf, "2 beginbfchar <01> <0061> <02> <0062> endbfchar"));
        font
    });
    assert_eq!(read(&one_byte).text(), "aba");

    let mixed = drawn(b"BT /F 10 Tf 9 9 Td (a\x82\xa0b) Tj ET", |pdf| {
        let spaces = b"2 begincodespacerange <00> <7F> <8140> <9FFC> endcodespacerange";
        let cmap = pdf.add_object(Stream::new(dictionary! {}, spaces.to_vec()));
        let mut font = composite(pdf, cmap, "Identity", dictionary! {});
        font.set(
            "ToUnicode",
            to_unicode(pdf, "3 beginbfchar <61> <0061> <62> <0062> <82a0> <3042> endbfchar"),
        );
        font
    });
    assert_eq!(read(&mixed).text(), "a\u{3042}b");
}

#[test]
fn predefined_cmaps_are_known() {
    let cases: [(&str, &str, &[u8], &str); 5] = [
        ("90ms-RKSJ-H", "Japan1", b"\x93\x94\x91\xe4 A1", "灯台 A1"),
        ("EUC-H", "Japan1", b"\xc5\xf4\xc2\xe6", "灯台"),
        ("GBK-EUC-H", "GB1", b"\xb5\xc6\xcb\xfe", "灯塔"),
        ("KSCms-UHC-H", "Korea1", b"\xb5\xee\xb4\xeb", "등대"),
        ("UniJIS-UTF16-H", "Japan1", b"\x70\x6f\x53\xf0", "灯台"),
    ];
    for (encoding, ordering, codes, text) in cases {
        let mut content = b"BT /F 10 Tf 9 9 Td (".to_vec();
        content.extend(codes);
        content.extend(b") Tj ET");
        let file = drawn(&content, |pdf| composite(pdf, encoding, ordering, dictionary! {}));
        assert_eq!(read(&file).text(), text, "{encoding}");
    }
    // Without any encoding the numbers of the collection itself are meant: 843 is a in hiragana.
    let file = drawn(b"BT /F 10 Tf 9 9 Td <034B> Tj ET", |pdf| {
        composite(pdf, "Identity-H", "Japan1", dictionary! {})
    });
    assert_eq!(read(&file).text(), "\u{3042}");
}

#[test]
fn built_in_encodings_give_ligatures() {
    let font_file =
        b"%!PS-AdobeFont-1.0: CMR10\n/Encoding 256 array 0 1 255 {1 index exch /.notdef put} for\n\
        dup 12 /fi put dup 14 /ffi put dup 97 /a put readonly def currentfile eexec";
    let file = drawn(b"BT /F 10 Tf 9 9 Td (\x0ca\x0e) Tj ET", |pdf| {
        let program = pdf.add_object(Stream::new(dictionary! {}, font_file.to_vec()));
        let descriptor = pdf.add_object(dictionary! { "Type" => "FontDescriptor", "FontFile" => program });
        dictionary! { "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "CMR10", "FontDescriptor" => descriptor }
    });
    assert_eq!(read(&file).text(), "fiaffi");
}

#[test]
fn fonts_made_of_pictures_say_their_letters() {
    let names = ["a65", "fi", "uni00E9"].map(|name| Object::Name(name.into()));
    let differences: Vec<Object> = [Object::Integer(1)].into_iter().chain(names).collect();
    // The unit is a hundredth of the letter size, and letters are half as wide as high.
    let file = drawn(b"BT /F 10 Tf 9 9 Td (\x01\x02) Tj 10 0 Td (\x03) Tj 8 0 Td (\x01) Tj ET", |_| {
        dictionary! {
            "Type" => "Font", "Subtype" => "Type3", "FirstChar" => 1, "LastChar" => 3,
            "FontMatrix" => vec![0.01.into(), 0.into(), 0.into(), 0.01.into(), 0.into(), 0.into()],
            "Widths" => vec![50.into(), 50.into(), 50.into()],
            "Encoding" => dictionary! { "Type" => "Encoding", "Differences" => differences },
        }
    });
    assert_eq!(read(&file).text(), "Afi\u{e9} A");
}

#[test]
fn filters_may_lie_elsewhere() {
    let mut pdf = fixtures::pdf_document(&[&["Words behind a reference."]]);
    let name = pdf.add_object(Object::Name(b"FlateDecode".to_vec()));
    let mut compressed = 0;
    for object in pdf.objects.values_mut() {
        if let Object::Stream(stream) = object {
            // A page of few words is not packed by itself.
            let mut packed = Stream::new(dictionary! {}, stream.content.clone());
            packed.content.extend(b"\n%".iter().chain([b' '; 600].iter()));
            packed.compress().expect("packs");
            compressed += usize::from(packed.dict.has(b"Filter"));
            packed.dict.set("Filter", name);
            *stream = packed;
        }
    }
    assert_eq!(compressed, 1);
    assert_eq!(read(&fixtures::save(&mut pdf)).text(), "Words behind a reference.");
}

#[test]
fn content_that_breaks_the_rules_is_read_all_the_same() {
    let cases: [(&[u8], &str); 6] = [
        (b"BT /F1 10 Tf 9 9 Td [(in) 0 Tc (side)] TJ 0 -20 Td (after) Tj ET", "inside\nafter"),
        (b"BT /F1 10 Tf 9 9 Td (a \\(b\\) \\101\\\nc) Tj ET", "a (b) Ac"),
        (b"BT /F1 10 Tf 9 9 Td (one) Tj } ) >> ET BT /F1 10 Tf 9 9 Td ( two) Tj ET", "one\ntwo"),
        (
            b"BT /F1 10 Tf 9 9 Td /Span << /ActualText (office) >> BDC (o) Tj (ce) Tj EMC ( hours) Tj ET",
            "office hours",
        ),
        (b"BT /F1 10 Tf 9 9 Td (a) Tj ( ) Tj ( ) Tj (b) Tj ET", "a b"),
        (b"BI /W 9 /H 9 ID \x01(\xff EI BT /F1 10 Tf 9 9 Td (seen) Tj ET", "seen"),
    ];
    for (content, text) in cases {
        let file = fixtures::pdf_drawing(content);
        assert_eq!(read(&file).text(), text, "{}", String::from_utf8_lossy(content));
    }
}

#[test]
fn forms_notes_and_signatures_are_read_as_seen() {
    let mut pdf = fixtures::pdf_document(&[&["Please sign."]]);
    let page = pdf.page_iter().next().expect("a page");
    let resources =
        pdf.get_dictionary(page).ok().and_then(|page| page.get_deref(b"Parent", &pdf).ok()).cloned();
    let resources =
        resources.and_then(|tree| tree.as_dict().ok()?.get(b"Resources").ok().cloned()).expect("shared");
    let mut appearance = |text: &str| {
        let content = format!("/Tx BMC BT /F1 10 Tf 2 4 Td ({text}) Tj ET EMC");
        let mut form = dictionary! { "Type" => "XObject", "Subtype" => "Form" };
        form.set("BBox", vec![0.into(), 0.into(), 200.into(), 20.into()]);
        form.set("Resources", resources.clone());
        let form = pdf.add_object(Stream::new(form, content.into_bytes()));
        dictionary! { "N" => form }
    };
    let rect = |y: i64| Object::Array(vec![50.into(), y.into(), 250.into(), (y + 20).into()]);
    let annotations: Vec<Object> = vec![
        dictionary! { "Subtype" => "Widget", "Rect" => rect(600), "AP" => appearance("Field value"), "V" => Object::string_literal("x") }.into(),
        dictionary! { "Subtype" => "FreeText", "Rect" => rect(500), "AP" => appearance("A remark") }.into(),
        dictionary! { "Subtype" => "Widget", "Rect" => rect(400), "V" => Object::string_literal("Not drawn yet") }.into(),
        dictionary! { "Subtype" => "Widget", "Rect" => rect(300), "F" => 2, "AP" => appearance("Hidden") }.into(),
        dictionary! { "Subtype" => "Text", "Rect" => rect(200), "Contents" => Object::string_literal("Only when clicked") }.into(),
    ];
    pdf.get_object_mut(page).and_then(Object::as_dict_mut).expect("the page").set("Annots", annotations);
    let text = read(&fixtures::save(&mut pdf)).text().to_owned();
    assert_eq!(
        text.split_whitespace().collect::<Vec<_>>().join(" "),
        "Please sign. Field value A remark Not drawn yet"
    );
}

/// A page that is nothing but a picture.
fn scanned(lines: &[&[&str]]) -> Vec<u8> {
    let mut pdf = fixtures::pdf_document(lines);
    let picture =
        dictionary! { "Type" => "XObject", "Subtype" => "Image", "Width" => 1000, "Height" => 1400 };
    let picture = pdf.add_object(Stream::new(picture, vec![0; 16]));
    let content = pdf.add_object(Stream::new(dictionary! {}, b"q 595 0 0 842 0 0 cm /Im Do Q".to_vec()));
    let page = pdf.page_iter().last().expect("a page");
    let page = pdf.get_object_mut(page).and_then(Object::as_dict_mut).expect("the page");
    page.set("Resources", dictionary! { "XObject" => dictionary! { "Im" => picture } });
    page.set("Contents", content);
    fixtures::save(&mut pdf)
}

#[test]
fn what_cannot_be_read_is_said() {
    let refused = Document::from_bytes(&scanned(&[&[]]), None, &Limits::default()).expect_err("a picture");
    let gaps = TextGaps { pages: 1, scanned: 1, ..TextGaps::default() };
    assert_eq!(refused, DocumentError::NoText { gaps });
    assert!(refused.to_string().contains("its one page is scanned"), "{refused}");

    let document = read(&scanned(&[&["First page."], &["Second."], &[]]));
    assert_eq!(document.gaps(), TextGaps { pages: 3, scanned: 1, ..TextGaps::default() });
    assert!(document.text().contains("Second."));

    // Letters by number, and nobody says what the numbers mean.
    let file =
        drawn(b"BT /F 10 Tf 9 9 Td <0001000200030004000500060007000800090A0A0B0B0C0C0D0D> Tj ET", |pdf| {
            composite(pdf, "Identity-H", "Identity", dictionary! {})
        });
    let refused = Document::from_bytes(&file, None, &Limits::default()).expect_err("no map");
    let gaps = TextGaps { pages: 1, unmapped: 1, ..TextGaps::default() };
    assert_eq!(refused, DocumentError::NoText { gaps });

    // An empty page is empty, and that is all.
    assert!(read(&fixtures::pdf(&[&[]])).gaps().is_empty());
}

#[test]
fn many_object_streams_are_no_bomb() {
    // Each unpacks to more than an even share of a fixed budget; all of them together do not weigh much.
    let mut file = b"%PDF-1.5\n".to_vec();
    let filler = fixtures::pdf(&[&["Sound file."]]);
    let packed = {
        let mut stream =
            Stream::new(dictionary! {}, b"1 0 ".iter().copied().cycle().take(300 << 10).collect());
        stream.compress().expect("packs");
        stream.content
    };
    for number in 0..100 {
        file.extend(
            format!(
                "{} 0 obj\n<</Type/ObjStm/Filter/FlateDecode/Length {}>>stream\n",
                9000 + number,
                packed.len()
            )
            .bytes(),
        );
        file.extend(&packed);
        file.extend(b"\nendstream\nendobj\n");
    }
    // Comments and unused objects before a file are allowed; offsets count from its own header.
    let mut whole = filler.clone();
    whole.extend(&file);
    whole.extend(b"%%EOF\n");
    let limits = Limits::default();
    match Document::from_bytes(&whole, Some(Format::Pdf), &limits) {
        Ok(document) => assert_eq!(document.text(), "Sound file."),
        Err(error) => assert!(!matches!(error, DocumentError::ZipBomb { .. }), "{error}"),
    }

    let bomb = {
        let mut stream = Stream::new(dictionary! {}, vec![b' '; 100 << 20]);
        stream.compress().expect("packs");
        stream.content
    };
    let mut file = filler;
    for number in 0..8 {
        file.extend(format!("{} 0 obj\n<</Type/ObjStm/Filter/FlateDecode>>stream\n", 9000 + number).bytes());
        file.extend(&bomb);
        file.extend(b"\nendstream\nendobj\n");
    }
    let refused = Document::from_bytes(&file, Some(Format::Pdf), &limits).expect_err("a bomb");
    assert!(matches!(refused, DocumentError::ZipBomb { .. }), "{refused}");
}
