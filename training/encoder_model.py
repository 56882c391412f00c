"""The encoder: a BERT trunk, mean pooling, unit vectors; a learned scale and bias turn a cosine into a log-odds.

`Judge` is the cross-encoder of the same trunk, used as a teacher.
"""

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from base_weights import load_trunk


class Tokens:
    """Texts → padded id batches on the device; every text is tokenised once."""

    def __init__(self, tokenizer, device, longest=96):
        self.tokenizer, self.device, self.longest, self.known = tokenizer, device, longest, {}

    def ids(self, text: str) -> list[int]:
        if text not in self.known:
            self.known[text] = self.tokenizer.encode(text).ids[: self.longest - 1] + [102]
            if len(self.known[text]) > 1 and self.known[text][-2] == 102:
                self.known[text].pop()
        return self.known[text]

    def pad(self, rows: list[list[int]], types: list[list[int]] | None = None):
        width = -(-max(map(len, rows)) // 8) * 8
        ids, mask, kinds = (np.zeros((len(rows), width), np.int64) for _ in range(3))
        for i, row in enumerate(rows):
            ids[i, : len(row)] = row
            mask[i, : len(row)] = 1
            if types:
                kinds[i, : len(row)] = types[i]
        return tuple(torch.from_numpy(t).to(self.device, non_blocking=True) for t in (ids, mask, kinds))

    def batch(self, texts: list[str]):
        return self.pad([self.ids(t) for t in texts])

    def pairs(self, queries: list[str], texts: list[str]):
        rows, types = [], []
        for q, t in zip(queries, texts):
            a, b = self.ids(q), self.ids(t)[1:]
            rows.append((a + b)[:160])
            types.append(([0] * len(a) + [1] * len(b))[:160])
        return self.pad(rows, types)


class BiEncoder(nn.Module):
    """Encodes either side of a pair to a unit vector; `late` adds a token-by-token score over a small projection."""

    def __init__(self, base, layers=None, late=False):
        super().__init__()
        self.trunk = load_trunk(base, layers)
        self.scale = nn.Parameter(torch.tensor(12.0))
        self.bias = nn.Parameter(torch.tensor(-6.0))
        self.late = nn.Linear(384, 64) if late else None
        self.late_scale = nn.Parameter(torch.tensor(8.0))
        self.late_middle = nn.Parameter(torch.tensor(0.6))

    def forward(self, ids, mask, kinds=None):
        hidden = self.trunk(input_ids=ids, attention_mask=mask).last_hidden_state
        weights = mask.unsqueeze(-1).to(hidden.dtype)
        pooled = F.normalize((hidden * weights).sum(1) / weights.sum(1), dim=-1)
        tokens = F.normalize(self.late(hidden), dim=-1) * weights if self.late is not None else None
        return pooled, tokens

    def log_odds(self, query, text, query_mask=None):
        """Of each query row with its own rows of `text` (groups × candidates × …): pooled alone, and with the tokens."""
        cosine = torch.einsum("gd,gcd->gc", query[0], text[0])
        pooled = self.scale * cosine + self.bias
        if self.late is None:
            return pooled, pooled
        best = torch.einsum("gqd,gctd->gcqt", query[1], text[1]).amax(-1)
        late = best.sum(-1) / query_mask.sum(-1, keepdim=True)
        return pooled, pooled + self.late_scale * (late - self.late_middle)


class Judge(nn.Module):
    """Reads query and text together and says how likely the text's entity answers the query."""

    def __init__(self, base, layers=None):
        super().__init__()
        self.trunk = load_trunk(base, layers)
        self.head = nn.Sequential(nn.Dropout(0.1), nn.Linear(384, 384), nn.GELU(), nn.Linear(384, 1))

    def forward(self, ids, mask, kinds):
        hidden = self.trunk(input_ids=ids, attention_mask=mask, token_type_ids=kinds).last_hidden_state
        weights = mask.unsqueeze(-1).to(hidden.dtype)
        return self.head((hidden * weights).sum(1) / weights.sum(1)).squeeze(-1)
