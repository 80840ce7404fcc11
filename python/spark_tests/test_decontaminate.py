"""`nearcopy.spark.decontaminate` against `nearcopy.decontaminate`."""

from __future__ import annotations

import random
from typing import Any

import pyarrow as pa
import pytest
from cutting import COLUMNS, frame
from pyspark.sql import SparkSession

import nearcopy
from nearcopy.spark import decontaminate

WORDS = [
    f"{syllable}{end}" for syllable in ("bel", "tid", "mil", "ro", "ké", "\U0001f44d ha") for end in ("a", "lor", "s")
]
RARE = [f"bel{first}{second}" for first in "bdfgk" for second in "aeiouyæøåü"]
PROMPT = "answer the question below with one letter and think about it step by step before you answer"


def generated(pick: random.Random) -> list[dict[str, Any]]:
    """Long items, some with a prompt that all of a kind have; short ones; equal ones; one without a part."""
    long = [" ".join(pick.choices(WORDS, k=pick.randrange(14, 40))) for _ in range(12)]
    items: list[dict[str, Any]] = [{"q": text.capitalize() + "?", "choices": ["yes", text[:9]]} for text in long]
    items[0]["q"] = " ".join(RARE)
    items += [{"q": f"{PROMPT}: {pick.choice(WORDS)}", "choices": []} for _ in range(5)]
    items += [{"q": " ".join(pick.choices(WORDS, k=pick.randrange(2, 9))), "choices": None} for _ in range(8)]
    items += [items[0], {"other": "a"}, items[3]]
    pick.shuffle(items)
    return [{**item, "n": number if number % 3 else None} for number, item in enumerate(items)]


def texts(pick: random.Random, items: list[dict[str, Any]], count: int) -> list[tuple[Any, ...]]:
    """Texts with items as a whole, with words left out, and in part, one of which many have; nulls and equal ids."""
    questions = [item["q"] for item in items if "q" in item]
    rows: list[tuple[Any, ...]] = []
    for _ in range(count):
        parts = pick.choices(WORDS, k=pick.randrange(30))
        for question in pick.choices(questions, k=pick.randrange(3)) + [questions[0]] * (pick.random() < 0.4):
            words = question.split()
            kind = pick.randrange(4)
            if kind == 1:
                words = [word for word in words if pick.random() < 0.9]
            elif kind == 2:
                words = [word if at % 5 else pick.choice(WORDS) for at, word in enumerate(words)]
            elif kind == 3:
                words = words[: len(words) // 2 + 2]
            parts[pick.randrange(len(parts) + 1) : 0] = words
        text = pick.choice([" ", "\n", ", "]).join(parts) if pick.random() < 0.95 else None
        rows.append((f"d{pick.randrange(count)}", text, None, 1))
    # In other words: every fifth is another.
    retold = " ".join("violin" if at % 5 == 4 else word for at, word in enumerate(RARE))
    return [*rows, ("retold", retold, None, 1)]


def compare(spark: SparkSession, rows: list[tuple[Any, ...]], partitions: int, against: Any, **options: Any) -> Any:
    """Compares all that is said; returns it as one process says it."""
    table = pa.table({name: pa.array([row[at] for row in rows], pa.string()) for at, name in enumerate(COLUMNS[:2])})
    expected = nearcopy.decontaminate(table, against, id="id", progress=False, **options)
    df = frame(spark, rows, partitions).select("id", "text")
    found = decontaminate(df, against, **options)
    assert found.kept.schema == df.schema == found.cut.schema

    def sorted_rows(rows: list[Any], *without: str) -> list[Any]:
        return sorted(({name: row[name] for name in row if name not in without} for row in rows), key=repr)

    def collected(df: Any) -> list[Any]:
        return sorted_rows([row.asDict() for row in df.collect()])

    assert collected(found.items) == sorted_rows(expected.items.to_pylist(), "document")
    assert collected(found.spans) == sorted_rows(expected.spans.to_pylist(), "row")
    assert collected(found.kept) == sorted_rows(expected.filter(table).to_pylist())
    assert collected(found.cut) == sorted_rows(expected.apply(table).to_pylist())
    fates = [{"id": row[0], "fate": fate} for row, fate in zip(rows, expected.fates)]
    assert collected(found.fates) == sorted_rows(fates)
    return expected


@pytest.mark.filterwarnings("ignore:1 of 28 items left out")
@pytest.mark.parametrize(
    "partitions, options",
    [
        (3, {"fields": ["q", "choices"], "item_id": "n"}),
        (1, {"fields": "q", "coverage": 0.6}),
        (4, {"fields": ["q", "choices"], "item_id": "n", "rewritten": 0.1}),
        (5, {"fields": ["q", "choices"], "need": "q", "item_id": "n", "coverage": 0.0}),
    ],
)
def test_the_result_is_that_of_one_process(spark: SparkSession, partitions: int, options: dict[str, Any]) -> None:
    pick = random.Random(partitions)
    items = generated(pick)
    expected = compare(spark, texts(pick, items, 80), partitions, items, **options)
    assert set(expected.items["verdict"]) == {"contaminated", "clean", "undecidable"}
    assert set(expected.items["reason"]) >= {"short", "template"} and len(expected) > 20
    in_other_words = [place for place in expected.spans["probability"] if place is not None]
    assert bool(in_other_words) == ("rewritten" in options)


def test_a_test_set_may_be_a_table_or_a_frame(spark: SparkSession) -> None:
    pick = random.Random(7)
    items = [item["q"] for item in generated(pick) if "q" in item]
    rows = texts(pick, [{"q": item} for item in items], 40)
    expected = compare(spark, rows, 2, items)
    table = pa.table({"text": items})
    for against in (table, table.to_reader(), table["text"], table.to_pandas(), iter(items)):
        found = decontaminate(frame(spark, rows, 2), against)
        assert found.spans.count() == len(expected)
    found = decontaminate(frame(spark, rows, 2), spark.createDataFrame([(item,) for item in items], "text string"))
    assert found.spans.count() == len(expected)


def test_nothing_to_do(spark: SparkSession) -> None:
    question = "which of the old harbours has kept its lamp lit through all the nights of the summer, and why?"
    for rows in ([], [("a", None, None, 1), ("b", "", None, 1), ("c", "A few words of one text.", None, 2)]):
        expected = compare(spark, rows, 2, [{"q": question, "n": 1}], fields="q", item_id="n")
        assert expected.items["verdict"].to_pylist() == ["clean"]


def test_an_error_names_the_remedy(spark: SparkSession) -> None:
    df = frame(spark, [("a", "a text", None, 1)], 1)
    for against, options, error, words in [
        (["a"], {"text": "body"}, KeyError, "no column 'body'; name one of these by text=: id, text, url, year"),
        (["a"], {"text": "year"}, TypeError, "column 'year': is of type int; expected string"),
        (["a"], {"coverage": 2}, ValueError, "coverage 2: expected a number from 0 to 1"),
        (["a"], {"need": "q"}, ValueError, "need 'q': is no part of an item; name it in fields too"),
        (["a"], {"fields": "q"}, ValueError, "row 0 of against: has no text in the field 'q'; it has text"),
        ([], {}, ValueError, "against: has no items"),
        (3, {}, TypeError, "int: expected a table, a list of str or of dictionaries, or an iterator"),
    ]:
        with pytest.raises(error, match=words):
            decontaminate(df, against, **options)
    with pytest.raises(Exception, match="column 'id': a row has no id"):
        decontaminate(frame(spark, [(None, "a text", None, 1)], 1), ["a question"])
