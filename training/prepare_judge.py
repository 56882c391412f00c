"""Gathers what the judge is trained on into one file.

    python3 training/prepare_judge.py --shared ../shared --inputs found.jsonl given.jsonl
    cargo run --release -p findall-models --example judge_texts -- models kb/default.kb < found.jsonl > found-texts.jsonl
    cargo run --release -p findall-models --example judge_texts -- models kb/default.kb --given < given.jsonl > given-texts.jsonl
    python3 training/prepare_judge.py --shared ../shared --texts found-texts.jsonl given-texts.jsonl --out carry/judge.json.xz \\
        --calibration carry/judge-pairs.jsonl
"""
import argparse
import collections
import json
import lzma
import random
from pathlib import Path

from data.judge_groups import engine_inputs, from_documents, from_pools, lines
from judge import text_of


def compact(group: dict) -> dict:
    """The sentences of a document once, and their numbers in every query."""
    known = {}
    number = lambda sentence: known.setdefault(sentence, len(known))
    if "sentences" in group:
        group["sentences"] = [[number(s) for s in row] for row in group["sentences"]]
    for query in group["queries"]:
        if query["sentences"] is not None:
            query["sentences"] = [[number(s) for s in row] for row in query["sentences"]]
    return {**group, "texts": list(known)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--inputs", nargs=2, help="write what judge_texts reads: as found, and as given")
    parser.add_argument("--reserved", action="store_true", help="only what fits the rule, with --inputs")
    parser.add_argument("--texts", nargs=2, help="what judge_texts wrote")
    parser.add_argument("--out")
    parser.add_argument("--calibration", help="also write 300 pairs to choose int8 ranges on")
    args = parser.parse_args()
    if args.inputs:
        for path, rows in zip(args.inputs, engine_inputs(args.shared, args.reserved)):
            with open(path, "w", encoding="utf-8") as file:
                file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        return
    found, given = ({row["id"]: row for row in lines(path)} for path in args.texts)
    groups = [compact(g) for g in [*from_documents(args.shared, found, given), *from_pools(args.shared, found)]]
    with lzma.open(args.out, "wt", encoding="utf-8", preset=6) as file:
        json.dump(groups, file, ensure_ascii=False, separators=(",", ":"))
    count = collections.Counter()
    for group in groups:
        part = "reserved" if group["held"] else "train"
        count[group["source"], part, "groups"] += 1
        count[group["source"], part, "queries"] += len(group["queries"])
        count[group["source"], part, "answers"] += sum(len(q["answers"]) for q in group["queries"])
        count[group["source"], part, "unanswerable"] += sum(not q["answers"] for q in group["queries"])
    for key, value in sorted(count.items()):
        print(*key, value)
    if args.calibration:
        rng = random.Random(1)
        with open(args.calibration, "w", encoding="utf-8") as file:
            for group in rng.choices([g for g in groups if not g["held"]], k=400):
                query = rng.choice(group["queries"])
                text = text_of(group, query, rng.randrange(len(group["candidates"])))
                file.write(json.dumps([query["q"], text], ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
