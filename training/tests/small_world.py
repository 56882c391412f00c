"""A small made-up world in the formats that the training scripts read: about twenty rows of every set, written once into a
temporary folder that goes away with the process. Nothing in it comes from a data set.

Importing this module puts training/ on the path and tells `data/sources.py` and `data/wordnet.py` where the world lies, so
a test imports it before any script. `run` calls a script's `main` as a command line would and gives back what it printed.
"""
import atexit
import contextlib
import hashlib
import importlib
import io
import json
import lzma
import os
import re
import sys
import tarfile
import tempfile
from pathlib import Path
from unittest import mock

TRAINING = Path(__file__).resolve().parent.parent
MODELS = TRAINING.parent / "models"
_FOLDER = tempfile.TemporaryDirectory(prefix="findall-training-")
atexit.register(_FOLDER.cleanup)
ROOT = Path(_FOLDER.name)
SHARED = ROOT / "shared"
os.environ["FINDALL_SHARED"] = str(SHARED)
os.environ["WORDNET_DICT"] = str(ROOT / "wordnet")
sys.path.insert(0, str(TRAINING))

TOWNS = ["Aldermoor", "Skerrow", "Port Varn", "Brindleford", "Eastmere"]
NATIONS = ["British", "American", "French", "German"]
ROWS = 20


def person(number):
    first = ["Mira", "Tomasz", "Edith", "Josiah", "Ada"][number % 5]
    last = ["Penhallow", "Lindqvist", "Okonkwo", "Wierzbicki"][number % 4]
    return f"{first} {last}"


def town(number):
    return TOWNS[number % len(TOWNS)]


def text_of(number):
    return (f"{person(number)} was born in {town(number)} in {1900 + number}. The painter moved to {town(number + 1)} with "
            f"{person(number + 1)}, who ran a small harbour. In {1930 + number} the harbour was closed, and the old bridge too.")


def entities_of(number):
    kinds = ((person(number), "person"), (town(number), "place"), (town(number + 1), "place"), (person(number + 1), "person"))
    rows = {name: {"name": name, "type": kind, "mentions": [name], "description": f"{NATIONS[number % 4]} {'painter' if kind == 'person' else 'town'}"}
            for name, kind in kinds}
    return list(rows.values())


def queries_of(number):
    return [{"q": f"painters of page {number}", "answers": [person(number)], "needs": "knowledge"},
            {"q": "places where somebody lived", "answers": [town(number), town(number + 1)], "needs": "text"},
            {"q": "submarines", "answers": [], "needs": "knowledge"}]


def reserved_names(prefix, wanted, is_reserved, others):
    """Names of which `wanted` are reserved by their hash and `others` are not."""
    names, counts = [], {True: wanted, False: others}
    for number in range(10_000):
        name = f"{prefix}{number}"
        kept = is_reserved(name)
        if counts[kept]:
            counts[kept] -= 1
            names.append(name)
        if not any(counts.values()):
            return names
    raise AssertionError("no hash fits")


def first_byte_is_reserved(name):
    return hashlib.sha1(name.encode()).digest()[0] % 10 == 0


def whole_hash_is_reserved(name):
    return int(hashlib.sha1(name.encode()).hexdigest(), 16) % 10 == 0


PAGES = reserved_names("web-", 8, first_byte_is_reserved, 12)


def write_lines(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    opened = lzma.open(path, "wt", encoding="utf-8") if path.suffix == ".xz" else open(path, "w", encoding="utf-8")
    with opened as file:
        file.writelines((row if isinstance(row, str) else json.dumps(row, ensure_ascii=False)) + "\n" for row in rows)
    return path


def write_archive(path, files):
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, "w:xz") as archive:
        for name, text in files.items():
            content = text.encode()
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))


def documents(ids):
    return [{"id": name, "text": text_of(n), "entities": entities_of(n), "queries": queries_of(n)} for n, name in enumerate(ids)]


def pools():
    """What a linker found: on pages, in passages, and in a neighbourhood of the knowledge base without sentences."""
    out = []
    for number, name in enumerate([*PAGES[:6], *(f"squad1-{n}" for n in range(5, 13)), *(f"kb-{n}" for n in range(6))]):
        sentence = None if name.startswith("kb") else f"…{text_of(number)}…"
        items = [{"name": e["name"], "entity": e["name"], "description": e["description"]} for e in entities_of(number)]
        items.append({"name": "The", "others": ["Old"]})
        for item in items:
            item |= {"sentence": sentence} if sentence else {}
        out.append({"id": name, "items": items, "bad": [len(items)], "wrong": [2], "queries": [["painters who moved", [1]], ["lakes", []]]})
    return out


