"""Questions with the sentence that answers them (SQuAD, Quoref, PolicyQA), and questions that ask for the same words."""

import json
import lzma
import re
from collections import defaultdict

from .sources import DATA


def _articles(name: str):
    return json.load(lzma.open(DATA / "qa" / f"{name}.json.xz"))["data"]


def _sentence(context: str, start: int, length: int) -> str:
    begin = max(context.rfind(". ", 0, start) + 1, context.rfind("\n", 0, start) + 1)
    end = context.find(". ", start + length)
    return context[begin : end + 1 if end >= 0 else len(context)].strip()[:400]


def pairs(limit_per_set: int = 6000) -> list[tuple[str, str, str]]:
    """(question, answering sentence, another sentence of the same paragraph)."""
    out = []
    for name in ("squad1-train-part", "squad1-extra", "quoref-dev", "policyqa-dev"):
        rows = []
        for article in _articles(name):
            for paragraph in article["paragraphs"]:
                context = paragraph["context"]
                sentences = [s for s in re.split(r"(?<=[.!?])\s+", context) if len(s) > 30]
                for qa in paragraph["qas"]:
                    if not qa.get("answers"):
                        continue
                    answer = qa["answers"][0]
                    right = _sentence(context, answer["answer_start"], len(answer["text"]))
                    wrong = next((s for s in sentences if answer["text"] not in s), "")[:400]
                    if len(right) > 20:
                        rows.append((qa["question"].strip(), right, wrong))
        step = max(1, len(rows) // limit_per_set)
        out += rows[::step]
    return out


def same_answer_groups() -> list[list[str]]:
    """PolicyQA questions about the same words of the same policy: the same need in different words."""
    groups = defaultdict(set)
    for name in ("policyqa-dev", "policyqa-test"):
        for article in _articles(name):
            for paragraph in article["paragraphs"]:
                for qa in paragraph["qas"]:
                    key = qa.get("type") or (article["title"], qa["answers"][0]["text"])
                    groups[str(key)].add(qa["question"].strip())
    return [sorted(g) for g in groups.values() if len(g) > 1]
