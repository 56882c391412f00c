"""Passages without questions of their own, for `train_question_maker.py` to ask about and for the reader's teachers to answer.

Pages, the question sets' paragraphs, list documents, openings of the knowledge base and novels, cut as ask cuts a page. What readers are measured
on, or fitted on, is not among them.
"""
import json
import lzma
import random
import re

from . import litbank, page_questions

# Half of the texts are cut into passages as long as the engine's, half into longer ones.
LENGTHS = (700, page_questions.MAX_CHARS)
MIN_CHARACTERS = 200
# The novels' words come apart from their commas.
SPARE_BLANK = re.compile(r" (?=[,.;:!?'’)]|n't\b)")
# How many questions are made about a passage, by where it is from: most about real pages, which are what people ask.
WEIGHTS = {"pages": 10, "lists": 5, "sets": 1, "openings": 1, "novels": 2}


def rows(shared, asked, openings, seed=5):
    """`{"article", "text", "weight"}`, each article's passages in a row; `asked` are the rows of `prepare_reader.py`, of whose
    paragraphs those that training may see are asked about again."""
    rng = random.Random(seed)
    held = {row["article"] for row in asked if row["held"]}
    for kind, article, text in (*pages(shared), *sets(asked), *lists(shared), *base_openings(shared, openings, rng), *novels(shared)):
        if article in held:
            continue
        for start, end in page_questions.cuts(text, rng.choice(LENGTHS)):
            cut = text[start:end].strip()
            if len(cut) >= MIN_CHARACTERS:
                yield {"article": f"{kind} {article}", "text": cut, "weight": WEIGHTS[kind]}


def pages(shared):
    with lzma.open(f"{shared}/data/pages/ask-train.json.xz", "rt", encoding="utf-8") as file:
        for article in json.load(file)["data"]:
            for paragraph in article["paragraphs"]:
                yield "pages", article["title"], paragraph["context"]


def sets(asked):
    for row in asked:
        if row["src"] in ("squad1", "squad1x", "squad2", "quoref", "multispan"):
            yield "sets", row["article"], row["text"]


def lists(shared):
    with open(f"{shared}/data/list-queries/train.jsonl", encoding="utf-8") as lines:
        for document in map(json.loads, lines):
            yield "lists", document["id"], document["text"]


def base_openings(shared, count, rng):
    with lzma.open(f"{shared}/kb/entities.jsonl.xz", "rt", encoding="utf-8") as rows:
        texts = [(row["title"], row["text"]) for row in map(json.loads, rows) if len(row.get("text") or "") >= 2 * MIN_CHARACTERS]
    for title, text in rng.sample(texts, min(count, len(texts))):
        yield "openings", title, text


def novels(shared):
    texts = {}
    for example in litbank.examples(f"{shared}/data/ner"):
        texts.setdefault(example.doc, []).append(SPARE_BLANK.sub("", example.text))
    for name, parts in sorted(texts.items()):
        yield "novels", name, "\n".join(parts)
