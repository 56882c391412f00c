"""The names of real web pages, every one marked, and what the pools say is no name (labels: ours)."""
import re

from .judge_groups import is_reserved, lines
from .mentions import Example, TYPE_ID, UNKNOWN

CAPITALISED_WORD = re.compile(r"\b[^\W\d_a-zß-öø-ÿ]\w*")


def pages(shared):
    """Pages of which every name is labelled; nothing else in them is one."""
    for page in lines(shared / "data/pages/train.jsonl.xz"):
        kinds = {}
        for entity in page["entities"]:
            kind = TYPE_ID.get("organization" if entity["type"] == "team" else entity["type"], TYPE_ID["other"])
            for mention in entity["mentions"]:
                kinds.setdefault(mention, kind)
        yield Example("pages", page["id"], page["text"], whole_words(page["text"], kinds), held=is_reserved(page["id"]))


def whole_words(text, kinds):
    """Spans of the given strings as whole words, longer ones first."""
    taken, spans = [False] * len(text), []
    for name in sorted(filter(None, kinds), key=len, reverse=True):
        for match in re.finditer(r"(?<!\w)" + re.escape(name) + r"(?!\w)", text):
            if not any(taken[match.start():match.end()]):
                taken[match.start():match.end()] = [True] * len(name)
                spans.append([match.start(), match.end(), kinds[name]])
    return sorted(spans)


def pools(shared):
    """Sentences in which a pool marks something as no name; where it says nothing, nothing is learned."""
    for pool in lines(shared / "data/pools/pools.jsonl.xz"):
        if pool["id"].startswith(("kb", "web")):
            continue
        bad = {pool["items"][n - 1]["name"] for n in pool["bad"] if n <= len(pool["items"])}
        for number in pool["bad"]:
            sentence = pool["items"][number - 1].get("sentence") if number <= len(pool["items"]) else None
            if not sentence:
                continue
            text = sentence.strip("…")
            good = {n: UNKNOWN for i in pool["items"] for n in (i["name"], *i.get("others", [])) if n not in bad}
            spans = whole_words(text, good)
            labelled = [(s, e) for s, e, _ in spans] + [(s, e) for s, e, _ in whole_words(text, {b: 0 for b in bad})]
            ignore = [[m.start(), m.end()] for m in CAPITALISED_WORD.finditer(text)
                      if not any(s <= m.start() < e for s, e in labelled)]
            yield Example("pools", f"{pool['id']} {number}", text, spans, ignore)
