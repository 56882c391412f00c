//! Documents: bytes of any known format in; text with exact ways back to the source out.
//!
//! Everything downstream speaks [`Span`], bytes into [`Document::text`]. Sentences, positions and the content hash are
//! worked out when first asked for, so that an exact search pays for none of them.

#[cfg(feature = "archives")]
mod archive;
mod builder;
#[cfg(feature = "archives")]
mod containers;
mod csv;
mod decode;
#[cfg(feature = "archives")]
mod docx;
#[cfg(feature = "archives")]
mod epub;
#[cfg(feature = "archives")]
mod fb2;
mod format;
mod gaps;
mod html;
mod json;
mod latex;
mod legacy;
mod limits;
#[cfg(feature = "archives")]
mod mail;
mod markdown;
mod notebook;
#[cfg(feature = "archives")]
mod odf;
mod options;
mod passages;
#[cfg(feature = "pdf")]
mod pdf;
mod places;
mod positions;
#[cfg(feature = "archives")]
mod pptx;
mod rtf;
mod sentences;
mod source;
mod subtitles;
mod word_table;
#[cfg(feature = "archives")]
mod xlsx;
#[cfg(feature = "archives")]
mod xml;

use std::sync::OnceLock;

pub use format::Format;
pub use gaps::TextGaps;
pub use limits::Limits;
pub use options::ReadOptions;
pub use passages::{PassageOptions, Windows};
pub use places::DocumentPlace;
pub use positions::{LineColumn, Positions};
pub use source::SourceRange;

use crate::error::DocumentError;
use crate::span::Span;
use builder::{BuiltText, TextBuilder};
use decode::{ByteMap, DecodedText, Markup};
use places::Places;
use positions::PositionIndex;
use source::SourceMap;
pub(crate) use word_table::WordTable;

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
    gaps: TextGaps,
    places: Places,
    sentences: OnceLock<Vec<Span>>,
    positions: OnceLock<PositionIndex>,
    content_hash: OnceLock<[u8; 32]>,
    words: OnceLock<WordTable>,
}

