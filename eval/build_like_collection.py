#!/usr/bin/env python3
"""Builds a collection for `findall-eval like` from list queries with judged entities.

    eval/build_like_collection.py QUERIES QRELS ENTITIES.jsonl[.xz] OUT_DIR [--fill N] [--all-queries]

QUERIES   one a line: id, tab, text (DBpedia-Entity v2)
QRELS     TREC form: query id, Q0, <dbpedia:Title>, grade
ENTITIES  JSON Lines with "title", "text" (opening sentences) and "pop"

Writes to OUT_DIR:
  corpus.jsonl   one sentence a line: {"id", "entity", "text"}; sentences of one entity stand together
  queries.jsonl  {"id", "query", "entity", "sentence", "sentence_id", "terms": {word: weight}}
  qrels.txt      TREC form over sentence ids: every sentence of every target entity

The example of a query is its relevant entity of the highest grade, of those the best known one ("pop"), with the first
sentence of its text; the other relevant entities that have text are the targets. Queries with fewer than two targets are
left out. The corpus is every judged entity of every query with text, and N others drawn by a fixed hash.

The simulated person sees the query's words and the example sentence, never a target. Every word of the sentence that is
neither common nor part of the entity's name is compared with the query's words: the same stem, or the same first five
letters, weighs 3; otherwise their normalised pointwise mutual information over all texts of ENTITIES decides (0.25: 2,
0.12: 1). At most five words are kept, the strongest first. Only the Python standard library is needed.
"""

import argparse
import hashlib
import json
import lzma
import math
import os
import re
import sys
from collections import Counter, defaultdict
from urllib.parse import unquote

LIST_KINDS = ("SemSearch_LS", "TREC_Entity", "INEX_XER", "QALD2")
MAX_SENTENCES = 6  # of one entity
MAX_TERMS = 5
STRONG, WEAK = 0.25, 0.12
COMMON_WORDS = set(
    "a about after all also an and any are as at be been being between both but by can could did do does during each "
    "first for from give had has have he her his how i if in into is it its itself list made may me might more most "
    "my name new no nor not of on one or other our out over she should show since so some such than that the their "
    "them then there these they this those through time to two under until up us used was we were what when where "
    "which while who whom whose why will with would year years you your known many called part second".split()
)
WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
# A full stop after a single letter or a common abbreviation ends no sentence.
ENDS = re.compile(r"(?<![A-Z])(?<!\b(?:St|Mr|Dr|Jr|Sr|vs|No|Co|ca))(?<!\b(?:Mrs|Inc|Ltd|lit|Col|Gen|Rev))[.!?][\"”)]?\s+(?=[A-Z\"“(])")


def stem(word):
    word = word.lower().replace("’", "'").removesuffix("'s")
    for end in ("ies", "ing", "ers", "ed", "es", "er", "s"):
        if word.endswith(end) and len(word) - len(end) >= 3:
            return word.removesuffix(end) + ("y" if end == "ies" else "")
    return word


def stems(text):
    return [stem(w) for w in WORD.findall(text) if w.lower() not in COMMON_WORDS and len(w) > 1]


def sentences(text):
    text = " ".join(text.split())
    cuts = [0] + [m.end() for m in ENDS.finditer(text)] + [len(text)]
    parts = [text[a:b].strip() for a, b in zip(cuts, cuts[1:])]
    return [p for p in parts if len(WORD.findall(p)) >= 4][:MAX_SENTENCES]


def key(title):
    return unquote(title).replace("_", " ").strip().lower()


def opened(path):
    return lzma.open(path, "rt", encoding="utf-8") if path.endswith(".xz") else open(path, encoding="utf-8")


def hashed(text):
    return hashlib.blake2b(text.encode(), digest_size=8).digest()


def read_entities(path):
    """Those with text, by title key; of several with one title the better known."""
    entities = {}
    with opened(path) as lines:
        for line in lines:
            row = json.loads(line)
            text = row.get("text") or ""
            if len(text) < 40:
                continue
            k = key(row["title"])
            if k not in entities or (row.get("pop") or 0) > entities[k][2]:
                entities[k] = (row["title"], text, row.get("pop") or 0)
    return entities


def read_queries(path, every):
    queries = {}
    with opened(path) as lines:
        for line in lines:
            name, _, text = line.rstrip("\n").partition("\t")
            if text:
                queries[name] = text
    lists = {name: text for name, text in queries.items() if name.startswith(LIST_KINDS)}
    return queries if every or not lists else lists


