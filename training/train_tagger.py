"""Trains the mention tagger: teachers first, then a student that also learns from them where the labels are silent.

    python3 training/train_tagger.py --data carry/ner.jsonl.xz --base carry/minilm-int8 \\
        --teachers carry/gte-small-int8 --ktrlf carry/ktrlf.jsonl --out $OUT/tagger

Each teacher is trained on the labels alone; the mean of their probabilities over every training text becomes a second
target of the student (the only target on words that the labels leave open, and on texts without labels). Without --teachers one stage is run.
Nothing is chosen on held-out data: schedules are fixed, the averaged weights of the last step are exported.
"""
import argparse
import dataclasses
import json
import os
import pickle
import time

import numpy as np
import torch
import torch.nn.functional as F

import checkpoint
import eval_tagger
import fit
import tagger
from tagger import BEGIN, CLS, INSIDE, MASK, OUTSIDE, SEP

# Times each set is seen in one epoch: the project's own conventions most, tweets and weak labels least.
WEIGHT = {"list_queries": 4.0, "crossner": 1.0, "wikigold": 2.0, "wnut17": 0.7, "broad_twitter": 0.4, "gum": 0.6, "litbank": 0.6, "wiki": 0.5,
          "pages": 4.0, "pools": 1.5, "open": 0.5}


@dataclasses.dataclass
class Document:
    """One document as parallel arrays over its pieces; `cuts` are the pieces where it may be cut; -1 means no label."""
    source: str
    ids: np.ndarray
    shapes: np.ndarray
    opens: np.ndarray
    boundary: np.ndarray
    kind: np.ndarray
    cuts: np.ndarray
    soft: np.ndarray | None = None


def labels_of(row, pieces):
    """Boundary and type label of each piece; only first pieces of words carry one."""
    boundary = np.where(pieces.opens, OUTSIDE, -1).astype(np.int8)
    kind = np.full(len(pieces.ids), -1, np.int8)
    starts = np.array([start for start, _ in pieces.offsets])
    for start, end in row["ignore"]:
        boundary[(starts >= start) & (starts < end)] = -1
    for start, end, kind_id in row["spans"]:
        inside = np.flatnonzero((starts >= start) & (starts < end) & pieces.opens)
        if len(inside):
            boundary[inside] = INSIDE
            boundary[inside[0]] = BEGIN
            kind[inside] = kind_id
    return boundary, kind


