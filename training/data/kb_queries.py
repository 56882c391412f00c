"""Queries made from the knowledge sources: an entity's class, nation, place and the names around it become list queries.

Each query comes with entities that satisfy it and entities that miss it by one condition (same class, other nation;
same nation, other class; other sort of thing). A candidate that might satisfy it by a synonym is left out: WordNet's
hypernyms decide.
"""

import random
import re
from collections import defaultdict
from pathlib import Path

from .sources import entities, knowledge
from .wordnet import hypernyms, is_noun

NATIONS = dict(line.split("\t") for line in (Path(__file__).parent / "nations.tsv").read_text().splitlines())
COUNTRIES = {country: nation for nation, country in NATIONS.items()}
STOP = re.compile(
    r"\b(?:in|of|from|born|by|founded|known|who|whose|which|that|based|with|for|on|at|and|or|to|since|near|between|held|best|"
    r"where|as|headquartered|located|established|owned|part|famous|former(?:ly)?|created|released|written|directed)\b|[,;:(0-9]"
)
IRREGULAR_PLURALS = {"person": "people", "man": "men", "woman": "women", "child": "children", "series": "series", "species": "species",
             "wife": "wives", "genus": "genera", "sportsperson": "sportspeople", "businessman": "businessmen"}
VAGUE = {"entity", "object", "thing", "whole", "unit", "group", "way", "part", "member", "name", "type", "form", "term", "act", "someone", "one",
         "abstraction", "matter", "set", "kind", "sort", "number", "case", "being", "causal agent", "physical object", "unit", "instrumentality",
         "organism", "living thing", "soul", "somebody", "mortal", "individual", "artefact", "artifact", "attribute", "state", "action", "event"}
NAME = re.compile(r"\b[A-Z][\w'’-]+(?: (?:of |the |and )?[A-Z][\w'’-]+){0,3}")


def plural(noun: str) -> str:
    head, _, last = noun.rpartition(" ")
    if last in IRREGULAR_PLURALS:
        last = IRREGULAR_PLURALS[last]
    elif last.endswith(("s", "x", "ch", "sh")):
        last += "es"
    elif last.endswith("y") and last[-2:-1] not in "aeiou":
        last = last[:-1] + "ies"
    elif last.endswith("man") and len(last) > 4:
        last = last[:-3] + "men"
    else:
        last += "s"
    return f"{head} {last}".strip()


def describe(row: dict) -> dict | None:
    """Class, nation, place and names of an entity, read off its type or definition; None where nothing is clear."""
    text = knowledge(row)
    phrase = row.get("written") or row.get("type") or ""
    if not phrase and (found := re.search(r"\b(?:is|was|are|were) (?:an?|the|one of the) ([^.;]{4,90})", text)):
        phrase = found.group(1)
    if " / " in phrase:  # company / industry / country
        parts = phrase.split(" / ")
        country = parts[2] if len(parts) > 2 else None
        return {"row": row, "text": text, "class": "company", "head": "company", "nation": None, "place": country, "industry": parts[1], "names": set()}
    nation = next((n for n in sorted(NATIONS, key=len, reverse=True) if re.search(rf"\b{n}\b", phrase[:40])), None)
    place = re.search(r"\bin (?:the )?([A-Z][\w-]+(?: [A-Z][\w-]+){0,2})", phrase)
    chunk = STOP.split(phrase)[0].strip()
    if nation:
        chunk = re.sub(rf"\b{nation}(?:-born)?\b", "", chunk)
    words = [w for w in chunk.split() if w.islower()]
    if not words or len(words) > 4 or not is_noun(words[-1]) or words[-1].endswith(("ed", "ing")) or words[-1] in VAGUE:
        return None
    names = {n for n in NAME.findall(text) if n.lower() not in row["title"].lower() and n not in NATIONS and len(n) > 3}
    return {"row": row, "text": text, "class": " ".join(words), "head": words[-1], "nation": nation,
            "place": place.group(1) if place else None, "industry": None, "names": names}


FORMS = ["{}", "{}", "{}", "list all {}", "Find {}", "find all the {}", "Which ones are {}?", "List the {}", "{} mentioned here", "names of {}", "Show {}", "What {} are there?"]


def _form(query: str, rng: random.Random) -> str:
    text = rng.choice(FORMS).format(query)
    return text[0].upper() + text[1:] if rng.random() < 0.5 else text


