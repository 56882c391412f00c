"""Gathers every dataset of the encoder into one compressed file that the GPU job reads.

    python training/prepare_encoder.py --titles titles.txt
    cargo run -p findall --example knowledge_texts -- kb/default.kb < titles.txt > knowledge_texts.tsv
    python training/prepare_encoder.py --out carry/encoder.json.xz --knowledge knowledge_texts.tsv

`--knowledge` replaces the source text of an entity by the knowledge text of the built KB, so that the model is trained
on the very words it will read.
"""

import argparse
import json
import lzma

from data import dbpedia_entity, kb_queries, ktrlf, list_queries, question_passages, sources, typed_lists


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out")
    parser.add_argument("--titles", help="only write there every title that the sets speak of")
    parser.add_argument("--knowledge", help="title, tab, knowledge text of the built KB")
    parser.add_argument("--calibration", help="also write 300 queries and texts of entities there, for export.py --calibrate")
    parser.add_argument("--kb-queries", type=int, default=12000)
    args = parser.parse_args()
    if args.titles:
        names = {e["name"] for d in list_queries.documents() + ktrlf.documents() for e in d["entities"]}
        titles = names | {row["title"] for row in sources.entities().values()}
        with open(args.titles, "w", encoding="utf-8") as out:
            out.writelines(f"{title}\n" for title in sorted(titles) if "\n" not in title)
        return
    if args.knowledge:
        for line in open(args.knowledge, encoding="utf-8"):
            title, text = line.rstrip("\n").split("\t")
            entity = sources.entities().setdefault(sources.fold(title), {"title": title})
            entity["built"] = text.removeprefix(title).strip(" .")
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
    if args.calibration:
        texts = []
        for doc in data["list"][::4]:
            first, second, last = doc["entities"][0], doc["entities"][1], doc["entities"][-1]
            texts += [doc["queries"][0]["q"], f"{first['name']}. {first['knowledge']}", f"{last['name']}. {last['description']}", second["context"] or "none"]
        with open(args.calibration, "w", encoding="utf-8") as out:
            out.writelines(json.dumps(text) + "\n" for text in texts[:300])
    with lzma.open(args.out, "wt", encoding="utf-8", preset=6) as out:
        json.dump(data, out, ensure_ascii=False)


if __name__ == "__main__":
    main()
