//! A BERT-shaped network: token ids in, numbers for tokens or for whole sequences out.
//!
//! ```text
//! ids ─▶ Embedding ─▶ Layer (joined product ─▶ attention ─▶ product ─▶ inner, GELU, outer) × n ─▶ Head
//! ```
//!
//! The products are those of rten-gemm, what lies between them is written for vectors (rten-simd). Sequences of any
//! length stand in one batch without padding: only attention knows where one ends. The graph's arithmetic in int8 is
//! kept to the letter, so that Python and Rust agree (`tests/parity.rs`).

mod attention;
mod graph;
mod kernels;
mod linear;
mod tensors;
#[cfg(test)]
mod tests;

use std::path::Path;

use rten_onnx::onnx::ModelProto;
use rten_simd::{SimdOp, SimdUnaryOp};
use rten_vecmath::Gelu;

use self::attention::{AttentionBuffers, DistanceBias, SequenceAttention};
use self::kernels::{AddAndNormalize, Normalization};
use self::linear::{BLOCK_ROWS, Linear, Multiplier};
use self::tensors::{SharedBytes, WeightFiles};
use crate::folder::Files;
use crate::wire_format;

/// A network as it runs.
pub(crate) struct Transformer {
    embedding: Embedding,
    distance: Option<DistanceBias>,
    layers: Vec<Layer>,
    heads: usize,
    hidden: usize,
    outputs: Vec<Head>,
}

/// What a token is before any other is looked at.
struct Embedding {
    words: RowTable,
    positions: RowTable,
    types: Option<Vec<f32>>,
    norm: Normalization,
}

/// A table of rows: floats, or bytes with a scale a row.
struct RowTable {
    width: usize,
    values: RowValues,
}

enum RowValues {
    Floats(Vec<f32>),
    Bytes { bytes: SharedBytes, scales: Vec<f32> },
}

struct Layer {
    /// Queries, keys and values at once.
    joined: Linear,
    output: Linear,
    attention_norm: Normalization,
    inner: Linear,
    outer: Linear,
    norm: Normalization,
}

/// An output of the network.
struct Head {
    name: String,
    source: HeadSource,
    linear: Option<Linear>,
}

#[derive(Clone, Copy, PartialEq)]
enum HeadSource {
    EachToken,
    FirstToken,
    Mean,
}

/// What a stream keeps from batch to batch.
#[derive(Default)]
pub(crate) struct Buffers {
    multiplier: Multiplier,
    attention: AttentionBuffers,
    rows: Vec<f32>,
    joined: Vec<f32>,
    context: Vec<f32>,
    inner: Vec<f32>,
    added: Vec<f32>,
}

/// Token ids and types of one input; no types are all 0.
#[derive(Clone, Copy)]
pub(crate) struct Tokens<'a> {
    pub ids: &'a [i32],
    pub types: &'a [i32],
}

impl Transformer {
    /// Reads the graph of a folder and maps the weights beside it.
    pub fn map(path: &Path, names: &[&str]) -> Result<Self, String> {
        let graph = std::fs::read(path).map_err(|e| e.to_string())?;
        let folder = path.parent().unwrap_or(Path::new("."));
        let files = WeightFiles::mapped(folder, names.iter().copied()).map_err(|e| e.to_string())?;
        Self::read(&graph, &files)
    }

    /// The same from files in memory.
    pub fn from_memory(graph: &[u8], files: Files) -> Result<Self, String> {
        Self::read(graph, &WeightFiles::held(files))
    }

    fn read(graph: &[u8], files: &WeightFiles) -> Result<Self, String> {
        wire_format::check_model(graph)?;
        let model = ModelProto::parse_buf(graph).map_err(|e| e.to_string())?;
        graph::read(&model.graph.ok_or("has no graph")?, files)
    }

    /// Which output has this name.
    pub fn output(&self, name: &str) -> Option<usize> {
        self.outputs.iter().position(|head| head.name == name)
    }

    /// Runs a batch; for every sequence the numbers of every output asked for, by [`output`](Self::output).
    pub fn run(
        &self,
        batch: &[Tokens<'_>],
        outputs: &[usize],
        buffers: &mut Buffers,
    ) -> Result<Vec<Vec<Vec<f32>>>, String> {
        self.embed(batch, buffers)?;
        for layer in &self.layers {
            self.run_layer(layer, batch, buffers);
        }
        let mut start = 0;
        let rows_of = |tokens: &Tokens<'_>| {
            let rows = &buffers.rows[start..start + tokens.ids.len() * self.hidden];
            start += rows.len();
            rows
        };
        let sequences: Vec<&[f32]> = batch.iter().map(rows_of).collect();
        let multiplier = &mut buffers.multiplier;
        Ok(sequences
            .into_iter()
            .map(|rows| {
                outputs.iter().map(|&at| self.run_head(&self.outputs[at], rows, multiplier)).collect()
            })
            .collect())
    }

