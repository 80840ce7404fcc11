"""`nearcopy.spark.clean_lines` against `nearcopy.clean_lines`."""

from __future__ import annotations

import random
from typing import Any

import pyarrow as pa
import pytest
from pyspark.sql import DataFrame, SparkSession

import nearcopy as nc
from nearcopy.spark import clean_lines

SCHEMA = "id string, text string, url string, year int"
COLUMNS = ("id", "text", "url", "year")


def pages(pick: random.Random, count: int) -> list[tuple[Any, ...]]:
    """Pages of menus, notices, code and lines of their own; some have nothing else, so that they go whole.

    Whether such a page keeps a line depends on what those before it keep.
    """
    menus = ["Home | Boats | Contact", "HOME | boats", "Next page", "été à la mer", "\U0001f600 Top"]
    notices = [f"All rights of mill number {'abcdefgh'[n]} are reserved by its heirs." for n in range(8)]
    code = "for (int i = 0; i < n; i++) {\n    sum += value[i];\n}"
    rows: list[tuple[Any, ...]] = []
    for number in range(count):
        lines = pick.sample(menus, pick.randrange(4)) + pick.choices(notices, k=pick.randrange(5))
        if pick.random() < 0.6:
            own = " ".join(pick.choices(["tide", "mill", "boat", "河", "水", "wheel", "été"], k=pick.randrange(1, 20)))
            lines += [f"{own} {number}", code][: pick.randrange(1, 3)]
            pick.shuffle(lines)
        site = f"{pick.choice(['', 'https://'])}S{pick.randrange(4)}.example/{number}"
        text = pick.choice(["\n", "\r\n", "\n\n"]).join(lines) if pick.random() < 0.95 else None
        rows.append((f"d{pick.randrange(count)}", text, site if pick.random() < 0.9 else None, pick.randrange(5)))
    return rows


def frame(spark: SparkSession, rows: list[tuple[Any, ...]], partitions: int) -> DataFrame:
    return spark.createDataFrame(spark.sparkContext.parallelize(rows, partitions), SCHEMA)


def of_spark(df: DataFrame, **options: Any) -> list[list[Any]]:
    """What is left, the spans and the fates, each sorted."""
    cut = clean_lines(df, **options)
    assert cut.kept.schema == df.schema
    spans = [row.asDict(recursive=True) for row in cut.spans.collect()]
    return [
        sorted(map(tuple, cut.kept.collect()), key=repr),
        sorted(spans, key=repr),
        sorted(map(tuple, cut.fates.collect()), key=repr),
    ]


def of_one_process(rows: list[tuple[Any, ...]], **options: Any) -> list[list[Any]]:
    table = pa.table({name: [row[at] for row in rows] for at, name in enumerate(COLUMNS)})
    cut = nc.clean_lines(table, id="id", progress=False, **options)
    spans = cut.spans.to_pylist()
    for span in spans:
        del span["row"]
        if span["first"] is not None:
            del span["first"]["row"]
    left = [tuple(row.values()) for row in cut.apply(table).to_pylist()]
    fates = [(row[0], fate) for row, fate in zip(rows, cut.fates)]
    return [sorted(left, key=repr), sorted(spans, key=repr), sorted(fates, key=repr)]


@pytest.mark.parametrize(
    "partitions, options",
    [
        (3, {}),
        (1, {"max_documents": 2}),
        (5, {"max_documents": 1, "keep": "longest", "min_left": 12}),
        (3, {"max_documents": 3, "keep": "shortest", "min_left": 30}),
        (4, {"max_documents": 3, "keep": "last", "all_lines": True, "max_cut": 0.6}),
        (2, {"max_documents": 2, "keep": "field:year:desc", "paragraphs": True}),
        (3, {"max_documents": 4, "keep": "none"}),
        (3, {"max_documents": 40, "per_site": 0.3, "url": "url"}),
        (2, {"max_documents": 60, "per_site": 0.2, "url": "url", "keep": "field:year", "min_left": 9}),
    ],
)
def test_the_result_is_that_of_one_process(spark: SparkSession, partitions: int, options: dict[str, Any]) -> None:
    rows = pages(random.Random(partitions), 150)
    expected = of_one_process(rows, **options)
    found = of_spark(frame(spark, rows, partitions), **options)
    assert [len(part) for part in found] == [len(part) for part in expected]
    for of_both in zip(found, expected):
        assert of_both[0] == of_both[1]
    fates = {fate for _, fate in expected[2]}
    assert fates >= {"stays", "cut", "goes"} and len(expected[1]) > 40


@pytest.mark.parametrize("seed", range(6))
def test_small_corpora(spark: SparkSession, seed: int) -> None:
    """Of few pages, all of which may go whole."""
    pick = random.Random(seed)
    rows = pages(pick, pick.choice([4, 12, 30]))
    options = {"max_documents": 1, "min_left": pick.choice([1, 5, 15]), "keep": pick.choice(["first", "longest"])}
    assert of_spark(frame(spark, rows, 2), **options) == of_one_process(rows, **options)


def test_nothing_to_do(spark: SparkSession) -> None:
    empty = frame(spark, pages(random.Random(1), 3), 1).filter("id = 'none'")
    for options in ({}, {"per_site": 0.5, "url": "url"}, {"keep": "none"}):
        assert of_spark(empty, **options) == [[], [], []]
    rows = [("a", None, None, 1), ("b", "", None, 1), ("c", "A line of one page.", None, 2)]
    assert of_spark(frame(spark, rows, 2)) == of_one_process(rows)


def test_an_error_names_the_remedy(spark: SparkSession) -> None:
    df = frame(spark, pages(random.Random(2), 5), 1)
    for options, error, words in [
        (
            {"url": "link", "per_site": 0.5},
            KeyError,
            "no column 'link'; name one of these by url=: id, text, url, year",
        ),
        ({"url": "year", "per_site": 0.5}, TypeError, "column 'year': is of type int; expected string"),
        ({"per_site": 0.5}, ValueError, "per_site and url belong together"),
        ({"url": "id", "per_site": 2}, ValueError, "per_site 2: expected a number from 0 to 1"),
        ({"max_documents": 0}, ValueError, "max_documents 0: expected a whole number of 1 or more"),
        ({"keep": "best"}, ValueError, "keep 'best': expected first, last, longest, shortest, none or field:NAME"),
    ]:
        with pytest.raises(error, match=words):
            clean_lines(df, **options)
    no_address = frame(spark, [("a", "a text", " ", None)], 1)
    with pytest.raises(ValueError, match="no row has an address in the column 'url'"):
        clean_lines(no_address, url="url", per_site=0.5)
    with pytest.raises(ValueError, match="no row has the field 'year' of keep"):
        clean_lines(no_address, keep="field:year")
    with pytest.raises(Exception, match="column 'id': a row has no id"):
        clean_lines(frame(spark, [(None, "a text", None, 1)], 1))
