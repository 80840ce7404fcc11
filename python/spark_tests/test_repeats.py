"""`nearcopy.spark.clean_repeats` against `nearcopy.clean_repeats`."""

from __future__ import annotations

import random
from typing import Any

import pytest
from cutting import compare, frame
from pyspark.sql import SparkSession

from nearcopy.spark import clean_repeats

WORDS = ["the ", "miller's ", "bell ", "Rings, ", "\u00e9 ", "A\n", "ne ", "to ", "3.5 ", "\u2014 ", "wheel ", "tide "]
SINGLES = ["\u7814", "\u7a76", "\u6d77", "\U0001f44d", "\U0001f469\u200d\U0001f4bb", "\u3002"]


def texts(pick: random.Random, count: int) -> list[tuple[Any, ...]]:
    """Texts of pieces that return, in other orders, so that cuts make new runs; of periods; and of several scripts."""
    pieces = ["".join(pick.choices(WORDS, k=pick.randrange(4, 24))) for _ in range(count // 4)]
    pieces += ["".join(pick.choices(SINGLES, k=pick.randrange(3, 15))) for _ in range(3)]
    pieces += [pick.choice(WORDS) * pick.randrange(2, 30)]
    # For runs of the default length.
    pieces += ["".join(pick.choices(WORDS, k=75)) for _ in range(2)]
    rows: list[tuple[Any, ...]] = []
    for _ in range(count):
        own = "".join(pick.choices(WORDS, k=pick.randrange(20)))
        parts = pick.choices(pieces, k=pick.randrange(5)) + [own] * (pick.random() < 0.7)
        pick.shuffle(parts)
        text = "".join(parts) if pick.random() < 0.95 else None
        rows.append((f"d{pick.randrange(count)}", text, None, pick.randrange(5)))
    return rows


@pytest.mark.parametrize(
    "partitions, options",
    [
        (3, {"words": 6}),
        (1, {"words": 5, "max_cut": 1.0}),
        (5, {"words": 6, "keep": "longest", "max_cut": 0.9, "min_left": 4}),
        (4, {"words": 5, "keep": "shortest", "max_cut": 0.7, "min_left": 12}),
        (2, {"words": 7, "keep": "last", "verbatim": True, "max_cut": 0.8}),
        (2, {"words": 6, "keep": "field:year:desc", "max_cut": 0.9}),
        (3, {"words": 6, "keep": "none", "max_cut": 0.9}),
        (3, {"max_cut": 1.0}),
    ],
)
def test_the_result_is_that_of_one_process(spark: SparkSession, partitions: int, options: dict[str, Any]) -> None:
    rows = texts(random.Random(partitions), 120)
    expected = compare("clean_repeats", frame(spark, rows, partitions), rows, **options)
    assert {fate for _, fate in expected[2]} >= {"stays", "cut"}
    assert len(expected[1]) > (20 if "words" in options else 2)


@pytest.mark.parametrize("seed", range(6))
def test_small_corpora(spark: SparkSession, seed: int) -> None:
    """Of few texts, which lose much, in several rounds."""
    pick = random.Random(seed)
    rows = texts(pick, pick.choice([4, 12, 24]))
    options = {"words": 5, "max_cut": 1.0, "min_left": pick.choice([1, 5]), "keep": pick.choice(["first", "longest"])}
    compare("clean_repeats", frame(spark, rows, 2), rows, **options)


def test_sides_that_join_are_cut_in_a_later_round(spark: SparkSession) -> None:
    """The third text loses what stands in the second, then what joins around it; another goes in the second round."""
    rows = [
        ("a", "a b c d e f g h", None, 1),
        ("b", "1 2 3 4 5", None, 1),
        ("c", "a b c d 1 2 3 4 5 e f g h and more of it", None, 1),
        ("d", "a b 1 2 3 4 5 c d e f", None, 1),
    ]
    _, spans, fates = compare("clean_repeats", frame(spark, rows, 2), rows, words=5, max_cut=1.0, min_left=1)
    of = [(span["start"], span["end"], span["first"]["id"]) for span in spans if span["id"] == "c"]
    assert sorted(of) == [(0, 8, "a"), (8, 18, "b"), (18, 26, "a")]
    assert dict(fates) == {"a": "stays", "b": "stays", "c": "cut", "d": "goes"}


def test_a_batch_may_have_nothing_to_lose(spark: SparkSession) -> None:
    """The first texts keep all runs, and no batch of the task that decides has more than two texts."""
    runs = [" ".join(f"{word}{number}" for word in "abcdef") for number in range(5)]
    rows = [(f"d{number}", f"{runs[number % 5]} and its own end {number}", None, 1) for number in range(10)]
    batch = "spark.sql.execution.arrow.maxRecordsPerBatch"
    spark.conf.set(batch, 2)
    try:
        _, spans, _ = compare("clean_repeats", frame(spark, rows, 1), rows, words=5, max_cut=1.0)
    finally:
        spark.conf.unset(batch)
    assert sorted(span["id"] for span in spans) == [f"d{number}" for number in range(5, 10)]


def test_nothing_to_do(spark: SparkSession) -> None:
    empty = frame(spark, texts(random.Random(1), 8), 1).filter("id = 'none'")
    assert compare("clean_repeats", empty, []) == [[], [], []]
    rows = [("a", None, None, 1), ("b", "", None, 1), ("c", "A few words of one text.", None, 2)]
    compare("clean_repeats", frame(spark, rows, 2), rows, words=5)


def test_an_error_names_the_remedy(spark: SparkSession) -> None:
    df = frame(spark, texts(random.Random(2), 8), 1)
    for options, error, words in [
        ({"text": "body"}, KeyError, "no column 'body'; name one of these by text=: id, text, url, year"),
        ({"text": "year"}, TypeError, "column 'year': is of type int; expected string"),
        ({"words": 4}, ValueError, "words 4: expected a whole number from 5 to 10000"),
        ({"max_cut": 2}, ValueError, "max_cut 2: expected a number from 0 to 1"),
        ({"keep": "best"}, ValueError, "keep 'best': expected first, last, longest, shortest, none or field:NAME"),
    ]:
        with pytest.raises(error, match=words):
            clean_repeats(df, **options)
    no_year = frame(spark, [("a", "a text", " ", None)], 1)
    with pytest.raises(ValueError, match="no row has the field 'year' of keep"):
        clean_repeats(no_year, keep="field:year")
    with pytest.raises(Exception, match="column 'id': a row has no id"):
        clean_repeats(frame(spark, [(None, "a text", None, 1)], 1))
