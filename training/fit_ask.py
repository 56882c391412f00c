"""Fits which answer comes first, how sure it is, from when on it is given, and when reading may stop, with a whole document
to choose from; writes it into the reader's model.json.

    findall-eval ask DATA.json --article … --features one.jsonl     (once a set, with pages that the reader was not trained on)
    python fit_ask.py ../models/reader/model.json one.jsonl other.jsonl …

Every line of the features is a question with the answers that the reader proposed; an answer is right when it shares half
of its words with one that people gave. All sets count alike, however many questions they have. A logistic regression over
the answers puts them in order; one over the likeliest of each question says how often such an answer is right. Answers are
given from the level at which F1 over all questions of all sets together is best. Reading stops when no passage
that waits can win: `reach` is the reader's look that such a passage is granted, `reach_words` what is added for its share of the
question's words beside the largest share of any passage. Of the pairs at which stopping costs neither F1 nor a right decision,
the one that reads least, and some slack. Nothing is looked at again where one look is sure enough (`sure_look`): the least look at
which that costs nothing either, and some slack. What is printed is cross-fitted: every question is judged by numbers fitted on other pages
(other questions where a set is one page). Fit on pages that are not measured on.
"""

import hashlib
import json
import sys

import numpy

from tuning import constant

SIGNALS = ["reader", "words", "near_words", "kind"]
MAX_SIGNAL_LOG_ODDS = constant("findall/src/ask/confidence.rs", "MAX_SIGNAL_LOG_ODDS")
MARGIN = constant("findall/src/ask/confidence.rs", "DEFAULT_MARGIN_LOG_ODDS")
FOLDS = 5
FIRST_BATCH_PASSAGES, BATCH_PASSAGES = (constant("findall/src/ask/asker.rs", name) for name in ("FIRST_BATCH_PASSAGES", "BATCH_PASSAGES"))
MIN_GUESS_RIGHT = 0.2
MIN_GUESS_SHARE = 0.5
MIN_RIDGE = 1e-6  # where few rows can be told apart without a doubt
REACH_SLACK = 0.25  # added to the reach that was enough here
TRIED_SURE_LOOKS = numpy.arange(3.0, -1.5, -0.25)
LOOK_SLACK = 1.0  # added to the sure look that was: figures of so few questions go up and down
MAX_COST = 0.005  # a figure that falls by less, beside one question more or less, has not fallen


class Question:
    def __init__(self, line, sure_look):
        candidates = line["candidates"]
        rows = numpy.array([[c["again"], *(c[name] for name in SIGNALS)] for c in candidates], float)
        rows = numpy.clip(rows.reshape(-1, 1 + len(SIGNALS)), -MAX_SIGNAL_LOG_ODDS, MAX_SIGNAL_LOG_ODDS)
        if (rows[:, 1] >= sure_look).any():
            rows[:, 0] = rows[:, 1]  # nothing is looked at again
        rows[:, 1] = (rows[:, 0] + rows[:, 1]) / 2  # the reader's two looks as one
        self.rows = rows[:, 1:]
        self.answerable = bool(line["answerable"])
        self.f1 = numpy.array([c["f1"] if self.answerable else 0.0 for c in candidates], float)
        self.right = (self.f1 >= 0.5).astype(float)
        self.read = numpy.array([c["order"] if c["order"] is not None else 0 for c in candidates], int)
        self.passages = line["read"]
        self.shares = self.word_shares()
        self.page, self.id = line["page"], str(line["id"])

    def word_shares(self):
        """Each passage's share of the question's words, in the order of reading; one without an answer has its successor's."""
        shares = numpy.full(self.passages, numpy.nan)
        for passage, share in zip(self.read, self.rows[:, 1]):
            shares[passage] = share
        for passage in reversed(range(self.passages)):
            if numpy.isnan(shares[passage]):
                shares[passage] = shares[passage + 1] if passage + 1 < self.passages else 0.0
        return shares


def read(path, sure_look=numpy.inf):
    questions = [Question(json.loads(line), sure_look) for line in open(path, encoding="utf-8")]
    one_page = len({q.page for q in questions}) == 1
    for number, question in enumerate(questions):
        key = f"{number} {question.id}" if one_page else question.page
        # Not the plain hash: the reserved pages are those whose plain hash is divisible by ten.
        question.fold = int(hashlib.sha1(f"fold {key}".encode()).hexdigest(), 16) % FOLDS
    return questions


