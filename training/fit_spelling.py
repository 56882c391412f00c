"""Fits what tells a typing error from a word that was meant: `spelling` in models/tuning.json.

    python3 training/fit_spelling.py --shared ../shared --prepare carry
    findall-eval spelling carry/spelling-questions.json carry/spelling-queries.jsonl --features carry/letters.jsonl --no-record
    findall-eval spelling carry/spelling-questions.json carry/spelling-queries.jsonl --misspellings spell-errors.txt.xz --features carry/people.jsonl --no-record
    python3 training/fit_spelling.py --features carry/letters.jsonl carry/people.jsonl --write

Training questions (SQuAD's training articles, natural questions on pages) and list queries are parted by document. In two
thirds words and pairs of words are counted (crates/findall/src/spelling/asked_words.txt); on a third the weights are fitted, so that a
count never holds the very question. There every question is put as it is, with one letter wrong, and with a word as people
misspell it: made-up slips alone would teach that nobody swaps two letters. A softmax over what may
have been meant by a word, what was typed among it, gives the weights; what is held out, and the articles and documents
that are measured on, stand in neither part. What is printed is cross-fitted over folds of documents.
"""
import argparse
import collections
import hashlib
import json
import lzma
import re
from pathlib import Path

import numpy as np

from data.squad_format import held_articles
from tuning import named, put

LEXICON = Path(__file__).resolve().parent.parent / "crates/findall/src/spelling/asked_words.txt"
CALIBRATES = "Intergovernmental_Panel_on_Climate_Change"
SQUAD = ("squad1-train-part", "squad1-extra", "squad2-dev-part")
# Rarer words and pairs say little and fill the file.
MIN_WORDS, MIN_PAIRS = 3, 4
# Questions of each kind that the weights are fitted on: more change nothing.
MAX_QUESTIONS, MAX_QUERIES = 4000, 3000
FOLDS = 5
RIDGE = 1.0
# Of the questions without a slip of ours so many may be changed. Some of them have one of their author's.
MAX_CHANGED = 0.02
WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def part_of(document):
    """0: the weights are fitted on it; 1 and 2: its words are counted."""
    return int(hashlib.sha1(f"spelling {document}".encode()).hexdigest(), 16) % 3


def open_text(path):
    return lzma.open(path, "rt", encoding="utf-8") if path.suffix == ".xz" else open(path, encoding="utf-8")


def articles(shared):
    """Articles and pages with questions that may be trained on."""
    sets = {}
    for name in SQUAD:
        with open_text(shared / f"data/qa/{name}.json.xz") as file:
            sets[name] = json.load(file)["data"]
    with open_text(shared / "data/pages/ask-train.json.xz") as file:
        pages = json.load(file)["data"]
    held = held_articles({article["title"] for article in sets["squad2-dev-part"]}) | {CALIBRATES}
    return [article for name in SQUAD for article in sets[name] if article["title"] not in held] + pages


def listed(shared):
    """Documents with list queries that may be trained on: every tenth, from the fourth, is held out."""
    with open_text(shared / "data/list-queries/train.jsonl") as file:
        yield from (json.loads(line) for number, line in enumerate(file) if number % 10 != 3)
    with open_text(shared / "data/pages/train.jsonl.xz") as file:
        yield from (page for page in map(json.loads, file) if page.get("queries"))


def pools(shared):
    with open_text(shared / "data/pools/pools.jsonl.xz") as file:
        yield from map(json.loads, file)


def questions_of(article):
    return [qa["question"] for paragraph in article["paragraphs"] for qa in paragraph["qas"]]


def words_of(question):
    """As the speller folds them, but for accents: the counts are of English words."""
    return [re.sub(r"['’]s?$", "", word.lower()) for word in WORD.findall(question)]


def count_words(asked):
    words, pairs = collections.Counter(), collections.defaultdict(collections.Counter)
    for question in asked:
        row = ["^", *words_of(question), "$"]
        words.update(row[:-1])
        for first, second in zip(row, row[1:]):
            pairs[first][second] += 1
    lines = []
    for word, count in sorted(words.items()):
        plain = word == "^" or (word.isascii() and word.isalpha())
        behind = [(second, n) for second, n in sorted(pairs[word].items()) if n >= MIN_PAIRS and (second == "$" or (second.isascii() and second.isalpha()))]
        if plain and count >= MIN_WORDS:
            lines.append(" ".join(f"{name}:{n}" for name, n in [(word, count), *behind]))
    return "\n".join(lines) + "\n"


def spread(items, most):
    """So many of them, evenly spread."""
    step = max(1.0, len(items) / most)
    return [items[int(n * step)] for n in range(min(most, len(items)))]


def prepare(shared, out):
    every, lists = articles(shared), list(listed(shared))
    asked = [question for article in every if part_of(article["title"]) for question in questions_of(article)]
    asked += [query["q"] for document in lists if part_of(document["id"]) for query in document["queries"]]
    asked += [query for pool in pools(shared) if part_of(pool["id"]) for query, _ in pool["queries"]]
    LEXICON.write_text(count_words(asked), encoding="utf-8")
    fitted = [article for article in every if not part_of(article["title"])]
    kept = set(map(id, spread([qa for a in fitted for p in a["paragraphs"] for qa in p["qas"]], MAX_QUESTIONS)))
    for article in fitted:
        for paragraph in article["paragraphs"]:
            paragraph["qas"] = [qa for qa in paragraph["qas"] if id(qa) in kept]
    (out / "spelling-questions.json").write_text(json.dumps({"data": fitted}), encoding="utf-8")
    lists = [document for document in lists if not part_of(document["id"])]
    kept = set(map(id, spread([query for document in lists for query in document["queries"]], MAX_QUERIES)))
    with open(out / "spelling-queries.jsonl", "w", encoding="utf-8") as file:
        for document in lists:
            row = {"id": document["id"], "text": document["text"], "queries": [q for q in document["queries"] if id(q) in kept]}
            file.write(json.dumps(row) + "\n")
    print(len(asked), "questions and queries counted")


