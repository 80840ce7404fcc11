"""`nearcopy.spark.find` against `nearcopy.find`, on corpora that are hard for a search in rounds."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from corpora import boilerplate, chain, copies, frame, mixed, of_one_process, of_spark
from pyspark.sql import DataFrame, SparkSession

import nearcopy as nc
from nearcopy.spark import _Search, find


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.shuffle.partitions", "2")
        # On little data, compiling and planning take most of the time.
        .config("spark.sql.codegen.wholeStage", "false")
        .config("spark.sql.adaptive.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.mark.parametrize(
    "keep, partitions, together, few", [("longest", 5, 256, 0), ("shortest", 1, 64, 10**6), ("last", 11, 128, 10**6)]
)
def test_the_result_is_that_of_one_process(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, keep: str, partitions: int, together: int, few: int
) -> None:
    monkeypatch.setattr("nearcopy.spark.TOGETHER", together)
    monkeypatch.setattr("nearcopy.spark.FEW", few)
    pick = random.Random(partitions)
    rows = [row for corpus in (mixed, copies, boilerplate, chain) for row in corpus(pick)]
    pick.shuffle(rows)
    expected = of_one_process(rows, keep=keep)
    assert 200 < sum(row[1] for row in expected) < len(rows) - 700
    assert of_spark(frame(spark, rows, partitions), keep=keep) == expected


@pytest.mark.parametrize("together", [256, 64])
def test_a_search_depends_on_the_limit_of_crowded_keys(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, together: int
) -> None:
    rows = boilerplate(random.Random(1))
    expected = of_one_process(rows)
    monkeypatch.setattr("nearcopy.spark.TOGETHER", together)
    monkeypatch.setattr("nearcopy.spark.MOST", 1 << 30)
    assert of_spark(frame(spark, rows, 2)) != expected


@pytest.mark.parametrize("together, most", [(256, 2), (1000, 1)])
def test_a_crowd_of_one_template_takes_few_rounds(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, together: int, most: int
) -> None:
    compare, rounds = _Search.compare, []

    def counted(search: _Search, earlier: DataFrame, later: DataFrame) -> None:
        compare(search, earlier, later)
        rounds.append(search.pairs[-1].num_rows)

    monkeypatch.setattr(_Search, "compare", counted)
    monkeypatch.setattr("nearcopy.spark.TOGETHER", together)
    rows = copies(random.Random(1))[:600]
    found = of_spark(frame(spark, rows, 2))
    assert found == of_one_process(rows)
    assert sum(row[1] for row in found) == 1
    assert len(rounds) <= most, rounds


@pytest.mark.parametrize(
    "options",
    [
        {"similarity": None},
        {"distance": None, "similarity": 0.3, "recall": 0.9},
        {"distance": 9, "similarity": 0.8, "fingerprinter": {"sketches": 64, "min": 2, "stop_words": ["a"]}},
    ],
)
def test_other_options(spark: SparkSession, options: dict[str, Any]) -> None:
    rows = boilerplate(random.Random(1))[100:220] + mixed(random.Random(3)) + copies(random.Random(3))[::7]
    rows = [(n, text) for n, (_, text) in enumerate(rows)]
    expected = dict(options)
    if named := options.get("fingerprinter"):
        expected["fingerprinter"] = nc.Fingerprinter(**named)
    assert of_spark(frame(spark, rows, 1), **options) == of_one_process(rows, **expected)


def test_an_error_names_the_remedy(spark: SparkSession) -> None:
    df = frame(spark, mixed(random.Random(1)), 2)
    with pytest.raises(KeyError, match="no column 'body'; name one of these by text=: id, text"):
        find(df, text="body")
    with pytest.raises(ValueError, match="keep 'best': expected first, last, longest or shortest"):
        find(df, keep="best")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="similarity 2"):
        find(df, similarity=2)
    with pytest.raises(Exception, match="column 'id': a row has no id"):
        find(frame(spark, [("a", "a text"), (None, "a text without an id")], 2))
