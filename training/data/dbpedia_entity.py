"""DBpedia-Entity v2: keyword and list queries with graded entities, joined with what the sources say of them."""

import tarfile
from collections import defaultdict

from .sources import DATA, entities, fold, knowledge


def queries() -> list[dict]:
    """`{"q", "positive": [...], "negative": [...]}` of `{"name", "knowledge"}`; entities without knowledge are left out."""
    archive = tarfile.open(DATA / "entity-lists" / "dbpedia-entity-v2-part.tar.xz")
    texts, grades = {}, defaultdict(dict)
    for item in archive.getmembers():
        lines = archive.extractfile(item).read().decode().splitlines() if item.isfile() else []
        if item.name.endswith("queries-v2.txt"):
            texts = dict(line.split("\t", 1) for line in lines)
        elif item.name.endswith("qrels-v2.txt"):
            for line in lines:
                query, _, entity, grade = line.split("\t")
                grades[query][entity[len("<dbpedia:") : -1].replace("_", " ")] = int(grade)
    out = []
    for query, text in texts.items():
        sides = {True: [], False: []}
        for name, grade in grades[query].items():
            row = entities().get(fold(name))
            if knowledge(row):
                sides[grade > 0].append({"name": name, "knowledge": knowledge(row)})
        if sides[True]:
            out.append({"q": text, "positive": sides[True][:40], "negative": sides[False][:60]})
    return out
