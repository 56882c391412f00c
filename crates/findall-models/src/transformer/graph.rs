//! Reads a transformer from the ONNX graph that `training/export.py` writes.
//!
//! The graph is not run as a graph: its nodes are walked in the order in which they are written, and what they mean for
//! a transformer is taken from them. A graph of another shape is refused, with the node at which it differs.

use std::cell::Cell;

use rten_onnx::onnx::{GraphProto, NodeProto};

use super::attention::DistanceBias;
use super::kernels::Normalization;
use super::linear::{InputRange, Linear, Multiplier};
use super::tensors::{Reason, Tensors, WeightFiles};
use super::{Embedding, Head, HeadSource, Layer, RowTable, Transformer};

/// Nodes of a product up to the one that uses what comes out.
const MAX_PRODUCT_NODES: usize = 8;

/// The nodes of a graph that are still to be read, and its tensors.
struct GraphReader<'g> {
    nodes: &'g [NodeProto],
    /// How many nodes have been read.
    read: Cell<usize>,
    tensors: Tensors<'g>,
    multiplier: Multiplier,
}

/// The transformer that a graph describes, with the heads of all its outputs.
pub(super) fn read(graph: &GraphProto, files: &WeightFiles) -> Result<Transformer, Reason> {
    let reader = GraphReader {
        nodes: &graph.node,
        read: Cell::new(0),
        tensors: Tensors::new(&graph.initializer, files),
        multiplier: Multiplier::default(),
    };
    let has_types = graph.input.iter().any(|input| input.name.as_deref() == Some("token_type_ids"));
    let embedding = reader.embedding(has_types)?;
    let hidden = embedding.norm.scale.len();
    reader.skip(&["Cast", "Sub", "Mul", "Unsqueeze"])?;
    let distance = reader.distance()?;
    let (mut layers, mut heads) = (Vec::new(), 0);
    while let Some(read) = reader.layer(hidden)? {
        heads = read.1;
        layers.push(read.0);
    }
    if heads == 0 || hidden % heads != 0 || (hidden / heads) % 32 != 0 {
        return Err(format!("{heads} heads of attention do not divide {hidden} numbers into parts of 32"));
    }
    if let Some(distance) = &distance
        && distance.table.len() != heads * distance.longest * distance.longest
    {
        return Err("the bias of distances fits another number of heads".into());
    }
    let outputs = reader.heads(hidden)?;
    Ok(Transformer { embedding, distance, layers, heads, hidden, outputs })
}