def logistic(rows, labels, weights, ridge=1.0, steps=50):
    """Newton's method; the last weight is the bias and is not held back."""
    rows = numpy.hstack([rows, numpy.ones((len(rows), 1))])
    solution = numpy.zeros(rows.shape[1])
    hold = ridge * numpy.eye(rows.shape[1])
    hold[-1, -1] = 0.0
    hold += MIN_RIDGE * numpy.eye(rows.shape[1])
    for _ in range(steps):
        p = 1 / (1 + numpy.exp(-rows @ solution))
        gradient = rows.T @ (weights * (p - labels)) + hold @ solution
        hessian = (rows * (weights * p * (1 - p))[:, None]).T @ rows + hold
        step = numpy.linalg.solve(hessian, gradient)
        solution -= step
        if numpy.abs(step).max() < 1e-8:
            break
    return solution


def probability(log_odds):
    return 1 / (1 + numpy.exp(-log_odds))


class Fit:
    """Numbers of model.json, fitted on some questions of every set."""

    def __init__(self, sets):
        sets = [[q for q in questions if len(q.rows)] for questions in sets]
        most = max(len(questions) for questions in sets)
        weight = [most / max(1, len(questions)) for questions in sets]
        every = [(q, w) for questions, w in zip(sets, weight) for q in questions]
        rows = numpy.vstack([q.rows for q, _ in every])
        labels = numpy.concatenate([q.right for q, _ in every])
        shares = numpy.concatenate([numpy.full(len(q.rows), w / len(q.rows)) for q, w in every])
        self.order = logistic(rows, labels, shares * len(rows) / shares.sum())[:-1]
        firsts = [(q, self.first(q), w) for q, w in every]
        looks = numpy.array([[q.rows[at, 0]] for q, at, _ in firsts])
        weights = numpy.array([w for _, _, w in firsts])
        weights *= len(weights) / weights.sum()
        self.sure = logistic(looks, numpy.array([q.right[at] for q, at, _ in firsts]), weights, ridge=0.0)
        self.answered = self.fit_answered(sets)
        self.guessed = self.fit_guessed(firsts)

    def fit_answered(self, sets):
        """The level at which F1 over all questions is best, silence being right where there is no answer; every question counts alike,
        because a set's share of questions without an answer moves the level, and most are asked of pages."""
        judged = []
        for question in (q for questions in sets for q in questions):
            at = self.first(question)
            judged.append((self.confidence(question, at), question.f1[at], question.answerable))
        sure, f1, answerable = numpy.array(judged, float).T

        def worth(level):
            given = sure >= level
            return numpy.where(answerable == 1, f1 * given, ~given).mean()
        levels = numpy.arange(0.05, 0.6, 0.01)
        worths = numpy.array([worth(level) for level in levels])
        # The mean of a level's neighbours, because single questions make the curve rough.
        smooth = numpy.convolve(numpy.pad(worths, 3, "edge"), numpy.ones(7) / 7, "valid")
        return float(levels[smooth.argmax()])

    def fit_guessed(self, firsts):
        """The least probability from which a guess is right often enough, and not below half of an answer's."""
        below = sorted(((self.confidence(q, at), q.right[at]) for q, at, _ in firsts), reverse=True)
        below = [(p, right) for p, right in below if p < self.answered]
        least, seen = self.answered, 0.0
        for count, (p, right) in enumerate(below, 1):
            seen += right
            if count >= 10 and seen / count >= MIN_GUESS_RIGHT:
                least = p
        return max(float(least), MIN_GUESS_SHARE * self.answered)

    def first(self, question, read=None):
        """The first answer among those of the first passages; nothing where there is none."""
        scores = question.rows @ self.order
        if read is not None:
            scores = numpy.where(question.read < read, scores, -numpy.inf)
        return int(scores.argmax()) if len(scores) and numpy.isfinite(scores.max()) else None

    def confidence(self, question, at):
        return float(probability(self.sure[0] * question.rows[at, 0] + self.sure[1]))

    def stop(self, question, reach):
        """How many passages are read when an unread one is granted `reach`, a look and what its words add, at most."""
        look, words = reach
        kind = self.order[3] if question.rows[:, 3].any() else 0.0
        read = FIRST_BATCH_PASSAGES
        while read < question.passages:
            at = self.first(question, read)
            if at is not None and self.confidence(question, at) >= self.answered:
                largest = question.shares.max()
                share = question.shares[read:].max() / largest if largest > 0 else 1.0
                highest = self.order[0] * look + words * share + kind
                if question.rows[at] @ self.order >= highest:
                    break
            read += BATCH_PASSAGES
        return min(read, question.passages)


