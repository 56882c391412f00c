"""Writes a BERT-shaped network with its heads as an ONNX graph, in int8 or in float.

In: a checkpoint as named numpy arrays (Hugging Face BERT names) and a `Shape`. Out: an `onnx.ModelProto`.

The graph is written by hand, not traced, so that it holds exactly what `findall-models/transformer/graph.rs` reads, node by node (whoever
changes the order here changes it there), and what runs best:
- query, key and value weights are one matrix, so that the activations are quantised once and multiplied once;
- weights are symmetric int8 with one scale an output column, embeddings int8 with one scale a row;
- activations are quantised as they pass, over the range of the batch (DynamicQuantizeLinear) until `calibrate.py` has
  fixed the ranges, which makes results independent of the batch. A few channels are ten times larger than the rest
  and would eat the int8 range, so with `peaks` (see `calibrate.py`) every product's input is first divided by a
  factor a channel, and the weights multiplied by it (SmoothQuant, Xiao et al. 2023, with exponent 0.7);
- the token-type row is folded into the positions unless token types are an input.
"""

from dataclasses import dataclass, field

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSET = 20
# How much of a channel's range moves from the activations into the weights; 0.5 loses more, 0.85 no less (MiniLM).
SMOOTHING = 0.7


@dataclass
class Shape:
    """What the trunk looks like, and which heads stand on it."""

    layers: int = 6
    hidden: int = 384
    heads: int = 12
    # whether token types are an input (two texts, or the shapes of words)
    types: bool = False
    # longest input
    longest: int = 512
    norm_eps: float = 1e-12
    # output name -> (weight name, bias name): a linear layer over every token
    token_heads: dict = field(default_factory=dict)
    # output name -> (weight name, bias name): a linear layer over the first token
    first_token_heads: dict = field(default_factory=dict)
    # name of the mean-pooled output, or None
    mean_pooled: str | None = None
    # output name -> (weight name, bias name): a linear layer over the mean of the tokens
    pooled_heads: dict = field(default_factory=dict)


