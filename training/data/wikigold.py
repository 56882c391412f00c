"""Wikigold: Wikipedia articles tagged PER, ORG, LOC, MISC in IOB1 (CC BY 4.0)."""
from .mentions import TYPE_ID, UNKNOWN, archive_texts, bio_spans, conll_sentences, from_tokens

KIND = {"PER": TYPE_ID["person"], "ORG": TYPE_ID["organization"], "LOC": TYPE_ID["place"], "MISC": UNKNOWN}


def examples(folder):
    for _, text in archive_texts(f"{folder}/general.tar.xz", lambda n: n.endswith("wikigold.conll.txt")):
        document = 0
        for rows in conll_sentences(text.splitlines()):
            if rows[0][0] == "-DOCSTART-":
                document += 1
                continue
            yield from_tokens("wikigold", str(document), [r[0] for r in rows], bio_spans([r[1] for r in rows], KIND.get))
