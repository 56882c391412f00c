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


class Network(Builder):
    """Builds the parts of the network from its weights, in the order in which they are written."""

    def __init__(self, weights: dict, shape: Shape, int8: bool, peaks):
        super().__init__(int8, peaks)
        self.named, self.shape = weights, shape

    def norm(self, x, name):
        scale, bias = self.constant(self.named[name + ".weight"]), self.constant(self.named[name + ".bias"])
        return self.op("LayerNormalization", [x, scale, bias], axis=-1, epsilon=self.shape.norm_eps)

    def dense(self, x, name):
        return self.linear(x, self.named[name + ".weight"].T, self.named[name + ".bias"])

    def embed(self):
        """The embedded tokens, and how many there are."""
        types = self.named["embeddings.token_type_embeddings.weight"]
        positions = self.named["embeddings.position_embeddings.weight"][: self.shape.longest]
        if not self.shape.types:
            positions = positions + types[0]
        length = self.op("Slice", [self.op("Shape", ["input_ids"]), self.constant(np.array([1])), self.constant(np.array([2]))])
        position_rows = self.first_rows(positions, length)
        x = self.op("Add", [self.rows(self.named["embeddings.word_embeddings.weight"], "input_ids"), position_rows])
        if self.shape.types:
            x = self.op("Add", [x, self.op("Gather", [self.constant(types.astype(np.float32)), "token_type_ids"])])
        return self.norm(x, "embeddings.LayerNorm"), length

    def attention_offsets(self, length):
        """The mask of the tokens that are there, and what is added to the scores of attention."""
        # Padding is pushed out of every softmax by a large negative number.
        mask = self.op("Cast", ["attention_mask"], to=TensorProto.FLOAT)
        offsets = self.op("Mul", [self.op("Sub", [mask, self.constant(np.float32(1))]), self.constant(np.float32(1e4))])
        offsets = self.op("Unsqueeze", [offsets, self.constant(np.array([1, 2]))])
        # mpnet adds a number to attention for how far two tokens stand apart, the same in every layer.
        if "encoder.relative_bias" in self.named:
            longest = self.shape.longest
            ends, axes = self.op("Concat", [length, length], axis=0), self.constant(np.array([2, 3]))
            relative = self.named["encoder.relative_bias"][None, :, :longest, :longest].astype(np.float32)
            table = self.constant(relative)
            cut = self.op("Slice", [table, self.constant(np.array([0, 0])), ends, axes])
            offsets = self.op("Add", [cut, offsets])
        return mask, offsets

    def attend(self, x, prefix, offsets, split_heads, join_heads):
        """What every token takes from the others."""
        names = [prefix + "self." + part for part in ("query", "key", "value")]
        # The 1/sqrt(width) of attention is folded into the query weights.
        factors = (1.0 / np.sqrt(self.shape.hidden // self.shape.heads), 1.0, 1.0)
        weight = np.concatenate([self.named[n + ".weight"].T * f for n, f in zip(names, factors)], axis=1)
        bias = np.concatenate([self.named[n + ".bias"] * f for n, f in zip(names, factors)])
        joined = self.linear(x, weight, bias)
        joined = self.op("Transpose", [self.op("Reshape", [joined, split_heads])], perm=[0, 2, 1, 3])
        query, key, value = self.op("Split", [joined], outputs=3, axis=1, num_outputs=3)
        scores = self.op("MatMul", [query, self.op("Transpose", [key], perm=[0, 1, 3, 2])])
        shares = self.op("Softmax", [self.op("Add", [scores, offsets])], axis=-1)
        context = self.op("Transpose", [self.op("MatMul", [shares, value])], perm=[0, 2, 1, 3])
        return self.op("Reshape", [context, join_heads])

    def encode(self, x, offsets):
        """The tokens after all layers."""
        hidden, heads = self.shape.hidden, self.shape.heads
        split_heads = self.constant(np.array([0, 0, 3 * heads, hidden // heads]))
        join_heads = self.constant(np.array([0, 0, hidden]))
        for layer in range(self.shape.layers):
            prefix = f"encoder.layer.{layer}."
            attention = prefix + "attention."
            context = self.attend(x, attention, offsets, split_heads, join_heads)
            x = self.norm(self.op("Add", [self.dense(context, attention + "output.dense"), x]), attention + "output.LayerNorm")
            inner = self.op("Gelu", [self.dense(x, prefix + "intermediate.dense")])
            x = self.norm(self.op("Add", [self.dense(inner, prefix + "output.dense"), x]), prefix + "output.LayerNorm")
        return x

    def add_heads(self, x, heads: dict, dims: list):
        """Writes these heads over `x`; gives their names and the lengths of their axes, `dims` and the head's own."""
        outputs = []
        for name, (weight, bias) in heads.items():
            self.float_linear(x, self.named[weight].T, self.named[bias], name=name)
            outputs.append((name, [*dims, self.named[weight].shape[0]]))
        return outputs

    def add_outputs(self, x, mask):
        """Writes everything that stands on the trunk; gives names and axes."""
        shape, outputs = self.shape, []
        if shape.mean_pooled or shape.pooled_heads:
            present = self.op("Unsqueeze", [mask, self.constant(np.array([2]))])
            total = self.op("ReduceSum", [self.op("Mul", [x, present]), self.constant(np.array([1]))], keepdims=0)
            count = self.op("ReduceSum", [mask, self.constant(np.array([1]))], keepdims=1)
            present_count = self.op("Max", [count, self.constant(np.float32(1))])
            pooled = self.op("Div", [total, present_count], name=shape.mean_pooled)
            if shape.mean_pooled:
                outputs.append((shape.mean_pooled, ["batch", shape.hidden]))
            outputs += self.add_heads(pooled, shape.pooled_heads, ["batch"])
        outputs += self.add_heads(x, shape.token_heads, ["batch", "tokens"])
        if shape.first_token_heads:
            first = self.op("Gather", [x, self.constant(np.array(0))], axis=1)
            outputs += self.add_heads(first, shape.first_token_heads, ["batch"])
        return outputs


def build(weights: dict, shape: Shape, int8: bool = True, peaks=None, expose_products: bool = False) -> onnx.ModelProto:
    """The whole network. `expose_products` adds the inputs of all products to the outputs, for `calibrate.py`."""
    network = Network(weights, shape, int8, peaks)
    x, length = network.embed()
    mask, offsets = network.attention_offsets(length)
    outputs = network.add_outputs(network.encode(x, offsets), mask)

    inputs = ["input_ids", "attention_mask"] + (["token_type_ids"] if shape.types else [])
    graph = helper.make_graph(
        network.nodes, "findall",
        [helper.make_tensor_value_info(n, TensorProto.INT64, ["batch", "tokens"]) for n in inputs],
        [helper.make_tensor_value_info(n, TensorProto.FLOAT, dims) for n, dims in outputs],
        network.weights)
    if expose_products:
        graph.output.extend(helper.make_tensor_value_info(n, TensorProto.FLOAT, ["batch", "tokens", None])
                            for n in network.products)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], producer_name="findall")
    model.ir_version = 9
    onnx.checker.check_model(model)
    return model
