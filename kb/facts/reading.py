"""Reads a table of facts and the dump of a base; what is broken is set aside with the reason."""
import collections
import json
import lzma
import math
import re

from facts.kinds import is_team_as_player, put_right
from facts.names import fold, is_latin, split_title, title_key
from facts.seen import Fact, Thing
from facts.vocabulary import FIELDS, KINDS, THIN

MAX_WORDS, MAX_THIN_WORDS = 22, 14
MAX_TITLE_CHARACTERS = 90
MAX_ALIASES = 5


def tidy(text, thin):
    """A description without what says nothing, at most a few words long."""
    pieces, words = [], 0
    text = re.sub(r"\bborn BC (\d+)", r"born \1 BC", text)
    text = re.sub(r"\bdied -(\d+)", r"died \1 BC", text)
    text = re.sub(r" in [^,]*\?[^,]*", "", text).replace("serving, ", "in ").replace("web technology, ", "web technology: ")
    text = text.replace(", works on Project Gutenberg", "").replace("US chart musician or band", "musician or band in US charts")
    for piece in text.split(", "):
        if piece in FIELDS or piece in pieces or not piece.strip():
            continue
        words += len(piece.split())
        if pieces and words > (MAX_THIN_WORDS if thin else MAX_WORDS):
            break
        pieces.append(piece)
    return ", ".join(pieces)


def names_of(title, aliases, sources, text):
    """The aliases that are names in English and no codes."""
    kept = []
    for alias in aliases:
        alias = alias.strip()
        code = "airports" in sources and len(alias) <= 4
        if not 2 <= len(alias) <= 60 or not is_latin(alias) or code or "//" in alias or fold(alias) == fold(title):
            continue
        kept.append(alias)
    return [] if sources == [THIN] else kept[:MAX_ALIASES]


ABBREVIATIONS = [(r"^O\. ", ""), (r"^L\. ", "Lake "), (r" I\.$", " Island"), (r" Is\.$", " Islands"), (r" Pt\.$", " Point")]
GUESSED_KINDS = set(KINDS)
TEAM_AS_PLAYER = "a team is no player"


def read_row(cells):
    """A row as a fact, or the reason why it is none."""
    if len(cells) != 6:
        return f"{len(cells)} columns, expected 6"
    title, kind, text, aliases, popularity, source = (cell.strip() for cell in cells)
    if kind not in KINDS:
        return f"no such kind {kind!r}"
    if not popularity.isdigit():
        return f"popularity {popularity!r} is not a number"
    if not any(c.isalpha() for c in title):
        return "the title has no letter"
    if len(title) > MAX_TITLE_CHARACTERS or "\ufffd" in title or "?" in title and kind in ("person", "place"):
        return "the title is no name"
    if not is_latin(title):
        return "the title is not written in Latin letters"
    if kind == "organization" and re.search(r"\belection, \d{4}$", title):
        return "an election is no organization"
    if title.endswith(" sales)"):
        return "a row of sales is no name"
    sources = source.split("+")
    if "geo-features" in sources:
        for written, meant in ABBREVIATIONS:
            title = re.sub(written, meant, title)
    if "places-misc" in sources and "volcano" in text and title.count(", ") == 1:
        title = " ".join(reversed(title.split(", ")))
    title, kind, text = put_right(title, kind, text, sources)
    if is_team_as_player(title, kind, text, sources):
        return TEAM_AS_PLAYER
    text = tidy(text, sources == [THIN])
    if sources == [THIN] and split_title(title)[1] in GUESSED_KINDS:
        return "a parenthesis that only guesses the kind"
    if not text:
        return "nothing is said"
    return Fact(title, kind, text, names_of(title, aliases.split(";"), sources, text), float(popularity), sources)


def open_text(path):
    return lzma.open(path, "rt", encoding="utf-8", errors="replace") if path.suffix == ".xz" else open(path, encoding="utf-8", errors="replace")


def read_facts(path, rejects):
    """The facts of a table; what is broken is written to `rejects`."""
    facts, refused, teams = [], 0, set()
    with open_text(path) as rows:
        for number, line in enumerate(rows, 1):
            read = read_row(line.rstrip("\n").split("\t"))
            if not isinstance(read, str) and read.kind == "person" and fold(split_title(read.title)[0]) in teams:
                read = TEAM_AS_PLAYER
            if isinstance(read, str):
                if read == TEAM_AS_PLAYER:
                    teams.add(fold(split_title(line.split("\t")[0])[0]))
                refused += 1
                rejects.write(f"{path.name}\t{number}\t{read}\t{line.rstrip()[:2000]}\n")
            else:
                facts.append(read)
    return facts, refused


def read_base(path, entities):
    """The things of a base, with the words of the texts that they were read from."""
    texts = {}
    with open(entities, encoding="utf-8") as rows:
        for row in map(json.loads, rows):
            if row.get("text") and row["text"] != "N/A":
                texts[title_key(row["title"])] = row["text"][:600]
    things = []
    with open(path, encoding="utf-8") as rows:
        for row in map(json.loads, rows):
            said = "; ".join(one for one in [row["description"], *row["facts"]] if one and one != "N/A")
            source = texts.get(title_key(row["title"]), "")
            thing = Thing(row["title"], row["kind"], f"{said}; {source}" if source else said, row["popularity"], True)
            thing.names = {fold(alias) for alias in row["aliases"]}
            thing.words = len(said.split())
            things.append(thing)
    return things


def rarity_of(things, facts):
    counts = collections.Counter()
    for text in [thing.text for thing in things[::9]] + [fact.text for fact in facts[::9]]:
        counts.update(set(re.findall(r"[^\W_]+(?:-[^\W\d_]+)*", text.lower())))
    total = len(things[::9]) + len(facts[::9])
    return lambda word: min(math.log(total / (1 + counts[word])), 8.0)
