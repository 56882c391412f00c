"""The encoder: a BERT trunk, mean pooling, unit vectors; a learned scale and bias turn a cosine into a log-odds, and a second score
compares the two sides token by token."""
import torch
from torch import nn
from torch.nn import functional as F

from base_weights import load_trunk

LATE_WIDTH = 64


class BiEncoder(nn.Module):
    def __init__(self, base):
        super().__init__()
        self.trunk = load_trunk(base)
        self.scale = nn.Parameter(torch.tensor(12.0))
        self.bias = nn.Parameter(torch.tensor(-6.0))
        self.late = nn.Linear(self.trunk.config.hidden_size, LATE_WIDTH)
        self.late_scale = nn.Parameter(torch.tensor(8.0))
        self.late_middle = nn.Parameter(torch.tensor(0.6))

    def forward(self, ids, lengths):
        """The vector of each row, one for each of its tokens, and which tokens there are."""
        mask = (torch.arange(ids.shape[1], device=ids.device)[None] < lengths[:, None]).long()
        hidden = self.trunk(input_ids=ids.long(), attention_mask=mask).last_hidden_state
        weights = mask.unsqueeze(-1).to(hidden.dtype)
        pooled = F.normalize((hidden * weights).sum(1) / weights.sum(1), dim=-1)
        return pooled, F.normalize(self.late(hidden), dim=-1) * weights, mask

    def in_buckets(self, ids, lengths, buckets=4):
        """The same for many rows, those of like length together; in the order given."""
        order = torch.argsort(lengths)
        pooled, tokens = [], []
        for part in order.chunk(buckets):
            width = int(-(-lengths[part].max() // 8) * 8)
            vectors, late, _ = self(ids[part, :width], lengths[part])
            pooled.append(vectors)
            tokens.append(F.pad(late, (0, 0, 0, ids.shape[1] - width)))
        back = torch.argsort(order)
        return torch.cat(pooled)[back], torch.cat(tokens)[back]

    def log_odds(self, queries, texts, numbers):
        """Of each query with its own texts: by the pooled vectors alone, and with the tokens."""
        query, query_tokens, mask = self(*queries)
        text, text_tokens = self.in_buckets(*texts)
        pooled = self.scale * torch.einsum("gd,gcd->gc", query, text[numbers]) + self.bias
        best = torch.einsum("gqd,gctd->gcqt", query_tokens, text_tokens[numbers]).amax(-1)
        late = best.sum(-1) / mask.sum(-1, keepdim=True)
        return pooled, pooled + self.late_scale * (late - self.late_middle)
