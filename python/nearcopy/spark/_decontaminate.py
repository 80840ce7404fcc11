"""Items of a test set in the texts of a Spark DataFrame, found as :func:`nearcopy.decontaminate` finds them.

1. What each text has of the items, in Rust (``mapInArrow``), and how many texts have each part.
2. The texts that have anything are searched, given these numbers; for items in other words, all are.

Cost: a number of 8 bytes for each n-gram of an item in a text is shuffled, and the texts that have any. Each worker
process and the driver hold the test set, the items, some 50 bytes a word, and 16 bytes for each n-gram that texts have;
with `rewritten` a worker process holds another 90 bytes a word, and up to 256 MB to align a long text.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import pyarrow as pa
from pyspark import Broadcast
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from nearcopy import _native, _nested, _tables
from nearcopy._decontaminate import level
from nearcopy.spark import _steps
from nearcopy.spark._cut import cut

_FOUND = (
    "items array<long>, has array<long>, rewritten array<long>, rows array<long>, starts array<long>, "
    "ends array<long>, start_bytes array<long>, end_bytes array<long>, words array<long>, most array<double>, "
    "coverages array<double>, probabilities array<double>, in_part boolean"
)


class Decontaminated(NamedTuple):
    """The items of a test set in a DataFrame: five DataFrames, whose rows are in any order."""

    kept: DataFrame
    """The rows that have no item, with all their columns."""
    cut: DataFrame
    """All rows, with texts without the spans of items."""
    spans: DataFrame
    """One row for each span of an item: ``id`` and the columns of :attr:`nearcopy.Decontaminated.spans` but ``row``."""
    fates: DataFrame
    """The ``id`` of each row, and its ``fate``: ``stays``, or ``cut`` if it has an item."""
    items: DataFrame
    """One row for each item: the columns of :attr:`nearcopy.Decontaminated.items` but ``document``."""


def decontaminate(
    df: DataFrame,
    against: Any,
    *,
    text: str = "text",
    id: str = "id",
    fields: str | Sequence[str] = "text",
    need: str | Sequence[str] = (),
    item_id: str | None = None,
    coverage: float = 0.25,
    rewritten: float | None = None,
) -> Decontaminated:
    """Find the items of a test set in texts: ``decontaminate(df, against).kept`` has the rows without any.

    The result is that of :func:`nearcopy.decontaminate` for the same rows. It does not depend on the number of
    partitions, and on the order of rows only in ``document_id``: of texts with an equal share, the first. Work is done
    before this returns, but for the copying of the rows.

    Parameters
    ----------
    df
        A DataFrame. Rows whose text is null are kept.
    against
        The test set: a DataFrame, or what :func:`nearcopy.decontaminate` takes. The driver and each worker hold it.
    text
        Name of the column of texts.
    id
        Name of the column of ids, strings or integers, without nulls; they need not be unique.
    fields, need, item_id, coverage, rewritten
        As for :func:`nearcopy.decontaminate`.

    Returns
    -------
    Decontaminated
        The DataFrames ``kept``, ``cut``, ``spans``, ``fates`` and ``items``.

    Raises
    ------
    ValueError
        If an option is out of bounds, or no item has a part.
    KeyError
        If `df` has no such column.
    TypeError
        If a column has another type.
    """
    _steps.expect(df, text, id, "first")
    level(rewritten)
    parts, needed = ([names] if isinstance(names, str) else list(names) for names in (fields, need))
    records = _records(against, [*parts, *([] if item_id is None else [item_id])])
    test_set = (records, parts, needed, item_id, coverage, rewritten)
    steps = _native.ItemSteps(*test_set)
    if steps.left_out is not None:
        warnings.warn(steps.left_out, RuntimeWarning, stacklevel=2)
    stored, rows = _steps.rows(df, id=id, text=text)
    texts = rows.filter("text is not null").withColumn("id", _steps.ids(id))
    context = df.sparkSession.sparkContext
    sent = context.broadcast(test_set)
    counted = texts.mapInArrow(
        _steps.over(lambda: _made(sent).counted, ("id", "place")),
        "id string, place long, numbers array<long>, words long",
    )
    counted = _steps.kept(counted)
    documents = counted.select(F.explode("numbers").alias("number")).groupBy("number")
    counts = (_steps.arrow(documents.agg(F.count("*").alias("documents"))), counted.agg(F.sum("words")).first()[0] or 0)
    sent_counts = context.broadcast(counts)
    found = texts.select("place", "text")
    if rewritten is None:
        found = found.join(counted.filter(F.size("numbers") > 0).select("place"), "place")
    schema = f"place long, {_FOUND}" + ", ids array<string>" * (item_id is not None)
    found = _steps.kept(found.mapInArrow(_steps.over(lambda: _finder(sent, sent_counts).find, ("place",)), schema))
    in_part = 0 if rewritten is None else found.filter("in_part").count()
    if in_part > 0:
        message = f"{in_part} texts not searched whole for items in other words: they are too long"
        warnings.warn(message, RuntimeWarning, stacklevel=2)
    sent.destroy()
    sent_counts.destroy()
    ids = rows.select("place", "id")
    items = _items(found, steps.finder(*counts), ids, item_id is not None)
    spans = _spans(found, item_id is not None)
    ends = spans.groupBy("place").agg(*(F.collect_list(end).alias(end) for end in ("start_bytes", "end_bytes")))
    ends = _steps.kept(ends)
    fated = ends.select("place", F.lit("cut").alias("fate"))
    of_rows = spans.join(ids, "place").select("id", *spans.drop("place").columns)
    done = cut(df, text, stored, rows, of_rows, fated, ends)
    whole = stored.join(ends, "place", "left_anti")
    kept = whole.select(*(F.col("row").getField(name).alias(name) for name in df.columns))
    return Decontaminated(kept, done.kept, done.spans, done.fates, items)


def _records(against: Any, fields: Sequence[str]) -> Any:
    """The test set as the native module reads it, in a form that can be sent."""
    if isinstance(against, DataFrame):
        # Other columns may be anything, such as pictures.
        leads = _nested.leads(against.columns, fields) or against.columns
        return _steps.arrow(against.select(*(f"`{name}`" for name in leads)))
    records = _tables.records(against, fields)
    if hasattr(records, "__arrow_c_stream__"):
        return pa.chunked_array(records)
    return pa.array(records) if hasattr(records, "__arrow_c_array__") else list(records)


@lru_cache(maxsize=2)
def _made(test_set: Broadcast[Any]) -> _native.ItemSteps:
    """The items, made once on a worker."""
    return _native.ItemSteps(*test_set.value)


@lru_cache(maxsize=2)
def _finder(test_set: Broadcast[Any], counts: Broadcast[Any]) -> _native.ItemFinder:
    """The search, made once on a worker."""
    return _made(test_set).finder(*counts.value)


def _items(found: DataFrame, finder: _native.ItemFinder, ids: DataFrame, has_ids: bool) -> DataFrame:
    """What is said of each item."""
    of_texts = found.select("place", F.explode(F.arrays_zip("items", "has", "rewritten", "most")).alias("of"))
    # Of the greatest share, the first text.
    best = F.max(F.struct("of.most", (-F.col("place")).alias("before")))
    sums = (F.sum("of.has").alias("documents"), F.sum("of.rewritten").alias("rewritten"))
    found = of_texts.groupBy("of.items").agg(*sums, best.alias("best"))
    columns = {"item": F.col("items"), "documents": F.col("documents"), "rewritten": F.col("rewritten")}
    columns |= {"coverage": F.col("best.most"), "place": -F.col("best.before")}
    all = finder.items(_steps.arrow(found.select(*(column.alias(name) for name, column in columns.items()))))
    schema = "row long, " + "id string, " * has_ids + "verdict string, reason string, words long, documents long, "
    schema += "rewritten long, coverage double, place long"
    items = _steps.frame(ids.sparkSession, pa.table(all), schema)
    of_documents = ids.withColumnRenamed("id", "document_id")
    return _steps.kept(items.join(of_documents, "place", "left").drop("place"))


def _spans(found: DataFrame, has_ids: bool) -> DataFrame:
    """The spans of items, and the place of the text of each."""
    names = {"start": "starts", "end": "ends", "start_bytes": "start_bytes", "end_bytes": "end_bytes", "words": "words"}
    names |= {"item": "rows"} | ({"item_id": "ids"} if has_ids else {})
    names |= {"coverage": "coverages", "probability": "probabilities"}
    spans = found.select("place", F.explode(F.arrays_zip(*names.values())).alias("span"))
    return spans.select("place", *(F.col("span").getField(of).alias(name) for name, of in names.items()))
