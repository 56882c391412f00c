#!/usr/bin/env bash
# Builds what runs inside the browser as WebAssembly, into target/edge; `npm run build` packs it into the extension.
#
#   scripts/build-edge.sh              what finds by letters
#   scripts/build-edge.sh FINDALL      and what finds by meaning: the engine, and a small knowledge base that the program
#                                      FINDALL cuts from the one that ships
#
# Any Rust toolchain with the target wasm32-unknown-unknown will do (rustup target add wasm32-unknown-unknown). Without
# one, Debian's rustc-web with its sources builds the standard library, too.
set -euo pipefail
cd "$(dirname "$0")/.."
findall="${1:+$(realpath "$1")}"
target="${CARGO_TARGET_DIR:-$PWD/target}"
out="$target/edge"
triple=wasm32-unknown-unknown
# Things in the small base: the best known ones, some seven megabytes.
things=60000

mkdir -p "$out"
export CARGO_TARGET_DIR="$out/build" CARGO_TERM_PROGRESS_WHEN=never CARGO_INCREMENTAL=0
export RUSTFLAGS="-Ctarget-feature=+simd128"
build=(build --quiet --locked --profile edge --target "$triple" --package findall-wasm-lexical)
if [ -n "$findall" ]; then
  # A copy of rten-gemm with a faster kernel for WebAssembly stands in for the one of the registry.
  patch="$PWD/crates/findall-wasm/rten-gemm.patch"
  manifest="$(cargo metadata --quiet --locked --format-version 1 --filter-platform "$triple" | grep -o '"manifest_path":"[^"]*/rten-gemm-[^"/]*/Cargo.toml"' | cut -d'"' -f4)"
  version="$(basename "$(dirname "$manifest")")"
  if [ ! "$out/$version/patched" -nt "$patch" ]; then
    rm -rf "$out"/rten-gemm-*
    cp -R "$(dirname "$manifest")" "$out/$version"
    # Outside of any repository, for git: what it patches is ignored by ours.
    (cd "$out/$version" && GIT_CEILING_DIRECTORIES="$out" git apply --unidiff-zero "$patch")
    touch "$out/$version/patched"
  fi
  build+=(--package findall-wasm --config "paths=['$out/$version']")
fi
if [ -d "$(rustc --print sysroot)/lib/rustlib/$triple/lib" ]; then
  cargo "${build[@]}"
else
  if [ ! -d /usr/lib/rustlib/src/rust/library ] || [ ! -x /usr/bin/cargo ] || ! command -v wasm-ld >/dev/null; then
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
      echo "no Rust for $triple: rustup target add $triple, or apt install rustc-web rust-web-src cargo-web lld" >&2
      exit 1
    fi
    { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
      rustc-web rust-web-src cargo-web lld; } >/dev/null
  fi
  # Without what reads debug information for a backtrace, which there is none of in a browser.
  RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld \
    /usr/bin/cargo "${build[@]}" -Zbuild-std=std,panic_abort -Zbuild-std-features=
fi
cp "$out/build/$triple/edge/findall_wasm_lexical.wasm" "$out/lexical.wasm"
[ -n "$findall" ] || exit 0
cp "$out/build/$triple/edge/findall_wasm.wasm" "$out/engine.wasm"

if [ ! "$out/edge.kb" -nt kb/default.kb ] || [ ! "$out/edge.kb" -nt "$0" ]; then
  "$findall" kb merge kb/default.kb -m "$things" --out "$out/edge.kb.new" >/dev/null
  mv "$out/edge.kb.new" "$out/edge.kb"
fi
