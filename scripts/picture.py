#!/usr/bin/env python3
"""Draws the README's picture: runs the real program and turns what it prints, colours and all, into an SVG.

Usage: scripts/picture.py [PROGRAM]    (default: target/release/findall), writes docs/find.svg
"""

import os
import re
import shlex
import subprocess
import sys
import unicodedata
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMANDS = [
    'findall "social networks of China" examples/chinese-tech.html',
    'findall --explain --top 3 "Chinese companies" examples/chinese-tech.html',
    'findall --exact lamproom examples/the-lamp.txt',
    'findall --fuzzy ambasador examples/reading-notes.md',
]
COLUMNS, LINE, CHAR, LEFT, TOP = 96, 19, 8.05, 18, 52
COLORS = {31: "#ff7b72", 32: "#7ee787", 33: "#e3b341", 34: "#79c0ff", 35: "#d2a8ff", 36: "#56d4dd"}
SGR = re.compile(r"\x1b\[([\d;]*)m")


def run(command: str, program: Path) -> str:
    """What the command prints on a terminal, the shell's own parts included."""
    shell = command.replace("findall ", f"{shlex.quote(str(program))} -p ")
    environment = {**os.environ, "FINDALL_CACHE": "false"}
    done = subprocess.run(["sh", "-c", shell], cwd=ROOT, capture_output=True, text=True, env=environment)
    return done.stdout + done.stderr


def cells(text: str):
    """One (character, style) pair a character."""
    style = {"color": None, "bold": False, "dim": False}
    position = 0
    for code in SGR.finditer(text):
        yield from ((c, dict(style)) for c in text[position : code.start()])
        for number in map(int, filter(None, code[1].split(";") or ["0"])) if code[1] else [0]:
            if number == 0:
                style = {"color": None, "bold": False, "dim": False}
            elif number == 1:
                style["bold"] = True
            elif number == 2:
                style["dim"] = True
            elif number in COLORS:
                style["color"] = COLORS[number]
        position = code.end()
    yield from ((c, dict(style)) for c in text[position:])


def rows(text: str):
    """Lines as a terminal of COLUMNS wraps them."""
    row = []
    for char, style in cells(text):
        if char == "\n":
            yield row
            row = []
            continue
        if unicodedata.category(char) == "Cf":
            continue
        for char in "    " if char == "\t" else char:
            if len(row) == COLUMNS:
                yield row
                row = []
            row.append((char, style))
    if row:
        yield row


def spans(row) -> str:
    """One <tspan> a run of the same style."""
    out, i = [], 0
    while i < len(row):
        j = i
        while j < len(row) and row[j][1] == row[i][1]:
            j += 1
        text, style = "".join(c for c, _ in row[i:j]), row[i][1]
        fill = style["color"] or ("#8b949e" if style["dim"] else "#e6edf3")
        weight = ' font-weight="bold"' if style["bold"] else ""
        out.append(f'<tspan x="{LEFT + i * CHAR:.1f}" fill="{fill}"{weight}>{escape(text)}</tspan>')
        i = j
    return "".join(out)


def main() -> None:
    program = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "target/release/findall").resolve()
    lines = []
    for command in COMMANDS:
        prompt = f"\x1b[32m$\x1b[0m \x1b[1m{command}\x1b[0m\n"
        lines += list(rows(prompt + run(command, program))) + [[]]
    lines.pop()
    height, width = TOP + len(lines) * LINE + 14, LEFT * 2 + COLUMNS * CHAR
    body = "\n".join(
        f'<text y="{TOP + number * LINE}" xml:space="preserve">{spans(row)}</text>'
        for number, row in enumerate(lines)
        if row
    )
    dots = "".join(f'<circle cx="{22 + 18 * n}" cy="20" r="5.5" fill="{c}"/>' for n, c in enumerate(["#ff5f56", "#ffbd2e", "#27c93f"]))
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" '
        f'font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,monospace" font-size="13.4">\n'
        f"<title>findall in a terminal</title>\n"
        f'<rect width="100%" height="100%" rx="9" fill="#0d1117"/>\n{dots}\n{body}\n</svg>\n'
    )
    target = ROOT / "docs/find.svg"
    target.parent.mkdir(exist_ok=True)
    target.write_text(svg, encoding="utf-8")
    print(f"{target.relative_to(ROOT)}: {len(lines)} lines")


if __name__ == "__main__":
    main()
