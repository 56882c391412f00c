//! Documents: bytes of any known format in; text with exact ways back to the source out.
//!
//! Everything downstream speaks [`Span`], bytes into [`Document::text`]. Sentences, positions and the content hash are
//! worked out when first asked for, so that an exact search pays for none of them.

#[cfg(feature = "archives")]
mod archive;
mod builder;
mod decode;
#[cfg(feature = "archives")]
mod docx;
#[cfg(feature = "archives")]
mod epub;
mod format;
mod html;
mod limits;
mod markdown;
mod passages;
#[cfg(feature = "pdf")]
mod pdf;
mod positions;
mod sentences;
mod source;

use std::sync::OnceLock;

pub use format::Format;
pub use limits::Limits;
pub use passages::{PassageOptions, Windows};
pub use positions::{LineColumn, Positions};
pub use source::SourceRange;

use crate::error::DocumentError;
use crate::span::Span;
use builder::{Built, TextBuilder};
use decode::{ByteMap, Decoded, Markup};
use positions::PositionIndex;
use source::SourceMap;

/// A text that can be searched, and where it came from.
#[derive(Debug)]
pub struct Document {
    text: String,
    title: Option<String>,
    format: Format,
    source: SourceMap,
    /// Offsets that no sentence runs over.
    breaks: Vec<u32>,
    secondary: Vec<Span>,
    pages: Vec<u32>,
    sentences: OnceLock<Vec<Span>>,
    positions: OnceLock<PositionIndex>,
    content_hash: OnceLock<[u8; 32]>,
}

impl Document {
    /// A document of plain text.
    pub fn from_text(text: impl Into<String>) -> Document {
        let built = Built {
            text: text.into(),
            title: None,
            source: SourceMap::Whole(ByteMap::Same { skipped: 0 }),
            breaks: Vec::new(),
            secondary: Vec::new(),
            pages: Vec::new(),
        };
        Document::from_built(built, Format::Text)
    }

    /// A document whose sentences were worked out before; `None` when they do not stand in the text in order.
    pub fn from_sentences(text: impl Into<String>, sentences: Vec<Span>) -> Option<Document> {
        let document = Document::from_text(text);
        let in_order = sentences.windows(2).all(|pair| pair[0].end <= pair[1].start);
        if !in_order || sentences.iter().any(|span| span.slice(&document.text).is_none()) {
            return None;
        }
        Some(Document { sentences: OnceLock::from(sentences), ..document })
    }

    /// Reads bytes; the format is guessed from them when not given. With a file name at hand, pass what
    /// [`Format::guess`] says about both.
    pub fn from_bytes(
        bytes: &[u8],
        format: Option<Format>,
        limits: &Limits,
    ) -> Result<Document, DocumentError> {
        limits.check_source(bytes.len())?;
        Document::from_vec(bytes.to_vec(), format, limits)
    }

    /// As [`from_bytes`](Self::from_bytes), without a copy where the bytes already are the text.
    pub fn from_vec(
        bytes: Vec<u8>,
        format: Option<Format>,
        limits: &Limits,
    ) -> Result<Document, DocumentError> {
        limits.check_source(bytes.len())?;
        let format = match format {
            Some(format) => format,
            None => Format::guess(&bytes, None)?,
        };
        let built = match format {
            Format::Text => {
                let Decoded { text, bytes } = decode::decode(bytes, Markup::No, limits)?;
                return Ok(Document { source: SourceMap::Whole(bytes), ..Document::from_text(text) });
            }
            Format::Markdown => {
                let Decoded { text, bytes } = decode::decode(bytes, Markup::No, limits)?;
                let mut builder = TextBuilder::default();
                builder.start_part(None, bytes);
                markdown::read(&text, &mut builder, limits)?;
                builder.finish()
            }
            Format::Html => {
                let Decoded { text, bytes } = decode::decode(bytes, Markup::Yes, limits)?;
                let mut builder = TextBuilder::default();
                builder.start_part(None, bytes);
                if text.trim_start().starts_with("<?xml") {
                    html::read_xhtml(&text, &mut builder, limits)?;
                } else {
                    html::read(&text, 0, &mut builder, limits)?;
                }
                builder.finish()
            }
            #[cfg(feature = "pdf")]
            Format::Pdf => pdf::read(bytes, limits)?.finish(),
            #[cfg(feature = "archives")]
            Format::Epub => {
                let mut builder = TextBuilder::default();
                epub::read(&bytes, &mut builder, limits)?;
                builder.finish()
            }
            #[cfg(feature = "archives")]
            Format::Docx => {
                let mut builder = TextBuilder::default();
                docx::read(&bytes, &mut builder, limits)?;
                builder.finish()
            }
            #[cfg(not(all(feature = "archives", feature = "pdf")))]
            format => return Err(DocumentError::NotBuilt { format }),
        };
        Ok(Document::from_built(built, format))
    }

    fn from_built(built: Built, format: Format) -> Document {
        Document {
            text: built.text,
            title: built.title,
            format,
            source: built.source,
            breaks: built.breaks,
            secondary: built.secondary,
            pages: built.pages,
            sentences: OnceLock::new(),
            positions: OnceLock::new(),
            content_hash: OnceLock::new(),
        }
    }

    /// The readable text. All spans point into it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What the document calls itself, if it does.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// The format it was read as.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Sentences: trimmed, in order, not overlapping, together all of the text but whitespace.
    pub fn sentences(&self) -> &[Span] {
        self.sentences.get_or_init(|| sentences::split(&self.text, &self.breaks))
    }

    /// The sentence that holds this byte, if any does.
    pub fn sentence_at(&self, byte: usize) -> Option<Span> {
        let sentences = self.sentences();
        let at = sentences.partition_point(|sentence| sentence.end <= byte);
        sentences.get(at).copied().filter(|sentence| sentence.start <= byte)
    }

    /// Passages of whole sentences that together cover the text.
    pub fn passages(&self, options: &PassageOptions) -> Vec<Span> {
        passages::cover(&self.text, self.sentences(), options)
    }

    /// All sentence-overlapping windows of the same size, one starting at each sentence.
    pub fn windows(&self, options: &PassageOptions) -> Windows {
        Windows::new(&self.text, self.sentences(), *options)
    }

    /// Stretches that are page furniture rather than main text: navigation, page headers and footers, asides.
    pub fn secondary(&self) -> &[Span] {
        &self.secondary
    }

    /// True unless the span lies within page furniture.
    pub fn is_main(&self, span: Span) -> bool {
        let at = self.secondary.partition_point(|secondary| secondary.end <= span.start);
        self.secondary.get(at).is_none_or(|secondary| secondary.start > span.start)
    }

    /// Where in the file the span's text was made from, in order; several ranges where markup stands between. Empty
    /// for formats whose bytes hold no readable text (PDF), and for line breaks that the reader put in.
    pub fn source_range(&self, span: Span) -> Vec<SourceRange<'_>> {
        self.source.ranges(span)
    }

    /// Converts offsets to characters, UTF-16, lines and pages, and back.
    pub fn positions(&self) -> Positions<'_> {
        let index = self.positions.get_or_init(|| PositionIndex::new(&self.text));
        Positions::new(&self.text, index, &self.pages)
    }

    /// BLAKE3 of the text: the key under which what was worked out about a document is kept.
    pub fn content_hash(&self) -> [u8; 32] {
        *self.content_hash.get_or_init(|| *blake3::hash(self.text.as_bytes()).as_bytes())
    }
}
