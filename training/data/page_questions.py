"""Natural questions on real web pages (`pages/ask-train.json.xz`), cut into passages as ask cuts a page.

A page is cut at line breaks into passages of at most 1,400 characters. A question is asked of the passage that holds its
first answer; the page's other passages do not answer it (`far`). A question that the page does not answer is asked of
the passage that shares most of its words. A tenth of the pages (by hash of the title) is held: there ask's order and
silence are fitted.
"""
import hashlib
import json
import lzma
import re

from .questions import Passage, Question, occurrences

MAX_CHARS = 1400
WORD = re.compile(r"[a-z0-9]+")


def is_reserved(title):
    return int(hashlib.sha1(title.encode()).hexdigest(), 16) % 10 == 0


def cuts(text, longest=MAX_CHARS):
    """`(start, end)` of the passages: whole lines up to `longest` characters, longer lines cut at a blank."""
    out, start, end = [], 0, 0
    for line in re.finditer(r"[^\n]*(?:\n|$)", text):
        if line.end() - start > longest and end > start:
            out.append((start, end))
            start = end
        end = line.end()
        while end - start > longest:
            blank = text.rfind(" ", start + 1, start + longest)
            cut = blank if blank > start else start + longest
            out.append((start, cut))
            start = cut
    if end > start:
        out.append((start, end))
    return [(s, e) for s, e in out if text[s:e].strip()]


def words(text):
    return set(WORD.findall(text.lower()))


def add(passages, bounds, number, qa):
    """Puts one question of a page to the passages from `number` on, which are those of the page."""
    pages = passages[number:]
    own = {}
    for answer in qa["answers"]:
        at = answer["answer_start"]
        for place, (start, end) in enumerate(bounds):
            if start <= at and at + len(answer["text"]) <= end:
                own.setdefault(place, []).append(answer["text"])
    if qa["answers"] and not own:
        return
    texts = {answer["text"] for answer in qa["answers"]}
    far = [number + place for place, page in enumerate(pages) if place not in own and not any(t in page.text for t in texts)]
    if not own:
        asked = words(qa["question"])
        own = {max(range(len(pages)), key=lambda place: len(asked & words(pages[place].text))): []}
    for place, answers in own.items():
        alternatives = [spans for spans in (occurrences(pages[place].text, text) for text in answers) if spans]
        pages[place].questions.append(Question(qa["id"], qa["question"], alternatives, far=[f for f in far if f != number + place]))


def examples(folder, first):
    """Passages with their questions; `first` is the number that the first passage will have among all."""
    with lzma.open(f"{folder}/ask-train.json.xz", "rt", encoding="utf-8") as file:
        articles = json.load(file)["data"]
    passages = []
    for article in articles:
        for paragraph in article["paragraphs"]:
            number, bounds = len(passages), cuts(paragraph["context"])
            passages += [Passage("pages", article["title"], paragraph["context"][s:e], held=is_reserved(article["title"])) for s, e in bounds]
            for qa in paragraph["qas"]:
                add(passages, bounds, number, qa)
    for passage in passages:
        for question in passage.questions:
            question.far = [first + place for place in question.far]
    return passages
