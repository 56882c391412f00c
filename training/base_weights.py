"""Base weights: packing a public encoder into a small folder, and loading a trunk from such a folder.

A folder holds `config.json`, `tokenizer.json` and `model.safetensors`. Matrices are fp16, or int8 with one scale a row
(`<name>.scale`): half the size, and training starts from the same place within noise. Sources are the safetensors
package of all-MiniLM-L6-v2 and the ONNX file of gte-small.

    python3 training/base_weights.py --source FOLDER_OR_ONNX --out carry/minilm --int8
"""
import argparse
import json
import os
import shutil

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from transformers import BertConfig, BertModel, MPNetConfig, MPNetModel


def load_trunk(folder, layers=None, type_vocab=None):
    """A BertModel without pooler. `layers` keeps the named layers only (gte-small's even layers make a 6-layer start);
    `type_vocab` widens the token-type table, new rows starting as copies of row 0."""
    with open(os.path.join(folder, "config.json"), encoding="utf-8") as file:
        raw = json.load(file)
    state = dequantised(load_file(os.path.join(folder, "model.safetensors")))
    if layers is not None:
        state = keep_layers(state, layers)
        raw["num_hidden_layers"] = len(layers)
    if type_vocab and type_vocab != raw.get("type_vocab_size", 2):
        table = state["embeddings.token_type_embeddings.weight"]
        state["embeddings.token_type_embeddings.weight"] = torch.cat([table[:1]] * type_vocab)
        raw["type_vocab_size"] = type_vocab
    known = {key: raw[key] for key in ("vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size",
                                       "hidden_act", "max_position_embeddings", "type_vocab_size", "layer_norm_eps") if key in raw}
    trunk = BertModel(BertConfig(**known, hidden_dropout_prob=0.1, attention_probs_dropout_prob=0.1), add_pooling_layer=False)
    missing, unexpected = trunk.load_state_dict(state, strict=False)
    missing = [name for name in missing if not name.endswith(("position_ids", "token_type_ids"))]
    if missing:
        raise SystemExit(f"{folder}: weights lack {missing[:3]} (and {len(missing)} in all); pack the folder again")
    return trunk.float()


def load_head(folder, name):
    """The weight and bias of a head, where the folder has one: what `unpack.py` made of a model that ships."""
    state = dequantised(load_file(os.path.join(folder, "model.safetensors")))
    parts = {part: state[f"{name}.{part}"] for part in ("weight", "bias") if f"{name}.{part}" in state}
    return parts if len(parts) == 2 else None


def config_of(state):
    """The shape that a checkpoint's weights have (heads of 32, as all our models)."""
    vocabulary, width = state["embeddings.word_embeddings.weight"].shape
    return BertConfig(vocab_size=vocabulary, hidden_size=width, num_attention_heads=width // 32, layer_norm_eps=1e-12,
                      num_hidden_layers=1 + max(int(n.split(".")[2]) for n in state if n.startswith("encoder.layer.")),
                      intermediate_size=state["encoder.layer.0.intermediate.dense.bias"].shape[0],
                      max_position_embeddings=state["embeddings.position_embeddings.weight"].shape[0],
                      type_vocab_size=state["embeddings.token_type_embeddings.weight"].shape[0])


def is_mpnet(folder) -> bool:
    with open(os.path.join(folder, "config.json"), encoding="utf-8") as file:
        return json.load(file).get("model_type") == "mpnet"


class MpnetTrunk(MPNetModel):
    """all-mpnet-base-v2 behind the same call as a BertModel."""

    def __init__(self, config, state):
        known = ("vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size",
                 "max_position_embeddings", "layer_norm_eps", "relative_attention_num_buckets")
        super().__init__(MPNetConfig(**{key: config[key] for key in known if key in config}), add_pooling_layer=False)
        missing, _ = self.load_state_dict(state, strict=False)
        missing = [name for name in missing if "position_ids" not in name]
        if missing:
            raise SystemExit(f"weights lack {missing[:3]}; pack the folder again")

    @classmethod
    def of_folder(cls, folder):
        with open(os.path.join(folder, "config.json"), encoding="utf-8") as file:
            return cls(json.load(file), dequantised(load_file(os.path.join(folder, "model.safetensors")))).float()

    @classmethod
    def of_state(cls, state):
        vocabulary, width = state["embeddings.word_embeddings.weight"].shape
        layers = 1 + max(int(n.split(".")[2]) for n in state if n.startswith("encoder.layer."))
        config = {"vocab_size": vocabulary, "hidden_size": width, "num_hidden_layers": layers, "num_attention_heads": width // 64,
                  "intermediate_size": state["encoder.layer.0.intermediate.dense.bias"].shape[0],
                  "max_position_embeddings": state["embeddings.position_embeddings.weight"].shape[0], "layer_norm_eps": 1e-5}
        return cls(config, state).float()

    def forward(self, input_ids, attention_mask, token_type_ids=None, added=None):
        """`added`: what is added to the word vectors, in place of the token types that mpnet has not."""
        if added is None:
            return super().forward(input_ids=input_ids, attention_mask=attention_mask)
        return super().forward(inputs_embeds=self.embeddings.word_embeddings(input_ids) + added, attention_mask=attention_mask)


