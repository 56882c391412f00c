"""Weights of the judge of long lists (models/tuning.json).

    findall-eval list GOLD.json --book TEXT --features features.jsonl --no-record
    python3 training/fit_list.py features.jsonl

One small logistic model a relation, with signs held to sense, a ridge, and large weights cut, so that a rare sign cannot
decide alone in another book. Prints the weights, or puts them into the file with
--write, and what they are worth when each subject in turn is left out:
recall at 30, 50 and 80 % precision over all lists together. Needs numpy.
"""

import argparse
import collections
import json

import numpy as np

from tuning import named, put

RELATIONS = ["parent", "child", "sibling", "family", "friend", "opponent", "hasPlace", "hasMember"]
# What may speak for a relation, and nothing else; NEGATIVE names what speaks against.
RELATION_FEATURES = {
    "parent": "stated table namesake closeness talks lift",
    "child": "stated table namesake closeness talks lift",
    "sibling": "stated table namesake listed talks lift",
    "family": "stated table family paragraphs mentions lift",
    "friend": "stated family paragraphs closeness friendly talks read",
    "opponent": "stated family paragraphs closeness hostile friendly talks read",
    "hasPlace": "paragraphs closeness lift generated presence share going read",
    "hasMember": "table family namesake paragraphs lift generated share read",
}
NEGATIVE = {("friend", "family"), ("opponent", "family"), ("opponent", "friendly")}
# Where one book has too little to learn from, weights stay near what sense says.
PRIOR = {("opponent", "stated"): 2.0, ("opponent", "hostile"): 4.0}
MAX_WEIGHTS = {"stated": 4.0, "namesake": 4.0, "family": 6.0}


def read(path):
    """Names of the features, which the first line has, and rows by relation."""
    rows = collections.defaultdict(list)
    with open(path, encoding="utf-8") as file:
        names = json.loads(next(file))["features"]
        for row in map(json.loads, file):
            rows[row["relation"]].append(row)
    return names, rows


def fit(names, features, right, relation, ridge, steps=400):
    """Projected Newton-like ascent: coordinates step by their own curvature."""
    own = ["bias", *RELATION_FEATURES[relation].split()]
    used = [names.index(name) for name in own]
    x, y = features[:, used], right.astype(float)
    weights = np.zeros(len(used))
    rate = y.mean().clip(1e-3, 1 - 1e-3)
    weights[0] = np.log(rate / (1 - rate))
    low = np.array([-np.inf if name == "bias" or (relation, name) in NEGATIVE else 0.0 for name in own])
    high = np.array([np.inf if name == "bias" else 0.0 if (relation, name) in NEGATIVE else MAX_WEIGHTS.get(name, 8.0) for name in own])
    low = np.where(high == 0.0, -6.0, low)
    middle = np.array([PRIOR.get((relation, name), 0.0) for name in own])
    for _ in range(steps):
        for j in range(len(used)):
            p = 1 / (1 + np.exp(-np.clip(x @ weights, -30, 30)))
            penalty = 0.0 if j == 0 else ridge
            slope = x[:, j] @ (y - p) - penalty * (weights[j] - middle[j])
            curve = (x[:, j] ** 2) @ (p * (1 - p)) + penalty + 1e-6
            weights[j] = np.clip(weights[j] + slope / curve, low[j], high[j])
    out = np.zeros(len(names))
    out[used] = weights
    return out


def recall_at(scored, gold, precision):
    scored = sorted(scored, key=lambda pair: -pair[0])
    right = best = 0
    for at, (score, hit) in enumerate(scored):
        right += hit
        tied = at + 1 < len(scored) and scored[at + 1][0] == score
        if not tied and right / (at + 1) >= precision:
            best = right
    return best / gold


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("features")
    parser.add_argument("--ridge", type=float, default=1.0)
    parser.add_argument("--write", action="store_true", help="put them into models/tuning.json")
    args = parser.parse_args()
    names, rows = read(args.features)
    gold = {(row["subject"], row["relation"]): row["gold"] for part in rows.values() for row in part}
    subjects = sorted({row["subject"] for part in rows.values() for row in part})
    held_out = []
    print(f"{'relation':10} {'rows':>6} {'gold':>5}  R@P30 R@P50 R@P80 (each subject left out)")
    for relation in RELATIONS:
        part = rows[relation]
        x = np.array([row["features"] for row in part], dtype=float)
        y = np.array([row["right"] for row in part], dtype=bool)
        of = np.array([subjects.index(row["subject"]) for row in part])
        mine = []
        for subject in np.unique(of):
            weights = fit(names, x[of != subject], y[of != subject], relation, args.ridge, steps=60)
            scores = 1 / (1 + np.exp(-(x[of == subject] @ weights)))
            mine += list(zip(scores.tolist(), y[of == subject].tolist()))
        held_out += mine
        count = sum(n for (_, r), n in gold.items() if r == relation)
        figures = [100 * recall_at(mine, count, p) for p in (0.3, 0.5, 0.8)]
        print(f"{relation:10} {len(part):6} {count:5}  " + " ".join(f"{f:5.1f}" for f in figures))
    count = sum(gold.values())
    figures = [100 * recall_at(held_out, count, p) for p in (0.3, 0.5, 0.8)]
    print(f"{'all':10} {len(held_out):6} {count:5}  " + " ".join(f"{f:5.1f}" for f in figures))
    for relation in RELATIONS:
        part = rows[relation]
        x = np.array([row["features"] for row in part], dtype=float)
        y = np.array([row["right"] for row in part], dtype=bool)
        weights = fit(names, x, y, relation, args.ridge)
        if args.write:
            put(["list", "relations", relation], named(names, weights, 2))
        else:
            print(relation, json.dumps(named(names, weights, 2)))


if __name__ == "__main__":
    main()