def name_sets():
    """The archives of labelled names, each in its own columns."""
    rows = [[(word, "B" if n == 0 else "I", kind) for n, word in enumerate(name.split())] for name, kind in
            [(person(n), "person") if n % 2 else (town(n), "location") for n in range(60)]]

    def columns(separator, label, middle):
        """One sentence a name; `middle` varies it, so that some of them fall into the tenth that is held out."""
        return "\n\n".join("\n".join([f"Yesterday{separator}O", *(separator.join((w, label(b, k))) for w, b, k in row), f"{middle}{n}{separator}O"])
                           for n, row in enumerate(rows)) + "\n"

    def coarse(b, k):
        return f"{b}-{'PER' if k == 'person' else 'LOC'}"
    folder = SHARED / "data/ner"
    write_archive(folder / "crossner.tar.xz", {"ner_data/small/train.txt": columns(" ", lambda b, k: f"{b}-{k}", "spoke")})
    write_archive(folder / "general.tar.xz", {
        "sets/wikigold.conll.txt": "-DOCSTART- O\n\n" + columns(" ", coarse, "wrote"),
        "sets/WNUT17/CONLL-format/data/small.conll": columns("\t", lambda b, k: f"{b}-{k}", "sang"),
        "sets/BTC/CONLL-format/data/small.conll": columns("\t", coarse, "swam"),
        "sets/GUM/CONLL-format/data-by-corpustype/small.conll": columns("\t", lambda b, k: "person" if k == "person" else "place", "slept")})
    books = {}
    for number in range(5):
        name = person(number)
        books[f"coref/brat/book{number}.txt"] = f"{name} , who was rich , came home .\nNobody spoke ."
        books[f"coref/brat/book{number}.ann"] = f"T1\tPROP_PER 0 {len(name) + 15}\t{name} , who was rich\nT2\tNOM_PER 0 2\tno\n"
    write_archive(folder / "litbank-entities.tar.xz", books)


def question_file(titles):
    """Articles in SQuAD's format: a question with an answer and one without on every paragraph."""
    articles = []
    for number, title in enumerate(titles):
        paragraphs = []
        for place in range(2):
            text, year = text_of(2 * number + place), str(1900 + 2 * number + place)
            answer = {"text": year, "answer_start": text.index(year)}
            paragraphs.append({"context": text, "qas": [
                {"id": f"{title}-{place}", "question": f"When was {person(2 * number + place)} born in {town(2 * number + place)}?", "answers": [answer]},
                {"id": f"{title}-{place}-same", "question": "In which year did the painter come to the world?", "answers": [answer]},
                {"id": f"{title}-{place}-none", "question": "Who built the lighthouse?", "answers": []}]})
        articles.append({"title": title, "paragraphs": paragraphs})
    return {"data": articles}


def question_sets():
    folder = SHARED / "data/qa"
    titles = [f"Article {chr(65 + n)}" for n in range(10)]
    for name in ("squad1-train-part", "squad1-extra", "squad2-dev-part", "quoref-dev", "policyqa-dev", "policyqa-test"):
        content = question_file(titles if name.startswith("squad2") else [f"{name} {title}" for title in titles])
        for article in content["data"] if name.startswith("policy") else ():
            for paragraph in article["paragraphs"]:
                paragraph["qas"] = [qa for qa in paragraph["qas"] if qa["answers"]]
        write_lines(folder / f"{name}.json.xz", [content])
    rows = [{"id": f"several-{n}", "question": ["Who", "came", "?"], "context": [person(n).split()[0], "and", person(n + 1).split()[0], "came"],
             "label": ["B", "O", "B", "O"]} for n in range(ROWS)]
    write_lines(folder / "multispanqa-valid.json.xz", [{"data": rows}])
    write_lines(SHARED / "data/pages/ask-train.json.xz", [question_file(reserved_names("page ", 3, whole_hash_is_reserved, 7))])


def knowledge_base():
    titles = list(dict.fromkeys([person(n) for n in range(ROWS)] + TOWNS + [f"Harbour {n}" for n in range(60)]))
    rows = []
    for number, title in enumerate(titles):
        kind = "painter" if number < ROWS else "town"
        text = f"{title} is a {NATIONS[number % 4]} {kind} known in {town(number)} and {town(number + 2)}. " * 7
        rows.append({"title": title, "aliases": [title.split()[0]], "text": text, "type": f"{NATIONS[number % 4]} {kind}", "pop": 100 - number, "src": ["hybridqa"]})
    write_lines(SHARED / "kb/entities.jsonl.xz", rows)
    write_lines(SHARED / "kb/facts.tsv.xz", [f"Fact {n}\tis a\ttown" for n in range(ROWS)])
    write_lines(SHARED / "kb/written.tsv.xz", [f"{n}\t{title}\tperson\t{NATIONS[n % 4]} painter" for n, title in enumerate(titles[:ROWS])])


