"""One run of `nearcopy.spark.find` on two processors, measured by stage and compared with `nearcopy.find`.

    python spark.py CORPUS MEMORY FOLDER

CORPUS is JSON Lines with `id` and `text`; MEMORY is that of the driver, such as 6g; FOLDER is for temporary files.
`scripts/bench-spark` calls it in an environment with PySpark. Prints one JSON object. Runs on Linux (/proc).
"""

from __future__ import annotations

import collections
import json
import os
import pathlib
import sys
import time

import pyarrow as pa
import pyarrow.json
from pyspark.sql import SparkSession

import nearcopy as nc
import nearcopy.spark
from engines import md5_of
from nearcopy.spark import _find, _steps


def jvm_seconds(pid):
    """Seconds of processors that a process has used."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Stages:
    """The named parts of a search: seconds, and what Spark and the Python workers say of their jobs."""

    def __init__(self, spark, folder):
        self.context = spark.sparkContext
        self.seconds = collections.Counter()
        self.steps = folder / "steps"
        self.steps.mkdir()
        self.name = None
        self.begin("fingerprints")

    def begin(self, name):
        now = time.monotonic()
        if self.name:
            self.seconds[self.name] += now - self.since
        self.name, self.since = name, now
        # Jobs that adaptive execution starts from other threads have it too.
        self.context.setLocalProperty("stage", name)

    def watch(self):
        """Names each part as the search comes to it, and has every step count its seconds."""
        search, module, folder = _find._Search, _find, str(self.steps)
        step, passed, leaders, judged = _steps.step, module._passed, module._leaders, module._judged
        rounds = []

        def counted(made):
            def run(*arguments):
                inner, stage = made(*arguments), self.name

                def attempt(batches):
                    spent = time.process_time()
                    yield from inner(batches)
                    spent = time.process_time() - spent
                    with open(f"{folder}/{stage}-{os.getpid()}-{time.monotonic_ns()}", "w") as out:
                        json.dump([stage, spent], out)

                return attempt

            return run

        def named(name, function):
            def run(*arguments):
                self.begin(name)
                return function(*arguments)

            return run

        def comparing(function):
            def run(one, *arguments):
                rounds.append(0)
                self.begin(f"comparing, pass {len(rounds)}")
                function(one, *arguments)
                rounds[-1] = one.pairs[-1].num_rows

            return run

        _steps.step, module._passed = counted(step), counted(passed)
        module._leaders, module._judged = named("sorting", leaders), named("figures", judged)
        search.keys = named("keys", search.keys)
        search.compare, search.scan = comparing(search.compare), comparing(search.scan)
        search.verdicts, search.pivots = named("deciding", search.verdicts), named("deciding", search.pivots)
        return rounds


def events(folder):
    """Sums of Spark's own counts of its stages, by the name of their part."""
    found, names = collections.defaultdict(collections.Counter), {}
    for path in folder.rglob("*"):
        if not path.is_file() or "events" not in path.name and not path.name.startswith("local-"):
            continue
        for event in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            if event["Event"] == "SparkListenerStageSubmitted":
                names[event["Stage Info"]["Stage ID"]] = event.get("Properties", {}).get("stage", "other")
            elif event["Event"] == "SparkListenerTaskEnd" and event.get("Task Metrics"):
                metrics, of = event["Task Metrics"], found[names.get(event["Stage ID"], "other")]
                of["jvm"] += metrics["Executor CPU Time"] / 1e9
                of["tasks"] += 1
                of["shuffle"] += metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"]
                of["records"] += metrics["Shuffle Write Metrics"]["Shuffle Records Written"]
                of["spilled"] += metrics["Disk Bytes Spilled"]
    return found


def main(corpus, memory, folder):
    folder = pathlib.Path(folder)
    for name in ("events", "local"):
        (folder / name).mkdir()
    table = pa.json.read_json(corpus).select(["id", "text"])
    began = time.monotonic()
    one = nc.find(table, id="id", progress=False, threads=2)
    alone = time.monotonic() - began
    expected = md5_of(pa.table({"id": table["id"], "keep": pa.array(one.keep)}).filter(pa.array(one.keep))["id"].to_pylist())
    del table
    spark = (
        SparkSession.builder.master("local[2]")
        .config("spark.driver.memory", memory)
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.shuffle.partitions", "8")
        .config("spark.local.dir", str(folder / "local"))
        .config("spark.eventLog.enabled", "true")
        .config("spark.eventLog.compress", "false")
        .config("spark.eventLog.dir", (folder / "events").as_uri())
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")
    rows = spark.read.schema("id string, text string").json(corpus).repartition(8)
    began = time.monotonic()
    stages = Stages(spark, folder)
    rounds = stages.watch()
    found = nearcopy.spark.find(rows)
    kept = md5_of(row["id"] for row in found.filter("keep").select("id").collect())
    stages.begin("end")
    seconds = time.monotonic() - began
    jvm = jvm_seconds(spark.sparkContext._gateway.proc.pid)
    spark.stop()
    python = collections.Counter()
    for path in stages.steps.iterdir():
        stage, spent = json.loads(path.read_text())
        python[stage] += spent
    spark_of = events(folder / "events")
    parts = {
        name: {"seconds": seconds, "python": python[name], **spark_of.get(name, {})}
        for name, seconds in stages.seconds.items()
    }
    documents = len(one)
    print(
        json.dumps(
            {
                "documents": documents,
                "bytes": os.path.getsize(corpus),
                "find_seconds": alone,
                "seconds": seconds,
                "jvm": jvm,
                "pairs": rounds,
                "find_md5": expected,
                "md5": kept,
                "parts": parts,
            }
        )
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
