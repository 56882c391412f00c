"""Chooses the int8 ranges of an exported model folder again; its weights stay as they are.

    python training/fix_ranges.py models/encoder carry/encoder-texts.jsonl
"""

import json
import sys
from pathlib import Path

import onnx
from onnx import numpy_helper

from calibrate import fix_ranges
from export import calibration_inputs, checksum


def main():
    folder = Path(sys.argv[1])
    card = json.loads((folder / "model.json").read_text())
    fixed = fix_ranges(onnx.load(folder / "model.onnx"), calibration_inputs(sys.argv[2], folder / "../tokenizer.json", card))
    # The graph alone is written: the weights stay in their own file.
    graph = onnx.load(folder / "model.onnx", load_external_data=False)
    for constant in graph.graph.initializer:
        if constant.name in fixed:
            constant.CopyFrom(numpy_helper.from_array(fixed[constant.name], constant.name))
    onnx.save(graph, folder / "model.onnx")
    card["files"]["model.onnx"] = checksum(folder / "model.onnx")
    (folder / "model.json").write_text(json.dumps(card, indent=2, ensure_ascii=False) + "\n")
    print(f"{folder}: {len(fixed) // 2} ranges")


if __name__ == "__main__":
    main()
