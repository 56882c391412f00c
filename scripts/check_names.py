#!/usr/bin/env python3
"""Part of the gate: what a newcomer searches for is found once. Prints type names that stand twice in a crate, files and
functions (of Python, too) that are too long to be read at once, numbers and functions whose names say nothing where they are
used (a number is called MIN_, MAX_ or DEFAULT_, its noun and its unit; a function does something to something), and files
with other decimal numbers than docs/numbers.md counts there; ends with 1 when there are any. What is only compiled for tests
does not count, but for the length of files."""

import ast
import pathlib
import re
import sys
from collections import defaultdict

MAX_FILE_LINES = 500
MAX_FUNCTION_LINES = 80
PYTHON_FOLDERS = ["eval", "kb", "scripts", "training"]
TYPE = re.compile(r"^(?:pub(?:\([^)]*\))? )?(?:struct|enum|trait|type) (\w+)", re.M)
FUNCTION = re.compile(r"^( *)(?:pub(?:\([^)]*\))? )?(?:const |async |unsafe )*fn (\w+)")

CONSTANT = re.compile(r"^ *(?:pub(?:\([^)]*\))? )?const (\w+): (?:[ui](?:8|16|32|64|size)|f32|f64|Duration) =", re.M)
# MIN_, MAX_ and DEFAULT_ say it, and are searched for.
SUPERLATIVES = set("DEEPEST FEWEST LARGEST LEAST LIKELIEST LONGEST MOST MOSTLY OFTEN SHORTEST SURE USUAL".split())
# A number without MIN_, MAX_ or DEFAULT_ has one of these words in its name: it is no limit and no default, but
KINDS = {
    "what a format or a protocol defines": "APPLICATION BITS CHECKSUM CODE ENTRY EPOCH FLAGS FORMAT HEAD HEADER LAYOUT LETTER LEVEL LOCK MAGIC "
    "PACKED PORT SIZE STATUS STORED SUM VERSION WIDTH",
    "how much is done at a time, which no result depends on": "BATCH BATCHES BLOCK CHECKPOINT CHECKS CHUNK COMMIT LANES PART PARTS PIECE RUN "
    "SEGMENT SHARD STACK STEP STRIDE",
    "how much of one for each of another": "A AN EACH PER",
    "a value, not a bound of values": "CONFIDENCE DIMENSIONS FACTOR INTERVAL LIFETIME MS OFFSET ODDS POPULARITY PRIOR ROUNDS SHARE TIME WEIGHT",
    "another name of a unit": "MB MIB",
}
KIND_WORDS = {word for words in KINDS.values() for word in words.split()}
# Alone they are no thing that can be counted or measured.
NO_NOUNS = set("""ABOUT AFTER AGAIN AHEAD AROUND BEFORE BETWEEN EACH FAINT FIRST HOPELESS KEPT LOOK OTHERS RARE READ SAME SHOWN
    SIMILAR SMALL STRETCH TWICE UNTOLD WHOLE""".split())
NO_VERBS = set("deed describes heard knee mostly participle ragged told unless unlinked unread wrong".split())

NUMBERS_PAGE = pathlib.Path("docs/numbers.md")
# With a point or an exponent; a point before it belongs to a field's name, two to a range.
DECIMAL = re.compile(r"(?<![\w\"])(?<!(?<!\.)\.)\d[\d_]*(?:\.\d+(?:e[+-]?\d+)?|e[+-]?\d+)(?:_?f(?:32|64))?(?!\w|\.\d)", re.I)
# Nothing, all, and what only changes a unit: a percentage, a thousandth, a byte with its sign, a million.
UNITS = {"0.0", "1.0", "100.0", "127.0", "1000.0", "1e6", "1e9"}
# Measures and makes up documents for tests; nothing that it says is used by a person.
UNLISTED_CRATES = {"findall-eval"}


def is_bound_or_kind(name: str) -> bool:
    return name.startswith(("MIN_", "MAX_", "DEFAULT_")) or not KIND_WORDS.isdisjoint(name.split("_"))


