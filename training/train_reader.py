"""Trains the extractive reader, optionally after teachers from which it learns at every step.

    python3 training/train_reader.py --data carry/qa.jsonl.xz --base carry/minilm-int8 --teachers carry/gte-small-int8 --out $OUT/reader

Each model sees made-up questions mixed with real ones first, then real ones: SQuAD 1.1 and 2.0, Quoref, MultiSpanQA,
PolicyQA. Negatives pair a question with another passage of its article; questions are lower-cased or misspelt now and
then. Schedules are fixed, nothing is chosen on the held-out articles; the averaged weights are saved.
"""
import argparse
import json
import lzma
import os
import random
import time

import numpy as np
import torch
import torch.nn.functional as F

import checkpoint
import eval_reader
import fit
import reader
from tagger import load_tokenizer

# Share of a set's questions seen in one epoch; PolicyQA repeats few question forms.
SHARE = {"squad1": 1.0, "squad1x": 1.0, "squad2": 1.5, "quoref": 1.0, "multispan": 2.0, "policy_dev": 0.25, "policy_test": 0.25}
WRONG_PASSAGE = 0.18


class Data:
    """Passages as pieces with offsets, and the questions over them."""

    def __init__(self, path, tokenizer, limit=None):
        self.tokenizer = tokenizer
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            self.rows = [row for row in map(json.loads, lines) if not row["held"]]
        if limit:
            self.rows = self.rows[:: max(1, len(self.rows) // limit)]
        coded = tokenizer.encode_batch([row["text"] for row in self.rows], add_special_tokens=False)
        self.ids = [np.array(c.ids, np.int64) for c in coded]
        self.starts = [np.array([s for s, _ in c.offsets]) for c in coded]
        self.ends = [np.array([e for _, e in c.offsets]) for c in coded]
        self.real, self.made, self.by_article = [], [], {}
        for index, row in enumerate(self.rows):
            self.by_article.setdefault((row["src"], row["article"]), []).append(index)
            for qa in row["qas"]:
                alternatives = [[self.pieces(index, s, e) for s, e in a] for a in qa["a"]]
                qa["pieces"] = [[p for p in a if p] for a in alternatives if any(a)]
                (self.made if row["src"] == "cloze" else self.real).append((index, qa))

    def pieces(self, index, start, end):
        """First and last piece of a character span, or None."""
        first = int(np.searchsorted(self.ends[index], start, "right"))
        last = int(np.searchsorted(self.starts[index], end, "left")) - 1
        return (first, last) if 0 <= first <= last else None

    def epoch(self, rng, made_count):
        """`(passage, question, answers, all)` of one epoch."""
        out = []
        for index, qa in self.real:
            share = SHARE[self.rows[index]["src"]]
            for _ in range(int(share) + (rng.random() < share % 1)):
                out.append(self.example(index, qa, rng))
        for position in rng.sample(range(len(self.made)), min(made_count, len(self.made))):
            index, qa = self.made[position]
            out.append((index, qa["q"], qa["pieces"][0] if qa["pieces"] else [], False))
        rng.shuffle(out)
        return out

    def example(self, index, qa, rng):
        answers = rng.choice(qa["pieces"]) if qa["pieces"] else []
        row = self.rows[index]
        if answers and rng.random() < WRONG_PASSAGE:
            others = [i for i in self.by_article[row["src"], row["article"]] if i != index]
            surfaces = {row["text"][s:e].lower() for a in qa["a"] for s, e in a}
            if others:
                other = rng.choice(others)
                # A passage that holds the answer's string might answer after all.
                if not any(s in self.rows[other]["text"].lower() for s in surfaces):
                    index, answers = other, []
        text, draw = qa["q"], rng.random()
        if draw < 0.13:
            text = eval_reader.misspelt(text, rng)
        if rng.random() < 0.12:
            text = text.lower().rstrip("?")
        return index, text, answers, qa["all"]


def assemble(data, example, question_ids, rng):
    """Model input and targets of one example; long passages are cut to a window that holds an answer, if there is one."""
    index, _, answers, every = example
    passage = data.ids[index]
    room = reader.MAX_PIECES - len(question_ids) - 3
    start = 0
    if len(passage) > room:
        low, high = 0, len(passage) - room
        if answers:
            anchor = rng.choice(answers)
            low, high = max(0, anchor[1] - room + 1), min(high, anchor[0])
        start = rng.randint(min(low, high), max(low, high))
    w = reader.window(question_ids, passage, start, min(start + room, len(passage)))
    inside = np.full(len(w.ids), -1, np.int64)
    inside[w.first: w.first + w.end - w.start] = 0
    starts, ends = [], []
    for first, last in answers:
        if first >= w.start and last < w.end:
            s, e = first - w.start + w.first, last - w.start + w.first
            starts.append(s)
            ends.append(e)
            inside[s] = 1
            inside[s + 1: e + 1] = 2
            if not every and len(answers) > 1:
                inside[s: e + 1] = -1
    return w, starts, ends, inside, every and len(starts) > 1


def to_batch(parts, where):
    ids = fit.padded([w.ids for w, *_ in parts], 0)
    types = fit.padded([w.types for w, *_ in parts], 0)
    inside = fit.padded([p[3] for p in parts], -1)
    mask = (ids != 0).astype(np.int64)
    allowed = np.zeros(ids.shape, bool)
    start, end = np.zeros(ids.shape, np.float32), np.zeros(ids.shape, np.float32)
    spread = np.zeros(len(parts), bool)
    for row, (w, starts, ends, _, several) in enumerate(parts):
        allowed[row, 0] = True
        allowed[row, w.first: w.first + w.end - w.start] = True
        start[row, starts or [0]] = 1
        end[row, ends or [0]] = 1
        spread[row] = several
    answerable = np.array([bool(p[1]) for p in parts], np.float32)
    arrays = (ids, mask, types, allowed, start, end, spread, inside, answerable)
    return [torch.from_numpy(a).pin_memory().to(where, non_blocking=True) if where.type == "cuda" else torch.from_numpy(a) for a in arrays]


def pointer_loss(scores, target, spread):
    """Any marked place will do (log of summed probability), unless the places are several answers (mean of logs)."""
    logs = F.log_softmax(scores, -1)
    any_of = -torch.logsumexp(logs.masked_fill(target == 0, -1e9), -1)
    mean_of = -(logs.masked_fill(target == 0, 0) * target).sum(-1) / target.sum(-1)
    return torch.where(spread, mean_of, any_of).mean()


def masked_spans(spans, allowed):
    return spans.float().masked_fill(~allowed[..., None], -1e4)


def loss_of(output, batch, teachers, weight):
    _, _, _, allowed, start, end, spread, inside, answerable = batch
    spans, tags, whole = masked_spans(output[0], allowed), output[1].float(), output[2].float()[:, 0]
    loss = 0.5 * (pointer_loss(spans[..., 0], start, spread) + pointer_loss(spans[..., 1], end, spread))
    loss = loss + 0.5 * F.cross_entropy(tags.flatten(0, 1), inside.flatten(), ignore_index=-1) * 4
    loss = loss + 0.5 * F.binary_cross_entropy_with_logits(whole, answerable)
    if not teachers:
        return loss
    target = [torch.stack([F.softmax(masked_spans(t[0], allowed)[..., c], -1) for t in teachers]).mean(0) for c in (0, 1)]
    soft = sum(-(t * F.log_softmax(spans[..., c], -1)).sum(-1).mean() for c, t in enumerate(target)) * 0.5
    tag_target = torch.stack([F.softmax(t[1].float(), -1) for t in teachers]).mean(0)
    spoken = inside >= 0
    soft = soft - 2 * (tag_target * F.log_softmax(tags, -1)).sum(-1)[spoken].mean()
    whole_target = torch.stack([torch.sigmoid(t[2].float()[:, 0]) for t in teachers]).mean(0)
    soft = soft + 0.5 * F.binary_cross_entropy_with_logits(whole, whole_target)
    return (1 - weight) * loss + weight * soft


def train(base, layers, data, args, phases, seed, rate, teachers=(), kd=0.7, seconds=None):
    """`phases`: (epochs, made-up questions an epoch), one schedule over all."""
    fit.seed_everything(seed)
    rng, order_rng = random.Random(seed), np.random.default_rng(seed)
    where = fit.device()
    model = reader.Reader(base, layers).to(where)
    plan = [made for epochs, made in phases for _ in range(epochs)]
    # How many steps that makes is measured on one sample epoch a phase.
    steps = sum(epochs * len(batches_of(data, data.epoch(random.Random(seed), made), args, np.random.default_rng(0))[0]) for epochs, made in phases)
    steps = min(steps, args.max_steps or 10**9)
    fitter = fit.Fitter(model, steps, rate, seconds=seconds)
    print(f"{base}: {len(data.real)} real, {len(data.made)} made-up questions, about {steps} steps", flush=True)
    model.train()
    for number, made in enumerate(plan):
        examples = data.epoch(rng, made)
        batches, questions = batches_of(data, examples, args, order_rng)
        for batch in batches:
            if fitter.finished():
                break
            tensors = to_batch([assemble(data, examples[i], questions[i], rng) for i in batch], where)
            with fit.autocast():
                output = model(*tensors[:3])
                with torch.no_grad():
                    taught = [teacher(*tensors[:3]) for teacher in teachers]
            loss = loss_of(output, tensors, taught, kd)
            fitter.step(loss)
            if fitter.done % 200 == 0:
                print(f"  step {fitter.done} epoch {number} loss {loss.item():.4f} {time.time() - fitter.started:.0f} s", flush=True)
    fitter.use_average()
    return model.eval()


def batches_of(data, examples, args, order_rng):
    questions = [np.array(c.ids[: reader.MAX_QUESTION], np.int64) for c in data.tokenizer.encode_batch([e[1] for e in examples], add_special_tokens=False)]
    lengths = [min(reader.MAX_PIECES, len(q) + 3 + len(data.ids[e[0]])) for q, e in zip(questions, examples)]
    return fit.length_batches(lengths, args.tokens, order_rng, max_rows=64), questions


def calibration(figures):
    """P(no answer) = sigmoid(scale · (null − best) − answerable · head + bias), fitted on every second held-out question."""
    _, margin, head, answerable = figures
    features = torch.tensor(np.stack([margin, head, np.ones_like(margin)], 1)[::2], dtype=torch.float32)
    target = torch.tensor(~answerable[::2], dtype=torch.float32)
    weights = torch.tensor([0.2, 0.2, 0.0], requires_grad=True)
    optimizer = torch.optim.LBFGS([weights], max_iter=200)

    def closure():
        optimizer.zero_grad()
        loss = F.binary_cross_entropy_with_logits(features @ weights, target) + 1e-3 * (weights[:2] ** 2).sum()
        loss.backward()
        return loss
    optimizer.step(closure)
    scale, head_weight, bias = (round(w, 4) for w in weights.tolist())
    return {"scale": scale, "answerable": head_weight, "bias": bias}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--base", required=True)
    parser.add_argument("--layers", help="keep these layers of the base, e.g. 1,3,5,7,9,11")
    parser.add_argument("--teachers", nargs="*", default=[], help="base folders of teachers; the same folder twice means two seeds")
    parser.add_argument("--out", required=True)
    parser.add_argument("--epochs", type=int, default=10, help="epochs over the real questions, after two with made-up ones")
    parser.add_argument("--teacher-epochs", type=int, default=4)
    parser.add_argument("--made", type=int, default=24000, help="made-up questions in each of the first epochs")
    parser.add_argument("--tokens", type=int, default=10240, help="tokens a batch")
    parser.add_argument("--rate", type=float, default=1.2e-4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--max-steps", type=int)
    parser.add_argument("--seconds", type=float, help="shorten the student's schedule to end in this time")
    parser.add_argument("--teacher-seconds", type=float, help="the same for each teacher")
    parser.add_argument("--limit", type=int, help="use about this many passages (smoke runs)")
    parser.add_argument("--eval-limit", type=int)
    parser.add_argument("--split", action="store_true", help="write the checkpoint in parts of 15 MiB")
    args = parser.parse_args()
    tokenizer = load_tokenizer(args.base)
    data = Data(args.data, tokenizer, args.limit)
    layers = [int(n) for n in args.layers.split(",")] if args.layers else None
    teachers = []
    for number, base in enumerate(args.teachers):
        teachers.append(train(base, None, data, args, [(2, args.made), (args.teacher_epochs, 0)], args.seed + 10 + number, args.rate * 0.75, seconds=args.teacher_seconds))
        eval_reader.report(tokenizer, reader.torch_runner(teachers[-1]), args.data, full=False, limit=args.eval_limit)
    model = train(args.base, layers, data, args, [(2, args.made), (args.epochs, 2000)], args.seed, args.rate, teachers, seconds=args.seconds)
    run = reader.torch_runner(model)
    figures = {"f32": eval_reader.report(tokenizer, run, args.data, limit=args.eval_limit)}
    probability = calibration(eval_reader.figures(tokenizer, run, eval_reader.held_questions(args.data)[: args.eval_limit]))
    meta = {"kind": "reader", "name": "findall-reader-1", "max_tokens": reader.MAX_PIECES, "stride": reader.OVERLAP,
            "max_answer_tokens": reader.MAX_ANSWER, "max_answers": 20, "no_answer": probability, "answer_threshold": 0.3}
    checkpoint.save_checkpoint(model.trunk, {"spans": model.spans, "inside": model.inside, "answerable": model.answerable}, meta, args.out, args.split)
    with open(os.path.join(args.out, "metrics.json"), "w", encoding="utf-8") as file:
        json.dump(figures, file, indent=1)


if __name__ == "__main__":
    main()
