#!/bin/sh
# Builds all targets into one program that needs nothing but the C library, and prints its path. More arguments go to cargo.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
target=x86_64-unknown-linux-gnu
export RUSTC_WRAPPER="$here/rustc-wrapper.sh" CXXSTDLIB=static=stdc++
RUSTFLAGS="-Lnative=$(dirname "$(c++ -print-file-name=libstdc++.a)")"
RUSTFLAGS="$RUSTFLAGS -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4"
RUSTFLAGS="$RUSTFLAGS -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table"
RUSTFLAGS="$RUSTFLAGS -Cllvm-args=-sanitizer-coverage-trace-compares"
export RUSTFLAGS
cd "$here"
cargo build --release --target "$target" "$@" >&2
echo "${CARGO_TARGET_DIR:-$here/target}/$target/release/findall-fuzz"
