"""MultiSpanQA: questions with several answers in one passage (research use)."""
import json
import lzma

from .questions import Passage, Question


def examples(folder):
    with lzma.open(f"{folder}/multispanqa-valid.json.xz", "rt", encoding="utf-8") as file:
        for row in json.load(file)["data"]:
            offsets, position = [], 0
            for token in row["context"]:
                offsets.append((position, position + len(token)))
                position += len(token) + 1
            spans, start = [], None
            for index, label in enumerate([*row["label"], "O"]):
                if start is not None and label != "I":
                    spans.append([offsets[start][0], offsets[index - 1][1]])
                    start = None
                if label == "B":
                    start = index
            passage = Passage("multispan", row["id"], " ".join(row["context"]))
            passage.questions.append(Question(row["id"], " ".join(row["question"]), [spans], all=True))
            yield passage
