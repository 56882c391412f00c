"""Learns the weights of the linker from the features that the program itself computes.

    python3 training/prepare_linker.py --pages pages/train.jsonl.xz --pools pools/pools.jsonl.xz --out linker
    findall-eval linking list-queries/train.jsonl --models models --features lists.jsonl
    findall-eval linking linker/pages.jsonl linker/pools.jsonl --features pools.jsonl
    findall-eval linking msnbc-updated… derczynski… oke-2015-train… --models models --features sets.jsonl
    python3 training/train_linker.py lists.jsonl pools.jsonl sets.jsonl

Enters: one line a chain of mentions, with the features of each sense and of "none of them", and which one is right.
Leaves: the weights on stdout, or with --write in models/tuning.json; figures on stderr. Every document whose index
leaves 3 when divided by 10 is held out. Features depend a little on the weights in use (coherence weighs senses by
their probability), so run the commands twice. Never give it KTRL+F, KORE50, news-fair or an OKE evaluation part, by
which linking is measured (oke-2016-train holds 88 of the 101 texts of oke-2015-eval).

Two models, both convex and small. RANK is a softmax over the senses of a chain, learned on the chains that have
the right sense and another one. KNOWN − NONE is a logistic regression on the best-ranked sense: is it any of them?
A feature that can only speak for a sense never gets a negative weight, and the other way round: in pages of news
almost every "Paris" is the city, but a page about an heiress is not.
"""

import argparse
import json
import sys

import numpy as np

from tuning import named, put

FOR = """prior best_prior fame as_written kind_agrees sentence_words sentence_share document_words document_share
    disambiguator coherence_share coherence_names antecedent region_follows name_overlap full_name demonym
    pair_names""".split()
AGAINST = "changed completed_unlike kind_conflicts conflict_rivalled undescribed".split()
# What English says and the data is too small to: the region behind a comma tells which town is meant.
AT_LEAST = {"region_follows": 2.0}
# Chains of one sentence repeat those of its document.
SENTENCE = 0.4
# A link that a person marked wrong: rare beside what is right, and what "none of them" is for.
MARKED = 3.0
# What --choose tries, and the probability from which a link is made.
PENALTIES, MARKS, LIKELY = (1e-3, 3e-3, 1e-2), (1.0, 2.0, 3.0, 4.0, 6.0), 0.2
# The right sense is not the one that the name alone suggests: rare in pages, and what context is for.
SURPRISING = 2.0


def read(paths):
    chains = []
    for path in paths:
        with open(path, encoding="utf-8") as lines:
            names = json.loads(next(lines))
            chains += [json.loads(line) for line in lines]
    # A name that the base cannot reach at all teaches nothing: there is no choice.
    return names, [c for c in chains if c["senses"]]


def is_marked(chain):
    """Whether somebody said that the link of this chain was wrong: pools hold nothing else that stands for nothing."""
    return chain["at"][0] == "pools" and chain["expected"] is None


def weight_of(chain):
    """A name that stands ten times in a document is worth more than one that stands once, but not ten times as much."""
    weight = (1.0 + np.log(chain["mentions"])) * (SENTENCE if chain["at"][2] else 1.0)
    return weight * (SURPRISING if chain["right"] > 0 else 1.0)


class Senses:
    """The senses of all chains, one row each, and where each chain begins."""

    def __init__(self, chains):
        self.x = np.array([sense for c in chains for sense in c["senses"]], dtype=float)
        counts = np.array([len(c["senses"]) for c in chains])
        self.starts = np.append(0, np.cumsum(counts)[:-1])
        self.chain = np.repeat(np.arange(len(chains)), counts)

    def probabilities(self, scores):
        odds = np.exp(scores - np.maximum.reduceat(scores, self.starts)[self.chain])
        return odds / np.add.reduceat(odds, self.starts)[self.chain]


