#!/usr/bin/env bash
# Times findall by meaning on what used to be slow: a long list of short lines that nobody has prepared, and a folder of
# mixed files that is indexed, killed in the middle, and indexed again.
#
#   scripts/time_documents.sh [list|index|all] [WORK_FOLDER]
#
# FINDALL names the program; else the one under target is used. Needs python3 and nothing else: every file is made here,
# from the same seed each time. The work folder is kept if it was named. Seconds on the clock and seconds of
# processor time are both told; on a busy machine only the second says something about findall.
set -euo pipefail

what=${1:-all}
root=$(cd "$(dirname "$0")/.." && pwd)
program=${FINDALL:-}
for candidate in "$root/target/release/findall" "$root/target/debug/findall"; do
  [ -n "$program" ] || { [ -x "$candidate" ] && program=$candidate; } || true
done
[ -n "$program" ] || { echo "no findall; build it (cargo build --release --bin findall) or set FINDALL" >&2; exit 2; }
if [ -n "${2:-}" ]; then
  work=$2
  mkdir -p "$work"
else
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
fi

python3 "$root/scripts/time_documents.py" "$program" "$what" "$work"
