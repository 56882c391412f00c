//! Embeddings of texts, each worked out once: from memory, from the cache on disk, or by the encoder.

use std::collections::{HashMap, HashSet};

use crate::cache::{Key, Shards, key_of};
use crate::encode::{Embedding, Encoder, ModelError, TextKind};

/// Texts handed to the encoder at a time: enough to fill its batches, little enough to bound memory.
const CHUNK_TEXTS: usize = 256;

/// Embeddings by the keys of their texts.
pub(crate) type Vectors = HashMap<Key, Embedding>;

/// Remembers embeddings during one preparation, and on disk between them.
pub(crate) struct Embeddings<'e> {
    encoder: &'e dyn Encoder,
    disk: Option<&'e Shards>,
    known: Vectors,
}

impl<'e> Embeddings<'e> {
    pub fn new(encoder: &'e dyn Encoder, disk: Option<&'e Shards>) -> Self {
        Self { encoder, disk, known: Vectors::new() }
    }

    /// Works out what is not known yet, in as few encoder calls as possible.
    pub fn learn(&mut self, texts: &[&str], kind: TextKind) -> Result<(), ModelError> {
        VectorSource { encoder: self.encoder, disk: self.disk }.learn(texts, kind, &mut self.known)
    }

    /// Lets go of what is in memory; what is on disk stays.
    pub fn forget(&mut self) {
        self.known.clear();
    }

    /// The embedding of a text that was learned.
    pub fn get(&self, text: &str, kind: TextKind) -> Option<&Embedding> {
        self.known.get(&key_of(kind as u8, text))
    }
}

/// Where vectors come from: the cache on disk, and the encoder.
#[derive(Clone, Copy)]
pub(crate) struct VectorSource<'e> {
    pub encoder: &'e dyn Encoder,
    pub disk: Option<&'e Shards>,
}

impl VectorSource<'_> {
    /// Adds to `known` what is missing there, in as few encoder calls as possible.
    pub fn learn(&self, texts: &[&str], kind: TextKind, known: &mut Vectors) -> Result<(), ModelError> {
        let mut missing: Vec<(Key, &str)> = Vec::new();
        let mut seen: HashSet<Key> = HashSet::new();
        for text in texts {
            let key = key_of(kind as u8, text);
            if known.contains_key(&key) || !seen.insert(key) {
                continue;
            }
            match self
                .disk
                .and_then(|disk| disk.get(&key))
                .and_then(|bytes| unpack(&bytes, self.encoder.dims()))
            {
                Some(embedding) => {
                    known.insert(key, embedding);
                }
                None => missing.push((key, text)),
            }
        }
        for chunk in missing.chunks(CHUNK_TEXTS) {
            let texts: Vec<&str> = chunk.iter().map(|(_, text)| *text).collect();
            for ((key, _), embedding) in chunk.iter().zip(self.encoder.encode(&texts, kind)?) {
                if let Some(disk) = self.disk {
                    disk.put(*key, pack(&embedding));
                }
                known.insert(*key, embedding);
            }
        }
        Ok(())
    }
}

/// An embedding in bytes: the length of the pooled vector, its largest magnitude, each number as a share of that in 16
/// bits, then the tokens.
pub(super) fn pack(embedding: &Embedding) -> Vec<u8> {
    let pooled = &embedding.pooled;
    let largest = pooled.iter().fold(f32::MIN_POSITIVE, |largest, v| largest.max(v.abs()));
    let mut out = Vec::with_capacity(6 + 2 * pooled.len() + embedding.tokens.len());
    out.extend_from_slice(&(pooled.len() as u16).to_le_bytes());
    out.extend_from_slice(&largest.to_le_bytes());
    for v in pooled {
        let share = (v / largest * f32::from(i16::MAX)).round() as i16;
        out.extend_from_slice(&share.to_le_bytes());
    }
    out.extend(embedding.tokens.iter().map(|v| v.to_le_bytes()[0]));
    out
}

/// The embedding packed in `bytes`, if it has the right length and only numbers in it.
pub(super) fn unpack(bytes: &[u8], dims: usize) -> Option<Embedding> {
    let (length, rest) = bytes.split_first_chunk::<2>()?;
    let (largest, rest) = rest.split_first_chunk::<4>()?;
    let largest = f32::from_le_bytes(*largest);
    if usize::from(u16::from_le_bytes(*length)) != dims || !largest.is_finite() {
        return None;
    }
    let (shares, tokens) = rest.split_at_checked(2 * dims)?;
    let unit = largest / f32::from(i16::MAX);
    let number = |pair: &[u8]| f32::from(i16::from_le_bytes([pair[0], pair[1]])) * unit;
    Some(Embedding {
        pooled: shares.chunks_exact(2).map(number).collect(),
        tokens: tokens.iter().map(|&v| i8::from_le_bytes([v])).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_keeps_the_cosine() {
        let pooled: Vec<f32> = (0..384).map(|n| ((n * 37 % 101) as f32 - 50.0) / 700.0).collect();
        let embedding = Embedding { pooled, tokens: vec![-127, 0, 3, 127] };
        let back = unpack(&pack(&embedding), 384).unwrap();
        let error = embedding.pooled.iter().zip(&back.pooled).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(error < 3e-6, "{error}");
        assert_eq!(back.tokens, embedding.tokens);
        assert_eq!(unpack(&pack(&embedding), 383), None);
        assert_eq!(unpack(&pack(&embedding)[..500], 384), None);
    }
}