def descend(gradient, width, bounds, steps=1500):
    """Adam, kept within the bounds."""
    w, first, second = np.zeros(width), np.zeros(width), np.zeros(width)
    for step in range(1, steps + 1):
        g = gradient(w)
        first = 0.9 * first + 0.1 * g
        second = 0.999 * second + 0.001 * g**2
        rate = 0.05 if step < steps * 0.7 else 0.01
        w -= rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
        w = np.clip(w, *bounds)
    return w


def bounds_of(names, scale):
    """Of the weights as they are learned, that is times the scale of their feature."""
    low = [AT_LEAST.get(name, 0.0) * size if name in FOR else -np.inf for name, size in zip(names, scale)]
    high = [0.0 if name in AGAINST else np.inf for name in names]
    return np.array(low), np.array(high)


def train_rank(chains, names, penalty):
    chains = [c for c in chains if c["right"] >= 0 and len(c["senses"]) > 1]
    senses, weight = Senses(chains), np.array([weight_of(c) for c in chains])
    scale = np.maximum(senses.x.std(axis=0), 1e-3)
    z = senses.x / scale
    weight /= weight.sum()
    found = z[senses.starts + np.array([c["right"] for c in chains])].T @ weight

    def gradient(w):
        return z.T @ (senses.probabilities(z @ w) * weight[senses.chain]) - found + penalty * w

    return descend(gradient, z.shape[1], bounds_of(names, scale)) / scale


def ranked(chains, rank):
    """The best sense of each chain, how likely it is among them, and its features beside those of none."""
    senses = Senses(chains)
    p = senses.probabilities(senses.x @ rank)
    best = np.array([p[start : start + len(c["senses"])].argmax() for start, c in zip(senses.starts, chains)])
    rows = senses.starts + best
    none = np.array([c["none"] for c in chains], dtype=float)
    none[:, -1] = -np.log(p[rows])
    return best, p[rows], np.hstack([senses.x[rows], -none])


def train_known(chains, names, rank, penalty, marked=MARKED):
    best, _, x = ranked(chains, rank)
    y = np.array([float(c["right"] >= 0) for c in chains])
    weight = np.array([(1.0 + np.log(c["mentions"])) * (SENTENCE if c["at"][2] else 1.0) for c in chains])
    weight *= np.array([marked if is_marked(c) else 1.0 for c in chains])
    scale = np.maximum(x.std(axis=0), 1e-3)
    z = x / scale

    def gradient(w):
        p = 1 / (1 + np.exp(-(z @ w)))
        return (z * ((p - y) * weight)[:, None]).sum(0) / weight.sum() + penalty * w

    low, high = bounds_of(names["sense"], scale)
    free = np.full(len(names["none"]), np.inf)
    return descend(gradient, x.shape[1], (np.append(low, -free), np.append(high, free))) / scale


def report(name, chains, rank, known):
    best, share, x = ranked(chains, rank)
    p = 1 / (1 + np.exp(-(x @ known)))
    y = np.array([c["right"] for c in chains])
    times = np.array([c["mentions"] for c in chains])
    reachable, right = y >= 0, best == y
    several = reachable & np.array([len(c["senses"]) > 1 for c in chains])
    print(
        f"{name}: chains {len(y)}, best sense right {right[reachable].mean():.3f} (of several {right[several].mean():.3f}, "
        f"first candidate {(y[several] == 0).mean():.3f})",
        file=sys.stderr,
    )
    for likely in (0.2, 0.3, 0.4, 0.5, 0.6):
        made = p >= likely
        hits = (times * (made & right)).sum()
        print(
            f"  likely {likely}: precision {hits / (times * made).sum():.3f}, recall {hits / (times * reachable).sum():.3f}, "
            f"F1 {2 * hits / ((times * made).sum() + (times * reachable).sum()):.3f} of mentions",
            file=sys.stderr,
        )
    marked = np.array([is_marked(c) for c in chains])
    if marked.any():
        made = ", ".join(f"{((p * share >= likely) & marked).sum()} at {likely}" for likely in (0.2, 0.3, 0.4))
        print(f"  of {marked.sum()} links marked wrong made again: {made}", file=sys.stderr)
    for low, high in [(0.0, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 0.9), (0.9, 0.97), (0.97, 1.01)]:
        inside = (p * share >= low) & (p * share < high)
        if inside.any():
            print(
                f"  confidence {low:.2f}-{high:.2f}: {inside.sum():5d} chains, said {(p * share)[inside].mean():.3f}, "
                f"right {right[inside].mean():.3f}",
                file=sys.stderr,
            )


