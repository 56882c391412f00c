"""Trains a judge on labelled groups, or on labels and a larger judge together.

    python3 training/train_judge.py --data carry/judge.json.xz --base carry/mpnet-int8 --tokenizer carry/gte-small-int8 --rate 2.5e-5 --passes 3 --out out/large
    python3 training/train_judge.py --data carry/judge.json.xz --base carry/gte-small-int8 --teacher out/large --passes 5 --out out/judge
    python3 training/train_judge.py --data carry/judge.json.xz --base carry/judge-shipped --large-base carry/qwen --large-seconds 420 --within 1550 --again 2 --with-before --out out/judge

Every pass asks every query once with up to 28 candidates; with a teacher half of each step are queries over the
candidates of strangers, which only the teacher can answer: those of other groups and, with `--base-texts`, the entities of
the knowledge base that are nearest to the query, which may also be one made from the base (`--base-queries`). A teacher that
stands on a large language model (`--large-base`) is trained first; it is slow, so a step that it has answered is learned from
`--again` so many times. Nothing is chosen: schedules are fixed and the averaged weights of the last step are saved.
`scores.json.xz` has the log-odds on the reserved tenth, for `fit_judge.py`.
"""
import argparse
import json
import lzma
import os
import random
import time

import numpy as np
import torch
from torch.nn import functional as F
from torch.utils.data import DataLoader, IterableDataset

import fit
from base_weights import MpnetTrunk, as_bert, save_trunk
from checkpoint import save_checkpoint, save_state
from encoder_groups import typo
from large_judge import LargeJudge, LargePairs
from judge import MAX_PIECES, MAX_QUERY_PIECES, Judge, Pairs, by_length, in_stretches, parts_of, score
from reader import mpnet_ids

CANDIDATES = 28
# Candidates of a query that a large judge learns from: it is slow, and many queries teach it more.
LARGE_CANDIDATES = 8
POSITIVE_WEIGHT = 1.5
# What is left of `--within` for the reserved scores and for writing the weights.
SECONDS_TO_WRITE = 45
# How often parts of a text are left out, so that the judge can do without them.
DROP_KIND_SHARE, DROP_KNOWLEDGE_SHARE, DROP_SENTENCES_SHARE, DROP_PAGE_WORD_SHARE = 0.15, 0.15, 0.3, 0.15


