"""What a reading example is, and the rules all question sets share.

A passage carries questions; a question carries alternative answers, each a list of character spans. With `all` false an
alternative's spans are places where the same string stands (any of them will do); with `all` true they are the several
answers of one list. No alternatives: the passage does not answer.
"""
import re
from dataclasses import dataclass, field


@dataclass
class Question:
    id: str
    text: str
    answers: list
    all: bool = False


@dataclass
class Passage:
    source: str
    article: str
    text: str
    questions: list = field(default_factory=list)
    held: bool = False

    def row(self):
        return {"src": self.source, "article": self.article, "text": self.text, "held": self.held,
                "qas": [{"id": q.id, "q": q.text, "a": q.answers, "all": q.all} for q in self.questions]}


def occurrences(text, answer):
    """Every place where `answer` stands as whole words, else every place at all."""
    bounded = [[m.start(), m.end()] for m in re.finditer(r"(?<!\w)" + re.escape(answer) + r"(?!\w)", text)]
    return bounded or [[m.start(), m.end()] for m in re.finditer(re.escape(answer), text)]
