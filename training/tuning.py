"""Fitted numbers go into models/tuning.json, by the names of their features; the program has them built in.

    from tuning import named, put
    put(["linker", "rank"], named(names, weights))
"""

import json
import pathlib

FILE = pathlib.Path(__file__).resolve().parent.parent / "models" / "tuning.json"


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
