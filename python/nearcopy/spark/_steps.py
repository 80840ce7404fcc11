"""What both searches do alike: options, fingerprints, their order, steps over batches, and tables to and from Spark."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, reduce
from itertools import chain
from typing import Any, Literal, TypeAlias

import pyarrow as pa
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import DataType, StringType, StructType

from nearcopy import _native, _nested

Keep: TypeAlias = Literal["first", "last", "longest", "shortest"] | str
"""Which of several near-duplicates is kept: a policy of :func:`nearcopy.find`."""

FIGURES = (
    "distance int, jaccard_estimate double, jaccard double, containment_a double, containment_b double, "
    "rules array<string>"
)

HAS_ARROW = hasattr(DataFrame, "toArrow")
"""True if PySpark takes and gives tables of Arrow, as it does from version 4 on."""

Run: TypeAlias = Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]


def expect(df: DataFrame, text: str, id: str, keep: Keep, url: str | None = None, or_none: bool = False) -> str | None:
    """Checks that the columns are there; returns that of `keep`, if it has one. `keep` may be none if `or_none` is."""
    field = _native.key(keep, or_none)
    types = {
        name: way(df, name, of)[1] for of, name in (("text", text), ("id", id), ("keep", field), ("url", url)) if name
    }
    for name in filter(None, (text, url)):
        if not isinstance(types[name], StringType):
            raise TypeError(f"column '{name}': is of type {types[name].simpleString()}; expected string")
    return field


def way(df: DataFrame, name: str, of: str = "text") -> tuple[list[str], DataType]:
    """The name of a column, then of the field in it, and so on to `name`; and its type."""
    found: Any = df.schema
    names = []
    for place in _nested.ways_to(_fields(found), {of: name}, _fields)[name]:
        field = found.fields[place]
        names.append(field.name)
        found = field.dataType
    return names, found


def value(row: Column, names: list[str]) -> Column:
    """The value of a row at the end of a way."""
    return reduce(Column.getField, names, row)


def _fields(of: DataType) -> list[tuple[str, DataType]]:
    return [(field.name, field.dataType) for field in of.fields] if isinstance(of, StructType) else []


def named(df: DataFrame, row: Column, **columns: str | None) -> list[Column]:
    """Of `row`, a structure of all columns of `df`, the `columns` that have a name in it."""
    return [value(row, way(df, of)[0]).alias(name) for name, of in columns.items() if of is not None]


def rows(df: DataFrame, **columns: str | None) -> tuple[DataFrame, DataFrame]:
    """All rows, each as a structure `row` with its `place`, and of these the `columns` that have a name in `df`."""
    # Read once: a second reading may give rows in another order.
    stored = kept(df.select(F.struct("*").alias("row"), F.monotonically_increasing_id().alias("place")))
    return stored, stored.select(*named(df, F.col("row"), **columns), "place")


def making(language: str | None, fingerprinter: dict[str, Any] | None) -> dict[str, Any] | None:
    """The options of fingerprints, of which a language may be given alone."""
    if language is None or fingerprinter is None:
        return fingerprinter if language is None else {"language": language}
    raise ValueError(
        f"language '{language}' and a fingerprinter: give one of the two; a fingerprinter has its own language, as by "
        "fingerprinter={'language': 'eng'}"
    )


def options(fingerprinter: dict[str, Any] | None, *rules: Any) -> Any:
    """The options of :func:`steps`, checked: those of fingerprints, and the rules."""
    # Hashable, as they are the key of a cache.
    named = {name: tuple(value) if isinstance(value, list) else value for name, value in (fingerprinter or {}).items()}
    made = (tuple(sorted(named.items())), *rules)
    steps(made, 0)
    return made


def documents(rows: DataFrame, options: Any, id: str, more: str = "") -> DataFrame:
    """The fingerprints of the rows `id`, `text`, `place` and perhaps `field` that have a text, with their order.

    An error names the column of ids as `id`; `more` has the columns that only removals need.
    """
    keep, has_field = options[1], "field" in rows.columns
    if has_field:
        expect_field(rows, steps(options, 0).fingerprints)
    made = kept(
        rows.filter("text is not null")
        .select(ids(id).alias("id"), "text", "place", *(["field"] if has_field else []))
        .mapInArrow(
            step("fingerprints", options, 0, ("id", "place")),
            "id string, place long, digest binary, bytes long, simhash long, sketch binary, shingles binary"
            + more
            + ", key binary" * has_field,
        )
        .withColumn("order", F.struct(*order(keep), F.col("id"), F.col("digest"), F.col("place")))
    )
    expect_values(made, keep)
    return made


def expect_field(rows: DataFrame, step: Callable[[object], _native.Table]) -> None:
    """Checks the type of the column `field`, before any work."""
    of = arrow(rows.select("text", "field").limit(0)).schema
    nulls = pa.schema([(column.name, column.type) for column in of])
    step(narrow(pa.RecordBatch.from_pylist([{}], nulls)))


def expect_values(made: DataFrame, keep: str) -> None:
    """Checks that a row has the field of the policy, if it has one."""
    if "key" in made.columns and made.filter("key is not null").isEmpty() and not made.isEmpty():
        raise ValueError(f"no row has the field '{_native.key(keep, True)}' of keep; check its name, or name another")


def ids(id: str) -> Column:
    """The column `id` as strings; an error names it as `id`."""
    missing = F.raise_error(F.lit(f"column '{id}': a row has no id; give one to each row that has a text"))
    return F.when(F.col("id").isNull(), missing).otherwise(F.col("id").cast("string"))


def order(keep: str) -> list[Column]:
    """The columns by which a policy orders documents, by `place`, `bytes` and `key`."""
    orders = {
        "first": [F.col("place")],
        "last": [-F.col("place")],
        "longest": [-F.col("bytes")],
        "shortest": [F.col("bytes")],
    }
    # Bytes in the order of the policy.
    return orders.get(keep, [F.col("key").isNull(), F.col("key")])


def ordered(made: DataFrame, keep: str) -> DataFrame:
    """The rows of which parts are cut, with their `order`, by `place`, `id`, and `bytes` or `key`."""
    # In one process, the order of rows alone decides, or ids break ties.
    ties = ["place"] if keep in ("first", "last", "none") else ["id", "place"]
    by = order("first" if keep == "none" else keep)
    return made.withColumn("order", F.struct(*by, *(F.col(name).alias(f"by_{name}") for name in ties)))


def kept(df: DataFrame) -> DataFrame:
    """The rows, computed once: in the folder of checkpoints if there is one, else on the executors."""
    context = df.sparkSession.sparkContext
    return df.checkpoint() if context.getCheckpointDir() else df.localCheckpoint()


def arrow(df: DataFrame) -> pa.Table:
    """The rows as one table."""
    if HAS_ARROW:
        return df.toArrow()
    return pa.Table.from_batches(df._collect_as_arrow(), to_arrow_schema(df.schema))


def frame(spark: SparkSession, table: pa.Table, schema: str) -> DataFrame:
    """A table as rows; the schema names its columns."""
    names = [field.split()[0] for field in schema.split(", ")]
    if not table.num_rows:
        return spark.createDataFrame([], schema)
    return (
        spark.createDataFrame(table.select(names))
        if HAS_ARROW
        else spark.createDataFrame(table.select(names).to_pandas(integer_object_nulls=True), schema)
    )


def step(name: str, options: Any, documents: int, carried: tuple[str, ...]) -> Run:
    """A step over batches, whose result has these columns of the batch before its own."""
    return over(lambda: getattr(steps(options, documents), name), carried)


@cache
def made(kind: Callable[..., Any], options: Any) -> Any:
    """The native steps of this kind with these options, which are checked."""
    return kind(*options)


def method(kind: Callable[..., Any], name: str, options: Any, *carried: str) -> Run:
    """A method of native steps over batches, whose result has these columns of the batch before its own."""
    return over(lambda: getattr(made(kind, options), name), carried)


def over(new: Callable[[], Callable[[object], _native.Table]], carried: tuple[str, ...]) -> Run:
    """The same with a step that each worker makes."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        step = new()
        for batch in batches:
            if batch.num_rows:
                # A step without carried columns may have no rows for a batch, and then there is no batch.
                for made in pa.table(step(narrow(batch))).combine_chunks().to_batches():
                    columns = [batch.column(column) for column in carried] + made.columns
                    yield pa.RecordBatch.from_arrays(columns, [*carried, *made.schema.names])

    return run


