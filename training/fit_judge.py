"""Fits how a judge's and the encoder's log-odds become one calibrated log-odds and a decision, on the reserved tenth.

    python3 training/prepare_judge.py --shared ../shared --inputs found.jsonl given.jsonl --reserved
    cargo run --release -p findall-models --example judge_texts -- models kb/default.kb --judge < found.jsonl > found-texts.jsonl
    python3 training/fit_judge.py models/judge/model.json --shared ../shared --texts found-texts.jsonl [--beside others-texts.jsonl …]

A rule that is best for one judge's log-odds moves with a few documents. With `--beside`, what other judges said of the same
documents (the one before, say), the rule is the one that is best for all of them in the mean; the weights are the judge's own.
No judge, teacher or tagger was trained on these pages and documents; figures come from folds over documents, the rule
that is written from all of them.
"""
import argparse
import json
from pathlib import Path

import numpy as np

from data.judge_groups import from_documents, lines

FOLDS = 5
KEEPS = (-0.3, 0.0, 0.3, 0.7, 1.1)
MARGINS = (0.0, 0.5, 0.75, 1.0, 1.5)
POSSIBLES = (-1.5, -1.0, -0.5, 0.0, 0.5, 1.0)
PER_WORD = (0.0, 0.1, 0.2, 0.3, 0.4)
EXPECTED_KEEPS = (-0.7, -0.3, 0.0, 0.3, 0.7)
EXPECTED_MARGINS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5)
# The share of right candidates that may be lost because the judge is not shown them.
HOPELESS_SHARE = 0.03


def table(groups, found):
    """One row a candidate: document, query, judge, encoder, label, mentions; and what no candidate can give."""
    rows, missing, needs, words = [], {}, {}, {}
    for number, group in enumerate(groups):
        asked = {query["q"]: query["judge"] for query in found[group["id"]]["queries"]}
        for q, query in enumerate(group["queries"]):
            missing[number, q] = query["missing"]
            needs[number, q] = query["needs"]
            words[number, q] = min(12, len(query["q"].split()))
            answers, unknown = set(query["answers"]), set(query["open"])
            for n, count in enumerate(group["counts"]):
                if n not in unknown and asked[query["q"]][n] is not None:
                    rows.append((number, q, asked[query["q"]][n], query["encoder"][n], n in answers, count))
    return np.array(rows, np.float64), missing, needs, words


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


def by_query(rows, log_odds, missing, words):
    """Calibrated log-odds, labels, mentions, what no candidate gives, the number of words and the document, a query each."""
    keys = rows[:, 0].astype(int) * 1000 + rows[:, 1].astype(int)
    order = np.argsort(keys, kind="stable")
    for part in np.split(order, np.flatnonzero(np.diff(keys[order])) + 1):
        key = int(rows[part[0], 0]), int(rows[part[0], 1])
        yield log_odds[part], rows[part, 4] > 0, rows[part, 5], missing[key], words[key], key[0]


def counts(queries, rule):
    """Hits, found and expected mentions; the sum of every query's own F1 (1 for a silence that is right); queries; silences and
    how many were right to be."""
    keep, margin, possible, per_word = rule
    total = np.zeros(7)
    for values, right, size, lost, words, _ in queries:
        best = values.max()
        kept = (values >= keep) | ((best >= possible - per_word * words) & (values >= best - margin))
        hits, found, expected = size[kept & right].sum(), size[kept].sum(), size[right].sum() + lost
        own = 2 * hits / (found + expected) if expected else float(not kept.any())
        total += hits, found, expected, own, 1, expected == 0 and not kept.any(), expected == 0
    return total


def f1(c):
    return 2 * c[0] / max(1, c[1] + c[2])


def value_of(queries, rule):
    """What a rule is chosen by: mention F1 over all queries and the mean F1 of a query, alike."""
    c = counts(queries, rule)
    return f1(c) + c[3] / c[4]


def best_rule(*judges):
    """The rule that is best in the mean over what each of `judges` makes of its queries."""
    rules = [(k, m, p, w) for k in KEEPS for m in MARGINS for p in POSSIBLES for w in PER_WORD]
    return max(rules, key=lambda rule: sum(value_of(queries, rule) for queries in judges))


