"""Corpora that are hard for a search in rounds, and the results of both searches."""

from __future__ import annotations

import random
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

import nearcopy as nc
from nearcopy.spark import clean, find

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


def parts(pick: random.Random) -> Rows:
    """Texts, and each without its last paragraph, so that it stands whole in the longer one."""
    rows: Rows = []
    for n in range(40):
        line = words(f"part{n}", 108)
        paragraphs = [" ".join(line[at : at + 12]) for at in range(0, 108, 12)]
        rows += [(f"whole{n}", "\n\n".join(paragraphs)), (f"part{n}", "\n\n".join(paragraphs[:-1]))]
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


def sentences(seed: str, count: int) -> list[str]:
    """Sentences of twelve words that no other seed has."""
    line = words(seed, 12 * count)
    return [" ".join(line[at : at + 12]).capitalize() + "." for at in range(0, len(line), 12)]


def removable(pick: random.Random) -> Rows:
    """Originals, and what may be removed for them by each claim, or by none."""
    rows: Rows = []
    for n in range(24):
        text = sentences(f"r{n}", pick.choice([3, 6, 12]))
        whole = " ".join(text)
        changed = " ".join(edited(whole.split(" "), f"e{n}", pick.choice([1, 3, 9])))
        rows += [(f"r{n}", whole), (f"edited{n}", changed), (f"lines{n}", "\n".join(text))]
        rows += [(f"copy{n}", pick.choice([whole, changed]))] * pick.choice([0, 1, 2, 5, 9])
        rows += [(f"upper{n}", whole.upper()), (f"part{n}", " ".join(text[:-1])), (f"cut{n}", whole[: len(whole) // 2])]
        rows.append((f"more{n}", f"{whole} {' '.join(sentences(f's{n % 3}', pick.choice([1, 7])))}"))
    # Several have a text that also stands in a longer one.
    plain, other = " ".join(sentences("plain", 8)), " ".join(sentences("other", 8))
    rows += [(f"plain{n}", plain) for n in range(3)] + [("part of plain", " ".join(sentences("plain", 8)[:7]))]
    return [*rows, ("both", f"{plain} {other}"), ("other", other)]


def letters(pick: random.Random) -> Rows:
    """Form letters: alike but for names and figures, in large clusters, and barely alike, in small ones."""
    rows: Rows = []
    for name, length, step, count in [("letter", 150, 60, 40), ("form", 120, 16, 60), ("short", 60, 20, 30)]:
        form = words(name, length)
        for n in range(count):
            own = [word if at % step else f"name{pick.randrange(count)}" for at, word in enumerate(form)]
            rows.append((f"{name}{n}", " ".join(own)))
    return rows


TEXT = (
    "The library keeps every document that a member of the council has written, and whoever asks for a document is "
    "shown the original where that is possible. Readers who cannot travel receive a photograph of each page, for which "
    "the treasurer demands a moderate payment. Nothing is lent to strangers, as several volumes disappeared in the "
    "winter of the great flood. The present catalogue was printed by the grandson of the first librarian, who had "
    "collected the entries for a quarter of a century without any assistance."
)


def misspelt(pick: random.Random) -> Rows:
    """A text, copies in which a word is misspelt or another one, and texts that have its words."""
    rows: Rows = [("correct", TEXT), ("added", f"{TEXT} It is complete.")]
    for n, (word, typo) in enumerate(
        [("document", "documnet"), ("treasurer", "treasurre"), ("catalogue", "catlaogue")]
    ):
        rows += [(f"typo{n}", TEXT.replace(word, typo, 1)), (f"none{n}", TEXT.replace(word, "paragraph", 1))]
    for n in range(6):
        line = TEXT.split(" ")
        pick.shuffle(line)
        rows.append((f"words{n}", " ".join(line)))
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


def cleaned_by_spark(df: DataFrame, **options: Any) -> list[list[tuple[Any, ...]]]:
    """The rows that are kept, those that go, and those to review, each sorted."""
    kept, removed, to_review = clean(df, **options)
    return [sorted((tuple(row) for row in part.collect()), key=repr) for part in (kept, removed, to_review)]


def cleaned_by_one_process(rows: Rows, **options: Any) -> list[list[tuple[Any, ...]]]:
    table = pa.table({"id": [row[0] for row in rows], "text": [row[1] for row in rows]})
    found = nc.clean(table, id="id", progress=False, **options)

    def listed(part: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
        return [(row["id"], row["survivor_id"], *(row[name] for name in FIGURES), row["removal"]) for row in part]

    removed = [{**row, "id": id} for row, (id, _) in zip(found.to_pylist(), rows) if not row["keep"]]
    kept = [(row["id"], row["text"]) for row in found.filter(table).to_pylist()]
    return [sorted(part, key=repr) for part in (kept, listed(removed), listed(found.to_review().to_pylist()))]
