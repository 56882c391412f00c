"""Prepares documents for a findall library on a Spark cluster.

    spark-submit --master spark://HOST:7077 index_job.py DOCUMENTS OUT [--findall findall] [--partitions N]

DOCUMENTS  JSON Lines, {"id", "text"} each: a file, a folder or a glob that all workers can read
OUT        where the records go, one folder with part files; findall index load OUT/part-* --library DIR takes them in

Every partition is piped through `findall index worker`. A worker that dies is started again by Spark on another machine;
what it had written of its partition is thrown away, so every document has exactly one record in the end. Loading is
idempotent, so a job that is run twice does no harm either.
"""

import argparse
import json
import shlex

from pyspark.sql import SparkSession


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("documents")
    parser.add_argument("out")
    parser.add_argument("--findall", default="findall", help="the program on the workers")
    parser.add_argument("--partitions", type=int, default=None, help="about 1,000 documents each is a good size")
    args = parser.parse_args()

    spark = SparkSession.builder.appName("findall index").getOrCreate()
    lines = spark.sparkContext.textFile(args.documents, minPartitions=args.partitions or 2)
    if args.partitions:
        lines = lines.repartition(args.partitions)
    command = f"{shlex.quote(args.findall)} index worker"
    # checkCode: a worker that fails must fail its task, so that Spark runs the partition again.
    records = lines.pipe(command, checkCode=True)
    records.saveAsTextFile(args.out)
    written = spark.sparkContext.textFile(args.out)
    refused = written.filter(lambda line: "error" in json.loads(line)).count()
    print(f"{written.count()} records, {refused} refused")
    spark.stop()


if __name__ == "__main__":
    main()
