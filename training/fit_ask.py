"""Fits how sure an answer is with a whole document to choose from, and writes it into the reader's model.json.

    findall eval ask DATA.json --without-article … --features features.jsonl
    python fit_ask.py features.jsonl ../models/reader/model.json

Every line of the features is a question with the answers that the reader proposed; an answer is right when it shares half
of its words with one that people gave. The weights are a logistic regression over answers; the threshold is the one at
which as many questions are answered as can be. Fit on articles that are not measured on.
"""

import json
import sys

import numpy

SIGNALS = ["reader", "sentence", "words", "near_words"]
MOST = 8.0  # as in crates/findall/src/ask/confidence.rs
MARGIN = 1.5


def read(path):
    questions = []
    for line in open(path, encoding="utf-8"):
        question = json.loads(line)
        rows = [[c[name] for name in SIGNALS] for c in question["candidates"]]
        rows = numpy.clip(numpy.array(rows, float).reshape(-1, len(SIGNALS)), -MOST, MOST)
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


def choose(questions, solution):
    """For every question: log-odds of its best answer, that answer's F1, and whether there is an answer at all."""
    chosen = []
    for rows, _, f1, answerable in questions:
        if len(rows) == 0:
            chosen.append((-99.0, 0.0, answerable))
            continue
        scores = rows @ solution[:-1] + solution[-1]
        best = scores.argmax()
        chosen.append((scores[best], f1[best], answerable))
    return numpy.array(chosen, float)


def fit(questions):
    # First which of a question's answers is the right one: each question counts once.
    rows = numpy.vstack([q[0] for q in questions])
    labels = numpy.concatenate([q[1] for q in questions])
    weights = numpy.concatenate([numpy.full(len(q[0]), 1 / max(1, len(q[0]))) for q in questions])
    ranking = logistic(rows, labels, weights * len(rows) / weights.sum())
    # Then how sure the best of them is: the mix stays in direction, and is fitted again on the best answers alone.
    best, right = [], []
    for rows, labels, _, _ in questions:
        if len(rows):
            at = (rows @ ranking[:-1]).argmax()
            best.append(rows[at])
            right.append(labels[at])
    return ranking, logistic(numpy.array(best), numpy.array(right), numpy.ones(len(best)))


def report(name, questions, solution, threshold):
    chosen = choose(questions, solution)
    answerable = chosen[:, 2] == 1
    decided = (chosen[:, 0] >= threshold) == answerable
    print(f"{name}: {len(chosen)} questions, F1 of the best answer {100 * chosen[answerable, 1].mean():.1f}, "
          f"right decisions {100 * decided.mean():.1f}")


def main():
    questions = read(sys.argv[1])
    ranking, sure = fit(questions)
    print("weights for ranking ", dict(zip(SIGNALS + ["bias"], ranking.round(4))))
    print("weights for the best", dict(zip(SIGNALS + ["bias"], sure.round(4))))
    solution = max((ranking, sure), key=lambda s: choose(questions, s)[:, 1][choose(questions, s)[:, 2] == 1].mean())
    chosen = choose(questions, solution)
    # On one line: log-odds of the best answer against whether it is right.
    scale = logistic(chosen[:, :1], (chosen[:, 1] >= 0.5).astype(float), numpy.ones(len(chosen)), ridge=0.0)
    solution = numpy.append(solution[:-1] * scale[0], solution[-1] * scale[0] + scale[1])
    chosen = choose(questions, solution)
    # Right decisions hardly change over a wide range of thresholds, so few questions cannot choose one by counting them:
    # answers are given as often as there are answers.
    threshold = float(numpy.sort(chosen[:, 0])[::-1][int(chosen[:, 2].sum()) - 1])
    report("fitted on", questions, solution, threshold)
    for path in sys.argv[3:]:
        report(path, read(path), solution, threshold)
    document = dict(zip(SIGNALS + ["bias"], [round(float(w), 4) for w in solution]))
    document |= {"answered": round(1 / (1 + float(numpy.exp(-threshold))), 4), "margin": MARGIN}
    model = json.load(open(sys.argv[2], encoding="utf-8"))
    model["document"] = document
    with open(sys.argv[2], "w", encoding="utf-8") as out:
        json.dump(model, out, indent=2)
        out.write("\n")
    print("written:", document)


if __name__ == "__main__":
    main()
