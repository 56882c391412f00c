"""Fits how a judge's and the encoder's log-odds become one calibrated log-odds and a decision, on the reserved tenth.

    python3 training/prepare_judge.py --shared ../shared --inputs found.jsonl given.jsonl --reserved
    cargo run --release -p findall-models --example judge_texts -- models kb/default.kb --judge < found.jsonl > found-texts.jsonl
    python3 training/fit_judge.py --shared ../shared --texts found-texts.jsonl models/judge/model.json

No judge, teacher or tagger was trained on these pages and documents; figures come from folds over documents, the rule
that is written from all of them.
"""
import argparse
import json
from pathlib import Path

import numpy as np

from data.judge_groups import from_documents, lines

FOLDS = 5
KEEPS = np.arange(-1.5, 1.51, 0.1)
MARGINS = (0.0, 0.25, 0.5, 1.0, 1.5, 2.0)
POSSIBLES = (-1.5, -1.0, -0.5, 0.0, 99.0)
# The share of right candidates that may be lost because the judge is not shown them.
HOPELESS_SHARE = 0.03


def table(groups, found):
    """One row a candidate: document, query, judge, encoder, label, mentions; and what no candidate can give."""
    rows, missing, needs = [], {}, {}
    for number, group in enumerate(groups):
        asked = {query["q"]: query["judge"] for query in found[group["id"]]["queries"]}
        for q, query in enumerate(group["queries"]):
            missing[number, q] = query["missing"]
            needs[number, q] = query["needs"]
            answers, unknown = set(query["answers"]), set(query["open"])
            for n, count in enumerate(group["counts"]):
                if n not in unknown and asked[query["q"]][n] is not None:
                    rows.append((number, q, asked[query["q"]][n], query["encoder"][n], n in answers, count))
    return np.array(rows, np.float64), missing, needs


def fit_logistic(x, y, rounds=60):
    """Weights of x (with a last column of ones) by Newton's method, hardly regularised."""
    weights = np.zeros(x.shape[1])
    for _ in range(rounds):
        p = 1 / (1 + np.exp(-x @ weights))
        hessian = (x * (p * (1 - p))[:, None]).T @ x + 1e-3 * np.eye(x.shape[1])
        weights += np.linalg.solve(hessian, x.T @ (y - p) - 1e-3 * weights)
    return weights


def features(rows):
    # An entity that the query names outright is decided before the judge is asked.
    return np.stack([rows[:, 2], np.clip(rows[:, 3], -8, 8), np.ones(len(rows))], 1)


def counts(rows, log_odds, rule, missing):
    """Mention counts (hits, found, expected) and silences, over queries."""
    keep, margin, possible = rule
    hits = found = expected = silent = empty = 0
    keys = rows[:, 0].astype(int) * 1000 + rows[:, 1].astype(int)
    order = np.argsort(keys, kind="stable")
    starts = np.flatnonzero(np.diff(keys[order], prepend=-1))
    for part in np.split(order, starts[1:]):
        values = log_odds[part]
        best = values.max()
        kept = (values >= keep) | ((best >= possible) & (values >= best - margin))
        right, size = rows[part, 4] > 0, rows[part, 5]
        lost = missing[int(rows[part[0], 0]), int(rows[part[0], 1])]
        hits += size[kept & right].sum()
        found += size[kept].sum()
        expected += size[right].sum() + lost
        if not right.any() and not lost:
            empty += 1
            silent += not kept.any()
    return hits, found, expected, silent, empty


def f1(c):
    return 2 * c[0] / max(1, c[1] + c[2])


def best_rule(rows, log_odds, missing):
    rules = [(k, m, p) for k in KEEPS for m, p in [(0.0, 99.0)] + [(m, p) for m in MARGINS[1:] for p in POSSIBLES[:-1]]]
    return max(rules, key=lambda rule: f1(counts(rows, log_odds, rule, missing)))


def reliability(log_odds, labels):
    p = 1 / (1 + np.exp(-log_odds))
    for low, high in zip(np.arange(0, 1, 0.1), np.arange(0.1, 1.01, 0.1)):
        part = (p >= low) & (p < high + (high > 0.99))
        if part.any():
            print(f"  {low:.1f}–{high:.1f}: {part.sum():6d} shown {p[part].mean():.2f} right {labels[part].mean():.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="model.json that gets the rule")
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--texts", required=True)
    args = parser.parse_args()
    found = {row["id"]: row for row in lines(args.texts)}
    groups = [g for g in from_documents(args.shared, found, found, only=set(found)) if g["held"] and g["source"].endswith("found")]
    rows, missing, needs = table(groups, found)
    fold = rows[:, 0].astype(int) % FOLDS
    x, y = features(rows), rows[:, 4]
    crossed, total = np.zeros(len(rows)), np.zeros(5)
    for number in range(FOLDS):
        train, test = fold != number, fold == number
        weights = fit_logistic(x[train], y[train])
        rule = best_rule(rows[train], x[train] @ weights, missing)
        crossed[test] = x[test] @ weights
        total += counts(rows[test], crossed[test], rule, missing)
    print(f"{len(groups)} documents, {len(missing)} queries, across folds: mention F1 {f1(total):.3f} precision {total[0] / total[1]:.3f} "
          f"recall {total[0] / total[2]:.3f} silent {total[3] / total[4]:.2f}; judge alone at 0 "
          f"{f1(counts(rows, rows[:, 2], (0.0, 0.0, 99.0), missing)):.3f}")
    reliability(crossed, y)
    weights = fit_logistic(x, y)
    log_odds = x @ weights
    keep, margin, possible = best_rule(rows, log_odds, missing)
    hopeless = float(np.quantile(rows[y > 0, 3], HOPELESS_SHARE))
    read = float((rows[:, 3] >= hopeless).mean())
    for need in sorted(set(filter(None, needs.values()))):
        part = np.array([needs[int(r[0]), int(r[1])] == need for r in rows])
        print(f"  {need}: F1 {f1(counts(rows[part], log_odds[part], (keep, margin, possible), missing)):.3f}")
    verdict = {"judge": weights[0], "encoder": weights[1], "bias": weights[2], "keep": keep, "hopeless": hopeless,
               "possible": possible, "margin": margin}
    verdict = {key: round(float(value), 4) for key, value in verdict.items()}
    print(json.dumps(verdict), f"reads {read:.2f} of the candidates")
    with open(args.model, encoding="utf-8") as file:
        card = json.load(file)
    files = card.pop("files")
    with open(args.model, "w", encoding="utf-8") as file:
        json.dump({**card, "verdict": verdict, "files": files}, file, indent=2)
        file.write("\n")


if __name__ == "__main__":
    main()