class Doubts:
    """All doubtful words of some questions as one matrix: a row a choice, the first row of a word what was typed."""

    def __init__(self, paths):
        asked, self.names = [], None
        for number, path in enumerate(paths):
            with open(path, encoding="utf-8") as file:
                names = json.loads(next(file))["features"]
                if self.names not in (None, names):
                    raise ValueError(f"{path} has other features than the file before it")
                self.names = names
                asked += [{**json.loads(line), "set": number} for line in file]
        self.asked = asked
        rows, starts, right, question = [], [], [], []
        for number, line in enumerate(asked):
            for word in line["words"]:
                starts.append(len(rows))
                right.append(-1 if word["right"] is None else len(rows) + word["right"])
                question.append(number)
                rows.extend(word["choices"])
        self.rows = np.array(rows, dtype=np.float32)
        self.starts, self.right, self.question = np.array(starts), np.array(right), np.array(question)
        fold = lambda page: int(hashlib.sha1(f"fold {page}".encode()).hexdigest(), 16) % FOLDS
        self.fold = np.array([fold(line["page"]) for line in asked])
        self.slip = np.array([line["slip"] for line in asked])
        self.set = np.array([line["set"] for line in asked])
        self.ends = np.append(self.starts[1:], len(self.rows))
        self.group = np.repeat(np.arange(len(self.starts)), self.ends - self.starts)
        # A slip that none of the doubtful words can undo: it made a word of the document, or nothing is near.
        self.lost = np.array([line["lost"] for line in asked])

    def loss(self, weights, words):
        """Mean log-loss of the right choices, and its gradient."""
        log_odds, group = self.rows @ weights.astype(np.float32), self.group
        highest = np.maximum.reduceat(log_odds, self.starts)
        shares = np.exp(log_odds - highest[group])
        totals = np.add.reduceat(shares, self.starts)
        known = words & (self.right >= 0)
        chosen = self.right[known]
        loss = (highest + np.log(totals))[known].sum(dtype=float) - log_odds[chosen].sum(dtype=float)
        pull = shares / totals[group] * known[group]
        pull[chosen] -= 1.0
        return loss + RIDGE / 2 * weights @ weights, (pull @ self.rows).astype(float) + RIDGE * weights

    def fit(self, questions):
        from scipy.optimize import minimize
        words = questions[self.question]
        start = np.zeros(self.rows.shape[1])
        return minimize(lambda w: self.loss(w, words), start, jac=True, method="L-BFGS-B", options={"maxiter": 400}).x

    def leads(self, weights):
        """For every doubtful word by how much the best other choice leads, and which row it is."""
        log_odds = self.rows @ weights.astype(np.float32)
        best = np.array([start + 1 + log_odds[start + 1:end].argmax() for start, end in zip(self.starts, self.ends)])
        return log_odds[best] - log_odds[self.starts], best

    def judge(self, leads, best, min_lead, number=0):
        """Share of the slips of a set put right, and of questions without one that are changed."""
        changed = leads >= min_lead
        choice = np.where(changed, best, self.starts)
        wrong, touched = np.zeros(len(self.asked), bool), np.zeros(len(self.asked), bool)
        wrong[self.question[choice != self.right]] = True
        touched[self.question[changed]] = True
        own = self.set == number
        return (~wrong & ~self.lost)[own & self.slip].mean(), touched[own & ~self.slip].mean()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shared", type=Path)
    parser.add_argument("--prepare", type=Path, metavar="DIR", help="count words, and write the questions to fit on there")
    parser.add_argument("--features", type=Path, nargs="+", help="letters first: by them the lead is chosen")
    parser.add_argument("--write", action="store_true", help="put the weights into tuning.json")
    args = parser.parse_args()
    if args.prepare:
        return prepare(args.shared, args.prepare)
    doubts = Doubts(args.features)
    leads, best = np.zeros(len(doubts.starts)), np.zeros(len(doubts.starts), int)
    for fold in range(FOLDS):
        weights = doubts.fit(doubts.fold != fold)
        own = doubts.fold[doubts.question] == fold
        fold_leads, fold_best = doubts.leads(weights)
        leads[own], best[own] = fold_leads[own], fold_best[own]
    levels = np.arange(-3.0, 4.01, 0.1)
    judged = [doubts.judge(leads, best, level) for level in levels]
    allowed = [(right, level) for (right, changed), level in zip(judged, levels) if changed <= MAX_CHANGED]
    level = max(allowed)[1] if allowed else levels[-1]
    for number, path in enumerate(args.features):
        own = doubts.set == number
        print(f"{path.stem}: {(own & doubts.slip).sum()} slips, {(own & doubts.lost).sum()} of them out of reach; across folds:")
        for shown in sorted({-1.0, 0.0, 1.0, round(float(level), 1)}):
            right, changed = doubts.judge(leads, best, shown, number)
            print(f"  lead {shown:.1f}: {100 * right:.1f} % put right, {100 * changed:.1f} % of those without changed")
    weights = doubts.fit(np.ones(len(doubts.asked), bool))
    fitted = {"weights": named(doubts.names, weights), "min_lead": round(float(level), 1)}
    print(json.dumps(fitted))
    if args.write:
        put(["spelling"], fitted)


if __name__ == "__main__":
    main()
