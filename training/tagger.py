"""The tagger: what it reads, what it predicts, and how its scores become mentions. The Rust path does the same.

Reads word pieces of an uncased vocabulary; what the vocabulary forgets comes back through the token types (0 to 7):
    0 no capital · 1 only the first character is a capital · 2 all letters are capitals (two or more) · 3 other mixtures,
    judged on the characters of that piece alone; plus 4 when a line break stands between the previous piece and this one.
Predicts 17 scores a piece: outside, then begin and inside for each of the 8 types. A word is a piece that does not start
with "##" together with the pieces after it that do; only a word's first piece speaks.
"""
from dataclasses import dataclass

import numpy as np
import torch
from tokenizers import Tokenizer

import fit
from base_weights import MpnetTrunk, is_mpnet, load_head, load_trunk
from data.mentions import TYPES
from reader import mpnet_ids

SHAPES = 8
LABELS = ["O", *(f"{part}-{name}" for name in TYPES for part in "BI")]
OUTSIDE, BEGIN, INSIDE = 0, 1, 2
CLS, SEP, MASK = 101, 102, 103
WINDOW = 254
STEP = 190


class Tagger(torch.nn.Module):
    def __init__(self, base, layers=None, dropout=0.1):
        super().__init__()
        self.trunk = MpnetTrunk.of_folder(base) if is_mpnet(base) else load_trunk(base, layers, type_vocab=SHAPES)
        self.shapes = None
        if isinstance(self.trunk, MpnetTrunk):
            self.shapes = torch.nn.Embedding(SHAPES, self.trunk.config.hidden_size)
            torch.nn.init.zeros_(self.shapes.weight)
        self.dropout = torch.nn.Dropout(dropout)
        self.head = torch.nn.Linear(self.trunk.config.hidden_size, len(LABELS))
        head = load_head(base, "tagger")
        if head:
            self.head.load_state_dict(head)

    def forward(self, ids, mask, shapes):
        if self.shapes is None:
            hidden = self.trunk(input_ids=ids, attention_mask=mask, token_type_ids=shapes).last_hidden_state
        else:
            hidden = self.trunk(mpnet_ids(ids), mask, added=self.shapes(shapes)).last_hidden_state
        return self.head(self.dropout(hidden))


def boundary_and_kind(scores):
    """Log-probabilities of the boundary (3: outside, begin, inside) and, apart from it, of the type (8). Works on torch
    tensors and, through them, on numpy arrays."""
    if isinstance(scores, np.ndarray):
        return tuple(part.numpy() for part in boundary_and_kind(torch.from_numpy(scores)))
    whole = torch.log_softmax(scores, -1)
    begin, inside = whole[..., 1::2], whole[..., 2::2]
    boundary = torch.stack([whole[..., 0], begin.logsumexp(-1), inside.logsumexp(-1)], -1)
    return boundary, torch.log_softmax(torch.logaddexp(begin, inside), -1)


@dataclass
class Pieces:
    """One text as word pieces, without the special ones."""
    ids: np.ndarray
    shapes: np.ndarray
    opens: np.ndarray
    offsets: list


def load_tokenizer(folder):
    tokenizer = Tokenizer.from_file(f"{folder}/tokenizer.json")
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def shape_of(piece):
    letters = [c for c in piece if c.isalpha()]
    capitals = sum(c.isupper() for c in letters)
    if capitals == 0:
        return 0
    if capitals == 1 and piece[0].isupper():
        return 1
    return 2 if capitals == len(letters) else 3


def to_pieces(tokenizer, texts):
    out = []
    for text, coded in zip(texts, tokenizer.encode_batch(list(texts), add_special_tokens=False)):
        shapes, previous = [], 0
        for start, end in coded.offsets:
            line_break = previous > 0 and "\n" in text[previous:start]
            shapes.append(shape_of(text[start:end]) + (4 if line_break else 0))
            previous = end
        out.append(Pieces(np.array(coded.ids, np.int32), np.array(shapes, np.int8),
                          np.array([not t.startswith("##") for t in coded.tokens], bool), coded.offsets))
    return out


