//! Formats a document can come in, and how one is guessed from its first bytes and its name.

use std::path::Path;

use super::legacy;
use crate::error::DocumentError;

/// How the bytes of a document are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// Plain text, any encoding.
    Text,
    /// CommonMark with tables, footnotes and strikethrough.
    Markdown,
    /// HTML or XHTML, as a browser shows it.
    Html,
    /// Portable Document Format.
    Pdf,
    /// Electronic book: XHTML chapters in a zip.
    Epub,
    /// Word document: XML in a zip.
    Docx,
    /// Excel workbook: XML in a zip.
    Xlsx,
    /// PowerPoint presentation: XML in a zip.
    Pptx,
    /// OpenDocument text.
    Odt,
    /// OpenDocument spreadsheet.
    Ods,
    /// OpenDocument presentation.
    Odp,
    /// Rich Text Format.
    Rtf,
    /// A message, or a web page saved as one (MHTML).
    Mail,
    /// A mailbox: messages one after the other.
    Mbox,
    /// FictionBook: a book in one XML file.
    Fb2,
    /// Jupyter notebook.
    Notebook,
    /// SubRip or WebVTT.
    Subtitles,
    /// LaTeX source.
    Latex,
    /// Comma-separated values, or values separated by tabs or semicolons.
    Csv,
    /// A file packed by gzip; what is in it decides how it is read.
    Gzip,
    /// An archive of documents.
    Zip,
}

/// How much of the file is looked at to tell text from binary.
const MAX_SNIFFED_BYTES: usize = 8 * 1024;

/// Names, what people call them, and endings of files, in the order of the enum.
const FORMAT_NAMES: [(Format, &str, &str, &[&str]); 21] = [
    (Format::Text, "text", "text", &["txt", "text", "log"]),
    (Format::Markdown, "markdown", "Markdown", &["md", "markdown", "mdown", "mkd"]),
    (Format::Html, "html", "HTML", &["html", "htm", "xhtml", "xht", "shtml"]),
    (Format::Pdf, "pdf", "PDF", &["pdf"]),
    (Format::Epub, "epub", "EPUB", &["epub"]),
    (Format::Docx, "docx", "DOCX", &["docx", "docm", "dotx"]),
    (Format::Xlsx, "xlsx", "XLSX", &["xlsx", "xlsm", "xltx"]),
    (Format::Pptx, "pptx", "PPTX", &["pptx", "pptm", "ppsx", "potx"]),
    (Format::Odt, "odt", "ODT", &["odt", "ott"]),
    (Format::Ods, "ods", "ODS", &["ods", "ots"]),
    (Format::Odp, "odp", "ODP", &["odp", "otp"]),
    (Format::Rtf, "rtf", "RTF", &["rtf"]),
    (Format::Mail, "mail", "mail", &["eml", "mht", "mhtml"]),
    (Format::Mbox, "mbox", "MBOX", &["mbox"]),
    (Format::Fb2, "fb2", "FB2", &["fb2"]),
    (Format::Notebook, "notebook", "notebook", &["ipynb"]),
    (Format::Subtitles, "subtitles", "subtitle", &["srt", "vtt"]),
    (Format::Latex, "latex", "LaTeX", &["tex", "latex", "ltx"]),
    (Format::Csv, "csv", "CSV", &["csv", "tsv"]),
    (Format::Gzip, "gzip", "gzip", &["gz"]),
    (Format::Zip, "zip", "ZIP", &["zip"]),
];

impl Format {
    /// Every format, in the order of the enum.
    pub const ALL: [Format; FORMAT_NAMES.len()] = {
        let mut all = [Format::Text; FORMAT_NAMES.len()];
        let mut at = 0;
        while at < FORMAT_NAMES.len() {
            all[at] = FORMAT_NAMES[at].0;
            at += 1;
        }
        all
    };

