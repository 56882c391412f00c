"""Trains the encoder: list queries ↔ entity knowledge, questions ↔ sentences, questions ↔ questions.

    python3 training/train_encoder.py --data carry/encoder.json.xz --base carry/minilm --out OUT

Writes `checkpoint.safetensors` and `meta.json` for `export.py` (a judge: `trunk/` and `head.pt`), and `scores.npz` (log-odds on the held-out
tenth of the list queries and on KTRL+F dev, from which `fit_rule.py` chooses the decision rule).
"""

import argparse
import json
import lzma
import os
import time

import numpy as np
import torch
from tokenizers import Tokenizer
from torch.nn import functional as F

from base_weights import save_trunk
from checkpoint import save_checkpoint
from data.list_queries import is_held_out
from encoder_groups import Groups, knowledge_text
from encoder_model import BiEncoder, Judge, Tokens
from fit import Fitter, seed_everything
from encoder_scores import ktrlf_report, list_report

SHARES = [("list", 0.50), ("kb", 0.30), ("typed", 0.08), ("dbpedia", 0.12)]
TRIAL_RULE = {"sure": 0.5, "far": 4.0, "margin": 0.7, "possible": 2.0, "per_word": 0.6}


def draw(groups: Groups, count: int, shares=SHARES) -> list:
    names = groups.rng.choices([n for n, _ in shares], [s for _, s in shares], k=count)
    return [getattr(groups, f"from_{n}")() for n in names]


def widen(rows, width, fill):
    return [row + [fill] * (width - len(row)) for row in rows]


def group_loss(log_odds, labels, present):
    """Log-odds of every candidate are right on their own (calibration), and answers outrank the rest (ranking)."""
    each = F.binary_cross_entropy_with_logits(log_odds, labels, reduction="none") * present
    calibrated = each.sum() / present.sum()
    positive = (labels > 0.5) & (present > 0)
    some = positive.any(1)
    masked = log_odds.masked_fill(present == 0, -1e4)
    # Each answer against the non-answers of its own group.
    others = masked.masked_fill(positive, -1e4)
    against = torch.logaddexp(masked, torch.logsumexp(others, 1, keepdim=True))
    ranked = ((against - masked) * positive).sum(1) / positive.sum(1).clamp(min=1)
    return calibrated + 0.5 * (ranked * some).sum() / some.sum().clamp(min=1)


def contrast(model, tokens, left, right, extra=()):
    """In-batch contrast: each left text with its right one against all others (and extra ones)."""
    a = model(*tokens.batch(left))[0]
    b = model(*tokens.batch(list(right) + list(extra)))[0]
    target = torch.arange(len(left), device=a.device)
    logits = 20 * a @ b.T
    return F.cross_entropy(logits, target)