def wordnet():
    """Three nouns under two classes and one pair of opposites, in WordNet's own columns."""
    nouns = [("00000001", ["person"], []), ("00000002", ["painter"], ["00000001"]), ("00000003", ["place"], []),
             ("00000004", ["town"], ["00000003"]), ("00000005", ["harbour"], ["00000003"])]
    data = [f"{key} 00 n {len(words):02x} {' '.join(f'{w} 0' for w in words)} {len(ups):03d} {' '.join(f'@ {up} n 0000' for up in ups)} | made up" for key, words, ups in nouns]
    write_lines(ROOT / "wordnet/data.noun", data)
    write_lines(ROOT / "wordnet/index.noun", [f"{words[0]} n 1 0 1 0 {key}" for key, words, _ in nouns])
    write_lines(ROOT / "wordnet/data.adj", ["00000010 00 a 01 old 0 001 ! 00000011 a 0101 | made up", "00000011 00 a 01 new 0 001 ! 00000010 a 0101 | made up"])
    for kind in ("adv", "verb"):
        write_lines(ROOT / f"wordnet/data.{kind}", [])


def engine_texts(inputs):
    """What `judge_texts` writes of its inputs: here every capitalised name is an entity, and the answer's log-odds are high."""
    def candidate(text, name, spans):
        return {"name": name, "title": name, "kind": "place" if name in TOWNS else "person", "knowledge": f"{NATIONS[len(name) % 4]} thing",
                "here": "painter" if len(name) % 2 else "", "mentions": spans}
    for row in inputs:
        names = [name for name in dict.fromkeys(TOWNS + [person(n) for n in range(ROWS)]) if name in row["text"]]
        found = [(name, [m.span() for m in re.finditer(re.escape(name), row["text"])]) for name in names]
        queries = []
        for number, query in enumerate(row["queries"]):
            likely = [("place" in query) == (name in TOWNS) for name in names]
            odds = [(2.0 if yes else -2.0) + 0.37 * ((7 * n + number) % 5 - 2) for n, yes in enumerate(likely)]
            queries.append({"q": query, "sentences": [[row["text"].split(". ")[0]] for _ in names], "encoder": [0.5 * o for o in odds], "judge": odds,
                            "parts": [[None if n % 4 == 3 else o, 0.5 * o, 0.0, False] for n, o in enumerate(odds)]})
        yield {"id": row["id"], "entities": [candidate(row["text"], name, spans) for name, spans in found], "queries": queries}


class Pipeline:
    """Stands for a spaCy pipeline: capitalised words are people, years are dates, the rest are nouns."""

    def pipe(self, texts, batch_size=1):
        for text in texts:
            yield Reading(text)


class Piece:
    def __init__(self, text, start, end, label):
        self.start_char, self.end_char, self.label_ = start, end, label
        self.idx, self.tag_, self.length = start, "NNP" if text[start].isupper() else "NN", end - start

    def __len__(self):
        return self.length


class Reading:
    def __init__(self, text):
        def pieces(pattern, label):
            return [Piece(text, m.start(), m.end(), label) for m in re.finditer(pattern, text)]
        self.text = text
        self.ents = pieces(r"(?:[A-Z]\w+ )?[A-Z]\w+", "PERSON") + pieces(r"\b\d{4}\b", "DATE")
        self.noun_chunks, self.sents, self.words = pieces(r"the \w+", ""), pieces(r"[A-Z][^.]*\.", ""), pieces(r"\w+", "")

    def __iter__(self):
        return iter(self.words)


def run(script, *arguments):
    """What a script prints when it is called with these arguments."""
    module, printed = importlib.import_module(script), io.StringIO()
    with mock.patch.object(sys, "argv", [script, *map(str, arguments)]), contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
        module.main()
    return printed.getvalue()


def read_lines(path):
    with (lzma.open(path, "rt", encoding="utf-8") if str(path).endswith(".xz") else open(path, encoding="utf-8")) as file:
        return [json.loads(line) for line in file]


def judge_inputs(*flags):
    """Files that `prepare_judge.py --inputs` and then the engine would have written: as found, as given."""
    inputs = [ROOT / f"{name}{''.join(flags)}.jsonl" for name in ("found", "given")]
    run("prepare_judge", "--shared", SHARED, "--inputs", *inputs, *flags)
    return [write_lines(path.with_suffix(".texts.jsonl"), engine_texts(read_lines(path))) for path in inputs]


write_lines(SHARED / "data/list-queries/train.jsonl", documents([f"list-{n}" for n in range(ROWS)]))
write_lines(SHARED / "data/pages/train.jsonl.xz", documents(PAGES))
write_lines(SHARED / "data/pools/pools.jsonl.xz", pools())
name_sets()
question_sets()
knowledge_base()
wordnet()
