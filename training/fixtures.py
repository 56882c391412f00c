"""Writes what the Rust path must reproduce: token ids with offsets, vectors, mentions, answers and verdicts of the shipped models,
computed here with Hugging Face tokenizers and ONNX Runtime on the same int8 graphs.

    python training/fixtures.py models crates/findall-models/tests/fixtures/parity.json

The texts are written for this project.
"""

import json
import sys

import numpy as np
import onnxruntime

import reader
import tagger
from data.mentions import trimmed

TEXTS = [
    "harbour towns on the northern coast",
    "Who runs the ferry to Aldermoor?",
    "Aldermoor. Market town; brick works; river port; twinned with Saint-Brévin; founded in 1214.",
    "The Quiet Harbour is a novel by Mira Okonkwo-Lindqvist about a lighthouse keeper and her three sons.",
    "a",
    "Ünïcödé naïveté: café, Ærøskøbing, İstanbul, ﬁne ligatures, e\u0301 combining, 東京都 and 서울, emoji 🦀👩‍🚀, soft\u00adhyphen, tab\tand\nbreak.",
    "supercalifragilisticexpialidocious antidisestablishmentarianism xqzzqv 12,345.67 $9.99 foo_bar@example.org it's O'Brien's",
]
PAGE = (
    "Aldermoor Ferries\nThe Aldermoor Ferry Company was founded in 1921 by Josiah Penhallow and his sister Edith. "
    "It runs two ships, the MV Kestrel and the MV Plover, between Aldermoor and the island of Skerrow. In 1987 the "
    "company was bought by Northline Group, whose chairman, Tomasz Wierzbicki, closed the route for two winters.\n"
    "After protests by the Skerrow Islanders' Union the government of Prime Minister Ada Lindholm paid for a new ship. "
    "The Quiet Harbour, a novel by Mira Okonkwo, tells the story of the strike; a film of it won the Golden Gull at the "
    "Port Varn Film Festival. Today the crossing takes fifty minutes and costs 14 crowns. NORTHLINE SAYS fares will rise. "
)
QUESTIONS = [
    ("Who founded the Aldermoor Ferry Company?", PAGE),
    ("How long does the crossing take?", PAGE),
    ("Which ships does the company run?", PAGE),
    ("What is the capital of Portugal?", PAGE),
    ("Who wrote The Quiet Harbour?", PAGE * 6),
    ("when was it bought", PAGE),
]
# More than a judge reads, so that both sides must cut alike.
LONG = ("The snow came early that year, and the bridges below the pass were still waiting for new planks. A bus with forty skiers "
        "had turned back at the second bend; its driver, who knew the mountain well, refused to go on without chains. In the valley "
        "the council met three times. The hotels wanted the road open for Christmas, the farmers wanted it mended first, and the "
        "railway offered to carry everybody for half the fare. Nobody asked the schoolchildren, who had a week without lessons and "
        "built a wall of ice across the market. When the thaw set in, the engineers found that two of the arches had moved by the "
        "width of a hand. They put up lamps, counted the cars, and wrote a report of ninety pages that the newspaper printed in "
        "full. By then the first cranes had come up from the coast, and the inn at the top was sold to a cook from Trieste. ")
JUDGED_PAIRS = [
    ("ferry companies", "Northline Group (organization). British ferry operator; founded 1934 | In 1987 the company was bought by Northline Group."),
    ("ferry companies", "Ada Lindholm (person). | the government of Prime Minister Ada Lindholm paid for a new ship."),
    ("people", "Tomasz Wierzbicki (person). | whose chairman, Tomasz Wierzbicki, closed the route for two winters."),
    ("who closed the route", "Tomasz Wierzbicki (person). | whose chairman, Tomasz Wierzbicki, closed the route for two winters. " + LONG),
    ("islands " * 60, "Skerrow (place). island"),
]
TAGGED_TEXTS = [PAGE, PAGE.lower(), PAGE * 5, "mira okonkwo met Ada LINDHOLM at Saint-Brévin's café", "no names in this one at all", ""]