def over_all(step: Callable[[object], _native.Table]) -> Run:
    """A step over all rows of a partition, in their order."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        if (rows := streamed(batches)) is not None:
            yield from pa.table(step(rows)).to_batches()

    return run


def narrow(batch: pa.RecordBatch) -> pa.RecordBatch:
    """The batch with offsets of 32 bits, whatever the session is set to."""
    return batch.cast(pa.schema([field.with_type(_narrower(field.type)) for field in batch.schema]))


def _narrower(of: pa.DataType) -> pa.DataType:
    if pa.types.is_list(of):
        return pa.list_(of.value_field.with_type(_narrower(of.value_type)))
    return {pa.large_string(): pa.string(), pa.large_binary(): pa.binary()}.get(of, of)


def streamed(batches: Iterator[pa.RecordBatch]) -> pa.RecordBatchReader | None:
    """The batches as one stream; None if there are none."""
    narrowed = map(narrow, batches)
    first = next(narrowed, None)
    return None if first is None else pa.RecordBatchReader.from_batches(first.schema, chain([first], narrowed))


@cache
def steps(options: Any, documents: int) -> _native.Steps:
    from nearcopy._fingerprinter import Fingerprinter, native

    named, keep, similarity, distance, remove, recall = options
    return _native.Steps(native(Fingerprinter(**dict(named))), keep, similarity, distance, remove, recall, documents)
