"""Fits how `findall kb find` weighs words, encoder and judge, and how much it looks at, on queries over the base itself.

    python3 training/fit_base.py --shared ../shared --prepare queries.jsonl
    findall-eval kb-find --fit queries.jsonl --evidence evidence.jsonl
    python3 training/fit_base.py --evidence evidence.jsonl models

Queries are those of the pools over neighbourhoods of the base and those that `data/kb_queries.py` makes from its texts; never
the DBpedia-Entity queries by which it is measured. A query's answers are those that its pool names; what the pool does not
hold counts as no answer, for every ranking alike, as in the collection that it is measured on. Weights are chosen by
nDCG@10 over folds of pools; the judge's own weight stays 1 and the mean log-odds stays what it was, so that the rules which
decide what is kept stay true. How much is looked at is what gives most within what a query may cost, by milliseconds a text
measured once (`ENCODER_MS`, `JUDGE_MS`); another look is always taken, for wordings that these queries seldom have. Writes `base` into tuning.json.
"""
import argparse
import copy
import itertools
import json
import lzma
import math
from pathlib import Path

import numpy as np

from data import kb_queries
from tuning import constant, put

# Milliseconds that a text costs on two cores, cold: a query's 56 texts took the encoder 110 ms, 24 the judge 106.
ENCODER_MS, JUDGE_MS = 1.95, 4.4
BUDGET_MS = 95
FOLDS = 5
DEPTH = 10
# More than four would leave nothing of the probability that encoder and judge were calibrated to; it gains a hundredth at most.
WORDS = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0)
ENCODER = (0.0, 0.1, 0.2, 0.35, 0.5)
# Candidates by the words of the query, by another look, and judged.
SIZES = ((40, 20, 24), (40, 16, 12), (34, 6, 12), (28, 8, 14), (24, 4, 8), (20, 4, 8), (20, 4, 12), (16, 4, 8), (16, 4, 12), (14, 4, 12), (12, 4, 12), (10, 2, 8))
# Candidates by the words of the query in the evidence: those of the other look share fewer.
QUERY_CANDIDATES = constant("findall-eval/src/kb_find_fit.rs", "CANDIDATES")
MADE_QUERIES = 500


def prepare(shared, path):
    """Queries of two words or more: "people" has a hundred thousand answers, of which a pool names five."""
    with lzma.open(shared / "data/pools/pools.jsonl.xz", "rt", encoding="utf-8") as file:
        pools = [pool for pool in map(json.loads, file) if pool["id"].startswith("kb-")]
    rows = [
        {"id": pool["id"], "items": [{"entity": item.get("entity")} for item in pool["items"]], "queries": kept}
        for pool in pools[::3]
        if (kept := [[query, answers] for query, answers in pool["queries"] if answers and len(query.split()) > 1])
    ]
    for number, group in enumerate(kb_queries.groups(MADE_QUERIES, seed=11)):
        titles = [side["name"] for side in group["positive"] + group["negative"]]
        answers = list(range(1, len(group["positive"]) + 1))
        rows.append({"id": f"kb-made-{number}", "items": [{"entity": title} for title in titles], "queries": [[group["q"], answers]]})
    with open(path, "w", encoding="utf-8") as out:
        out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    print(len(rows), "pools,", sum(len(row["queries"]) for row in rows), "queries")


class Query:
    """Candidates by words, best first, with what speaks for each."""

    def __init__(self, row, rule):
        candidates = sorted((c for c in row["candidates"] if c["judge"] is not None), key=lambda c: -c["words"])
        take = lambda name: np.array([float(c[name]) for c in candidates])
        self.pool, self.answers = row["pool"], row["answers"]
        self.words, self.encoder, judge = take("words"), take("encoder"), take("judge")
        self.verdict = rule["judge"] * judge + rule["encoder"] * self.encoder + rule["bias"]
        self.gains = np.array([float(c["answer"] is True) for c in candidates])

    def part(self, first, further):
        """The query as if fewer had been looked at."""
        kept = [at for at in range(len(self.words)) if at < first or QUERY_CANDIDATES <= at < QUERY_CANDIDATES + further]
        other = copy.copy(self)
        for name in ("words", "encoder", "verdict", "gains"):
            setattr(other, name, getattr(self, name)[kept])
        return other

    def reachable(self):
        return len(self.gains) > 0 and self.gains.any()


