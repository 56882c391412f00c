"""Reads the knowledge sources that several datasets share: entity rows by folded title, and where the data lives."""

import json
import lzma
import os
import re
from functools import lru_cache
from pathlib import Path

SHARED = Path(os.environ.get("FINDALL_SHARED", Path(__file__).resolve().parents[2].parent / "shared"))
DATA = SHARED / "data"


def fold(title: str) -> str:
    return re.sub(r"\s+", " ", title.replace("_", " ")).strip().lower()


def first_sentences(text: str, characters: int = 260) -> str:
    """Whole sentences from the start, about `characters` long."""
    if len(text) <= characters:
        return text
    end = max(text.rfind(". ", 0, characters), text.find(". "))
    return text[: end + 1] if end > 0 else text[:characters]


@lru_cache(maxsize=1)
def entities() -> dict:
    """Folded title → {title, kind, text, written, type, aliases, popularity}."""
    rows = {}
    for line in lzma.open(SHARED / "kb" / "written.tsv.xz", "rt", encoding="utf-8"):
        cells = line.rstrip("\n").split("\t")
        rows[fold(cells[1])] = {"title": cells[1], "kind": cells[2], "written": cells[3]}
    for line in lzma.open(SHARED / "kb" / "entities.jsonl.xz", "rt", encoding="utf-8"):
        source = json.loads(line)
        row = rows.setdefault(fold(source["title"]), {"title": source["title"]})
        row["text"] = source.get("text") or ""
        row["type"] = source.get("type") or ""
        row["popularity"] = source.get("pop") or 0
        row["src"] = source.get("src") or []
    return rows


def knowledge(row: dict | None) -> str:
    """What is known of an entity: the built KB's text where it was given, else the sources', else an empty string."""
    if row is None:
        return ""
    if row.get("built"):
        return row["built"]
    if row.get("written"):
        return row["written"]
    return first_sentences(row.get("text", "")) or row.get("type", "")