def windows(count):
    """Starts of the windows over `count` pieces."""
    return [0] if count <= WINDOW else [*range(0, count - WINDOW, STEP), count - WINDOW]


def scores_of(pieces_list, run, tokens_per_batch=16384):
    """Scores of every piece of every text. `run(ids, mask, shapes)` takes and gives numpy matrices. A piece covered by
    two windows takes the scores of the one whose nearer edge is farther away (the earlier one when equal)."""
    jobs = [(index, start) for index, pieces in enumerate(pieces_list) for start in windows(len(pieces.ids)) if len(pieces.ids)]
    lengths = [min(WINDOW, len(pieces_list[i].ids) - s) for i, s in jobs]
    results = [np.zeros((len(p.ids), len(LABELS)), np.float32) for p in pieces_list]
    depth = [np.full(len(p.ids), -1) for p in pieces_list]
    order = np.argsort(lengths, kind="stable")
    at = 0
    while at < len(order):
        width = lengths[order[at]] + 2
        batch = []
        while at < len(order) and (len(batch) + 1) * (lengths[order[at]] + 2) <= tokens_per_batch or not batch:
            width = lengths[order[at]] + 2
            batch.append(order[at])
            at += 1
        ids, mask, shapes = (np.zeros((len(batch), width), np.int64) for _ in range(3))
        for row, job in enumerate(batch):
            index, start = jobs[job]
            part = slice(start, start + lengths[job])
            ids[row, : lengths[job] + 2] = [CLS, *pieces_list[index].ids[part], SEP]
            shapes[row, 1: lengths[job] + 1] = pieces_list[index].shapes[part]
            mask[row, : lengths[job] + 2] = 1
        logits = run(ids, mask, shapes)
        for row, job in enumerate(batch):
            index, start = jobs[job]
            length = lengths[job]
            edge = np.minimum(np.arange(length), np.arange(length)[::-1])
            better = edge > depth[index][start: start + length]
            results[index][start: start + length][better] = logits[row, 1: length + 1][better]
            depth[index][start: start + length][better] = edge[better]
    return results


def decode(pieces, scores, outside_bias=0.0):
    """Mentions `(start, end, type, confidence)`. The boundary is decided first, by the likeliest of the three (the
    outside score lowered by `outside_bias`); an inside without a begin opens a mention; the type is the best mean
    score over the mention's words; the confidence is the geometric mean of the chosen boundary probabilities."""
    words = np.flatnonzero(pieces.opens)
    if len(words) == 0:
        return []
    ends = [*(words[1:] - 1), len(pieces.ids) - 1]
    scores = scores[words].copy()
    scores[:, 0] -= outside_bias
    boundary, kinds = boundary_and_kind(scores)
    choice = boundary.argmax(1)
    mentions, first = [], None
    for index in range(len(words) + 1):
        label = OUTSIDE if index == len(words) else choice[index]
        if first is not None and label != INSIDE:
            part = slice(first, index)
            confidence = float(np.exp(boundary[part].max(1).mean()))
            mentions.append((pieces.offsets[words[first]][0], pieces.offsets[ends[index - 1]][1], int(kinds[part].mean(0).argmax()), confidence))
            first = None
        if label == BEGIN or (label == INSIDE and first is None):
            first = index
    return mentions


def tag(tokenizer, texts, run, outside_bias=0.0):
    pieces = to_pieces(tokenizer, texts)
    return [decode(p, s, outside_bias) for p, s in zip(pieces, scores_of(pieces, run))]


def torch_runner(model):
    """`run` for a torch model."""
    where = next(model.parameters()).device

    def run(ids, mask, shapes):
        with torch.no_grad(), fit.autocast():
            return model(*(torch.from_numpy(m).to(where) for m in (ids, mask, shapes))).float().cpu().numpy()
    return run


def onnx_runner(path, threads=0):
    """`run` for an exported graph."""
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    names = {i.name for i in session.get_inputs()}

    def run(ids, mask, shapes):
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": shapes}
        return session.run(["tags"], {name: value for name, value in feed.items() if name in names})[0]
    return run
