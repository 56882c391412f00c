"""The reader: what it reads, what it predicts, and how its scores become answers. The Rust path does the same.

Reads `[CLS] question [SEP] passage window [SEP]`, at most 384 pieces, windows overlapping by 128. Predicts for every
piece a start and an end score (both at [CLS]: no answer here) and outside/begin/inside scores (several answers), and from
[CLS] one score that the passage answers at all.
"""
import os
from dataclasses import dataclass

import numpy as np
import torch
from safetensors.torch import load_file

from base_weights import MpnetTrunk, dequantised, is_mpnet, load_trunk, trunk_of
from tuning import constant

MAX_PIECES = 384
MAX_QUESTION = constant("findall-models/src/reader.rs", "MAX_QUESTION")
OVERLAP = 128
MAX_ANSWER = 30
CLS, SEP, UNKNOWN, PADDING = 101, 102, 100, 0
# mpnet's word table is BERT's, four rows further down, after special pieces of its own.
MPNET_SHIFT = 4
MPNET_SPECIAL = {CLS: 0, PADDING: 1, SEP: 2, UNKNOWN: 3}


class Reader(torch.nn.Module):
    def __init__(self, base=None, layers=None, dropout=0.1, state=None):
        """From base weights, or from a checkpoint's state."""
        super().__init__()
        if state is not None:
            self.trunk = trunk_of(state)
        else:
            self.trunk = MpnetTrunk.of_folder(base) if is_mpnet(base) else load_trunk(base, layers)
        width = self.trunk.config.hidden_size
        self.dropout = torch.nn.Dropout(dropout)
        self.spans = torch.nn.Linear(width, 2)
        self.inside = torch.nn.Linear(width, 3)
        self.answerable = torch.nn.Linear(width, 1)
        if state is not None:
            for name in ("spans", "inside", "answerable"):
                getattr(self, name).load_state_dict({"weight": state[f"{name}.weight"], "bias": state[f"{name}.bias"]})

    def forward(self, ids, mask, types):
        if isinstance(self.trunk, MpnetTrunk):
            ids = mpnet_ids(ids)
        hidden = self.dropout(self.trunk(input_ids=ids, attention_mask=mask, token_type_ids=types).last_hidden_state)
        return self.spans(hidden), self.inside(hidden), self.answerable(hidden[:, 0])


def mpnet_ids(ids):
    """The same pieces by mpnet's numbers, so that teacher and student read the same windows."""
    out = ids + MPNET_SHIFT
    for ours, theirs in MPNET_SPECIAL.items():
        out = out.masked_fill(ids == ours, theirs)
    return out


def load(folder):
    """A reader from what `checkpoint.py` saved, or from what `unpack.py` and `base_weights.py` made of one that ships."""
    paths = (os.path.join(folder, name) for name in ("checkpoint.safetensors", "model.safetensors"))
    return Reader(state=dequantised(load_file(next(filter(os.path.exists, paths)))))


@dataclass
class Window:
    """One model input: pieces, and where the passage's pieces lie in it and in the passage."""
    ids: np.ndarray
    types: np.ndarray
    first: int
    start: int
    end: int


def windows(question_ids, passage_ids):
    question_ids = question_ids[:MAX_QUESTION]
    room = MAX_PIECES - len(question_ids) - 3
    start, out = 0, []
    while True:
        end = min(start + room, len(passage_ids))
        out.append(window(question_ids, passage_ids, start, end))
        if end == len(passage_ids):
            return out
        start += room - OVERLAP


def window(question_ids, passage_ids, start, end):
    ids = np.concatenate([[CLS], question_ids, [SEP], passage_ids[start:end], [SEP]]).astype(np.int64)
    first = len(question_ids) + 2
    types = np.zeros(len(ids), np.int64)
    types[first:] = 1
    return Window(ids, types, first, start, end)


@dataclass
class Reading:
    """The best span of a passage in characters, its score, and what speaks against any answer."""
    start: int
    end: int
    best: float
    null: float
    answerable: float
    candidates: list


def best_spans(start, end, count=20):
    """The highest-scoring `(start, end, score)` with start ≤ end < start + MAX_ANSWER."""
    scores = start[:, None] + end[None, :]
    length = len(start)
    allowed = np.triu(np.ones((length, length), bool)) & ~np.triu(np.ones((length, length), bool), MAX_ANSWER)
    scores = np.where(allowed, scores, -1e9)
    top = np.argpartition(-scores, min(count, scores.size - 1), axis=None)[:count]
    pairs = [(int(i // length), int(i % length), float(scores.flat[i])) for i in top]
    return sorted(pairs, key=lambda p: -p[2])


def read(tokenizer, pairs, run, batch_tokens=16384):
    """A Reading for each `(question, passage)`. `run(ids, mask, types)` gives (spans, inside, answerable) as numpy."""
    questions = tokenizer.encode_batch([q for q, _ in pairs], add_special_tokens=False)
    texts = list(dict.fromkeys(p for _, p in pairs))
    passages = dict(zip(texts, tokenizer.encode_batch(texts, add_special_tokens=False)))
    jobs = [(i, w) for i, (_, p) in enumerate(pairs) for w in windows(questions[i].ids, passages[p].ids) if w.end > w.start]
    jobs.sort(key=lambda job: len(job[1].ids))
    found = [[] for _ in pairs]
    at = 0
    while at < len(jobs):
        batch = [jobs[at]]
        while at + len(batch) < len(jobs) and (len(batch) + 1) * len(jobs[at + len(batch)][1].ids) <= batch_tokens:
            batch.append(jobs[at + len(batch)])
        at += len(batch)
        width = len(batch[-1][1].ids)
        ids, mask, types = (np.zeros((len(batch), width), np.int64) for _ in range(3))
        for row, (_, w) in enumerate(batch):
            ids[row, : len(w.ids)], types[row, : len(w.ids)], mask[row, : len(w.ids)] = w.ids, w.types, 1
        spans, inside, answerable = run(ids, mask, types)
        for row, (index, w) in enumerate(batch):
            part = slice(w.first, w.first + w.end - w.start)
            null = float(spans[row, 0].sum())
            for s, e, score in best_spans(spans[row, part, 0], spans[row, part, 1]):
                found[index].append((score, null, float(answerable[row, 0]), w.start + s, w.start + e))
    readings = []
    for (_, passage), candidates in zip(pairs, found):
        offsets = passages[passage].offsets
        # A window's span counts by how far it beats that window's own null.
        candidates.sort(key=lambda c: c[1] - c[0])
        if not candidates:
            readings.append(Reading(0, 0, -1e9, 0.0, -1e9, []))
            continue
        score, null, answerable, first, last = candidates[0]
        readings.append(Reading(offsets[first][0], offsets[last][1], score, null, max(c[2] for c in candidates),
                                [(c[0] - c[1], offsets[c[3]][0], offsets[c[4]][1]) for c in candidates]))
    return readings


def torch_runner(model):
    where = next(model.parameters()).device

    def run(ids, mask, types):
        with torch.no_grad():
            return [part.float().cpu().numpy() for part in model(*(torch.from_numpy(m).to(where) for m in (ids, mask, types)))]
    return run


def onnx_runner(path, threads=0):
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    return lambda ids, mask, types: session.run(["spans", "inside", "answerable"], {"input_ids": ids, "attention_mask": mask, "token_type_ids": types})
