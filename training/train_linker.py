"""Learns the weights of the linker from the features that the program itself computes.

    findall eval linking list-queries/train.jsonl --kb kb/default.kb --features features.jsonl
    python3 training/train_linker.py features.jsonl

Enters: one line a chain of mentions, with the features of each sense and of "none of them", and which one is right.
Leaves: the tables of crates/findall/src/linking/weights.rs on stdout, figures on stderr. Every document whose index
leaves 3 when divided by 10 is held out. Features depend a little on the weights in use (coherence weighs senses by
their probability), so run both commands twice.

The model is a softmax over the senses and none; its probabilities are the confidences that links carry. Plain
gradient descent with an L2 penalty: the problem is convex and small.
"""

import argparse
import json
import sys

import numpy as np


def read(path):
    with open(path, encoding="utf-8") as lines:
        names = json.loads(next(lines))
        chains = [json.loads(line) for line in lines]
    return names, chains


def tensors(chains, most):
    """Chains as padded arrays: the first option is none, the others are senses."""
    senses = max(len(c["senses"]) for c in chains)
    x = np.zeros((len(chains), senses + 1, most), dtype=np.float64)
    mask = np.full((len(chains), senses + 1), -np.inf)
    y = np.zeros(len(chains), dtype=np.int64)
    for row, chain in enumerate(chains):
        none = chain["none"]
        x[row, 0, most - len(none):] = none
        mask[row, 0] = 0.0
        for place, features in enumerate(chain["senses"]):
            x[row, place + 1, : len(features)] = features
            mask[row, place + 1] = 0.0
        y[row] = chain["right"] + 1
    # A name that stands ten times in a document is worth more than one that stands once, but not ten times as much.
    weight = np.array([1.0 + np.log(c["mentions"]) for c in chains])
    weight *= np.array([0.4 if c["sentence"] else 1.0 for c in chains])
    return x, mask, y, weight


def probabilities(x, mask, w):
    scores = x @ w + mask
    scores -= scores.max(axis=1, keepdims=True)
    odds = np.exp(scores)
    return odds / odds.sum(axis=1, keepdims=True)


def train(x, mask, y, weight, penalty, steps):
    """Adam on the mean log loss; features are scaled to unit variance while training."""
    present = mask == 0.0
    scale = np.array([max(x[..., f][present].std(), 1e-3) for f in range(x.shape[2])])
    z = x / scale
    w = np.zeros(x.shape[2])
    first, second = np.zeros_like(w), np.zeros_like(w)
    rows = np.arange(len(y))
    for step in range(1, steps + 1):
        p = probabilities(z, mask, w)
        expected = np.einsum("ns,nsf->nf", p, z)
        gradient = ((expected - z[rows, y]) * weight[:, None]).sum(0) / weight.sum() + penalty * w
        first = 0.9 * first + 0.1 * gradient
        second = 0.999 * second + 0.001 * gradient**2
        rate = 0.05 if step < steps * 0.7 else 0.01
        w -= rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return w / scale


def report(name, x, mask, y, weight, w):
    p = probabilities(x, mask, w)
    best = p.argmax(1)
    linked, known = best > 0, y > 0
    right = best == y
    loss = -(np.log(np.maximum(p[np.arange(len(y)), y], 1e-9)) * weight).sum() / weight.sum()
    print(
        f"{name}: chains {len(y)}, right {right.mean():.3f}, of reachable {right[known].mean():.3f}, "
        f"none kept {right[~known].mean():.3f}, precision of links {right[linked].mean():.3f}, log loss {loss:.3f}",
        file=sys.stderr,
    )
    # The decision: a link unless none is `doubt` times as likely as the best sense.
    senses = p[:, 1:].max(1)
    choice = p[:, 1:].argmax(1) + 1
    for doubt in (0.3, 0.5, 0.7, 1.0, 1.5):
        made = senses > p[:, 0] * doubt
        hits = (made & (choice == y)).sum()
        print(
            f"  doubt {doubt}: precision {hits / made.sum():.3f}, recall {hits / known.sum():.3f}, "
            f"F1 {2 * hits / (made.sum() + known.sum()):.3f}",
            file=sys.stderr,
        )
    confidence = p.max(1)
    for low, high in [(0.0, 0.5), (0.5, 0.7), (0.7, 0.9), (0.9, 0.97), (0.97, 1.01)]:
        inside = linked & (confidence >= low) & (confidence < high)
        if inside.any():
            print(
                f"  confidence {low:.2f}-{high:.2f}: {inside.sum():5d} links, said {confidence[inside].mean():.3f}, "
                f"right {right[inside].mean():.3f}",
                file=sys.stderr,
            )


def table(values):
    cells = [f"{v:.3f}" for v in values]
    lines, line = [], "   "
    for cell in cells:
        if len(line) + len(cell) + 2 > 105:
            lines.append(line)
            line = "   "
        line += f" {cell},"
    return "\n".join(lines + [line])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("features")
    parser.add_argument("--penalty", type=float, default=3e-3)
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--drop", default="", help="features left out, separated by commas: for ablations")
    args = parser.parse_args()
    names, chains = read(args.features)
    # A name that the base cannot reach at all teaches nothing: there is only one choice.
    chains = [c for c in chains if c["senses"]]
    most = len(names["sense"]) + len(names["none"])
    held = np.array([c["document"] % 10 == 3 for c in chains])
    full = np.array([not c["sentence"] for c in chains])
    x, mask, y, weight = tensors(chains, most)
    for name in filter(None, args.drop.split(",")):
        x[..., (names["sense"] + names["none"]).index(name)] = 0.0
    w = train(x[~held], mask[~held], y[~held], weight[~held], args.penalty, args.steps)
    for name, part in [("trained on", ~held & full), ("held out", held & full), ("held out, single sentences", held & ~full)]:
        report(name, x[part], mask[part], y[part], weight[part], w)
    for feature, value in zip(names["sense"] + names["none"], w):
        print(f"  {feature:20s} {value:8.3f}", file=sys.stderr)
    sense, none = w[: len(names["sense"])], w[len(names["sense"]):]
    print(f"SENSE = [\n{table(sense)}\n]\nNONE = [\n{table(none)}\n]")


if __name__ == "__main__":
    main()
