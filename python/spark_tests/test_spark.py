"""`nearcopy.spark.find` against `nearcopy.find`, on corpora that are hard for a search in rounds."""

from __future__ import annotations

import datetime
import json
import random
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from corpora import boilerplate, chain, copies, frame, mixed, of_one_process, of_spark
from pyspark.sql import SparkSession

import nearcopy as nc
from nearcopy.spark import find
from nearcopy.spark._find import _Search


@pytest.mark.parametrize(
    "keep, partitions, together, few, sent",
    [("longest", 5, 256, 0, 0), ("shortest", 1, 64, 10**6, 10**9), ("last", 11, 128, 10**6, 10**9)],
)
def test_the_result_is_that_of_one_process(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, keep: str, partitions: int, together: int, few: int, sent: int
) -> None:
    monkeypatch.setattr("nearcopy.spark._find.TOGETHER", together)
    monkeypatch.setattr("nearcopy.spark._find.FEW", few)
    monkeypatch.setattr("nearcopy.spark._find.SENT", sent)
    monkeypatch.setattr("nearcopy.spark._find.PIVOTS", 5)
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
    monkeypatch.setattr("nearcopy.spark._find.TOGETHER", together)
    monkeypatch.setattr("nearcopy.spark._find.MOST", 1 << 30)
    assert of_spark(frame(spark, rows, 2)) != expected


@pytest.mark.parametrize("together, most", [(256, 2), (1000, 1)])
def test_a_crowd_of_one_template_takes_few_rounds(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, together: int, most: int
) -> None:
    add, rounds = _Search.add, []

    def counted(search: _Search, pairs: pa.Table) -> None:
        add(search, pairs)
        rounds.append(pairs.num_rows)

    monkeypatch.setattr(_Search, "add", counted)
    monkeypatch.setattr("nearcopy.spark._find.TOGETHER", together)
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
        {"distance": 9, "similarity": None, "language": "German"},
    ],
)
def test_other_options(spark: SparkSession, options: dict[str, Any]) -> None:
    rows = boilerplate(random.Random(1))[100:220] + mixed(random.Random(3)) + copies(random.Random(3))[::7]
    rows = [(n, text) for n, (_, text) in enumerate(rows)]
    expected = dict(options)
    if named := options.get("fingerprinter"):
        expected["fingerprinter"] = nc.Fingerprinter(**named)
    assert of_spark(frame(spark, rows, 1), **options) == of_one_process(rows, **expected)


KEEP = ["mark", "mark:desc", "weight:desc", "price", "at:desc", "day:asc", "seldom"]


def test_a_column_chooses_the_survivor(spark: SparkSession) -> None:
    pick = random.Random(7)
    marks = ["", "a", "a\x00", "ab", "é", "\U0010ffff", "7", "07", "-7.5", "1e3", "10", "9007199254740993", "inf"]
    columns = (
        "id string, text string, mark string, weight double, price decimal(9,2), at timestamp, day date, seldom int"
    )
    rows = []
    for id, text in mixed(pick) + copies(pick)[::5]:
        at = datetime.datetime(2026, pick.randrange(1, 13), 9, pick.randrange(24))
        price = Decimal(pick.randrange(-500, 500)) / 100
        values = [pick.choice(marks), pick.choice([-1.5, -0.0, 0.0, 2.0, 1e300]), price, at, at.date()]
        values = [None if pick.random() < 0.1 else value for value in values]
        rows.append((id, text, *values, 5 if pick.random() < 0.01 else None))
    pick.shuffle(rows)
    df = spark.createDataFrame(spark.sparkContext.parallelize(rows, 3), columns).localCheckpoint()
    table = df.toArrow()
    survivors = set()
    for keep in KEEP:
        found = find(df, keep=f"field:{keep}").select("id", "keep", "survivor", "rules").collect()
        expected = nc.find(table, id="id", keep=f"field:{keep}", progress=False).to_pylist()
        named = zip(table["id"].to_pylist(), expected)
        expected = [(id, row["keep"], row["survivor_id"], row["rules"]) for id, row in named]
        assert sorted(map(tuple, found), key=repr) == sorted(expected, key=repr), keep
        survivors.add(tuple(sorted(row["survivor"] for row in found if row["survivor"])))
    assert len(survivors) == len(KEEP)


def test_the_column_of_the_policy_is_checked(spark: SparkSession) -> None:
    df = spark.createDataFrame([("a", "a text", None, [1])], "id string, text string, none string, tags array<int>")
    with pytest.raises(KeyError, match="no column 'date'; name one of these by keep=: id, text, none, tags"):
        find(df, keep="field:date")
    with pytest.raises(ValueError, match="keep 'field:': field: needs a name, as in field:date:desc"):
        find(df, keep="field:")
    with pytest.raises(ValueError, match="no row has the field 'none' of keep; check its name, or name another"):
        find(df, keep="field:none")
    with pytest.raises(TypeError, match="column 'tags': is of type List.*; expected strings, numbers or times"):
        find(df, keep="field:tags")
    assert find(df.filter("id = 'b'"), keep="field:none").count() == 0


def of_program(folder: Path, rows: list[tuple[str, str]]) -> dict[str, str]:
    """The survivor of each document that goes, by the program."""
    corpus = folder / "corpus.jsonl"
    corpus.write_text("".join(json.dumps({"id": id, "text": text}) + "\n" for id, text in rows), encoding="utf-8")
    find = [sys.executable, "-m", "nearcopy", "find", "--quiet", "--id-field", "id", "--format", "jsonl", str(corpus)]
    clusters = subprocess.run(find, check=True, capture_output=True, encoding="utf-8").stdout.splitlines()
    return {member["id"]: cluster["survivor"] for cluster in map(json.loads, clusters) for member in cluster["members"]}


def test_labelled_texts_have_the_survivors_of_the_program(spark: SparkSession, tmp_path: Path) -> None:
    folder = Path(__file__).resolve().parents[2] / "data/texts"
    rows = [(str(path.relative_to(folder)), path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.txt"))]
    survivors = of_program(tmp_path, rows)
    assert survivors == {id: survivor for id, kept, survivor, *_ in of_one_process(rows) if not kept}
    # Each text has an edited copy, and one of the two goes.
    pairs = {frozenset([id, id.replace(".txt", ".edited.txt")]) for id, _ in rows if ".edited" not in id}
    found = {frozenset(pair) for pair in survivors.items()}
    assert len(pairs & found) >= 0.95 * (len(rows) // 2)
    for partitions in [1, 3, 8]:
        random.Random(partitions).shuffle(rows)
        verdicts = of_spark(frame(spark, rows, partitions))
        assert {id: survivor for id, kept, survivor, *_ in verdicts if not kept} == survivors


def test_an_error_names_the_remedy(spark: SparkSession) -> None:
    df = frame(spark, mixed(random.Random(1)), 2)
    with pytest.raises(KeyError, match="no column 'body'; name one of these by text=: id, text"):
        find(df, text="body")
    with pytest.raises(ValueError, match="keep 'best': expected first, last, longest, shortest or field:NAME"):
        find(df, keep="best")
    with pytest.raises(ValueError, match="similarity 2"):
        find(df, similarity=2)
    with pytest.raises(ValueError, match="language 'deu' and a fingerprinter: give one of the two"):
        find(df, language="deu", fingerprinter={"language": "deu"})
    with pytest.raises(ValueError, match="language 'Klingon' is unknown"):
        find(df, language="Klingon")
    with pytest.raises(Exception, match="column 'id': a row has no id"):
        find(frame(spark, [("a", "a text"), (None, "a text without an id")], 2))
