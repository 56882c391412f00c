"""Measures how large values get where the network multiplies, so that int8 loses little there.

In: weights, a shape, some inputs as (ids, token types). `peaks` gives one peak a channel for every product, in order;
`fix_ranges` writes the range of each product's input into the graph: the one with the least squared error, which cuts
rare extremes off for finer steps everywhere else.
"""

import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper

from int8_graph import Shape, build


# Ranges tried, as shares of the extremes measured, on either side; and how finely values are counted.
SHARES = (1.15, 1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3)
BINS = 4096


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


def fix_ranges(model: onnx.ModelProto, inputs: list) -> dict:
    """Gives every quantisation one range, chosen over `inputs`, instead of the range of the batch at hand (or the range it
    was given before): a text then gets the same result in any company, and no time goes into looking for the extremes.
    Changes the model, and returns the scales and zeros by name."""
    constants = {t.name: t for t in model.graph.initializer}
    nodes = [n for n in model.graph.node if n.op_type in ("DynamicQuantizeLinear", "QuantizeLinear") and n.input[0] not in constants]
    watched = onnx.ModelProto()
    watched.CopyFrom(model)
    watched.graph.output.extend(helper.make_tensor_value_info(n.input[0], onnx.TensorProto.FLOAT, ["b", "t", None]) for n in nodes)
    session = onnxruntime.InferenceSession(watched.SerializeToString(), providers=["CPUExecutionProvider"])
    names = [n.input[0] for n in nodes]
    low, high, counts = np.zeros(len(nodes)), np.zeros(len(nodes)), np.zeros((len(nodes), BINS))
    for ids, types in inputs:
        values = session.run(names, feed_of(session, ids, types))
        low = np.minimum(low, [v.min() for v in values])
        high = np.maximum(high, [v.max() for v in values])
    for ids, types in inputs:
        for index, value in enumerate(session.run(names, feed_of(session, ids, types))):
            counts[index] += np.histogram(value, bins=BINS, range=(low[index], high[index]))[0]
    fixed = {}
    for node, least, most, count in zip(nodes, low, high, counts):
        scale, zero = best_range(least, most, count)
        if node.op_type == "DynamicQuantizeLinear":
            values, scale_name, zero_name = node.output
            model.graph.initializer.extend([numpy_helper.from_array(scale, scale_name), numpy_helper.from_array(zero, zero_name)])
            node.CopyFrom(helper.make_node("QuantizeLinear", [node.input[0], scale_name, zero_name], [values], name=node.name))
        else:
            _, scale_name, zero_name = node.input
            constants[scale_name].CopyFrom(numpy_helper.from_array(scale, scale_name))
            constants[zero_name].CopyFrom(numpy_helper.from_array(zero, zero_name))
        fixed |= {scale_name: scale, zero_name: zero}
    onnx.checker.check_model(model)
    return fixed


def best_range(least, most, count):
    """Scale and zero with the least squared error over values counted between the extremes."""
    values = least + (np.arange(BINS) + 0.5) * (most - least) / BINS
    tried = []
    for below in SHARES:
        for above in SHARES:
            scale = (most * above - least * below) / 255
            zero = np.clip(np.rint(-least * below / scale), 0, 255)
            rounded = (np.clip(np.rint(values / scale) + zero, 0, 255) - zero) * scale
            tried.append(((count * (rounded - values) ** 2).sum(), scale, zero))
    _, scale, zero = min(tried)
    return np.array(scale, np.float32), np.array(zero, np.uint8)
