"""Learns the weights of the linker from the features that the program itself computes.

    python3 training/prepare_linker.py --pages pages/train.jsonl.xz --pools pools/pools.jsonl.xz --out linker
    findall-eval linking list-queries/train.jsonl --models models --features lists.jsonl
    findall-eval linking linker/pages.jsonl linker/pools.jsonl --models models --features pools.jsonl
    findall-eval linking msnbc-updated… derczynski… oke-2015-train… --models models --features sets.jsonl
    python3 training/train_linker.py lists.jsonl pools.jsonl sets.jsonl --marks linker/marks.json

Enters: one line a chain of mentions, with the features of each sense and of "none of them", and which one is right.
Leaves: the weights on stdout, or with --write in models/tuning.json; figures on stderr, all across five folds of documents.
Features depend a little on the weights in use (coherence weighs senses by their probability), so run the commands twice.
Never give it KTRL+F, KORE50, news-fair or an OKE evaluation part, by which linking is measured (oke-2016-train holds 88 of
the 101 texts of oke-2015-eval).

RANK is a softmax over the senses of a chain, learned on the chains that have the right sense and another one. KNOWN − NONE
is a logistic regression on the best-ranked sense: is it any of them? Both are convex. A feature that can only speak for a
sense never gets a negative weight, and the other way round: in pages of news almost every "Paris" is the city, but a page
about an heiress is not. (A hidden layer beside KNOWN − NONE
brought nothing across folds, nor did the encoder's likeness of the sentence and what is known.)

A link that a person marked wrong teaches that this sense is not meant; where another one is ranked first now, nobody said
whether that is right, and the chain is left out.
"""

import argparse
import json
import sys

import numpy as np
from scipy.optimize import minimize

from tuning import named, put

POSITIVE_FEATURES = """prior best_prior fame as_written kind_agrees sentence_words sentence_share document_words document_share
    disambiguator coherence_share coherence_names antecedent region_follows name_overlap full_name demonym
    pair_names""".split()
NEGATIVE_FEATURES = "changed completed_unlike kind_conflicts conflict_rivalled undescribed".split()
# What English says and the data is too small to: the region behind a comma tells which town is meant.
MIN_WEIGHTS = {"region_follows": 2.0}
# Chains of one sentence repeat those of its document.
SENTENCE_WEIGHT = 0.4
# The right sense is not the one that the name alone suggests: rare in pages, and what context is for.
RARE_SENSE_WEIGHT = 2.0
FOLDS = 5
# What is chosen from across folds: the penalty of both regressions. And the probabilities from which a link may be made: which
# one is set by what find makes of the links (METHODOLOGY.md), not here.
PENALTIES, LEVELS = (1e-3, 3e-3, 1e-2), (0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6)


def read(paths, marks=()):
    """The names of the features, and the chains; of a marked one, which sense was marked wrong."""
    chains = []
    for path in paths:
        with open(path, encoding="utf-8") as lines:
            names = json.loads(next(lines))
            chains += [json.loads(line) for line in lines]
    for chain in chains:
        source, document, _ = chain["at"]
        title = marks[document].get(chain["name"]) if marks and source == "pools" and chain["expected"] is None else None
        chain["wrong"] = chain["titles"].index(title) if title in chain.get("titles", []) else -1
    # A name that the base cannot reach at all teaches nothing: there is no choice. Nor does one that was marked and lost.
    is_told = lambda chain: chain["wrong"] >= 0 or not (marks and chain["at"][0] == "pools" and chain["expected"] is None)
    return names, [chain for chain in chains if chain["senses"] and is_told(chain)]


def weight_of(chain):
    """A name that stands ten times in a document is worth more than one that stands once, but not ten times as much."""
    weight = (1.0 + np.log(chain["mentions"])) * (SENTENCE_WEIGHT if chain["at"][2] else 1.0)
    return weight * (RARE_SENSE_WEIGHT if chain["right"] > 0 else 1.0)


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