def judge(fits, questions, reach=None):
    """Per question: confidence and F1 of the first answer, whether one is given, whether there is one, share read."""
    rows = []
    for question in questions:
        fit = fits[question.fold]
        read = fit.stop(question, reach) if reach is not None else question.passages
        at = fit.first(question, read if reach is not None else None)
        sure = 0.0 if at is None else fit.confidence(question, at)
        f1 = 0.0 if at is None else question.f1[at]
        rows.append((sure, f1, sure >= fit.answered, question.answerable, read / max(1, question.passages)))
    return numpy.array(rows, float)


def auroc(rows):
    with_answer, without = rows[rows[:, 3] == 1, 0], rows[rows[:, 3] == 0, 0]
    wins = (with_answer[:, None] > without[None]).mean() + 0.5 * (with_answer[:, None] == without[None]).mean()
    return float(wins) if len(without) and len(with_answer) else float("nan")


def figures(rows):
    answerable = rows[:, 3] == 1
    given = rows[:, 2] == 1
    return {
        "F1": rows[answerable, 1].mean(), "decisions": (given == answerable).mean(),
        "F1, silence 0": (rows[:, 1] * given)[answerable].mean(), "AUROC": auroc(rows), "read": rows[:, 4].mean(),
    }


def show(name, rows):
    said = ", ".join(f"{key} {100 * value:.1f}" for key, value in figures(rows).items())
    print(f"{name}: {len(rows)} questions, {said}")


def fit_reach(fits, sets):
    """The reach, with some slack, that reads least and at which no set loses F1 or right decisions."""
    whole = [figures(judge(fits, questions)) for questions in sets]
    best = (1.0, (MAX_SIGNAL_LOG_ODDS, 0.0))
    for look in numpy.arange(-1.5, 2.5, 0.25):
        for words in numpy.arange(0.0, 3.5, 0.5):
            stopped = [figures(judge(fits, questions, (look, words))) for questions in sets]
            pairs = list(zip(whole, stopped))
            keys = ("F1", "decisions", "F1, silence 0")
            if all(after[key] >= before[key] - 1e-9 for before, after in pairs for key in keys):
                best = min(best, (numpy.mean([after["read"] for after in stopped]), (float(look), float(words))))
    look, words = best[1]
    return min(look + REACH_SLACK, MAX_SIGNAL_LOG_ODDS), words


def fit_folds(sets):
    return [Fit([[q for q in questions if q.fold != fold] for questions in sets]) for fold in range(FOLDS)]


def fit_sure_look(paths):
    """The least look, with some slack, down to which no set loses anything when nothing is looked at again."""
    def all_figures(sure_look):
        sets = [read(path, sure_look) for path in paths]
        folds = fit_folds(sets)
        return [figures(judge(folds, questions)) for questions in sets]
    always, least = all_figures(numpy.inf), None
    costs = [MAX_COST + 1 / len(read(path)) for path in paths]
    for look in TRIED_SURE_LOOKS:
        trios = zip(always, all_figures(look), costs)
        if any(after[key] < before[key] - cost for before, after, cost in trios for key in before):
            break
        least = float(look) + LOOK_SLACK
    return least if least is not None else MAX_SIGNAL_LOG_ODDS


def main():
    model, paths = json.load(open(sys.argv[1], encoding="utf-8")), sys.argv[2:]
    sure_look = fit_sure_look(paths)
    sets = [read(path, sure_look) for path in paths]
    folds = fit_folds(sets)
    reach = fit_reach(folds, sets)
    for path, questions in zip(paths, sets):
        show(path, judge(folds, questions))
        show(f"{path}, stopping", judge(folds, questions, reach))
    fit = Fit(sets)
    document = dict(zip(SIGNALS, (round(float(w), 4) for w in fit.order)))
    document |= {"sure": round(float(fit.sure[0]), 4), "bias": round(float(fit.sure[1]), 4)}
    document |= {"answered": round(fit.answered, 4), "guessed": round(fit.guessed, 4)}
    document |= {"margin": MARGIN, "sure_look": round(sure_look, 4), "reach": round(reach[0], 4), "reach_words": round(reach[1], 4)}
    model["document"] = document
    with open(sys.argv[1], "w", encoding="utf-8") as out:
        json.dump(model, out, indent=2)
        out.write("\n")
    print("written:", document)


if __name__ == "__main__":
    main()
