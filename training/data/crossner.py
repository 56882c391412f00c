"""CrossNER: Wikipedia sentences of five domains with fine types (MIT)."""
from .mentions import TYPE_ID, UNKNOWN, archive_texts, bio_spans, conll_sentences, from_tokens

KIND = {
    "misc": None, "organisation": "organization", "university": "organization", "politicalparty": "organization",
    "band": "organization", "location": "place", "country": "place", "person": "person", "politician": "person",
    "writer": "person", "musicalartist": "person", "scientist": "person", "researcher": "person", "book": "work",
    "album": "work", "song": "work", "poem": "work", "academicjournal": "work", "magazine": "work", "event": "event",
    "election": "event", "conference": "event", "product": "product", "programlang": "product",
    "musicalinstrument": "product",
}


def kind_of(name):
    """Everything that is not named above (genres, fields, algorithms, awards, stars, chemicals) is `other`."""
    coarse = KIND.get(name, "other")
    return UNKNOWN if coarse is None else TYPE_ID[coarse]


def examples(folder):
    for name, text in archive_texts(f"{folder}/crossner.tar.xz", lambda n: n.startswith("ner_data/") and n.endswith(".txt")):
        for index, rows in enumerate(conll_sentences(text.splitlines())):
            rows = [row for row in rows if len(row) == 2]
            yield from_tokens("crossner", f"{name}:{index}", [r[0] for r in rows], bio_spans([r[1] for r in rows], kind_of))
