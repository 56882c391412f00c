#!/usr/bin/env python3
"""Part of the gate: what a newcomer searches for is found once. Prints types and constants whose names stand twice in a crate,
files and functions (of Python, too) that are too long to be read at once, constants and functions whose names say nothing where
they are used (a constant is a noun, a number MIN_, MAX_ or DEFAULT_, its noun and its unit; a function does something to
something; of Python constants and classes, as far as a name alone can tell), and files with other decimal numbers than
docs/numbers.md counts there; ends with 1 when there are any. What is only compiled for tests does not count, but for the length of
files.

Constants are those of every type, `static` or `const`, in modules, inner modules and functions. Those that belong to a type (in its
`impl`) are read with its name before them: they need no prefix, and several types may have an ALL. Lists, tables, texts and what else
is no number need no prefix either, nor do the numbers that a word of their name tells apart (`KINDS`): version, magic number, layout
and sizes of a format or a protocol; how much is done at a time; how much of one for each of another; a value, such as a weight, that
bounds nothing.
"""

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

CONSTANT = re.compile(r"^( *)(?:pub(?:\([^)]*\))? )?(?:const|static) ([A-Z]\w*): (.*)")
NUMBER = re.compile(r"(?:[ui](?:8|16|32|64|size)|f32|f64|Duration) =")
# What an indented line at the first level belongs to.
OWNER = re.compile(r"(?:pub(?:\([^)]*\))? )?(?:unsafe )?(?:impl|trait)\b")
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
# Alone they are no thing that can be counted, measured, listed or searched for.
NO_NOUNS = set("""ABOUT AFTER AGAIN AGAINST AHEAD ALONE APART AROUND BEFORE BETWEEN CLOSE CLOSELY COMMON EACH EASY FAINT FEMALE FIRST FRIENDLY
    GENERIC HARMLESS HASTY HERE HIDDEN HOPELESS HOSTILE INSEPARABLE IRREGULAR KEPT LAST LOOK MALE NEVER NONE NOTHING OFTEN OLD
    OTHERS PATIENT POLITE PUT RARE READ SAID SAME SHOWN SILENT SIMILAR SMALL SOMETIMES STRETCH THERE TWICE UNLIKE UNTOLD
    WHOLE WRITTEN""".split())
# They only end like participles; the shared one is a folder.
NOUNS = set("PADDING SHARED SMOOTHING THING TRAINING".split())
# A name of Python that begins with one of them says how something is done, and not what is counted or listed.
PREPOSITIONS = set("AGAINST AT BY FOR FROM IN OF ON WITHOUT".split())
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


def constants(source: str):
    """Name, type with value, line and place of all constants: they stand in a "module", "inside" of a function or of another module, or
    in a "type"."""
    owner = ""
    for number, line in enumerate(source.split("\n"), 1):
        if line[:1] not in ("", " ", "#", "/", "}", ")"):
            owner = line
        if found := CONSTANT.match(line):
            place = "module" if not found[1] else "type" if len(found[1]) == 4 and OWNER.match(owner) else "inside"
            yield found[2], found[3], number, place


def is_no_noun(name: str) -> bool:
    participle = "_" not in name and name.endswith(("ED", "ING")) and len(name) > 4 and name not in NOUNS
    return participle or name in NO_NOUNS


def nameless(source: str, measures: bool):
    """Constants and functions whose names say nothing, with the lines on which they are defined. The numbers of measurements and those
    of a type need not say of what kind they are."""
    for name, rest, number, place in constants(source):
        kindless = not measures and place != "type" and not is_bound_or_kind(name)
        if is_no_noun(name):
            yield number, f"{name} is no name for a constant: a noun that is searched for"
        elif NUMBER.match(rest) and (name.split("_")[0] in SUPERLATIVES or kindless):
            yield number, f"{name} is no name for a number: MIN_, MAX_ or DEFAULT_, noun, unit"
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


def assigned_names(tree: ast.Module):
    """Every name that a value is given to, in a module or a function, with the value where it is one name's own."""
    for node in ast.walk(tree):
        for target in node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []:
            names = target.elts if isinstance(target, ast.Tuple) else [target]
            own = node.value.elts if isinstance(node.value, ast.Tuple) and len(node.value.elts) == len(names) else [node.value] * len(names)
            yield from ((name.id, value, node.lineno) for name, value in zip(names, own) if isinstance(name, ast.Name))


def python_nameless(tree: ast.Module):
    """Constants and classes whose names say nothing. Which numbers are limits, a name does not tell: they only may not be superlatives."""
    for name, value, line in assigned_names(tree):
        if not name.isupper():
            continue
        if is_no_noun(name) or name.split("_")[0] in PREPOSITIONS:
            yield line, f"{name} is no name for a constant: a noun that is searched for"
        elif name.split("_")[0] in SUPERLATIVES and not isinstance(value, (ast.Dict, ast.List, ast.Set, ast.Tuple)):
            yield line, f"{name} is no name for a number: MIN_, MAX_ or DEFAULT_, noun, unit"
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name.upper() in NO_NOUNS:
            yield node.lineno, f"{node.name} is no name for a class: a noun that is searched for"


def python_offences():
    """Files and functions of Python that are too long, and names that say nothing."""
    for path in sorted(path for folder in PYTHON_FOLDERS for path in pathlib.Path(folder).glob("**/*.py")):
        source = path.read_text()
        if (count := source.count("\n")) > MAX_FILE_LINES:
            yield f"{path}: {count} lines, {MAX_FILE_LINES} at most: a folder with named parts"
        tree = ast.parse(source)
        yield from (f"{path}:{line}: {offence}" for line, offence in python_nameless(tree))
        for node in ast.walk(tree):
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
        defined = defaultdict(set)  # in which files a name stands; the alternatives for two platforms may stand in one
        for path in sorted(crate.glob("src/**/*.rs")):
            if path.name.endswith("tests.rs"):
                continue
            source = without_tests(path.read_text())
            if crate.name not in UNLISTED_CRATES and path.name != "testing.rs" and (count := decimals(source)):
                counts[path.relative_to("crates").as_posix()] = count
            for name in TYPE.findall(source):
                defined[name].add(path)
            for name in (name for name, _, _, place in constants(source) if place == "module"):
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
