#!/usr/bin/env bash
# Cargo calls this in the gate, instead of the compiler, for each crate of ours (RUSTC_WORKSPACE_WRAPPER): a crate is linted
# and documented with the metadata that building its tests needs anyway. `cargo clippy` and `cargo doc` would each check all
# 400 dependencies once more, which takes longer than our own crates.
set -euo pipefail
clippy-driver "$@" -D warnings

# Libraries and programs are documented, tests are not; the compiler is also asked what it is.
doc="${CARGO_TARGET_DIR:-$(dirname "$0")/../target}/doc"
document=(--out-dir "$doc/${CARGO_PKG_NAME:-}") kind=""
shift
while [ $# -gt 0 ]; do
  case $1 in
    --test | -vV | - | build.rs) exit 0 ;;
    --emit=* | --diagnostic-width=*) ;;
    --out-dir) shift ;;
    --crate-type) kind=$2 document+=("$1" "$2") && shift ;;
    *) document+=("$1") ;;
  esac
  shift
done
# What is in a program is private, and read by who works on it.
[ "$kind" != bin ] || document+=(--document-private-items)
exec rustdoc "${document[@]}" -D warnings
