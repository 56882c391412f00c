"""KTRL+F dev part, for choosing only: gold entities with their knowledge, queries and gold mentions. Never trained on."""

import json

from .list_queries import context
from .sources import DATA, entities, fold, knowledge


def documents() -> list[dict]:
    out = []
    for line in open(DATA / "ktrlf" / "dev.jsonl", encoding="utf-8"):
        doc = json.loads(line)
        data = doc["data"]
        names = list(dict.fromkeys(m["entity"] for m in data["entity_info"]))
        mentions = {n: [m["mention"] for m in data["entity_info"] if m["entity"] == n] for n in names}
        ents = [
            {
                "name": n,
                "knowledge": knowledge(entities().get(fold(n))),
                "context": context(data["target_text"], mentions[n]),
                "mentions": mentions[n],
            }
            for n in names
        ]
        queries = [
            {"q": q["question"], "answers": [i for i, n in enumerate(names) if n in q["target_entities"]]}
            for q in data["qa_pairs"]
        ]
        out.append({"id": doc["id"], "entities": ents, "queries": queries})
    return out