def bytes_of(text, span):
    """Character offsets as byte offsets."""
    return [len(text[: span[0]].encode()), len(text[: span[1]].encode())]


def vectors(folder, tokenizer):
    session = onnxruntime.InferenceSession(f"{folder}/encoder/model.onnx", providers=["CPUExecutionProvider"])
    limit = json.load(open(f"{folder}/encoder/model.json"))["max_tokens"]
    for text in TEXTS:
        ids = tokenizer.encode(text).ids
        ids = np.array([ids[: limit - 1] + [tagger.SEP] if len(ids) > limit else ids])
        vector = session.run(["vectors"], {"input_ids": ids, "attention_mask": np.ones_like(ids)})[0][0]
        yield {"text": text, "vector": [round(float(v), 5) for v in vector / np.linalg.norm(vector)]}


def mentions(folder, tokenizer):
    run = tagger.onnx_runner(f"{folder}/tagger/model.onnx")
    bias = json.load(open(f"{folder}/tagger/model.json")).get("outside_bias", 0.0)
    for text in TAGGED_TEXTS:
        found = []
        for start, end, kind, confidence in tagger.tag(tokenizer, [text], run, bias)[0]:
            span = trimmed(text, start, end, kind)
            if span:
                found.append({"span": bytes_of(text, span), "type": tagger.TYPES[kind], "confidence": round(confidence, 4)})
        yield {"text": text, "mentions": found}


def answers(folder, tokenizer):
    run = reader.onnx_runner(f"{folder}/reader/model.onnx")
    card = json.load(open(f"{folder}/reader/model.json"))["no_answer"]
    for question, passage in QUESTIONS:
        found = reader.read(tokenizer, [(question, passage)], run)[0]
        x = card["scale"] * (found.null - found.best) - card["answerable"] * found.answerable + card["bias"]
        no_answer = 1 / (1 + np.exp(-x))
        yield {"question": question, "passage": passage, "best": bytes_of(passage, (found.start, found.end)), "no_answer": round(float(no_answer), 4)}


def verdicts(folder, tokenizer):
    session = onnxruntime.InferenceSession(f"{folder}/judge/model.onnx", providers=["CPUExecutionProvider"])
    with open(f"{folder}/judge/model.json", encoding="utf-8") as file:
        card = json.load(file)
    for query, text in JUDGED_PAIRS:
        asked = [tagger.CLS, *tokenizer.encode(query, add_special_tokens=False).ids[: card["max_query_tokens"]], tagger.SEP]
        read = tokenizer.encode(text, add_special_tokens=False).ids[: card["max_tokens"] - len(asked) - 1]
        ids = np.array([[*asked, *read, tagger.SEP]])
        types = np.array([[0] * len(asked) + [1] * (len(read) + 1)])
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": types}
        yield {"query": query, "text": text, "log_odds": round(float(session.run(["verdict"], feed)[0][0, 0]), 4)}


def tokens(tokenizer):
    for text in TEXTS + TAGGED_TEXTS[:1]:
        encoding = tokenizer.encode(text, add_special_tokens=False)
        yield {"text": text, "ids": encoding.ids, "starts": [bytes_of(text, o)[0] for o in encoding.offsets]}


def main():
    folder, out = sys.argv[1:]
    tokenizer = tagger.load_tokenizer(folder)
    parity = {"tokens": list(tokens(tokenizer)), "vectors": list(vectors(folder, tokenizer)),
              "mentions": list(mentions(folder, tokenizer)), "answers": list(answers(folder, tokenizer)),
              "verdicts": list(verdicts(folder, tokenizer))}
    with open(out, "w", encoding="utf-8") as file:
        json.dump(parity, file, ensure_ascii=False)
        file.write("\n")


if __name__ == "__main__":
    main()
