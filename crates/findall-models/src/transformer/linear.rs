//! A linear layer: rows of floats in, rows of floats out.
//!
//! In int8 the input is brought to bytes over a range that was fixed at export, multiplied in whole numbers, and brought
//! back; in float it is multiplied as it is. Rows are worked on in blocks that stay in the cache.

use std::borrow::Cow;

use rten_gemm::{GemmExecutor, GemmInputA, GemmInputB, GemmOptions, PackedBMatrix};
use rten_simd::SimdOp;
use rten_tensor::NdTensorView;

use super::kernels::{Quantization, Rescaling};

/// Two neighbours of one sign in a column add up to no more than this, or two products of theirs may exceed 16 bits.
const MAX_PAIR_WEIGHT: i32 = 128;

/// Rows that are multiplied at a time.
pub(super) const BLOCK_ROWS: usize = 64;

/// Weights and bias of a layer.
pub(super) struct Linear {
    inputs: usize,
    outputs: usize,
    bias: Vec<f32>,
    weights: Weights,
}

enum Weights {
    Int8(Box<Int8Weights>),
    Float(PackedBMatrix<f32>),
}

struct Int8Weights {
    packed: PackedBMatrix<i8>,
    input: InputRange,
    /// What the byte for zero adds to each output, times minus one.
    corrections: Vec<i32>,
    /// What one of each output's whole numbers is worth.
    scales: Vec<f32>,
    /// What the packed weights lack, on a processor that adds products in 16 bits.
    excess: Vec<ExcessWeight>,
}

/// A part of a weight that is multiplied by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ExcessWeight {
    pub input: u32,
    pub output: u32,
    pub weight: i32,
}

/// How the input of an int8 layer becomes bytes: value × factor ÷ scale + zero.
pub(super) struct InputRange {
    pub factors: Vec<f32>,
    pub scale: f32,
    pub zero: u8,
}

/// What multiplies in a stream: the kernels for this processor, and buffers that are kept from layer to layer.
#[derive(Default)]
pub(super) struct Multiplier {
    int8: GemmExecutor<u8, i8, i32>,
    float: GemmExecutor<f32>,
    bytes: Vec<u8>,
    sums: Vec<i32>,
}

impl Linear {
    /// A layer of int8 weights, `inputs` × `outputs`, with one scale an output.
    pub fn int8(
        multiplier: &Multiplier,
        weights: &[i8],
        range: InputRange,
        scales: &[f32],
        bias: Vec<f32>,
    ) -> Self {
        let (inputs, outputs) = (range.factors.len(), bias.len());
        let mut corrections = vec![0i32; outputs];
        for row in weights.chunks_exact(outputs) {
            for (sum, &weight) in corrections.iter_mut().zip(row) {
                *sum = sum.wrapping_sub(i32::from(weight) * i32::from(range.zero));
            }
        }
        let mut weights = Cow::Borrowed(weights);
        let excess =
            if multiplier.int8.may_saturate() { take_excess(weights.to_mut(), outputs) } else { Vec::new() };
        let weights = Int8Weights {
            packed: multiplier.int8.prepack_b(NdTensorView::from_data([inputs, outputs], &*weights)),
            corrections,
            scales: scales.iter().map(|scale| scale * range.scale).collect(),
            input: range,
            excess,
        };
        Self { inputs, outputs, bias, weights: Weights::Int8(Box::new(weights)) }
    }

    /// A layer of float weights, `inputs` × `outputs`.
    pub fn float(multiplier: &Multiplier, weights: &[f32], inputs: usize, bias: Vec<f32>) -> Self {
        let outputs = bias.len();
        let packed = multiplier.float.prepack_b(NdTensorView::from_data([inputs, outputs], weights));
        Self { inputs, outputs, bias, weights: Weights::Float(packed) }
    }

