"""Trains the encoder on labels and on what a judge says of the same candidates.

    python3 training/train_encoder.py --data carry/encoder.json.xz --base carry/minilm-int8 --teacher carry/judge-shipped \\
        --base-queries carry/base-queries.json.xz --seconds 900 --out out/encoder

A step has queries over the candidates of their own documents, over those of strangers' and over the entities of the
knowledge base that are nearest to them, which only the judge answers. Nothing is chosen: the schedule is fixed, the
averaged weights of the last step are saved, and `fit_encoder.py` fits the rule on documents that no step saw.
"""
import argparse
import json
import lzma
import time

import torch
from torch.nn import functional as F
from torch.utils.data import DataLoader

import fit
from checkpoint import save_checkpoint
from encoder_groups import Draws
from encoder_model import LATE_WIDTH, BiEncoder
from judge import Judge, Pairs, in_stretches, parts_of
from train_judge import Neighbours


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


def contrast(model, left, right):
    """Each left text with its right one against all others."""
    a, b = model(*left)[0], model(*right)[0]
    return F.cross_entropy(20 * a @ b.T, torch.arange(len(a), device=a.device))


def to_device(value, where):
    if isinstance(value, torch.Tensor):
        return value.to(where, non_blocking=True)
    if isinstance(value, dict):
        return {key: to_device(one, where) for key, one in value.items()}
    return type(value)(to_device(one, where) for one in value) if isinstance(value, (list, tuple)) else value


def train(model, teacher, draws, args):
    where = fit.device()
    fitter = fit.Fitter(model, args.steps, args.rate, seconds=args.seconds)
    loader = iter(DataLoader(draws, batch_size=None, num_workers=args.workers, prefetch_factor=4 if args.workers else None))
    running, waited = None, 0.0
    model.train()
    while not fitter.finished():
        before = time.time()
        batch = to_device(next(loader), where)
        waited += time.time() - before
        with fit.autocast():
            with torch.no_grad():
                order, stretches, arrays = batch["pairs"]
                judged = torch.empty(len(order), device=where)
                judged[order] = torch.sigmoid(in_stretches(teacher, stretches, *arrays))
                taught = torch.zeros_like(batch["labels"])
                taught[batch["present"] > 0] = judged
                labels = torch.where(batch["known"] > 0, (1 - args.trust) * batch["labels"] + args.trust * taught, taught)
            pooled, log_odds = model.log_odds(batch["queries"], batch["texts"], batch["numbers"])
            # The pooled vectors stay right on their own, for retrieval.
            loss = group_loss(log_odds.float(), labels, batch["present"]) + 0.4 * group_loss(pooled.float(), labels, batch["present"])
            answers, rewordings = batch["contrasts"]
            loss = loss + 0.4 * contrast(model, *answers) + 0.2 * contrast(model, *rewordings)
        fitter.step(loss)
        if fitter.done % 100 == 1:
            value = loss.item()
            running = value if running is None else 0.8 * running + 0.2 * value
            print(f"step {fitter.done}/{fitter.steps} loss {running:.4f} {time.time() - fitter.started:.0f} s, {waited:.0f} s waited for data", flush=True)
    fitter.use_average()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--base", required=True)
    parser.add_argument("--teacher", required=True, help="folder of a judge's weights, packed")
    parser.add_argument("--base-queries", required=True, help="queries made from the knowledge base (`prepare_judge.py --base-queries`)")
    parser.add_argument("--out", required=True)
    parser.add_argument("--trust", type=float, default=0.6, help="weight of the judge beside a label")
    parser.add_argument("--steps", type=int, default=9000)
    parser.add_argument("--queries", type=int, default=24, help="labelled queries a step")
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--seconds", type=float, help="shorten the schedule to end in this time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=12)
    parser.add_argument("--limit", type=int, help="use this many groups and entities (smoke runs)")
    args = parser.parse_args()
    fit.seed_everything(args.seed)
    with lzma.open(args.data, "rt", encoding="utf-8") as file:
        data = json.load(file)
    data["groups"], data["base"] = data["groups"][: args.limit], data["base"][: args.limit]
    with lzma.open(args.base_queries, "rt", encoding="utf-8") as file:
        made = json.load(file)[: args.limit]
    where = fit.device()
    model, teacher, pairs = BiEncoder(args.base).to(where), Judge(args.teacher).to(where).eval(), Pairs(args.base)
    asked = [q["q"] for g in data["groups"] for q in g["queries"] if q["needs"] != "text"]
    near = Neighbours([[f"{title}. {known}"] for title, known in data["base"]], args.base, pairs, list(dict.fromkeys(asked + made)))
    pairs.learn(part for g in data["groups"] for q in g["queries"] for n in range(len(g["candidates"])) for part in parts_of(g, q, n))
    print(f"{len(data['groups'])} groups, {len(data['base'])} entities of the base, {len(near.queries)} queries", flush=True)
    train(model, teacher, Draws(data, pairs, near, args), args)
    calibration = {"scale": model.scale.item(), "bias": model.bias.item(),
                   "late": {"scale": model.late_scale.item(), "middle": model.late_middle.item(), "width": LATE_WIDTH}}
    meta = {"kind": "encoder", "name": "findall-encoder-1", "max_tokens": 256, "dims": model.trunk.config.hidden_size, "calibration": calibration}
    save_checkpoint(model.trunk, {"late": model.late}, meta, args.out, split=True)


if __name__ == "__main__":
    main()
