"""Groups for the judge: a document's candidates and its queries with their answers, from three sources.

A group is `{"id", "source", "held", "candidates": [[name, kind, knowledge, page's word], …], "titles", "contexts", "queries": [{"q",
"answers", "open", "sentences", "encoder", "needs"}]}`. `open` are candidates whose label nobody knows; `sentences` has one list of
sentences a candidate; `titles` and `contexts`, the sentences of the first mentions, are for the encoder. Pages and list queries come through the engine (`judge_texts`, the tagger's and the linker's errors included);
passages and neighbourhoods of the knowledge base come as the pools give them.
"""
import hashlib
import json
import lzma
import re

from .list_queries import sentence_around

FIRST_IS_RIGHT = ("squad1-0", "squad1-2", "squad1-3")


def lines(path):
    opened = lzma.open(path, "rt", encoding="utf-8") if str(path).endswith(".xz") else open(path, encoding="utf-8")
    with opened as file:
        return [json.loads(line) for line in file]


def is_reserved(name: str) -> bool:
    """True for the tenth of the pools and pages that no judge is trained on: the rule is fitted there."""
    return hashlib.sha1(name.encode()).digest()[0] % 10 == 0


def gold_spans(text: str, entities: list) -> list[list]:
    """Byte spans of every entity's strings as whole words, a longer name before the shorter ones inside it."""
    taken, out = [], [[] for _ in entities]
    names = [(number, name) for number, entity in enumerate(entities) for name in entity["mentions"] if name]
    names.sort(key=lambda pair: -len(pair[1]))
    for number, name in names:
        for match in re.finditer(r"(?<!\w)" + re.escape(name) + r"(?!\w)", text):
            start, end = match.span()
            if all(end <= s or e <= start or (s, e) == (start, end) for s, e in taken):
                taken.append((start, end))
                out[number].append((len(text[:start].encode()), len(text[:end].encode())))
    return out


def engine_inputs(shared, reserved=False) -> tuple[list, list]:
    """What `judge_texts` reads: the documents as they are, and with their labelled entities; all, or the reserved ones."""
    pools = read_pools(shared)
    found, given = [], []
    pages, lists = lines(shared / "data/pages/train.jsonl.xz"), lines(shared / "data/list-queries/train.jsonl")
    if reserved:
        pages, lists = [p for p in pages if is_reserved(p["id"])], lists[7::10]
    for page in pages + lists:
        own = [query["q"] for query in page.get("queries", [])]
        asked = [query for query, _ in pools.get(page["id"], {"queries": []})["queries"]]
        found.append({"id": page["id"], "text": page["text"], "queries": own + asked})
        spans = gold_spans(page["text"], page["entities"])
        entities = [{"name": e["name"], "mentions": s} for e, s in zip(page["entities"], spans) if s]
        given.append({"id": page["id"], "text": page["text"], "queries": own, "entities": entities})
    for pool in pools.values():
        if not reserved and pool["id"].startswith(("squad", "quoref")):
            found.append({"id": pool_key(pool), "text": passage(pool), "queries": []})
    return found, given


def read_pools(shared) -> dict:
    """Pools by page; those of passages share numbers with list queries, so their names say what they are. 64 numbers stand
    twice with the same items, once with queries about other ones: the last is right, but for the first few."""
    pools = {}
    for pool in lines(shared / "data/pools/pools.jsonl.xz"):
        if fits(pool) and not (pool["id"] in FIRST_IS_RIGHT and pool_key(pool) in pools):
            pools[pool_key(pool)] = pool
    return pools


def fits(pool: dict) -> bool:
    """False where answers point beyond the items: the labels of such a pool belong to other items."""
    return all(number <= len(pool["items"]) for _, answers in pool["queries"] for number in answers)


def pool_key(pool: dict) -> str:
    return pool["id"] if pool["id"].startswith("web") else "pool " + pool["id"]


def passage(pool: dict) -> str:
    sentences = dict.fromkeys(item["sentence"].strip("…") for item in pool["items"] if item.get("sentence"))
    return "\n\n".join(sentences)


def overlap(a, b) -> float:
    shared = min(a[1], b[1]) - max(a[0], b[0])
    return shared / (max(a[1], b[1]) - min(a[0], b[0])) if shared > 0 else 0.0


def match_gold(candidate: dict, spans: list[list]) -> int | None:
    """Which labelled entity most of a candidate's mentions are."""
    votes = {}
    for mention in candidate["mentions"]:
        for number, own in enumerate(spans):
            if any(overlap(mention, span) >= 0.5 for span in own):
                votes[number] = votes.get(number, 0) + 1
    return max(votes, key=votes.get) if votes else None


