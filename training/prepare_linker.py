"""Writes what the linker learns from labelled pages and from links that were marked wrong, as documents of list queries.

    python3 training/prepare_linker.py --pages pages/train.jsonl.xz --pools pools/pools.jsonl.xz --out linker

Leaves `linker/pages.jsonl` (every labelled name with its type), `linker/pools.jsonl` (what a linker found on pages and
passages: its entity where nobody objected, nothing at all where the link was marked wrong), for

    findall-eval linking linker/pages.jsonl linker/pools.jsonl --models models --features features.jsonl

and `linker/marks.json`: for each document of pools.jsonl, the names whose link was marked wrong and the title that they were
linked to. A name whose link was marked wrong is labelled with a title that no base has; what else it may mean nobody said. On
pages that is so only where the label is the very title that was marked: the base then knows just the namesake.
"""

import argparse
import collections
import json
import lzma
import pathlib

# Begins a label that stands for nothing in any base.
NOBODY = "nobody‑known‑as"


def open_text(path):
    return lzma.open(path, "rt", encoding="utf-8") if path.suffix == ".xz" else open(path, encoding="utf-8")


def read(path):
    with open_text(path) as lines:
        return [json.loads(line) for line in lines]


def items_of(pool):
    """Each item of a pool with its mark; items that are no names are left out."""
    bad, wrong = set(pool.get("bad", [])), set(pool.get("wrong", []))
    for number, item in enumerate(pool["items"], 1):
        if number not in bad and (item.get("entity") or number in wrong):
            yield item, number in wrong


def document_of(pool, pages):
    """A pool with its page, or with the sentences that it keeps of it."""
    page = pages.get(pool["id"])
    types = {string: entity["type"] for entity in (page or {}).get("entities", []) for string in entity["mentions"]}
    sentences = dict.fromkeys(item["sentence"].strip("… ") for item in pool["items"] if item.get("sentence"))
    text = page["text"] if page else "\n".join(sentences)
    entities = []
    for item, wrong in items_of(pool):
        strings = [string for string in [item["name"], *item.get("others", [])] if string in text]
        if strings:
            kind = next((types[string] for string in strings if string in types), "")
            name = f"{NOBODY} {item['name']}" if wrong else item["entity"]
            entities.append({"name": name, "type": kind, "mentions": strings})
    return {"id": pool["id"], "text": text, "entities": entities}


def page_document(page, wrong):
    """A page with its labels; a name whose link to that very title was marked wrong there stands for nothing."""
    is_wrong = lambda entity: any(wrong.get(name) == entity["name"] for name in entity["mentions"])
    entities = [
        {**entity, "name": f"{NOBODY} {entity['name']}"} if is_wrong(entity) else entity for entity in page["entities"]
    ]
    return {"id": page["id"], "text": page["text"], "entities": entities}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("pages", "pools", "out"):
        parser.add_argument("--" + name, type=pathlib.Path, required=True)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    pages = {page["id"]: page for page in read(args.pages)}
    # Pools of the base's own neighbourhoods have no text.
    pools = [pool for pool in read(args.pools) if any(item.get("sentence") for item in pool["items"])]
    wrong = collections.defaultdict(dict)
    for pool in pools:
        for item, marked in items_of(pool):
            if marked:
                wrong[pool["id"]] |= dict.fromkeys([item["name"], *item.get("others", [])], item.get("entity"))
    marks = [wrong[pool["id"]] for pool in pools]
    (args.out / "marks.json").write_text(json.dumps(marks, ensure_ascii=False), encoding="utf-8")
    for name, documents in (
        ("pages", [page_document(page, wrong[page["id"]]) for page in pages.values()]),
        ("pools", [document_of(pool, pages) for pool in pools]),
    ):
        with open(args.out / f"{name}.jsonl", "w", encoding="utf-8") as out:
            for document in documents:
                out.write(json.dumps(document, ensure_ascii=False) + "\n")
        marked = sum(entity["name"].startswith(NOBODY) for document in documents for entity in document["entities"])
        print(f"{name}: {len(documents)} documents, {marked} names that stand for nothing")


if __name__ == "__main__":
    main()
