"""Broad Twitter Corpus: tweets tagged PER, ORG, LOC (CC BY 4.0)."""
import re

from .mentions import TYPE_ID, archive_texts, bio_spans, conll_sentences, from_tokens

KIND = {"PER": TYPE_ID["person"], "ORG": TYPE_ID["organization"], "LOC": TYPE_ID["place"]}


def examples(folder):
    for name, text in archive_texts(f"{folder}/general.tar.xz", lambda n: "/BTC/CONLL-format/data/" in n):
        for index, rows in enumerate(conll_sentences(text.splitlines(), "\t")):
            tokens = [row[0] for row in rows]
            # User names (@somebody) are tagged as people there; they are no names on a page.
            spans = [s for s in bio_spans([r[1] for r in rows], KIND.get)
                     if not tokens[s[0]].startswith("@") and (s[0] == 0 or tokens[s[0] - 1] != "@")]
            example = from_tokens("broad_twitter", f"{name}:{index}", tokens, spans)
            example.ignore = unlabelled_capitals(example)
            if spans or index % 4 == 0:
                yield example


def unlabelled_capitals(example):
    """Capitalised words past the first that carry no label: nationalities, products and works have none in this set."""
    covered = [(start, end) for start, end, _ in example.spans]
    return [[m.start(), m.end()] for m in re.finditer(r"\w+", example.text)
            if m.start() > 0 and m[0][0].isupper() and not any(s <= m.start() < e for s, e in covered)]
