#!/usr/bin/env bash
# The one gate, for people and CI alike: format, lints, tests, documentation, licences.
# Works in a fresh clone; what is missing is installed (tools built from crates.io are kept under target/tools).
set -euo pipefail
cd "$(dirname "$0")/.."

name="" begun=$SECONDS
step() {
  [ -z "$name" ] || printf -- '-- %s: %d s\n' "$name" $((SECONDS - begun))
  name=$1 begun=$SECONDS
  printf '\n== %s\n' "$name"
}

command -v cargo >/dev/null || { echo "cargo is not here; install Rust from https://rustup.rs" >&2; exit 1; }
export CARGO_TERM_PROGRESS_WHEN=never CARGO_INCREMENTAL=0
tools="${CARGO_TARGET_DIR:-$PWD/target}/tools"
export PATH="$tools/bin:$PATH"

# Browsers and packages of the extension's tests come over the network while the compiler works; what fails there fails the
# gate when they are wanted.
installed="$(mktemp)"
scripts/test-extension.sh --install >"$installed" 2>&1 &
installing=$!
trap 'wait "$installing" || true; rm -f "$installed"' EXIT

step "tools"
for component in rustfmt clippy; do
  cargo "${component/rustfmt/fmt}" --version >/dev/null 2>&1 || rustup component add "$component"
done
# Pinned, so that a gate that passed yesterday passes today. Built without optimisation: it runs for a second.
deny=0.20.2
if [ "$(cargo deny --version 2>/dev/null)" != "cargo-deny $deny" ]; then
  CARGO_PROFILE_DEV_DEBUG=0 CARGO_TARGET_DIR="$tools/build" \
    cargo install --quiet --locked --debug --no-default-features --root "$tools" "cargo-deny@$deny"
  rm -rf "$tools/build"
fi

step "format"
cargo fmt --all --check
python3 scripts/check_names.py

# One build for everything: each crate of ours is linted and documented when it is compiled for its tests. The programs are
# built with them: the tests of the command line and of the extension run the real one.
checked() { RUSTC_WORKSPACE_WRAPPER="$PWD/scripts/rustc-checked.sh" "$@"; }
step "lints, documentation, building tests"
checked cargo test --quiet --workspace --locked --no-run

step "lints of what a person builds first"
cargo clippy --quiet --package findall-cli --no-default-features --locked -- -D warnings

step "tests"
if cargo nextest --version >/dev/null 2>&1; then
  checked cargo nextest run --workspace --locked --no-fail-fast --status-level fail
  checked cargo test --quiet --workspace --locked --doc
else
  checked cargo test --quiet --workspace --locked --no-fail-fast
fi

step "licences, bans, sources"
cargo deny --log-level error check licenses bans sources
# Known holes too, where their list is at hand; it is not fetched here.
if compgen -G "${CARGO_HOME:-$HOME/.cargo}/advisory-dbs/advisory-db-*/.git" >/dev/null; then
  cargo deny --offline --log-level error check advisories
fi
python3 scripts/notices.py --check

step "training, what needs no more than this Python"
scripts/test-training.sh --light

step "extension"
wait "$installing" || { cat "$installed" >&2; exit 1; }
FINDALL_SERVER="${CARGO_TARGET_DIR:-$PWD/target}/debug/findall" scripts/test-extension.sh

step "all passed in $SECONDS s"
