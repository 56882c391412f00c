"""GUM: interviews, news, travel and how-to texts in which every noun phrase is an entity (CC BY 4.0).

Only phrases written wholly with capitals count as mentions; other capitalised words inside phrases are ignored, since
the set does not say which part of a phrase is the name.
"""
from .mentions import TYPE_ID, archive_texts, conll_sentences, from_tokens

KIND = {"person": "person", "organization": "organization", "place": "place"}
LEADING_WORDS = {"the", "a", "an", "his", "her", "their", "our", "my", "this", "that"}
PRONOUNS = set("i he she it we they you me him her us them this that these those who one his its their our your my mine hers".split())
SMALL_WORDS = {"of", "the", "and", "for", "de", "la", "&", "-"}


def examples(folder):
    for name, text in archive_texts(f"{folder}/general.tar.xz", lambda n: "/GUM/CONLL-format/data-by-corpustype/" in n):
        for index, rows in enumerate(conll_sentences(text.splitlines(), "\t")):
            rows = [row for row in rows if len(row) == 2]
            yield sentence(f"{name}:{index // 8}", [r[0] for r in rows], [r[1] for r in rows])


def sentence(doc, tokens, tags):
    spans, unsure, start = [], [], 0
    for index in range(1, len(tokens) + 1):
        if index < len(tokens) and tags[index] == tags[start]:
            continue
        first = start
        while first < index and tokens[first].lower() in LEADING_WORDS:
            first += 1
        named = all(t[0].isupper() or t in SMALL_WORDS for t in tokens[first:index]) and any(t[0].isupper() for t in tokens[first:index])
        if index - first == 1 and tokens[first].lower() in PRONOUNS:
            start = index
            continue
        capitals = [i for i in range(first, index) if tokens[i][0].isupper() and i > 0]
        if tags[start] in KIND and named and index - first <= 6:
            spans.append((first, index, TYPE_ID[KIND[tags[start]]]))
        elif tags[start] != "O":
            unsure += capitals + ([first] if first < index and first == 0 else [])
        start = index
    example = from_tokens("gum", doc, tokens, spans)
    ends = []
    position = 0
    for token in tokens:
        ends.append((position, position + len(token)))
        position += len(token) + 1
    example.ignore = [list(ends[i]) for i in unsure]
    return example
