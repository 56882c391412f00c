"""What a step of the encoder's training sees: queries, each with candidate texts that it may ask for, and what a judge reads of the
same candidates, drawn anew each time; and questions with their answers and rewordings."""
import random

import numpy as np
import torch
from torch.utils.data import IterableDataset, get_worker_info

from judge import KNOWLEDGE_CHARACTERS, by_length, parts_of
from reader import CLS, PADDING, SEP

CANDIDATES = 24
MAX_TEXT_PIECES = 96
# How often an entity is told by its context although something is known of it, and how often parts of a context are left out.
CONTEXT_SHARE, DROP_KIND_SHARE, DROP_PAGE_WORD_SHARE = 0.4, 0.1, 0.2
QUESTIONS, REWORDINGS = 48, 32


def typo(text: str, rng: random.Random) -> str:
    """One letter added, replaced or removed inside a word."""
    places = [i for i, c in enumerate(text) if c.isalpha() and i > 1]
    if not places:
        return text
    i, letter = rng.choice(places), rng.choice("abcdefghijklmnopqrstuvwxyz")
    return rng.choice([text[:i] + letter + text[i:], text[:i] + letter + text[i + 1 :], text[:i] + text[i + 1 :]])


def context_text(group: dict, number: int, kind=True, here=True) -> str:
    """The text that stands for an entity by its document: name, kind, what the document says it is, a sentence; the engine's
    `entities::context`."""
    _, its_kind, _, said_here = group["candidates"][number]
    title = group["titles"][number]
    parts = [f"{title} ({its_kind})." if its_kind and kind else f"{title}."]
    if said_here and here:
        parts.append(f"{said_here}.")
    return " ".join([*parts, group["contexts"][number]]).rstrip()


