"""Writes a model folder: `model.onnx` (graph), `model.data` (int8), `model.json` with checksums. The contract is in `models/README.md`.

    python training/export.py CHECKPOINT.safetensors META.json TOKENIZER.json OUT_DIR [--calibrate TEXTS.jsonl] [--float]

CHECKPOINT holds the trunk under Hugging Face BERT names (a `bert.` prefix is dropped) and the heads:
encoder: none, or `late.weight` [width, hidden], `late.bias` (token vectors for late interaction); tagger: `tagger.weight` [labels, hidden], `tagger.bias`; reader: `spans.weight` [2, hidden],
`spans.bias` (start, end), `inside.weight` [3, hidden], `inside.bias` (O, B, I over the passage) and
`answerable.weight` [1, hidden], `answerable.bias` over [CLS]; judge: `judge.weight` [1, hidden], `judge.bias` over the mean.
A large judge's checkpoint (`as_bert` in `base_weights.py`) also has `encoder.relative_bias` [heads, tokens, tokens], and its matrices may
be int8 with a `.scale` a row. META is `model.json` without `format` and `files`; TEXTS has one JSON string (or [question, passage]) a line.
"""

import argparse
import json
from pathlib import Path

import numpy as np
import onnx
from blake3 import blake3
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from calibrate import fix_ranges, peaks
from int8_graph import Shape, build

FORMAT = 1
CALIBRATION_TEXTS = 300
MPNET_NORM_EPS = 1e-5


def shape_of(meta: dict, weights: dict) -> Shape:
    """Which heads the checkpoint brings, and how the graph names their outputs."""
    kind = meta["kind"]
    hidden = weights["embeddings.word_embeddings.weight"].shape[1]
    layers = 1 + max(int(k.split(".")[2]) for k in weights if k.startswith("encoder.layer."))
    shape = Shape(layers=layers, hidden=hidden, heads=hidden // 32, types=reads_types(kind, weights), longest=meta["max_tokens"])
    if "encoder.relative_bias" in weights:
        shape.heads, shape.norm_eps = weights["encoder.relative_bias"].shape[0], MPNET_NORM_EPS
    if kind == "encoder":
        shape.mean_pooled = "vectors"
        if "late.weight" in weights:
            shape.token_heads["late"] = ("late.weight", "late.bias")
    elif kind == "tagger":
        shape.token_heads["tags"] = ("tagger.weight", "tagger.bias")
    elif kind == "reader":
        shape.token_heads["spans"] = ("spans.weight", "spans.bias")
        shape.token_heads["inside"] = ("inside.weight", "inside.bias")
        shape.first_token_heads["answerable"] = ("answerable.weight", "answerable.bias")
    elif kind == "judge":
        shape.pooled_heads["verdict"] = ("judge.weight", "judge.bias")
    else:
        raise SystemExit(f"unknown kind {kind!r}: encoder, tagger, reader or judge")
    return shape


def reads_types(kind: str, weights: dict) -> bool:
    """The reader's and the judge's token types tell question from text; a tagger with a wider table has letter case in them."""
    return kind in ("reader", "judge") or (kind == "tagger" and weights["embeddings.token_type_embeddings.weight"].shape[0] > 2)


def read_weights(path: str) -> dict:
    """All arrays in float32, trunk names without `bert.`."""
    arrays = load_file(path)

    def plain(name, value):
        value = value.astype(np.float32)
        return value * arrays[f"{name}.scale"].astype(np.float32)[:, None] if f"{name}.scale" in arrays else value

    return {k.removeprefix("bert."): plain(k, v) for k, v in arrays.items() if "position_ids" not in k and not k.endswith(".scale")}


def calibration_inputs(path: str, tokenizer_path, meta: dict) -> list:
    """The texts to measure activations on, as (ids, token types)."""
    tokenizer = Tokenizer.from_file(str(tokenizer_path))
    tokenizer.no_padding()
    tokenizer.enable_truncation(meta["max_tokens"])
    texts = [json.loads(line) for line in open(path, encoding="utf-8")][:CALIBRATION_TEXTS]
    return [encoded(tokenizer, text, meta) for text in texts]


def encoded(tokenizer: Tokenizer, text, meta: dict) -> tuple:
    """Ids and token types of a text or a pair, as the runtime feeds them."""
    if meta.get("case_types"):
        from tagger import CLS, SEP, to_pieces
        pieces = to_pieces(tokenizer, [text])[0]
        keep = meta["max_tokens"] - 2
        return [CLS, *pieces.ids[:keep], SEP], [0, *pieces.shapes[:keep], 0]
    encoding = tokenizer.encode(*text) if isinstance(text, list) else tokenizer.encode(text)
    return encoding.ids, encoding.type_ids


def checksum(path: Path) -> dict:
    return {"bytes": path.stat().st_size, "blake3": blake3(path.read_bytes()).hexdigest()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint")
    parser.add_argument("meta")
    parser.add_argument("tokenizer")
    parser.add_argument("out", type=Path)
    parser.add_argument("--calibrate", help="texts to measure activations on (recommended)")
    parser.add_argument("--float", action="store_true", help="write a float32 graph, to measure what int8 costs")
    args = parser.parse_args()

    weights, meta = read_weights(args.checkpoint), json.load(open(args.meta))
    shape = shape_of(meta, weights)
    inputs = []
    if args.calibrate and not args.float:
        inputs = calibration_inputs(args.calibrate, args.tokenizer, meta)

    args.out.mkdir(parents=True, exist_ok=True)
    if inputs:
        model = build(weights, shape, peaks=peaks(weights, shape, inputs))
        fix_ranges(model, inputs)
    else:
        model = build(weights, shape, int8=not args.float)
    # Weights in their own file, aligned: the runtime maps them instead of copying.
    (args.out / "model.data").unlink(missing_ok=True)
    onnx.save(model, args.out / "model.onnx", save_as_external_data=True, location="model.data", size_threshold=256)
    # The tokenizer is shared: it lies beside the model folders.
    shared = args.out.parent / "tokenizer.json"
    if not shared.exists():
        shared.write_bytes(Path(args.tokenizer).read_bytes())
    (args.out / "model.data").chmod(0o644)
    files = {name: checksum(args.out / name) for name in ("model.onnx", "model.data")}
    files["../tokenizer.json"] = checksum(shared)
    card = {"format": FORMAT, **meta, "files": files}
    (args.out / "model.json").write_text(json.dumps(card, indent=2, ensure_ascii=False) + "\n")
    print(f"{args.out}: {files['model.data']['bytes'] / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
