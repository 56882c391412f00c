//! Small files of the binary formats, made in code so that each test says what is in them.

use std::collections::BTreeMap;
use std::io::{Cursor, Write};
use std::sync::Arc;

use lopdf::content::{Content, Operation};
use lopdf::encryption::crypt_filters::{Aes256CryptFilter, CryptFilter};
use lopdf::{Document as Pdf, EncryptionState, EncryptionVersion, Object, Permissions, Stream, dictionary};
use zip::CompressionMethod;
use zip::write::{SimpleFileOptions, ZipWriter};

/// A zip of named parts. EPUB wants the first one stored as it is.
pub fn zip(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        let method =
            if *name == "mimetype" { CompressionMethod::Stored } else { CompressionMethod::Deflated };
        let options = SimpleFileOptions::default().compression_method(method);
        writer.start_file(*name, options).expect("a new part");
        writer.write_all(bytes).expect("memory");
    }
    writer.finish().expect("a whole archive").into_inner()
}

/// A book whose chapters stand in the archive in another order than they are read in.
pub fn epub(chapters: &[&str]) -> Vec<u8> {
    let container = r#"<?xml version="1.0"?><container><rootfiles>
        <rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>"#;
    let items: String = (0..chapters.len())
        .rev()
        .map(|n| {
            format!(r#"<item id="c{n}" href="text/chapter%20{n}.xhtml" media-type="application/xhtml+xml"/>"#)
        })
        .collect();
    let spine: String = (0..chapters.len()).map(|n| format!(r#"<itemref idref="c{n}"/>"#)).collect();
    let package = format!(
        "<package xmlns:dc='http://purl.org/dc/elements/1.1/'><metadata><dc:title>Salt &amp; Sea</dc:title>\
         </metadata><manifest>{items}</manifest><spine>{spine}</spine></package>"
    );
    let named: Vec<(String, &str)> = chapters
        .iter()
        .enumerate()
        .rev()
        .map(|(n, chapter)| (format!("OEBPS/text/chapter {n}.xhtml"), *chapter))
        .collect();
    let mut parts: Vec<(&str, &[u8])> = vec![
        ("mimetype", b"application/epub+zip"),
        ("META-INF/container.xml", container.as_bytes()),
        ("OEBPS/book.opf", package.as_bytes()),
    ];
    parts.extend(named.iter().map(|(name, chapter)| (name.as_str(), chapter.as_bytes())));
    zip(&parts)
}

/// A Word document with this body.
pub fn docx(body: &str) -> Vec<u8> {
    let document = format!(
        r#"<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="w"><w:body>{body}</w:body></w:document>"#
    );
    let core = "<cp:coreProperties><dc:title>Notes &amp; Queries</dc:title></cp:coreProperties>";
    zip(&[
        ("[Content_Types].xml", b"<Types/>"),
        ("docProps/core.xml", core.as_bytes()),
        ("word/document.xml", document.as_bytes()),
    ])
}

/// The pages of a PDF, each a list of lines in Helvetica.
pub fn pdf_document(pages: &[&[&str]]) -> Pdf {
    let mut pdf = Pdf::with_version("1.5");
    let tree = pdf.new_object_id();
    let font = pdf.add_object(dictionary! {
        "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica", "Encoding" => "WinAnsiEncoding",
    });
    // The letters A, B, C of this one are Hebrew.
    let names = ["uni05D0", "uni05D1", "uni05D2"].map(|name| Object::Name(name.into()));
    let differences: Vec<Object> = [Object::Integer(65)].into_iter().chain(names).collect();
    let hebrew = pdf.add_object(dictionary! {
        "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Own",
        "Encoding" => dictionary! { "Differences" => differences },
    });
    let fonts = dictionary! { "F1" => font, "F2" => hebrew };
    let resources = pdf.add_object(dictionary! { "Font" => fonts });
    let mut kids: Vec<Object> = Vec::new();
    for lines in pages {
        let mut operations = vec![
            Operation::new("BT", vec![]),
            Operation::new("Tf", vec!["F1".into(), 12.into()]),
            Operation::new("TL", vec![14.into()]),
            Operation::new("Td", vec![72.into(), 720.into()]),
        ];
        for line in *lines {
            let (bytes, _, _) = encoding_rs::WINDOWS_1252.encode(line);
            operations.push(Operation::new("Tj", vec![Object::string_literal(bytes.into_owned())]));
            operations.push(Operation::new("T*", vec![]));
        }
        operations.push(Operation::new("ET", vec![]));
        let content = Content { operations }.encode().expect("operators");
        let content = pdf.add_object(Stream::new(dictionary! {}, content));
        let page = pdf.add_object(dictionary! { "Type" => "Page", "Parent" => tree, "Contents" => content });
        kids.push(page.into());
    }
    let count = kids.len() as i64;
    let root = dictionary! {
        "Type" => "Pages", "Kids" => kids, "Count" => count, "Resources" => resources,
        "MediaBox" => vec![0.into(), 0.into(), 595.into(), 842.into()],
    };
    pdf.objects.insert(tree, Object::Dictionary(root));
    let catalog = pdf.add_object(dictionary! { "Type" => "Catalog", "Pages" => tree });
    let info = pdf.add_object(dictionary! { "Title" => Object::string_literal("Tide tables") });
    pdf.trailer.set("Root", catalog);
    pdf.trailer.set("Info", info);
    let id = Object::string_literal(b"0123456789abcdef".to_vec());
    pdf.trailer.set("ID", vec![id.clone(), id]);
    pdf.compress();
    pdf
}

/// The file of [`pdf_document`].
pub fn pdf(pages: &[&[&str]]) -> Vec<u8> {
    save(&mut pdf_document(pages))
}

/// The same file behind a password; an empty one opens it.
pub fn protected_pdf(pages: &[&[&str]], user_password: &str) -> Vec<u8> {
    let mut pdf = pdf_document(pages);
    let version = EncryptionVersion::V2 {
        document: &pdf,
        owner_password: "owner",
        user_password,
        key_length: 128,
        permissions: Permissions::PRINTABLE,
    };
    let state = EncryptionState::try_from(version).expect("keys");
    pdf.encrypt(&state).expect("encrypts");
    save(&mut pdf)
}

/// The same with the strongest lock that files have, AES-256, which an empty password opens.
pub fn aes256_pdf(pages: &[&[&str]]) -> Vec<u8> {
    let mut pdf = pdf_document(pages);
    let filter: Arc<dyn CryptFilter> = Arc::new(Aes256CryptFilter);
    let version = EncryptionVersion::V5 {
        encrypt_metadata: true,
        crypt_filters: BTreeMap::from([(b"StdCF".to_vec(), filter)]),
        file_encryption_key: &[7; 32],
        stream_filter: b"StdCF".to_vec(),
        string_filter: b"StdCF".to_vec(),
        owner_password: "owner",
        user_password: "",
        permissions: Permissions::PRINTABLE,
    };
    let state = EncryptionState::try_from(version).expect("keys");
    pdf.encrypt(&state).expect("encrypts");
    save(&mut pdf)
}

/// A page drawn by these operators.
pub fn pdf_drawing(content: impl Into<Vec<u8>>) -> Vec<u8> {
    let mut pdf = pdf_document(&[&[]]);
    let page = pdf.page_iter().next().expect("a page");
    let mut stream = Stream::new(dictionary! {}, content.into());
    stream.compress().expect("compresses");
    let drawing = pdf.add_object(stream);
    pdf.get_object_mut(page).and_then(Object::as_dict_mut).expect("the page").set("Contents", drawing);
    save(&mut pdf)
}

/// A small file whose one page unpacks to this many bytes of nothing.
pub fn pdf_bomb(size: usize) -> Vec<u8> {
    pdf_drawing(vec![b' '; size])
}

/// The bytes of a PDF.
pub fn save(pdf: &mut Pdf) -> Vec<u8> {
    let mut bytes = Vec::new();
    pdf.save_to(&mut bytes).expect("memory");
    bytes
}
