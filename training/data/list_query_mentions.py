"""The mentions of the project's own list queries: news and Wikipedia passages (labels: ours).

Up to 25 entities a document are listed, so other capitalised words are ignored instead of being taken as negatives.
"""
import json
import re

from .mentions import Example, TYPE_ID

WORD = re.compile(r"\w+")


def examples(folder):
    with open(f"{folder}/train.jsonl", encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            # A tenth is measured on at the end, on another the rule of find is fitted.
            yield document(json.loads(line), held=number % 10 in (3, 7))


def document(row, held=False):
    text = row["text"]
    kinds = {}
    for entity in row["entities"]:
        kind = TYPE_ID["organization" if entity["type"] == "team" else entity["type"]]
        for mention in entity["mentions"]:
            kinds.setdefault(mention, kind)
    taken = [False] * len(text)
    spans = []
    for mention in sorted(kinds, key=len, reverse=True):
        for match in re.finditer(r"(?<!\w)" + re.escape(mention) + r"(?!\w)", text):
            if not any(taken[match.start():match.end()]):
                taken[match.start():match.end()] = [True] * len(mention)
                spans.append([match.start(), match.end(), kinds[mention]])
    ignore = [[m.start(), m.end()] for m in WORD.finditer(text) if m[0][0].isupper() and not taken[m.start()]
              and not sentence_opener(text, m)]
    return Example("list_queries", row["id"], text, sorted(spans), ignore, held)


def sentence_opener(text, match):
    """A capital that a sentence start explains, on a word that is usually no name."""
    before = text[:match.start()].rstrip(" \"'“‘(")
    opens = not before or before[-1] in ".!?\n:" or "\n" in text[len(before):match.start()]
    return opens and match[0].lower() in COMMON_WORDS


COMMON_WORDS = set("the a an it its he she his her they their this that these those in on at by for from to of with as and but or if when "
             "while after before since during because although however there here we our you your i my one two three some many most "
             "all both each no not now then also who what which where how why is was are were has have had do does did will would can "
             "could may might should be been being other another such under over into between among until through about".split())
