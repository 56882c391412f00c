#!/usr/bin/env bash
# Throws made-up requests at a real `findall serve`, from its own /openapi.json: schemathesis from PyPI, in a virtual
# environment under target/. Any 5xx, undocumented status or answer that breaks its schema fails.
#   scripts/fuzz_server.sh [SECONDS, 120 by default]
set -euo pipefail
cd "$(dirname "$0")/.."

seconds="${1:-120}"
target="${CARGO_TARGET_DIR:-$PWD/target}"
venv="$target/fuzz-venv"
if [ ! -x "$venv/bin/schemathesis" ]; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet 'schemathesis>=4,<5'
fi
cargo build --quiet --bin findall

state="$(mktemp -d)"
XDG_CACHE_HOME="$state/cache" XDG_DATA_HOME="$state/data" \
  "$target/debug/findall" serve --port 0 --timeout 20 --state "$state/state" >"$state/said" &
server=$!
trap 'kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; rm -rf "$state"' EXIT
for _ in $(seq 600); do grep -q '^pairing code' "$state/said" && break; sleep 0.1; done
base="$(sed -n 's/^findall listens on //p' "$state/said")"
code="$(sed -n 's/^pairing code: \([^ ]*\).*/\1/p' "$state/said")"
for _ in $(seq 600); do curl -sf "$base/ready" >/dev/null && break; sleep 0.1; done
token="$(curl -sf "$base/v1/pair" -H 'Content-Type: application/json' -d "{\"code\":\"$code\"}" | sed 's/.*"token":"\([^"]*\)".*/\1/')"

status=0
# A body that its schema allows may still be refused: JSON Schema calls 24.0 an integer, and cannot say "one of these".
"$venv/bin/schemathesis" run "$base/openapi.json" \
  -H "Authorization: Bearer $token" \
  --phases examples,coverage,fuzzing --mode all --max-examples 2000 --max-time "$seconds" \
  --exclude-checks positive_data_acceptance,unsupported_method,missing_required_header,ignored_auth \
  --request-timeout 30 --workers 2 || status=$?
kill -0 "$server" 2>/dev/null || { echo "the server died"; status=1; }
exit "$status"
