"""List queries written for this project: documents, their entities, and which of them answer each query."""

import json
import re

from .sources import DATA


def sentence_around(text: str, at: int) -> str:
    """The sentence around a place, as the engine shows it to the encoder."""
    start = max(text.rfind(". ", 0, at) + 1, text.rfind("\n", 0, at) + 1, at - 160)
    ends = [e for e in (text.find(". ", at), text.find("\n", at)) if e >= 0]
    return re.sub(r"\s+", " ", text[start : min(ends + [at + 200, len(text)])]).strip()


def documents() -> list[dict]:
    """Each with `entities` (name, description) and `queries` (q, answers)."""
    out = []
    for line in open(DATA / "list-queries" / "train.jsonl", encoding="utf-8"):
        doc = json.loads(line)
        ents = [{"name": e["name"], "description": e["description"]} for e in doc["entities"]]
        index = {e["name"]: i for i, e in enumerate(ents)}
        queries = [
            {"q": q["q"], "answers": sorted({index[a] for a in q["answers"] if a in index})} for q in doc["queries"]
        ]
        out.append({"id": doc["id"], "entities": ents, "queries": queries})
    return out


def is_held_out(position: int) -> bool:
    """Every tenth document is never trained on; another tenth fits the rules."""
    return position % 10 in (3, 7)