def ndcg(query, order):
    discount = lambda places: 1 / math.log2(places + 2)
    own = sum(query.gains[at] * discount(place) for place, at in enumerate(order[:DEPTH]))
    return own / sum(discount(place) for place in range(min(DEPTH, query.answers)))


def by(values):
    return np.argsort(-values, kind="stable")


def order_of(query, fast, read, judged):
    """As `BaseSearcher::find` orders: the judge reads the best, and what it did not read comes after."""
    order = by(query.encoder + fast * query.words)
    first, rest = order[:judged], order[judged:]
    encoder, words = read
    after = query.verdict[first] + encoder * query.encoder[first] + words * query.words[first]
    return [*first[by(after)], *rest]


def folds_of(queries):
    pools = sorted({query.pool for query in queries})
    fold = {pool: number % FOLDS for number, pool in enumerate(pools)}
    return np.array([fold[query.pool] for query in queries])


def choose(queries, settings, gain):
    """The best setting, and what the choice of the other folds gives on each fold."""
    gains = np.array([[gain(query, setting) for query in queries] for setting in settings])
    folds = folds_of(queries)
    across = np.zeros(len(queries))
    for fold in range(FOLDS):
        best = gains[:, folds != fold].mean(1).argmax()
        across[folds == fold] = gains[best, folds == fold]
    means = gains.mean(1)
    return settings[means.argmax()], means.max(), across.mean()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", type=Path, nargs="?")
    parser.add_argument("--shared", type=Path)
    parser.add_argument("--prepare", type=Path, help="write the queries there")
    parser.add_argument("--evidence", type=Path)
    parser.add_argument("--write", action="store_true", help="put the numbers into tuning.json")
    args = parser.parse_args()
    if args.prepare:
        return prepare(args.shared, args.prepare)
    rule = json.loads((args.models / "judge/model.json").read_text())["verdict"]
    with open(args.evidence, encoding="utf-8") as file:
        queries = [Query(json.loads(line), rule) for line in file]
    reached = [query for query in queries if query.reachable()]
    print(f"{len(queries)} queries, {len(reached)} with an answer among the candidates")
    mean = lambda order: np.mean([ndcg(query, order(query)) for query in reached])
    print(f"nDCG@10: words {mean(lambda q: by(q.words)):.3f}, encoder {mean(lambda q: by(q.encoder)):.3f}, "
          f"judge {mean(lambda q: order_of(q, 0.0, (0.0, 0.0), 24)):.3f}")
    fast, best, across = choose(reached, WORDS, lambda q, mix: ndcg(q, by(q.encoder + mix * q.words)))
    print(f"encoder and {fast} words: {best:.3f}, across folds {across:.3f}")
    settings = list(itertools.product(ENCODER, WORDS))
    rows = []
    for first, further, judged in SIZES:
        cost = ENCODER_MS * (first + further) + JUDGE_MS * judged
        parts = [query.part(first, further) for query in reached]
        read, best, across = choose(parts, settings, lambda q, s: ndcg(q, order_of(q, fast, s, judged)))
        rows.append((across, read, cost, (first, further, judged)))
        print(f"  {first} + {further} looked at, {judged} judged, {cost:.0f} ms: {best:.3f}, across folds {across:.3f}, encoder {read[0]}, words {read[1]}")
    across, read, cost, (first, further, judged) = max(row for row in rows if row[2] <= BUDGET_MS and row[3][1] > 0)
    every = lambda values: float(np.mean(np.concatenate([values(query) for query in reached])))
    fast_bias = -every(lambda q: fast * q.words)
    read_bias = -every(lambda q: read[0] * q.encoder + read[1] * q.words)
    unread_mix = {"judge": 0.0, "encoder": 1.0, "words": fast, "bias": round(fast_bias, 3)}
    read_mix = {"judge": 1.0, "encoder": read[0], "words": read[1], "bias": round(read_bias, 3)}
    print(f"chosen: {first} + {further} looked at, {judged} judged, {cost:.0f} ms, {across:.3f}", unread_mix, read_mix)
    if args.write:
        file = args.models / "tuning.json"
        for name, value in (("first_candidates", first), ("further_candidates", further), ("max_judged", judged), ("unread", unread_mix), ("read", read_mix)):
            put(["base", name], value, file)


if __name__ == "__main__":
    main()
