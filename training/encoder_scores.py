"""What an encoder's scores are worth: the decision rule, entity F1 on list queries, and the official KTRL+F metric."""

import re
import string

import numpy as np

ARTICLES = re.compile(r"\b(a|an|the)\b")


def normalise(text: str) -> str:
    text = "".join(c for c in text.lower() if c not in set(string.punctuation))
    return " ".join(ARTICLES.sub(" ", text).split())


def common(a: str, b: str) -> int:
    """Length of the longest common substring."""
    best, row = 0, [0] * (len(b) + 1)
    for x in a:
        new = [0] * (len(b) + 1)
        for j, y in enumerate(b):
            if x == y:
                new[j + 1] = row[j] + 1
                best = max(best, new[j + 1])
        row = new
    return best


def f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def list_exact(predicted: list[str], gold: list[str]) -> float:
    left, hits = list(gold), 0
    for p in predicted:
        if p in left:
            left.remove(p)
            hits += 1
    return f1(hits / len(predicted), hits / len(gold)) if predicted and gold else float(predicted == gold)


def list_overlap(predicted: list[str], gold: list[str]) -> float:
    if not predicted or not gold:
        return float(predicted == gold)
    table = np.array([[common(p, g) for g in gold] for p in predicted], dtype=float)
    precision = np.mean([table[i].max() / max(len(p), 1) for i, p in enumerate(predicted)])
    share = table / np.array([max(len(g), 1) for g in gold])
    recall, free = 0.0, np.ones(len(predicted), bool)
    for g in np.argsort(-share.max(0)):
        if free.any():
            p = int(np.argmax(np.where(free, share[:, g], -1)))
            recall += share[p, g]
            free[p] = False
    return f1(float(precision), recall / len(gold))


def decide(query: str, log_odds: np.ndarray, rule: dict) -> np.ndarray:
    """Which candidates answer (`DecisionRule::keep` of the engine): nothing unless the best is likely enough for a query
    of that length; then those near the best, and sure ones not far below it."""
    words = min(len(query.split()), 12)
    if not len(log_odds) or log_odds.max() < rule["possible"] - rule["per_word"] * words:
        return np.zeros(len(log_odds), bool)
    best = log_odds.max()
    return (log_odds >= best - rule["margin"]) | (log_odds >= rule["sure"]) & (log_odds >= best - rule["far"])


def list_report(items, rule) -> dict:
    """Micro entity F1 over all queries; share of no-answer queries that return nothing. `items`: (query, log-odds, gold mask)."""
    hits = found = wanted = silent = empty = 0
    for query, scores, gold in items:
        kept = decide(query, scores, rule)
        hits, found, wanted = hits + int((kept & gold).sum()), found + int(kept.sum()), wanted + int(gold.sum())
        if not gold.any():
            empty += 1
            silent += int(not kept.any())
    return {"f1": f1(hits / max(found, 1), hits / max(wanted, 1)), "p": hits / max(found, 1), "r": hits / max(wanted, 1), "abstain": silent / max(empty, 1)}


def ktrlf_report(documents, scores, rule) -> dict:
    """List EM, List Overlap and their robustness; `scores[d][q]` are log-odds over document d's entities."""
    exact, overlap, worst_exact, worst_overlap = [], [], [], []
    for doc, rows in zip(documents, scores):
        mentions = [[normalise(m) for m in e["mentions"]] for e in doc["entities"]]
        here = []
        for query, log_odds in zip(doc["queries"], rows):
            kept = decide(query["q"], log_odds, rule)
            predicted = [m for i, ms in enumerate(mentions) if kept[i] for m in ms]
            gold = [m for i, ms in enumerate(mentions) if i in query["answers"] for m in ms]
            here.append((list_exact(predicted, gold), list_overlap(predicted, gold)))
        exact += [h[0] for h in here]
        overlap += [h[1] for h in here]
        worst_exact.append(min(h[0] for h in here))
        worst_overlap.append(min(h[1] for h in here))
    return {k: 100 * float(np.mean(v)) for k, v in
            {"em": exact, "overlap": overlap, "r_em": worst_exact, "r_overlap": worst_overlap}.items()}
