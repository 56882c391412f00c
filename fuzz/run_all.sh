#!/bin/bash
# Runs every target side by side for some seconds, each again after a finding; leaves a summary and what was found.
#
#   fuzz/run_all.sh SECONDS OUTDIR [PROGRAM]
set -u
seconds=${1:?usage: fuzz/run_all.sh SECONDS OUTDIR [PROGRAM]}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "${2:?usage: fuzz/run_all.sh SECONDS OUTDIR [PROGRAM]}" && out=$(cd "$2" && pwd)
program=${3:-$("$here/build.sh")} || exit 2
# More findings than this say nothing new.
most=25
end=$(($(date +%s) + seconds))
targets=$(cd "$out" && FINDALL_FUZZ_TARGET= "$program" -runs=1 -artifact_prefix=/dev/null 2>&1 | sed -n 's/^FINDALL_FUZZ_TARGET is one of: //p')

fuzz_one() {
    mkdir -p "$out/corpus/$1" "$out/found/$1"
    for _ in $(seq "$most"); do
        left=$((end - $(date +%s)))
        [ "$left" -gt 2 ] || break
        FINDALL_FUZZ_TARGET=$1 nice -n 10 "$program" "$out/corpus/$1" "$here/seeds/$1" -max_total_time="$left" -timeout=20 \
            -rss_limit_mb=4096 -max_len=16384 -artifact_prefix="$out/found/$1/" -print_final_stats=1 >> "$out/$1.log" 2>&1 && break
    done
}

for target in $targets; do fuzz_one "$target" & done
wait
for target in $targets; do
    executions=$(awk '/stat::number_of_executed_units/ {sum += $2} END {print sum + 0}' "$out/$target.log")
    coverage=$(grep -aoE 'cov: [0-9]+ ft: [0-9]+' "$out/$target.log" | tail -1)
    echo "$target executions: $executions $coverage findings: $(ls "$out/found/$target" | wc -l)"
done | tee "$out/summary.txt"
