"""The weights of an exported model folder as a checkpoint again: the other way round than `export.py`.

    python training/unpack.py models/reader out/unpacked

Leaves `checkpoint.safetensors` and `meta.json`, as training does, and what `base_weights.py --source` wants, so that training can go on from what ships, and so that
what int8 costs while running can be measured (`export.py --float` of it). Weights come back as int8 rounded them.
"""

import argparse
import json
import os
import shutil

import numpy as np
import onnx
from onnx import numpy_helper
from safetensors.numpy import save_file

from base_weights import config_of
from export import FORMAT

NORMS = ["attention.output.LayerNorm", "output.LayerNorm"]
PRODUCTS = ["attention.output.dense", "intermediate.dense", "output.dense"]
HEADS = {"late": "late", "tags": "tagger", "spans": "spans", "inside": "inside", "answerable": "answerable", "verdict": "judge"}


class Graph:
    """Nodes by the value they make and by the value they take; constants by name."""

    def __init__(self, path):
        model = onnx.load(path)
        self.nodes = list(model.graph.node)
        self.constants = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
        self.maker = {out: node for node in self.nodes for out in node.output}
        self.inputs = [i.name for i in model.graph.input]
        self.outputs = [o.name for o in model.graph.output]

    def taker(self, value, kind):
        return next(n for n in self.nodes if n.op_type == kind and value in n.input)

    def constant_of(self, node):
        return next(self.constants[name] for name in node.input if name in self.constants)

    def of_kind(self, kind):
        return [n for n in self.nodes if n.op_type == kind]

    def product(self, node):
        """Weight [in, out] and bias of one quantised product."""
        values = self.constants[node.input[1]].astype(np.float32)
        scaled = self.taker(self.taker(node.output[0], "Cast").output[0], "Mul")
        # The scale of the activations, a constant, too, once ranges are fixed, comes first.
        columns = self.constants[self.maker[next(i for i in scaled.input if self.maker[i].op_type == "Mul")].input[1]]
        bias = self.constant_of(self.taker(scaled.output[0], "Add"))
        before = self.maker[self.maker[node.input[0]].input[0]]
        weight = values * columns
        if before.op_type == "Mul" and any(i in self.constants for i in before.input):
            weight = weight * self.constant_of(before)[:, None]
        return weight, bias

    def table(self, cast):
        """An embedding table: int8 rows times one scale a row."""
        values = self.constants[self.maker[cast.input[0]].input[0]].astype(np.float32)
        scale = next(self.maker[i] for i in self.taker(cast.output[0], "Mul").input if i != cast.output[0])
        return values * self.constants[scale.input[0]]


def unpack(folder):
    graph = Graph(os.path.join(folder, "model.onnx"))
    tables = [n for n in graph.of_kind("Cast") if n.input[0] in graph.maker and graph.maker[n.input[0]].op_type in ("Gather", "Slice")]
    words = next(n for n in tables if "input_ids" in graph.maker[n.input[0]].input)
    # Earlier graphs hold the positions in float.
    positions = [graph.table(n) for n in tables if n is not words]
    positions += [a for a in (graph.constants.get(n.input[0]) for n in graph.of_kind("Slice")) if a is not None and a.ndim == 2 and a.dtype == np.float32]
    state = {"embeddings.word_embeddings.weight": graph.table(words), "embeddings.position_embeddings.weight": positions[0]}
    hidden = state["embeddings.word_embeddings.weight"].shape[1]
    # Without token types as an input, their first row is part of the positions.
    state["embeddings.token_type_embeddings.weight"] = np.zeros((2, hidden), np.float32)
    if "token_type_ids" in graph.inputs:
        state["embeddings.token_type_embeddings.weight"] = graph.constants[graph.taker("token_type_ids", "Gather").input[0]]
    products = [graph.product(n) for n in graph.of_kind("MatMulInteger")]
    layers = len(products) // 4
    norms = ["embeddings.LayerNorm", *(f"encoder.layer.{layer}.{name}" for layer in range(layers) for name in NORMS)]
    for name, node in zip(norms, graph.of_kind("LayerNormalization"), strict=True):
        state[f"{name}.weight"], state[f"{name}.bias"] = (graph.constants[i] for i in node.input[1:])
    for layer in range(layers):
        prefix = f"encoder.layer.{layer}."
        joined, *rest = products[4 * layer : 4 * layer + 4]
        for part, (weight, bias) in zip(("query", "key", "value"), zip(*(np.split(a, 3, axis=-1) for a in joined))):
            # 1/sqrt(32) of attention is folded into the query weights.
            factor = np.float32(np.sqrt(32)) if part == "query" else np.float32(1)
            state[f"{prefix}attention.self.{part}.weight"], state[f"{prefix}attention.self.{part}.bias"] = weight.T * factor, bias * factor
        for name, (weight, bias) in zip(PRODUCTS, rest):
            state[f"{prefix}{name}.weight"], state[f"{prefix}{name}.bias"] = weight.T, bias
    for output in graph.outputs:
        if output in HEADS:
            add = graph.maker[output]
            product = next(graph.maker[i] for i in add.input if i in graph.maker)
            state[f"{HEADS[output]}.weight"], state[f"{HEADS[output]}.bias"] = graph.constant_of(product).T, graph.constant_of(add)
    return {name: np.ascontiguousarray(value, np.float32) for name, value in state.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="exported folder")
    parser.add_argument("out")
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    state = unpack(args.model)
    save_file(state, os.path.join(args.out, "checkpoint.safetensors"))
    with open(os.path.join(args.out, "config.json"), "w", encoding="utf-8") as file:
        json.dump(config_of(state).to_dict(), file)
    shutil.copy(os.path.join(args.model, "..", "tokenizer.json"), args.out)
    with open(os.path.join(args.model, "model.json"), encoding="utf-8") as file:
        meta = json.load(file)
    assert meta.pop("format") == FORMAT, f"{args.model} is of another format"
    meta.pop("files")
    with open(os.path.join(args.out, "meta.json"), "w", encoding="utf-8") as file:
        json.dump(meta, file, indent=1)


if __name__ == "__main__":
    main()
