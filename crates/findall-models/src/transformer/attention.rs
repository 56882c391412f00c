//! Attention within one sequence: every token's query against every token's key, and the values mixed by what comes out.
//!
//! Works on the joined rows of queries, keys and values as the product left them, one head at a time, eight queries at
//! a time, so that their likenesses stay in the nearest cache.

use rten_simd::ops::{BitOps, NumOps};
use rten_simd::{Isa, SimdOp, SimdUnaryOp};
use rten_vecmath::Exp;

/// Queries worked on together.
const QUERY_BATCH: usize = 8;
/// Vectors of keys, or of a value's numbers, worked on together.
const VECTOR_BATCH: usize = 2;
/// The widest vectors have sixteen floats; keys are padded to a multiple of two of them.
const KEY_BATCH: usize = 32;

/// How far apart two tokens stand, as a number that is added to their likeness: heads × longest × longest.
pub(super) struct DistanceBias {
    pub table: Vec<f32>,
    pub longest: usize,
}

/// Buffers of a stream.
#[derive(Default)]
pub(super) struct AttentionBuffers {
    /// The keys of a head, number by number instead of token by token.
    keys: Vec<f32>,
    /// The values of a head side by side: in the joined rows they lie so far apart that they drive each other from the
    /// nearest cache.
    values: Vec<f32>,
    /// The likenesses of eight queries to all keys.
    shares: Vec<f32>,
}

/// One sequence in one layer.
pub(super) struct SequenceAttention<'a> {
    /// Rows of queries, keys and values, one after the other, each `hidden` wide.
    pub joined: &'a [f32],
    pub hidden: usize,
    pub heads: usize,
    pub distance: Option<&'a DistanceBias>,
    pub buffers: &'a mut AttentionBuffers,
    /// Rows of what comes out, `hidden` wide.
    pub context: &'a mut [f32],
}

impl SimdOp for SequenceAttention<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let (hidden, width, stride) = (self.hidden, self.hidden / self.heads, 3 * self.hidden);
        let tokens = self.joined.len() / stride;
        let padded = tokens.next_multiple_of(KEY_BATCH);
        self.buffers.keys.clear();
        self.buffers.keys.resize(width * padded, 0.0);
        self.buffers.shares.clear();
        self.buffers.shares.resize(QUERY_BATCH * padded, 0.0);
        self.buffers.values.clear();
        self.buffers.values.resize(tokens * width, 0.0);
        let AttentionBuffers { keys, values, shares } = self.buffers;
        for head in 0..self.heads {
            let offset = head * width;
            for (token, row) in self.joined.chunks_exact(stride).enumerate() {
                for (number, &value) in row[hidden + offset..hidden + offset + width].iter().enumerate() {
                    keys[number * padded + token] = value;
                }
                let value = &row[2 * hidden + offset..2 * hidden + offset + width];
                values[token * width..(token + 1) * width].copy_from_slice(value);
            }
            for first in (0..tokens).step_by(QUERY_BATCH) {
                // Behind the last token stands the last token again; what comes out for it there is not kept.
                let token = |at: usize| (first + at).min(tokens - 1);
                let queries: [&[f32]; QUERY_BATCH] = std::array::from_fn(|at| {
                    let start = token(at) * stride + offset;
                    &self.joined[start..start + width]
                });
                multiply_keys(isa, &queries, keys, padded, shares);
                let mut inverses = [0f32; QUERY_BATCH];
                for (at, row) in shares.chunks_exact_mut(padded).enumerate() {
                    if let Some(distance) = self.distance {
                        let start = (head * distance.longest + token(at)) * distance.longest;
                        for (share, bias) in row.iter_mut().zip(&distance.table[start..start + tokens]) {
                            *share += bias;
                        }
                    }
                    row[tokens..].fill(f32::NEG_INFINITY);
                    inverses[at] = 1.0 / exponentiate(isa, row);
                }
                let context = &mut self.context[first * hidden + offset..];
                let kept = QUERY_BATCH.min(tokens - first);
                for number in (0..width).step_by(VECTOR_BATCH * isa.f32().len()) {
                    let sums = mix_values(isa, values, width, number, shares, padded);
                    for (at, sums) in sums.iter().enumerate().take(kept) {
                        store_scaled(isa, sums, inverses[at], &mut context[at * hidden + number..]);
                    }
                }
            }
        }
    }
}

/// Likenesses of some queries to all keys, row by row.
#[inline(always)]
fn multiply_keys<I: Isa>(
    isa: I,
    queries: &[&[f32]; QUERY_BATCH],
    keys: &[f32],
    padded: usize,
    shares: &mut [f32],
) {
    let floats = isa.f32();
    let (lanes, step) = (floats.len(), VECTOR_BATCH * floats.len());
    for column in (0..padded).step_by(step) {
        let mut sums = [[floats.zero(); VECTOR_BATCH]; QUERY_BATCH];
        for (number, row) in keys.chunks_exact(padded).enumerate() {
            let key = floats.load_many::<VECTOR_BATCH>(&row[column..column + step]);
            for at in 0..QUERY_BATCH {
                let factor = floats.splat(queries[at][number]);
                for vector in 0..VECTOR_BATCH {
                    sums[at][vector] = floats.mul_add(factor, key[vector], sums[at][vector]);
                }
            }
        }
        for (row, sums) in shares.chunks_exact_mut(padded).zip(&sums) {
            for (vector, &sum) in sums.iter().enumerate() {
                let place = column + vector * lanes;
                floats.store(sum, &mut row[place..place + lanes]);
            }
        }
    }
}

/// The exponential of every number less the largest, and their sum.
#[inline(always)]
fn exponentiate<I: Isa>(isa: I, row: &mut [f32]) -> f32 {
    let floats = isa.f32();
    let mut largest = floats.splat(f32::NEG_INFINITY);
    for values in row.chunks_exact(floats.len()) {
        largest = floats.max(largest, floats.load(values));
    }
    let largest = floats.fold_splat(largest, f32::NEG_INFINITY, f32::max);
    let mut total = floats.zero();
    for values in row.chunks_exact_mut(floats.len()) {
        let share = Exp::apply(isa, floats.sub(floats.load(values), largest));
        total = floats.add(total, share);
        floats.store(share, values);
    }
    floats.sum(total)
}

/// Sums of a few numbers of all values, weighed by the shares of some queries.
#[inline(always)]
fn mix_values<I: Isa>(
    isa: I,
    values: &[f32],
    width: usize,
    number: usize,
    shares: &[f32],
    padded: usize,
) -> [[I::F32; VECTOR_BATCH]; QUERY_BATCH] {
    let floats = isa.f32();
    let step = VECTOR_BATCH * floats.len();
    let mut sums = [[floats.zero(); VECTOR_BATCH]; QUERY_BATCH];
    for (token, row) in values.chunks_exact(width).enumerate() {
        let value = floats.load_many::<VECTOR_BATCH>(&row[number..number + step]);
        for at in 0..QUERY_BATCH {
            let factor = floats.splat(shares[at * padded + token]);
            for vector in 0..VECTOR_BATCH {
                sums[at][vector] = floats.mul_add(factor, value[vector], sums[at][vector]);
            }
        }
    }
    sums
}

#[inline(always)]
fn store_scaled<I: Isa>(isa: I, sums: &[I::F32; VECTOR_BATCH], factor: f32, out: &mut [f32]) {
    let floats = isa.f32();
    for (vector, &sum) in sums.iter().enumerate() {
        let place = vector * floats.len();
        floats.store(floats.mul(sum, floats.splat(factor)), &mut out[place..place + floats.len()]);
    }
}
