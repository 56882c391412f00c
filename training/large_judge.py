"""A judge that stands on a large language model, to teach the one that ships: `train_judge.py --large-base`.

It reads `Query: … Entity: …` and a line's end, which has seen all and says the log-odds; the texts are those of `judge.py`.
"""
import numpy as np
import torch
from torch import nn

from language_model import hidden_of, load

# Tokens that are read of a pair, and of its query.
MAX_TOKENS, MAX_QUERY_TOKENS = 192, 48


class LargeJudge(nn.Module):
    def __init__(self, folder, compiled=False):
        super().__init__()
        self.trunk, self.words = load(folder, compiled)
        self.head = nn.Linear(self.trunk.config.hidden_size, 1)

    def forward(self, ids, _, lengths):
        """Log-odds of rows of tokens, `lengths` of each not padding; as a `Judge`."""
        at = torch.arange(ids.shape[1], device=ids.device)[None]
        hidden = hidden_of(self.trunk, ids.long(), at < lengths[:, None])
        return self.head(hidden[torch.arange(len(ids), device=ids.device), lengths.long() - 1]).squeeze(-1)


class LargePairs:
    """Queries with texts (in parts) → padded batches of a language model's tokens; every part is tokenised once."""

    def __init__(self, words):
        self.words, self.known = words, {}
        self.query, self.entity, self.end = words.numbers(["Query:", "\nEntity:", "\n"])

    def learn(self, texts):
        new = [text for text in dict.fromkeys(texts) if text not in self.known]
        for text, numbers in zip(new, self.words.numbers([" " + text for text in new])):
            self.known[text] = numbers[:MAX_TOKENS].astype(np.int32)

    def row(self, query, parts):
        self.learn([query, *parts])
        pieces = [self.query, self.known[query][:MAX_QUERY_TOKENS], self.entity, *(self.known[part] for part in parts)]
        return np.concatenate([np.concatenate(pieces)[: MAX_TOKENS - len(self.end)], self.end])

    def batch(self, pairs: list) -> tuple:
        """Tokens of `(query, parts)` pairs, nothing, and how many each row has."""
        rows = [self.row(*pair) for pair in pairs]
        lengths = np.array([len(row) for row in rows], np.int32)
        ids = np.zeros((len(rows), -(-int(lengths.max()) // 8) * 8), np.int32)
        for number, row in enumerate(rows):
            ids[number, : len(row)] = row
        return ids, np.zeros(len(rows), np.int32), lengths
