#!/bin/sh
# Indexes documents on a real Spark standalone cluster (one master, two workers), kills a worker in the middle, and checks
# that every document is in the library exactly once; then loads everything a second time, which must change nothing.
#
#   scripts/test-spark.sh [DOCUMENTS]     default 400
#
# Needs Java 17 (Debian: openjdk-17-jre-headless) and python3 with venv; pyspark comes from PyPI into target/spark, unless
# PYSPARK_PYTHON names a Python that has it. Takes a few minutes, so it is no part of scripts/test.sh.
set -eu
cd "$(dirname "$0")/.."
count=${1:-400}
findall=${FINDALL:-target/debug/findall}
[ -x "$findall" ] || { echo "test-spark: $findall is not there; cargo build -p findall -p findall-cli" >&2; exit 2; }
findall=$(realpath "$findall")
command -v java > /dev/null || { echo "test-spark: no java; install openjdk-17-jre-headless" >&2; exit 2; }
if [ -z "${PYSPARK_PYTHON:-}" ]; then
    [ -x target/spark/bin/python ] || python3 -m venv target/spark
    target/spark/bin/python -c 'import pyspark' 2> /dev/null || target/spark/bin/pip install --quiet 'pyspark==3.5.3'
    PYSPARK_PYTHON=$(pwd)/target/spark/bin/python
fi
export PYSPARK_PYTHON
SPARK_HOME=$("$PYSPARK_PYTHON" -c 'import os, pyspark; print(os.path.dirname(pyspark.__file__))')
export SPARK_HOME SPARK_LOCAL_IP=127.0.0.1 RTEN_NUM_THREADS=1
work=$(mktemp -d)
started=
finish() {
    # shellcheck disable=SC2086
    [ -z "$started" ] || kill $started 2> /dev/null || true
    rm -rf "$work"
}
trap finish EXIT

"$PYSPARK_PYTHON" - "$count" > "$work/documents.jsonl" << 'PYTHON'
import json, sys
towns = "Lisbon Oslo Vienna Krakow Turin Ghent Porto Malmo Graz Lyon".split()
trades = "baker teacher sailor printer joiner painter weaver pilot".split()
for n in range(int(sys.argv[1])):
    text = " ".join(
        f"Person {n}-{k} worked as a {trades[(n + k) % 8]} in {towns[(n * 3 + k) % 10]} for {k + 2} years." for k in range(12)
    )
    print(json.dumps({"id": f"doc-{n:06}", "text": text}))
PYTHON

# Nothing of the cluster listens beyond this machine.
class="$SPARK_HOME/bin/spark-class"
"$class" org.apache.spark.deploy.master.Master --host 127.0.0.1 --port 17077 --webui-port 18080 > "$work/master.log" 2>&1 &
started="$started $!"
sleep 5
for n in 1 2; do
    "$class" org.apache.spark.deploy.worker.Worker spark://127.0.0.1:17077 --host 127.0.0.1 --cores 1 --memory 1g \
        --webui-port $((18080 + n)) --work-dir "$work/worker$n" > "$work/worker$n.log" 2>&1 &
    eval "worker$n=$!"
    started="$started $!"
done
sleep 5

"$SPARK_HOME/bin/spark-submit" --master spark://127.0.0.1:17077 --executor-memory 512m \
    --conf spark.task.maxFailures=8 examples/spark/index_job.py "$work/documents.jsonl" "$work/records" \
    --findall "$findall" --partitions 8 > "$work/job.log" 2>&1 &
job=$!
started="$started $job"
# In the middle: some partitions are done, others are not.
while [ "$(find "$work/records" -path '*_temporary*' -name 'part-*' 2> /dev/null | wc -l)" -lt 3 ]; do
    kill -0 "$job" 2> /dev/null || break
    sleep 0.3
done
# The worker and its executor, as when a machine goes away. Executors are children of their worker.
executor=$(ps -o pid= --ppid "$worker1" || true)
# shellcheck disable=SC2086
kill -9 "$worker1" $executor
echo "killed worker 1 with $(find "$work/records" -name 'part-*' | wc -l) partitions under way or done"
if ! wait "$job"; then
    tail -20 "$work/job.log" >&2
    exit 1
fi
grep -E '^[0-9]+ records' "$work/job.log"

"$findall" index load "$work"/records/part-* --library "$work/library"
"$PYSPARK_PYTHON" - "$work" "$count" << 'PYTHON'
import collections, glob, json, sys
ids = collections.Counter(json.loads(line)["id"] for part in glob.glob(sys.argv[1] + "/records/part-*") for line in open(part))
assert len(ids) == int(sys.argv[2]) and set(ids.values()) == {1}, "not every document exactly once"
PYTHON
"$findall" index status --library "$work/library" --json | tee "$work/status.json"
grep -q "\"documents\":$count,\"analysed\":$count," "$work/status.json"
"$findall" index load "$work"/records/part-* --library "$work/library" | grep -q "^0 put in, $count there already, 0 refused"
echo "every document exactly once, after a worker was killed; loading again changed nothing"