def descend(objective, start, bounds=None, steps=400):
    """The weights with the least loss within the bounds; the objective gives the loss and its gradient."""
    return minimize(objective, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": steps, "maxcor": 30}).x


def bounds_of(names, scale):
    """Of the weights as they are learned, that is times the scale of their feature."""
    low = [MIN_WEIGHTS.get(name, 0.0) * size if name in POSITIVE_FEATURES else -np.inf for name, size in zip(names, scale)]
    high = [0.0 if name in NEGATIVE_FEATURES else np.inf for name in names]
    return list(zip(low, high))


def train_rank(chains, names, penalty):
    chains = [c for c in chains if c["right"] >= 0 and len(c["senses"]) > 1]
    senses, weight = Senses(chains), np.array([weight_of(c) for c in chains])
    scale = np.maximum(senses.x.std(axis=0), 1e-3)
    z = senses.x / scale
    weight /= weight.sum()
    right = senses.starts + np.array([c["right"] for c in chains])
    found = z[right].T @ weight

    def loss(w):
        p = senses.probabilities(z @ w)
        gradient = z.T @ (p * weight[senses.chain]) - found + penalty * w
        return -(weight @ np.log(np.maximum(p[right], 1e-30))) + penalty / 2 * (w @ w), gradient

    return descend(loss, np.zeros(z.shape[1]), bounds_of(names, scale)) / scale


def ranked(chains, rank):
    """The best sense of each chain, how likely it is among them, and its features beside those of none."""
    senses = Senses(chains)
    p = senses.probabilities(senses.x @ rank)
    best = np.array([p[start : start + len(c["senses"])].argmax() for start, c in zip(senses.starts, chains)])
    rows = senses.starts + best
    none = np.array([c["none"] for c in chains], dtype=float)
    none[:, -1] = -np.log(p[rows])
    return best, p[rows], np.hstack([senses.x[rows], -none])


def told(chains, best):
    """Chains of which it is known whether the sense that is ranked first is meant."""
    return np.array([chain["wrong"] < 0 or chain["wrong"] == place for chain, place in zip(chains, best)])


def train_known(chains, names, rank, penalty):
    best, _, x = ranked(chains, rank)
    y = np.array([float(c["right"] >= 0) for c in chains])
    weight = np.array([(1.0 + np.log(c["mentions"])) * (SENTENCE_WEIGHT if c["at"][2] else 1.0) for c in chains])
    weight *= told(chains, best)
    weight /= weight.sum()
    scale = np.maximum(x.std(axis=0), 1e-3)
    z = x / scale

    def loss(w):
        p = sigmoid(z @ w)
        return cross_entropy(p, y, weight) + penalty / 2 * (w @ w), z.T @ ((p - y) * weight) + penalty * w

    free = [(-np.inf, np.inf)] * len(names["none"])
    return descend(loss, np.zeros(x.shape[1]), bounds_of(names["sense"], scale) + free) / scale


def cross_entropy(p, y, weight):
    return -(weight @ np.log(np.maximum(np.where(y > 0, p, 1 - p), 1e-30)))


def sigmoid(x):
    return 1 / (1 + np.exp(-np.clip(x, -60, 60)))


def linked(chains, rank, known):
    """The sense that each chain would be linked to, and how likely that is."""
    best, share, x = ranked(chains, rank)
    return best, share * sigmoid(x @ known)


def across_folds(names, chains, penalty):
    """Of each whole document's chain: the sense and its likelihood by weights that other documents gave."""
    whole = [c for c in chains if not c["at"][2]]
    best, likely = np.zeros(len(whole), int), np.zeros(len(whole))
    fold = np.array([c["at"][1] % FOLDS for c in whole])
    for number in range(FOLDS):
        seen = [c for c in chains if c["at"][1] % FOLDS != number]
        rank = train_rank(seen, names["sense"], penalty)
        known = train_known(seen, names, rank, penalty)
        best[fold == number], likely[fold == number] = linked([c for c, f in zip(whole, fold) if f == number], rank, known)
    return whole, best, likely


class Links:
    """What a level of likelihood would give: right links and made ones, by source."""

    def __init__(self, whole, best, likely):
        take = lambda name: np.array([c[name] for c in whole])
        self.likely, self.times, right = likely, take("mentions"), take("right")
        self.right, self.reachable, self.told = best == right, right >= 0, told(whole, best)
        self.repeated = (take("wrong") >= 0) & self.told
        self.source = np.array([c["at"][0] for c in whole])

    def f1(self, source, level):
        inside = (self.source == source) & self.told
        made = inside & (self.likely >= level)
        hits = (self.times * (made & self.right)).sum()
        precision, recall = hits / max(1, (self.times * made).sum()), hits / max(1, (self.times * (inside & self.reachable)).sum())
        return 2 * precision * recall / max(1e-9, precision + recall), precision, recall

    def mean_f1(self, level):
        return float(np.mean([self.f1(source, level)[0] for source in sorted(set(self.source))]))

    def best_f1(self):
        return max(map(self.mean_f1, LEVELS))

    def report(self):
        for level in LEVELS:
            rows = ", ".join("{} {:.3f} ({:.3f}, {:.3f})".format(source, *self.f1(source, level)) for source in sorted(set(self.source)))
            again = (self.repeated & (self.likely >= level)).sum()
            print(f"  from {level}: mean F1 {self.mean_f1(level):.4f}; {rows}; {again} marked links made again", file=sys.stderr)
        for low, high in [(0.0, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 0.9), (0.9, 0.97), (0.97, 1.01)]:
            inside = (self.likely >= low) & (self.likely < high) & self.told
            if inside.any():
                print(f"  said {self.likely[inside].mean():.3f}, right {self.right[inside].mean():.3f} of {inside.sum()}", file=sys.stderr)


def choose(names, chains):
    """The penalty with the best mean F1 of the sources across folds."""
    found = []
    for penalty in PENALTIES:
        links = Links(*across_folds(names, chains, penalty))
        found.append((links.best_f1(), penalty))
        print(f"penalty {penalty}: F1 {found[-1][0]:.4f}", file=sys.stderr)
    return max(found)[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("features", nargs="+")
    parser.add_argument("--marks", help="which links were marked wrong, as prepare_linker.py writes it")
    parser.add_argument("--penalty", type=float, default=3e-3)
    parser.add_argument("--choose", action="store_true", help="choose it across folds")
    parser.add_argument("--write", action="store_true", help="put them into models/tuning.json")
    args = parser.parse_args()
    marks = json.load(open(args.marks, encoding="utf-8")) if args.marks else ()
    names, chains = read(args.features, marks)
    if args.choose:
        args.penalty = choose(names, chains)
    links = Links(*across_folds(names, chains, args.penalty))
    print(f"penalty {args.penalty}, {len(chains)} chains, {links.repeated.sum()} links marked wrong", file=sys.stderr)
    links.report()
    rank = train_rank(chains, names["sense"], args.penalty)
    known = train_known(chains, names, rank, args.penalty)
    width = len(names["sense"])
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