def groups(count: int, seed: int = 7) -> list[dict]:
    """`{"q", "positive": [...], "negative": [...]}` of `{"name", "knowledge"}`."""
    rng = random.Random(seed)
    rows = sorted((r for r in entities().values() if knowledge(r)), key=lambda r: r["title"])
    rng.shuffle(rows)
    # Entities that pages mention are the popular ones: all written rows, and as many others.
    rows = [r for r in rows if r.get("written")] + [r for r in rows if not r.get("written")][:90000]
    known = [d for d in map(describe, rows) if d]
    by_head, by_nation, by_name, by_place = (defaultdict(list) for _ in range(4))
    for d in known:
        by_head[d["head"]].append(d)
        if d["nation"]:
            by_nation[d["nation"]].append(d)
        if d["place"]:
            by_place[d["place"]].append(d)
        for n in d["names"]:
            by_name[n].append(d)

    def is_a(d, noun):
        return noun == d["head"] or noun in d["class"] or noun in hypernyms(d["head"])

    def from_country(d, nation):
        return d["nation"] == nation or d["place"] == NATIONS[nation] or NATIONS[nation] in d["text"] or nation in d["text"]

    def pick(pool, n, keep):
        chosen = []
        for d in rng.sample(pool, min(len(pool), 6 * n)):
            if len(chosen) < n and keep(d):
                chosen.append(d)
        return chosen

    out = []
    while len(out) < count:
        d = rng.choice(known)
        kind = rng.random()
        ups = [h for h in hypernyms(d["head"]) if h in by_head or h in ("person", "athlete", "artist", "vehicle", "animal", "plant", "building", "leader", "organization", "performer")]
        noun = rng.choice(sorted(ups)) if ups and rng.random() < 0.25 else (d["class"] if rng.random() < 0.5 else d["head"])
        if noun in VAGUE or len(by_head[d["head"]]) < 8:
            continue
        if kind < 0.45 and d["nation"]:
            nation = d["nation"]
            query = rng.choice([f"{nation} {plural(noun)}", f"{plural(noun)} from {NATIONS[nation]}", f"{nation} {plural(noun)}"])
            good = lambda x: is_a(x, noun) and (x["nation"] == nation or x["place"] == NATIONS[nation])
            same_nation = pick(by_nation[nation], 5, lambda x: not is_a(x, noun) and not (hypernyms(noun) & {x["head"]}))
            same_class = pick(by_head[d["head"]], 5, lambda x: not from_country(x, nation))
            positive = pick([x for x in by_head[d["head"]] if x["nation"] == nation], 4, good)
            negative = same_nation + same_class
        elif kind < 0.60 and d["place"]:
            place = d["place"]
            query = rng.choice([f"{plural(noun)} in {place}", f"{plural(noun)} located in {place}", f"{plural(noun)} based in {place}" if noun in ("company", "organization", "club", "university", "bank") else f"{plural(noun)} in {place}"])
            positive = pick(by_place[place], 4, lambda x: is_a(x, noun))
            negative = pick(by_head[d["head"]], 5, lambda x: place not in x["text"]) + pick(by_place[place], 4, lambda x: not is_a(x, noun))
        elif kind < 0.80 and d["names"]:
            name = rng.choice(sorted(d["names"]))
            if len(by_name[name]) > 400:
                continue
            person = d["row"].get("kind") == "person" or "person" in hypernyms(d["head"])
            query = rng.choice([f"{plural(noun)} associated with {name}", f"related to {name}", f"{plural(noun)} connected to {name}",
                                f"people who worked with {name}" if person else f"{plural(noun)} linked to {name}", name])
            needs_class = noun in query
            positive = pick(by_name[name], 4, lambda x: not needs_class or is_a(x, noun))
            negative = pick(by_head[d["head"]], 6, lambda x: name not in x["text"] and name != x["row"]["title"])
        elif d["industry"]:
            query = rng.choice([f"{d['industry'].lower()} companies", f"companies in the {d['industry'].lower()} industry"])
            positive = pick(by_head["company"], 4, lambda x: x["industry"] == d["industry"])
            negative = pick(by_head["company"], 6, lambda x: x["industry"] and x["industry"] != d["industry"])
        else:
            query = plural(noun)
            positive = pick(by_head[d["head"]], 4, lambda x: is_a(x, noun))
            negative = []
        if not any(x is d for x in positive):
            positive.append(d)
        far = pick(known, 6, lambda x: not is_a(x, noun) and not (hypernyms(noun) & {x["head"]}) and d["row"].get("kind") != x["row"].get("kind"))
        side = lambda xs: [{"name": x["row"]["title"], "knowledge": x["text"]} for x in xs]
        out.append({"q": _form(query, rng), "positive": side(positive), "negative": side(negative + far)})
    return out
