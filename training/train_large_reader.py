"""Trains a large reader, and has it read many questions: what it says of them teaches the reader that ships.

    python3 training/train_large_reader.py --base carry/qwen --data carry/qa.jsonl.xz --asked-file carry/asked.jsonl.xz --out out/taught.jsonl.xz

The large reader stands on a large language model (`language_model.py`). It learns from the same questions as the reader
(`train_reader.py`) and leaves one JSON line for each question that it reads: where in the passage an answer begins and ends, in
characters with probabilities, and the probability that there is one: `{"text": first of its SHA-1, "q", "p", "starts": [[at, p]],
"ends": [[at, p]]}`. What is missing to one says "not here".
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

import eval_reader
import fit
import reader
from language_model import hidden_of, load
from tagger import load_tokenizer
from train_reader import Data, masked_spans, pointer_loss, ranking_loss, text_key

# Passages of more tokens are left out.
MAX_TOKENS = 640
# What a schedule of some seconds is first taken to hold.
MAX_STEPS_A_SECOND = 6
# Places that are written for one question, and the least probability that is.
MAX_PLACES, MIN_PLACE = 8, 0.01


def asking(question):
    return f"Question: {question}\nText:\n"


class LargeReader(torch.nn.Module):
    def __init__(self, folder):
        super().__init__()
        self.trunk, self.words = load(folder)
        width = self.trunk.config.hidden_size
        self.spans, self.answerable = torch.nn.Linear(width, 2), torch.nn.Linear(width, 1)
        self.line_end = self.words.numbers(["\n"])[0]

    def questions(self, texts):
        return self.words.numbers(list(map(asking, texts)))

    def passages(self, texts):
        """Numbers, and where each token begins and ends without the space before it."""
        out = []
        for text, (numbers, offsets) in zip(texts, self.words.encoded(texts)):
            starts = np.array([s + len(text[s:e]) - len(text[s:e].lstrip()) for s, e in offsets], np.int64)
            ends = np.array([max(s, e) for s, (_, e) in zip(starts, offsets)], np.int64)
            out.append((numbers, starts, ends))
        return out

    def forward(self, ids, mask, last):
        """Begin and end of an answer, "not here" first, and whether there is one. `last`: the line's end behind the passage, which has read all."""
        hidden = hidden_of(self.trunk, ids, mask)
        end = hidden[torch.arange(len(ids), device=ids.device), last]
        hidden = torch.cat([end[:, None], hidden], 1)
        return self.spans(hidden), self.answerable(end)


def batch_of(questions, passages, end):
    """Numbers, mask, the last place, and which places may begin or end an answer ("not here" first)."""
    rows = [np.concatenate([question, passage[0], end]) for question, passage in zip(questions, passages)]
    ids = fit.padded(rows, 0)
    mask, allowed = np.zeros(ids.shape, np.int64), np.zeros((len(rows), ids.shape[1] + 1), bool)
    for number, (row, question) in enumerate(zip(rows, questions)):
        mask[number, : len(row)] = 1
        allowed[number, [0, *range(len(question) + 1, len(row))]] = True
    return ids, mask, np.array([len(row) - 1 for row in rows]), allowed


def targets(data, examples, questions, passages, allowed):
    """What the labels say, as `train_reader.py` says it of its own pieces."""
    start, end = np.zeros(allowed.shape, np.float32), np.zeros(allowed.shape, np.float32)
    spread = np.zeros(len(examples), bool)
    for row, ((index, _, answers, every, *_), question, (_, starts, ends)) in enumerate(zip(examples, questions, passages)):
        for first, last in answers:
            start[row, len(question) + 1 + np.searchsorted(ends, data.starts[index][first], "right")] = 1
            end[row, len(question) + np.searchsorted(starts, data.ends[index][last], "left")] = 1
        if not answers:
            start[row, 0] = end[row, 0] = 1
        spread[row] = every and len(answers) > 1
    answerable = np.array([bool(e[2]) for e in examples], np.float32)
    written = np.array([e[4] for e in examples], np.float32)
    return start, end, spread, answerable, np.array([e[0] for e in examples]), written


