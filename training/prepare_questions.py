"""Gathers the passages about which `train_question_maker.py` makes questions.

    python3 training/prepare_questions.py --shared ../shared --data carry/qa.jsonl.xz --out carry/open.jsonl.xz

Leaves one JSON line a passage, `{"article","text","weight"}` (`data/open_passages.py`).
"""
import argparse
import collections
import json
import lzma

from data import open_passages


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shared", required=True)
    parser.add_argument("--data", required=True, help="what prepare_reader.py wrote")
    parser.add_argument("--openings", type=int, default=9000, help="openings of the knowledge base")
    parser.add_argument("--leave-out", nargs="*", default=[], metavar="ARTICLE", help="SQuAD 2.0 articles kept from training, for calibrating")
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    with lzma.open(args.data, "rt", encoding="utf-8") as lines:
        asked = [row | {"held": row["held"] or row["article"] in args.leave_out} for row in map(json.loads, lines)]
    count = collections.Counter()
    with lzma.open(args.out, "wt", encoding="utf-8", preset=9) as out:
        for row in open_passages.rows(args.shared, asked, args.openings):
            count[row["article"].split(" ")[0]] += 1
            out.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")
    print(*(f"{kind} {number}" for kind, number in sorted(count.items())))


if __name__ == "__main__":
    main()
