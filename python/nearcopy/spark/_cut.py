"""The rows of a DataFrame without parts of their texts: the result of functions that cut."""

from __future__ import annotations

from typing import NamedTuple

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from nearcopy import _native
from nearcopy.spark import _steps


class Cut(NamedTuple):
    """What is cut from the texts of a DataFrame: three DataFrames, whose rows are in any order."""

    kept: DataFrame
    """The rows that do not go, with all their columns, and their texts without what is cut."""
    spans: DataFrame
    """One row for each span that is cut: ``id`` and the columns of :attr:`nearcopy.Cut.spans` but ``row``."""
    fates: DataFrame
    """The ``id`` and the ``fate`` of each row, as in :attr:`nearcopy.Cut.fates`."""


def cut(
    df: DataFrame, text: str, stored: DataFrame, rows: DataFrame, spans: DataFrame, fated: DataFrame, ends: DataFrame
) -> Cut:
    """The result for the rows that :func:`nearcopy.spark._steps.rows` made of `df`.

    `fated` has the place and the fate of each row that does not simply stay, and `ends` the place of each row that is
    cut, and lists ``start_bytes`` and ``end_bytes`` of its spans.
    """
    left = rows.select("place", "text").join(ends, "place")
    left = left.mapInArrow(_steps.over(lambda: _native.left, ("place",)), "place long, text string")
    gone = fated.filter("fate = 'goes'").select("place")
    row = stored.join(gone, "place", "left_anti").join(left.withColumnRenamed("text", "left"), "place", "left")
    of = {name: F.col("row").getField(name) for name in df.columns}
    outer, *inner = _steps.way(df, text)[0]
    whole = of[outer]
    own = F.coalesce("left", _steps.value(whole, inner))
    of[outer] = whole.withField(".".join(f"`{name}`" for name in inner), own) if inner else own
    kept = row.select(*(column.alias(name) for name, column in of.items()))
    fates = rows.select("place", "id").join(fated.select("place", "fate"), "place", "left")
    return Cut(kept, spans, fates.select("id", F.coalesce("fate", F.lit("stays")).alias("fate")))
