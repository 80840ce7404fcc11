"""`nearcopy.spark.find` against `nearcopy.find`, on corpora that are hard for a search in rounds."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import DataFrame, SparkSession

import nearcopy as nc
from nearcopy.spark import _Search, find

FIGURES = ["distance", "jaccard_estimate", "jaccard", "containment_a", "containment_b", "rules"]
Rows = list[tuple[Any, str | None]]


@pytest.fixture(scope="session")
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


@pytest.mark.parametrize("keep, partitions, together", [("longest", 5, 256), ("shortest", 1, 64), ("last", 11, 128)])
def test_the_result_is_that_of_one_process(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, keep: str, partitions: int, together: int
) -> None:
    monkeypatch.setattr("nearcopy.spark.TOGETHER", together)
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
