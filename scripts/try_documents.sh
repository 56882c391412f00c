#!/usr/bin/env bash
# Compares what findall reads of the documents in a folder with what poppler (PDF) and pandoc (the rest) read: phrases
# that both find, files of which nothing is found and nothing is said, the slowest file and the one that took most memory.
#
#   scripts/try_documents.sh DIR [PHRASES_PER_FILE]
#
# Needs pdftotext, pandoc and python3. FINDALL names the program; else the one under target is used.
set -euo pipefail

folder=${1:?usage: scripts/try_documents.sh DIR [PHRASES_PER_FILE]}
phrases=${2:-5}
root=$(cd "$(dirname "$0")/.." && pwd)
program=${FINDALL:-}
for candidate in "$root/target/release/findall" "$root/target/debug/findall"; do
  [ -n "$program" ] || { [ -x "$candidate" ] && program=$candidate; } || true
done
[ -n "$program" ] || { echo "no findall; build it (cargo build --release --bin findall) or set FINDALL" >&2; exit 2; }
for tool in pdftotext pandoc python3; do
  command -v "$tool" > /dev/null || { echo "$tool is missing; install poppler-utils, pandoc and python3" >&2; exit 2; }
done

exec python3 - "$program" "$folder" "$phrases" << 'PYTHON'
import os, pathlib, re, subprocess, sys, tempfile, time, unicodedata

program, folder, wanted = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
# What pandoc calls the formats that it reads.
PANDOC = {".docx": "docx", ".odt": "odt", ".epub": "epub", ".html": "html", ".htm": "html", ".rtf": "rtf",
          ".ipynb": "ipynb", ".fb2": "fb2", ".tex": "latex", ".md": "markdown", ".csv": "csv", ".tsv": "tsv",
          ".pptx": "pptx", ".xlsx": "xlsx"}
READ = set(PANDOC) | {".pdf", ".ods", ".odp", ".eml", ".mbox", ".mht", ".mhtml", ".srt", ".vtt", ".gz", ".zip", ".txt"}

def reference(path):
    """What another program reads of the file; None when none can."""
    kind = path.suffix.lower()
    if kind == ".pdf":
        command = ["pdftotext", "-q", str(path), "-"]
    elif kind in PANDOC:
        command = ["pandoc", "-f", PANDOC[kind], "-t", "plain", "--wrap=none", str(path)]
    else:
        return None
    try:
        run = subprocess.run(command, capture_output=True, timeout=60)
    except subprocess.TimeoutExpired:
        return None
    return run.stdout.decode("utf-8", "replace") if run.returncode == 0 else None

def is_wide(c):
    return unicodedata.east_asian_width(c) in "WF" and c.isalpha()

def sample(text):
    """Phrases spread over the text: four words of a line, or six letters of a script without spaces."""
    found = []
    for line in text.splitlines():
        wide = re.findall("[" + "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af" + "]{6,}", line)
        found += [(run[:6], False) for run in wide]
        words = [w for w in line.split() if any(c.isalnum() for c in w)]
        for at in range(0, len(words) - 3, 4):
            phrase = " ".join(words[at:at + 4])
            letters = [c for c in phrase if c.isalpha()]
            if len(letters) < 12 or any(is_wide(c) for c in letters) or "\ufffd" in phrase or not phrase.isprintable():
                continue
            found.append((phrase, all("LATIN" in unicodedata.name(c, "") for c in letters)))
    if len(found) <= wanted:
        return found
    return [found[at * len(found) // wanted] for at in range(wanted)]

def find(phrase, path):
    """Exit status, what was complained, seconds, and megabytes."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.monotonic()
        command = [program, "find", "--exact", "-c", "--", phrase, str(path)]
        child = subprocess.Popen(command, stdout=out, stderr=err)
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.monotonic() - start
        err.seek(0)
        return os.waitstatus_to_exitcode(status), err.read().decode("utf-8", "replace"), seconds, usage.ru_maxrss / 1024

totals = {True: [0, 0], False: [0, 0]}
silent, missed, crashed = [], [], []
slowest, largest, files = (0, ""), (0, ""), 0
for path in sorted(p for p in folder.rglob("*") if p.is_file() and p.suffix.lower() in READ):
    files += 1
    text = reference(path)
    phrases = sample(text) if text else []
    found, complaint = 0, ""
    for phrase, latin in phrases or [("a phrase that no document holds", None)]:
        status, complaint, seconds, megabytes = find(phrase, path)
        slowest, largest = max(slowest, (seconds, str(path))), max(largest, (megabytes, str(path)))
        if status not in (0, 1, 2) or "panicked" in complaint:
            crashed.append(f"{path}: status {status}")
        if latin is None:
            continue
        totals[latin][0] += status == 0
        totals[latin][1] += 1
        found += status == 0
        if status != 0:
            missed.append(f"{path}: {phrase!r} {complaint.strip()[:160]}")
    # A PDF in which poppler finds no words either is silent too, unless findall says why.
    nothing = phrases and not found or path.suffix.lower() == ".pdf" and not phrases
    if nothing and not complaint.strip():
        silent.append(str(path))

for line in missed:
    print("missed", line)
for line in silent:
    print("silent", line)
for line in crashed:
    print("crashed", line)
def share(found, of):
    return f"{found} of {of}" + (f" ({100 * found / of:.1f} %)" if of else "")
print(f"files: {files}")
print(f"Latin phrases found: {share(*totals[True])}")
print(f"other phrases found: {share(*totals[False])}")
print(f"silent files: {len(silent)}; crashes: {len(crashed)}")
print(f"slowest: {slowest[0]:.2f} s {slowest[1]}")
print(f"most memory: {largest[0]:.0f} MB {largest[1]}")
sys.exit(1 if silent or crashed else 0)
PYTHON