def load_documents(path, tokenizer, limit):
    rows = [row for row in eval_tagger.open_lines(path) if not row["held"]]
    if limit:
        rows = rows[:: max(1, len(rows) // limit)]
    pieces = tagger.to_pieces(tokenizer, [row["text"] for row in rows])
    groups = {}
    for row, p in zip(rows, pieces):
        if len(p.ids):
            groups.setdefault((row["src"], row["doc"]), []).append((p, *labels_of(row, p)))
    documents = []
    for (source, _), parts in groups.items():
        if len(parts) > 1:
            cuts = np.cumsum([0, *(len(p.ids) for p, _, _ in parts)])[:-1]
        else:
            cuts = np.flatnonzero(parts[0][0].opens)
        documents.append(Document(source, np.concatenate([p.ids for p, _, _ in parts]), np.concatenate([p.shapes for p, _, _ in parts]),
                                  np.concatenate([p.opens for p, _, _ in parts]), np.concatenate([b for _, b, _ in parts]), np.concatenate([k for _, _, k in parts]), cuts))
    return documents


def epoch_windows(documents, rng):
    """Random windows over the documents, `(list of (document, start, end))`; short texts are sometimes joined."""
    out, waiting = [], {}
    for index in rng.permutation(len(documents)):
        document = documents[index]
        times = WEIGHT[document.source]
        for _ in range(int(times) + (rng.random() < times % 1)):
            start, count = 0, len(document.ids)
            while start < count:
                size = int(rng.integers(24, tagger.WINDOW + 1))
                end = count
                if count - start > size:
                    later = document.cuts[(document.cuts > start) & (document.cuts <= start + size)]
                    end = int(later[-1]) if len(later) else start + size
                piece = (document, start, min(end, start + tagger.WINDOW))
                start = piece[2]
                joined = waiting.pop(document.source, None)
                if joined and sum(e - s for _, s, e in joined) + piece[2] - piece[1] <= tagger.WINDOW:
                    joined = [*joined, piece]
                else:
                    if joined:
                        out.append(joined)
                    joined = [piece]
                if rng.random() < 0.35 and piece[2] - piece[1] < 80:
                    waiting[document.source] = joined
                else:
                    out.append(joined)
    return out + list(waiting.values())


def mention_end(opens, boundary, start):
    """Where the mention that begins at piece `start` ends."""
    end = start + 1
    while end < len(opens) and (not opens[end] or boundary[end] == INSIDE):
        end += 1
    return end


def mention_bank(documents):
    """Names by type, as columns of pieces, to swap into other contexts."""
    bank = {kind: [] for kind in range(8)}
    for document in documents:
        for start in np.flatnonzero((document.boundary == BEGIN) & (document.kind >= 0)):
            end = mention_end(document.opens, document.boundary, start)
            if end - start <= 10:
                part = slice(start, end)
                bank[int(document.kind[start])].append((document.ids[part], document.shapes[part] & 3, document.opens[part],
                                                        document.boundary[part], document.kind[part], silent(end - start)))
    return bank


def silent(count):
    """Rows of a teacher that says nothing."""
    return np.full((count, 11), np.nan, np.float16)


def assemble(window, bank, rng, swap):
    """Arrays of one window: pieces joined, names swapped now and then, letter case changed now and then, pieces masked."""
    parts = []
    for document, start, end in window:
        part = slice(start, end)
        shapes = document.shapes[part].copy()
        shapes[0] = (shapes[0] & 3) | (4 if parts and rng.random() < 0.5 else 0)
        soft = document.soft[part] if document.soft is not None else silent(end - start)
        parts.append((document.ids[part], shapes, document.opens[part], document.boundary[part], document.kind[part], soft))
    columns = joined_columns(parts)
    if swap and rng.random() < 0.3:
        columns = swapped(columns, bank, rng)
    ids, shapes, _, boundary, kind, soft = (column[: tagger.WINDOW] for column in columns)
    shapes = recased(shapes, rng)
    if rng.random() < 0.5:
        ids = np.where(rng.random(len(ids)) < 0.06, MASK, ids)
    return ids, shapes, boundary, kind, soft


def joined_columns(parts):
    return tuple(np.concatenate(column) for column in zip(*parts))


def swapped(columns, bank, rng):
    """The columns with about a third of the typed names replaced by other names of their type."""
    _, _, opens, boundary, kind, _ = columns
    parts, position = [], 0
    for start in np.flatnonzero((boundary == BEGIN) & (kind >= 0)):
        names = bank[int(kind[start])]
        if rng.random() < 0.35 and names:
            parts.append(tuple(column[position:start] for column in columns))
            parts.append(names[int(rng.integers(len(names)))])
            position = mention_end(opens, boundary, start)
    parts.append(tuple(column[position:] for column in columns))
    return joined_columns(parts)


def recased(shapes, rng):
    """Letter case as in lower-cased (13 %), upper-cased (5 %) and title-cased (4 %) writing; the vocabulary is uncased."""
    draw, breaks = rng.random(), shapes & 4
    if draw < 0.13:
        return breaks
    if draw < 0.18:
        return breaks | 2
    if draw < 0.22:
        return breaks | np.maximum(shapes & 3, 1)
    return shapes


def to_batch(parts, where):
    ids = fit.padded([np.concatenate([[CLS], p[0], [SEP]]) for p in parts], 0)
    shapes = fit.padded([np.concatenate([[0], p[1], [0]]) for p in parts], 0)
    boundary = fit.padded([np.concatenate([[-1], p[2], [-1]]) for p in parts], -1)
    kind = fit.padded([np.concatenate([[-1], p[3], [-1]]) for p in parts], -1)
    soft = np.full((*ids.shape, 11), np.nan, np.float32)
    for row, p in enumerate(parts):
        soft[row, 1: len(p[4]) + 1] = p[4]
    mask = (ids != 0).astype(np.int64)
    return [torch.from_numpy(a).pin_memory().to(where, non_blocking=True) if where.type == "cuda" else torch.from_numpy(a)
            for a in (ids, mask, shapes, boundary, kind, soft)]


def loss_of(logits, boundary, kind, soft, soft_weight):
    """Cross-entropy on the labels plus, where teachers spoke, on their probabilities."""
    own_boundary, own_kind = tagger.boundary_and_kind(logits)
    hard = torch.nan_to_num(F.cross_entropy(own_boundary.flatten(0, 1), boundary.flatten(), ignore_index=-1, label_smoothing=0.03))
    typed = F.cross_entropy(own_kind.flatten(0, 1), kind.flatten(), ignore_index=-1, label_smoothing=0.05)
    loss = hard + 0.3 * torch.nan_to_num(typed)
    if soft_weight:
        heard = ~torch.isnan(soft[..., 0])
        if heard.any():
            target = soft[heard]
            boundary_loss = -(target[:, :3] * own_boundary[heard]).sum(-1).mean()
            named = 1 - target[:, 0]
            type_loss = -((target[:, 3:] * own_kind[heard]).sum(-1) * named).sum() / named.sum().clamp(min=1)
            loss = (1 - soft_weight) * loss + soft_weight * (boundary_loss + 0.3 * type_loss)
    return loss


def train(base, layers, documents, args, epochs, soft_weight, seed, rate):
    fit.seed_everything(seed)
    rng = np.random.default_rng(seed)
    where = fit.device()
    if not soft_weight:
        documents = [document for document in documents if document.source != "open"]
    model = tagger.Tagger(base, layers).to(where)
    bank = mention_bank(documents)
    plan = epoch_windows(documents, rng)
    lengths = [sum(e - s for _, s, e in w) + 2 for w in plan]
    per_epoch = len(fit.length_batches(lengths, args.tokens, rng))
    steps = min(int(per_epoch * epochs), args.max_steps or 10**9)
    fitter = fit.Fitter(model, steps, rate, seconds=args.seconds)
    model.train()
    print(f"{base}: {len(plan)} windows an epoch, {steps} steps", flush=True)
    running, epoch = 0.0, 0
    while not fitter.finished():
        for batch in fit.length_batches(lengths, args.tokens, rng):
            if fitter.finished():
                break
            tensors = to_batch([assemble(plan[i], bank, rng, swap=True) for i in batch], where)
            with fit.autocast():
                logits = model(*tensors[:3])
            loss = loss_of(logits.float(), *tensors[3:], soft_weight)
            fitter.step(loss)
            if fitter.done % 200 == 0:
                print(f"  step {fitter.done} epoch {epoch} loss {loss.item():.4f} {time.time() - fitter.started:.0f} s", flush=True)
        epoch += 1
        plan = epoch_windows(documents, rng)
        lengths = [sum(e - s for _, s, e in w) + 2 for w in plan]
    fitter.use_average()
    return model.eval()


def teach(models, documents):
    """Gives each document the mean probabilities of the teachers (on first pieces of words)."""
    everything = [tagger.Pieces(d.ids, d.shapes, None, None) for d in documents]
    total = None
    for model in models:
        scores = tagger.scores_of(everything, tagger.torch_runner(model), 65536)
        probabilities = [np.exp(np.concatenate(tagger.boundary_and_kind(s), 1)) for s in scores]
        total = probabilities if total is None else [a + b for a, b in zip(total, probabilities)]
    for document, mean in zip(documents, total):
        document.soft = (mean / len(models)).astype(np.float16)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--base", required=True)
    parser.add_argument("--layers", help="keep these layers of the base, e.g. 1,3,5,7,9,11")
    parser.add_argument("--teachers", nargs="*", default=[], help="base folders of teachers; the same folder twice means two seeds")
    parser.add_argument("--taught", help="what the teachers said, kept there and read from there when it is; --epochs 0 ends with that")
    parser.add_argument("--soft-weight", type=float, default=0.6, help="how much of the loss is the teachers'")
    parser.add_argument("--out", required=True)
    parser.add_argument("--ktrlf", help="KTRL+F dev file, for figures only")
    parser.add_argument("--epochs", type=float, default=20)
    parser.add_argument("--teacher-epochs", type=float, default=10)
    parser.add_argument("--tokens", type=int, default=6144, help="tokens a batch")
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--teacher-rate", type=float, help="default: three quarters of --rate")
    parser.add_argument("--seconds", type=float, help="shortens each schedule as needed to end in that time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--max-steps", type=int)
    parser.add_argument("--limit", type=int, help="use about this many texts (smoke runs)")
    parser.add_argument("--quick", action="store_true", help="no figures of the teachers")
    parser.add_argument("--split", action="store_true", help="write the checkpoint in parts of 15 MiB")
    args = parser.parse_args()
    tokenizer = tagger.load_tokenizer(args.base)
    documents = load_documents(args.data, tokenizer, args.limit)
    print(f"{len(documents)} documents, {sum(len(d.ids) for d in documents)} pieces", flush=True)
    layers = [int(n) for n in args.layers.split(",")] if args.layers else None
    if args.taught and os.path.exists(args.taught):
        with open(args.taught, "rb") as file:
            for document, soft in zip(documents, pickle.load(file), strict=True):
                document.soft = soft
    elif args.teachers:
        teachers = [train(base, None, documents, args, args.teacher_epochs, 0.0, args.seed + 10 + i, args.teacher_rate or args.rate * 0.75) for i, base in enumerate(args.teachers)]
        for teacher in () if args.quick else teachers:
            eval_tagger.report(lambda texts: tagger.tag(tokenizer, texts, tagger.torch_runner(teacher)), args.data, args.ktrlf)
        teach(teachers, documents)
        if args.taught:
            with open(args.taught, "wb") as file:
                pickle.dump([document.soft for document in documents], file)
    if args.epochs == 0:
        return
    model = train(args.base, layers, documents, args, args.epochs, 0.0 if documents[0].soft is None else args.soft_weight, args.seed, args.rate)
    print("student, f32")
    bias = choose_bias(model, tokenizer, args)
    figures = {"f32": eval_tagger.report(lambda texts: tagger.tag(tokenizer, texts, tagger.torch_runner(model), bias), args.data, args.ktrlf)}
    meta = {"kind": "tagger", "name": "findall-tagger-1", "max_tokens": tagger.WINDOW + 2, "stride": tagger.WINDOW - tagger.STEP,
            "labels": tagger.LABELS, "case_types": True, "outside_bias": bias}
    checkpoint.save_checkpoint(model.trunk, {"tagger": model.head}, meta, args.out, args.split)
    with open(os.path.join(args.out, "metrics.json"), "w", encoding="utf-8") as file:
        json.dump(figures, file, indent=1)


def choose_bias(model, tokenizer, args):
    """How far the outside score is lowered: the best exact-span F1 on the pages that training leaves out; prints the trade."""
    held = [row for row in eval_tagger.open_lines(args.data) if row["held"] and row["src"] == "pages"]
    best, best_f1 = 0.0, None
    for bias in (-1.0, -0.5, 0.0, 0.5, 1.0) if held else ():
        figures = eval_tagger.span_figures(held, lambda texts: tagger.tag(tokenizer, texts, tagger.torch_runner(model), bias))["all"]
        print(f"  bias {bias}: precision {figures['precision']:.3f} recall {figures['recall']:.3f} F1 {figures['f1']:.4f}")
        if best_f1 is None or figures["f1"] > best_f1 + 0.001:
            best, best_f1 = bias, figures["f1"]
    return best


if __name__ == "__main__":
    main()
