#!/usr/bin/env python3
"""Writes a made-up piece of a Wikidata JSON dump in the real format, for measuring `findall kb build --wikidata`.

    python3 kb/make_wikidata_piece.py 100000 piece.json.gz

Items have labels, descriptions and aliases in many languages, statements with references, and site links, and are
about as long as real ones (some 7 KB). The same arguments give the same bytes.
"""
import gzip
import json
import random
import sys

LANGUAGES = "en de fr es it nl pl pt ru sv uk ja zh ar ca cs da fi el he hu id ko nb ro sr tr vi bg eo eu fa gl hi hr lt sk sl ta th".split()
CLASSES = ["Q5", "Q515", "Q4830453", "Q11424", "Q16521", "Q4167410", "Q7889", "Q486972", "Q13442814", "Q482994"]
SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo yu za bren stal mor vik ton ham ley".split()
PLACES = ["Northland", "Orr County", "West Harrow", "Lower Wend", "Calder", "Osten"]
NOUNS = ["river", "village", "footballer", "painter", "software company", "film", "species of beetle", "album", "bridge", "politician"]


def word(rng):
    return "".join(rng.choice(SYLLABLES) for _ in range(rng.randint(2, 4))).capitalize()


def statement(rng, number, prop, value, kind):
    reference = {"hash": "%040x" % rng.getrandbits(160), "snaks": {"P143": [{"snaktype": "value", "property": "P143", "datavalue": {"value": {"entity-type": "item", "numeric-id": 328, "id": "Q328"}, "type": "wikibase-entityid"}, "datatype": "wikibase-item"}]}, "snaks-order": ["P143"]}
    return {"mainsnak": {"snaktype": "value", "property": prop, "datavalue": {"value": value, "type": kind}, "datatype": kind}, "type": "statement", "id": "Q%d$%032x" % (number, rng.getrandbits(128)), "rank": "normal", "references": [reference]}


def item(rng, number):
    label = f"{word(rng)} {word(rng)}"
    languages = rng.sample(LANGUAGES[1:], rng.randint(5, len(LANGUAGES) - 1))
    both = (["en"] if rng.random() < 0.9 else []) + languages
    cls = rng.choice(CLASSES)
    claims = {"P31": [statement(rng, number, "P31", {"entity-type": "item", "numeric-id": int(cls[1:]), "id": cls}, "wikibase-entityid")]}
    if cls == "Q5":
        year = rng.randint(1700, 2005)
        time = {"time": "+%d-05-17T00:00:00Z" % year, "timezone": 0, "before": 0, "after": 0, "precision": 11, "calendarmodel": "http://www.wikidata.org/entity/Q1985727"}
        claims["P569"] = [statement(rng, number, "P569", time, "time")]
    for prop in rng.sample(range(100, 3000), rng.randint(3, 12)):
        target = rng.randint(1, 10**8)
        claims["P%d" % prop] = [statement(rng, number, "P%d" % prop, {"entity-type": "item", "numeric-id": target, "id": "Q%d" % target}, "wikibase-entityid")]
    claims["P18"] = [statement(rng, number, "P18", label + ".jpg", "string")]
    sites = rng.sample(languages, min(len(languages), int(rng.expovariate(0.3)))) + (["en"] if rng.random() < 0.4 else [])
    return {
        "type": "item",
        "id": "Q%d" % number,
        "labels": {code: {"language": code, "value": label} for code in both},
        "descriptions": {code: {"language": code, "value": f"{rng.choice(NOUNS)} in {rng.choice(PLACES)}"} for code in both[: len(both) // 2 + 1]},
        "aliases": {"en": [{"language": "en", "value": f"{label} {word(rng)}"} for _ in range(rng.randint(0, 3))]},
        "claims": claims,
        "sitelinks": {code + "wiki": {"site": code + "wiki", "title": label + ("" if rng.random() < 0.8 else f" ({rng.choice(NOUNS)})"), "badges": []} for code in sites},
        "lastrevid": rng.randint(1, 2 * 10**9),
    }


def main():
    count, path = int(sys.argv[1]), sys.argv[2]
    rng = random.Random(7)
    with gzip.GzipFile(path, "wb", compresslevel=3, mtime=0) as out:
        out.write(b"[\n")
        for number in range(1, count + 1):
            line = json.dumps(item(rng, number), ensure_ascii=False, separators=(",", ":"))
            out.write(line.encode() + (b",\n" if number < count else b"\n"))
        out.write(b"]\n")


if __name__ == "__main__":
    main()
