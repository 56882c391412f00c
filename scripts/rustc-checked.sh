#!/usr/bin/env bash
# Cargo calls this in the gate, instead of the compiler, for each crate of ours (RUSTC_WORKSPACE_WRAPPER): compiles it, then
# lints and documents it with the metadata that building its tests needs anyway. `cargo clippy` and `cargo doc` would each
# check all 400 dependencies once more, which takes longer than our own crates.
set -euo pipefail
out="${CARGO_TARGET_DIR:-$(dirname "$0")/../target}"
# What the compiler warns of is said by the lints, as an error.
"$@" --cap-lints allow

compiler=$1 kind="" is_test=""
shift
arguments=()
while [ $# -gt 0 ]; do
  case $1 in
    # Not a crate, but a question what the compiler is and can; or what is run before a crate is compiled.
    -vV | - | build.rs) exit 0 ;;
    --test) is_test=1 arguments+=("$1") ;;
    --crate-type) kind=$2 arguments+=("$1" "$2") && shift ;;
    # Cargo is told of what was compiled, not of what this leaves behind.
    --json=*) arguments+=(--json=diagnostic-rendered-ansi) ;;
    --out-dir) shift ;;
    --emit=*) ;;
    *) arguments+=("$1") ;;
  esac
  shift
done
clippy-driver "$compiler" "${arguments[@]}" -D warnings --emit=metadata --out-dir "$out/lints"
[ -z "$is_test" ] || exit 0
# What is in a program is private, and read by who works on it.
[ "$kind" != bin ] || arguments+=(--document-private-items)
rustdoc "${arguments[@]}" -D warnings --out-dir "$out/doc/${CARGO_PKG_NAME:-}"
