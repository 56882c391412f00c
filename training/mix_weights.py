"""The mean of two checkpoints of one shape: what a model was and what it learned since, half and half.

    python3 training/mix_weights.py out/unpacked/checkpoint.safetensors out/judge/checkpoint.safetensors out/mixed.safetensors
"""
import argparse

from safetensors.torch import load_file, save_file

from base_weights import dequantised


def mix(one, other):
    if one.keys() != other.keys():
        raise SystemExit(f"the checkpoints differ: {sorted(one.keys() ^ other.keys())[:3]}")
    return {name: ((weight.float() + other[name].float().reshape(weight.shape)) / 2).contiguous() for name, weight in one.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("one")
    parser.add_argument("other")
    parser.add_argument("out")
    args = parser.parse_args()
    save_file(mix(*(dequantised(load_file(path)) for path in (args.one, args.other))), args.out)


if __name__ == "__main__":
    main()