class Groups(IterableDataset):
    """Steps of `(rows to judge, rows for the teacher, labels, whether a label is known)`, drawn without end. Rows are `(place of each
    in the step, stretches, arrays)`."""

    def __init__(self, groups, pairs, queries, strangers, seed, near=None, teacher_pairs=None, candidates=CANDIDATES):
        self.groups, self.pairs, self.queries, self.strangers, self.seed, self.near = groups, pairs, queries, strangers, seed, near
        self.teacher_pairs, self.candidates = teacher_pairs, candidates
        self.items = [(g, q) for g, group in enumerate(groups) for q in range(len(group["queries"]))]

    def __iter__(self):
        info = torch.utils.data.get_worker_info()
        worker, workers = (info.id, info.num_workers) if info else (0, 1)
        epoch = 0
        while True:
            order = list(self.items)
            random.Random(self.seed * 1000 + epoch).shuffle(order)
            rng = random.Random(f"{self.seed} {epoch} {worker}")
            steps = [order[at: at + self.queries] for at in range(0, len(order), self.queries)]
            for step in steps[worker::workers]:
                yield self.step(step, rng)
            epoch += 1

    def step(self, items, rng):
        pairs, labels, known = [], [], []
        for g, q in items:
            self.labelled(g, q, rng, pairs, labels, known)
        for number in range(self.strangers):
            if self.near and number % 2:
                self.neighbours(rng, pairs, labels, known)
            else:
                self.stranger(rng, pairs, labels, known)
        rows = self.rows(self.pairs, pairs)
        return rows, self.rows(self.teacher_pairs, pairs) if self.teacher_pairs else rows, torch.tensor(labels), torch.tensor(known)

    @staticmethod
    def rows(tokenised, pairs):
        order, stretches, arrays = by_length(*tokenised.batch(pairs))
        return torch.from_numpy(np.argsort(order)), stretches, [torch.from_numpy(a) for a in arrays]

    def labelled(self, g, q, rng, pairs, labels, known):
        group = self.groups[g]
        query = group["queries"][q]
        answers, unknown = set(query["answers"]), set(query["open"])
        right = list(query["answers"])
        wrong = [n for n in range(len(group["candidates"])) if n not in answers and n not in unknown]
        rng.shuffle(right)
        rng.shuffle(wrong)
        right = right[: max(self.candidates // 2, self.candidates - len(wrong))]
        text = self.query(query["q"], rng)
        for number in right + wrong[: self.candidates - len(right)]:
            pairs.append((text, self.parts(group, query, number, rng)))
            labels.append(float(number in answers))
            known.append(1.0)

    def stranger(self, rng, pairs, labels, known):
        own = self.groups[rng.choice(self.items)[0]]
        text = self.query(rng.choice(self.near.queries if self.near and rng.random() < 0.3 else [q["q"] for q in own["queries"]]), rng)
        group = rng.choice(self.groups)
        query = rng.choice(group["queries"])
        numbers = rng.sample(range(len(group["candidates"])), min(CANDIDATES, len(group["candidates"])))
        for number in numbers:
            pairs.append((text, self.parts(group, query, number, rng)))
            labels.append(0.0)
            known.append(0.0)

    def neighbours(self, rng, pairs, labels, known):
        """A query with entities of the knowledge base: mostly near ones, which are hard, and a few of all."""
        text = rng.choice(self.near.queries)
        near = self.near.numbers[text]
        numbers = [*rng.sample(range(len(near)), min(CANDIDATES - 4, len(near)))]
        numbers = [int(near[n]) for n in numbers] + [rng.randrange(len(self.near.texts)) for _ in range(4)]
        text = self.query(text, rng)
        for number in numbers:
            pairs.append((text, self.near.texts[number]))
            labels.append(0.0)
            known.append(0.0)

    def query(self, text, rng):
        draw = rng.random()
        return text.lower() if draw < 0.15 else typo(text, rng) if draw < 0.18 else text

    def parts(self, group, query, number, rng):
        by_text = query["needs"] == "text"
        knows = bool(group["candidates"][number][2])
        sentences = by_text or not knows or rng.random() >= DROP_SENTENCES_SHARE
        return parts_of(group, query, number, kind=rng.random() >= DROP_KIND_SHARE,
                        knowledge=rng.random() >= DROP_KNOWLEDGE_SHARE, sentences=sentences,
                        here=rng.random() >= DROP_PAGE_WORD_SHARE)


def loss_of(log_odds, labels, known, taught, trust):
    if taught is not None:
        labels = torch.where(known > 0, (1 - trust) * labels + trust * taught, taught)
    each = F.binary_cross_entropy_with_logits(log_odds, labels, reduction="none")
    weight = 1 + (POSITIVE_WEIGHT - 1) * labels
    return (each * weight).sum() / weight.sum()


class Neighbours:
    """Entities of the knowledge base as a judge reads them, and for every query the numbers of those nearest to it."""

    def __init__(self, texts, retriever, pairs, queries, count=64):
        self.texts = texts
        encoder = Judge(retriever).to(fit.device()).eval()
        encoder.head = torch.nn.Identity()
        pairs.learn(part for text in self.texts for part in text)
        texts = self.vectors(encoder, pairs, [("", text) for text in self.texts])
        asked = self.vectors(encoder, pairs, [("", [query]) for query in queries])
        self.queries, self.numbers = queries, {}
        for at in range(0, len(queries), 256):
            best = (asked[at: at + 256] @ texts.T).topk(min(count, len(self.texts))).indices.cpu().numpy()
            self.numbers.update(zip(queries[at: at + 256], best))

    @torch.no_grad()
    def vectors(self, encoder, pairs, rows, size=2048):
        order = sorted(range(len(rows)), key=lambda i: sum(map(len, rows[i][1])))
        out = None
        for at in range(0, len(order), size):
            part = order[at: at + size]
            ids, _, lengths = (torch.from_numpy(a).to(fit.device()) for a in pairs.batch([rows[i] for i in part]))
            with fit.autocast():
                # Nothing of a row is asked, as an encoder reads it.
                value = encoder(ids, lengths, lengths)
            value = F.normalize(value.float(), dim=-1).half()
            out = value.new_empty(len(rows), value.shape[-1]) if out is None else out
            out[torch.tensor(part, device=value.device)] = value
        return out.float() if out.device.type == "cpu" else out


def judged(model, rows):
    """Log-odds of the rows of a step, in its order."""
    places, stretches, arrays = rows
    with fit.autocast():
        return in_stretches(model, stretches, *arrays)[places]


def on_device(rows):
    places, stretches, arrays = rows
    return places.to(fit.device()), stretches, [a.to(fit.device(), non_blocking=True) for a in arrays]


def train(name, model, data, fitter, args, teacher=None, before=None):
    """Fits `model` on the steps of `data`; those that a teacher has answered (in the mean with the judge
    from `before`) are kept and learned from again."""
    loader = iter(DataLoader(data, batch_size=None, num_workers=args.workers, prefetch_factor=4 if args.workers else None, pin_memory=torch.cuda.is_available()))
    print(f"{name}: {len(data.items)} queries, {fitter.steps} steps", flush=True)
    rng, kept, running, waited, logged = random.Random(args.seed), [], None, 0.0, 0
    model.train()
    while not fitter.finished():
        began = time.time()
        rows, asked, labels, known = next(loader)
        waited += time.time() - began
        rows, labels, known = on_device(rows), labels.to(fit.device()), known.to(fit.device())
        taught = None
        if teacher:
            with torch.no_grad():
                said = judged(teacher, on_device(asked) if data.teacher_pairs else rows)
                taught = torch.sigmoid((said + judged(before, rows)) / 2 if before else said)
        kept.append((rows, labels, known, taught))
        for rows, labels, known, taught in [kept[-1], *(rng.choice(kept) for _ in range(args.again if teacher else 0))]:
            loss = loss_of(judged(model, rows), labels, known, taught, args.trust)
            fitter.step(loss)
        if not (teacher and args.again):
            kept.clear()
        if fitter.done >= logged:
            value, logged = loss.item(), fitter.done + 100
            running = value if running is None else 0.8 * running + 0.2 * value
            print(f"{name} step {fitter.done}/{fitter.steps} loss {running:.4f} {time.time() - fitter.started:.0f} s, {waited:.0f} s waited for data", flush=True)
    fitter.use_average()
    return model.eval()


def large_teacher(groups, args):
    """A judge on a language model, trained on the labels, and how it reads."""
    model = LargeJudge(args.large_base, args.large_compiled).to(fit.device())
    pairs = LargePairs(model.words)
    learn_words(pairs, groups)
    data = Groups([g for g in groups if not g["held"]], pairs, args.large_queries, 0, args.seed, candidates=LARGE_CANDIDATES)
    steps = int(args.passes * len(data.items) / args.large_queries)
    fitter = fit.Fitter(model, steps, args.large_rate, head_rate=10 * args.large_rate, layer_decay=0.97, seconds=args.large_seconds)
    train("large judge", model, data, fitter, args)
    # What training needed is not needed any more.
    for weight in model.parameters():
        weight.requires_grad, weight.grad = False, None
    scored = reserved_scores(model, pairs, groups)
    report(groups, scored)
    return model, pairs, scored


def means(one, other):
    return [{**a, "scores": [[(x + y) / 2 for x, y in zip(*rows)] for rows in zip(a["scores"], b["scores"])]} for a, b in zip(one, other)]


def learn_words(pairs, groups):
    pairs.learn(part for g in groups for q in g["queries"] for n in range(len(g["candidates"])) for part in parts_of(g, q, n))
    pairs.learn(q["q"] for g in groups for q in g["queries"])


def reserved_scores(model, pairs, groups):
    """Log-odds of every candidate of the reserved groups, whole, without knowledge and without sentences."""
    out = []
    for group in groups:
        if not group["held"]:
            continue
        rows = []
        for query in group["queries"]:
            asked = [(query["q"], parts_of(group, query, n)) for n in range(len(group["candidates"]))]
            rows.append([round(float(v), 3) for v in score(model, pairs, asked)])
        out.append({"id": group["id"], "source": group["source"], "scores": rows})
    return out


def report(groups, scored):
    """Entity F1 by source at the best single level, for a first look."""
    held = [g for g in groups if g["held"]]
    for source in sorted({g["source"] for g in held}):
        values, labels = [], []
        for group, row in zip(held, scored):
            if group["source"] == source:
                for query, scores in zip(group["queries"], row["scores"]):
                    for n, value in enumerate(scores):
                        if n not in query["open"]:
                            values.append(value)
                            labels.append(n in set(query["answers"]))
        values, labels = np.array(values), np.array(labels)
        best = max(((2 * (labels & (values >= t)).sum() / max(1, labels.sum() + (values >= t).sum())), t) for t in np.arange(-4, 4, 0.25))
        print(f"  {source}: F1 {best[0]:.3f} at {best[1]:.2f} of {labels.sum()} answers", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--base", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--teacher", help="folder of a trained judge to learn from")
    parser.add_argument("--large-base", help="what language_model.py wrote: trains a teacher on it first")
    parser.add_argument("--large-seconds", type=float, help="shorten its schedule to end in this time")
    parser.add_argument("--large-rate", type=float, default=2e-5)
    parser.add_argument("--large-queries", type=int, default=12, help="queries a step of its training")
    parser.add_argument("--large-compiled", action="store_true", help="its layers compiled: a minute at first, faster then")
    parser.add_argument("--again", type=int, default=0, help="steps that the teacher answered before, after each that it answers")
    parser.add_argument("--with-before", action="store_true", help="what the base says (a judge) counts half of what the teacher says")
    parser.add_argument("--tokenizer", help="folder of the tokenizer (default: the base); an mpnet base reads BERT's pieces")
    parser.add_argument("--base-texts", help="entities of the knowledge base, a name, a tab and what is known each")
    parser.add_argument("--base-queries", help="queries made from the knowledge base (`prepare_judge.py --base-queries`)")
    parser.add_argument("--retriever", help="folder of the model that finds those nearest to a query")
    parser.add_argument("--trust", type=float, default=0.7, help="weight of the teacher beside a label")
    parser.add_argument("--queries", type=int, default=24, help="labelled queries a step")
    parser.add_argument("--strangers", type=int, help="queries a step that only the teacher answers (default: as many)")
    parser.add_argument("--passes", type=float, default=3)
    parser.add_argument("--rate", type=float, default=5e-5)
    parser.add_argument("--seconds", type=float, help="shorten the schedule to end in this time")
    parser.add_argument("--within", type=float, help="the same, so that everything ends in this time: a teacher's training and what is written, too")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=12)
    parser.add_argument("--limit", type=int, help="use this many groups (smoke runs)")
    args = parser.parse_args()
    started = time.time()
    fit.seed_everything(args.seed)
    with lzma.open(args.data, "rt", encoding="utf-8") as file:
        groups = json.load(file)[: args.limit]
    where = fit.device()
    model = Judge(args.base).to(where)
    pairs, teacher, teacher_pairs, near = Pairs(args.tokenizer or args.base), None, None, None
    if args.teacher:
        teacher = Judge(os.path.join(args.teacher, "trunk"))
        teacher.head.load_state_dict(torch.load(os.path.join(args.teacher, "head.pt")))
        teacher = teacher.to(where).eval()
    elif args.large_base:
        teacher, teacher_pairs, scored = large_teacher(groups, args)
    learn_words(pairs, groups)
    before = Judge(args.base).to(where).eval() if args.with_before else None
    if before and args.large_base:
        print("in the mean with the judge from before:")
        report(groups, means(scored, reserved_scores(before, pairs, groups)))
    if args.base_texts:
        queries = dict.fromkeys(q["q"] for g in groups for q in g["queries"] if not g["held"] and q["needs"] != "text")
        if args.base_queries:
            with lzma.open(args.base_queries, "rt", encoding="utf-8") as file:
                queries.update(dict.fromkeys(json.load(file)))
        with lzma.open(args.base_texts, "rt", encoding="utf-8") as file:
            rows = [line.rstrip("\n").split("\t", 1) for line in file]
        near = Neighbours([[name + ".", known] if known else [name + "."] for name, known in rows], args.retriever, pairs, list(queries))
        print(f"{len(near.texts)} entities of the base, {len(near.numbers)} queries", flush=True)
        if teacher_pairs:
            teacher_pairs.learn(part for text in near.texts for part in text)
            teacher_pairs.learn(near.queries)
    strangers = (args.strangers or args.queries) if teacher else 0
    data = Groups([g for g in groups if not g["held"]], pairs, args.queries, strangers, args.seed, near, teacher_pairs)
    steps = int(args.passes * len(data.items) / args.queries) * (1 + (args.again if teacher else 0))
    left = args.within - (time.time() - started) - SECONDS_TO_WRITE if args.within else args.seconds
    fitter = fit.Fitter(model, steps, args.rate, seconds=left)
    train(args.out, model, data, fitter, args, teacher, before)
    os.makedirs(args.out, exist_ok=True)
    save_trunk(model.trunk, os.path.join(args.out, "trunk"), os.path.join(args.tokenizer or args.base, "tokenizer.json"))
    torch.save(model.head.state_dict(), os.path.join(args.out, "head.pt"))
    scored = reserved_scores(model, pairs, groups)
    report(groups, scored)
    with lzma.open(os.path.join(args.out, "scores.json.xz"), "wt", encoding="utf-8") as file:
        json.dump(scored, file)
    meta = {"kind": "judge", "name": "findall-judge-2", "max_tokens": MAX_PIECES, "max_query_tokens": MAX_QUERY_PIECES}
    if isinstance(model.trunk, MpnetTrunk):
        ids = mpnet_ids(torch.arange(pairs.tokenizer.get_vocab_size()))
        save_state(as_bert(model.trunk, ids, MAX_PIECES), {"judge": model.head}, {**meta, "name": "findall-judge-large-1"}, args.out, split=True, int8=True)
    else:
        save_checkpoint(model.trunk, {"judge": model.head}, meta, args.out, split=True)


if __name__ == "__main__":
    main()
