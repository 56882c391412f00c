#!/usr/bin/env python3
"""Joins a table of facts to the things that a knowledge base holds already.

    findall kb dump --kb first.kb > first.jsonl
    python3 kb/join_facts.py --base first.jsonl --entities entities.jsonl --redirects redirects.tsv \
        --facts facts.tsv.xz --out WORK_DIR

FACTS has rows of title, type, description, aliases (a;b;c), popularity 0 to 100, source (a+b). Written to WORK_DIR:

    joined.jsonl        rows for `findall kb build --jsonl`: facts under the title of the thing that they are about, or of
                        a new thing, which gets a parenthesis where its name is taken
    joined.rejects.tsv  rows that are broken or no facts, with their number and the reason

The same name is not the same thing. Rows of one name are laid beside everything that the base calls so, best known first;
years, countries and what a thing is decide whether two are one. Where nothing decides they stay two: a name twice does
less harm than a fact about somebody else. The rules of "one" are those of `facts/judge.py`.
"""
import argparse
import collections
import json
import pathlib

from facts.laying import Join
from facts.names import fold, split_title, title_key
from facts.reading import read_base, read_facts
from facts.writing import rows_of, scale_popularity


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("base", "entities", "redirects", "facts", "out"):
        parser.add_argument("--" + name, type=pathlib.Path, required=True)
    args = parser.parse_args()
    with open(args.out / "joined.rejects.tsv", "w", encoding="utf-8") as rejects:
        facts, refused = read_facts(args.facts, rejects)
    things = read_base(args.base, args.entities)
    with open(args.redirects, encoding="utf-8") as rows:
        redirects = [line.rstrip("\n").split("\t") for line in rows]
    join = Join(things, [pair for pair in redirects if len(pair) == 2], facts)
    groups = collections.defaultdict(list)
    for fact in facts:
        groups[fold(split_title(fact.title)[0])].append(fact)
    touched, thing_of = [], {}
    for stem in sorted(groups):
        for thing in join.lay(groups[stem]):
            touched.append(thing)
    touched = list({id(thing): thing for thing in touched}.values())
    for thing in touched:
        for fact in thing.facts:
            thing_of[id(fact)] = thing
    scaled = scale_popularity(facts, thing_of)
    with open(args.out / "joined.jsonl", "w", encoding="utf-8") as out:
        for thing in sorted(touched, key=lambda t: title_key(t.title)):
            out.write(json.dumps(rows_of(thing, scaled), ensure_ascii=False) + "\n")
    counts = ", ".join(f"{count:,} {how}" for how, count in join.counts.most_common())
    print(f"{args.facts.name}: {len(facts):,} facts joined ({counts}), {refused:,} rows set aside in joined.rejects.tsv")


if __name__ == "__main__":
    main()
