"""LitBank: 2,000-word openings of 100 novels; the proper names of its coreference layer (CC BY 4.0).

LitBank marks whole phrases ("Emma Woodhouse , handsome , clever , and rich"); the mention is cut to the name.
"""
import re

from .mentions import Example, TYPE_ID, archive_texts, trimmed

KIND = {"PER": "person", "FAC": "place", "LOC": "place", "GPE": "place", "ORG": "organization", "VEH": "product"}
TITLES = {"mr", "mrs", "miss", "sir", "lady", "lord", "dr", "captain", "colonel", "king", "queen", "prince", "aunt", "uncle"}


def examples(folder):
    texts, notes = {}, {}
    for name, content in archive_texts(f"{folder}/litbank-entities.tar.xz", lambda n: "coref/brat/" in n):
        key, _, extension = name.rpartition("/")[2].rpartition(".")
        (texts if extension == "txt" else notes)[key] = content
    for key in sorted(texts.keys() & notes.keys()):
        yield from book(key, texts[key], notes[key])


def book(key, text, notes):
    spans, ignore = [], []
    for line in notes.splitlines():
        match = re.match(r"T\d+\t(PROP|NOM)_(\w+) (\d+) (\d+)\t", line)
        if not match or match[2] not in KIND:
            continue
        start, end = int(match[3]), int(match[4])
        if match[1] == "NOM":
            continue
        span = name_in(text, start, end, TYPE_ID[KIND[match[2]]])
        if span:
            spans.append([*span, TYPE_ID[KIND[match[2]]]])
        else:
            ignore.append([start, end])
    spans = longest(spans)
    position = 0
    for line in text.split("\n"):
        if line.strip():
            here = [[s - position, e - position, k] for s, e, k in spans if position <= s and e <= position + len(line)]
            hidden = [[max(s - position, 0), e - position] for s, e in ignore if position <= s and e <= position + len(line)]
            yield Example("litbank", key, line, here, hidden)
        position += len(line) + 1


def name_in(text, start, end, kind):
    """The capitalised name that opens a phrase, or None when the phrase opens otherwise."""
    phrase = re.split(r" [,;(]| who | whose | that ", text[start:end])[0]
    span = trimmed(text, start, start + len(phrase), kind)
    if not span:
        return None
    words = text[span[0]:span[1]].split(" ")
    if len(words) > 6 or not all(w[0].isupper() or w in {"of", "de", "von", "the", ".", "-", "'s", "and", "la"} for w in words):
        return None
    return span


def longest(spans):
    """Non-overlapping spans, the longer ones first."""
    kept = []
    for span in sorted(spans, key=lambda s: s[0] - s[1]):
        if all(span[1] <= k[0] or k[1] <= span[0] for k in kept):
            kept.append(span)
    return sorted(kept)
