"""SQuAD 1.1, SQuAD 2.0, Quoref and PolicyQA, which share one file format (CC BY-SA 4.0, CC BY 4.0, MIT).

A fifth of the SQuAD 2.0 articles (every fifth title in alphabetical order, from the third) is held out.
"""
import json
import lzma

from .questions import Passage, Question, occurrences

FILES = {"squad1": "squad1-train-part", "squad1x": "squad1-extra", "squad2": "squad2-dev-part", "quoref": "quoref-dev",
         "policy_dev": "policyqa-dev", "policy_test": "policyqa-test"}


def held_articles(titles):
    return set(sorted(titles)[2::5])


def examples(folder):
    with lzma.open(f"{folder}/{FILES['squad2']}.json.xz", "rt", encoding="utf-8") as file:
        held = held_articles({article["title"] for article in json.load(file)["data"]})
    for source, name in FILES.items():
        with lzma.open(f"{folder}/{name}.json.xz", "rt", encoding="utf-8") as file:
            for article in json.load(file)["data"]:
                for paragraph in article["paragraphs"]:
                    if source != "squad2" and article["title"] in held:
                        continue
                    passage = Passage(source, article["title"], paragraph["context"], held=source == "squad2" and article["title"] in held)
                    passage.questions = [question(source, passage, qa) for qa in paragraph["qas"]]
                    yield passage


def question(source, passage, qa):
    text = passage.text
    if source == "quoref":
        spans = [[a["answer_start"], a["answer_start"] + len(a["text"])] for a in qa["answers"]]
        return Question(qa["id"], qa["question"], [spans] if spans else [], all=len(spans) > 1)
    alternatives = []
    for answer in qa["answers"]:
        if source == "squad2":
            # There the offset is only the string's first occurrence, so every occurrence may be meant.
            spans = occurrences(text, answer["text"])
        else:
            spans = [[answer["answer_start"], answer["answer_start"] + len(answer["text"])]]
        if spans and spans not in alternatives:
            alternatives.append(spans)
    return Question(qa["id"], qa["question"], alternatives)
