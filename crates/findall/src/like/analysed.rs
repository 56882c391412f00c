//! What a corpus knows of a document by meaning: for every sentence its vector and the kinds named in it, and who is
//! named where. Laid out so that vectors can be compared where they lie, in a file mapped into memory.
//!
//! ```text
//! sentences u32 · dims u32 · vectors · their units · kinds · packed: spans, entities, mentions
//! ```

use super::vectors::PackedVector;
use crate::index::{ByteReader, ByteWriter, kind_number, kind_of};
use crate::mentions::MentionType;
use crate::span::Span;

const ANALYSED_HEAD_BYTES: usize = 8;

/// A document as a corpus sees it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnalysedDocument {
    /// Its sentences in its text.
    pub sentences: Vec<Span>,
    /// The encoder's vector of each.
    pub vectors: Vec<PackedVector>,
    /// What the document names.
    pub entities: Vec<AnalysedEntity>,
    /// Where, in document order.
    pub mentions: Vec<AnalysedMention>,
}

/// Something named.
#[derive(Clone, Debug, PartialEq)]
pub struct AnalysedEntity {
    /// Its title in the knowledge base, or its fullest name in the document.
    pub name: String,
    /// True when the name is a title of the knowledge base.
    pub known: bool,
    /// What sort of thing it is.
    pub kind: MentionType,
}

/// One place where something is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnalysedMention {
    /// The number of its sentence.
    pub sentence: usize,
    /// Where in the document's text.
    pub span: Span,
    /// Which of the document's entities.
    pub entity: usize,
}

impl AnalysedDocument {
    /// As bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let count = self.sentences.len();
        let dims = self.vectors.first().map_or(0, |one| one.bytes.len());
        let mut out = Vec::with_capacity(ANALYSED_HEAD_BYTES + count * (dims + 5));
        out.extend_from_slice(&(count as u32).to_le_bytes());
        out.extend_from_slice(&(dims as u32).to_le_bytes());
        out.extend(self.vectors.iter().flat_map(|one| one.bytes.iter().map(|v| v.cast_unsigned())));
        out.extend(self.vectors.iter().flat_map(|one| one.unit.to_le_bytes()));
        out.extend(self.kinds());
        let mut packed = ByteWriter(out);
        self.sentences.iter().for_each(|span| packed.span(*span));
        packed.number(self.entities.len());
        for entity in &self.entities {
            packed.text(&entity.name);
            packed.number(usize::from(kind_number(entity.kind)) * 2 + usize::from(entity.known));
        }
        packed.number(self.mentions.len());
        for mention in &self.mentions {
            packed.number(mention.sentence);
            packed.span(mention.span);
            packed.number(mention.entity);
        }
        packed.0
    }

    /// One bit a kind, for every sentence.
    fn kinds(&self) -> Vec<u8> {
        let mut kinds = vec![0; self.sentences.len()];
        for mention in &self.mentions {
            if let (Some(set), Some(entity)) =
                (kinds.get_mut(mention.sentence), self.entities.get(mention.entity))
            {
                *set |= kind_bit(entity.kind);
            }
        }
        kinds
    }
}

/// The bit of a kind in a sentence's set.
pub(super) fn kind_bit(kind: MentionType) -> u8 {
    1 << kind_number(kind)
}

/// An [`AnalysedDocument`] in bytes, read where it lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct AnalysedView<'b> {
    bytes: &'b [u8],
    pub count: usize,
    pub dims: usize,
}

impl<'b> AnalysedView<'b> {
    /// Checks that everything of fixed size is there.
    pub fn of(bytes: &'b [u8]) -> Option<Self> {
        let number = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?) as usize);
        let (count, dims) = (number(0)?, number(4)?);
        let fixed = count.checked_mul(dims.checked_add(5)?)?.checked_add(ANALYSED_HEAD_BYTES)?;
        (bytes.len() >= fixed).then_some(Self { bytes, count, dims })
    }

    /// All vectors, one after another, and their units.
    pub fn vectors(&self) -> (&'b [u8], &'b [u8]) {
        let units = ANALYSED_HEAD_BYTES + self.count * self.dims;
        (&self.bytes[ANALYSED_HEAD_BYTES..units], &self.bytes[units..units + 4 * self.count])
    }

    /// The kinds named in each sentence.
    pub fn kinds(&self) -> &'b [u8] {
        let from = ANALYSED_HEAD_BYTES + self.count * (self.dims + 4);
        &self.bytes[from..from + self.count]
    }

    /// Hands over the titles of what is known of all that is named; nothing beyond a byte that lies.
    pub fn titles(&self, visit: &mut dyn FnMut(&'b str)) -> Option<()> {
        let mut from = ByteReader(&self.bytes[ANALYSED_HEAD_BYTES + self.count * (self.dims + 5)..]);
        for _ in 0..2 * self.count {
            from.number()?;
        }
        for _ in 0..from.number()? {
            let (name, number) = (from.letters()?, from.number()?);
            if number % 2 == 1 {
                visit(name);
            }
        }
        Some(())
    }

    /// Everything else.
    pub fn names(&self) -> Option<Names<'b>> {
        let mut from = ByteReader(&self.bytes[ANALYSED_HEAD_BYTES + self.count * (self.dims + 5)..]);
        let span = |from: &mut ByteReader<'_>| {
            let start = from.number()?;
            Some(Span::new(start, start.checked_add(from.number()?)?))
        };
        let sentences = (0..self.count).map(|_| span(&mut from)).collect::<Option<Vec<_>>>()?;
        let entities = from.list(|from| {
            let (name, number) = (from.letters()?, from.number()?);
            let kind = kind_of(u8::try_from(number / 2).ok()?)?;
            Some(NamedEntity { name, known: number % 2 == 1, kind })
        })?;
        let mentions = from.list(|from| {
            let mention =
                AnalysedMention { sentence: from.number()?, span: span(from)?, entity: from.number()? };
            (mention.sentence < self.count && mention.entity < entities.len()).then_some(mention)
        })?;
        Some(Names { sentences, entities, mentions })
    }
}

/// An [`AnalysedEntity`], its name read where it lies: a query looks at thousands of documents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NamedEntity<'b> {
    pub name: &'b str,
    pub known: bool,
    pub kind: MentionType,
}

/// Who is named where.
#[derive(Clone, Debug, Default)]
pub(super) struct Names<'b> {
    pub sentences: Vec<Span>,
    pub entities: Vec<NamedEntity<'b>>,
    pub mentions: Vec<AnalysedMention>,
}

/// Where the sentences stand of which an analysis in bytes speaks, if it is whole.
pub fn sentences_of(bytes: &[u8]) -> Option<Vec<Span>> {
    AnalysedView::of(bytes)?.names().map(|names| names.sentences)
}