class Builder:
    """Collects nodes and weights; every method returns the name of the value it makes."""

    def __init__(self, int8: bool, peaks=None):
        self.int8, self.peaks = int8, peaks
        self.nodes, self.weights, self.count = [], [], 0
        self.products = []

    def op(self, kind, inputs, outputs=1, name=None, domain="", **attributes):
        self.count += 1
        names = [name] if name else [f"{kind}_{self.count}_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(kind, inputs, names, name=f"{kind}_{self.count}", domain=domain, **attributes))
        return names[0] if outputs == 1 else names

    def constant(self, array, name=None):
        self.count += 1
        name = name or f"constant_{self.count}"
        self.weights.append(numpy_helper.from_array(np.array(array, order="C"), name))
        return name

    def linear(self, x, weight, bias):
        """`x` times `weight` [in, out], plus `bias`. The inputs of these products are what `peaks` is about, in order."""
        index = len(self.products)
        self.products.append(x)
        bias = self.constant(bias.astype(np.float32))
        if not self.int8:
            return self.op("Add", [self.op("MatMul", [x, self.constant(weight.astype(np.float32))]), bias])
        if self.peaks is not None:
            peak = np.maximum(self.peaks[index], 1e-5)
            factor = peak**SMOOTHING / np.maximum(np.abs(weight).max(axis=1), 1e-5) ** (1 - SMOOTHING)
            factor = (factor / np.exp(np.log(factor).mean())).astype(np.float32)
            x = self.op("Mul", [x, self.constant(1 / factor)])
            weight = weight * factor[:, None]
        values, scale, zero = self.op("DynamicQuantizeLinear", [x], outputs=3)
        column_scale = (np.maximum(np.abs(weight).max(axis=0), 1e-12) / 127.0).astype(np.float32)
        weight_int8 = np.clip(np.rint(weight / column_scale), -127, 127).astype(np.int8)
        zeros = self.constant(np.zeros(weight.shape[1], np.int8))
        product = self.op("MatMulInteger", [values, self.constant(weight_int8), zero, zeros])
        product = self.op("Cast", [product], to=TensorProto.FLOAT)
        product = self.op("Mul", [product, self.op("Mul", [scale, self.constant(column_scale)])])
        return self.op("Add", [product, bias])

    def float_linear(self, x, weight, bias, name=None):
        """A small head, kept in float."""
        product = self.op("MatMul", [x, self.constant(weight.astype(np.float32))])
        return self.op("Add", [product, self.constant(bias.astype(np.float32))], name=name)

    def rows(self, table, ids):
        """Rows of an embedding table."""
        if not self.int8:
            return self.op("Gather", [self.constant(table.astype(np.float32)), ids])
        values, scale = int8_rows(table)
        rows = self.op("Cast", [self.op("Gather", [self.constant(values), ids])], to=TensorProto.FLOAT)
        return self.op("Mul", [rows, self.op("Gather", [self.constant(scale), ids])])

    def first_rows(self, table, count):
        """The first `count` rows of a table."""
        def cut(array):
            return self.op("Slice", [self.constant(array), self.constant(np.array([0])), count, self.constant(np.array([0]))])
        if not self.int8:
            return cut(table.astype(np.float32))
        values, scale = int8_rows(table)
        return self.op("Mul", [self.op("Cast", [cut(values)], to=TensorProto.FLOAT), cut(scale)])


def int8_rows(table):
    """A table in int8 and one scale a row."""
    scale = (np.maximum(np.abs(table).max(axis=1, keepdims=True), 1e-12) / 127.0).astype(np.float32)
    return np.clip(np.rint(table / scale), -127, 127).astype(np.int8), scale


def build(weights: dict, shape: Shape, int8: bool = True, peaks=None, expose_products: bool = False) -> onnx.ModelProto:
    """The whole network. `expose_products` adds the inputs of all products to the outputs, for `calibrate.py`."""
    b = Builder(int8, peaks)
    hidden, heads = shape.hidden, shape.heads
    width = hidden // heads

    def norm(x, name):
        scale, bias = b.constant(weights[name + ".weight"]), b.constant(weights[name + ".bias"])
        return b.op("LayerNormalization", [x, scale, bias], axis=-1, epsilon=shape.norm_eps)

    def dense(x, name):
        return b.linear(x, weights[name + ".weight"].T, weights[name + ".bias"])

    types = weights["embeddings.token_type_embeddings.weight"]
    positions = weights["embeddings.position_embeddings.weight"][: shape.longest]
    if not shape.types:
        positions = positions + types[0]
    length = b.op("Slice", [b.op("Shape", ["input_ids"]), b.constant(np.array([1])), b.constant(np.array([2]))])
    position_rows = b.first_rows(positions, length)
    x = b.op("Add", [b.rows(weights["embeddings.word_embeddings.weight"], "input_ids"), position_rows])
    if shape.types:
        x = b.op("Add", [x, b.op("Gather", [b.constant(types.astype(np.float32)), "token_type_ids"])])
    x = norm(x, "embeddings.LayerNorm")

    # Padding is pushed out of every softmax by a large negative number.
    mask = b.op("Cast", ["attention_mask"], to=TensorProto.FLOAT)
    absent = b.op("Mul", [b.op("Sub", [mask, b.constant(np.float32(1))]), b.constant(np.float32(1e4))])
    absent = b.op("Unsqueeze", [absent, b.constant(np.array([1, 2]))])

    # mpnet adds a number to attention for how far two tokens stand apart, the same in every layer.
    if "encoder.relative_bias" in weights:
        ends, axes = b.op("Concat", [length, length], axis=0), b.constant(np.array([2, 3]))
        table = b.constant(weights["encoder.relative_bias"][None, :, : shape.longest, : shape.longest].astype(np.float32))
        absent = b.op("Add", [b.op("Slice", [table, b.constant(np.array([0, 0])), ends, axes]), absent])

    split_heads = b.constant(np.array([0, 0, 3 * heads, width]))
    join_heads = b.constant(np.array([0, 0, hidden]))
    scale = 1.0 / np.sqrt(width)
    for layer in range(shape.layers):
        prefix = f"encoder.layer.{layer}."
        attention = prefix + "attention."
        names = [attention + "self." + part for part in ("query", "key", "value")]
        # The 1/sqrt(width) of attention is folded into the query weights.
        factors = (scale, 1.0, 1.0)
        weight = np.concatenate([weights[n + ".weight"].T * f for n, f in zip(names, factors)], axis=1)
        bias = np.concatenate([weights[n + ".bias"] * f for n, f in zip(names, factors)])
        joined = b.linear(x, weight, bias)
        joined = b.op("Transpose", [b.op("Reshape", [joined, split_heads])], perm=[0, 2, 1, 3])
        query, key, value = b.op("Split", [joined], outputs=3, axis=1, num_outputs=3)
        scores = b.op("MatMul", [query, b.op("Transpose", [key], perm=[0, 1, 3, 2])])
        shares = b.op("Softmax", [b.op("Add", [scores, absent])], axis=-1)
        context = b.op("Transpose", [b.op("MatMul", [shares, value])], perm=[0, 2, 1, 3])
        context = b.op("Reshape", [context, join_heads])
        x = norm(b.op("Add", [dense(context, attention + "output.dense"), x]), attention + "output.LayerNorm")
        inner = b.op("Gelu", [dense(x, prefix + "intermediate.dense")])
        x = norm(b.op("Add", [dense(inner, prefix + "output.dense"), x]), prefix + "output.LayerNorm")

    outputs = []
    if shape.mean_pooled or shape.pooled_heads:
        present = b.op("Unsqueeze", [mask, b.constant(np.array([2]))])
        total = b.op("ReduceSum", [b.op("Mul", [x, present]), b.constant(np.array([1]))], keepdims=0)
        count = b.op("ReduceSum", [mask, b.constant(np.array([1]))], keepdims=1)
        pooled = b.op("Div", [total, b.op("Max", [count, b.constant(np.float32(1))])], name=shape.mean_pooled)
        if shape.mean_pooled:
            outputs.append((shape.mean_pooled, ["batch", hidden]))
        for name, (weight, bias) in shape.pooled_heads.items():
            b.float_linear(pooled, weights[weight].T, weights[bias], name=name)
            outputs.append((name, ["batch", weights[weight].shape[0]]))
    for name, (weight, bias) in shape.token_heads.items():
        b.float_linear(x, weights[weight].T, weights[bias], name=name)
        outputs.append((name, ["batch", "tokens", weights[weight].shape[0]]))
    if shape.first_token_heads:
        first = b.op("Gather", [x, b.constant(np.array(0))], axis=1)
        for name, (weight, bias) in shape.first_token_heads.items():
            b.float_linear(first, weights[weight].T, weights[bias], name=name)
            outputs.append((name, ["batch", weights[weight].shape[0]]))

    inputs = ["input_ids", "attention_mask"] + (["token_type_ids"] if shape.types else [])
    graph = helper.make_graph(
        b.nodes, "findall",
        [helper.make_tensor_value_info(n, TensorProto.INT64, ["batch", "tokens"]) for n in inputs],
        [helper.make_tensor_value_info(n, TensorProto.FLOAT, dims) for n, dims in outputs],
        b.weights)
    if expose_products:
        graph.output.extend(helper.make_tensor_value_info(n, TensorProto.FLOAT, ["batch", "tokens", None])
                            for n in b.products)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], producer_name="findall")
    model.ir_version = 9
    onnx.checker.check_model(model)
    return model