def nameless(source: str, measures: bool):
    """Numbers and functions whose names say nothing, with the lines on which they are defined. Those of measurements, and those that
    stand in a function or an inner module, which says the rest, need not say what kind of number they are."""
    for found in CONSTANT.finditer(source):
        name = found[1]
        participle = "_" not in name and name.endswith(("ED", "ING")) and len(name) > 4
        kindless = not measures and found[0][0] != " " and not is_bound_or_kind(name)
        if name.split("_")[0] in SUPERLATIVES or name in NO_NOUNS or participle or kindless:
            yield source.count("\n", 0, found.start(1)) + 1, f"{name} is no name for a number: MIN_, MAX_ or DEFAULT_, noun, unit"
    for number, line in enumerate(source.split("\n"), 1):
        if (begins := FUNCTION.match(line)) and begins[2] in NO_VERBS:
            yield number, f"{begins[2]} is no name for a function: verb, object"


def without_tests(source: str) -> str:
    cut = source.find("#[cfg(test)]\nmod tests {")
    return source if cut < 0 else source[:cut]


def long_functions(lines: list[str]):
    for at, line in enumerate(lines):
        if not (begins := FUNCTION.match(line)):
            continue
        # The signature may take several lines; an empty body stands on its last, as does the semicolon of a trait's function.
        opens = next((n for n in range(at, len(lines)) if lines[n].endswith(("{", "}", ";"))), at)
        if not lines[opens].endswith("{"):
            continue
        close = begins[1] + "}"
        end = next((n for n in range(opens, len(lines)) if lines[n] == close), at)
        if end - at + 1 > MAX_FUNCTION_LINES:
            yield begins[2], at + 1, end - at + 1


def python_offences():
    """Files and functions of Python that are too long."""
    for path in sorted(path for folder in PYTHON_FOLDERS for path in pathlib.Path(folder).glob("**/*.py")):
        source = path.read_text()
        if (count := source.count("\n")) > MAX_FILE_LINES:
            yield f"{path}: {count} lines, {MAX_FILE_LINES} at most: a folder with named parts"
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                count = node.end_lineno - node.lineno + 1
                if count > MAX_FUNCTION_LINES:
                    yield f"{path}:{node.lineno}: {node.name} has {count} lines, {MAX_FUNCTION_LINES} at most"


def decimals(source: str) -> int:
    """How many decimal numbers stand in this code that may decide something."""
    code = (re.sub(r'"[^"]*"', '""', line).split("//")[0] for line in source.split("\n"))
    return sum(found.split("f")[0].rstrip("_") not in UNITS for line in code for found in DECIMAL.findall(line))


def number_offences(counts: dict[str, int]):
    """Decimal numbers of files against the first column of the page that lists them; a path there is a file or a folder."""
    rows = (line.split("|")[1] for line in NUMBERS_PAGE.read_text().split("\n") if line.startswith("| `"))
    listed = {path: int(count) for row in rows for path, count in re.findall(r"`([^`]+)` (\d+)", row)}
    covers = lambda place, path: path == place or place.endswith("/") and path.startswith(place)
    for path in sorted(counts):
        if not any(covers(place, path) for place in listed):
            yield f"crates/{path}: has decimal numbers; put them into models/tuning.json, or say in {NUMBERS_PAGE} why not"
    for place, count in listed.items():
        own = sum(counts[path] for path in counts if covers(place, path))
        if own != count:
            yield f"crates/{place}: has {own} decimal numbers, {NUMBERS_PAGE} says {count}: new ones go into models/tuning.json"


def main() -> int:
    offences = []
    counts = {}
    for crate in sorted(pathlib.Path("crates").iterdir()):
        defined = defaultdict(set)
        for path in sorted(crate.glob("src/**/*.rs")):
            if path.name.endswith("tests.rs"):
                continue
            source = without_tests(path.read_text())
            if crate.name not in UNLISTED_CRATES and path.name != "testing.rs" and (count := decimals(source)):
                counts[path.relative_to("crates").as_posix()] = count
            for name in TYPE.findall(source):
                defined[name].add(path)
            offences += [f"{path}:{line}: {offence}" for line, offence in nameless(source, crate.name in UNLISTED_CRATES or path.name == "testing.rs")]
            for name, line, count in long_functions(source.split("\n")):
                offences.append(f"{path}:{line}: {name} has {count} lines, {MAX_FUNCTION_LINES} at most")
        for name, paths in sorted(defined.items()):
            if len(paths) > 1:
                offences.append(f"{name} is defined in {', '.join(map(str, sorted(paths)))}")
        for path in sorted(crate.glob("**/*.rs")):
            if (count := path.read_text().count("\n")) > MAX_FILE_LINES:
                offences.append(f"{path}: {count} lines, {MAX_FILE_LINES} at most: a folder with named parts")
    offences += python_offences()
    offences += number_offences(counts)
    for offence in offences:
        print(offence)
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
