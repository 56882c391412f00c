"""Measures how large each channel gets where the network multiplies, so that int8 loses little there.

In: weights, a shape, some inputs as (ids, token types). Out: one peak a channel for every product, in order.
"""

import numpy as np
import onnxruntime

from int8_graph import Shape, build


def peaks(weights: dict, shape: Shape, inputs: list) -> list:
    """Largest absolute value of every channel over `inputs`, for each product of the float network."""
    model = build(weights, shape, int8=False, expose_products=True)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    names = [o.name for o in session.get_outputs()][-4 * shape.layers:]
    seen = None
    for ids, types in inputs:
        feed = {"input_ids": np.array([ids], np.int64), "attention_mask": np.ones((1, len(ids)), np.int64)}
        if shape.types:
            feed["token_type_ids"] = np.array([types], np.int64)
        now = [np.abs(value).max(axis=(0, 1)) for value in session.run(names, feed)]
        seen = now if seen is None else [np.maximum(a, b) for a, b in zip(seen, now)]
    return seen
