"""Gathers every dataset of the encoder into one compressed file that the GPU job reads.

    python training/prepare_encoder.py --out carry/encoder.json.xz [--knowledge knowledge_texts.jsonl]

`--knowledge` replaces the source text of an entity by the knowledge text of the built KB, so that the model is trained
on the very words it will read.
"""

import argparse
import json
import lzma

from data import dbpedia_entity, kb_queries, ktrlf, list_queries, question_passages, sources, typed_lists


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", required=True)
    parser.add_argument("--knowledge", help="JSON Lines of {title, knowledge_text}")
    parser.add_argument("--kb-queries", type=int, default=12000)
    args = parser.parse_args()
    if args.knowledge:
        for line in open(args.knowledge, encoding="utf-8"):
            row = json.loads(line)
            entity = sources.entities().setdefault(sources.fold(row["title"]), {"title": row["title"]})
            entity["built"] = row["knowledge_text"].removeprefix(row["title"] + ".").strip(" .")
    data = {
        "list": list_queries.documents(),
        "ktrlf": ktrlf.documents(),
        "typed": typed_lists.lists(),
        "dbpedia": dbpedia_entity.queries(),
        "kb": kb_queries.groups(args.kb_queries),
        "passages": question_passages.pairs(),
        "same": question_passages.same_answer_groups(),
    }
    for name, rows in data.items():
        print(name, len(rows))
    with lzma.open(args.out, "wt", encoding="utf-8", preset=6) as out:
        json.dump(data, out, ensure_ascii=False)


if __name__ == "__main__":
    main()
