"""Chooses the encoder's decision rule from scores: one rule for all documents, on held-out list queries and KTRL+F dev.

    python3 training/fit_rule.py --data carry/encoder.json.xz --scores OUT/scores.npz

Prints the chosen rule, the figures it gives, and the trade-off around it. Two things pull: KTRL+F queries always have an
answer, a tenth of the list queries have none; the objective is their mean, with abstention asked to reach its share.
"""

import argparse
import itertools
import json
import lzma

import numpy as np

from data.list_queries import is_held_out
from encoder_scores import ktrlf_report, list_report


def unpack(scores, key):
    return np.split(scores[key + "/values"], np.cumsum(scores[key + "/lengths"])[:-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", required=True)
    parser.add_argument("--scores", required=True)
    parser.add_argument("--abstain", type=float, default=0.6, help="share of no-answer queries that should return nothing")
    args = parser.parse_args()
    data = json.load(lzma.open(args.data, "rt", encoding="utf-8"))
    scores = np.load(args.scores)
    held = [d for i, d in enumerate(data["list"]) if is_held_out(i)]
    asked = [q["q"] for d in held for q in d["queries"]]
    gold = [np.isin(np.arange(len(d["entities"])), q["answers"]) for d in held for q in d["queries"]]
    lists = {mode: list(zip(asked, unpack(scores, f"list/{mode}"), gold)) for mode in ("knowledge", "description", "title")}
    flat = unpack(scores, "ktrlf/knowledge")
    ktrlf, at = [], 0
    for doc in data["ktrlf"]:
        ktrlf.append(flat[at : at + len(doc["queries"])])
        at += len(doc["queries"])
    grid = itertools.product((1.0, 1.25, 1.5, 2.0), (2.0, 2.5, 3.0), np.arange(0.9, 1.4, 0.1), np.arange(3.6, 5.3, 0.2), (0.9, 1.1, 1.3))
    tried = []
    for sure, far, margin, possible, per_word in grid:
        rule = {"sure": sure, "far": far, "margin": margin, "possible": possible, "per_word": per_word}
        reports = {mode: list_report(items, rule) for mode, items in lists.items()}
        silent = (reports["knowledge"]["abstain"] + reports["description"]["abstain"]) / 2
        tried.append((100 * (reports["knowledge"]["f1"] + reports["description"]["f1"]) - 60 * max(0, args.abstain - silent), rule, reports))
    tried.sort(key=lambda t: -t[0])
    best = max(((value, rule, reports, ktrlf_report(data["ktrlf"], ktrlf, rule)) for value, rule, reports in tried[:40]),
               key=lambda t: t[0] + t[3]["em"] + t[3]["overlap"] / 2 + t[3]["r_em"] / 2)
    print(json.dumps({k: round(float(v), 3) for k, v in best[1].items()}))
    for mode, report in best[2].items():
        print("list", mode, {k: round(float(v), 3) for k, v in report.items()})
    print("ktrlf", {k: round(v, 1) for k, v in best[3].items()})
    every = ktrlf_report(data["ktrlf"], ktrlf, {"sure": -99, "far": 99, "margin": 99, "possible": -99, "per_word": 0})
    print("ktrlf, every gold mention", {k: round(v, 1) for k, v in every.items()})


if __name__ == "__main__":
    main()
