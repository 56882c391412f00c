"""Gathers every dataset of the encoder into one compressed file that the GPU job reads.

    python3 training/prepare_encoder.py --shared ../shared --texts found-texts.jsonl given-texts.jsonl --titles titles.txt
    cargo run --release -p findall --example knowledge_texts -- kb/default.kb < titles.txt > knowledge.tsv
    python3 training/prepare_encoder.py --shared ../shared --texts found-texts.jsonl given-texts.jsonl --knowledge knowledge.tsv \\
        --out carry/encoder.json.xz --calibration carry/encoder-texts.jsonl

The groups are the judge's (`prepare_judge.py` says where the texts come from); what an entity is known by is the built
base's whole text, the very words the encoder will read. Then come the descriptions of the list queries' entities, and
questions with their answers and rewordings.
"""
import argparse
import json
import lzma
import random
from pathlib import Path

from data import list_queries, question_passages
from data.judge_groups import from_documents, from_pools, lines
from encoder_groups import context_text
from prepare_judge import base_titles, compact


def with_knowledge(group: dict, known: dict) -> dict:
    """The base's whole text of every candidate that the judge reads a part of."""
    texts = [known.get(title, knowledge) if knowledge else "" for title, (_, _, knowledge, _) in zip(group["titles"], group["candidates"])]
    return {**group, "knowledge": texts}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--texts", nargs=2, required=True, help="what judge_texts wrote")
    parser.add_argument("--titles", help="only write there every title whose text is needed")
    parser.add_argument("--knowledge", help="what knowledge_texts wrote")
    parser.add_argument("--out")
    parser.add_argument("--calibration", help="also write 300 queries and texts there, for export.py --calibrate")
    args = parser.parse_args()
    found, given = ({row["id"]: row for row in lines(path)} for path in args.texts)
    groups = [*from_documents(args.shared, found, given), *from_pools(args.shared, found)]
    base = list(base_titles(args.shared))
    if args.titles:
        titles = dict.fromkeys(base + [title for group in groups for title in group["titles"]])
        with open(args.titles, "w", encoding="utf-8") as out:
            out.writelines(f"{title}\n" for title in titles if "\n" not in title)
        return
    with open(args.knowledge, encoding="utf-8") as file:
        rows = (line.rstrip("\n").split("\t", 1) for line in file)
        known = {title: text.removeprefix(title).lstrip(". ") for title, text in rows}
    groups = [with_knowledge(compact(g), known) for g in groups if not g["held"]]
    data = {
        "groups": groups,
        "base": [[title, known[title]] for title in base if known.get(title)],
        "described": [doc for number, doc in enumerate(list_queries.documents()) if not list_queries.is_held_out(number)],
        "passages": question_passages.pairs(),
        "same": question_passages.same_answer_groups(),
    }
    for name, rows in data.items():
        print(name, len(rows))
    with lzma.open(args.out, "wt", encoding="utf-8", preset=6) as out:
        json.dump(data, out, ensure_ascii=False, separators=(",", ":"))
    if args.calibration:
        rng, texts = random.Random(1), []
        for group in rng.choices(groups, k=100):
            number = rng.randrange(len(group["candidates"]))
            texts += [rng.choice(group["queries"])["q"], context_text(group, number), ". ".join(rng.choice(data["base"]))]
        with open(args.calibration, "w", encoding="utf-8") as out:
            out.writelines(json.dumps(text, ensure_ascii=False) + "\n" for text in texts)


if __name__ == "__main__":
    main()