impl Document {
    /// A document of plain text.
    pub fn from_text(text: impl Into<String>) -> Document {
        let built = BuiltText {
            text: text.into(),
            title: None,
            source: SourceMap::Whole(ByteMap::Same { skipped: 0 }),
            breaks: Vec::new(),
            secondary: Vec::new(),
            pages: Vec::new(),
            gaps: TextGaps::default(),
            places: Places::default(),
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
        let options = ReadOptions { limits: limits.clone(), ..ReadOptions::default() };
        Document::from_vec_with(bytes, format, &options)
    }

    /// As [`from_vec`](Self::from_vec), with a say in what is read.
    pub fn from_vec_with(
        bytes: Vec<u8>,
        format: Option<Format>,
        options: &ReadOptions,
    ) -> Result<Document, DocumentError> {
        let limits = &options.limits;
        limits.check_source(bytes.len())?;
        let format = match format {
            Some(format) => format,
            None => Format::guess(&bytes, None)?,
        };
        if format == Format::Text {
            let DecodedText { text, bytes } = decode::decode(bytes, Markup::No, limits)?;
            return Ok(Document { source: SourceMap::Whole(bytes), ..Document::from_text(text) });
        }
        let mut builder = TextBuilder::default();
        builder.alt_texts = options.alt_texts;
        let format = read_into(bytes, format, &mut builder, limits)?;
        Ok(Document::from_built(builder.finish(), format))
    }

    fn from_built(built: BuiltText, format: Format) -> Document {
        Document {
            text: built.text,
            title: built.title,
            format,
            source: built.source,
            breaks: built.breaks,
            secondary: built.secondary,
            pages: built.pages,
            gaps: built.gaps,
            places: built.places,
            sentences: OnceLock::new(),
            positions: OnceLock::new(),
            content_hash: OnceLock::new(),
            words: OnceLock::new(),
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

    /// The cell, slide, message or file in an archive that this byte of the text stands in, in formats that have such.
    pub fn place_at(&self, byte: usize) -> Option<DocumentPlace<'_>> {
        self.places.at(byte)
    }

    /// What of the document is not in its text although the file is sound: scanned pages, letters without meaning.
    pub fn gaps(&self) -> TextGaps {
        self.gaps
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

    /// The words of the text, and which stand side by side.
    pub(crate) fn word_table(&self) -> &WordTable {
        self.words.get_or_init(|| WordTable::of(&self.text))
    }

    /// BLAKE3 of the text: the key under which what was worked out about a document is kept.
    pub fn content_hash(&self) -> [u8; 32] {
        *self.content_hash.get_or_init(|| *blake3::hash(self.text.as_bytes()).as_bytes())
    }
}

/// Reads bytes of a format into the builder; gives the format of what was in them, when they were packed.
fn read_into(
    bytes: Vec<u8>,
    format: Format,
    builder: &mut TextBuilder,
    limits: &Limits,
) -> Result<Format, DocumentError> {
    match format {
        Format::Text
        | Format::Markdown
        | Format::Html
        | Format::Csv
        | Format::Subtitles
        | Format::Latex
        | Format::Notebook => read_text_into(bytes, format, builder, limits)?,
        Format::Rtf => {
            builder.start_part(None, ByteMap::Same { skipped: 0 });
            rtf::read(&bytes, builder, limits)?;
        }
        #[cfg(feature = "pdf")]
        Format::Pdf => pdf::read_into(bytes, builder, limits)?,
        #[cfg(feature = "archives")]
        Format::Epub => epub::read(&bytes, builder, limits)?,
        #[cfg(feature = "archives")]
        Format::Docx => docx::read(&bytes, builder, limits)?,
        #[cfg(feature = "archives")]
        Format::Xlsx => xlsx::read(&bytes, builder, limits)?,
        #[cfg(feature = "archives")]
        Format::Pptx => pptx::read(&bytes, builder, limits)?,
        #[cfg(feature = "archives")]
        Format::Odt | Format::Ods | Format::Odp => odf::read(format, &bytes, builder, limits)?,
        #[cfg(feature = "archives")]
        Format::Mail => mail::read_message(&bytes, builder, limits)?,
        #[cfg(feature = "archives")]
        Format::Mbox => mail::read_mailbox(&bytes, builder, limits)?,
        #[cfg(feature = "archives")]
        Format::Fb2 => {
            let DecodedText { text, bytes } = decode::decode(bytes, Markup::Yes, limits)?;
            builder.start_part(None, bytes);
            fb2::read(&text, builder, limits)?;
        }
        #[cfg(feature = "archives")]
        Format::Gzip => return containers::read_gzip(&bytes, builder, limits),
        #[cfg(feature = "archives")]
        Format::Zip => containers::read_zip(&bytes, builder, limits)?,
        #[cfg(not(all(feature = "archives", feature = "pdf")))]
        format => return Err(DocumentError::NotBuilt { format }),
    }
    Ok(format)
}

/// Reads a format whose file is text, markup or not.
fn read_text_into(
    bytes: Vec<u8>,
    format: Format,
    builder: &mut TextBuilder,
    limits: &Limits,
) -> Result<(), DocumentError> {
    let markup = if format == Format::Html { Markup::Yes } else { Markup::No };
    let DecodedText { text, bytes } = decode::decode(bytes, markup, limits)?;
    builder.start_part(None, bytes);
    match format {
        Format::Markdown => markdown::read(&text, builder, limits),
        Format::Html if text.trim_start().starts_with("<?xml") => html::read_xhtml(&text, builder, limits),
        Format::Html => html::read(&text, 0, builder, limits),
        Format::Csv => csv::read(&text, builder, limits),
        Format::Subtitles => subtitles::read(&text, builder, limits),
        Format::Latex => latex::read(&text, builder, limits),
        Format::Notebook => notebook::read(&text, builder, limits),
        _ => {
            builder.push_verbatim(&text, 0);
            builder.check(limits)
        }
    }
}
