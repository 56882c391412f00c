"""The judge: what it reads, the network, and how groups of candidates become batches. The Rust path does the same.

It reads `query` and `name (kind). knowledge Here: page's word | sentence | sentence`, at most 160 pieces, and gives the log-odds that the
entity satisfies the query: a trunk, mean pooling, one linear unit.
"""
import os

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import nn

from base_weights import MpnetTrunk, is_mpnet, load_head, load_trunk

LONGEST = 160
LONGEST_QUERY = 48


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

    def forward(self, ids, mask, types):
        hidden = self.trunk(input_ids=ids, attention_mask=mask, token_type_ids=types).last_hidden_state
        weights = mask.unsqueeze(-1).to(hidden.dtype)
        return self.head(self.dropout((hidden * weights).sum(1) / weights.sum(1))).squeeze(-1)


class Pairs:
    """Queries with texts (in parts) → padded batches; every part is tokenised once."""

    def __init__(self, folder):
        self.tokenizer = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.known = {}
        self.mpnet = is_mpnet(folder)
        self.first, self.separator, self.padding = (0, 2, 1) if self.mpnet else (101, 102, 0)

    def learn(self, texts):
        new = [text for text in dict.fromkeys(texts) if text not in self.known]
        for text, encoding in zip(new, self.tokenizer.encode_batch(new, add_special_tokens=False)):
            self.known[text] = encoding.ids

    def pieces(self, text: str) -> list[int]:
        if text not in self.known:
            self.learn([text])
        return self.known[text]

    def row(self, query: str, parts: list[str]) -> tuple[list[int], int]:
        between = [self.separator] * (2 if self.mpnet else 1)
        asked = [self.first, *self.pieces(query)[:LONGEST_QUERY], *between]
        read = [piece for part in parts for piece in self.pieces(part)]
        return [*asked, *read[: LONGEST - len(asked) - 1], self.separator], len(asked)

    def batch(self, pairs: list) -> tuple:
        """Ids, mask and token types of `(query, parts)` pairs."""
        rows = [self.row(*pair) for pair in pairs]
        width = -(-max(len(ids) for ids, _ in rows) // 8) * 8
        ids = np.full((len(rows), width), self.padding, np.int64)
        mask, types = np.zeros_like(ids), np.zeros_like(ids)
        for number, (row, asked) in enumerate(rows):
            ids[number, : len(row)] = row
            mask[number, : len(row)] = 1
            types[number, asked: len(row)] = 1
        return ids, mask, types


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