def train(model, data, passages, args):
    rng, order = random.Random(args.seed), np.random.default_rng(args.seed)
    where, steps = fit.device(), args.max_steps or int(args.seconds * MAX_STEPS_A_SECOND)
    fitter = fit.Fitter(model, steps, args.rate, head_rate=10 * args.rate, layer_decay=0.97, seconds=args.seconds)
    model.train()
    while not fitter.finished():
        ending = fitter.done >= fitter.steps * (1 - args.ending) and fitter.done > 0
        examples = [e for e in data.epoch(rng, 0, ending) if len(passages[e[0]][0]) <= MAX_TOKENS]
        questions = model.questions([e[1] for e in examples])
        for batch in fit.length_batches([len(q) + len(passages[e[0]][0]) for q, e in zip(questions, examples)], args.tokens, order):
            if fitter.finished() or (not ending and fitter.done >= max(25, fitter.steps * (1 - args.ending))):
                break
            here, asked = [examples[i] for i in batch], [questions[i] for i in batch]
            read = [passages[e[0]] for e in here]
            ids, mask, last, allowed = batch_of(asked, read, model.line_end)
            start, end, spread, answerable, passage, written = targets(data, here, asked, read, allowed)
            parts = [torch.from_numpy(a).to(where) for a in (ids, mask, last, allowed, start, end, spread, answerable, passage, written)]
            with fit.autocast():
                spans, whole = model(*parts[:3])
            spans, whole = masked_spans(spans, parts[3]), whole.float()[:, 0]
            loss = 0.5 * (pointer_loss(spans[..., 0], parts[4], parts[6]) + pointer_loss(spans[..., 1], parts[5], parts[6])).mean()
            loss = loss + 0.5 * F.binary_cross_entropy_with_logits(whole, parts[7])
            fitter.step(loss + args.ranking * ranking_loss(spans, whole, parts[7], parts[8], parts[9], torch.ones_like(whole)))
            if fitter.done % 50 == 0:
                print(f"  large reader step {fitter.done} of {fitter.steps} loss {loss.item():.4f} {time.time() - fitter.started:.0f} s", flush=True)
    fitter.use_average()


def read(model, pairs, tokens, seconds=None):
    """The `(question, passage)` of `pairs` in batches of equal length: their numbers, where their passages begin, what may begin and end an
    answer ("not here" first) as logits, and the logits of any answer."""
    questions = model.questions([q for q, _ in pairs])
    lengths = [len(q) + len(p[0]) for q, (_, p) in zip(questions, pairs)]
    started = time.time()
    for number, batch in enumerate(fit.length_batches(lengths, tokens, np.random.default_rng(1), max_rows=1024)):
        if seconds and time.time() - started > seconds:
            print(f"large reader: read {number} batches in {seconds:.0f} s, not all", flush=True)
            return
        asked = [questions[i] for i in batch]
        parts = batch_of(asked, [pairs[i][1] for i in batch], model.line_end)
        ids, mask, last, allowed = (torch.from_numpy(a).to(fit.device()) for a in parts)
        with torch.no_grad(), fit.autocast():
            spans, whole = model(ids, mask, last)
        yield batch, [len(q) + 1 for q in asked], masked_spans(spans, allowed), whole.float()[:, 0]


def evaluate(model, questions, tokens, name):
    """Figures as `eval_reader.py` gives them."""
    texts = list(dict.fromkeys(p for _, p, _ in questions))
    passages = dict(zip(texts, model.passages(texts)))
    readings = [None for _ in questions]
    for batch, firsts, spans, whole in read(model, [(q, passages[p]) for q, p, _ in questions], tokens):
        for i, at, row, likely in zip(batch, firsts, spans.cpu().numpy(), whole.tolist()):
            _, starts, ends = passages[questions[i][1]]
            first, last, best = reader.best_spans(row[at: at + len(starts), 0], row[at: at + len(starts), 1])[0]
            readings[i] = reader.Reading(int(starts[first]), int(ends[last]), best, float(row[0].sum()), likely, [])
    return eval_reader.figures_of(readings, questions, name=name)[0]


def pairs_to_teach(data, rng):
    """`(passage, question)` in two heaps: what people asked of SQuAD 2.0 and of pages and what a language model asked, on their own passage
    and on others; then the rest."""
    first, rest = [], []
    for index, qa in data.real:
        row = data.rows[index]
        heap = first if row["src"] in ("squad2", "pages") else rest
        if row["src"].startswith("policy") and rng.random() < 0.75:
            continue
        heap.append((index, qa["q"]))
        if qa["far"] and rng.random() < (1.0 if heap is first else 0.4):
            heap.append((rng.choice(qa["far"]), qa["q"]))
        if qa.get("near") and rng.random() < 0.5:
            rest.append((index, rng.choice(qa["near"])[1]))
    for index, question in data.asked_about:
        first.append((index, question))
        if rng.random() < 0.4:
            first.append((rng.choice(data.beside[data.rows[index]["article"]]), question))
    return [list(dict.fromkeys(first)), list(dict.fromkeys(rest))]


