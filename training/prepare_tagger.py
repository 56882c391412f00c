"""Gathers all tagging data into one small file, so that training needs nothing else.

    python3 training/prepare_tagger.py --shared ../shared --wiki wiki_spacy.jsonl.xz --out carry/ner.jsonl.xz

Enters: the NER archives, the list queries, real pages and the pools' marks, spaCy's reading of Wikipedia openings (`data/wiki_spacy.py`). Leaves: one
JSON line an example, `{"src","doc","text","spans":[[start,end,type]],"ignore":[[start,end]],"held"}`; `held` marks the
tenth of CrossNER, WNUT17, Wikigold, the pages and the list queries that only evaluation may see.
"""
import argparse
import collections
import json
import lzma
from pathlib import Path

from data import broad_twitter, crossner, gum, list_query_mentions, litbank, open_texts, page_mentions, wiki_names, wikigold, wnut17
from data.mentions import held_out

EVALUATED_SOURCES = {"crossner", "wnut17", "wikigold"}


def known_names(path):
    """Lower-cased titles (without the bracketed part) and aliases of the knowledge base."""
    names = set()
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            names.add(row["title"].split(" (")[0].lower())
            names.update(alias.lower() for alias in row.get("aliases", []))
    return names


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shared", required=True)
    parser.add_argument("--wiki", help="output of data/wiki_spacy.py; left out without it")
    parser.add_argument("--wiki-count", type=int, default=12000)
    parser.add_argument("--open", action="store_true", help="also texts without labels, which only teachers speak about")
    parser.add_argument("--out", required=True)
    parser.add_argument("--calibration", help="also write 300 training texts there, for export.py --calibrate")
    args = parser.parse_args()
    folder = f"{args.shared}/data/ner"
    streams = [crossner.examples(folder), wikigold.examples(folder), wnut17.examples(folder), broad_twitter.examples(folder),
               gum.examples(folder), litbank.examples(folder), list_query_mentions.examples(f"{args.shared}/data/list-queries"),
               page_mentions.pages(Path(args.shared)), page_mentions.pools(Path(args.shared))]
    if args.wiki:
        streams.append(wiki_names.examples(args.wiki, known_names(f"{args.shared}/kb/entities.jsonl.xz"), args.wiki_count))
    if args.open:
        streams.append(open_texts.examples(Path(args.shared)))
    count, texts = collections.Counter(), []
    with lzma.open(args.out, "wt", encoding="utf-8", preset=9) as out:
        for stream in streams:
            for example in stream:
                row = example.row()
                row["held"] = example.held or example.source in EVALUATED_SOURCES and held_out(example.text)
                for start, end, _ in row["spans"]:
                    assert 0 <= start < end <= len(example.text), (example, start, end)
                count[example.source, "texts held" if row["held"] else "texts"] += 1
                count[example.source, "mentions"] += len(row["spans"])
                out.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")
                if not row["held"]:
                    texts.append(example.text)
    if args.calibration:
        with open(args.calibration, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(text) + "\n" for text in texts[:: max(1, len(texts) // 300)])
    for key, value in sorted(count.items()):
        print(*key, value)


if __name__ == "__main__":
    main()
