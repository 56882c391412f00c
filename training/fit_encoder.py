"""Fits how the encoder's two log-odds of an entity (by what is known, by its document) become one, and which entities are then kept
when no judge is asked; on the reserved tenth.

    python3 training/prepare_judge.py --shared ../shared --inputs found.jsonl given.jsonl --reserved
    cargo run --release -p findall-models --example judge_texts -- models kb/default.kb --judge < found.jsonl > found-texts.jsonl
    python3 training/fit_encoder.py --shared ../shared --texts found-texts.jsonl models

Writes `find` into `tuning.json` and both rules into the encoder's `model.json`; figures come from folds over documents.
"""
import argparse
import itertools
import json
from pathlib import Path

import numpy as np

from data.judge_groups import from_documents, lines
from fit_judge import FOLDS, f1, fit_logistic, reliability
from tuning import constant, named, put

MIX = ("knowledge", "context", "bias", "context_alone", "bias_alone", "named")
RULES = list(itertools.product((0.0, 0.5, 1.0, 1.5), (1.5, 2.5, 4.0), (0.3, 0.6, 0.9, 1.3), (0.0, 0.5, 1.0, 1.5, 2.0, 3.0), (0.0, 0.2, 0.4, 0.6)))
RULE_NAMES = ("sure", "far", "margin", "possible", "per_word")
NO_EVIDENCE = constant("findall/src/find/score.rs", "NO_EVIDENCE_LOG_ODDS")


def read(shared, path):
    """Queries as `(document, words, parts, labels, mentions, what no candidate gives)`; parts are knowledge, context, named."""
    found = {row["id"]: row for row in lines(path)}
    groups = [g for g in from_documents(shared, found, found, only=set(found)) if g["held"] and g["source"].endswith("found")]
    out = []
    for number, group in enumerate(groups):
        asked = {query["q"]: query["parts"] for query in found[group["id"]]["queries"]}
        for query in group["queries"]:
            answers, unknown = set(query["answers"]), set(query["open"])
            kept = [n for n in range(len(group["counts"])) if n not in unknown and not asked[query["q"]][n][3]]
            if kept:
                parts = np.array([[np.nan if v is None else v for v in asked[query["q"]][n][:3]] for n in kept], np.float64)
                labels = np.array([n in answers for n in kept])
                out.append((number, min(12, len(query["q"].split())), parts, labels, np.array([group["counts"][n] for n in kept]), query["missing"]))
    return out


def features(parts):
    """One column for each part of the mix."""
    knowledge, context, named_by_query = parts.T
    both = ~np.isnan(knowledge) & ~np.isnan(context)
    alone = np.isnan(knowledge) & ~np.isnan(context)
    columns = (both * knowledge, both * context, both, alone * context, alone, -named_by_query)
    return np.stack([np.nan_to_num(column.astype(float)) for column in columns], 1)


def mixed(parts, mix):
    """The engine's `Searcher::evidence`."""
    value = features(parts) @ mix
    only_known = ~np.isnan(parts[:, 0]) & np.isnan(parts[:, 1])
    value[only_known] += parts[only_known, 0]
    value[np.isnan(parts[:, :2]).all(1)] = NO_EVIDENCE
    return value


def log_loss(queries, mix):
    values, labels = np.concatenate([mixed(q[2], mix) for q in queries]), np.concatenate([q[3] for q in queries])
    return float(np.mean(np.logaddexp(0, np.where(labels, -values, values))))


def scored(queries, mix):
    """Every query with the log-odds of its candidates, which no rule changes."""
    return [(words, mixed(parts, mix), right, size, lost) for _, words, parts, right, size, lost in queries]


def counts(queries, rule):
    """Hits, found and expected mentions; the sum of every query's own F1; queries; right silences, queries without an answer."""
    sure, far, margin, possible, per_word = rule
    total = np.zeros(7)
    for words, values, right, size, lost in queries:
        best = values.max()
        kept = (values >= best - margin) | (values >= sure) & (values >= best - far)
        kept &= best >= possible - per_word * words
        hits, found, expected = size[kept & right].sum(), size[kept].sum(), size[right].sum() + lost
        own = 2 * hits / (found + expected) if expected else float(not kept.any())
        total += hits, found, expected, own, 1, expected == 0 and not kept.any(), expected == 0
    return total


def fit(queries):
    mix = fit_logistic(features(np.concatenate([q[2] for q in queries])), np.concatenate([q[3] for q in queries]))
    return mix, best_rule(queries, mix)


def best_rule(queries, mix):
    known = scored(queries, mix)

    def value(rule):
        c = counts(known, rule)
        return f1(c) + c[3] / c[4]
    return max(RULES, key=value)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", type=Path)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--texts", required=True)
    args = parser.parse_args()
    queries = read(args.shared, args.texts)
    total, values, labels = np.zeros(7), [], []
    for number in range(FOLDS):
        mix, rule = fit([q for q in queries if q[0] % FOLDS != number])
        test = [q for q in queries if q[0] % FOLDS == number]
        total += counts(scored(test, mix), rule)
        values += [mixed(q[2], mix) for q in test]
        labels += [q[3] for q in test]
    print(f"{len(queries)} queries, across folds: mention F1 {f1(total):.3f} precision {total[0] / total[1]:.3f} recall {total[0] / total[2]:.3f} "
          f"mean of queries {total[3] / total[4]:.3f} silent {total[5] / total[6]:.2f}")
    reliability(np.concatenate(values), np.concatenate(labels))
    mix, rule = fit(queries)
    # Where only what is known counts, as without a document.
    known = [(n, w, np.column_stack([p[:, 0], np.full(len(p), np.nan), p[:, 2]]), r, s, m) for n, w, p, r, s, m in queries]
    alone = best_rule(known, mix)
    print("mix", named(MIX, mix), f"log-loss {log_loss(queries, mix):.4f}", "rule", rule, "by knowledge alone", alone)
    for name, value in zip(MIX, mix):
        put(["find", name], round(float(value), 3), args.models / "tuning.json")
    path = args.models / "encoder/model.json"
    card = json.loads(path.read_text(encoding="utf-8"))
    files = card.pop("files")
    card |= {"decision": dict(zip(RULE_NAMES, alone)), "mixed_decision": dict(zip(RULE_NAMES, rule))}
    path.write_text(json.dumps({**card, "files": files}, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
