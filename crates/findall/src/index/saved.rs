//! Prepared documents as files. Every number is bounded by what is left to read, every span is checked against the
//! text, and a checksum covers the whole: a file that is torn, changed, or made by another version, model or
//! knowledge base is not read but made again.

use super::embeddings;
use super::tagging::{kind_number, kind_of};
use super::{
    Coverage, Occurrence, OccurrenceOrigin, PreparedDocument, PreparedEntity, Provenance, SkippedPart, Value,
    ValueKind,
};
use crate::document::Document;
use crate::encode::Embedding;
use crate::knowledge::EntityId;
use crate::page_words::PageWord;
use crate::span::Span;

const INDEX_MAGIC: &[u8; 8] = b"findall\x01";

/// Changes whenever the layout or the meaning of anything in it does; the rules in the code are part of that, numbers and word lists
/// have a name of their own (`built_in`).
const INDEX_FORMAT: u32 = 5;

const CHECKSUM_BYTES: usize = 16;

impl Provenance {
    /// A short name for this set of models and knowledge.
    fn fingerprint(&self) -> String {
        let joined = [self.encoder.as_str(), &self.tagger, &self.knowledge].join("\n");
        blake3::hash(format!("{INDEX_FORMAT}\n{joined}").as_bytes()).to_hex()[..16].to_owned()
    }

    /// The name under which a document prepared by this set is saved.
    pub(crate) fn file_name(&self, document: &Document) -> String {
        let hash = blake3::Hash::from(document.content_hash()).to_hex();
        format!("{}-{}", &hash[..32], self.fingerprint())
    }
}

impl PreparedDocument {
    /// The document as bytes.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut out = ByteWriter(INDEX_MAGIC.to_vec());
        out.number(INDEX_FORMAT as usize);
        out.0.extend_from_slice(&self.content_hash);
        out.text(&self.made_by.encoder);
        out.text(&self.made_by.tagger);
        out.text(&self.made_by.knowledge);
        out.number(self.entities.len());
        for entity in &self.entities {
            out.text(&entity.name);
            out.number(entity.id.map_or(0, |id| id.0 as usize + 1));
            out.0.extend_from_slice(&entity.confidence.to_le_bytes());
            out.0.push(kind_number(entity.kind));
            out.text(&entity.knowledge);
            out.text(&entity.page_word.said);
            out.text(&entity.page_word.stands);
            out.number(entity.mentions.len());
            for mention in &entity.mentions {
                out.span(mention.span);
                out.0.push(mention.found as u8);
            }
            out.embedding(entity.knowledge_embedding.as_ref());
            out.embedding(entity.context_embedding.as_ref());
        }
        out.number(self.values.len());
        for value in &self.values {
            out.span(value.span);
            out.0.push(value.kind as u8);
        }
        let Coverage { bytes, passages, mentions, linked, skipped } = &self.coverage;
        for number in [*bytes, *passages, *mentions, *linked, skipped.len()] {
            out.number(number);
        }
        for skipped in skipped {
            let (tag, number) = match *skipped {
                SkippedPart::OtherLanguage => (0, 0),
                SkippedPart::TooManyEntities { left_out } => (1, left_out),
                SkippedPart::Stopped { bytes } => (2, bytes),
                SkippedPart::LongLists { bytes } => (3, bytes),
            };
            out.0.push(tag);
            out.number(number);
        }
        let sum = blake3::hash(&out.0);
        out.0.extend_from_slice(&sum.as_bytes()[..CHECKSUM_BYTES]);
        out.0
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote, if it is whole, of this format, made by `made_by` and of this
    /// very document.
    pub(crate) fn from_bytes(
        bytes: &[u8],
        document: &Document,
        made_by: &Provenance,
    ) -> Option<PreparedDocument> {
        let (body, sum) = bytes.split_at_checked(bytes.len().checked_sub(CHECKSUM_BYTES)?)?;
        if blake3::hash(body).as_bytes()[..CHECKSUM_BYTES] != *sum {
            return None;
        }
        let mut from = ByteReader(body.strip_prefix(INDEX_MAGIC)?);
        if from.number()? != INDEX_FORMAT as usize || from.take(32)? != document.content_hash() {
            return None;
        }
        let made = Provenance { encoder: from.text()?, tagger: from.text()?, knowledge: from.text()? };
        if made != *made_by {
            return None;
        }
        let text = document.text();
        let entities = from.list(|from| {
            Some(PreparedEntity {
                name: from.text()?,
                id: from.number()?.checked_sub(1).map(|id| EntityId(id as u32)),
                confidence: from.float()?,
                kind: kind_of(from.byte()?)?,
                knowledge: from.text()?,
                page_word: PageWord { said: from.text()?, stands: from.text()? },
                mentions: from.list(|from| {
                    let span = from.span(text)?;
                    let found = match from.byte()? {
                        0 => OccurrenceOrigin::Tagged,
                        1 => OccurrenceOrigin::SameName,
                        2 => OccurrenceOrigin::Described,
                        _ => return None,
                    };
                    Some(Occurrence { span, found })
                })?,
                knowledge_embedding: from.embedding()?,
                context_embedding: from.embedding()?,
            })
        })?;
        let values = from.list(|from| {
            let span = from.span(text)?;
            let kind = *ValueKind::ALL.get(usize::from(from.byte()?))?;
            Some(Value { span, kind })
        })?;
        let (bytes, passages, mentions, linked) =
            (from.number()?, from.number()?, from.number()?, from.number()?);
        let skipped = from.list(|from| match (from.byte()?, from.number()?) {
            (0, _) => Some(SkippedPart::OtherLanguage),
            (1, left_out) => Some(SkippedPart::TooManyEntities { left_out }),
            (2, bytes) => Some(SkippedPart::Stopped { bytes }),
            (3, bytes) => Some(SkippedPart::LongLists { bytes }),
            _ => None,
        })?;
        let coverage = Coverage { bytes, passages, mentions, linked, skipped };
        let whole =
            from.0.is_empty() && linked <= mentions && entities.iter().all(|e| !e.mentions.is_empty());
        whole.then_some(PreparedDocument {
            content_hash: document.content_hash(),
            made_by: made,
            entities,
            values,
            coverage,
        })
    }
}

