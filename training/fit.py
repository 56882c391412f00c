"""What the training scripts share: seeding, a one-cycle optimiser, averaged weights, length-sorted batches."""
import math
import random
import re
import time

import numpy as np
import torch

LAYER = re.compile(r"^trunk\.(?:encoder\.layer|layers)\.(\d+)\.")


def seed_everything(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


def device():
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def length_batches(lengths, tokens_per_batch, rng, max_rows=256):
    """Batches of indices with similar lengths and about the same number of tokens, in random order."""
    order = np.argsort(np.asarray(lengths) + rng.random(len(lengths)) * 8)
    batches, batch, longest = [], [], 0
    for index in order:
        longest = max(longest, lengths[index])
        if batch and ((len(batch) + 1) * longest > tokens_per_batch or len(batch) == max_rows):
            batches.append(batch)
            batch, longest = [], lengths[index]
        batch.append(int(index))
    if batch:
        batches.append(batch)
    rng.shuffle(batches)
    return batches


def padded(rows, value, dtype=np.int64):
    """One matrix from rows of unequal length, the width a multiple of 8 (bf16 kernels like that)."""
    width = -(-max(len(row) for row in rows) // 8) * 8
    out = np.full((len(rows), width), value, dtype)
    for index, row in enumerate(rows):
        out[index, : len(row)] = row
    return out


class Fitter:
    """AdamW with linear warm-up and cosine decay, layer-wise learning rates, gradient clipping and an average (EMA)
    of the weights, which is what gets evaluated and exported."""

    def __init__(self, model, steps, rate, head_rate=None, layer_decay=0.95, warmup=0.06, decay=0.01, ema=0.998, seconds=None):
        """`seconds`: shortens the schedule, its warm-up too, as needed to end in that time."""
        self.seconds, self.planned, self.last = seconds, steps, time.time()
        self.model, self.steps, self.warmup_share, self.done, self.ema_decay = model, steps, warmup, 0, ema
        layers = model.trunk.config.num_hidden_layers
        groups = {}
        learned = [(name, weight) for name, weight in model.named_parameters() if weight.requires_grad]
        for name, weight in learned:
            layer = LAYER.search(name)
            if name.startswith("trunk.embeddings"):
                depth = layers + 1
            elif layer:
                depth = layers - int(layer[1])
            else:
                depth = 0
            lr = (head_rate or 5 * rate) if depth == 0 else rate * layer_decay ** (depth - 1)
            key = (lr, decay if weight.dim() > 1 else 0.0)
            groups.setdefault(key, []).append(weight)
        self.optimizer = torch.optim.AdamW([{"params": p, "lr": lr, "weight_decay": wd} for (lr, wd), p in groups.items()],
                                           fused=torch.cuda.is_available())
        self.rates = [g["lr"] for g in self.optimizer.param_groups]
        self.average = {name: weight.detach().clone() for name, weight in learned}
        self.started = time.time()

    def step(self, loss):
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        warmup = max(1, int(self.warmup_share * self.steps))
        if self.done < warmup:
            factor = (self.done + 1) / warmup
        else:
            factor = 0.5 * (1 + math.cos(math.pi * (self.done - warmup) / max(1, self.steps - warmup)))
        for group, rate in zip(self.optimizer.param_groups, self.rates):
            group["lr"] = rate * max(factor, 0.01)
        self.optimizer.step()
        self.done += 1
        if self.done % 25 == 0 and not torch.isfinite(loss):
            raise SystemExit(f"step {self.done}: the loss is no number any more")
        if self.seconds and self.done % 25 == 0:
            now = time.time()
            each, self.last = (now - self.last) / 25, now
            left = self.seconds - (now - self.started)
            self.steps = min(self.planned, max(self.done, self.done + int(left / each)))
        decay = min(self.ema_decay, (1 + self.done) / (10 + self.done))
        with torch.no_grad():
            names = list(self.average)
            weights = dict(self.model.named_parameters())
            torch._foreach_lerp_([self.average[n] for n in names], [weights[n].detach() for n in names], 1 - decay)

    def finished(self):
        return self.done >= self.steps

    def use_average(self):
        """Puts the averaged weights into the model (at the end of training)."""
        with torch.no_grad():
            for name, weight in self.model.named_parameters():
                if name in self.average:
                    weight.copy_(self.average[name])


def autocast():
    """bf16 on a GPU; plain fp32 on a CPU, where bf16 is emulated and slow."""
    return torch.autocast("cuda", dtype=torch.bfloat16, enabled=torch.cuda.is_available())
