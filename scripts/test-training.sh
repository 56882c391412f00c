#!/usr/bin/env bash
# Tests of kb/'s rules, and smoke tests of training/: every script on about twenty made-up rows, on the processor, about a minute in all. Not part of the
# gate as a whole, because what they need is large; where torch is not at hand, it is installed under target/training.
#     scripts/test-training.sh            everything
#     scripts/test-training.sh --light    only what the Python at hand can run: the gate's part
# PYTHON names another interpreter than python3.
set -euo pipefail
cd "$(dirname "$0")/.."
python="${PYTHON:-python3}"
can_import() { "$python" -c "import $1" 2>/dev/null; }

if [ "${1:-}" = --light ]; then
  tests=(test_preparation)
  ! can_import "numpy, scipy" || tests+=(test_fitting)
else
  tests=(test_preparation test_fitting test_models)
  if ! can_import "torch, transformers, onnx, onnxruntime, safetensors, scipy, tokenizers, blake3"; then
    folder="${CARGO_TARGET_DIR:-$PWD/target}/training"
    [ -x "$folder/bin/python" ] || "$python" -m venv "$folder"
    "$folder/bin/python" -m pip install --quiet -r training/requirements.txt
    python="$folder/bin/python"
  fi
fi
"$python" -m unittest discover --quiet kb
cd training/tests
exec "$python" -W error::ResourceWarning -m unittest "${tests[@]}"