def places(chances, at, first, offsets):
    """`[character, probability]` of the likely ones."""
    return [[int(offsets[i - first]), round(p, 3)] for p, i in zip(chances, at) if i >= first and p >= MIN_PLACE]


def teach(model, data, passages, args):
    """Writes what the large reader says, while there is time."""
    started, count = time.time(), 0
    with lzma.open(args.out + ".part", "wt", encoding="utf-8", preset=1) as out:
        for heap in pairs_to_teach(data, random.Random(args.seed)):
            heap = [(i, q) for i, q in heap if len(passages[i][0]) <= MAX_TOKENS][: args.max_steps]
            left = args.teach_seconds - (time.time() - started)
            for batch, firsts, spans, whole in read(model, [(q, passages[i]) for i, q in heap], args.teach_tokens, left) if left > 0 else ():
                best = torch.softmax(spans, 1).topk(min(MAX_PLACES, spans.shape[1]), dim=1)
                chances, at, likely = best.values.transpose(1, 2).tolist(), best.indices.transpose(1, 2).tolist(), torch.sigmoid(whole).tolist()
                for row, (number, first) in enumerate(zip(batch, firsts)):
                    index, question = heap[number]
                    _, starts, ends = passages[index]
                    out.write(json.dumps({"text": text_key(data.rows[index]["text"]), "q": question, "p": round(likely[row], 3),
                                          "starts": places(chances[row][0], at[row][0], first, starts),
                                          "ends": places(chances[row][1], at[row][1], first, ends)}, ensure_ascii=False) + "\n")
                count += len(batch)
    os.replace(args.out + ".part", args.out)
    print(f"{count} questions read in {time.time() - started:.0f} s", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", required=True, help="what language_model.py wrote")
    parser.add_argument("--tokenizer", help="folder of the reader's tokenizer")
    parser.add_argument("--data", help="what prepare_reader.py wrote")
    parser.add_argument("--asked-file", help="what train_question_maker.py wrote")
    parser.add_argument("--out", required=True)
    parser.add_argument("--leave-out", nargs="*", default=[], metavar="ARTICLE", help="SQuAD 2.0 articles kept from training")
    parser.add_argument("--near", type=float, default=0.5)
    parser.add_argument("--far", type=float, default=0.5)
    parser.add_argument("--edited", type=float, default=0.3)
    parser.add_argument("--none", type=float, default=2.0)
    parser.add_argument("--ending", type=float, default=0.3)
    parser.add_argument("--ranking", type=float, default=0.7)
    parser.add_argument("--rate", type=float, default=2e-5)
    parser.add_argument("--tokens", type=int, default=8192)
    parser.add_argument("--teach-tokens", type=int, default=65536)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--teach-seconds", type=float, default=180)
    parser.add_argument("--max-steps", type=int)
    parser.add_argument("--limit", type=int, help="use about this many passages (smoke runs)")
    parser.add_argument("--seed", type=int, default=3)
    args = parser.parse_args()
    fit.seed_everything(args.seed)
    mix = {"near": args.near, "far": args.far, "edited": args.edited, "none": args.none, "asked": 0}
    data = Data(args.data, load_tokenizer(args.tokenizer), mix, set(args.leave_out), args.limit, args.asked_file)
    started = time.time()
    model = LargeReader(args.base).to(fit.device())
    passages = model.passages([row["text"] for row in data.rows])
    print(f"large reader: loaded in {time.time() - started:.0f} s", flush=True)
    train(model, data, passages, args)
    model.eval()
    for name, wanted in (("left out", lambda row: row["src"] == "squad2" and row["article"] in args.leave_out),
                         ("held out", lambda row: row["src"] == "squad2" and row["held"]), ("reserved pages", lambda row: row["src"] == "pages" and row["held"])):
        questions = eval_reader.questions_of(args.data, wanted)[: args.limit or 500]
        if questions:
            evaluate(model, questions, args.teach_tokens, f"large reader, {name}")
    teach(model, data, passages, args)


if __name__ == "__main__":
    main()
