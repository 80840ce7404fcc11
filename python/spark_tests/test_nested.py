"""Columns in structures: the results are those of the same columns on their own."""

from __future__ import annotations

import random
from typing import Any

import pytest
from corpora import mixed
from cutting import frame, of_spark
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from test_lines import pages

from nearcopy.spark import clean, decontaminate, find

NAMES = {"text": "meta.body", "id": "meta.of.the.id"}


def nested(df: DataFrame) -> DataFrame:
    """The rows with all columns in a structure; the name of one has dots."""
    others = [name for name in df.columns if name not in ("id", "text")]
    of = F.struct(F.col("id").alias("the.id")).alias("of")
    return df.select(F.struct(F.col("text").alias("body"), of, *others).alias("meta"), F.lit(1).alias("n.n"))


def flat(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """The columns of a row of :func:`nested` as they were."""
    body, of, *others = row[0]
    return (*of, body, *others)


@pytest.mark.parametrize("function", ["clean_lines", "clean_repeats"])
def test_texts_are_cut(spark: SparkSession, function: str) -> None:
    df = frame(spark, pages(random.Random(5), 80), 3)
    options = {"max_documents": 2, "per_site": 0.9} if function == "clean_lines" else {"words": 6}
    url = {"url": "url"} if function == "clean_lines" else {}
    expected = of_spark(function, df, **options, **url, keep="field:year")
    url = {"url": "meta.url"} if url else {}
    found = of_spark(function, nested(df), **options, **url, **NAMES, keep="field:meta.year")
    found[0] = sorted(map(flat, found[0]), key=repr)
    assert found == expected and any(fate == "cut" for _, fate in found[2])


def test_rows_are_found_and_removed(spark: SparkSession) -> None:
    df = spark.createDataFrame(mixed(random.Random(1)), "id string, text string")
    in_order = [sorted(map(repr, find(of, **names).collect())) for of, names in ((df, {}), (nested(df), NAMES))]
    assert in_order[0] == in_order[1] and "keep=False" in str(in_order)
    cleaned, of_nested = clean(df), clean(nested(df), **NAMES)
    assert sorted(map(tuple, cleaned.kept.collect()), key=repr) == sorted(map(flat, of_nested.kept.collect()), key=repr)
    assert sorted(map(repr, cleaned.removed.collect())) == sorted(map(repr, of_nested.removed.collect()))


def test_items_are_found(spark: SparkSession) -> None:
    question = "which of the old mills by the river keeps its wheel turning through the whole of the winter"
    df = frame(spark, [("a", f"before {question} after", None, 1), ("b", "nothing of it", None, 2)], 1)
    of_both = [
        decontaminate(of, [{"q": question}], fields="q", **names) for of, names in ((df, {}), (nested(df), NAMES))
    ]
    assert [row[1] for row in map(flat, of_both[1].cut.collect())] == [row.text for row in of_both[0].cut.collect()]
    assert [found.fates.sort("id").collect() for found in of_both][0] == of_both[1].fates.sort("id").collect()


@pytest.mark.parametrize(
    "names, error, words",
    [
        (
            {"text": "meta.nobody"},
            KeyError,
            "no column 'meta.nobody'; name one of these by text=: meta, n.n; 'meta' has body",
        ),
        ({"text": "meta.of"}, TypeError, "column 'meta.of': is of type struct<the.id:string>; expected string"),
    ],
)
def test_what_is_not_there_is_named(
    spark: SparkSession, names: dict[str, str], error: type[Exception], words: str
) -> None:
    df = nested(spark.createDataFrame([("a", "b")], "id string, text string"))
    with pytest.raises(error, match=words):
        find(df, **{**NAMES, **names})
