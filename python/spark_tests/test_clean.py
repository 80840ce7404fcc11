"""`nearcopy.spark.clean` against `nearcopy.clean` and the program."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from corpora import (
    Rows,
    boilerplate,
    cleaned_by_one_process,
    cleaned_by_spark,
    copies,
    frame,
    letters,
    misspelt,
    mixed,
    parts,
    removable,
)
from pyspark.sql import SparkSession

from nearcopy import _native
from nearcopy.spark import clean

CORPORA: list[Callable[[random.Random], Rows]] = [removable, letters, misspelt, mixed, parts, boilerplate]


@pytest.fixture(scope="module")
def corpus() -> Rows:
    pick = random.Random(5)
    rows = [row for corpus in CORPORA for row in corpus(pick)]
    return rows + copies(pick)[::4]


@pytest.mark.parametrize(
    "remove, keep, partitions, memory",
    [
        ("contained", "longest", 3, 1 << 30),
        ("edited", "shortest", 8, 1 << 30),
        ("same", "longest", 1, 1 << 30),
        # Fingerprints go to temporary files.
        ("contained", "first", 1, 1 << 10),
        ("edited", "last", 5, 1 << 30),
    ],
)
def test_the_result_is_that_of_one_process(
    spark: SparkSession,
    monkeypatch: pytest.MonkeyPatch,
    corpus: Rows,
    remove: Any,
    keep: str,
    partitions: int,
    memory: int,
) -> None:
    monkeypatch.setattr("nearcopy.spark._clean.MEMORY", memory)
    rows = list(corpus)
    in_order = cleaned_by_one_process(rows, remove=remove, keep=keep)
    random.Random(partitions).shuffle(rows)
    expected = cleaned_by_one_process(rows, remove=remove, keep=keep)
    found = cleaned_by_spark(frame(spark, rows, partitions), remove=remove, keep=keep)
    for of_spark, of_one_process in zip(found, expected):
        assert of_spark == of_one_process
    if keep in ("longest", "shortest"):
        # Neither depends on the order of rows.
        assert expected == in_order
    kept, removed, to_review = found
    assert len(kept) + len(removed) == len(rows)
    claims = ("same", "contained", "edited")
    assert {row[-1] for row in removed} <= set(claims[: claims.index(remove) + 1])
    # No longer text stands in a shorter one.
    of_claims = Counter(row[-1] for row in removed + to_review)
    assert all(of_claims[claim] > 5 for claim in claims if (claim, keep) != ("contained", "shortest")), of_claims


@pytest.mark.parametrize("seed", range(4))
def test_small_corpora(spark: SparkSession, seed: int) -> None:
    pick = random.Random(seed)
    rows = pick.sample(removable(pick) + letters(pick) + mixed(pick), pick.choice([3, 30, 120]))
    assert cleaned_by_spark(frame(spark, rows, 3)) == cleaned_by_one_process(rows)


@pytest.mark.parametrize(
    "options", [{"distance": 3}, {"distance": 9, "similarity": 0.9}, {"similarity": 0.5, "recall": 0.9}]
)
def test_rules_of_edited_copies(spark: SparkSession, monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]) -> None:
    # Some keys of simhashes are shared by more.
    monkeypatch.setattr("nearcopy.spark._clean.TOGETHER", 8)
    pick = random.Random(4)
    rows = removable(pick)[:90] + copies(pick)[::20] + mixed(pick)[:80]
    expected = cleaned_by_one_process(rows, remove="edited", **options)
    assert cleaned_by_spark(frame(spark, rows, 3), remove="edited", **options) == expected


def test_what_is_not_connected_changes_nothing(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    """The plain twin: all documents that share any key with another in one component."""
    rows = removable(random.Random(8)) + letters(random.Random(8))
    expected = cleaned_by_spark(frame(spark, rows, 3))

    def one(pairs: object) -> pa.Table:
        found = pa.table(of_pairs(pairs))
        return found.set_column(1, "component", pa.array([0] * len(found), pa.int64()))

    of_pairs = _native.components
    monkeypatch.setattr("nearcopy.spark._clean._native.components", one)
    assert cleaned_by_spark(frame(spark, rows, 3)) == expected


def test_rows_keep_their_columns(spark: SparkSession) -> None:
    text = "A member who has borrowed a boat shall return it before sunset, clean and dry, with both oars."
    rows = [
        (1, text, {"a": [1]}, "x", 0.5, 7),
        (1, text, {"a": [2]}, "y", None, 8),
        (2, text.upper(), None, None, 2.0, 9),
        (None, None, {}, "no text", 3.0, 10),
    ]
    columns = "number int, `the text` string, row map<string, array<int>>, place string, keep double, survivor long"
    df = spark.createDataFrame(spark.sparkContext.parallelize(rows, 2), columns)
    cleaned = clean(df, id="number", text="the text", keep="field:keep:desc")
    assert cleaned.kept.schema == df.schema
    assert sorted(map(tuple, cleaned.kept.collect()), key=repr) == sorted([rows[2], rows[3]], key=repr)
    gone = cleaned.removed.select("id", "survivor", "removal").collect()
    assert [tuple(row) for row in gone] == [(1, 2, "same")] * 2
    assert cleaned.to_review.count() == 0


def test_nothing_to_do(spark: SparkSession) -> None:
    empty = frame(spark, [("a", "b")], 1).filter("id = 'c'")
    assert [part.count() for part in clean(empty)] == [0, 0, 0]
    assert [part.count() for part in clean(frame(spark, [("a", None), ("b", ""), ("c", "one text")], 2))] == [3, 0, 0]


def test_an_error_names_the_remedy(spark: SparkSession) -> None:
    df = frame(spark, [("a", "a text")], 1)
    with pytest.raises(KeyError, match="no column 'body'; name one of these by text=: id, text"):
        clean(df, text="body")
    with pytest.raises(ValueError, match="remove 'all': expected 'same', 'contained' or 'edited'"):
        clean(df, remove="all")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="similarity is a rule of edited copies; give remove='edited' too"):
        clean(df, similarity=0.8)
    with pytest.raises(ValueError, match="language 'deu' and a fingerprinter: give one of the two"):
        clean(df, language="deu", fingerprinter={})
    with pytest.raises(Exception, match="column 'id': a row has no id"):
        clean(frame(spark, [("a", "a text"), (None, "a text without an id")], 2))


@pytest.mark.parametrize("remove, partitions", [("contained", 3), ("edited", 8)])
def test_labelled_texts_are_those_that_the_program_keeps(
    spark: SparkSession, tmp_path: Path, remove: Any, partitions: int
) -> None:
    folder = Path(__file__).resolve().parents[2] / "data/texts"
    texts = [
        (str(path.relative_to(folder)), path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.txt"))
    ]
    rows = texts + [(f"part of {id}", text[: 3 * len(text) // 4]) for id, text in texts]
    corpus, output = tmp_path / "corpus.jsonl", tmp_path / "kept.jsonl"
    corpus.write_text("".join(json.dumps({"id": id, "text": text}) + "\n" for id, text in rows), encoding="utf-8")
    program = [sys.executable, "-m", "nearcopy", "clean", "--quiet", "--id-field", "id", "--remove", remove]
    subprocess.run([*program, "-o", str(output), str(corpus)], check=True)
    kept = {json.loads(line)["id"] for line in output.read_text(encoding="utf-8").splitlines()}
    assert len(rows) - len(kept) > 40
    random.Random(partitions).shuffle(rows)
    assert {row["id"] for row in clean(frame(spark, rows, partitions), remove=remove).kept.collect()} == kept
