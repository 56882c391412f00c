"""What a reading example is, and the rules all question sets share.

A passage carries questions; a question carries alternative answers, each a list of character spans. With `all` false an
alternative's spans are places where the same string stands (any of them will do); with `all` true they are the several
answers of one list. No alternatives: the passage does not answer. `near` are `[kind, text]`, questions like this one that
the passage does not answer, and `far` the numbers of passages that do not answer it (`unanswerable.py` makes both).
"""
import re
from dataclasses import dataclass, field


@dataclass
class Question:
    id: str
    text: str
    answers: list
    all: bool = False
    near: list = field(default_factory=list)
    far: list = field(default_factory=list)

    def row(self):
        made = {key: value for key, value in (("near", self.near), ("far", self.far)) if value}
        return {"id": self.id, "q": self.text, "a": self.answers, "all": self.all, **made}


@dataclass
class Passage:
    source: str
    article: str
    text: str
    questions: list = field(default_factory=list)
    held: bool = False

    def row(self):
        return {"src": self.source, "article": self.article, "text": self.text, "held": self.held, "qas": [q.row() for q in self.questions]}


def occurrences(text, answer):
    """Every place where `answer` stands as whole words, else every place at all."""
    bounded = [[m.start(), m.end()] for m in re.finditer(r"(?<!\w)" + re.escape(answer) + r"(?!\w)", text)]
    return bounded or [[m.start(), m.end()] for m in re.finditer(re.escape(answer), text)]
