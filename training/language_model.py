"""The lower part of a large language model, whose layers look both ways, as the trunk of a teacher.

    python3 training/language_model.py qwen2.5-coder-1.5b-instruct-q4_k_m.gguf --texts carry/qa.jsonl.xz carry/asked.jsonl.xz --out carry/qwen

writes the folder that `load` reads: the weights as the model's package stores them, without the layers and the words that are not needed.
"""
import argparse
import concurrent.futures
import json
import lzma
import os

import gguf
import numpy as np
import torch
from safetensors.numpy import load_file, save_file
from tokenizers import Tokenizer
from transformers import AutoTokenizer, Qwen2Config, Qwen2Model

# Layers that are kept where nothing else is said: the last ones only choose the next word.
DEFAULT_KEPT_LAYERS = 24
# Names of the weights in the language model's file, and here.
LAYER_NAMES = {"attn_norm": "input_layernorm", "ffn_norm": "post_attention_layernorm", "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj",
               "attn_v": "self_attn.v_proj", "attn_output": "self_attn.o_proj", "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj",
               "ffn_down": "mlp.down_proj"}
# What the teachers say around their texts.
PROMPT_PARTS = ["Question: ?\nText:\n", "Query:", "\nEntity:", "\n"]
# Tokenised at once where the words of a file are gathered.
LINES_AT_ONCE = 2000


def used_words(tokenizer, paths):
    """Numbers of the tokens of all texts of these files, alone, after a blank and before a line's end, of what is said around them, and of every
    single character."""
    used = {number for piece, number in tokenizer.get_vocab().items() if len(piece) == 1}
    used.update(*(coded.ids for coded in tokenizer.encode_batch(PROMPT_PARTS, add_special_tokens=False)))
    for path in paths:
        with lzma.open(path, "rt", encoding="utf-8") as file:
            texts_of = strings_of if ".json" in os.path.basename(path) else columns_of
            lines = (text for line in file for text in texts_of(line))
            while some := [text for _, text in zip(range(LINES_AT_ONCE), lines)]:
                for coded in tokenizer.encode_batch(some + [f" {text}" for text in some] + [f" {text}\n" for text in some], add_special_tokens=False):
                    used.update(coded.ids)
    return used


def columns_of(line):
    return line.rstrip("\n").split("\t")


def strings_of(line):
    """Every text of a line of JSON."""
    waiting, out = [json.loads(line)], []
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            out.append(value)
        elif isinstance(value, (list, dict)):
            waiting.extend(value.values() if isinstance(value, dict) else value)
    return out


def pack(path, texts, out, layers):
    """The folder from the language model's file, its lowest `layers` and the words of the xz files `texts`."""
    folder, name = os.path.split(os.path.abspath(path))
    os.makedirs(out, exist_ok=True)
    tokenizer = AutoTokenizer.from_pretrained(folder, gguf_file=name).backend_tokenizer
    tokenizer.save(f"{out}/tokenizer.json")
    kept = np.array(sorted(used_words(tokenizer, texts)), np.int64)
    state, kinds = {"vocabulary": kept}, {}
    file = gguf.GGUFReader(path)
    for tensor in file.tensors:
        parts = tensor.name.split(".")
        if parts[0] == "token_embd":
            ours, data = "embed_tokens.weight", tensor.data[kept]
        elif parts[0] == "output_norm":
            ours, data = "norm.weight", tensor.data
        elif parts[0] == "blk" and int(parts[1]) < layers:
            ours, data = f"layers.{parts[1]}.{LAYER_NAMES[parts[2]]}.{parts[3]}", tensor.data
        else:
            continue
        state[ours], kinds[ours] = np.ascontiguousarray(data), int(tensor.tensor_type)
    save_file(state, f"{out}/model.safetensors")
    field = {key.split(".", 1)[1]: value.contents() for key, value in file.fields.items() if key.startswith("qwen2.")}
    config = {"hidden_size": field["embedding_length"], "intermediate_size": field["feed_forward_length"], "num_hidden_layers": layers,
              "num_attention_heads": field["attention.head_count"], "num_key_value_heads": field["attention.head_count_kv"],
              "rms_norm_eps": field["attention.layer_norm_rms_epsilon"], "rope_theta": field["rope.freq_base"], "vocab_size": len(kept)}
    with open(f"{out}/config.json", "w", encoding="utf-8") as written:
        json.dump({"model": config, "kinds": kinds}, written, indent=1)
    print(f"{out}: {len(kept)} words, {sum(v.nbytes for v in state.values()) / 1e6:.0f} MB")


class Words:
    """The language model's tokenizer, its numbers those of the words that were kept."""

    def __init__(self, folder, kept):
        self.tokenizer = Tokenizer.from_file(f"{folder}/tokenizer.json")
        self.number = np.zeros(int(kept[-1]) + 1, np.int64)
        self.number[kept] = np.arange(len(kept))

    def encoded(self, texts):
        """Of every text its numbers and where in it each token stands."""
        coded = self.tokenizer.encode_batch(texts, add_special_tokens=False)
        return [(self.number[np.minimum(c.ids, len(self.number) - 1)], c.offsets) for c in coded]

    def numbers(self, texts):
        return [numbers for numbers, _ in self.encoded(texts)]


def load(folder, compiled=False):
    """The trunk and its words; `compiled`: its layers by torch's compiler, which takes a minute and is faster then."""
    with open(f"{folder}/config.json", encoding="utf-8") as file:
        config = json.load(file)
    rope = {"rope_type": "default", "rope_theta": config["model"].pop("rope_theta")}
    with torch.device("meta"):
        trunk = Qwen2Model(Qwen2Config(**config["model"], rope_parameters=rope, attn_implementation="sdpa", use_cache=False))
    state = load_file(f"{folder}/model.safetensors")
    words = Words(folder, state.pop("vocabulary"))

    def whole(name):
        return name, torch.from_numpy(np.array(gguf.quants.dequantize(state[name], gguf.GGMLQuantizationType(config["kinds"][name])), np.float32))
    with concurrent.futures.ThreadPoolExecutor() as threads:
        trunk.load_state_dict(dict(threads.map(whole, state)), assign=True)
    trunk.rotary_emb = type(trunk.rotary_emb)(trunk.config)
    trunk.embed_tokens.weight.requires_grad = False
    # Gradients that are no numbers came of cuDNN's attention within fifty steps (torch 2.11, H200).
    torch.backends.cuda.enable_cudnn_sdp(False)
    if compiled:
        for layer in trunk.layers:
            layer.compile(dynamic=True)
    return trunk, words


def hidden_of(trunk, ids, mask):
    """What the last layer says of every token, all of a row seen by all."""
    return trunk(input_ids=ids, attention_mask={"full_attention": mask.bool()[:, None, None, :]}).last_hidden_state


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="the language model as its package holds it (GGUF)")
    parser.add_argument("--texts", nargs="+", required=True, help="xz files (.json: JSON a line; others: columns) whose words are kept")
    parser.add_argument("--layers", type=int, default=DEFAULT_KEPT_LAYERS, help="how many of the lowest are kept")
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    pack(args.model, args.texts, args.out, args.layers)


if __name__ == "__main__":
    main()