def choose(names, seen, held):
    """Penalty and weight of marked links by F1 of mentions on the held-out documents."""
    held = [c for c in held if not c["at"][2]]
    right, times = (np.array([c[name] for c in held]) for name in ("right", "mentions"))
    marked = np.array([is_marked(c) for c in held])
    best = (0.0, None, None)
    for penalty in PENALTIES:
        rank = train_rank(seen, names["sense"], penalty)
        for mark in MARKS:
            known = train_known(seen, names, rank, penalty, mark)
            sense, share, x = ranked(held, rank)
            made = share / (1 + np.exp(-(x @ known))) >= LIKELY
            hits = (times * (made & (sense == right))).sum()
            f1 = 2 * hits / ((times * made).sum() + (times * (right >= 0)).sum())
            print(f"penalty {penalty}, marked {mark}: F1 {f1:.4f}, right {hits / (times * (right >= 0)).sum():.4f}, "
                  f"marked links made {(made & marked).sum()} of {marked.sum()}", file=sys.stderr)
            best = max(best, (f1, penalty, mark))
    return best[1:]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("features", nargs="+")
    parser.add_argument("--penalty", type=float, default=3e-3)
    parser.add_argument("--marked", type=float, default=MARKED, help="weight of a link that was marked wrong")
    parser.add_argument("--choose", action="store_true", help="choose both on the held-out documents")
    parser.add_argument("--also", nargs="*", default=[], help="features of sets that are only reported on")
    parser.add_argument("--drop", default="", help="features left out, separated by commas: for ablations")
    parser.add_argument("--write", action="store_true", help="put them into models/tuning.json")
    args = parser.parse_args()
    names, chains = read(args.features)
    drop = [(names["sense"]).index(name) for name in filter(None, args.drop.split(","))]
    for chain in chains:
        for sense in chain["senses"]:
            for place in drop:
                sense[place] = 0.0
    held = [c for c in chains if c["at"][1] % 10 == 3]
    seen = [c for c in chains if c["at"][1] % 10 != 3]
    if args.choose:
        args.penalty, args.marked = choose(names, seen, held)
    rank = train_rank(seen, names["sense"], args.penalty)
    known = train_known(seen, names, rank, args.penalty, args.marked)
    parts = [("trained on", seen), ("held out", held)] + [(path, read([path])[1]) for path in args.also]
    for name, part in parts:
        report(name, [c for c in part if not c["at"][2]], rank, known)
    report("held out, single sentences", [c for c in held if c["at"][2]], rank, known)
    width = len(names["sense"])
    for place, feature in enumerate(names["sense"]):
        print(f"  {feature:20s} {rank[place]:8.3f} {known[place]:8.3f}", file=sys.stderr)
    for feature, value in zip(names["none"], known[width:]):
        print(f"  none: {feature:14s} {value:8.3f}", file=sys.stderr)
    fitted = {
        "rank": named(names["sense"], rank),
        "known": named(names["sense"], known[:width]),
        "none": named(names["none"], known[width:]),
    }
    if args.write:
        for part, weights in fitted.items():
            put(["linker", part], weights)
    else:
        print(json.dumps(fitted, indent=2))


if __name__ == "__main__":
    main()
