"""Training groups of the encoder: a query, candidate texts, and which of them answer; drawn anew each time with varied knowledge."""

import random

from data.list_queries import is_held_out


def knowledge_text(entity: dict, mode: str) -> str:
    """The text that stands for an entity: `{name}. {what is known}`, the engine's `Record::knowledge_text`."""
    detail = {
        "description": entity.get("description", ""),
        "knowledge": entity.get("knowledge", ""),
        "context": entity.get("context", ""),
        "title": "",
    }[mode]
    return f"{entity['name']}. {detail}" if detail else entity["name"]


def typo(text: str, rng: random.Random) -> str:
    """One letter added, replaced or removed inside a word."""
    places = [i for i, c in enumerate(text) if c.isalpha() and i > 1]
    if not places:
        return text
    i, letter = rng.choice(places), rng.choice("abcdefghijklmnopqrstuvwxyz")
    return rng.choice([text[:i] + letter + text[i:], text[:i] + letter + text[i + 1 :], text[:i] + text[i + 1 :]])


class Groups:
    """Draws groups `(query, texts, labels)` from the prepared data."""

    def __init__(self, data: dict, seed: int):
        self.rng = random.Random(seed)
        self.data = data
        train = [d for i, d in enumerate(data["list"]) if not is_held_out(i)]
        self.list_items = [(d, q) for d in train for q in d["queries"]]
        self.train_entities = [e for d in train for e in d["entities"]]

    def query(self, text: str) -> str:
        draw = self.rng.random()
        return text.lower() if draw < 0.12 else typo(text, self.rng) if draw < 0.18 else text

    def text(self, entity: dict) -> str:
        draw = self.rng.random()
        if "description" not in entity:
            return knowledge_text(entity, "title" if draw < 0.12 else "knowledge")
        mode = "description" if draw < 0.35 else "knowledge" if draw < 0.70 else "context" if draw < 0.85 else "title"
        return knowledge_text(entity, mode)

    def from_list(self):
        doc, query = self.rng.choice(self.list_items)
        answers = set(query["answers"])
        texts = [self.text(e) for e in doc["entities"]]
        return self.query(query["q"]), texts, [float(i in answers) for i in range(len(texts))]

    def from_pair(self, group: dict, positives=4, negatives=10):
        good = self.rng.sample(group["positive"], min(positives, len(group["positive"])))
        bad = self.rng.sample(group["negative"], min(negatives, len(group["negative"])))
        return self.query(group["q"]), [self.text(e) for e in good + bad], [1.0] * len(good) + [0.0] * len(bad)

    def from_kb(self):
        return self.from_pair(self.rng.choice(self.data["kb"]))

    def from_dbpedia(self):
        return self.from_pair(self.rng.choice(self.data["dbpedia"]), 4, 8)

    def from_typed(self):
        chosen, other = self.rng.sample(self.data["typed"], 2)
        good = self.rng.sample(chosen["members"], min(5, len(chosen["members"])))
        bad = self.rng.sample(other["members"], min(4, len(other["members"])))
        bad += self.rng.sample(self.train_entities, 4)
        query = self.rng.choice(["{}", "{}", "list all {}", "find {}", "names of {}"]).format(self.rng.choice(chosen["queries"]))
        return self.query(query), [self.text(e) for e in good + bad], [1.0] * len(good) + [0.0] * len(bad)

    def stranger(self):
        """A query of one document over the entities of others: labels unknown, for a teacher to give."""
        _, query = self.rng.choice(self.list_items)
        texts = [self.text(e) for e in self.rng.sample(self.train_entities, 16)]
        return self.query(query["q"]), texts, None

    def passages(self, count: int):
        """(question, answering sentence, other sentence) for in-batch contrast."""
        return self.rng.sample(self.data["passages"], count)

    def paraphrases(self, count: int):
        """(question, the same need in other words or with a typo)."""
        out = []
        while len(out) < count:
            if self.rng.random() < 0.4:
                a, b = self.rng.sample(self.rng.choice(self.data["same"]), 2)
            else:
                a = self.rng.choice(self.data["passages"])[0]
                b = typo(typo(a, self.rng), self.rng) if self.rng.random() < 0.6 else a.lower().rstrip("?")
            out.append((a, b))
        return out
