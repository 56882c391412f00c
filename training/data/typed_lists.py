"""CC0 typed lists (dog breeds, US agencies, …): the list's name is the query, its members are the answers."""

import json
import re
import tarfile

from .sources import DATA, entities, fold, knowledge


def _strings(node, depth=0) -> list[str]:
    if isinstance(node, str):
        return [node]
    if isinstance(node, list) and depth < 4:
        return [s for child in node for s in _strings(child, depth + 1)]
    if isinstance(node, dict) and depth < 4:
        return [node["name"]] if isinstance(node.get("name"), str) else []
    return []


def lists() -> list[dict]:
    """`{"queries": [...], "members": [{"name", "knowledge"}]}`, noisy files (verbs, adjectives, emoji) left out."""
    skip = re.compile(r"/(words|colors|corpora|psychology|technology/(new|lisp)|divination|games/(bannedGames|jeopardy))")
    out = []
    archive = tarfile.open(DATA / "entity-lists" / "corpora-cc0.tar.xz")
    for item in archive.getmembers():
        if not item.name.endswith(".json") or skip.search(item.name):
            continue
        try:
            node = json.load(archive.extractfile(item))
        except (ValueError, UnicodeDecodeError):
            continue
        stem = re.sub(r"[_-]+", " ", item.name.rsplit("/", 1)[1][:-5])
        stem = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", stem).lower()
        folder = re.sub(r"[_-]+", " ", item.name.split("/")[-2])
        queries, members = [stem], []
        if isinstance(node, dict):
            description = node.get("description", "")
            if isinstance(description, str):
                short = re.sub(r"^(a |an |the )?(partial |complete |short )?(list|lists|names|types) of (the )?", "", description, flags=re.I)
                short = re.split(r"[.(,;:]| from | taken | via ", short)[0].strip()
                if 3 < len(short) < 70:
                    queries.append(short)
            for key, value in node.items():
                if key not in ("description", "source", "url", "copyright", "license"):
                    members += _strings(value)
        else:
            members = _strings(node)
        if len(stem) < 4 or stem in ("national", "service", "australia"):
            queries.append(f"{stem} {folder}")
        members = [m for m in dict.fromkeys(members) if 2 < len(m) < 60]
        if len(members) >= 8:
            known = [{"name": m, "knowledge": knowledge(entities().get(fold(m)))} for m in members[:400]]
            out.append({"queries": queries, "members": known})
    return out
