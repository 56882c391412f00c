"""Figures of an exported encoder under its own decision rule: held-out list queries and KTRL+F dev with gold entities.

    python3 training/eval_encoder.py --model models/encoder --data carry/encoder.json.xz [--scores OUT.npz]

Entity F1 over all queries with knowledge from the KB, the labelled descriptions and the title alone, and the share of
no-answer queries that return nothing; List EM, List Overlap and their robustness. `--scores` keeps the log-odds as
`train_encoder.py` does, for `fit_rule.py`.
"""

import argparse
import json
import lzma
import os

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from data.list_queries import is_held_out
from encoder_groups import knowledge_text
from encoder_scores import ktrlf_report, list_report
from train_encoder import save_scores

BATCH = 32


class Encoder:
    """Texts in, unit vectors and token vectors out, as the Rust path computes them."""

    def __init__(self, folder, threads):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self.session = onnxruntime.InferenceSession(os.path.join(folder, "model.onnx"), options, providers=["CPUExecutionProvider"])
        self.card = json.load(open(os.path.join(folder, "model.json"), encoding="utf-8"))
        self.tokenizer = Tokenizer.from_file(os.path.join(folder, "..", "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(self.card["max_tokens"])
        self.known = {}

    def learn(self, texts):
        rows = sorted({t for t in texts if t not in self.known}, key=len)
        for at in range(0, len(rows), BATCH):
            ids = [self.tokenizer.encode(t).ids for t in rows[at : at + BATCH]]
            width = max(map(len, ids))
            mask = np.array([[1] * len(i) + [0] * (width - len(i)) for i in ids])
            feed = {"input_ids": np.array([i + [0] * (width - len(i)) for i in ids]), "attention_mask": mask}
            vectors, late = self.session.run(["vectors", "late"], feed)
            for text, row, vector, tokens in zip(rows[at : at + BATCH], ids, vectors, late):
                tokens = tokens[: len(row)]
                self.known[text] = vector / np.linalg.norm(vector), tokens / np.linalg.norm(tokens, axis=1, keepdims=True)

    def log_odds(self, query, texts):
        self.learn([query, *texts])
        line = self.card["calibration"]
        asked, asked_tokens = self.known[query]
        out = []
        for text in texts:
            vector, tokens = self.known[text]
            late = (asked_tokens @ tokens.T).max(1).mean()
            out.append(line["scale"] * float(asked @ vector) + line["bias"] + line["late"]["scale"] * (late - line["late"]["middle"]))
        return np.array(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, help="exported folder")
    parser.add_argument("--data", required=True)
    parser.add_argument("--scores")
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    data = json.load(lzma.open(args.data, "rt", encoding="utf-8"))
    encoder = Encoder(args.model, args.threads)
    rule, kept = encoder.card["decision"], {}
    held = [d for i, d in enumerate(data["list"]) if is_held_out(i)]
    for mode in ("knowledge", "description", "title"):
        items = []
        for doc in held:
            texts = [knowledge_text(e, mode) for e in doc["entities"]]
            encoder.learn([*texts, *(q["q"] for q in doc["queries"])])
            items += [(q["q"], encoder.log_odds(q["q"], texts), np.isin(np.arange(len(texts)), q["answers"])) for q in doc["queries"]]
        kept[f"list/{mode}"] = [item[1] for item in items]
        print("held out", mode, {k: round(float(v), 3) for k, v in list_report(items, rule).items()}, flush=True)
    rows = []
    for doc in data["ktrlf"]:
        texts = [knowledge_text(e, "knowledge") for e in doc["entities"]]
        encoder.learn([*texts, *(q["q"] for q in doc["queries"])])
        rows.append([encoder.log_odds(q["q"], texts) for q in doc["queries"]])
    kept["ktrlf/knowledge"] = [row for here in rows for row in here]
    print("ktrlf", {k: round(v, 1) for k, v in ktrlf_report(data["ktrlf"], rows, rule).items()})
    if args.scores:
        save_scores(args.scores, kept)


if __name__ == "__main__":
    main()
