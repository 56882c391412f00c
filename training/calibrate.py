"""Measures how large values get where the network multiplies, so that int8 loses little there.

In: weights, a shape, some inputs as (ids, token types). `peaks` gives one peak a channel for every product, in order;
`fix_ranges` writes the range of each product's input into the graph.
"""

import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper

from int8_graph import Shape, build


# Room above the largest value measured, so that unusual text is not cut.
ROOM = 1.15


def peaks(weights: dict, shape: Shape, inputs: list) -> list:
    """Largest absolute value of every channel over `inputs`, for each product of the float network."""
    model = build(weights, shape, int8=False, expose_products=True)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    names = [o.name for o in session.get_outputs()][-4 * shape.layers:]
    seen = None
    for ids, types in inputs:
        now = [np.abs(value).max(axis=(0, 1)) for value in session.run(names, feed_of(session, ids, types))]
        seen = now if seen is None else [np.maximum(a, b) for a, b in zip(seen, now)]
    return seen


def feed_of(session, ids, types) -> dict:
    feed = {"input_ids": np.array([ids], np.int64), "attention_mask": np.ones((1, len(ids)), np.int64)}
    if any(i.name == "token_type_ids" for i in session.get_inputs()):
        feed["token_type_ids"] = np.array([types], np.int64)
    return feed


def fix_ranges(model: onnx.ModelProto, inputs: list) -> onnx.ModelProto:
    """Gives every quantisation the range measured over `inputs` instead of the range of the batch at hand: a text then
    gets the same result in any company, and no time goes into looking for the extremes."""
    nodes = [n for n in model.graph.node if n.op_type == "DynamicQuantizeLinear"]
    watched = onnx.ModelProto()
    watched.CopyFrom(model)
    watched.graph.output.extend(helper.make_tensor_value_info(n.input[0], onnx.TensorProto.FLOAT, ["b", "t", None]) for n in nodes)
    session = onnxruntime.InferenceSession(watched.SerializeToString(), providers=["CPUExecutionProvider"])
    names = [n.input[0] for n in nodes]
    low, high = np.zeros(len(nodes)), np.zeros(len(nodes))
    for ids, types in inputs:
        values = session.run(names, feed_of(session, ids, types))
        low = np.minimum(low, [v.min() for v in values])
        high = np.maximum(high, [v.max() for v in values])
    for node, least, most in zip(nodes, low * ROOM, high * ROOM):
        values, scale_name, zero_name = node.output
        scale = np.float32((most - least) / 255)
        zero = np.uint8(np.clip(np.rint(-least / scale), 0, 255))
        model.graph.initializer.extend([numpy_helper.from_array(np.array(scale), scale_name), numpy_helper.from_array(np.array(zero), zero_name)])
        node.CopyFrom(helper.make_node("QuantizeLinear", [node.input[0], scale_name, zero_name], [values], name=node.name))
    onnx.checker.check_model(model)
    return model
