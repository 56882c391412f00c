"""Measures how large each channel gets where the network multiplies, so that int8 loses little there.

In: weights, a shape, some texts (or question/passage pairs). Out: one peak a channel for every product, in order.
"""

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from int8_graph import Shape, build


def peaks(weights: dict, shape: Shape, tokenizer: Tokenizer, texts: list) -> list:
    """Largest absolute value of every channel over `texts`, for each product of the float network."""
    model = build(weights, shape, int8=False, expose_products=True)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    names = [o.name for o in session.get_outputs()][-4 * shape.layers:]
    seen = None
    for text in texts:
        encoding = tokenizer.encode(*text) if isinstance(text, (list, tuple)) else tokenizer.encode(text)
        feed = {"input_ids": np.array([encoding.ids]), "attention_mask": np.ones((1, len(encoding.ids)), np.int64)}
        if shape.pairs:
            feed["token_type_ids"] = np.array([encoding.type_ids])
        now = [np.abs(value).max(axis=(0, 1)) for value in session.run(names, feed)]
        seen = now if seen is None else [np.maximum(a, b) for a, b in zip(seen, now)]
    return seen
