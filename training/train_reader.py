"""Trains the extractive reader, optionally after teachers from which it learns at every step.

    python3 training/train_reader.py --data carry/qa.jsonl.xz --base carry/gte-small-int8 --leave-out Pharmacy --out out/teacher1 --seed 11
    python3 training/train_reader.py --data carry/qa.jsonl.xz --base carry/gte-small-int8 --layers 0,1,2,3,4,5,6,7,8,9 \\
        --teachers out/teacher1 out/teacher2 --leave-out Pharmacy --out out/reader

Each model sees real questions (SQuAD 1.1 and 2.0, Quoref, MultiSpanQA, PolicyQA, natural ones on web pages), made-up ones at first, and near misses of
SQuAD's (`data/unanswerable.py`); the last part of the schedule is mostly SQuAD 2.0's own questions and those on pages, which people wrote.
Questions that a language model asked (`train_question_maker.py`) have no answers: on them only the teachers speak, those that read along
or a large one that read before (`train_large_reader.py`).
Besides the spans it learns to rank: a question without an answer must look less answerable than one with an answer,
above all on the same passage. Questions are lower-cased or misspelt now and then.
Articles that are left out choose the mix and calibrate the probability of no answer; the held-out articles are only
reported. The averaged weights are saved.
"""
import argparse
import collections
import hashlib
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
# At the end of the schedule everything but what people wrote (below) is seen that much less often.
END_SHARE = 0.2
# Difference of log-odds that counts as clearly apart.
RANKING_WIDTH = 3.0
SHARE = {"squad1": 1.0, "squad1x": 1.0, "squad2": 1.5, "quoref": 1.0, "multispan": 2.0, "policy_dev": 0.25, "policy_test": 0.25,
         "pages": 3.0}
# How often a passage of the same page that does not answer is drawn for each question on a page, beside other sets' `--far`.
PAGES_FAR = 2.0
# Questions that people wrote as they ask, answerable or not: they are what the end of the schedule is about.
HUMAN_SOURCES = ("squad2", "pages")
# How often a question that a language model asked is put to another passage of its article instead of its own.
OTHER_PASSAGE_SHARE = 0.35
# How often another passage is one that the large reader has read with that question, where there is one.
READ_PASSAGE_SHARE = 0.7
# Processes that assemble batches.
ASSEMBLERS = 6


