#!/usr/bin/env python3
"""Part of the gate: what a newcomer searches for is found once. Prints type names that stand twice in a crate and functions
that are too long to be read at once; ends with 1 when there are any. What is only compiled for tests does not count."""

import pathlib
import re
import sys
from collections import defaultdict

MAX_FUNCTION_LINES = 80
TYPE = re.compile(r"^(?:pub(?:\([^)]*\))? )?(?:struct|enum|trait|type) (\w+)", re.M)
FUNCTION = re.compile(r"^( *)(?:pub(?:\([^)]*\))? )?(?:const |async |unsafe )*fn (\w+)")


def without_tests(source: str) -> str:
    cut = source.find("#[cfg(test)]\nmod tests {")
    return source if cut < 0 else source[:cut]


def long_functions(lines: list[str]):
    for at, line in enumerate(lines):
        if not (begins := FUNCTION.match(line)):
            continue
        close = begins[1] + "}"
        end = next((n for n in range(at, len(lines)) if lines[n] == close or lines[n].endswith("{}")), at)
        if end - at + 1 > MAX_FUNCTION_LINES:
            yield begins[2], at + 1, end - at + 1


def main() -> int:
    offences = []
    for crate in sorted(pathlib.Path("crates").iterdir()):
        defined = defaultdict(set)
        for path in sorted(crate.glob("src/**/*.rs")):
            if path.name == "tests.rs":
                continue
            source = without_tests(path.read_text())
            for name in TYPE.findall(source):
                defined[name].add(path)
            for name, line, count in long_functions(source.split("\n")):
                offences.append(f"{path}:{line}: {name} has {count} lines, {MAX_FUNCTION_LINES} at most")
        for name, paths in sorted(defined.items()):
            if len(paths) > 1:
                offences.append(f"{name} is defined in {', '.join(map(str, sorted(paths)))}")
    for offence in offences:
        print(offence)
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main())