def in_buckets(model, tokens, texts, buckets=3):
    """Encodes texts in buckets of like length; returns vectors (and token vectors, padded alike) in the order given."""
    order = sorted(range(len(texts)), key=lambda i: len(tokens.ids(texts[i])))
    size = -(-len(order) // buckets)
    pooled, per_token = [], []
    for at in range(0, len(order), size):
        vectors, late = model(*tokens.batch([texts[i] for i in order[at : at + size]]))
        pooled.append(vectors)
        per_token.append(late)
    back = torch.tensor(np.argsort(order), device=tokens.device)
    if per_token[0] is None:
        return torch.cat(pooled)[back], None
    width = max(t.shape[1] for t in per_token)
    return torch.cat(pooled)[back], torch.cat([F.pad(t, (0, 0, 0, width - t.shape[1])) for t in per_token])[back]


def score_groups(model, tokens, queries, texts):
    """Log-odds by pooled vectors alone and with token vectors, one row a query over its own texts, padded to the widest
    group, and a mask of what is present."""
    width = max(map(len, texts))
    device = tokens.device
    present = torch.tensor([[1.0] * len(r) + [0.0] * (width - len(r)) for r in texts], device=device)
    if isinstance(model, Judge):
        asked = [(q, t) for q, row in zip(queries, texts) for t in row]
        order = sorted(range(len(asked)), key=lambda i: len(tokens.ids(asked[i][1])))
        size = -(-len(order) // 3)
        logits = torch.cat([model(*tokens.pairs(*zip(*(asked[i] for i in order[at : at + size])))) for at in range(0, len(order), size)])
        logits = logits[torch.tensor(np.argsort(order), device=device)]
        where = present.flatten().nonzero().squeeze(1)
        out = torch.full((present.numel(),), -1e4, device=device, dtype=logits.dtype).index_put((where,), logits)
        out = out.view(len(queries), width)
        return out, out, present
    unique = list(dict.fromkeys(t for row in texts for t in row))
    place = {t: i for i, t in enumerate(unique)}
    rows = torch.tensor(widen([[place[t] for t in row] for row in texts], width, 0), device=device)
    ids, mask, _ = tokens.batch(queries)
    pooled, per_token = in_buckets(model, tokens, unique)
    text = (pooled[rows], per_token[rows] if per_token is not None else None)
    return *model.log_odds(model(ids, mask), text, mask), present


def train(model, data, tokens, args, teacher=None):
    groups = Groups(data, args.seed)
    fitter = Fitter(model, args.steps, args.rate, seconds=args.seconds)
    running, started = 0.0, time.time()
    model.train()
    while not fitter.finished():
        step = fitter.done
        batch = draw(groups, args.batch)
        if teacher is not None:
            batch += [groups.stranger() for _ in range(args.batch // 2)]
        queries, texts = [g[0] for g in batch], [g[1] for g in batch]
        with torch.autocast("cuda", torch.bfloat16, enabled=tokens.device == "cuda"):
            pooled, log_odds, present = score_groups(model, tokens, queries, texts)
            labels = torch.tensor(widen([g[2] or [0.0] * len(g[1]) for g in batch], present.shape[1], 0.0), device=tokens.device)
            if teacher is not None:
                with torch.no_grad():
                    taught = torch.sigmoid(score_groups(teacher, tokens, queries, texts)[1].float())
                known = torch.tensor([[g[2] is not None] for g in batch], device=tokens.device)
                labels = torch.where(known, (1 - args.trust) * labels + args.trust * taught, taught)
            loss = group_loss(log_odds.float(), labels, present)
            if args.late:  # the pooled vectors stay right on their own, for retrieval
                loss = loss + 0.4 * group_loss(pooled.float(), labels, present)
            if isinstance(model, BiEncoder):
                asked = groups.passages(48)
                loss = loss + 0.4 * contrast(model, tokens, [a[0] for a in asked], [a[1] for a in asked], [a[2] or "none" for a in asked])
                same = groups.paraphrases(32)
                loss = loss + 0.2 * contrast(model, tokens, [s[0] for s in same], [s[1] for s in same])
        fitter.step(loss)
        running = 0.98 * running + 0.02 * loss.item() if step else loss.item()
        if step % 100 == 0:
            print(f"{args.name} step {step} loss {running:.3f} {time.time() - started:.0f} s", flush=True)
    fitter.use_average()


@torch.no_grad()
def document_scores(model, tokens, doc, mode, which):
    texts = [knowledge_text(e, mode) for e in doc["entities"]]
    queries = [query["q"] for query in doc["queries"]]
    with torch.autocast("cuda", torch.bfloat16, enabled=tokens.device == "cuda"):
        return list(score_groups(model, tokens, queries, [texts] * len(queries))[which].float().cpu().numpy())


def evaluate(model, data, tokens, name, which=1):
    """Prints a trial rule's figures and returns the scores for `fit_rule.py`; `which` 0 is pooled alone, 1 all."""
    model.eval()
    kept, report = {}, {}
    held = [d for i, d in enumerate(data["list"]) if is_held_out(i)]
    for mode in ("knowledge", "description", "title", "context"):
        rows = [document_scores(model, tokens, d, mode, which) for d in held]
        kept[f"list/{mode}"] = [s for r in rows for s in r]
        items = []
        for doc, row in zip(held, rows):
            for query, s in zip(doc["queries"], row):
                items.append((query["q"], s, np.isin(np.arange(len(s)), query["answers"])))
        best = max(({**TRIAL_RULE, "sure": s, "margin": m, "possible": p} for s in np.arange(-2, 2.1, 0.5) for m in (0.3, 0.7, 1.2) for p in (1, 2, 3)),
                   key=lambda rule: list_report(items, rule)["f1"])
        report[mode] = {k: round(float(v), 3) for k, v in list_report(items, best).items()}
    for mode in ("knowledge", "context"):
        rows = [document_scores(model, tokens, d, mode, which) for d in data["ktrlf"]]
        kept[f"ktrlf/{mode}"] = [s for r in rows for s in r]
        best = max((ktrlf_report(data["ktrlf"], rows, {"sure": 99, "far": 4, "margin": m, "possible": -99, "per_word": 0}) for m in np.arange(0.4, 3.3, 0.4)),
                   key=lambda r: r["em"] + r["overlap"] + r["r_em"] + r["r_overlap"])
        report["ktrlf " + mode] = {k: round(v, 1) for k, v in best.items()}
    print(name, json.dumps(report), flush=True)
    return kept


def save_scores(path, kept):
    arrays = {}
    for key, rows in kept.items():
        arrays[key + "/values"] = np.concatenate(rows)
        arrays[key + "/lengths"] = np.array([len(r) for r in rows])
    np.savez_compressed(path, **arrays)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", required=True)
    parser.add_argument("--base", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--name", default="encoder")
    parser.add_argument("--layers", help="keep these layers of the base, e.g. 0,2,4,6,8,10")
    parser.add_argument("--judge", action="store_true", help="train a cross-encoder instead (the teacher)")
    parser.add_argument("--late", action="store_true", help="add token-by-token interaction")
    parser.add_argument("--teacher", help="folder of a trained judge to distil from")
    parser.add_argument("--trust", type=float, default=0.5, help="weight of the teacher's probability beside the label")
    parser.add_argument("--steps", type=int, default=1600)
    parser.add_argument("--batch", type=int, default=32, help="groups a step")
    parser.add_argument("--rate", type=float, default=5e-5)
    parser.add_argument("--seconds", type=float, help="shorten the schedule to end in this time")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    seed_everything(args.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    data = json.load(lzma.open(args.data, "rt", encoding="utf-8"))
    tokenizer_file = os.path.join(args.base, "tokenizer.json")
    tokenizer = Tokenizer.from_file(tokenizer_file)
    tokenizer.no_padding()
    tokenizer.no_truncation()
    tokens = Tokens(tokenizer, device)
    layers = [int(n) for n in args.layers.split(",")] if args.layers else None
    model = (Judge(args.base, layers) if args.judge else BiEncoder(args.base, layers, args.late)).to(device)
    teacher = None
    if args.teacher:
        teacher = Judge(os.path.join(args.teacher, "trunk")).to(device).eval()
        teacher.head.load_state_dict(torch.load(os.path.join(args.teacher, "head.pt"), map_location=device))
    train(model, data, tokens, args, teacher)
    os.makedirs(args.out, exist_ok=True)
    if args.judge:
        save_trunk(model.trunk, os.path.join(args.out, "trunk"), tokenizer_file)
        torch.save(model.head.state_dict(), os.path.join(args.out, "head.pt"))
    else:
        calibration = {"scale": model.scale.item(), "bias": model.bias.item()}
        heads = {}
        if args.late:
            calibration["late"] = {"scale": model.late_scale.item(), "middle": model.late_middle.item(), "width": model.late.out_features}
            heads["late"] = model.late
        meta = {"kind": "encoder", "name": "findall-encoder-1", "max_tokens": 256, "dims": 384,
                "calibration": calibration, "decision": TRIAL_RULE}
        save_checkpoint(model.trunk, heads, meta, args.out, split=True)
    if args.late:
        evaluate(model, data, tokens, args.name + " pooled", which=0)
    kept = evaluate(model, data, tokens, args.name)
    save_scores(os.path.join(args.out, "scores.npz"), kept)


if __name__ == "__main__":
    main()
