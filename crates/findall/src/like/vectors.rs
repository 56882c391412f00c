//! Vectors as they are kept: one byte a dimension and the length, so that cosines come from whole numbers; and the
//! vectors of single words, whose average is the paper's sentence embedding.
//!
//! The paper averages skip-gram vectors. Ours are the encoder's own vectors of single words, less what all words have in
//! common: nothing has to be trained or shipped for them.

use std::collections::HashMap;

use crate::encode::{Encoder, ModelError, TextKind};
use crate::retrieval::terms_with_words;

/// A vector in bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct PackedVector {
    /// Its direction; the largest number is ±127.
    pub bytes: Vec<i8>,
    /// One over the length of `bytes`; 0 for a vector without direction.
    pub unit: f32,
}

impl PackedVector {
    /// Rounds a vector.
    pub fn of(vector: &[f32]) -> Self {
        let largest = vector.iter().fold(0.0_f32, |largest, v| largest.max(v.abs()));
        if largest <= 0.0 || !largest.is_finite() {
            return Self { bytes: vec![0; vector.len()], unit: 0.0 };
        }
        let bytes: Vec<i8> = vector.iter().map(|v| (v / largest * 127.0).round() as i8).collect();
        let square: f32 = bytes.iter().map(|&b| f32::from(b) * f32::from(b)).sum();
        Self { bytes, unit: 1.0 / square.sqrt() }
    }

    /// Cosine with a vector kept elsewhere as bytes.
    pub fn cosine(&self, other: &[u8], unit: f32) -> f32 {
        product(&self.bytes, other) as f32 * self.unit * unit
    }

    /// The vector, of length 1.
    pub fn floats(&self) -> Vec<f32> {
        self.bytes.iter().map(|&b| f32::from(b) * self.unit).collect()
    }
}

/// Numbers that are multiplied side by side.
const LANES: usize = 16;

/// Written so that compilers make vector instructions of it: sixteen sums side by side, a third faster than one.
fn product(a: &[i8], b: &[u8]) -> i32 {
    let one = |a: i8, b: u8| i32::from(a) * i32::from(b.cast_signed());
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    let mut sums = [0; LANES];
    for (a, b) in a.iter().zip(b) {
        for lane in 0..LANES {
            sums[lane] += one(a[lane], b[lane]);
        }
    }
    let rest = a_rest.iter().zip(b_rest).map(|(&a, &b)| one(a, b));
    sums.into_iter().chain(rest).sum()
}

/// Adds `weight` times the direction of `vector`.
pub(super) fn add(sum: &mut [f32], vector: &[f32], weight: f32) {
    let length = vector.iter().map(|v| v * v).sum::<f32>().sqrt();
    if length > 0.0 {
        sum.iter_mut().zip(vector).for_each(|(sum, v)| *sum += weight * v / length);
    }
}

/// Most words that get a vector; the commonest come first.
const MAX_VECTOR_WORDS: usize = 24_000;

/// Words handed to the encoder at a time.
const CHUNK_WORDS: usize = 512;

/// A vector a word.
pub struct WordVectors {
    dims: usize,
    numbers: HashMap<String, u32>,
    /// One after another.
    values: Vec<i8>,
    units: Vec<f32>,
}

