"""What is cut in Spark and in one process, to be compared."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

import nearcopy
import nearcopy.spark

SCHEMA = "id string, text string, url string, year int"
COLUMNS = ("id", "text", "url", "year")


def frame(spark: SparkSession, rows: list[tuple[Any, ...]], partitions: int) -> DataFrame:
    return spark.createDataFrame(spark.sparkContext.parallelize(rows, partitions), SCHEMA)


def of_spark(function: str, df: DataFrame, **options: Any) -> list[list[Any]]:
    """What is left, the spans and the fates, each sorted."""
    cut = getattr(nearcopy.spark, function)(df, **options)
    assert cut.kept.schema == df.schema
    spans = [row.asDict(recursive=True) for row in cut.spans.collect()]
    return [
        sorted(map(tuple, cut.kept.collect()), key=repr),
        sorted(spans, key=repr),
        sorted(map(tuple, cut.fates.collect()), key=repr),
    ]


def of_one_process(function: str, rows: list[tuple[Any, ...]], **options: Any) -> list[list[Any]]:
    table = pa.table({name: [row[at] for row in rows] for at, name in enumerate(COLUMNS)})
    cut = getattr(nearcopy, function)(table, id="id", progress=False, **options)
    spans = cut.spans.to_pylist()
    for span in spans:
        del span["row"]
        if span["first"] is not None:
            del span["first"]["row"]
    left = [tuple(row.values()) for row in cut.apply(table).to_pylist()]
    fates = [(row[0], fate) for row, fate in zip(rows, cut.fates)]
    return [sorted(left, key=repr), sorted(spans, key=repr), sorted(fates, key=repr)]


def compare(function: str, df: DataFrame, rows: list[tuple[Any, ...]], **options: Any) -> list[list[Any]]:
    """The result of both, after a comparison."""
    expected = of_one_process(function, rows, **options)
    found = of_spark(function, df, **options)
    assert [len(part) for part in found] == [len(part) for part in expected]
    for of_both in zip(found, expected):
        assert of_both[0] == of_both[1]
    return expected