    fn embed(&self, batch: &[Tokens<'_>], buffers: &mut Buffers) -> Result<(), String> {
        let hidden = self.hidden;
        let tokens: usize = batch.iter().map(|tokens| tokens.ids.len()).sum();
        buffers.rows.clear();
        buffers.rows.resize(tokens * hidden, 0.0);
        let mut rows = buffers.rows.chunks_exact_mut(hidden);
        let longest = self.distance.as_ref().map_or(usize::MAX, |distance| distance.longest);
        for tokens in batch {
            if tokens.ids.len() > longest {
                return Err(format!("{} tokens are more than it was made for", tokens.ids.len()));
            }
            for ((place, &id), row) in tokens.ids.iter().enumerate().zip(&mut rows) {
                let added = usize::try_from(id).is_ok_and(|id| self.embedding.words.add_row(id, row))
                    && self.embedding.positions.add_row(place, row);
                if !added {
                    return Err(format!("token {id} at place {place} is beyond its tables"));
                }
                if let Some(types) = &self.embedding.types {
                    let kind =
                        usize::try_from(tokens.types.get(place).copied().unwrap_or(0)).unwrap_or(usize::MAX);
                    let kind =
                        types.chunks_exact(hidden).nth(kind).ok_or("a token type is beyond its table")?;
                    row.iter_mut().zip(kind).for_each(|(value, kind)| *value += kind);
                }
            }
        }
        AddAndNormalize { norm: &self.embedding.norm, added: None, rows: &mut buffers.rows }.dispatch();
        Ok(())
    }

    fn run_layer(&self, layer: &Layer, batch: &[Tokens<'_>], buffers: &mut Buffers) {
        let hidden = self.hidden;
        let Buffers { multiplier, attention, rows, joined, context, inner, added } = buffers;
        joined.resize(rows.len() * 3, 0.0);
        context.resize(rows.len(), 0.0);
        layer.joined.apply(rows, joined, multiplier);
        let mut start = 0;
        for tokens in batch {
            let end = start + tokens.ids.len() * hidden;
            SequenceAttention {
                joined: &joined[3 * start..3 * end],
                hidden,
                heads: self.heads,
                distance: self.distance.as_ref(),
                buffers: attention,
                context: &mut context[start..end],
            }
            .dispatch();
            start = end;
        }
        // Block by block, so that what a block becomes in between stays in the cache.
        for (rows, context) in rows.chunks_mut(BLOCK_ROWS * hidden).zip(context.chunks(BLOCK_ROWS * hidden)) {
            added.resize(rows.len(), 0.0);
            inner.resize(rows.len() / hidden * layer.inner.outputs(), 0.0);
            layer.output.apply(context, added, multiplier);
            AddAndNormalize { norm: &layer.attention_norm, added: Some(added), rows }.dispatch();
            layer.inner.apply(rows, inner, multiplier);
            Gelu {}.map_mut(inner);
            layer.outer.apply(inner, added, multiplier);
            AddAndNormalize { norm: &layer.norm, added: Some(added), rows }.dispatch();
        }
    }

    fn run_head(&self, head: &Head, rows: &[f32], multiplier: &mut Multiplier) -> Vec<f32> {
        let mean;
        let input = match head.source {
            HeadSource::EachToken => rows,
            HeadSource::FirstToken => &rows[..self.hidden.min(rows.len())],
            HeadSource::Mean => {
                mean = mean_row(rows, self.hidden);
                &mean
            }
        };
        let Some(linear) = &head.linear else { return input.to_vec() };
        let mut output = vec![0.0; input.len() / linear.inputs() * linear.outputs()];
        linear.apply(input, &mut output, multiplier);
        output
    }
}

fn mean_row(rows: &[f32], width: usize) -> Vec<f32> {
    let mut mean = vec![0.0; width];
    for row in rows.chunks_exact(width) {
        mean.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
    }
    let count = (rows.len() / width).max(1) as f32;
    mean.iter_mut().for_each(|sum| *sum /= count);
    mean
}

impl RowTable {
    fn floats(values: Vec<f32>, width: usize) -> Self {
        Self { width, values: RowValues::Floats(values) }
    }

    fn bytes(bytes: SharedBytes, scales: Vec<f32>, width: usize) -> Self {
        Self { width, values: RowValues::Bytes { bytes, scales } }
    }

    /// Adds a row to another; false where there is none of this number.
    fn add_row(&self, index: usize, to: &mut [f32]) -> bool {
        let Some(start) = index.checked_mul(self.width) else { return false };
        let range = start..start + self.width;
        match &self.values {
            RowValues::Floats(values) => match values.get(range) {
                Some(row) => to.iter_mut().zip(row).for_each(|(sum, value)| *sum += value),
                None => return false,
            },
            RowValues::Bytes { bytes, scales } => match (bytes.get(range), scales.get(index)) {
                (Some(row), Some(scale)) => {
                    to.iter_mut().zip(row).for_each(|(sum, &value)| *sum += f32::from(value as i8) * scale);
                }
                _ => return false,
            },
        }
        true
    }
}