    /// The lower-case name, as `--format` takes it: `text`, `markdown`, `pdf`, `xlsx`, `mail` …
    pub fn name(self) -> &'static str {
        FORMAT_NAMES[self as usize].1
    }

    /// The endings of files in this format, without the dot.
    pub fn extensions(self) -> &'static [&'static str] {
        FORMAT_NAMES[self as usize].3
    }

    /// The format with that [`name`](Self::name).
    pub fn from_name(name: &str) -> Option<Format> {
        Self::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(name))
    }

    /// What the file's extension says, if it is one we know.
    pub fn from_path(path: &Path) -> Option<Format> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Self::ALL.into_iter().find(|format| format.extensions().contains(&extension.as_str()))
    }

    /// The format the bytes themselves show, then the one the path's extension names, then text.
    ///
    /// Signatures win over the extension because a wrong extension is common and a wrong signature is not.
    pub fn guess(bytes: &[u8], path: Option<&Path>) -> Result<Format, DocumentError> {
        let head = &bytes[..bytes.len().min(MAX_SNIFFED_BYTES)];
        let named = path.and_then(Format::from_path);
        if memchr::memmem::find(&head[..head.len().min(1024)], b"%PDF-").is_some() {
            return Ok(Format::Pdf);
        }
        if head.starts_with(b"PK\x03\x04") {
            return zip_format(bytes, path, named);
        }
        if head.starts_with(b"\x1f\x8b\x08") {
            return Ok(Format::Gzip);
        }
        if head.starts_with(b"{\\rtf") {
            return Ok(Format::Rtf);
        }
        // Office puts a password-protected file in an OLE container; its reader says so.
        let office = matches!(named, Some(Format::Docx | Format::Xlsx | Format::Pptx));
        let locked = office && head.starts_with(legacy::OLE_SIGNATURE) && !legacy::is_old_office(bytes);
        if let Some(named) = named.filter(|_| locked) {
            return Ok(named);
        }
        if let Some(name) = legacy::name(bytes) {
            return Err(DocumentError::Legacy { name: name.what, instead: name.instead });
        }
        if looks_binary(head) {
            return Err(DocumentError::Binary);
        }
        match named {
            // These would have shown their signature.
            Some(
                Format::Pdf
                | Format::Epub
                | Format::Docx
                | Format::Xlsx
                | Format::Pptx
                | Format::Odt
                | Format::Ods
                | Format::Odp
                | Format::Rtf
                | Format::Gzip
                | Format::Zip,
            )
            | None => {}
            Some(named) => return Ok(named),
        }
        Ok(if looks_like_html(head) {
            Format::Html
        } else if head.starts_with(b"WEBVTT") {
            Format::Subtitles
        } else if looks_like_mbox(head) {
            Format::Mbox
        } else if looks_like_mail(head) {
            Format::Mail
        } else {
            Format::Text
        })
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(FORMAT_NAMES[*self as usize].2)
    }
}

/// Which zip it is. EPUB and OpenDocument store their media type first and uncompressed; Office files name their main part
/// in the directory. What else is called a zip is an archive of documents; programs and packages are zips by other names.
fn zip_format(bytes: &[u8], path: Option<&Path>, named: Option<Format>) -> Result<Format, DocumentError> {
    let holds = |part: &[u8]| memchr::memmem::find(bytes, part).is_some();
    let head = &bytes[..bytes.len().min(256)];
    let stored: [(&[u8], Format); 4] = [
        (b"application/epub+zip", Format::Epub),
        (b"application/vnd.oasis.opendocument.text", Format::Odt),
        (b"application/vnd.oasis.opendocument.spreadsheet", Format::Ods),
        (b"application/vnd.oasis.opendocument.presentation", Format::Odp),
    ];
    if let Some((_, format)) = stored.into_iter().find(|(kind, _)| memchr::memmem::find(head, kind).is_some())
    {
        return Ok(format);
    }
    let parts: [(&[u8], Format); 3] = [
        (b"word/document.xml", Format::Docx),
        (b"xl/workbook.xml", Format::Xlsx),
        (b"ppt/presentation.xml", Format::Pptx),
    ];
    let types = holds(b"[Content_Types].xml") || named.is_some();
    if let Some((_, format)) = parts.into_iter().find(|(part, _)| types && holds(part)) {
        return Ok(format);
    }
    if holds(b"META-INF/container.xml") && holds(b"application/epub+zip") {
        return Ok(Format::Epub);
    }
    if holds(b"Index/Document.iwa") {
        let (name, instead) = ("a Pages, Numbers or Keynote file", "export it as PDF or in an Office format");
        return Err(DocumentError::Legacy { name, instead });
    }
    match named {
        Some(
            named @ (Format::Epub
            | Format::Docx
            | Format::Xlsx
            | Format::Pptx
            | Format::Odt
            | Format::Ods
            | Format::Odp),
        ) => Ok(named),
        Some(_) => Ok(Format::Zip),
        None if path.is_none_or(|path| path.extension().is_none()) => Ok(Format::Zip),
        None => Err(DocumentError::Binary),
    }
}

