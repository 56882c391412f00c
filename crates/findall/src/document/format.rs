//! Formats a document can come in, and how one is guessed from its first bytes and its name.

use std::path::Path;

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
}

/// How much of the file is looked at to tell text from binary.
const SNIFFED: usize = 8 * 1024;

impl Format {
    /// Every format, in the order of the enum.
    pub const ALL: [Format; 6] =
        [Format::Text, Format::Markdown, Format::Html, Format::Pdf, Format::Epub, Format::Docx];

    /// The lower-case name: `text`, `markdown`, `html`, `pdf`, `epub`, `docx`.
    pub fn name(self) -> &'static str {
        match self {
            Format::Text => "text",
            Format::Markdown => "markdown",
            Format::Html => "html",
            Format::Pdf => "pdf",
            Format::Epub => "epub",
            Format::Docx => "docx",
        }
    }

    /// The format with that [`name`](Self::name).
    pub fn from_name(name: &str) -> Option<Format> {
        Self::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(name))
    }

    /// What the file's extension says, if it is one we know.
    pub fn from_path(path: &Path) -> Option<Format> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Some(match extension.as_str() {
            "txt" | "text" | "log" => Format::Text,
            "md" | "markdown" | "mdown" | "mkd" => Format::Markdown,
            "html" | "htm" | "xhtml" | "xht" | "shtml" => Format::Html,
            "pdf" => Format::Pdf,
            "epub" => Format::Epub,
            "docx" | "docm" => Format::Docx,
            _ => return None,
        })
    }

    /// The format the bytes themselves show, then the one the path's extension names, then text.
    ///
    /// Signatures win over the extension because a wrong extension is common and a wrong signature is not.
    pub fn guess(bytes: &[u8], path: Option<&Path>) -> Result<Format, DocumentError> {
        let head = &bytes[..bytes.len().min(SNIFFED)];
        if memchr::memmem::find(&head[..head.len().min(1024)], b"%PDF-").is_some() {
            return Ok(Format::Pdf);
        }
        if head.starts_with(b"PK\x03\x04") {
            return zip_format(bytes, path);
        }
        // Word puts a password-protected DOCX in an OLE container; its reader says so.
        if head.starts_with(b"\xd0\xcf\x11\xe0") && path.and_then(Format::from_path) == Some(Format::Docx) {
            return Ok(Format::Docx);
        }
        if looks_binary(head) {
            return Err(DocumentError::Binary);
        }
        match path.and_then(Format::from_path) {
            // These would have shown their signature.
            Some(Format::Pdf | Format::Epub | Format::Docx) | None => {}
            Some(named) => return Ok(named),
        }
        Ok(if looks_like_html(head) { Format::Html } else { Format::Text })
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            Format::Text => "text",
            Format::Markdown => "Markdown",
            Format::Html => "HTML",
            Format::Pdf => "PDF",
            Format::Epub => "EPUB",
            Format::Docx => "DOCX",
        })
    }
}

/// Which zip it is. EPUB stores its media type first and uncompressed; DOCX names `word/` parts in its directory.
fn zip_format(bytes: &[u8], path: Option<&Path>) -> Result<Format, DocumentError> {
    let head = &bytes[..bytes.len().min(SNIFFED)];
    if memchr::memmem::find(head, b"application/epub+zip").is_some() {
        return Ok(Format::Epub);
    }
    if memchr::memmem::find(bytes, b"word/document.xml").is_some() {
        return Ok(Format::Docx);
    }
    match path.and_then(Format::from_path) {
        Some(named @ (Format::Epub | Format::Docx)) => Ok(named),
        _ => Err(DocumentError::Binary),
    }
}

/// True when the sample holds NULs that UTF-16 does not explain, or mostly control characters.
fn looks_binary(head: &[u8]) -> bool {
    if super::decode::utf16_shape(head).is_some() {
        return false;
    }
    if memchr::memchr(0, head).is_some() {
        return true;
    }
    let controls = head.iter().filter(|&&b| b < 0x20 && !matches!(b, 8..=13 | 27)).count();
    controls * 10 > head.len()
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
        ];
        for (bytes, path, expected) in cases {
            assert_eq!(&Format::guess(bytes, Some(Path::new(path))), expected, "{path}");
        }
    }
}