class Draws(IterableDataset):
    """Steps without end, as tensors: queries, texts, which texts belong to which query, labels, and a judge's pairs."""

    def __init__(self, data, pairs, near, args):
        self.data, self.pairs, self.near, self.args = data, pairs, near, args
        self.groups = data["groups"]
        self.items = [(g, q) for g, group in enumerate(self.groups) for q in range(len(group["queries"]))]
        self.described = [(d, q) for d, doc in enumerate(data["described"]) for q in range(len(doc["queries"]))]

    def __iter__(self):
        worker = get_worker_info()
        rng = random.Random(f"{self.args.seed} {worker.id if worker else 0}")
        while True:
            groups = [self.labelled(rng) for _ in range(self.args.queries)]
            groups += [self.stranger(rng) for _ in range(self.args.queries // 2)]
            groups += [self.neighbours(rng) for _ in range(self.args.queries)]
            groups += [self.description(rng) for _ in range(self.args.queries // 4)]
            yield self.tensors(groups, rng)

    # A group is a query and rows of (text, what a judge reads, label or None).

    def labelled(self, rng):
        g, q = rng.choice(self.items)
        group = self.groups[g]
        query = group["queries"][q]
        answers, unknown = set(query["answers"]), set(query["open"])
        right = rng.sample(query["answers"], len(query["answers"]))
        wrong = [n for n in range(len(group["candidates"])) if n not in answers and n not in unknown]
        rng.shuffle(wrong)
        right = right[: max(CANDIDATES // 2, CANDIDATES - len(wrong))]
        return self.query(query["q"], rng), [(*self.texts(group, query, n, rng), float(n in answers)) for n in right + wrong[: CANDIDATES - len(right)]]

    def stranger(self, rng):
        own = self.groups[rng.choice(self.items)[0]]
        asked = rng.choice(own["queries"])["q"] if rng.random() < 0.7 else rng.choice(self.near.queries)
        group = rng.choice(self.groups)
        query = rng.choice(group["queries"])
        numbers = rng.sample(range(len(group["candidates"])), min(CANDIDATES, len(group["candidates"])))
        return self.query(asked, rng), [(*self.texts(group, query, n, rng), None) for n in numbers]

    def neighbours(self, rng):
        """A query with entities of the knowledge base: mostly near ones, which are hard, and a few of all."""
        asked = rng.choice(self.near.queries)
        near = rng.sample(list(self.near.numbers[asked]), CANDIDATES - 4) + [rng.randrange(len(self.data["base"])) for _ in range(4)]
        rows = [self.data["base"][number] for number in near]
        return self.query(asked, rng), [(f"{title}. {known}", [f"{title}.", known[:KNOWLEDGE_CHARACTERS]], None) for title, known in rows]

    def description(self, rng):
        d, q = rng.choice(self.described)
        doc = self.data["described"][d]
        query = doc["queries"][q]
        rows = []
        for number in rng.sample(range(len(doc["entities"])), min(CANDIDATES, len(doc["entities"]))):
            entity = doc["entities"][number]
            rows.append((f"{entity['name']}. {entity['description']}", [f"{entity['name']}.", entity["description"]], float(number in query["answers"])))
        return self.query(query["q"], rng), rows

    def query(self, text, rng):
        draw = rng.random()
        return text.lower() if draw < 0.12 else typo(text, rng) if draw < 0.16 else text

    def texts(self, group, query, number, rng):
        known = group["knowledge"][number]
        # What only the document decides is not asked of the knowledge base's text.
        by_context = not known or query["needs"] == "text" or rng.random() < CONTEXT_SHARE
        text = f"{group['titles'][number]}. {known}"
        if by_context:
            text = context_text(group, number, rng.random() >= DROP_KIND_SHARE, rng.random() >= DROP_PAGE_WORD_SHARE)
        return text, parts_of(group, query, number)

    def rows(self, texts):
        """Rows of pieces, and how many there are in each."""
        pieces = [self.pairs.pieces(text)[: MAX_TEXT_PIECES - 2] for text in texts]
        ids = np.full((len(pieces), -(-(max(map(len, pieces)) + 2) // 8) * 8), PADDING, np.int16)
        for row, own in enumerate(pieces):
            ids[row, 0], ids[row, 1: len(own) + 1], ids[row, len(own) + 1] = CLS, own, SEP
        return torch.from_numpy(ids), torch.tensor([len(own) + 2 for own in pieces])

    def tensors(self, groups, rng):
        place = {}
        width = max(len(rows) for _, rows in groups)
        numbers = torch.zeros(len(groups), width, dtype=torch.long)
        present, labels, known = (torch.zeros(len(groups), width) for _ in range(3))
        asked = []
        for g, (query, rows) in enumerate(groups):
            for c, (text, parts, label) in enumerate(rows):
                numbers[g, c] = place.setdefault(text, len(place))
                present[g, c], labels[g, c], known[g, c] = 1.0, label or 0.0, float(label is not None)
                asked.append((query, parts))
        order, stretches, arrays = by_length(*self.pairs.batch(asked))
        questions = rng.sample(self.data["passages"], QUESTIONS)
        rewordings = [self.rewording(rng) for _ in range(REWORDINGS)]
        return {
            "queries": self.rows([query for query, _ in groups]), "texts": self.rows(list(place)),
            "numbers": numbers, "present": present, "labels": labels, "known": known,
            "pairs": (torch.from_numpy(order), stretches, [torch.from_numpy(a) for a in arrays]),
            "contrasts": [
                (self.rows([q[0] for q in questions]), self.rows([q[1] for q in questions] + [q[2] or "none" for q in questions])),
                (self.rows([r[0] for r in rewordings]), self.rows([r[1] for r in rewordings])),
            ],
        }

    def rewording(self, rng):
        """A question, and the same need in other words or with typing errors."""
        if rng.random() < 0.4:
            return rng.sample(rng.choice(self.data["same"]), 2)
        question = rng.choice(self.data["passages"])[0]
        return question, typo(typo(question, rng), rng) if rng.random() < 0.6 else question.lower().rstrip("?")
