"""Saves what training leaves: `checkpoint.safetensors` (fp16, names as `export.py` wants them) and `meta.json`.

`split` writes checkpoint.safetensors.part0, .part1, … of at most 15 MiB (join them with cat), `int8` matrices as `base_weights.py`
packs them: half the size, for a large model.
"""
import json
import os

from safetensors.torch import save

from base_weights import packed

PART_BYTES = 15 * 1024 * 1024


def save_checkpoint(trunk, heads, meta, out, split=False):
    """`heads` maps a head's name to its torch.nn.Linear; None leaves it out."""
    save_state({name: value for name, value in trunk.state_dict().items() if value.is_floating_point()}, heads, meta, out, split)


def save_state(state, heads, meta, out, split=False, int8=False):
    """The same for weights that are at hand by name."""
    os.makedirs(out, exist_ok=True)
    state = {name: value.detach().cpu() for name, value in state.items()}
    for name, head in heads.items():
        state[f"{name}.weight"], state[f"{name}.bias"] = head.weight.detach().cpu(), head.bias.detach().cpu()
    content = save({name: value.contiguous() for name, value in packed(state, int8).items()})
    path = os.path.join(out, "checkpoint.safetensors")
    if split:
        for number, start in enumerate(range(0, len(content), PART_BYTES)):
            write(f"{path}.part{number}", content[start: start + PART_BYTES])
    else:
        write(path, content)
    with open(os.path.join(out, "meta.json"), "w", encoding="utf-8") as file:
        json.dump(meta, file, indent=1)
    print(f"{out}: checkpoint {len(content) / 1e6:.1f} MB", flush=True)


def write(path, content):
    with open(path, "wb") as file:
        file.write(content)