class Data:
    """Passages as pieces with offsets, and the questions over them."""

    def __init__(self, path, tokenizer, mix, left_out=(), limit=None, asked=None, taught=None):
        """`mix`: how many near misses (`near`), other passages (`far`), edited passages (`edited`), truly unanswerable
        questions (`none`) an epoch holds for each one there is, and how many that a language model asked (`asked`, of the file
        of that name) for each other one. `taught`: what `train_large_reader.py` wrote."""
        self.tokenizer, self.mix = tokenizer, mix
        rows = read_rows(path) + (read_rows(asked) if asked else [])
        keep = [number for number, row in enumerate(rows) if not row["held"] and row["article"] not in left_out]
        if limit:
            keep = keep[:: max(1, len(keep) // limit)]
        self.rows = [rows[number] for number in keep]
        place = {number: position for position, number in enumerate(keep)}
        coded = tokenizer.encode_batch([row["text"] for row in self.rows], add_special_tokens=False)
        self.ids = [np.array(c.ids, np.int64) for c in coded]
        self.starts = [np.array([s for s, _ in c.offsets]) for c in coded]
        self.ends = [np.array([e for _, e in c.offsets]) for c in coded]
        self.real, self.made, self.asked_about = [], [], []
        self.beside = collections.defaultdict(list)
        for index, row in enumerate(self.rows):
            if row["src"] == "asked":
                self.beside[row["article"]].append(index)
                self.asked_about += [(index, qa["q"]) for qa in row["qas"]]
                continue
            for qa in row["qas"]:
                alternatives = [[self.pieces(index, s, e) for s, e in a] for a in qa["a"]]
                qa["pieces"] = [[p for p in a if p] for a in alternatives if any(a)]
                qa["far"] = [place[number] for number in qa.get("far", ()) if number in place]
                (self.made if row["src"] == "cloze" else self.real).append((index, qa))
        self.taught, self.read_with = {}, collections.defaultdict(set)
        at = collections.defaultdict(list)
        for index, row in enumerate(self.rows):
            at[text_key(row["text"])].append(index)
        for said in read_rows(taught) if taught else ():
            for index in at[said["text"]]:
                self.taught[index, said["q"]] = said
                self.read_with[said["q"]].add(index)

    def pieces(self, index, start, end):
        """First and last piece of a character span, or None."""
        first = int(np.searchsorted(self.ends[index], start, "right"))
        last = int(np.searchsorted(self.starts[index], end, "left")) - 1
        return (first, last) if 0 <= first <= last else None

    def epoch(self, rng, made_count, ending=False):
        """`(passage, question, answers, all, written, question as it was asked)` of one epoch; `written`: one of SQuAD 2.0's own questions
        or of those on pages; no answers at all (None): only the teachers know."""
        out = []
        less = END_SHARE if ending else 1.0
        for index, qa in self.real:
            row = self.rows[index]
            written = row["src"] in HUMAN_SOURCES
            if row["src"] == "edited":
                share = self.mix["edited"]
            elif qa["pieces"]:
                share = SHARE[row["src"]]
            else:
                share = self.mix["none"]
            for _ in range(drawn(share if written else share * less, rng)):
                out.append((index, self.asked(qa["q"], rng), rng.choice(qa["pieces"]) if qa["pieces"] else [], qa["all"], written, qa["q"]))
            for _ in range(drawn(self.mix["near"] * less, rng) if "near" in qa else 0):
                near = self.read_before([n[1] for n in qa["near"]], lambda q, index=index: (index, q) in self.taught, rng)
                out.append((index, self.asked(near, rng), [], False, False, near))
            often = PAGES_FAR if row["src"] == "pages" else self.mix["far"]
            for _ in range(drawn(often * (1.0 if written else less), rng) if qa["far"] else 0):
                far = self.read_before(qa["far"], lambda i, q=qa["q"]: (i, q) in self.taught, rng)
                out.append((far, self.asked(qa["q"], rng), [], False, written, qa["q"]))
        for position in rng.sample(range(len(self.made)), min(made_count, len(self.made))):
            index, qa = self.made[position]
            out.append((index, qa["q"], qa["pieces"][0] if qa["pieces"] else [], False, False, qa["q"]))
        for index, question in rng.sample(self.asked_about, min(int(self.mix["asked"] * len(out)), len(self.asked_about))):
            if rng.random() < OTHER_PASSAGE_SHARE:
                others = [i for i in self.read_with.get(question, ()) if i != index]
                index = rng.choice(others if others and rng.random() < READ_PASSAGE_SHARE else self.beside[self.rows[index]["article"]])
            out.append((index, self.asked(question, rng), None, False, False, question))
        rng.shuffle(out)
        return out

    @staticmethod
    def read_before(choices, known, rng):
        """One of the choices, mostly one that the large reader has read."""
        read = [choice for choice in choices if known(choice)] if rng.random() < READ_PASSAGE_SHARE else []
        return rng.choice(read or choices)

    def asked(self, text, rng):
        """The question as people type it: misspelt or without capitals now and then."""
        if rng.random() < 0.15:
            text = eval_reader.misspelt(text, rng)
        return text.lower().rstrip("?") if rng.random() < 0.12 else text


def text_key(text):
    return hashlib.sha1(text.encode()).hexdigest()[:16]


def read_rows(path):
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        return list(map(json.loads, lines))


def drawn(share, rng):
    return int(share) + (rng.random() < share % 1)


def assemble(data, example, question_ids, rng):
    """Model input and targets of one example; long passages are cut to a window that holds an answer, if there is one."""
    index, _, answers, every, written, question = example
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
    if answers is not None:
        inside[w.first: w.first + w.end - w.start] = 0
    starts, ends = [], []
    for first, last in answers or ():
        if first >= w.start and last < w.end:
            s, e = first - w.start + w.first, last - w.start + w.first
            starts.append(s)
            ends.append(e)
            inside[s] = 1
            inside[s + 1: e + 1] = 2
            if not every and len(answers) > 1:
                inside[s: e + 1] = -1
    return w, starts, ends, inside, every and len(starts) > 1, index, written, answers is not None, said_before(data, index, question, w)


def said_before(data, index, question, w):
    """What the large reader says of this window: begin and end of an answer by piece ("not here" at the first one), and that there is one."""
    said = data.taught.get((index, question))
    if said is None:
        return None
    begin, end = np.zeros(len(w.ids), np.float32), np.zeros(len(w.ids), np.float32)
    for out, places, piece in ((begin, said["starts"], lambda at: np.searchsorted(data.ends[index], at, "right")),
                               (end, said["ends"], lambda at: np.searchsorted(data.starts[index], at, "left") - 1)):
        for at, chance in places:
            here = int(piece(at))
            if w.start <= here < w.end:
                out[here - w.start + w.first] += chance
        out[0] = max(0.0, 1 - out.sum())
    whole = sum(chance for _, chance in said["starts"])
    return begin, end, said["p"] * min(1.0, (1 - begin[0]) / whole) if whole > 0 else said["p"]


def to_batch(parts):
    ids = fit.padded([w.ids for w, *_ in parts], 0)
    types = fit.padded([w.types for w, *_ in parts], 0)
    inside = fit.padded([p[3] for p in parts], -1)
    mask = (ids != 0).astype(np.int64)
    allowed = np.zeros(ids.shape, bool)
    start, end = np.zeros(ids.shape, np.float32), np.zeros(ids.shape, np.float32)
    spread = np.zeros(len(parts), bool)
    for row, (w, starts, ends, _, several, *_) in enumerate(parts):
        allowed[row, 0] = True
        allowed[row, w.first: w.first + w.end - w.start] = True
        start[row, starts or [0]] = 1
        end[row, ends or [0]] = 1
        spread[row] = several
    answerable = np.array([bool(p[1]) for p in parts], np.float32)
    passage = np.array([p[5] for p in parts], np.int64)
    written = np.array([p[6] for p in parts], np.float32)
    known = np.array([p[7] for p in parts], np.float32)
    before = np.zeros((2, *ids.shape), np.float32)
    likely, read = np.zeros(len(parts), np.float32), np.zeros(len(parts), np.float32)
    for row, said in enumerate(p[8] for p in parts):
        if said is not None:
            before[0, row, : len(said[0])], before[1, row, : len(said[1])], likely[row], read[row] = *said, 1.0
    return [torch.from_numpy(a) for a in (ids, mask, types, allowed, start, end, spread, inside, answerable, passage, written, known, before, likely, read)]


class Batches(torch.utils.data.Dataset):
    """The batches of one epoch, assembled when they are asked for, by other processes."""

    def __init__(self, data, examples, batches, questions, seed):
        self.data, self.examples, self.batches, self.questions, self.seed = data, examples, batches, questions, seed

    def __len__(self):
        return len(self.batches)

    def __getitem__(self, number):
        rng = random.Random(f"{self.seed} {number}")
        return to_batch([assemble(self.data, self.examples[i], self.questions[i], rng) for i in self.batches[number]])

    def loader(self):
        several = torch.cuda.is_available()
        return torch.utils.data.DataLoader(self, batch_size=None, num_workers=ASSEMBLERS if several else 0, pin_memory=several)


def pointer_loss(scores, target, spread):
    """Any marked place will do (log of summed probability), unless the places are several answers (mean of logs)."""
    logs = F.log_softmax(scores, -1)
    any_of = -torch.logsumexp(logs.masked_fill(target == 0, -1e9), -1)
    mean_of = -(logs.masked_fill(target == 0, 0) * target).sum(-1) / target.sum(-1)
    return torch.where(spread, mean_of, any_of)


def masked_spans(spans, allowed):
    return spans.float().masked_fill(~allowed[..., None], -1e4)


def ranking_loss(spans, whole, answerable, passage, written, known):
    """Every question without an answer against every one with an answer: pairs on one passage, and all pairs of questions
    that people wrote (made-up ones elsewhere would only teach how made-up questions look)."""
    found = torch.logsumexp(spans[:, 1:, 0], -1) + torch.logsumexp(spans[:, 1:, 1], -1)
    silence = spans[:, 0, 0] + spans[:, 0, 1] - found - whole
    both = written[:, None] * written[None]
    weight = (passage[:, None] == passage[None]) * (0.3 + 0.7 * both) + 0.5 * both
    weight = weight * ((1 - answerable) * known)[:, None] * (answerable * known)[None]
    apart = F.softplus((silence[None] - silence[:, None]) / RANKING_WIDTH)
    return (weight * apart).sum() / weight.sum().clamp(min=1)


def loss_of(output, batch, teachers, weight, ranking, trust):
    """What the labels say and, by `weight`, what the teachers say; where there are no labels the teachers alone. The large reader that read
    before has `trust` of the teachers' voice where it has one."""
    _, _, _, allowed, start, end, spread, inside, answerable, passage, written, known, before, likely, read = batch
    spans, tags, whole = masked_spans(output[0], allowed), output[1].float(), output[2].float()[:, 0]
    told = 0.5 * (pointer_loss(spans[..., 0], start, spread) + pointer_loss(spans[..., 1], end, spread))
    told = told + 0.5 * F.binary_cross_entropy_with_logits(whole, answerable, reduction="none")
    ranked = ranking * ranking_loss(spans, whole, answerable, passage, written, known)
    told_tags = 2 * F.cross_entropy(tags.flatten(0, 1), inside.flatten(), ignore_index=-1)
    if not teachers and not read.any():
        return (told * known).mean() + told_tags + ranked
    share = read * (trust if teachers else 1.0)
    spoken = (read if not teachers else torch.ones_like(read)) * torch.where(known > 0, weight, 1.0)
    target, whole_target, soft_tags = [share[:, None] * part for part in before], share * likely, 0.0
    if teachers:
        for column in (0, 1):
            mean = torch.stack([F.softmax(masked_spans(t[0], allowed)[..., column], -1) for t in teachers]).mean(0)
            target[column] = target[column] + (1 - share)[:, None] * mean
        whole_target = whole_target + (1 - share) * torch.stack([torch.sigmoid(t[2].float()[:, 0]) for t in teachers]).mean(0)
        tag_target = torch.stack([F.softmax(t[1].float(), -1) for t in teachers]).mean(0)
        inner = allowed.clone()
        inner[:, 0] = False
        soft_tags = 2 * (-(tag_target * F.log_softmax(tags, -1)).sum(-1) * spoken[:, None])[inner].mean()
        told_tags = told_tags * (1 - weight) * known.mean()
    soft = sum(-(t * F.log_softmax(spans[..., c], -1)).sum(-1) for c, t in enumerate(target)) * 0.5
    soft = soft + 0.5 * F.binary_cross_entropy_with_logits(whole, whole_target.clamp(0, 1), reduction="none")
    return ((known - spoken).clamp(min=0) * told + spoken * soft).mean() + told_tags + soft_tags + ranked


def train(model, data, args, phases, seed, rate, teachers=(), kd=0.7, seconds=None):
    """`phases`: (epochs, made-up questions an epoch), one schedule over all."""
    fit.seed_everything(seed)
    rng, order_rng = random.Random(seed), np.random.default_rng(seed)
    where = fit.device()
    # How many steps the schedule makes is measured on one sample epoch a phase.
    steps = sum(epochs * len(batches_of(data, data.epoch(random.Random(seed), made), args, np.random.default_rng(0))[0]) for epochs, made in phases)
    steps = min(steps, args.max_steps or 10**9)
    fitter = fit.Fitter(model, steps, rate, seconds=seconds)
    print(f"{args.out}: {len(data.real)} real, {len(data.made)} made-up, {len(data.asked_about)} asked questions, about {steps} steps", flush=True)
    made = [made for epochs, made in phases for _ in range(epochs)]
    model.train()
    while not fitter.finished():
        ending = fitter.done >= fitter.steps * (1 - args.ending)
        examples = data.epoch(rng, 0 if ending else made.pop(0) if made else 0, ending)
        batches, questions = batches_of(data, examples, args, order_rng)
        for batch in Batches(data, examples, batches, questions, f"{seed} {fitter.done}").loader():
            if fitter.finished() or (not ending and fitter.done >= fitter.steps * (1 - args.ending)):
                break
            tensors = [part.to(where, non_blocking=True) for part in batch]
            with fit.autocast():
                output = model(*tensors[:3])
                with torch.no_grad():
                    taught = [teacher(*tensors[:3]) for teacher in teachers]
            loss = loss_of(output, tensors, taught, kd, args.ranking, args.trust)
            fitter.step(loss)
            if fitter.done % 200 == 0:
                print(f"  {args.out} step {fitter.done} of {fitter.steps} loss {loss.item():.4f} {time.time() - fitter.started:.0f} s", flush=True)
    fitter.use_average()
    return model.eval()


def batches_of(data, examples, args, order_rng):
    questions = [np.array(c.ids[: reader.MAX_QUESTION], np.int64) for c in data.tokenizer.encode_batch([e[1] for e in examples], add_special_tokens=False)]
    lengths = [min(reader.MAX_PIECES, len(q) + 3 + len(data.ids[e[0]])) for q, e in zip(questions, examples)]
    return fit.length_batches(lengths, args.tokens, order_rng, max_rows=128), questions


def calibration(margin, head, answerable):
    """P(no answer) = sigmoid(scale · (null − best − head) + bias), fitted on questions of left-out articles; the span's and
    the passage's score weigh the same, since few articles cannot tell which is better."""
    features = torch.tensor(np.stack([margin + head, np.ones_like(margin)], 1), dtype=torch.float32)
    target = torch.tensor(~answerable, dtype=torch.float32)
    weights = torch.tensor([0.1, 0.0], requires_grad=True)
    optimizer = torch.optim.LBFGS([weights], max_iter=200)

    def closure():
        optimizer.zero_grad()
        loss = F.binary_cross_entropy_with_logits(features @ weights, target)
        loss.backward()
        return loss
    optimizer.step(closure)
    scale, bias = (round(w, 4) for w in weights.tolist())
    return {"scale": scale, "answerable": scale, "bias": bias}


def average(runs):
    """The teachers as one reader: the mean of their scores."""
    def run(*inputs):
        return [np.mean(parts, 0) for parts in zip(*(run(*inputs) for run in runs))]
    return run


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--base", required=True)
    parser.add_argument("--tokenizer", help="folder of the tokenizer (default: the base); an mpnet base reads BERT's pieces")
    parser.add_argument("--layers", help="keep these layers of the base, e.g. 0,1,2,3,4,5,6,7,8,9")
    parser.add_argument("--teachers", nargs="*", default=[], help="folders that this script wrote, to learn from at every step")
    parser.add_argument("--taught", help="what train_large_reader.py wrote, to learn from as well")
    parser.add_argument("--trust", type=float, default=0.5, help="the large reader's share of what teachers say together")
    parser.add_argument("--start", help="a folder that this script wrote, to go on from instead of the base (a student from one of its teachers)")
    parser.add_argument("--out", required=True)
    parser.add_argument("--leave-out", nargs="*", default=[], metavar="ARTICLE", help="SQuAD 2.0 articles kept from training, for choosing and calibrating")
    parser.add_argument("--near", type=float, default=0.5, help="near misses drawn an epoch for each question that has some")
    parser.add_argument("--far", type=float, default=0.1, help="other passages drawn an epoch for each question")
    parser.add_argument("--edited", type=float, default=1.0, help="how often an epoch shows each edited passage")
    parser.add_argument("--asked-file", help="what train_question_maker.py wrote")
    parser.add_argument("--asked", type=float, default=0.8, help="questions of that file drawn an epoch for each other one")
    parser.add_argument("--none", type=float, default=2.0, help="how often an epoch shows each unanswerable question of SQuAD 2.0")
    parser.add_argument("--epochs", type=int, default=8, help="epochs over the real questions, after two with made-up ones")
    parser.add_argument("--made", type=int, default=16000, help="made-up questions in each of the first epochs")
    parser.add_argument("--ending", type=float, default=0.25, help="share of the schedule that is mostly SQuAD 2.0's own questions and those on pages")
    parser.add_argument("--ranking", type=float, default=0.5, help="weight of the ranking loss")
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--tokens", type=int, default=10240, help="tokens a batch")
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--max-steps", type=int)
    parser.add_argument("--seconds", type=float, help="shorten the schedule to end in this time")
    parser.add_argument("--limit", type=int, help="use about this many passages (smoke runs)")
    parser.add_argument("--eval-limit", type=int)
    parser.add_argument("--quick", action="store_true", help="report only the questions as written (teachers)")
    parser.add_argument("--documents", metavar="OUT.jsonl", help="also read the left-out articles whole (`eval_reader.py`)")
    parser.add_argument("--split", action="store_true", help="write the checkpoint in parts of 15 MiB")
    args = parser.parse_args()
    tokenizer = load_tokenizer(args.tokenizer or args.base)
    mix = {key: getattr(args, key) for key in ("near", "far", "edited", "none", "asked")}
    data = Data(args.data, tokenizer, mix, set(args.leave_out), args.limit, args.asked_file, args.taught)
    layers = [int(n) for n in args.layers.split(",")] if args.layers else None
    precision = torch.bfloat16 if torch.cuda.is_available() else torch.float32
    teachers = [reader.load(folder).to(fit.device(), precision).eval() for folder in args.teachers]
    fit.seed_everything(args.seed)
    model = (reader.load(args.start) if args.start else reader.Reader(args.base, layers, args.dropout)).to(fit.device())
    model = train(model, data, args, [(2, args.made), (args.epochs, 2000)], args.seed, args.rate, teachers, seconds=args.seconds)
    run = reader.torch_runner(model)
    figures, probability = {"mix": mix}, {"scale": 0.15, "answerable": 0.0, "bias": 0.0}
    left_out = eval_reader.questions_of(args.data, lambda row: row["src"] == "squad2" and row["article"] in args.leave_out)[: args.eval_limit]
    if left_out:
        figures["left_out"], *scores = eval_reader.figures(tokenizer, run, left_out, name=f"{args.out} left out")
        probability = calibration(*scores)
    if args.documents:
        eval_reader.documents(tokenizer, run, args.data, lambda row: row["article"] in args.leave_out, args.documents)
    meta = {"kind": "reader", "name": "findall-reader-7", "max_tokens": reader.MAX_PIECES, "stride": reader.OVERLAP,
            "max_answer_tokens": reader.MAX_ANSWER, "max_answers": 20, "no_answer": probability, "answer_threshold": 0.3}
    checkpoint.save_checkpoint(model.trunk, {"spans": model.spans, "inside": model.inside, "answerable": model.answerable}, meta, args.out, args.split)
    if teachers:
        figures["teachers"] = eval_reader.report(tokenizer, average(list(map(reader.torch_runner, teachers))), args.data, False, args.eval_limit)
    figures["f32"] = eval_reader.report(tokenizer, run, args.data, not args.quick, args.eval_limit)
    with open(os.path.join(args.out, "metrics.json"), "w", encoding="utf-8") as file:
        json.dump(figures, file, indent=1)


if __name__ == "__main__":
    main()
