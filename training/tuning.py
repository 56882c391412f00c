"""Fitted numbers go into models/tuning.json, by the names of their features; the program has them built in. What a script must
know of the engine, under which its numbers are fitted, it reads in the engine's source.

    from tuning import constant, named, put
    put(["linker", "rank"], named(names, weights))
"""

import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILE = ROOT / "models" / "tuning.json"


def constant(path, name):
    """A number that is defined in a file under crates/."""
    source = (ROOT / "crates" / path).read_text(encoding="utf-8")
    found = re.search(rf"^ *(?:pub(?:\([^)]*\))? )?const {name}: \w+ = (-?[\d_.]+);", source, re.M)
    if not found:
        raise LookupError(f"{path} has no constant {name}")
    value = found[1].replace("_", "")
    return float(value) if "." in value else int(value)


def named(names, weights, digits=3):
    """Weights by the names of their features; what weighs nothing is left out."""
    rounded = {name: round(float(weight), digits) for name, weight in zip(names, weights)}
    return {name: weight for name, weight in rounded.items() if weight != 0.0}


def put(place, value, file=FILE):
    """Replaces one part of the file; a part that is not there yet is a mistake."""
    tuning = json.loads(file.read_text(encoding="utf-8"))
    part = tuning
    for name in place[:-1]:
        part = part[name]
    if place[-1] not in part:
        raise KeyError(f"{'.'.join(place)} is not in {file.name}")
    part[place[-1]] = value
    file.write_text(json.dumps(tuning, indent=2) + "\n", encoding="utf-8")
