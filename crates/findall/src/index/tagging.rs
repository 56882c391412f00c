//! What texts name, each tagged once and remembered by its letters: an edited document pays only for the passages that
//! changed, and who reads a document after another one read it pays nothing.

use crate::cache::{Shards, key_of};
use crate::encode::ModelError;
use crate::mentions::{Mention, MentionTagger, MentionType};
use crate::span::Span;

/// The tagger, and where what it said is kept.
#[derive(Clone, Copy)]
pub(crate) struct Tagging<'e> {
    pub tagger: &'e dyn MentionTagger,
    pub kept: Option<&'e Shards>,
}

impl Tagging<'_> {
    /// The mentions of every text, in order.
    pub fn tag(&self, texts: &[&str]) -> Result<Vec<Vec<Mention>>, ModelError> {
        let kept = |text: &&str| unpack(&self.kept?.get(&key_of(0, text))?, text);
        let mut tagged: Vec<Option<Vec<Mention>>> = texts.iter().map(kept).collect();
        let missing: Vec<usize> = (0..texts.len()).filter(|&at| tagged[at].is_none()).collect();
        if !missing.is_empty() {
            let new: Vec<&str> = missing.iter().map(|&at| texts[at]).collect();
            for (at, mut mentions) in missing.into_iter().zip(self.tagger.tag(&new)?) {
                // Nothing is believed about a span that cannot be shown.
                mentions
                    .retain(|mention| !mention.span.is_empty() && mention.span.slice(texts[at]).is_some());
                if let Some(kept) = self.kept {
                    kept.put(key_of(0, texts[at]), pack(&mentions));
                }
                tagged[at] = Some(mentions);
            }
        }
        Ok(tagged.into_iter().map(Option::unwrap_or_default).collect())
    }
}

const KINDS: [MentionType; 8] = [
    MentionType::Person,
    MentionType::Organization,
    MentionType::Place,
    MentionType::Group,
    MentionType::Work,
    MentionType::Product,
    MentionType::Event,
    MentionType::Other,
];

pub(crate) fn kind_number(kind: MentionType) -> u8 {
    KINDS.iter().position(|&other| other == kind).unwrap_or(KINDS.len() - 1) as u8
}

pub(crate) fn kind_of(number: u8) -> Option<MentionType> {
    KINDS.get(usize::from(number)).copied()
}

const PACKED: usize = 4 + 4 + 1 + 4;

fn pack(mentions: &[Mention]) -> Vec<u8> {
    let mut out = Vec::with_capacity(mentions.len() * PACKED);
    for mention in mentions {
        out.extend_from_slice(&(mention.span.start as u32).to_le_bytes());
        out.extend_from_slice(&(mention.span.end as u32).to_le_bytes());
        out.push(kind_number(mention.kind));
        out.extend_from_slice(&mention.confidence.to_le_bytes());
    }
    out
}

fn unpack(bytes: &[u8], text: &str) -> Option<Vec<Mention>> {
    if !bytes.len().is_multiple_of(PACKED) {
        return None;
    }
    let number = |part: &[u8]| part.try_into().ok().map(u32::from_le_bytes);
    bytes
        .chunks_exact(PACKED)
        .map(|part| {
            let (start, end) = (number(&part[..4])? as usize, number(&part[4..8])? as usize);
            text.get(start..end)?;
            let confidence = f32::from_le_bytes(part[9..13].try_into().ok()?);
            Some(Mention { span: Span::new(start, end), kind: kind_of(part[8])?, confidence })
        })
        .collect()
}