/// True when the sample holds NULs that UTF-16 does not explain, or mostly control characters.
fn looks_binary(head: &[u8]) -> bool {
    if super::decode::utf16_shape(head).is_some() || head.starts_with(b"\0\0\xfe\xff") {
        return false;
    }
    if memchr::memchr(0, head).is_some() {
        return true;
    }
    let controls = head.iter().filter(|&&b| b < 0x20 && !matches!(b, 8..=13 | 27)).count();
    controls * 10 > head.len()
}

/// True when the first line is that of a mailbox: `From somebody@somewhere Mon Jan  1 00:00:00 2024`.
fn looks_like_mbox(head: &[u8]) -> bool {
    let line = head.split(|&byte| byte == b'\n').next().unwrap_or(b"");
    let (colons, year) = (line.iter().filter(|&&byte| byte == b':').count(), line.trim_ascii_end());
    line.starts_with(b"From ")
        && colons >= 2
        && year.len() > 20
        && year.iter().rev().take(4).all(|byte| byte.is_ascii_digit() || *byte == b'0')
        && looks_like_mail(&head[(line.len() + 1).min(head.len())..])
}

/// True when the text begins with headers, among them at least three that only messages have.
fn looks_like_mail(head: &[u8]) -> bool {
    const HEADERS: [&[u8]; 10] = [
        b"from:",
        b"to:",
        b"subject:",
        b"date:",
        b"message-id:",
        b"received:",
        b"return-path:",
        b"mime-version:",
        b"content-type:",
        b"delivered-to:",
    ];
    let mut found = 0;
    for line in head.split(|&byte| byte == b'\n') {
        let line = line.trim_ascii_end();
        if line.is_empty() {
            break;
        }
        let start = line[..line.len().min(16)].to_ascii_lowercase();
        found += usize::from(HEADERS.iter().any(|header| start.starts_with(header)));
        let name = line.iter().position(|&byte| byte == b':').map_or(&b" "[..], |colon| &line[..colon]);
        let is_header = !name.is_empty() && name.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'-');
        if !is_header && !line.starts_with(b" ") && !line.starts_with(b"\t") {
            return false;
        }
    }
    found >= 3
}
/// True when the first thing in the file is markup that opens an HTML document.
fn looks_like_html(head: &[u8]) -> bool {
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    let mut window = text[..text.len().min(512)].to_ascii_lowercase();
    // An XML declaration or comment may stand before the tag that tells.
    while let Some(rest) = skip_prologue(&window) {
        window = rest;
    }
    [&b"<!doctype html"[..], b"<html", b"<head", b"<body", b"<title"]
        .iter()
        .any(|tag| window.starts_with(tag))
}

fn skip_prologue(window: &[u8]) -> Option<Vec<u8>> {
    let close: &[u8] = if window.starts_with(b"<?xml") {
        b"?>"
    } else if window.starts_with(b"<!--") {
        b"-->"
    } else {
        return None;
    };
    let end = memchr::memmem::find(window, close)? + close.len();
    Some(window[end..].trim_ascii_start().to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_win_over_extensions() {
        let cases: &[(&[u8], &str, Result<Format, DocumentError>)] = &[
            (b"%PDF-1.7 ...", "a.txt", Ok(Format::Pdf)),
            (b"plain words", "a.txt", Ok(Format::Text)),
            (b"plain words", "a.md", Ok(Format::Markdown)),
            (b"plain words", "a.pdf", Ok(Format::Text)),
            (b"  <!-- hi --> <!DOCTYPE HTML><p>x", "page", Ok(Format::Html)),
            (b"<?xml version='1.0'?><html>", "x.unknown", Ok(Format::Html)),
            (b"\xff\xfea\0b\0", "x", Ok(Format::Text)),
            (b"abc\0\x01\x02def", "x.txt", Err(DocumentError::Binary)),
            (b"\x7fELF\x02\x01\x01\0\0", "tool", Err(DocumentError::Binary)),
            (b"", "empty", Ok(Format::Text)),
            (b"PK\x03\x04 notes", "all.zip", Ok(Format::Zip)),
            (b"PK\x03\x04 classes", "tool.jar", Err(DocumentError::Binary)),
            (b"\x1f\x8b\x08\0", "a.log.gz", Ok(Format::Gzip)),
            (b"{\\rtf1 x}", "letter.doc", Ok(Format::Rtf)),
            (b"From: a\nTo: b\nSubject: c\n\nbody", "1234", Ok(Format::Mail)),
            (b"From: a play in three acts\nin verse", "play", Ok(Format::Text)),
            (b"a,b\n1,2", "t.csv", Ok(Format::Csv)),
        ];
        for (bytes, path, expected) in cases {
            assert_eq!(&Format::guess(bytes, Some(Path::new(path))), expected, "{path}");
        }
    }
}
