"""Writes the seeds of the targets `graph`, `tokenizer` and `manifest`: the smallest folder of models that judges.

The network gives the mean of its mask plus a weight. ONNX is protocol buffers, of which it takes a dozen lines to write
what is needed here."""

import json
from pathlib import Path

HERE = Path(__file__).parent


def varint(number):
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes(out + bytes([number]))


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def attribute(name, value):
    if isinstance(value, list):
        return field(1, name) + b"".join(field(8, one) for one in value) + field(20, 7)
    return field(1, name) + field(3, value) + field(20, 2)


def node(operator, inputs, output, **attributes):
    parts = b"".join(field(1, name) for name in inputs) + field(2, output) + field(4, operator)
    return field(1, parts + b"".join(field(5, attribute(name, value)) for name, value in attributes.items()))


def value(name, kind, dimensions):
    shape = b"".join(field(1, field(2, one) if isinstance(one, str) else field(1, one)) for one in dimensions)
    return field(1, name) + field(2, field(1, field(1, kind) + field(2, shape)))


def graph():
    weight = field(1, 1) + field(2, 1) + field(8, "weight") + field(9, b"\0\0\x80\x3f")
    nodes = node("Cast", ["attention_mask"], "mask", to=1) + node("ReduceMean", ["mask"], "mean", axes=[1], keepdims=1)
    nodes += node("Add", ["mean", "weight"], "verdict")
    inputs = b"".join(field(11, value(name, 7, ["b", "t"])) for name in ("input_ids", "attention_mask"))
    whole = nodes + field(2, "judge") + field(5, weight) + inputs + field(12, value("verdict", 1, ["b", 1]))
    return field(1, 8) + field(7, whole) + field(8, field(1, "") + field(2, 13))


def vocabulary():
    words = "[PAD] [UNK] [CLS] [SEP] the of we ##chat ##s social network china app in it an use people : . z ##u".split()
    return {
        "normalizer": {"type": "BertNormalizer", "lowercase": True},
        "model": {"continuing_subword_prefix": "##", "vocab": {word: at for at, word in enumerate(words)}},
    }


def manifest():
    files = {name: {"bytes": 1, "blake3": "0" * 64} for name in ("model.onnx", "../tokenizer.json")}
    verdict = {"judge": 1.0, "encoder": 0.5, "bias": -1.0, "keep": 0.5}
    start = {"format": 1, "kind": "judge", "name": "small", "max_tokens": 64, "max_query_tokens": 16}
    return {**start, "files": files, "verdict": verdict}


(HERE / "graph/verdict.onnx").write_bytes(graph())
(HERE / "tokenizer/small.json").write_text(json.dumps(vocabulary()))
(HERE / "manifest/judge.json").write_text(json.dumps(manifest()))
