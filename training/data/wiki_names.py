"""Weak labels on Wikipedia openings: spaCy's names where they agree with a title or alias, or look safe.

Enters the output of `wiki_spacy.py`. A name that spaCy found and the knowledge base knows counts as a mention; a name
that only one of the two gives is ignored, unless it is a person, place or nationality of spaCy (its reliable types).
"""
import json
import lzma
import re

from .mentions import Example, TYPE_ID, trimmed

KIND = {"PERSON": "person", "ORG": "organization", "GPE": "place", "LOC": "place", "FAC": "place", "NORP": "group",
        "WORK_OF_ART": "work", "LAW": "work", "PRODUCT": "product", "EVENT": "event", "LANGUAGE": "other"}
RELIABLE = {"PERSON", "GPE", "NORP"}
WORD = re.compile(r"\w+")


def examples(path, known, limit):
    """`known` holds the lower-cased titles and aliases of the knowledge base."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for index, line in enumerate(lines):
            if index == limit:
                return
            yield document(json.loads(line), known)


def document(row, known):
    text, spans, ignore = row["text"], [], []
    title = re.sub(r" \(.*\)$", "", row["title"])
    at = text.find(title)
    taken = [False] * (len(text) + 1)
    for start, end, label in row["ents"]:
        if label not in KIND:
            continue
        kind = TYPE_ID[KIND[label]]
        span = trimmed(text, start, end, kind)
        if span is None or not any(c.isupper() for c in text[span[0]:span[1]]):
            continue
        if 0 <= at < end and start < at + len(title) and (span[0], span[1]) != (at, at + len(title)):
            continue
        surface = text[span[0]:span[1]].lower()
        taken[span[0]:span[1]] = [True] * (span[1] - span[0])
        if label in RELIABLE or surface in known:
            spans.append([*span, kind])
        else:
            ignore.append(list(span))
    if 0 <= at < 30 and not any(taken[at:at + len(title)]) and title[:1].isupper():
        spans.append([at, at + len(title), -1])
        taken[at:at + len(title)] = [True] * len(title)
    for match in WORD.finditer(text):
        if match[0][0].isupper() and not taken[match.start()] and (match.start() < 2 or text[match.start() - 2] not in ".!?"):
            ignore.append([match.start(), match.end()])
    return Example("wiki", row["title"], text, sorted(spans), ignore)
