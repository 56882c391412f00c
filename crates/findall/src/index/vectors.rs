//! Vectors of texts, each worked out once: from memory, from the cache on disk, or by the encoder.

use std::collections::{HashMap, HashSet};

use crate::cache::{Key, Shards, key_of};
use crate::encode::{Encoder, ModelError, TextKind, Vector};

/// Texts handed to the encoder at a time: enough to fill its batches, little enough to bound memory.
const CHUNK: usize = 256;

/// Remembers vectors during one preparation, and on disk between them.
pub(crate) struct Vectors<'e> {
    encoder: &'e dyn Encoder,
    disk: Option<&'e Shards>,
    known: HashMap<Key, Vector>,
}

impl<'e> Vectors<'e> {
    pub fn new(encoder: &'e dyn Encoder, disk: Option<&'e Shards>) -> Self {
        Self { encoder, disk, known: HashMap::new() }
    }

    /// Works out what is not known yet, in as few encoder calls as possible.
    pub fn learn(&mut self, texts: &[&str], kind: TextKind) -> Result<(), ModelError> {
        let mut missing: Vec<(Key, &str)> = Vec::new();
        let mut seen: HashSet<Key> = HashSet::new();
        for text in texts {
            let key = key_of(kind as u8, text);
            if self.known.contains_key(&key) || !seen.insert(key) {
                continue;
            }
            match self.disk.and_then(|disk| disk.get(&key)).and_then(|bytes| unpack(&bytes, self.encoder.dims())) {
                Some(vector) => {
                    self.known.insert(key, vector);
                }
                None => missing.push((key, text)),
            }
        }
        for chunk in missing.chunks(CHUNK) {
            let texts: Vec<&str> = chunk.iter().map(|(_, text)| *text).collect();
            for ((key, _), vector) in chunk.iter().zip(self.encoder.encode(&texts, kind)?) {
                if let Some(disk) = self.disk {
                    disk.put(*key, pack(&vector));
                }
                self.known.insert(*key, vector);
            }
        }
        Ok(())
    }

    /// The vector of a text that was learned.
    pub fn get(&self, text: &str, kind: TextKind) -> Option<&Vector> {
        self.known.get(&key_of(kind as u8, text))
    }
}

/// A vector in 16 bits a number: the largest magnitude, then each number as a share of it.
pub(super) fn pack(vector: &[f32]) -> Vec<u8> {
    let largest = vector.iter().fold(f32::MIN_POSITIVE, |largest, v| largest.max(v.abs()));
    let mut out = Vec::with_capacity(4 + 2 * vector.len());
    out.extend_from_slice(&largest.to_le_bytes());
    for v in vector {
        let share = (v / largest * f32::from(i16::MAX)).round() as i16;
        out.extend_from_slice(&share.to_le_bytes());
    }
    out
}

/// The vector packed in `bytes`, if it has the right length and only numbers in it.
pub(super) fn unpack(bytes: &[u8], dims: usize) -> Option<Vector> {
    if bytes.len() != 4 + 2 * dims {
        return None;
    }
    let (largest, shares) = bytes.split_at(4);
    let largest = f32::from_le_bytes(largest.try_into().ok()?);
    if !largest.is_finite() {
        return None;
    }
    let unit = largest / f32::from(i16::MAX);
    Some(shares.chunks_exact(2).map(|pair| f32::from(i16::from_le_bytes([pair[0], pair[1]])) * unit).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_keeps_the_cosine() {
        let vector: Vec<f32> = (0..384).map(|n| ((n * 37 % 101) as f32 - 50.0) / 700.0).collect();
        let back = unpack(&pack(&vector), 384).unwrap();
        let error = vector.iter().zip(&back).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(error < 3e-6, "{error}");
        assert_eq!(unpack(&pack(&vector)[1..], 384), None);
    }
}
