"""Fits which answer comes first and how sure it is with a whole document to choose from; writes it into the reader's model.json.

    findall eval ask DATA.json --article … --features features.jsonl
    python fit_ask.py features.jsonl ../models/reader/model.json documents-*.jsonl

Every line of the features is a question with the answers that the reader proposed; an answer is right when it shares half
of its words with one that people gave. A logistic regression over them puts answers in order. How sure an answer is takes
far more questions than one article has: the documents are what readers said of articles that each had been kept from
(`train_reader.py --documents`), and a regression over the looks of their likeliest answers tells how often such an
answer is right. An answer is given from where on the reader, by its own calibration and over both looks, finds one likelier
than none. Fit on articles that are not measured on.
"""

import json
import sys

import numpy

from eval_reader import WORDS

SIGNALS = ["reader", "sentence", "words", "near_words"]
MOST = 8.0  # as in crates/findall/src/ask/confidence.rs
MARGIN = 1.5


def read(path):
    questions = []
    for line in open(path, encoding="utf-8"):
        question = json.loads(line)
        rows = [[c[name] for name in ["again", *SIGNALS]] for c in question["candidates"]]
        rows = numpy.clip(numpy.array(rows, float).reshape(-1, 1 + len(SIGNALS)), -MOST, MOST)
        rows[:, 1] = (rows[:, 0] + rows[:, 1]) / 2  # the reader's two looks as one
        rows = rows[:, 1:]
        right = numpy.array([question["answerable"] and c["f1"] >= 0.5 for c in question["candidates"]], float)
        f1 = numpy.array([c["f1"] if question["answerable"] else 0.0 for c in question["candidates"]])
        questions.append((rows, right, f1, question["answerable"]))
    return questions


def logistic(rows, labels, weights, ridge=1.0, steps=50):
    """Newton's method; the last weight is the bias and is not held back."""
    rows = numpy.hstack([rows, numpy.ones((len(rows), 1))])
    solution = numpy.zeros(rows.shape[1])
    hold = ridge * numpy.eye(rows.shape[1])
    hold[-1, -1] = 0.0
    for _ in range(steps):
        p = 1 / (1 + numpy.exp(-rows @ solution))
        gradient = rows.T @ (weights * (p - labels)) + hold @ solution
        hessian = (rows * (weights * p * (1 - p))[:, None]).T @ rows + hold
        step = numpy.linalg.solve(hessian, gradient)
        solution -= step
        if numpy.abs(step).max() < 1e-8:
            break
    return solution


def looks(paths):
    """For every question of left-out articles: the two looks at its likeliest answer as one, whether that is right, and
    whether there is an answer at all."""
    chosen = []
    for path in paths:
        for line in open(path, encoding="utf-8"):
            question = json.loads(line)
            seen = []
            for place, margin, head in question["again"]:
                first_margin, first_head, f1, _, share = question["said"][place]
                look = (first_margin + first_head + margin + head) / 2
                seen.append((look + 10 * WORDS * share, look, question["answerable"] and f1 >= 0.5, question["answerable"]))
            chosen.append(max(seen)[1:])
    return numpy.array(chosen, float)


def choose(questions, order, sure):
    """For every question: log-odds of its first answer, that answer's F1, and whether there is an answer at all."""
    chosen = []
    for rows, _, f1, answerable in questions:
        if len(rows) == 0:
            chosen.append((-99.0, 0.0, answerable))
            continue
        first = (rows @ order).argmax()
        chosen.append((rows[first, 0] * sure[0] + sure[1], f1[first], answerable))
    return numpy.array(chosen, float)


def main():
    questions, model = read(sys.argv[1]), json.load(open(sys.argv[2], encoding="utf-8"))
    # Which of a question's answers is the right one: each question counts once.
    rows = numpy.vstack([q[0] for q in questions])
    labels = numpy.concatenate([q[1] for q in questions])
    weights = numpy.concatenate([numpy.full(len(q[0]), 1 / max(1, len(q[0]))) for q in questions])
    order = logistic(rows, labels, weights * len(rows) / weights.sum())[:-1]
    # How sure the likeliest is, in the units of the reader's log-odds.
    raw, right, answerable = looks(sys.argv[3:]).T
    scale, bias = model["no_answer"]["scale"], model["no_answer"]["bias"]
    look = (raw * scale - bias)[:, None]
    sure = logistic(look, right, numpy.ones(len(look)), ridge=0.0)
    threshold = sure[1]
    decided = (look[:, 0] >= 0) == (answerable == 1)
    print(f"left-out articles: {len(look)} questions, right decisions {100 * decided.mean():.1f}")
    chosen = choose(questions, order, sure)
    answerable = chosen[:, 2] == 1
    decided = (chosen[:, 0] >= threshold) == answerable
    print(f"features: {len(chosen)} questions, F1 of the first answer {100 * chosen[answerable, 1].mean():.1f}, "
          f"right decisions {100 * decided.mean():.1f}")
    document = dict(zip(SIGNALS, (round(float(w), 4) for w in order)))
    document |= {"sure": round(float(sure[0]), 4), "bias": round(float(sure[1]), 4)}
    document |= {"answered": round(1 / (1 + float(numpy.exp(-threshold))), 4), "margin": MARGIN}
    model["document"] = document
    with open(sys.argv[2], "w", encoding="utf-8") as out:
        json.dump(model, out, indent=2)
        out.write("\n")
    print("written:", document)


if __name__ == "__main__":
    main()
