"""WNUT 2017: tweets and forum posts with rare, emerging names (CC BY 4.0)."""
from .mentions import TYPE_ID, archive_texts, bio_spans, conll_sentences, from_tokens

KIND = {name: TYPE_ID[kind] for name, kind in {
    "person": "person", "location": "place", "corporation": "organization",
    # "group" there means bands, teams and the like.
    "group": "organization", "creative-work": "work", "product": "product"}.items()}


def examples(folder):
    for name, text in archive_texts(f"{folder}/general.tar.xz", lambda n: "/WNUT17/CONLL-format/data/" in n):
        for index, rows in enumerate(conll_sentences(text.splitlines(), "\t")):
            tags = [row[1].split(",")[0] for row in rows]
            yield from_tokens("wnut17", f"{name}:{index}", [r[0] for r in rows], bio_spans(tags, KIND.get))
