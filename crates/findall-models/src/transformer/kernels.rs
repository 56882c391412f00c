//! What is done to rows of numbers between products, in the widest vectors that the processor has.
//!
//! Each is defined once and compiled for every instruction set (rten-simd); what happens in `eval` must be inlined, or
//! single vector instructions become calls.

use rten_simd::ops::{BitOps, FloatOps, NarrowSaturate, NumOps, ToFloat};
use rten_simd::{Isa, SimdOp};

/// Floats to bytes: each channel times its factor, in steps of the range, rounded, plus the byte for zero.
pub(super) struct Quantization<'a> {
    pub rows: &'a [f32],
    pub factors: &'a [f32],
    pub inverse_scale: f32,
    pub zero: u8,
    pub bytes: &'a mut [u8],
}

impl SimdOp for Quantization<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let (floats, integers, shorts, small) = (isa.f32(), isa.i32(), isa.i16(), isa.u8());
        let lanes = floats.len();
        let zero = integers.splat(i32::from(self.zero));
        let inverse_scale = floats.splat(self.inverse_scale);
        let (width, wide) = (self.factors.len(), 4 * lanes);
        for (row, bytes) in self.rows.chunks_exact(width).zip(self.bytes.chunks_exact_mut(width)) {
            let whole = width / wide * wide;
            let chunks = row[..whole].chunks_exact(wide).zip(self.factors[..whole].chunks_exact(wide));
            for ((values, factors), bytes) in chunks.zip(bytes[..whole].chunks_exact_mut(wide)) {
                let values = floats.load_many::<4>(values);
                let factors = floats.load_many::<4>(factors);
                let mut parts = [zero; 4];
                for part in 0..4 {
                    let value = floats.mul(floats.mul(values[part], factors[part]), inverse_scale);
                    let rounded = floats.to_int_round(value);
                    parts[part] = integers.add(rounded, zero);
                }
                let low = integers.narrow_saturate(parts[0], parts[1]);
                let high = integers.narrow_saturate(parts[2], parts[3]);
                small.store(shorts.narrow_saturate(low, high), bytes);
            }
            for at in whole..width {
                let rounded = (row[at] * self.factors[at] * self.inverse_scale).round_ties_even() as i32;
                bytes[at] = (rounded + i32::from(self.zero)).clamp(0, 255) as u8;
            }
        }
    }
}

/// Whole numbers back to floats: corrected for the byte that stands for zero, scaled, plus bias.
pub(super) struct Rescaling<'a> {
    pub sums: &'a [i32],
    pub corrections: &'a [i32],
    pub scales: &'a [f32],
    pub bias: &'a [f32],
    pub rows: &'a mut [f32],
}

impl SimdOp for Rescaling<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let (floats, integers) = (isa.f32(), isa.i32());
        let (lanes, width) = (floats.len(), self.scales.len());
        let whole = width / lanes * lanes;
        for (sums, row) in self.sums.chunks_exact(width).zip(self.rows.chunks_exact_mut(width)) {
            for at in (0..whole).step_by(lanes) {
                let sum = integers.load(&sums[at..at + lanes]);
                let sum = integers.add(sum, integers.load(&self.corrections[at..at + lanes]));
                let scale = floats.load(&self.scales[at..at + lanes]);
                let bias = floats.load(&self.bias[at..at + lanes]);
                floats.store(floats.mul_add(integers.to_float(sum), scale, bias), &mut row[at..at + lanes]);
            }
            for at in whole..width {
                row[at] =
                    sums[at].wrapping_add(self.corrections[at]) as f32 * self.scales[at] + self.bias[at];
            }
        }
    }
}

/// Scale, bias and smallest variance of a layer normalisation.
pub(super) struct Normalization {
    pub scale: Vec<f32>,
    pub bias: Vec<f32>,
    pub epsilon: f32,
}

/// Adds what a layer made to what went into it, and normalises each row to mean 0 and variance 1 before scale and bias.
pub(super) struct AddAndNormalize<'a> {
    pub norm: &'a Normalization,
    pub added: Option<&'a [f32]>,
    pub rows: &'a mut [f32],
}

impl SimdOp for AddAndNormalize<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let floats = isa.f32();
        let (lanes, width) = (floats.len(), self.norm.scale.len());
        let whole = width / lanes * lanes;
        for (index, row) in self.rows.chunks_exact_mut(width).enumerate() {
            let mut total = floats.zero();
            if let Some(added) = self.added {
                let added = &added[index * width..(index + 1) * width];
                for (values, added) in
                    row[..whole].chunks_exact_mut(lanes).zip(added[..whole].chunks_exact(lanes))
                {
                    let sum = floats.add(floats.load(values), floats.load(added));
                    floats.store(sum, values);
                    total = floats.add(total, sum);
                }
                row[whole..].iter_mut().zip(&added[whole..]).for_each(|(value, added)| *value += added);
            } else {
                for values in row[..whole].chunks_exact(lanes) {
                    total = floats.add(total, floats.load(values));
                }
            }
            let mean = (floats.sum(total) + row[whole..].iter().sum::<f32>()) / width as f32;
            let middle = floats.splat(mean);
            let mut squares = floats.zero();
            for values in row[..whole].chunks_exact(lanes) {
                let distance = floats.sub(floats.load(values), middle);
                squares = floats.mul_add(distance, distance, squares);
            }
            let rest: f32 = row[whole..].iter().map(|value| (value - mean) * (value - mean)).sum();
            let variance = (floats.sum(squares) + rest) / width as f32;
            let inverse = 1.0 / (variance + self.norm.epsilon).sqrt();
            let factor = floats.splat(inverse);
            for at in (0..whole).step_by(lanes) {
                let distance = floats.sub(floats.load(&row[at..at + lanes]), middle);
                let scale = floats.mul(floats.load(&self.norm.scale[at..at + lanes]), factor);
                let bias = floats.load(&self.norm.bias[at..at + lanes]);
                floats.store(floats.mul_add(distance, scale, bias), &mut row[at..at + lanes]);
            }
            let rest = self.norm.scale[whole..].iter().zip(&self.norm.bias[whole..]);
            for (value, (scale, bias)) in row[whole..].iter_mut().zip(rest) {
                *value = (*value - mean) * inverse * scale + bias;
            }
        }
    }
}