impl<'g> GraphReader<'g> {
    /// The next node, which must be of this kind.
    fn node(&self, kind: &str) -> Result<&'g NodeProto, Reason> {
        let next = self.peek();
        self.read.set(self.read.get() + 1);
        match next {
            Some(node) if node.op_type.as_deref() == Some(kind) => Ok(node),
            Some(node) => {
                let (name, found) = (node.name.as_deref(), node.op_type.as_deref());
                Err(format!(
                    "{} is {} where {kind} is expected",
                    name.unwrap_or("a node"),
                    found.unwrap_or("nothing")
                ))
            }
            None => Err(format!("ends where {kind} is expected")),
        }
    }

    fn skip(&self, kinds: &[&str]) -> Result<(), Reason> {
        kinds.iter().try_for_each(|kind| self.node(kind).map(|_| ()))
    }

    fn peek(&self) -> Option<&'g NodeProto> {
        self.nodes.get(self.read.get())
    }

    fn is_next(&self, kind: &str) -> bool {
        self.peek().is_some_and(|node| node.op_type.as_deref() == Some(kind))
    }

    /// The name of what goes into a node at this place.
    fn input(node: &'g NodeProto, at: usize) -> Result<&'g str, Reason> {
        node.input.get(at).map(String::as_str).ok_or_else(|| "a node lacks an input".to_owned())
    }

    /// The name of the one input of a node that is a tensor of the graph.
    fn tensor_input(&self, node: &'g NodeProto) -> Result<&'g str, Reason> {
        let mut named = node.input.iter().filter(|name| self.tensors.has(name));
        named.next().map(String::as_str).ok_or_else(|| "a node has no tensor among its inputs".to_owned())
    }

    /// Tables of positions, words and, where there are any, token types, and the norm of their sum.
    fn embedding(&self, has_types: bool) -> Result<Embedding, Reason> {
        self.skip(&["Shape", "Slice"])?;
        let positions = self.table("Slice")?;
        let words = self.table("Gather")?;
        self.node("Add")?;
        let width = words.width;
        let types = match has_types {
            true => {
                let name = self.tensor_input(self.node("Gather")?)?;
                self.node("Add")?;
                Some(self.tensors.floats(name, &[None, Some(width)])?.1)
            }
            false => None,
        };
        if positions.width != width {
            return Err("positions and words are of different width".into());
        }
        let norm = self.norm(width)?;
        Ok(Embedding { words, positions, types, norm })
    }

    /// A table whose rows are taken by nodes of this kind: bytes with a scale a row, or floats.
    fn table(&self, kind: &str) -> Result<RowTable, Reason> {
        let name = self.tensor_input(self.node(kind)?)?;
        if !self.is_next("Cast") {
            let (shape, values) = self.tensors.floats(name, &[None, None])?;
            return Ok(RowTable::floats(values, shape[1]));
        }
        let table = self.tensors.byte_matrix(name)?;
        self.node("Cast")?;
        let scales = self.tensor_input(self.node(kind)?)?;
        let scales = self.tensors.floats(scales, &[Some(table.rows), Some(1)])?.1;
        self.node("Mul")?;
        let bytes = self.tensors.share(&table).ok_or_else(|| format!("{name} is not there"))?;
        Ok(RowTable::bytes(bytes, scales, table.columns))
    }

    fn norm(&self, width: usize) -> Result<Normalization, Reason> {
        let node = self.node("LayerNormalization")?;
        let epsilon = node.attribute.iter().find(|a| a.name.as_deref() == Some("epsilon")).and_then(|a| a.f);
        Ok(Normalization {
            scale: self.tensors.vector(Self::input(node, 1)?, width)?,
            bias: self.tensors.vector(Self::input(node, 2)?, width)?,
            epsilon: epsilon.unwrap_or(1e-5),
        })
    }

    /// What is added to attention for the distance of two tokens, in networks that have it.
    fn distance(&self) -> Result<Option<DistanceBias>, Reason> {
        if !self.is_next("Concat") {
            return Ok(None);
        }
        self.node("Concat")?;
        let name = self.tensor_input(self.node("Slice")?)?;
        self.node("Add")?;
        let (shape, table) = self.tensors.floats(name, &[Some(1), None, None, None])?;
        match shape[2] == shape[3] {
            true => Ok(Some(DistanceBias { table, longest: shape[2] })),
            false => Err(format!("{name} is not square")),
        }
    }

    /// The next layer and its number of heads, or none where the heads of the network begin.
    fn layer(&self, hidden: usize) -> Result<Option<(Layer, usize)>, Reason> {
        // A layer begins with a product whose columns are then parted into heads.
        let ahead = self.nodes.iter().skip(self.read.get()).take(MAX_PRODUCT_NODES);
        if !ahead.into_iter().any(|node| node.op_type.as_deref() == Some("Reshape")) {
            return Ok(None);
        }
        let joined = self.linear(hidden, Some(3 * hidden))?;
        let parts = self.tensors.integers(Self::input(self.node("Reshape")?, 1)?)?;
        let heads = parts.get(2).and_then(|&all| usize::try_from(all).ok()).unwrap_or(0) / 3;
        self.skip(&[
            "Transpose",
            "Split",
            "Transpose",
            "MatMul",
            "Add",
            "Softmax",
            "MatMul",
            "Transpose",
            "Reshape",
        ])?;
        let output = self.linear(hidden, Some(hidden))?;
        self.node("Add")?;
        let attention_norm = self.norm(hidden)?;
        let inner = self.linear(hidden, None)?;
        self.node("Gelu")?;
        let outer = self.linear(inner.outputs(), Some(hidden))?;
        self.node("Add")?;
        let norm = self.norm(hidden)?;
        Ok(Some((Layer { joined, output, attention_norm, inner, outer, norm }, heads)))
    }

    /// A product with its bias, in int8 or in float.
    fn linear(&self, inputs: usize, outputs: Option<usize>) -> Result<Linear, Reason> {
        if self.is_next("MatMul") {
            return self.float_linear(inputs, outputs).map(|(linear, _)| linear);
        }
        let factors = match self.is_next("Mul") {
            true => {
                let name = self.tensor_input(self.node("Mul")?)?;
                // The graph multiplies with the inverse of a factor.
                self.tensors.vector(name, inputs)?
            }
            false => vec![1.0; inputs],
        };
        if self.is_next("DynamicQuantizeLinear") {
            return Err("its activations have no fixed ranges (training/export.py --calibrate)".into());
        }
        let quantize = self.node("QuantizeLinear")?;
        let range = InputRange {
            factors,
            scale: self.tensors.scalar(Self::input(quantize, 1)?)?,
            zero: self.tensors.byte(Self::input(quantize, 2)?)?,
        };
        let weights = self.tensors.byte_matrix(Self::input(self.node("MatMulInteger")?, 1)?)?;
        self.node("Cast")?;
        let columns = weights.columns;
        if weights.rows != inputs || outputs.is_some_and(|outputs| outputs != columns) {
            return Err(format!("a product has the shape {} × {columns}", weights.rows));
        }
        let scales_node = self.node("Mul")?;
        let scales = self.tensors.vector(Self::input(scales_node, 1)?, columns)?;
        self.node("Mul")?;
        let bias = self.tensors.vector(self.tensor_input(self.node("Add")?)?, columns)?;
        let int8: Vec<i8> = weights.bytes.iter().map(|&byte| byte as i8).collect();
        Ok(Linear::int8(&self.multiplier, &int8, range, &scales, bias))
    }

    /// A product in float, and the name of what comes out of it.
    fn float_linear(&self, inputs: usize, outputs: Option<usize>) -> Result<(Linear, &'g str), Reason> {
        let (shape, weights) =
            self.tensors.floats(self.tensor_input(self.node("MatMul")?)?, &[Some(inputs), outputs])?;
        let add = self.node("Add")?;
        let bias = self.tensors.vector(self.tensor_input(add)?, shape[1])?;
        let name = add.output.first().map(String::as_str).unwrap_or_default();
        Ok((Linear::float(&self.multiplier, &weights, inputs, bias), name))
    }

    /// What stands on the layers: products over each token, over the first one, or over the mean.
    fn heads(&self, hidden: usize) -> Result<Vec<Head>, Reason> {
        let mut heads = Vec::new();
        let mut source = HeadSource::EachToken;
        let mut mean = None;
        while let Some(node) = self.peek() {
            match node.op_type.as_deref() {
                Some("Unsqueeze") => {
                    self.skip(&["Unsqueeze", "Mul", "ReduceSum", "ReduceSum", "Max"])?;
                    let name = self.node("Div")?.output.first().map(String::as_str).unwrap_or_default();
                    heads.push(Head { name: name.to_owned(), source: HeadSource::Mean, linear: None });
                    mean = Some(name);
                }
                Some("Gather") => {
                    self.node("Gather")?;
                    source = HeadSource::FirstToken;
                }
                _ => {
                    let over_mean = mean.is_some() && node.input.first().map(String::as_str) == mean;
                    let source = if over_mean { HeadSource::Mean } else { source };
                    let (linear, name) = self.float_linear(hidden, None)?;
                    heads.push(Head { name: name.to_owned(), source, linear: Some(linear) });
                }
            }
        }
        Ok(heads)
    }
}