impl WordVectors {
    /// Encodes every word that the encoder knows whole.
    pub fn build(encoder: &dyn Encoder) -> Result<Self, ModelError> {
        let words: Vec<&str> =
            encoder.words().into_iter().filter(|w| w.len() > 1).take(MAX_VECTOR_WORDS).collect();
        let dims = encoder.dims();
        let mut vectors: Vec<Vec<f32>> = Vec::with_capacity(words.len());
        for chunk in words.chunks(CHUNK_WORDS) {
            vectors.extend(encoder.encode(chunk, TextKind::Passage)?.into_iter().map(|one| one.pooled));
        }
        let mut mean = vec![0.0; dims];
        vectors.iter().for_each(|vector| add(&mut mean, vector, 1.0 / vectors.len() as f32));
        let mut made = Self {
            dims,
            numbers: HashMap::new(),
            values: Vec::new(),
            units: Vec::with_capacity(words.len()),
        };
        for (word, vector) in words.iter().zip(&vectors) {
            let own: Vec<f32> = vector.iter().zip(&mean).map(|(v, mean)| v - mean).collect();
            let packed = PackedVector::of(&own);
            made.numbers.insert((*word).to_owned(), made.units.len() as u32);
            made.values.extend(packed.bytes);
            made.units.push(packed.unit);
        }
        Ok(made)
    }

    /// Length of a vector.
    pub fn dims(&self) -> usize {
        self.dims
    }

    /// The vector of a word in lower case, of length 1.
    pub fn word(&self, word: &str) -> Option<Vec<f32>> {
        let number = *self.numbers.get(word)? as usize;
        let unit = self.units[number];
        let values = &self.values[number * self.dims..(number + 1) * self.dims];
        Some(values.iter().map(|&v| f32::from(v) * unit).collect())
    }

    /// The average of a text's words, common ones left out; `None` when none is known.
    pub fn average(&self, text: &str) -> Option<Vec<f32>> {
        let mut sum = vec![0.0; self.dims];
        let mut count = 0.0;
        for (word, _) in terms_with_words(text) {
            let Some(&number) = self.numbers.get(&word) else { continue };
            let number = number as usize;
            let unit = self.units[number];
            let values = &self.values[number * self.dims..(number + 1) * self.dims];
            sum.iter_mut().zip(values).for_each(|(sum, &v)| *sum += f32::from(v) * unit);
            count += 1.0;
        }
        (count > 0.0).then(|| sum.into_iter().map(|sum| sum / count).collect())
    }

    /// As bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut words: Vec<(&str, u32)> = self.numbers.iter().map(|(w, n)| (w.as_str(), *n)).collect();
        words.sort_by_key(|(_, number)| *number);
        let mut out = Vec::with_capacity(self.values.len() + 16 * words.len());
        out.extend_from_slice(&(self.dims as u32).to_le_bytes());
        out.extend_from_slice(&(words.len() as u32).to_le_bytes());
        for (word, number) in words {
            out.push(word.len() as u8);
            out.extend_from_slice(&word.as_bytes()[..word.len().min(255)]);
            out.extend_from_slice(&self.units[number as usize].to_le_bytes());
        }
        out.extend(self.values.iter().map(|v| v.cast_unsigned()));
        let sum = blake3::hash(&out);
        out.extend_from_slice(sum.as_bytes());
        out
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote, if it is whole and of this length.
    pub fn from_bytes(bytes: &[u8], dims: usize) -> Option<Self> {
        let (body, sum) = bytes.split_at_checked(bytes.len().checked_sub(32)?)?;
        if blake3::hash(body).as_bytes() != sum {
            return None;
        }
        let (head, mut rest) = body.split_first_chunk::<8>()?;
        let number = |at: usize| Some(u32::from_le_bytes(head.get(at..at + 4)?.try_into().ok()?) as usize);
        let count = number(4)?;
        if number(0)? != dims {
            return None;
        }
        let (mut numbers, mut units) = (HashMap::new(), Vec::new());
        for at in 0..count {
            let (&length, after) = rest.split_first()?;
            let (word, after) = after.split_at_checked(usize::from(length))?;
            let (unit, after) = after.split_first_chunk::<4>()?;
            numbers.insert(std::str::from_utf8(word).ok()?.to_owned(), at as u32);
            units.push(f32::from_le_bytes(*unit));
            rest = after;
        }
        let values: Vec<i8> = rest.iter().map(|v| v.cast_signed()).collect();
        (values.len() == count * dims).then_some(Self { dims, numbers, values, units })
    }
}
