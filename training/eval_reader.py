"""Figures of a reader on the held-out SQuAD 2.0 articles, the whole paragraph given.

    python3 training/eval_reader.py --model models/reader --data carry/qa.jsonl.xz

With `--documents OUT.jsonl` the whole article is the document instead: what the reader says of every paragraph goes there,
and what it says when it looks again at the best.
F1 and EM on answerable questions (the best span, no abstaining), AUROC of "no answer", and the best-threshold F1 over
all questions, computed as the official SQuAD 2.0 script does; lower-cased and misspelt questions beside them.
"""
import argparse
import collections
import json
import lzma
import math
import random
import re
import string

import numpy as np

import reader
from tagger import load_tokenizer
from tuning import constant


def normalised(text):
    text = "".join(c for c in text.lower() if c not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", text).split())


def f1_score(prediction, gold):
    ours, theirs = normalised(prediction).split(), normalised(gold).split()
    if not ours or not theirs:
        return float(ours == theirs)
    common = sum((collections.Counter(ours) & collections.Counter(theirs)).values())
    return 2 * common / (len(ours) + len(theirs))


def area_under_curve(scores, positive):
    """Probability that a positive scores above a negative (ties count half)."""
    order = np.argsort(scores, kind="stable")
    ranks = np.empty(len(scores))
    ranks[order] = np.arange(1, len(scores) + 1)
    positive = np.asarray(positive, bool)
    count = positive.sum()
    return float((ranks[positive].sum() - count * (count + 1) / 2) / (count * (len(scores) - count)))


def best_threshold(no_answer, f1, answerable):
    """Largest mean F1 over all questions when those above a no-answer threshold get no answer."""
    order = np.argsort(no_answer, kind="stable")
    current = float((~answerable).sum())
    best, threshold = current, float(min(no_answer)) - 1
    for index in order:
        current += f1[index] if answerable[index] else -1
        if current > best:
            best, threshold = current, float(no_answer[index])
    return best / len(f1), threshold


def misspelt(question, rng):
    """One letter of one longer word added, replaced or removed."""
    words = question.split()
    choices = [i for i, w in enumerate(words) if len(w) > 3 and w.isalpha()]
    if not choices:
        return question
    index = rng.choice(choices)
    word = words[index]
    at, letter = rng.randrange(1, len(word)), rng.choice(string.ascii_lowercase)
    words[index] = rng.choice([word[:at] + letter + word[at:], word[:at] + letter + word[at + 1:], word[:at] + word[at + 1:]])
    return " ".join(words)


def questions_of(path, wanted):
    """`(question, passage, gold texts)` of the rows that are wanted."""
    out = []
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for row in filter(wanted, map(json.loads, lines)):
            out += [(qa["q"], row["text"], [row["text"][s:e] for a in qa["a"] for s, e in a[:1]]) for qa in row["qas"]]
    return out


def figures(tokenizer, run, questions, show=print, name="held-out"):
    return figures_of(reader.read(tokenizer, [(q, p) for q, p, _ in questions], run), questions, show, name)


def figures_of(readings, questions, show=print, name="held-out"):
    answerable = np.array([bool(gold) for *_, gold in questions])
    predictions = [p[r.start:r.end] for (_, p, _), r in zip(questions, readings)]
    f1 = np.array([max((f1_score(text, g) for g in gold), default=0.0) for text, (*_, gold) in zip(predictions, questions)])
    exact = np.array([any(normalised(text) == normalised(g) for g in gold) for text, (*_, gold) in zip(predictions, questions)])
    out = {"questions": len(questions), "answerable": int(answerable.sum()), "f1_answerable": float(f1[answerable].mean()), "em_answerable": float(exact[answerable].mean())}
    margin = np.array([r.null - r.best for r in readings])
    head = np.array([-r.answerable for r in readings])
    if not answerable.all():
        for key, score in (("margin", margin), ("head", head), ("both", margin + head)):
            best, threshold = best_threshold(score, f1, answerable)
            out[f"auroc_{key}"], out[f"best_f1_{key}"], out[f"threshold_{key}"] = area_under_curve(score, ~answerable), best, threshold
    show(f"{name}: " + " ".join(f"{k} {v:.4f}" if isinstance(v, float) else f"{k} {v}" for k, v in out.items()))
    return out, margin, head, answerable


WORD = re.compile(r"[a-z0-9]+")
SENTENCE_END = re.compile(r'(?<=[.!?])["”)]?\s+(?=[A-Z0-9"“(])')
# Paragraphs looked at again, as many as ask looks at, and how much shared words count in choosing them.
MAX_SECOND_LOOKS = constant("findall/src/ask/asker.rs", "MAX_SECOND_LOOKS")
WORDS = 3.0


def around(text, at):
    """The sentence at a place, with the one before and the one after it."""
    starts = [0, *(m.end() for m in SENTENCE_END.finditer(text)), len(text)]
    here = max(i for i, start in enumerate(starts[:-1]) if start <= at)
    return text[starts[max(0, here - 1)]: starts[min(len(starts) - 1, here + 2)]]


def documents(tokenizer, run, path, wanted, out, show=print):
    """Every question read against every paragraph of its article, and how well the surest paragraph tells whether there is
    an answer. One JSON line a question: for each paragraph what the reader says, the F1 of its best span, whether the
    question was asked about it, and the share of the question's words (by rarity) that it has; for the likeliest also what
    the reader says of the answer's sentence and the ones beside it alone."""
    articles = collections.defaultdict(list)
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for row in filter(lambda row: row["src"] == "squad2" and wanted(row), map(json.loads, lines)):
            articles[row["article"]].append(row)
    rows = []
    for article, paragraphs in articles.items():
        words = [set(WORD.findall(p["text"].lower())) for p in paragraphs]
        count = collections.Counter(w for here in words for w in here)
        asked = [(place, qa) for place, p in enumerate(paragraphs) for qa in p["qas"]]
        readings = iter(reader.read(tokenizer, [(qa["q"], p["text"]) for _, qa in asked for p in paragraphs], run, 65536))
        again = []
        for own, qa in asked:
            gold = [paragraphs[own]["text"][s:e] for a in qa["a"] for s, e in a[:1]]
            terms = {w: math.log(1 + (len(words) - count[w] + 0.5) / (count[w] + 0.5)) for w in WORD.findall(qa["q"].lower())}
            said, answers = [], []
            for place, (p, here) in enumerate(zip(paragraphs, words)):
                r = next(readings)
                f1 = max((f1_score(p["text"][r.start:r.end], g) for g in gold), default=0.0)
                share = sum(weight for w, weight in terms.items() if w in here) / max(sum(terms.values()), 1e-6)
                said.append([round(float(v), 3) for v in (r.best - r.null, r.answerable, f1, place == own, share)])
                answers.append(r.start)
            rows.append({"article": article, "q": qa["q"], "answerable": bool(gold), "said": said, "again": []})
            likeliest = sorted(range(len(said)), key=lambda place: -(said[place][0] + said[place][1] + 10 * WORDS * said[place][4]))
            again += [(rows[-1], place, around(paragraphs[place]["text"], answers[place])) for place in likeliest[:MAX_SECOND_LOOKS]]
        for (row, place, _), r in zip(again, reader.read(tokenizer, [(row["q"], text) for row, _, text in again], run, 65536)):
            row["again"].append([place, round(float(r.best - r.null), 3), round(float(r.answerable), 3)])
    answerable = np.array([row["answerable"] for row in rows])
    surest = np.array([max(s[0] + s[1] for s in row["said"]) for row in rows])
    own = np.array([next(s[0] + s[1] for s in row["said"] if s[3]) for row in rows])
    f1 = np.array([max(row["said"], key=lambda s: s[0] + s[1])[2] for row in rows])
    show(f"whole articles: {len(rows)} questions, AUROC {area_under_curve(-surest, ~answerable):.4f}, of the paragraph asked about "
         f"{area_under_curve(-own, ~answerable):.4f}; F1 answerable {f1[answerable].mean():.4f}")
    with open(out, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)


def report(tokenizer, run, path, full=True, limit=None):
    questions = questions_of(path, lambda row: row["held"] and row["src"] == "squad2")[:limit]
    out = {"held_out": figures(tokenizer, run, questions)[0]}
    pages = questions_of(path, lambda row: row["held"] and row["src"] == "pages")[:limit]
    if pages:
        out["pages"] = figures(tokenizer, run, pages, name="passages of reserved pages")[0]
    if full:
        rng = random.Random(5)
        out["lower"] = figures(tokenizer, run, [(q.lower().rstrip("?"), p, g) for q, p, g in questions], name="lower-cased, no question mark")[0]
        out["misspelt"] = figures(tokenizer, run, [(misspelt(q, rng), p, g) for q, p, g in questions], name="one misspelling")[0]
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, help="exported folder")
    parser.add_argument("--data", required=True)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--quick", action="store_true", help="only the questions as written")
    parser.add_argument("--json", help="write the figures there")
    parser.add_argument("--documents", metavar="OUT.jsonl", help="the whole article as the document")
    args = parser.parse_args()
    if args.documents:
        run = reader.onnx_runner(f"{args.model}/model.onnx")
        documents(load_tokenizer(f"{args.model}/.."), run, args.data, lambda row: row["held"], args.documents)
        return
    out = report(load_tokenizer(f"{args.model}/.."), reader.onnx_runner(f"{args.model}/model.onnx"), args.data, not args.quick, args.limit)
    if args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump(out, file, indent=1)


if __name__ == "__main__":
    main()