def candidates_of(row: dict) -> list:
    return [[c["name"], c["kind"], c["knowledge"], c["here"]] for c in row["entities"]]


def contexts_of(text: str, row: dict) -> list[str]:
    data = text.encode()
    return [sentence_around(text, len(data[: min(s for s, _ in c["mentions"])].decode())) if c["mentions"] else "" for c in row["entities"]]


def from_documents(shared, found: dict, given: dict, only=None):
    """Groups of pages and list queries, as the engine found their entities and as they are labelled; of all or `only` some."""
    pools = read_pools(shared)
    lists = lines(shared / "data/list-queries/train.jsonl")
    # Every tenth document of the list queries is measured at the end, another tenth fits the rule.
    held = {doc["id"]: (number % 10 == 3, number % 10 == 7) for number, doc in enumerate(lists)}
    for page in lines(shared / "data/pages/train.jsonl.xz") + lists:
        is_list = page["id"] in held
        measured, reserved = held[page["id"]] if is_list else (False, is_reserved(page["id"]))
        if measured or only is not None and page["id"] not in only:
            continue
        spans = gold_spans(page["text"], page["entities"])
        numbers = {e["name"]: n for n, e in enumerate(page["entities"])}
        own = {q["q"]: q for q in page.get("queries", [])}
        pool = pools.get(page["id"])
        asked = dict(map(tuple, ((q, tuple(a)) for q, a in pool["queries"]))) if pool else {}
        for source, row in (("found", found[page["id"]]), ("given", given[page["id"]])):
            matched = [match_gold(c, spans) for c in row["entities"]]
            items = [match_item(page["text"], c, pool) for c in row["entities"]] if pool else []
            queries = []
            for query in row["queries"]:
                text = query["q"]
                if text not in own and text not in asked:
                    continue
                if text in own:
                    answers = {numbers[a] for a in own[text]["answers"] if a in numbers}
                    labels = [n in answers if n is not None else (None if is_list else False) for n in matched]
                    missing = sum(len(spans[a]) for a in answers if a not in matched)
                    needs = own[text].get("needs")
                else:
                    labels = [None if n is None else n in asked[text] for n in items]
                    missing, needs = 0, "pool"
                queries.append({"q": text, "needs": needs, "missing": missing,
                                "answers": [i for i, label in enumerate(labels) if label],
                                "open": [i for i, label in enumerate(labels) if label is None],
                                "sentences": query["sentences"], "encoder": query["encoder"]})
            if row["entities"] and queries:
                counts = [len(c["mentions"]) for c in row["entities"]]
                yield {"id": page["id"], "source": ("list-" if is_list else "page-") + source, "held": reserved,
                       "candidates": candidates_of(row), "titles": [c["title"] for c in row["entities"]],
                       "contexts": contexts_of(page["text"], row), "counts": counts, "queries": queries}


def match_item(text: str, candidate: dict, pool: dict) -> int | None:
    """Which item of a pool a candidate is, counted from 1, by its names."""
    data = text.encode()
    names = {" ".join(data[s:e].decode().split()) for s, e in candidate["mentions"]}
    best, most = None, 0
    for number, item in enumerate(pool["items"], 1):
        shared = len(names & {item["name"], *item.get("others", [])})
        if shared > most and (item["name"] in names or number not in pool["bad"]):
            best, most = number, shared
    return best


def from_pools(shared, found: dict):
    """Groups of passages and of neighbourhoods of the knowledge base."""
    for pool in read_pools(shared).values():
        if pool["id"].startswith("web"):
            continue
        kinds, said = {}, {}
        for entity in found.get(pool_key(pool), {"entities": []})["entities"]:
            kinds.setdefault(entity["name"].split(", ")[0], entity["kind"])
            said.setdefault(entity["name"].split(", ")[0], entity["here"])
        candidates, sentences, titles = [], [], []
        for item in pool["items"]:
            title, name = item.get("entity", item["name"]), item["name"]
            titles.append(title)
            same = title.split(" (")[0].lower() == name.lower()
            candidates.append([title if same else f"{name}, {title}", kinds.get(name), item.get("description", ""), said.get(name, "")])
            sentences.append([item["sentence"].strip("…")] if item.get("sentence") else [])
        queries = [{"q": q, "needs": "pool", "missing": 0, "answers": [a - 1 for a in answers], "open": [], "sentences": None, "encoder": None}
                   for q, answers in pool["queries"]]
        yield {"id": pool["id"], "source": "pool-" + pool["id"].split("-")[0], "held": is_reserved(pool["id"]),
               "candidates": candidates, "titles": titles, "contexts": [" ".join(s) for s in sentences], "counts": [1] * len(candidates), "sentences": sentences, "queries": queries}
