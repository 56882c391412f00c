#!/usr/bin/env bash
# The browser extension's part of the gate: lint, types, units, the engine as WebAssembly beside the native one, and the
# built extension in real browsers. FINDALL_SERVER names the program. Needs Node.js; Chromium, Firefox and a Rust for
# WebAssembly are installed where that is possible.
#     scripts/test-extension.sh             everything
#     scripts/test-extension.sh --install   only what has to come over the network
set -euo pipefail
cd "$(dirname "$0")/../extension"

if ! command -v npm >/dev/null; then
  echo "the extension's tests need Node.js 20.19 or later: https://nodejs.org" >&2
  exit 1
fi
# Pages are as wide and as high as their letters: without fonts the bar has other places to leave free.
has() { command -v "$1" >/dev/null; }
packages=()
[ -n "${FINDALL_CHROMIUM:-}" ] || has chromium || has google-chrome || packages+=(chromium)
[ -n "${FINDALL_FIREFOX:-}" ] || has firefox-esr || has firefox || packages+=(firefox-esr)
can_install=""
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  can_install=1
  dpkg -s fonts-noto-core >/dev/null 2>&1 || packages+=(fonts-noto-core)
  # The Rust for WebAssembly of scripts/build-edge.sh, where there is no other.
  if [ ! -d "$(rustc --print sysroot)/lib/rustlib/wasm32-unknown-unknown/lib" ]; then
    for package in rustc-web rust-web-src cargo-web lld; do
      dpkg -s "$package" >/dev/null 2>&1 || packages+=("$package")
    done
  fi
fi
if [ ${#packages[@]} -gt 0 ]; then
  if [ -z "$can_install" ]; then
    echo "the extension's tests need Chromium 130 and Firefox 140 or later: install them, or set FINDALL_CHROMIUM and" \
      "FINDALL_FIREFOX to their paths; not found: ${packages[*]}" >&2
    exit 1
  fi
  { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${packages[@]}"; } >/dev/null
fi
# What was installed is written down, so that it is not installed again when everything is run.
if ! cmp --silent package-lock.json node_modules/.asked.json; then
  npm ci --silent
  cp package-lock.json node_modules/.asked.json
fi
[ "${1:-}" != --install ] || exit 0

export FINDALL_CHROMIUM="${FINDALL_CHROMIUM:-$(command -v chromium || command -v google-chrome)}"
export FINDALL_FIREFOX="${FINDALL_FIREFOX:-$(command -v firefox-esr || command -v firefox)}"

# What finds without a server: by letters always, by meaning with a program that cuts its knowledge base. FINDALL_EDGE has
# the tests of that fail rather than be passed over.
if [ -n "${FINDALL_SERVER:-}" ]; then
  ../scripts/build-edge.sh "$FINDALL_SERVER"
  export FINDALL_EDGE=1
else
  ../scripts/build-edge.sh
fi

npm test --silent