    /// Numbers that come out for a row.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// Numbers that go in for a row.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Multiplies all rows of `input` into `output`.
    pub fn apply(&self, input: &[f32], output: &mut [f32], multiplier: &mut Multiplier) {
        let blocks = input.chunks(BLOCK_ROWS * self.inputs);
        for (input, output) in blocks.zip(output.chunks_mut(BLOCK_ROWS * self.outputs)) {
            match &self.weights {
                Weights::Int8(weights) => self.multiply_bytes(weights, input, output, multiplier),
                Weights::Float(weights) => self.multiply_floats(weights, input, output, multiplier),
            }
        }
    }

    fn multiply_bytes(
        &self,
        weights: &Int8Weights,
        input: &[f32],
        output: &mut [f32],
        multiplier: &mut Multiplier,
    ) {
        let Multiplier { int8, bytes, sums, .. } = multiplier;
        bytes.resize(input.len().max(bytes.len()), 0);
        sums.resize(output.len().max(sums.len()), 0);
        let (bytes, sums) = (&mut bytes[..input.len()], &mut sums[..output.len()]);
        let InputRange { factors, scale, zero } = &weights.input;
        Quantization { rows: input, factors, inverse_scale: 1.0 / scale, zero: *zero, bytes }.dispatch();
        let rows = input.len() / self.inputs;
        let product = int8.gemm(
            sums,
            GemmInputA::Unpacked(NdTensorView::from_data([rows, self.inputs], &*bytes)),
            GemmInputB::Packed(&weights.packed),
            GemmOptions::default(),
        );
        product.expect("the sides of a product were checked when it was loaded");
        if !weights.excess.is_empty() {
            for (bytes, sums) in bytes.chunks_exact(self.inputs).zip(sums.chunks_exact_mut(self.outputs)) {
                for excess in &weights.excess {
                    sums[excess.output as usize] += i32::from(bytes[excess.input as usize]) * excess.weight;
                }
            }
        }
        Rescaling {
            sums,
            corrections: &weights.corrections,
            scales: &weights.scales,
            bias: &self.bias,
            rows: output,
        }
        .dispatch();
    }

    fn multiply_floats(
        &self,
        weights: &PackedBMatrix<f32>,
        input: &[f32],
        output: &mut [f32],
        multiplier: &Multiplier,
    ) {
        let rows = input.len() / self.inputs;
        let input = NdTensorView::from_data([rows, self.inputs], input);
        let product = multiplier.float.gemm(
            output,
            GemmInputA::Unpacked(input),
            GemmInputB::Packed(weights),
            GemmOptions::default(),
        );
        product.expect("the sides of a product were checked when it was loaded");
        for row in output.chunks_exact_mut(self.outputs) {
            for (value, bias) in row.iter_mut().zip(&self.bias) {
                *value += bias;
            }
        }
    }
}

/// Takes from the weights what two neighbours in a column have too much.
///
/// Processors without instructions for products of bytes (AVX2, AVX-512 without VNNI) multiply two neighbours and add them
/// in 16 bits, where the sum is cut off: about one weight in two hundred is too large for that, and its rest is
/// multiplied apart.
pub(super) fn take_excess(weights: &mut [i8], outputs: usize) -> Vec<ExcessWeight> {
    let mut excess = Vec::new();
    for (pair, rows) in weights.chunks_mut(2 * outputs).enumerate() {
        let (above, below) = rows.split_at_mut(outputs);
        for (output, (one, other)) in above.iter_mut().zip(below).enumerate() {
            let (first, second) = (i32::from(*one), i32::from(*other));
            let too_much = (first + second).abs() - MAX_PAIR_WEIGHT;
            if first.signum() != second.signum() || too_much <= 0 {
                continue;
            }
            let weight = too_much * first.signum();
            let (larger, row) = if first.abs() >= second.abs() { (one, 0) } else { (other, 1) };
            *larger = (i32::from(*larger) - weight) as i8;
            excess.push(ExcessWeight { input: (2 * pair + row) as u32, output: output as u32, weight });
        }
    }
    excess
}
