"""Gathers what the judge is trained on into one file.

    python3 training/prepare_judge.py --shared ../shared --inputs found.jsonl given.jsonl
    cargo run --release -p findall-models --example judge_texts -- models kb/default.kb < found.jsonl > found-texts.jsonl
    cargo run --release -p findall-models --example judge_texts -- models kb/default.kb --given < given.jsonl > given-texts.jsonl
    python3 training/prepare_judge.py --shared ../shared --texts found-texts.jsonl given-texts.jsonl --out carry/judge.json.xz \\
        --calibration carry/judge-pairs.jsonl
    python3 training/prepare_judge.py --shared ../shared --base-titles titles.txt
    cargo run --release -p findall --example knowledge_texts -- kb/default.kb < titles.txt > knowledge.tsv
    python3 training/prepare_judge.py --shared ../shared --base-texts knowledge.tsv --out carry/base-texts.tsv.xz
    python3 training/prepare_judge.py --shared ../shared --base-queries 15000 --out carry/base-queries.json.xz
"""
import argparse
import collections
import json
import lzma
import random
from pathlib import Path

from data import kb_queries
from data.judge_groups import engine_inputs, from_documents, from_pools, lines
from judge import KNOWLEDGE_CHARACTERS, text_of


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


# Entities of the knowledge base that strangers' queries are asked about: the best known, and any others.
KNOWN_TITLES, OTHER_TITLES = 100_000, 80_000


def base_titles(shared):
    titles = [row["title"] for row in lines(shared / "kb/entities.jsonl.xz")]
    with lzma.open(shared / "kb/facts.tsv.xz", "rt", encoding="utf-8") as file:
        others = titles[KNOWN_TITLES:] + [line.split("\t", 1)[0] for line in file]
    return dict.fromkeys(titles[:KNOWN_TITLES] + random.Random(1).sample(others, OTHER_TITLES))


def base_text(line: str) -> str:
    """A line of `knowledge_texts` as a judge reads it: the name, a tab, what is known, cut at a blank."""
    title, text = line.rstrip("\n").split("\t", 1)
    known = text.removeprefix(title).lstrip(". ")
    if len(known) > KNOWLEDGE_CHARACTERS:
        known = known[:KNOWLEDGE_CHARACTERS].rsplit(" ", 1)[0]
    return f"{title}\t{known}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--inputs", nargs=2, help="write what judge_texts reads: as found, and as given")
    parser.add_argument("--reserved", action="store_true", help="only what fits the rule, with --inputs")
    parser.add_argument("--texts", nargs=2, help="what judge_texts wrote")
    parser.add_argument("--base-titles", help="write titles of the knowledge base for knowledge_texts")
    parser.add_argument("--base-texts", help="what knowledge_texts wrote, to --out")
    parser.add_argument("--base-queries", type=int, help="make so many queries from the knowledge base, to --out")
    parser.add_argument("--out")
    parser.add_argument("--calibration", help="also write 300 pairs to choose int8 ranges on")
    args = parser.parse_args()
    if args.base_titles:
        with open(args.base_titles, "w", encoding="utf-8") as file:
            file.writelines(f"{title}\n" for title in base_titles(args.shared))
        return
    if args.base_texts:
        with open(args.base_texts, encoding="utf-8") as file, lzma.open(args.out, "wt", encoding="utf-8") as out:
            out.writelines(map(base_text, file))
        return
    if args.base_queries:
        with lzma.open(args.out, "wt", encoding="utf-8") as out:
            json.dump(list(dict.fromkeys(group["q"] for group in kb_queries.groups(args.base_queries))), out, ensure_ascii=False)
        return
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