def answered(queries):
    return [query for query in queries if query[1].any() or query[3]]


def value_expected(queries, rule):
    """What a rule is chosen by where every query has an answer: the same, and the mean over documents of the worst query."""
    worst = {}
    for query in queries:
        c = counts([query], rule)
        worst[query[5]] = min(worst.get(query[5], 1.0), c[3])
    return value_of(queries, rule) + np.mean(list(worst.values()))


def expected_rule(*judges):
    """Level and margin that are best where every query has an answer, so that the best candidate is always kept."""
    judges = [answered(queries) for queries in judges]
    rules = [(keep, margin, -np.inf, 0.0) for keep in EXPECTED_KEEPS for margin in EXPECTED_MARGINS]
    return max(rules, key=lambda rule: sum(value_expected(queries, rule) for queries in judges))


def read_texts(shared, path):
    """`table` of the reserved documents, and how many those are."""
    found = {row["id"]: row for row in lines(path)}
    groups = [g for g in from_documents(shared, found, found, only=set(found)) if g["held"] and g["source"].endswith("found")]
    return len(groups), *table(groups, found)


def calibrated_queries(rows, missing, words):
    x = features(rows)
    return list(by_query(rows, x @ fit_logistic(x, rows[:, 4]), missing, words))


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
    parser.add_argument("--beside", nargs="*", default=[], metavar="TEXTS", help="what other judges said of the same documents")
    args = parser.parse_args()
    documents, rows, missing, needs, words = read_texts(args.shared, args.texts)
    others = [calibrated_queries(r, m, w) for _, r, m, _, w in (read_texts(args.shared, path) for path in args.beside)]
    fold = rows[:, 0].astype(int) % FOLDS
    x, y = features(rows), rows[:, 4]

    def queries_of(part, log_odds):
        return list(by_query(rows[part], log_odds, missing, words))

    crossed, total, silenced, expected = np.zeros(len(rows)), np.zeros(7), np.zeros(7), np.zeros(7)
    for number in range(FOLDS):
        train, test = fold != number, fold == number
        weights = fit_logistic(x[train], y[train])
        queries = queries_of(train, x[train] @ weights)
        rule = best_rule(queries)
        crossed[test] = x[test] @ weights
        tested = queries_of(test, crossed[test])
        total += counts(tested, rule)
        silenced += counts(answered(tested), rule)
        expected += counts(answered(tested), expected_rule(queries))
    everything = np.ones(len(rows), bool)
    alone = counts(queries_of(everything, rows[:, 2]), (0.0, 0.0, 99.0, 0.0))
    print(f"{documents} documents, {len(missing)} queries, across folds: mention F1 {f1(total):.3f} precision {total[0] / total[1]:.3f} "
          f"recall {total[0] / total[2]:.3f} mean of queries {total[3] / total[4]:.3f} silent {total[5] / total[6]:.2f}; judge alone at 0: {f1(alone):.3f}")
    for name, c in (("as decided", silenced), ("an answer expected", expected)):
        print(f"  queries with an answer, {name}: mention F1 {f1(c):.3f} mean of queries {c[3] / c[4]:.3f}")
    reliability(crossed, y)
    weights = fit_logistic(x, y)
    log_odds = x @ weights
    judges = [queries_of(everything, log_odds), *others]
    rule = best_rule(*judges)
    for need in sorted(set(filter(None, needs.values()))):
        part = np.array([needs[int(r[0]), int(r[1])] == need for r in rows])
        print(f"  {need}: mention F1 {f1(counts(queries_of(part, log_odds[part]), rule)):.3f}")
    keep, margin, possible, per_word = rule
    hopeless = float(np.quantile(rows[y > 0, 3], HOPELESS_SHARE))
    read = float((rows[:, 3] >= hopeless).mean())
    expected_keep, expected_margin, *_ = expected_rule(*judges)
    verdict = {"judge": weights[0], "encoder": weights[1], "bias": weights[2], "keep": keep, "hopeless": hopeless,
               "possible": possible, "per_word": per_word, "margin": margin, "expected_keep": expected_keep,
               "expected_margin": expected_margin}
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