/// Small numbers and texts to bytes.
pub(crate) struct ByteWriter(pub Vec<u8>);

impl ByteWriter {
    pub fn number(&mut self, mut number: usize) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    pub fn text(&mut self, text: &str) {
        self.number(text.len());
        self.0.extend_from_slice(text.as_bytes());
    }

    pub fn span(&mut self, span: Span) {
        self.number(span.start);
        self.number(span.len());
    }

    fn embedding(&mut self, embedding: Option<&Embedding>) {
        self.number(embedding.map_or(0, |embedding| embedding.pooled.len()));
        if let Some(embedding) = embedding {
            let packed = embeddings::pack(embedding);
            self.number(packed.len());
            self.0.extend_from_slice(&packed);
        }
    }
}

/// Bytes back to numbers and texts; `None` where they lie.
pub(crate) struct ByteReader<'b>(pub &'b [u8]);

impl<'b> ByteReader<'b> {
    fn take(&mut self, length: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    pub fn number(&mut self) -> Option<usize> {
        let mut number = 0usize;
        for shift in (0..56).step_by(7) {
            let byte = self.byte()?;
            number |= usize::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn float(&mut self) -> Option<f32> {
        self.take(4)?.try_into().ok().map(f32::from_le_bytes)
    }

    pub fn text(&mut self) -> Option<String> {
        self.letters().map(str::to_owned)
    }

    /// A text, where it lies.
    pub fn letters(&mut self) -> Option<&'b str> {
        let length = self.number()?;
        std::str::from_utf8(self.take(length)?).ok()
    }

    fn span(&mut self, text: &str) -> Option<Span> {
        let start = self.number()?;
        let end = start.checked_add(self.number()?)?;
        text.get(start..end).map(|_| Span::new(start, end))
    }

    fn embedding(&mut self) -> Option<Option<Embedding>> {
        match self.number()? {
            0 => Some(None),
            dims => {
                let length = self.number()?;
                embeddings::unpack(self.take(length)?, dims).map(Some)
            }
        }
    }

    pub fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.number()?;
        // Every item takes at least one byte: a count beyond what is left is a lie, and must not reserve memory.
        let mut out = Vec::with_capacity(count.min(self.0.len()));
        for _ in 0..count {
            out.push(one(self)?);
        }
        Some(out)
    }
}
