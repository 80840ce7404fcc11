"""Corpora that are hard for a search in rounds, and the results of both searches."""

from __future__ import annotations

import random
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

import nearcopy as nc
from nearcopy.spark import find

FIGURES = ["distance", "jaccard_estimate", "jaccard", "containment_a", "containment_b", "rules"]
Rows = list[tuple[Any, str | None]]


def words(seed: str, count: int) -> list[str]:
    """Words that no other seed has."""
    pick = random.Random(seed)
    return [f"{pick.choice('bdfgklmnprst')}{pick.choice('aeiou')}{pick.randrange(10**6)}" for _ in range(count)]


def edited(text: list[str], seed: str, edits: int) -> list[str]:
    pick = random.Random(seed)
    text = list(text)
    for _ in range(edits):
        text[pick.randrange(len(text))] = f"x{pick.randrange(10**9)}"
    return text


def mixed(pick: random.Random) -> Rows:
    """Originals, edited copies of various strength, identical copies, equal ids, empty texts and nulls."""
    rows: Rows = []
    for n in range(60):
        original = words(f"m{n}", pick.choice([4, 30, 80, 200]))
        rows.append((f"o{n}", " ".join(original)))
        for copy in range(pick.choice([0, 0, 1, 3, 8])):
            edits = pick.choice([0, 1, 3, 8, 20])
            rows.append((f"c{n}-{copy}", " ".join(edited(original, f"{n} {copy}", edits))))
    rows += [("same", "one text with an id that occurs twice")] * 2
    rows += [("empty", ""), ("empty2", ""), ("signs", "!!! ???"), ("null", None), ("null", None)]
    return rows


def copies(pick: random.Random) -> Rows:
    """Two templates, each time with another word changed: one has more copies than are compared at once, one fewer."""
    rows: Rows = []
    for name, count in [("many", 600), ("few", 90)]:
        original = words(name, 100)
        rows += [(f"{name}{n}", " ".join(edited(original, f"{name}{n // 2}", 1))) for n in range(count)]
    return rows


def boilerplate(pick: random.Random) -> Rows:
    """Most share a notice, which is a larger or smaller part of each, so that keys are crowded by survivors."""
    notice = words("notice", 60)
    rows: Rows = []
    for n in range(400):
        own = edited(words(f"b{n % 200}", 25 + n % 200 % 50), f"e{n}", n % 15)
        rows.append((f"b{n}", " ".join(notice + own if n % 200 < 150 else own)))
    return rows


def chain(pick: random.Random) -> Rows:
    """Texts of which each is near to its neighbours only; in the second chain, about a hundred share each key."""
    rows: Rows = []
    for name, length, step in [("long", 60, 25), ("crowd", 150, 1)]:
        line = words(name, 100 + length * step)
        rows += [(f"{name}{n:04}", " ".join(line[n * step : n * step + 100])) for n in range(length)]
    return rows


def frame(spark: SparkSession, rows: Rows, partitions: int) -> DataFrame:
    of = "long" if isinstance(rows[0][0], int) else "string"
    return spark.createDataFrame(spark.sparkContext.parallelize(rows, partitions), f"id {of}, text string")


def of_spark(df: DataFrame, **options: Any) -> list[tuple[Any, ...]]:
    found = find(df, **options)
    rows = found.select("id", "keep", "survivor", *FIGURES).collect()
    return sorted((tuple(row) for row in rows), key=repr)


def of_one_process(rows: Rows, **options: Any) -> list[tuple[Any, ...]]:
    ids, texts = [row[0] for row in rows], [row[1] for row in rows]
    found = nc.find(pa.table({"id": ids, "text": texts}), id="id", progress=False, **options).to_pylist()
    whole = isinstance(ids[0], int)

    def named(id: Any) -> Any:
        return int(id) if whole and id is not None else id

    made = [
        (id, row["keep"], named(row["survivor_id"]), *(row[name] for name in FIGURES)) for id, row in zip(ids, found)
    ]
    return sorted(made, key=repr)