def as_bert(trunk, ids, longest):
    """An mpnet trunk's weights under BERT's names: its word table in BERT's order (`ids` are its numbers for BERT's pieces), its
    positions from where it starts to count, and what it adds to attention by distance, `encoder.relative_bias` [heads, longest, longest]."""
    state = {name: value.detach().float().cpu() for name, value in trunk.state_dict().items() if value.is_floating_point()}
    at = torch.arange(longest)
    buckets = trunk.encoder.relative_position_bucket(at[None, :] - at[:, None], num_buckets=trunk.config.relative_attention_num_buckets)
    out = {
        "embeddings.word_embeddings.weight": state["embeddings.word_embeddings.weight"][ids],
        "embeddings.position_embeddings.weight": state["embeddings.position_embeddings.weight"][trunk.config.pad_token_id + 1:][:longest],
        "embeddings.token_type_embeddings.weight": torch.zeros(2, trunk.config.hidden_size),
        "encoder.relative_bias": state["encoder.relative_attention_bias.weight"][buckets].permute(2, 0, 1).contiguous(),
    }
    names = {"attention.attn.q.": "attention.self.query.", "attention.attn.k.": "attention.self.key.", "attention.attn.v.": "attention.self.value.",
             "attention.attn.o.": "attention.output.dense.", "attention.LayerNorm.": "attention.output.LayerNorm."}
    for name, value in state.items():
        if name.startswith(("encoder.layer.", "embeddings.LayerNorm.")):
            for theirs, ours in names.items():
                name = name.replace(theirs, ours)
            out[name] = value
    return out


def trunk_of(state):
    """The trunk of a checkpoint's weights: a BertModel, or mpnet where the weights are its own."""
    if "encoder.relative_attention_bias.weight" in state:
        return MpnetTrunk.of_state(state)
    trunk = BertModel(config_of(state), add_pooling_layer=False)
    trunk.load_state_dict({n: v for n, v in state.items() if n.startswith(("embeddings.", "encoder."))}, strict=False)
    return trunk.float()


def dequantised(state):
    """fp32 tensors from fp16 ones and from int8 ones with row scales; keys without a model prefix or a pooler."""
    plain = {}
    for name, value in state.items():
        name = name.removeprefix("bert.").removeprefix("model.")
        if name.endswith(".scale") or name.startswith("pooler") or name.endswith("position_ids"):
            continue
        if value.dtype == torch.int8:
            value = value.float() * state[f"{name}.scale"].float()[:, None]
        plain[name] = value.float()
    return plain


def keep_layers(state, layers):
    """The state with only `layers`, renumbered from 0."""
    kept = {}
    for name, value in state.items():
        if name.startswith("encoder.layer."):
            number, _, rest = name.removeprefix("encoder.layer.").partition(".")
            if int(number) not in layers:
                continue
            name = f"encoder.layer.{list(layers).index(int(number))}.{rest}"
        kept[name] = value
    return kept


def save_trunk(trunk, folder, tokenizer):
    """Writes a trained trunk as a base folder (fp16), so that a later stage can start from it."""
    os.makedirs(folder, exist_ok=True)
    state = {name: value.detach().cpu().half().contiguous() for name, value in trunk.state_dict().items() if value.is_floating_point()}
    save_file(state, os.path.join(folder, "model.safetensors"))
    with open(os.path.join(folder, "config.json"), "w", encoding="utf-8") as file:
        json.dump(trunk.config.to_dict(), file)
    shutil.copy(tokenizer, os.path.join(folder, "tokenizer.json"))


def from_onnx(path):
    """BertModel weights out of an ONNX export: biases and tables keep their names, matrices are found by node name."""
    import onnx
    from onnx import numpy_helper
    graph = onnx.load(path).graph
    tensors = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    state = {name: torch.from_numpy(value.copy()) for name, value in tensors.items() if name.startswith(("embeddings.", "encoder."))}
    for node in graph.node:
        if node.op_type == "MatMul" and node.input[1] in tensors:
            name = node.name.strip("/").removesuffix("/MatMul").replace("/", ".") + ".weight"
            state[name] = torch.from_numpy(tensors[node.input[1]].T.copy())
    return state


def packed(state, int8):
    """fp16 tensors; with `int8` the matrices become int8 with one fp16 scale a row."""
    out = {}
    for name, value in state.items():
        if int8 and value.dim() == 2 and value.shape[0] > 2:
            scale = (value.abs().amax(1) / 127).clamp(min=1e-8).half()
            out[f"{name}.scale"] = scale
            out[name] = torch.round(value / scale.float()[:, None]).clamp(-127, 127).to(torch.int8)
        else:
            out[name] = value.half()
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--source", required=True, help="a folder with model.safetensors, checkpoint.safetensors (unpack.py) or onnx/model.onnx")
    parser.add_argument("--out", required=True)
    parser.add_argument("--int8", action="store_true")
    args = parser.parse_args()
    weights = [os.path.join(args.source, name) for name in ("model.safetensors", "checkpoint.safetensors")]
    weights = next(filter(os.path.exists, weights), None)
    state = load_file(weights) if weights else from_onnx(os.path.join(args.source, "onnx", "model.onnx"))
    state = dequantised(state)
    os.makedirs(args.out, exist_ok=True)
    save_file(packed(state, args.int8), os.path.join(args.out, "model.safetensors"))
    for name in ("config.json", "tokenizer.json"):
        shutil.copy(os.path.join(args.source, name), args.out)
    restored = dequantised(load_file(os.path.join(args.out, "model.safetensors")))
    worst = min(float(np.dot(a := state[n].numpy().ravel(), b := restored[n].numpy().ravel()) / (np.linalg.norm(a) * np.linalg.norm(b) + 1e-12))
                for n in state if state[n].dim() == 2)
    print(f"{args.out}: {os.path.getsize(os.path.join(args.out, 'model.safetensors')) / 1e6:.1f} MB, worst matrix cosine {worst:.5f}")


if __name__ == "__main__":
    main()
