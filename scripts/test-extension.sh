#!/usr/bin/env bash
# The browser extension's part of the gate: lint, types, units, the engine as WebAssembly beside the native one, and the
# built extension in real browsers. FINDALL_SERVER names the program. Needs Node.js; Chromium, Firefox and a Rust for
# WebAssembly are installed where that is possible.
set -euo pipefail
cd "$(dirname "$0")/../extension"

if ! command -v npm >/dev/null; then
  echo "the extension's tests need Node.js 20.19 or later: https://nodejs.org" >&2
  exit 1
fi
export FINDALL_CHROMIUM="${FINDALL_CHROMIUM:-$(command -v chromium || command -v google-chrome || true)}"
if [ -z "$FINDALL_CHROMIUM" ]; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium; } >/dev/null
    FINDALL_CHROMIUM="$(command -v chromium)"
  else
    echo "the extension's tests need Chromium 130 or later: install it, or set FINDALL_CHROMIUM to its path" >&2
    exit 1
  fi
fi
# Pages are as wide and as high as their letters: without fonts the bar has other places to leave free.
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null && ! dpkg -s fonts-noto-core >/dev/null 2>&1; then
  { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends fonts-noto-core; } >/dev/null
fi
export FINDALL_FIREFOX="${FINDALL_FIREFOX:-$(command -v firefox-esr || command -v firefox || true)}"
if [ -z "$FINDALL_FIREFOX" ]; then
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends firefox-esr; } >/dev/null
    FINDALL_FIREFOX="$(command -v firefox-esr)"
  else
    echo "the extension's tests need Firefox 140 or later: install it, or set FINDALL_FIREFOX to its path" >&2
    exit 1
  fi
fi

# What finds without a server: by letters always, by meaning with a program that cuts its knowledge base. FINDALL_EDGE has
# the tests of that fail rather than be passed over.
if [ -n "${FINDALL_SERVER:-}" ]; then
  ../scripts/build-edge.sh "$FINDALL_SERVER"
  export FINDALL_EDGE=1
else
  ../scripts/build-edge.sh
fi

npm ci --silent
npm test --silent
