//! Formats that are not read but known by their signature, so that a person learns what to do: the binary formats of old
//! office programs, of mail programs and of bookshops.

/// What the containers of old Office files begin with.
pub(super) const OLE_SIGNATURE: &[u8] = b"\xd0\xcf\x11\xe0";
/// How much of a container is looked at for the names of its streams.
const MAX_DIRECTORY_BYTES: usize = 64 * 1024 * 1024;

/// A format that is not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LegacyFormat {
    /// What it is.
    pub what: &'static str,
    /// What to do.
    pub instead: &'static str,
}

/// Streams of an OLE container and what they make the file; the first that is there decides.
const STREAMS: [(&str, &str, &str); 7] = [
    ("EncryptedPackage", "a password-protected Office file", "save a copy without the password"),
    ("WordDocument", "a Word 97-2003 document (.doc)", "save it as .docx (soffice --convert-to docx FILE)"),
    (
        "PowerPoint Document",
        "a PowerPoint 97-2003 file (.ppt)",
        "save it as .pptx (soffice --convert-to pptx FILE)",
    ),
    ("Workbook", "an Excel 97-2003 workbook (.xls)", "save it as .xlsx (soffice --convert-to xlsx FILE)"),
    ("Book", "an Excel 5 workbook (.xls)", "save it as .xlsx (soffice --convert-to xlsx FILE)"),
    ("__substg1.0_", "an Outlook message (.msg)", "save it as .eml (msgconvert FILE)"),
    ("VisioDocument", "a Visio drawing (.vsd)", "export it as PDF"),
];

/// True when a container holds what an old program wrote, rather than a current file behind a password.
pub(super) fn is_old_office(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(MAX_DIRECTORY_BYTES)];
    bytes.starts_with(OLE_SIGNATURE)
        && !holds_stream(head, "EncryptedPackage")
        && STREAMS.iter().any(|(stream, ..)| holds_stream(head, stream))
}

/// Names of streams are UTF-16.
fn holds_stream(container: &[u8], stream: &str) -> bool {
    let name: Vec<u8> = stream.encode_utf16().flat_map(u16::to_le_bytes).collect();
    memchr::memmem::find(container, &name).is_some()
}

/// The name of a format that is not read, if the bytes show one.
pub(super) fn name(bytes: &[u8]) -> Option<LegacyFormat> {
    let known = |what, instead| Some(LegacyFormat { what, instead });
    if bytes.starts_with(OLE_SIGNATURE) {
        let head = &bytes[..bytes.len().min(MAX_DIRECTORY_BYTES)];
        let found = STREAMS.iter().find(|(stream, ..)| holds_stream(head, stream));
        return match found {
            Some((_, what, instead)) => known(what, instead),
            None => known("an old Office file", "save it in a current format, or as PDF"),
        };
    }
    if bytes.get(60..68).is_some_and(|kind| kind == b"BOOKMOBI" || kind == b"TEXtREAd") {
        return known("a Kindle book (.mobi, .azw)", "convert it to EPUB (ebook-convert FILE book.epub)");
    }
    if bytes.starts_with(b"AT&TFORM") {
        return known(
            "a DjVu file",
            "convert it to PDF (ddjvu -format=pdf FILE book.pdf) or take its text (djvutxt)",
        );
    }
    if bytes.starts_with(b"!BDN") {
        return known("an Outlook mailbox (.pst)", "export its messages (readpst FILE)");
    }
    if bytes.starts_with(b"\xffWPC") {
        return known("a WordPerfect document", "save it as .docx (soffice --convert-to docx FILE)");
    }
    if bytes.starts_with(b"7z\xbc\xaf\x27\x1c") || bytes.starts_with(b"Rar!\x1a\x07") {
        return known("a 7z or RAR archive", "unpack it and search the folder");
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn containers_are_told_apart() {
        let ole = |stream: &str| {
            let mut bytes = OLE_SIGNATURE.to_vec();
            bytes.extend(stream.encode_utf16().flat_map(u16::to_le_bytes));
            name(&bytes).expect("known").what
        };
        assert!(ole("WordDocument").contains(".doc"));
        assert!(ole("Workbook").contains(".xls"));
        assert!(ole("__substg1.0_0037001F").contains(".msg"));
        assert!(ole("Something").contains("old Office"));
        assert_eq!(name(b"plain text"), None);
    }
}
