"""`nearcopy.spark.find` on executors of their own: one of them is killed, or a slow task runs a second time."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyspark
import pytest
from corpora import Rows, boilerplate, copies, frame, mixed, of_one_process, of_spark
from pyspark import TaskContext
from pyspark.sql import SparkSession

import nearcopy.spark


@contextmanager
def session(master: str, **options: str) -> Iterator[SparkSession]:
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "3",
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.adaptive.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        **options,
    }
    builder = SparkSession.builder.master(master)
    for name, value in settings.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    try:
        yield spark
    finally:
        spark.stop()


@contextmanager
def two_hosts(folder: Path) -> Iterator[str]:
    """The master of a cluster with two workers. A task runs a second time on another host only, hence two addresses."""
    spark_class = Path(pyspark.__file__).parent / "bin/spark-class"
    running: list[subprocess.Popen[bytes]] = []

    def start(name: str, of: str, *arguments: str) -> Path:
        log = folder / f"{name}.log"
        command = [str(spark_class), f"org.apache.spark.deploy.{of}", "--port", "0", "--webui-port", "0", *arguments]
        environment = {**os.environ, "SPARK_HOME": str(spark_class.parent.parent)}
        with open(log, "wb") as output:
            running.append(subprocess.Popen(command, stdout=output, stderr=output, env=environment))
        return log

    def read(log: Path, pattern: str) -> str:
        for _ in range(600):
            if found := re.search(pattern, log.read_text()):
                return found[0]
            time.sleep(0.1)
        raise TimeoutError(f"no line has {pattern}:\n{log.read_text()}")

    try:
        master = read(start("master", "master.Master", "--host", "127.0.0.1"), r"spark://127\.0\.0\.1:\d+")
        for host in ("127.0.0.2", "127.0.0.3"):
            options = ["--host", host, "--cores", "1", "--memory", "1g", "--work-dir", str(folder / host)]
            read(start(host, "worker.Worker", *options, master), "Successfully registered with master")
        yield master
    finally:
        for process in running:
            process.terminate()
            process.wait()


@pytest.fixture(scope="module")
def corpus() -> tuple[Rows, list[tuple[Any, ...]]]:
    pick = random.Random(1)
    rows = [*mixed(pick)[:80], *copies(pick)[:300], *boilerplate(pick)[:120]]
    return rows, of_one_process(rows)


def with_fault(monkeypatch: pytest.MonkeyPatch, fault: Callable[[str], None]) -> None:
    """Has each task call `fault` with the name of its step after its first batch."""
    step = nearcopy.spark._steps.step

    def faulty(name: str, *arguments: Any) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
        run = step(name, *arguments)

        def attempt(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            for number, batch in enumerate(run(batches)):
                yield batch
                if number == 0:
                    fault(name)

        return attempt

    monkeypatch.setattr("nearcopy.spark._steps.step", faulty)


def killing(marker: Path, step: str) -> Callable[[str], None]:
    """A fault by which the first task of a step kills its executor."""

    def fault(name: str) -> None:
        if name != step:
            return
        try:
            marker.touch(exist_ok=False)
        except FileExistsError:
            return
        executor = os.getpid()
        while b"CoarseGrainedExecutorBackend" not in Path(f"/proc/{executor}/cmdline").read_bytes():
            executor = int(Path(f"/proc/{executor}/stat").read_text().rpartition(")")[2].split()[1])
        os.kill(executor, signal.SIGKILL)
        time.sleep(1)

    return fault


def test_a_killed_executor_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, corpus: tuple[Rows, list[tuple[Any, ...]]]
) -> None:
    rows, expected = corpus
    with_fault(monkeypatch, killing(tmp_path / "killed", "near"))
    with session("local-cluster[2,1,1024]") as spark:
        spark.sparkContext.setCheckpointDir(str(tmp_path / "checkpoints"))
        assert of_spark(frame(spark, rows, 3)) == expected
    assert (tmp_path / "killed").exists()


def slow_at_first(folder: Path, steps: list[str]) -> Callable[[str], None]:
    """A fault by which the first attempt at a task of these steps takes a minute; each other attempt leaves a file."""

    def fault(name: str) -> None:
        context = TaskContext.get()
        if name in steps and context is not None and context.partitionId() == 0:
            if context.attemptNumber() == 0:
                time.sleep(60)
            (folder / f"{name}-{context.attemptNumber()}").touch()

    return fault


def test_a_speculative_task_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, corpus: tuple[Rows, list[tuple[Any, ...]]]
) -> None:
    rows, expected = corpus
    (tmp_path / "ended").mkdir()
    with_fault(monkeypatch, slow_at_first(tmp_path / "ended", ["fingerprints", "judge"]))
    options = {
        "spark.speculation": "true",
        "spark.speculation.quantile": "0.5",
        "spark.speculation.multiplier": "1.1",
    }
    with two_hosts(tmp_path) as master, session(master, **options) as spark:
        assert of_spark(frame(spark, rows, 3)) == expected
    # The first attempts were ended before their minute was over.
    assert sorted(path.name for path in (tmp_path / "ended").iterdir()) == ["fingerprints-1", "judge-1"]
