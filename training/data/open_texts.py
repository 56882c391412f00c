"""Texts without labels, for a teacher to speak about: passages of the question sets, sentences of the pools, openings of the knowledge base."""
import json
import lzma
import random

from .judge_groups import is_reserved, lines
from .mentions import Example

QUESTION_SETS = ("squad1-train-part", "squad1-extra", "squad2-dev-part", "quoref-dev", "policyqa-dev", "multispanqa-valid")
MIN_CHARACTERS = 60


def examples(shared, openings=30_000, seed=7):
    """Each text once; `openings` of the knowledge base are drawn at random. What the rule of find is fitted on stays out."""
    seen = set()
    for source, text in (*passages(shared), *sentences(shared), *base_openings(shared, openings, seed)):
        text = text.strip()
        if len(text) >= MIN_CHARACTERS and text not in seen:
            seen.add(text)
            yield Example("open", f"{source} {len(seen)}", text, [], [[0, len(text)]])


def passages(shared):
    for name in QUESTION_SETS:
        with lzma.open(shared / f"data/qa/{name}.json.xz", "rt", encoding="utf-8") as file:
            data = json.load(file)["data"]
        for article in data:
            if "paragraphs" in article:
                yield from ((name, paragraph["context"]) for paragraph in article["paragraphs"])
            elif isinstance(article.get("context"), list):
                yield name, " ".join(article["context"])


def sentences(shared):
    """What the pools show of real pages, a page's sentences as one text, in the order of its items."""
    for pool in lines(shared / "data/pools/pools.jsonl.xz"):
        if pool["id"].startswith("kb") or is_reserved(pool["id"]):
            continue
        shown = dict.fromkeys(item["sentence"].strip("…") for item in pool["items"] if item.get("sentence"))
        yield "pools", "\n".join(shown)


def base_openings(shared, count, seed):
    with lzma.open(shared / "kb/entities.jsonl.xz", "rt", encoding="utf-8") as rows:
        texts = [row["text"] for row in map(json.loads, rows) if row.get("text")]
    yield from (("base", text[:1200]) for text in random.Random(seed).sample(texts, min(count, len(texts))))