def read_qrels(path):
    qrels = defaultdict(dict)
    with opened(path) as lines:
        for line in lines:
            parts = line.split()
            if len(parts) >= 4:
                title = parts[2].removeprefix("<dbpedia:").removesuffix(">")
                qrels[parts[0]][key(title)] = int(parts[3])
    return qrels


class Relation:
    """How much two words have to do with each other, counted over all texts."""

    def __init__(self, wanted, texts):
        self.texts, self.alone, self.together = 0, Counter(), Counter()
        for text in texts:
            self.texts += 1
            here = sorted(wanted.intersection(stems(text)))
            self.alone.update(here)
            for at, a in enumerate(here):
                self.together.update((a, b) for b in here[at + 1 :])

    def between(self, a, b):
        both = self.together[min(a, b), max(a, b)]
        if both < 3:
            return 0.0
        pmi = math.log(both * self.texts / (self.alone[a] * self.alone[b]))
        return pmi / -math.log(both / self.texts)


def weigh(query, entity, sentence, relation):
    asked = set(stems(query))
    names = set(stems(entity))
    scored = {}
    for word in WORD.findall(sentence):
        one = stem(word)
        if word.lower() in COMMON_WORDS or len(word) < 2 or one in names or one in scored:
            continue
        if any(one == q or (len(one) > 4 and one[:5] == q[:5]) for q in asked):
            scored[one] = (3, 1.0, word)
            continue
        best = max((relation.between(one, q) for q in asked), default=0.0)
        if best >= WEAK:
            scored[one] = (2 if best >= STRONG else 1, best, word)
    best = sorted(scored.values(), key=lambda s: (-s[0], -s[1], s[2]))[:MAX_TERMS]
    return {word: weight for weight, _, word in best}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("queries")
    parser.add_argument("qrels")
    parser.add_argument("entities")
    parser.add_argument("out")
    parser.add_argument("--fill", type=int, default=4000, help="entities added that no query judges")
    parser.add_argument("--all-queries", action="store_true", help="not only the four kinds of list queries")
    args = parser.parse_args()

    entities = read_entities(args.entities)
    queries = read_queries(args.queries, args.all_queries)
    qrels = read_qrels(args.qrels)
    judged = {k for name in queries for k in qrels[name] if k in entities}
    others = sorted((k for k in entities if k not in judged), key=hashed)[: args.fill]
    parts = {}
    for k in sorted(judged.union(others), key=hashed):
        found = sentences(entities[k][1])
        if found:
            parts[k] = found

    kept = {}
    for name, text in queries.items():
        relevant = [k for k, grade in qrels[name].items() if grade > 0 and k in parts]
        relevant.sort(key=lambda k: (-qrels[name][k], -entities[k][2], k))
        if len(relevant) >= 3:
            kept[name] = (text, relevant[0], relevant[1:])
    wanted = set()
    for text, example, _ in kept.values():
        wanted.update(stems(text))
        wanted.update(stems(parts[example][0]))
    relation = Relation(wanted, (text for _, text, _ in entities.values()))

    os.makedirs(args.out, exist_ok=True)
    ids = {}
    with open(os.path.join(args.out, "corpus.jsonl"), "w", encoding="utf-8") as out:
        for number, (k, found) in enumerate(parts.items()):
            ids[k] = [f"e{number}.{at}" for at in range(len(found))]
            for name, sentence in zip(ids[k], found):
                row = {"id": name, "entity": entities[k][0], "text": sentence}
                out.write(json.dumps(row, ensure_ascii=False) + "\n")
    weighted = 0
    with (
        open(os.path.join(args.out, "queries.jsonl"), "w", encoding="utf-8") as out,
        open(os.path.join(args.out, "qrels.txt"), "w", encoding="utf-8") as judgements,
    ):
        for name, (text, example, targets) in kept.items():
            entity = entities[example][0]
            sentence = parts[example][0]
            terms = weigh(text, entity, sentence, relation)
            weighted += bool(terms)
            row = {"id": name, "query": text, "entity": entity, "sentence": sentence}
            out.write(json.dumps(row | {"sentence_id": ids[example][0], "terms": terms}, ensure_ascii=False) + "\n")
            for target in targets:
                for one in ids[target]:
                    judgements.write(f"{name} 0 {one} {qrels[name][target]}\n")
    count = sum(map(len, parts.values()))
    targets = sum(len(targets) for _, _, targets in kept.values())
    print(
        f"{len(kept)} queries ({weighted} with weighted words, {targets} targets), {len(parts)} entities, {count} sentences",
        file=sys.stderr,
    )


if __name__ == "__main__":
    main()
