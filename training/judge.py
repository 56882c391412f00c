"""The judge: what it reads, the network, and how groups of candidates become batches. The Rust path does the same.

It reads `query` and `name (kind). knowledge Here: page's word | sentence | sentence`, at most 160 pieces, and gives the log-odds that the
entity satisfies the query: a trunk, mean pooling, one linear unit. Every judge reads BERT's pieces, a teacher on mpnet by its own
numbers for them.
"""
import os

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import nn

from base_weights import MpnetTrunk, is_mpnet, load_head, load_trunk
from reader import CLS, PADDING, SEP, mpnet_ids
from tuning import constant

MAX_PIECES = 160
MAX_QUERY_PIECES = 48
# What a judge reads of an entity's knowledge.
KNOWLEDGE_CHARACTERS = constant("findall/src/find/candidate.rs", "MAX_KNOWLEDGE_CHARS")


def parts_of(group: dict, query: dict, number: int, kind=True, knowledge=True, sentences=True, here=True) -> list[str]:
    """The text of one candidate in parts that end at blanks; any but the name can be left out."""
    name, its_kind, known, said_here = group["candidates"][number]
    parts = [f"{name} ({its_kind})." if its_kind and kind else f"{name}."]
    if known and knowledge:
        parts.append(known)
    if said_here and here:
        parts.append("Here: " + said_here)
    if sentences:
        rows = query["sentences"] if query["sentences"] is not None else group["sentences"]
        for sentence in rows[number]:
            parts += ["|", group["texts"][sentence]]
    return parts


def text_of(*args, **kept) -> str:
    """The text of one candidate, as `CandidateText` writes it."""
    return " ".join(parts_of(*args, **kept))


class Judge(nn.Module):
    def __init__(self, base):
        super().__init__()
        self.trunk = MpnetTrunk.of_folder(base) if is_mpnet(base) else load_trunk(base)
        self.dropout = nn.Dropout(0.1)
        self.head = nn.Linear(self.trunk.config.hidden_size, 1)
        if shipped := load_head(base, "judge"):
            self.head.load_state_dict(shipped)

    def forward(self, ids, asked, lengths):
        """Log-odds of rows of pieces; `asked` pieces of each are the query's, `lengths` are not padding."""
        at = torch.arange(ids.shape[1], device=ids.device)[None]
        mask = (at < lengths[:, None]).long()
        types = mask * (at >= asked[:, None])
        ids = ids.long()
        if isinstance(self.trunk, MpnetTrunk):
            ids = mpnet_ids(ids)
        hidden = self.trunk(input_ids=ids, attention_mask=mask, token_type_ids=types).last_hidden_state
        weights = mask.unsqueeze(-1).to(hidden.dtype)
        return self.head(self.dropout((hidden * weights).sum(1) / weights.sum(1))).squeeze(-1)


def by_length(ids, asked, lengths, parts=4):
    """Rows in order of length, and stretches `(start, end, width)` of them, so that short rows are not padded to the longest."""
    order = np.argsort(lengths, kind="stable")
    ends = [len(order) * number // parts for number in range(parts + 1)]
    widths = [-(-int(lengths[order[end - 1]]) // 8) * 8 for end in ends[1:]]
    return order, list(zip(ends, ends[1:], widths)), (ids[order], asked[order], lengths[order])


def in_stretches(model, stretches, ids, asked, lengths):
    return torch.cat([model(ids[a:b, :width], asked[a:b], lengths[a:b]).float() for a, b, width in stretches])


class Pairs:
    """Queries with texts (in parts) → padded batches; every part is tokenised once."""

    def __init__(self, folder):
        self.tokenizer = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.known = {}

    def learn(self, texts):
        new = [text for text in dict.fromkeys(texts) if text not in self.known]
        for text, encoding in zip(new, self.tokenizer.encode_batch(new, add_special_tokens=False)):
            self.known[text] = np.array(encoding.ids[:MAX_PIECES], np.int16)

    def pieces(self, text: str) -> np.ndarray:
        if text not in self.known:
            self.learn([text])
        return self.known[text]

    def batch(self, pairs: list) -> tuple:
        """Pieces of `(query, parts)` pairs, how many of each row are the query's, and how many there are."""
        ids = np.full((len(pairs), MAX_PIECES), PADDING, np.int16)
        asked, lengths = np.zeros(len(pairs), np.int32), np.zeros(len(pairs), np.int32)
        for row, (query, parts) in enumerate(pairs):
            pieces = self.pieces(query)[:MAX_QUERY_PIECES]
            at = len(pieces) + 2
            ids[row, 0], ids[row, 1: at - 1], ids[row, at - 1] = CLS, pieces, SEP
            asked[row] = at
            for part in parts:
                pieces = self.pieces(part)[: MAX_PIECES - 1 - at]
                ids[row, at: at + len(pieces)] = pieces
                at += len(pieces)
            ids[row, at] = SEP
            lengths[row] = at + 1
        return ids[:, : -(-int(lengths.max()) // 8) * 8], asked, lengths


@torch.no_grad()
def score(model, pairs: Pairs, asked: list, size=1024) -> np.ndarray:
    """Log-odds of many pairs, in the order given."""
    where = next(model.parameters()).device
    order = sorted(range(len(asked)), key=lambda i: sum(map(len, asked[i][1])))
    out = np.zeros(len(asked), np.float32)
    for at in range(0, len(order), size):
        part = order[at: at + size]
        batch = (torch.from_numpy(a).to(where) for a in pairs.batch([asked[i] for i in part]))
        with torch.autocast("cuda", torch.bfloat16, enabled=where.type == "cuda"):
            out[part] = model(*batch).float().cpu().numpy()
    return out
