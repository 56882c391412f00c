"""Pairs of questions that ask the same, for `findall-eval questions`: two of SQuAD 2.0's questions on one paragraph with the
same answers. The encoder is trained on questions of other sets, never on these.

    python3 -m data.question_pairs > pairs.tsv        # in training/
"""

import json
import lzma
from itertools import combinations

from .sources import DATA


def pairs() -> list[tuple[str, str]]:
    """Each question in one pair at most, so that every question has one counterpart."""
    out = []
    for article in json.load(lzma.open(DATA / "qa" / "squad2-dev-part.json.xz"))["data"]:
        for paragraph in article["paragraphs"]:
            asked = [(qa["question"].strip(), {a["text"].lower() for a in qa["answers"]}) for qa in paragraph["qas"] if qa["answers"]]
            used = set()
            for (one, answers), (other, others) in combinations(asked, 2):
                if answers == others and one.lower() != other.lower() and not used & {one, other}:
                    used |= {one, other}
                    out.append((one, other))
    return out


if __name__ == "__main__":
    for one, other in pairs():
        print(one, other, sep="\t")
